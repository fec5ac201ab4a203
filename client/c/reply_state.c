#include "client/c/reply.h"

#include "proto/quantise.h"

#include <string.h>

/* An array of the wire with the shape it must have: absent, or [rows][columns]. */
typedef struct wire_array {
    size_t count;
    const float *value;
} wire_array;

/* Copies a vector; one that is absent leaves `out` as it is. False: another size. */
static bool copy_floats(wire_array from, size_t count, float *out) {
    if (from.count == count)
        memcpy(out, from.value, count * sizeof *out);
    return from.count == count || from.count == 0;
}

/* --- characters --- */

/* One array over bodies: the first that is there sets body_count, and the others must agree with
 * it. */
static bool take_bodies(wire_array from, size_t columns, int *body_count, const float **out) {
    if (from.count == 0)
        return true;
    if (from.count % columns != 0 ||
        (*body_count != 0 && from.count / columns != (size_t)*body_count))
        return false;
    *body_count = (int)(from.count / columns);
    *out = from.value;
    return true;
}

/* The quantised form of such an array, unpacked into memory of the reply. */
static bool take_quantised(tr_reply_box *box, const ProtobufCBinaryData *from, size_t columns,
                           wire_array *out) {
    size_t bodies = from->len / TR_QUANTISED_SIZE;
    if (from->len % TR_QUANTISED_SIZE != 0 || (from->len > 0 && out->count > 0))
        return false;
    if (from->len == 0)
        return true;
    float *values = tr_record_take(&box->memory, bodies * columns, sizeof *values);
    if (!values)
        return true;
    for (size_t i = 0; i < bodies; i++)
        if (columns == 4)
            tr_dequantise_rotation(from->data + TR_QUANTISED_SIZE * i, values + 4 * i);
        else
            tr_dequantise_vector(from->data + TR_QUANTISED_SIZE * i, TR_QUANTISED_RATE_RAD_S,
                                 values + 3 * i);
    *out = (wire_array){bodies * columns, values};
    return true;
}

/* Positions are told from the root's. */
static bool take_quantised_positions(tr_reply_box *box, const Troupe__CharacterState *from,
                                     wire_array *out) {
    const ProtobufCBinaryData *bytes = &from->body_pos_q;
    size_t bodies = bytes->len / TR_QUANTISED_SIZE;
    if (bytes->len == 0)
        return true;
    if (bytes->len % TR_QUANTISED_SIZE != 0 || out->count > 0 || from->n_root_pos != 3)
        return false;
    float *values = tr_record_take(&box->memory, bodies * 3, sizeof *values);
    if (!values)
        return true;
    for (size_t i = 0; i < bodies; i++) {
        tr_dequantise_vector(bytes->data + TR_QUANTISED_SIZE * i, TR_QUANTISED_POSITION_M,
                             values + 3 * i);
        for (size_t k = 0; k < 3; k++)
            values[3 * i + k] += from->root_pos[k];
    }
    *out = (wire_array){bodies * 3, values};
    return true;
}

static bool take_body_arrays(tr_reply_box *box, const Troupe__CharacterState *from,
                             tr_client_character *out) {
    wire_array joint_rot = {from->n_joint_rot, from->joint_rot};
    wire_array joint_rate = {from->n_joint_rate, from->joint_rate};
    wire_array body_pos = {from->n_body_pos, from->body_pos};
    wire_array body_rot = {from->n_body_rot, from->body_rot};
    return take_quantised(box, &from->joint_rot_q, 4, &joint_rot) &&
           take_quantised(box, &from->joint_rate_q, 3, &joint_rate) &&
           take_quantised(box, &from->body_rot_q, 4, &body_rot) &&
           take_quantised_positions(box, from, &body_pos) &&
           take_bodies(joint_rot, 4, &out->body_count, &out->joint_rot) &&
           take_bodies(joint_rate, 3, &out->body_count, &out->joint_rate) &&
           take_bodies(body_pos, 3, &out->body_count, &out->body_pos) &&
           take_bodies(body_rot, 4, &out->body_count, &out->body_rot);
}

static bool take_arrays(tr_reply_box *box, const Troupe__CharacterState *from,
                        tr_client_character *out) {
    return copy_floats((wire_array){from->n_root_pos, from->root_pos}, 3, out->root_pos) &&
           copy_floats((wire_array){from->n_root_rot, from->root_rot}, 4, out->root_rot) &&
           copy_floats((wire_array){from->n_root_vel, from->root_vel}, 3, out->root_vel) &&
           copy_floats((wire_array){from->n_root_omega, from->root_omega}, 3, out->root_omega) &&
           take_body_arrays(box, from, out);
}

static bool take_choices(tr_reply_box *box, const Troupe__CharacterState *from,
                         tr_client_character *out) {
    if (from->n_choices == 0)
        return true;
    tr_client_choice *choices = tr_record_take(&box->memory, from->n_choices, sizeof *choices);
    if (!choices)
        return false;
    for (size_t i = 0; i < from->n_choices; i++) {
        const Troupe__FragmentChoice *choice = from->choices[i];
        choices[i] = (tr_client_choice){choice->fragment, choice->mirrored, choice->value};
    }
    out->choices = choices;
    out->choice_count = (int)from->n_choices;
    return true;
}

static bool decode_character(tr_reply_box *box, const Troupe__CharacterState *from,
                             tr_client_character *out) {
    *out = (tr_client_character){.entity = from->entity,
                                 .label = from->label,
                                 .model = from->model,
                                 .controller = from->controller,
                                 .next_controller = from->next_controller,
                                 .fragment = from->fragment,
                                 .fragments_done = from->fragments_done,
                                 .mirrored = from->mirrored,
                                 .ended = from->ended,
                                 .fallen = from->fallen,
                                 .limp = from->limp,
                                 .frozen = from->frozen,
                                 .doing = from->doing,
                                 .phase = from->phase,
                                 .out_of_sequence = from->out_of_sequence,
                                 .root_rot = {1, 0, 0, 0}};
    return take_choices(box, from, out) && take_arrays(box, from, out);
}

/* --- objects and contacts --- */

static bool decode_object(const Troupe__ObjectState *from, tr_client_object *out) {
    *out = (tr_client_object){
        .entity = from->entity, .name = from->name, .rot = {1, 0, 0, 0}, .frozen = from->frozen};
    return copy_floats((wire_array){from->n_pos, from->pos}, 3, out->pos) &&
           copy_floats((wire_array){from->n_rot, from->rot}, 4, out->rot) &&
           copy_floats((wire_array){from->n_vel, from->vel}, 3, out->vel) &&
           copy_floats((wire_array){from->n_omega, from->omega}, 3, out->omega);
}

static bool decode_contact(const Troupe__ContactState *from, tr_client_contact *out) {
    *out = (tr_client_contact){.entity = {from->entity0, from->entity1},
                               .body = {from->body0, from->body1},
                               .depth = from->depth};
    return copy_floats((wire_array){from->n_pos, from->pos}, 3, out->pos) &&
           copy_floats((wire_array){from->n_normal, from->normal}, 3, out->normal) &&
           copy_floats((wire_array){from->n_impulse, from->impulse}, 3, out->impulse);
}

/* --- the whole --- */

static bool decode_entities(tr_reply_box *box, const Troupe__WorldState *from,
                            tr_client_state *out) {
    tr_client_character *characters =
        tr_record_take(&box->memory, from->n_characters, sizeof *characters);
    tr_client_object *objects = tr_record_take(&box->memory, from->n_objects, sizeof *objects);
    tr_client_contact *contacts = tr_record_take(&box->memory, from->n_contacts, sizeof *contacts);
    if (box->memory.failed)
        return true;
    bool sound = true;
    for (size_t i = 0; sound && i < from->n_characters; i++)
        sound = decode_character(box, from->characters[i], &characters[i]);
    for (size_t i = 0; sound && i < from->n_objects; i++)
        sound = decode_object(from->objects[i], &objects[i]);
    for (size_t i = 0; sound && i < from->n_contacts; i++)
        sound = decode_contact(from->contacts[i], &contacts[i]);
    out->characters = characters;
    out->objects = objects;
    out->contacts = contacts;
    return sound;
}

tr_status tr_reply_state(tr_reply_box *box, const Troupe__WorldState *from, tr_client_state *out) {
    tr_client_state state = {.world = from->world,
                             .epoch = from->epoch,
                             .tick = from->tick,
                             .time_s = from->time_s,
                             .hash = from->hash,
                             .dropped_states = from->dropped_states,
                             .dropped_ticks = from->dropped_ticks,
                             .lateness_s = from->lateness_s,
                             .character_count = (int)from->n_characters,
                             .object_count = (int)from->n_objects,
                             .contact_count = (int)from->n_contacts};
    if (!decode_entities(box, from, &state))
        return TR_DATA_LOSS;
    if (box->memory.failed)
        return TR_RESOURCE_EXHAUSTED;
    *out = state;
    return TR_OK;
}

/* --- events --- */

static const char *const event_names[] = {
    [TR_CLIENT_EVENT_UNKNOWN] = "unknown",
    [TR_CLIENT_FELL] = "fell",
    [TR_CLIENT_ROSE] = "rose",
    [TR_CLIENT_CONTROLLER_ENDED] = "controller ended",
    [TR_CLIENT_CONTROLLER_BEGAN] = "controller began",
    [TR_CLIENT_TOUCHED] = "touched",
    [TR_CLIENT_FAULT] = "fault",
    [TR_CLIENT_APPLIED] = "applied",
    [TR_CLIENT_RESET] = "reset",
    [TR_CLIENT_RESTORED] = "restored",
    [TR_CLIENT_PAUSED] = "paused",
    [TR_CLIENT_RESUMED] = "resumed",
    [TR_CLIENT_LATE] = "late",
    [TR_CLIENT_DROPPED] = "events dropped",
    [TR_CLIENT_DESTROYED] = "world destroyed",
    [TR_CLIENT_STEPPER_REMOVED] = "stepper removed",
    [TR_CLIENT_RECORDING_ENDED] = "recording ended",
    [TR_CLIENT_DIVERGED] = "diverged",
    [TR_CLIENT_SOUGHT] = "sought",
};
enum { EVENT_NAME_COUNT = sizeof event_names / sizeof event_names[0] };

/* The plain kinds are numbered as those of the wire. */
_Static_assert((int)TR_CLIENT_FELL == (int)TROUPE__EVENT_KIND__EVENT_KIND_FELL &&
                   (int)TR_CLIENT_STEPPER_REMOVED ==
                       (int)TROUPE__EVENT_KIND__EVENT_KIND_STEPPER_REMOVED &&
                   (int)TR_CLIENT_SOUGHT == (int)TROUPE__EVENT_KIND__EVENT_KIND_SOUGHT,
               "event kinds agree with state.proto");

/* The numbers have gaps. */
static bool is_known(unsigned kind) {
    return kind < EVENT_NAME_COUNT && event_names[kind] != NULL;
}

const char *tr_client_event_name(tr_client_event_kind kind) {
    return event_names[is_known(kind) ? kind : TR_CLIENT_EVENT_UNKNOWN];
}

tr_client_event tr_reply_event(uint32_t world, const Troupe__Event *from) {
    bool known = is_known((unsigned)from->kind);
    return (tr_client_event){.kind =
                                 known ? (tr_client_event_kind)from->kind : TR_CLIENT_EVENT_UNKNOWN,
                             .world = world,
                             .epoch = from->epoch,
                             .tick = from->tick,
                             .entity = from->entity,
                             .other = from->other,
                             .body = from->body,
                             .other_body = from->other_body,
                             .magnitude = from->magnitude,
                             .text = from->text,
                             .session = from->session,
                             .request_id = from->request_id,
                             .status = tr_record_status(from->code)};
}
