#include "control/driver/rig.h"

#include "math/hash.h"

#include <stdlib.h>

/* --- fields --- */

static const double FAR_M = 1e4, FAST = 1e4;

static const tr_state_field name_field[] = {TR_STATE_TEXT_FIELD(tr_rig_object, def.name)};

static const tr_state_field object_field[] = {
    TR_STATE_INT_FIELD(tr_rig_object, def.geom_count, 1, TR_OBJECT_GEOM_MAX),
    TR_STATE_DOUBLE_FIELD(tr_rig_object, def.density, 0, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_object, def.mass, 0, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_object, def.linear_damping, 0, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_object, def.angular_damping, 0, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_object, state.pos, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_object, state.rot, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_object, state.vel, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_object, state.omega, -TR_STATE_ANY, TR_STATE_ANY),
};

static const tr_state_field geom_field[] = {
    TR_STATE_INT_FIELD(tr_geom, kind, TR_GEOM_SPHERE, TR_GEOM_CYLINDER),
    TR_STATE_DOUBLE_FIELD(tr_geom, size, 0, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_geom, pos, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_geom, rot, -1, 1),
    TR_STATE_DOUBLE_FIELD(tr_geom, friction, 0, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_geom, torsional, 0, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_geom, rolling, 0, TR_STATE_ANY),
};

static const tr_state_field pin_field[] = {
    TR_STATE_INT_FIELD(tr_rig_pin, member, TR_RIG_CHARACTER, TR_RIG_OBJECT_MAX - 1),
    TR_STATE_INT_FIELD(tr_rig_pin, def.kind, TR_PIN_POINT, TR_PIN_SLIDER),
    TR_STATE_INT_FIELD(tr_rig_pin, def.body, 0, TR_BODY_MAX - 1),
    TR_STATE_DOUBLE_FIELD(tr_rig_pin, def.point, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_pin, def.axis, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_pin, def.rest, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_BOOL_FIELD(tr_rig_pin, def.limited),
    TR_STATE_DOUBLE_FIELD(tr_rig_pin, def.range, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_pin, def.damping, 0, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_rig_pin, def.break_n, 0, TR_STATE_ANY),
};

/* Springs stand after the pins of a section, if any pin has one; older sections have none. */
static const tr_state_field spring_field[] = {
    TR_STATE_DOUBLE_FIELD(tr_rig_pin, def.spring, 0, TR_STATE_ANY),
};

const tr_state_field tr_rig_pieces_field[] = {
    TR_STATE_INT64_FIELD(tr_rig_pieces, rig, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_INT_FIELD(tr_rig_pieces, count, 0, TR_RIG_OBJECT_MAX),
    TR_STATE_INT_FIELD(tr_rig_pieces, object, -TR_STATE_ANY, TR_STATE_ANY),
};

enum {
    OBJECT_FIELDS = sizeof object_field / sizeof *object_field,
    GEOM_FIELDS = sizeof geom_field / sizeof *geom_field,
    PIN_FIELDS = sizeof pin_field / sizeof *pin_field
};
const int tr_rig_pieces_field_count = sizeof tr_rig_pieces_field / sizeof *tr_rig_pieces_field;

/* --- checking --- */

static bool is_near(tr_vec3 v, double most) {
    return tr_vec3_is_finite(v) && tr_vec3_length(v) <= most;
}

static tr_status check_object(const tr_rig_object *object, int index, tr_error *error) {
    const tr_object_state *state = &object->state;
    if (!tr_object_is_usable(&object->def, state) || !is_near(state->pos, FAR_M) ||
        !is_near(state->vel, FAST) || !is_near(state->omega, FAST))
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "rig object %d '%.*s': expected shapes, a mass and a state that a world takes", index,
            TR_NAME_MAX - 1, object->def.name);
    return TR_OK;
}

/* Is `body` a body of the member? */
static bool has_body(const tr_rig *rig, const tr_model *model, int member, int body) {
    if (member == TR_RIG_CHARACTER)
        return body >= 0 && body < model->body_count;
    return member >= 0 && member < rig->object_count && body == 0;
}

static tr_status check_pin(const tr_rig *rig, const tr_model *model, int index, tr_error *error) {
    const tr_rig_pin *pin = &rig->pin[index];
    for (int side = 0; side < 2; side++)
        if (!has_body(rig, model, pin->member[side], pin->def.body[side]))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "rig pin %d: member %d, body %d: expected an object or a body that "
                           "there is",
                           index, pin->member[side], pin->def.body[side]);
    /* A body cannot be pinned to itself. */
    bool itself = pin->member[0] == pin->member[1] && pin->def.body[0] == pin->def.body[1];
    if (itself || !tr_pin_is_usable(&pin->def))
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "rig pin %d: expected two bodies, and an axis and a range that a world takes", index);
    return TR_OK;
}

tr_status tr_rig_check(const tr_rig *rig, const tr_model *model, tr_error *error) {
    if (rig->object_count < 1 || rig->object_count > TR_RIG_OBJECT_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "rig: %d objects; expected 1 to %d",
                       rig->object_count, TR_RIG_OBJECT_MAX);
    if (rig->pin_count < 0 || rig->pin_count > TR_RIG_PIN_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "rig: %d pins; expected 0 to %d", rig->pin_count,
                       TR_RIG_PIN_MAX);
    tr_status status = TR_OK;
    for (int i = 0; !status && i < rig->object_count; i++)
        status = check_object(&rig->object[i], i, error);
    for (int i = 0; !status && i < rig->pin_count; i++)
        status = check_pin(rig, model, i, error);
    return status;
}

static bool has_springs(const tr_rig *rig) {
    for (int i = 0; i < rig->pin_count; i++)
        if (rig->pin[i].def.spring > 0)
            return true;
    return false;
}

/* --- hash, mirror, copy --- */

uint64_t tr_rig_hash(const tr_rig *rig, uint64_t hash) {
    if (!rig)
        return hash;
    for (int i = 0; i < rig->object_count; i++) {
        const tr_rig_object *object = &rig->object[i];
        hash = tr_state_fields_hash(object_field, OBJECT_FIELDS, object, hash);
        for (int g = 0; g < object->def.geom_count; g++)
            hash = tr_state_fields_hash(geom_field, GEOM_FIELDS, &object->def.geom[g], hash);
    }
    for (int i = 0; i < rig->pin_count; i++)
        hash = tr_state_fields_hash(pin_field, PIN_FIELDS, &rig->pin[i], hash);
    /* Rigs without springs keep the hash that they had before springs existed. */
    for (int i = 0; has_springs(rig) && i < rig->pin_count; i++)
        hash = tr_state_fields_hash(spring_field, 1, &rig->pin[i], hash);
    return hash;
}

static void mirror_object(tr_rig_object *object) {
    tr_object_state *state = &object->state;
    for (int g = 0; g < object->def.geom_count; g++) {
        tr_geom *geom = &object->def.geom[g];
        geom->pos = tr_vec3_mirror(geom->pos);
        geom->rot = tr_quat_mirror(geom->rot);
    }
    *state = (tr_object_state){.pos = tr_vec3_mirror(state->pos),
                               .rot = tr_quat_mirror(state->rot),
                               .vel = tr_vec3_mirror(state->vel),
                               .omega = tr_vec3_mirror_axial(state->omega)};
}

/* An axis to turn about is mirrored as rates are, so that angles keep their signs and their range; a
 * line to move along is mirrored as places are. */
static void mirror_pin(tr_rig_pin *pin, const tr_model *model) {
    tr_pin_def *def = &pin->def;
    for (int side = 0; side < 2; side++) {
        if (pin->member[side] == TR_RIG_CHARACTER)
            def->body[side] = model->body[def->body[side]].mirror;
        def->point[side] = tr_vec3_mirror(def->point[side]);
    }
    def->axis =
        def->kind == TR_PIN_HINGE ? tr_vec3_mirror_axial(def->axis) : tr_vec3_mirror(def->axis);
    def->rest = tr_quat_mirror(def->rest);
}

tr_rig tr_rig_mirror(const tr_rig *rig, const tr_model *model) {
    tr_rig image = *rig;
    for (int i = 0; i < image.object_count; i++)
        mirror_object(&image.object[i]);
    for (int i = 0; i < image.pin_count; i++)
        mirror_pin(&image.pin[i], model);
    return image;
}

tr_status tr_rig_copy(const tr_rig *rig, tr_rig **out) {
    tr_rig *copy = rig ? malloc(sizeof *copy) : NULL;
    if (rig && !copy)
        return TR_RESOURCE_EXHAUSTED;
    if (rig)
        *copy = *rig;
    *out = copy;
    return TR_OK;
}

/* --- section --- */

/* Writes objects, each with its shapes, then pins; each run after its number (8 bytes). Then
 * springs. */
static void write_rig(const tr_rig *rig, tr_byte_writer *writer) {
    const int64_t objects = rig->object_count, pins = rig->pin_count;
    tr_byte_put(writer, &objects, sizeof objects);
    for (int i = 0; i < rig->object_count; i++) {
        const tr_rig_object *object = &rig->object[i];
        tr_state_fields_write(name_field, 1, object, writer);
        tr_state_fields_write(object_field, OBJECT_FIELDS, object, writer);
        for (int g = 0; g < object->def.geom_count; g++)
            tr_state_fields_write(geom_field, GEOM_FIELDS, &object->def.geom[g], writer);
    }
    tr_byte_put(writer, &pins, sizeof pins);
    for (int i = 0; i < rig->pin_count; i++)
        tr_state_fields_write(pin_field, PIN_FIELDS, &rig->pin[i], writer);
    for (int i = 0; has_springs(rig) && i < rig->pin_count; i++)
        tr_state_fields_write(spring_field, 1, &rig->pin[i], writer);
}

tr_status tr_rig_save(const tr_rig *rig, tr_sections *out, tr_error *error) {
    tr_byte_writer bytes = {0};
    /* A writer without room counts the bytes. */
    write_rig(rig, &bytes);
    bytes = (tr_byte_writer){.at = malloc(bytes.size)};
    if (!bytes.at)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "rig: no memory");
    write_rig(rig, &bytes);
    tr_section_writer writer = tr_section_begin(out, TR_RIG_SECTION);
    tr_section_put_bytes(&writer, bytes.at, bytes.size);
    free(bytes.at);
    return tr_section_end(&writer, error);
}

static bool read_object(tr_byte_reader *source, tr_rig_object *out) {
    bool sound = tr_state_fields_read(name_field, 1, source, out, NULL) &&
                 tr_state_fields_read(object_field, OBJECT_FIELDS, source, out, NULL);
    for (int g = 0; sound && g < out->def.geom_count; g++)
        sound = tr_state_fields_read(geom_field, GEOM_FIELDS, source, &out->def.geom[g], NULL);
    return sound;
}

static bool read_rig(tr_section_reader *reader, tr_rig *out) {
    tr_byte_reader *source = &reader->source;
    bool sound = true;
    out->object_count = (int)tr_section_get_int(reader, 1, TR_RIG_OBJECT_MAX);
    for (int i = 0; sound && i < out->object_count; i++)
        sound = read_object(source, &out->object[i]);
    out->pin_count = (int)tr_section_get_int(reader, 0, TR_RIG_PIN_MAX);
    for (int i = 0; sound && i < out->pin_count; i++)
        sound = tr_state_fields_read(pin_field, PIN_FIELDS, source, &out->pin[i], NULL);
    /* Sections without springs end here. */
    const bool more = sound && source->left > 0;
    for (int i = 0; sound && more && i < out->pin_count; i++)
        sound = tr_state_fields_read(spring_field, 1, source, &out->pin[i], NULL);
    return sound;
}

tr_status tr_rig_load(const tr_sections *in, tr_rig **out, tr_error *error) {
    *out = NULL;
    if (!tr_sections_find(in, TR_RIG_SECTION))
        return TR_OK;
    tr_rig *rig = calloc(1, sizeof *rig);
    if (!rig)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "rig: no memory");
    tr_section_reader reader = tr_section_open(in, TR_RIG_SECTION);
    if (!read_rig(&reader, rig))
        reader.source.failed = true;
    tr_status status = tr_section_close(&reader, error);
    return TR_GIVE(status, rig, free, out);
}

/* --- in a world --- */

tr_rig_place tr_rig_place_under(const tr_state *state) {
    tr_vec3 root = state->pose.root_pos;
    return (tr_rig_place){tr_quat_heading(state->pose.root_rot), {root.x, root.y, 0}};
}

static tr_object_state place_object(const tr_object_state *state, const tr_rig_place *place) {
    tr_quat turn = tr_quat_from_heading(place->heading_rad);
    return (tr_object_state){.pos = tr_vec3_add(tr_quat_rotate(turn, state->pos), place->pos),
                             .rot = tr_quat_mul(turn, state->rot),
                             .vel = tr_quat_rotate(turn, state->vel),
                             .omega = tr_quat_rotate(turn, state->omega)};
}

static tr_status add_object(const tr_rig_object *object, tr_world *world, const tr_rig_place *place,
                            tr_rig_pieces *pieces) {
    tr_object_state state = place_object(&object->state, place);
    tr_status status =
        tr_world_add_object(world, &object->def, &state, &pieces->object[pieces->count]);
    pieces->count += !status;
    return status;
}

/* Adds the pins. missing: only those of which the world has none alike. */
static tr_status add_pins(const tr_rig *rig, tr_world *world, tr_entity_id character,
                          const tr_rig_pieces *pieces, bool missing) {
    tr_status status = TR_OK;
    for (int i = 0; i < rig->pin_count && !status; i++) {
        tr_pin_def def = rig->pin[i].def;
        for (int side = 0; side < 2; side++)
            def.entity[side] = rig->pin[i].member[side] == TR_RIG_CHARACTER
                                   ? character
                                   : pieces->object[rig->pin[i].member[side]];
        tr_entity_id id;
        if (!missing || !tr_world_has_pin(world, &def))
            status = tr_world_add_pin(world, &def, &id);
    }
    return status;
}

tr_status tr_rig_spawn(const tr_rig *rig, tr_world *world, tr_entity_id character,
                       const tr_rig_place *place, tr_rig_pieces *out) {
    tr_rig_pieces pieces = {0};
    tr_status status = TR_OK;
    for (int i = 0; rig && !status && i < rig->object_count; i++)
        status = add_object(&rig->object[i], world, place, &pieces);
    if (rig && !status)
        status = add_pins(rig, world, character, &pieces, false);
    if (status) {
        tr_rig_despawn(&pieces, world);
        return status;
    }
    if (rig)
        pieces.rig = tr_rig_hash(rig, TR_HASH_START);
    *out = pieces;
    return TR_OK;
}

void tr_rig_despawn(const tr_rig_pieces *pieces, tr_world *world) {
    for (int i = 0; i < pieces->count; i++)
        (void)!tr_world_remove_object(world, pieces->object[i]);
}

tr_status tr_rig_put(const tr_rig *rig, const tr_rig_pieces *pieces, tr_world *world,
                     tr_entity_id character, const tr_rig_place *place) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < pieces->count; i++) {
        tr_object_state state = place_object(&rig->object[i].state, place);
        status = tr_world_set_object(world, pieces->object[i], &state);
    }
    return rig && !status ? add_pins(rig, world, character, pieces, true) : status;
}

tr_status tr_rig_look(const tr_rig_pieces *pieces, const tr_world *world, tr_object_state *out) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < pieces->count; i++)
        status = tr_world_get_object(world, pieces->object[i], &out[i]);
    return status;
}

bool tr_rig_pieces_fit(const tr_rig_pieces *pieces, const tr_rig *rig) {
    return !rig ||
           (pieces->count == rig->object_count && pieces->rig == tr_rig_hash(rig, TR_HASH_START));
}
