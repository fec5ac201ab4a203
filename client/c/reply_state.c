#include "client/c/reply.h"

/* An array of the wire. */
typedef struct wire_array {
    size_t count;
    const float *value;
} wire_array;

/* --- characters --- */

/* Takes one array over bodies: the first present array sets body_count, and the others must have
 * the same count. */
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

static bool take_body_arrays(const Troupe__CharacterState *from, tr_client_character *out) {
    int *count = &out->body_count;
    return take_bodies((wire_array){from->n_joint_rot, from->joint_rot}, 4, count,
                       &out->joint_rot) &&
           take_bodies((wire_array){from->n_joint_rate, from->joint_rate}, 3, count,
                       &out->joint_rate) &&
           take_bodies((wire_array){from->n_body_pos, from->body_pos}, 3, count, &out->body_pos) &&
           take_bodies((wire_array){from->n_body_rot, from->body_rot}, 4, count, &out->body_rot);
}

const tr_mapping tr_client_choice_mapping = TR_MAPPING(
    tr_client_choice, FragmentChoice, fragment_choice, TR_COPY(fragment, mirrored, value));

const tr_mapping tr_client_shown_mapping = TR_MAPPING(
    tr_client_shown, ShownValue, shown_value, TR_COPY(name, unit), TR_COPY_ARRAY(count, value));

const tr_mapping tr_client_character_mapping = TR_MAPPING(
    tr_client_character, CharacterState, character_state,
    TR_COPY(entity, label, model, controller, next_controller, fragment, fragments_done, mirrored,
            ended, fallen, limp, frozen, doing, phase, out_of_sequence, skill_in_s),
    TR_COPY_LIST(choice_count, choices, tr_client_choice_mapping), TR_COPY_ARRAY(way_count, way),
    TR_COPY_LIST(shown_count, shown, tr_client_shown_mapping), TR_COPY_BYTES(pose_size, pose),
    TR_COPY_FLOATS(root_pos, root_rot, root_vel, root_omega, felt_force, learned_force, map_at));

/* --- the whole --- */

const tr_mapping tr_client_object_mapping =
    TR_MAPPING(tr_client_object, ObjectState, object_state, TR_COPY(entity, name, frozen, rig_of),
               TR_COPY_FLOATS(pos, rot, vel, omega));

const tr_mapping tr_client_contact_mapping =
    TR_MAPPING(tr_client_contact, ContactState, contact_state, TR_COPY_AS(entity[0], entity0),
               TR_COPY_AS(entity[1], entity1), TR_COPY_AS(body[0], body0),
               TR_COPY_AS(body[1], body1), TR_COPY(depth), TR_COPY_FLOATS(pos, normal, impulse));

const tr_mapping tr_client_state_mapping = TR_MAPPING(
    tr_client_state, WorldState, world_state,
    TR_COPY(world, epoch, tick, time_s, hash, dropped_states, dropped_ticks, lateness_s, no_ground),
    TR_COPY_LIST(character_count, characters, tr_client_character_mapping),
    TR_COPY_LIST(object_count, objects, tr_client_object_mapping),
    TR_COPY_LIST(contact_count, contacts, tr_client_contact_mapping),
    TR_COPY_LIST(scenery_count, scenery, tr_client_scenery_mapping));

tr_status tr_reply_state(tr_reply_box *box, const Troupe__WorldState *from, tr_client_state *out) {
    tr_client_state state = {.world = 0};
    tr_mapping_read(&tr_client_state_mapping, from, &state, &box->memory);
    bool sound = !box->memory.damaged;
    for (int i = 0; sound && i < state.character_count; i++)
        sound =
            take_body_arrays(from->characters[i], &((tr_client_character *)state.characters)[i]);
    if (!sound)
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
    [TR_CLIENT_ARRIVED] = "arrived",
    [TR_CLIENT_BLOCKED] = "blocked",
    [TR_CLIENT_SCORED] = "scored",
    [TR_CLIENT_HOLD_BROKEN] = "hold broken",
    [TR_CLIENT_RECORDING_ENDED] = "recording ended",
    [TR_CLIENT_DIVERGED] = "diverged",
    [TR_CLIENT_SOUGHT] = "sought",
};
enum { EVENT_NAME_COUNT = sizeof event_names / sizeof event_names[0] };

/* The kinds have the same numbers as on the wire. */
_Static_assert((int)TR_CLIENT_FELL == (int)TROUPE__EVENT_KIND__EVENT_KIND_FELL &&
                   (int)TR_CLIENT_HOLD_BROKEN == (int)TROUPE__EVENT_KIND__EVENT_KIND_HOLD_BROKEN &&
                   (int)TR_CLIENT_SOUGHT == (int)TROUPE__EVENT_KIND__EVENT_KIND_SOUGHT,
               "event kinds agree with state.proto");

/* The numbers have gaps. */
static bool is_known(unsigned kind) {
    return kind < EVENT_NAME_COUNT && event_names[kind];
}

const char *tr_client_event_name(tr_client_event_kind kind) {
    return event_names[is_known(kind) ? kind : TR_CLIENT_EVENT_UNKNOWN];
}

const tr_mapping tr_client_event_mapping = TR_MAPPING(
    tr_client_event, Event, event,
    TR_COPY(epoch, tick, entity, other, body, other_body, magnitude, text, session, request_id),
    TR_COPY_STATUS(status, code));

tr_client_event tr_reply_event(uint32_t world, const Troupe__Event *from) {
    bool known = is_known((unsigned)from->kind);
    tr_client_event event = {
        .kind = known ? (tr_client_event_kind)from->kind : TR_CLIENT_EVENT_UNKNOWN, .world = world};
    tr_mapping_read(&tr_client_event_mapping, from, &event, NULL);
    return event;
}
