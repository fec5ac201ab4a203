/* The state of a world as the bytes of a WorldState (state.proto), written directly from the stage,
 * without building a message. Fields are written in descending order, lists from their last element
 * (wire_writer.h). */
#include "server/world/encode.h"

#include "model/inertia.h"
#include "proto/frame.h"
#include "proto/quantise.h"
#include "server/net/wire_writer.h"
#include "server/world/pack_pose.h"

#include <stdlib.h>
#include <string.h>

/* The writer, and the data it writes. */
typedef struct scene {
    tr_wire_writer out;
    const tr_world_loop *loop;
    const tr_world *world;
    uint32_t fields;
    int fault_count;
    tr_entity_id fault[TR_CHARACTER_MAX + TR_OBJECT_MAX];
} scene;

static bool wants(const scene *s, Troupe__StateField field) {
    return (s->fields & (uint32_t)field) != 0;
}

static bool is_frozen(const scene *s, tr_entity_id id) {
    for (int i = 0; i < s->fault_count; i++)
        if (s->fault[i] == id)
            return true;
    return false;
}

/* --- vectors --- */

static void set_vec3(float *out, tr_vec3 v) {
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

static void set_quat(float *out, tr_quat q) {
    out[0] = (float)q.w, out[1] = (float)q.x, out[2] = (float)q.y, out[3] = (float)q.z;
}

static void put_vec3(scene *s, unsigned field, tr_vec3 v) {
    float values[3];
    set_vec3(values, v);
    tr_wire_put_floats(&s->out, field, values, 3);
}

static void put_quat(scene *s, unsigned field, tr_quat q) {
    float values[4];
    set_quat(values, q);
    tr_wire_put_floats(&s->out, field, values, 4);
}

/* A Vec3 or a Quat, in doubles. */
static void put_doubles(scene *s, unsigned field, const double *values, unsigned count) {
    size_t mark = tr_wire_mark(&s->out);
    for (unsigned i = count; i > 0; i--)
        tr_wire_put_double(&s->out, i, values[i - 1]);
    tr_wire_wrap(&s->out, field, mark);
}

/* --- characters --- */

enum {
    CHARACTER_ENTITY = 1,
    CHARACTER_LABEL,
    CHARACTER_MODEL,
    CHARACTER_CONTROLLER,
    CHARACTER_NEXT_CONTROLLER,
    CHARACTER_FRAGMENT,
    CHARACTER_MIRRORED,
    CHARACTER_ENDED,
    CHARACTER_FALLEN,
    CHARACTER_LIMP,
    CHARACTER_FROZEN,
    CHARACTER_FRAGMENTS_DONE,
    CHARACTER_ROOT_POS,
    CHARACTER_ROOT_ROT,
    CHARACTER_JOINT_ROT,
    CHARACTER_ROOT_VEL,
    CHARACTER_ROOT_OMEGA,
    CHARACTER_JOINT_RATE,
    CHARACTER_BODY_POS,
    CHARACTER_BODY_ROT,
    CHARACTER_JOINT_ROT_Q,
    CHARACTER_JOINT_RATE_Q,
    CHARACTER_BODY_POS_Q,
    CHARACTER_BODY_ROT_Q,
    CHARACTER_JOINT_TORQUE,
    CHARACTER_DOING,
    CHARACTER_PHASE,
    CHARACTER_CHOICES,
    CHARACTER_OUT_OF_SEQUENCE,
    CHARACTER_FELT_FORCE,
    CHARACTER_LEARNED_FORCE,
    CHARACTER_MAP_AT,
    CHARACTER_SKILL_IN_S,
    CHARACTER_WAY,
    CHARACTER_SHOWN,
    CHARACTER_GROUND = 37,
    CHARACTER_POSE
};

enum { CHOICE_FRAGMENT = 1, CHOICE_MIRRORED, CHOICE_VALUE };

/* Arrays over the bodies of a character. */
typedef struct body_arrays {
    int count; /* of bodies */
    float joint_rot[4 * TR_BODY_MAX], joint_rate[3 * TR_BODY_MAX];
    float body_pos[3 * TR_BODY_MAX], body_rot[4 * TR_BODY_MAX];
} body_arrays;

static void fill_arrays(const scene *s, tr_entity_id id, const tr_model *model,
                        const tr_state *state, body_arrays *out) {
    const tr_body_state *bodies = tr_world_bodies(s->world, id);
    out->count = model->body_count;
    for (int i = 0; i < model->body_count; i++) {
        set_quat(out->joint_rot + 4 * i, i == 0 ? (tr_quat){1, 0, 0, 0} : state->pose.joint[i]);
        set_vec3(out->joint_rate + 3 * i, i == 0 ? (tr_vec3){0, 0, 0} : state->joint_rate[i]);
        set_vec3(out->body_pos + 3 * i, tr_body_origin(model, i, &bodies[i]));
        set_quat(out->body_rot + 4 * i, bodies[i].rot);
    }
}

static void put_arrays(scene *s, const body_arrays *a) {
    size_t count = (size_t)a->count;
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_BODIES)) {
        tr_wire_put_floats(&s->out, CHARACTER_BODY_ROT, a->body_rot, 4 * count);
        tr_wire_put_floats(&s->out, CHARACTER_BODY_POS, a->body_pos, 3 * count);
    }
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_VELOCITIES))
        tr_wire_put_floats(&s->out, CHARACTER_JOINT_RATE, a->joint_rate, 3 * count);
}

static void put_quantised_rotations(scene *s, unsigned field, const float *rot, int count) {
    uint8_t bytes[TR_BODY_MAX * TR_QUANTISED_SIZE];
    for (int i = 0; i < count; i++)
        tr_quantise_rotation(rot + 4 * i, bytes + TR_QUANTISED_SIZE * i);
    tr_wire_put_bytes(&s->out, field, bytes, (size_t)count * TR_QUANTISED_SIZE);
}

static void put_quantised_vectors(scene *s, unsigned field, const float *v, const float from[3],
                                  float unit, int count) {
    uint8_t bytes[TR_BODY_MAX * TR_QUANTISED_SIZE];
    for (int i = 0; i < count; i++) {
        float moved[3] = {v[3 * i] - from[0], v[3 * i + 1] - from[1], v[3 * i + 2] - from[2]};
        tr_quantise_vector(moved, unit, bytes + TR_QUANTISED_SIZE * i);
    }
    tr_wire_put_bytes(&s->out, field, bytes, (size_t)count * TR_QUANTISED_SIZE);
}

static void put_quantised_arrays(scene *s, const body_arrays *a, tr_vec3 root_pos) {
    static const float zero[3] = {0, 0, 0};
    float root[3];
    set_vec3(root, root_pos);
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_BODIES)) {
        put_quantised_rotations(s, CHARACTER_BODY_ROT_Q, a->body_rot, a->count);
        put_quantised_vectors(s, CHARACTER_BODY_POS_Q, a->body_pos, root, TR_QUANTISED_POSITION_M,
                              a->count);
    }
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_VELOCITIES))
        put_quantised_vectors(s, CHARACTER_JOINT_RATE_Q, a->joint_rate, zero,
                              TR_QUANTISED_RATE_RAD_S, a->count);
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_JOINTS))
        put_quantised_rotations(s, CHARACTER_JOINT_ROT_Q, a->joint_rot, a->count);
}

static void put_torques(scene *s, tr_entity_id id, const tr_model *model) {
    const tr_vec3 *torque = tr_world_servo_torques(s->world, id);
    float values[3 * TR_BODY_MAX];
    for (int i = 0; i < model->body_count; i++)
        set_vec3(values + 3 * i, i == 0 ? (tr_vec3){0, 0, 0} : torque[i]);
    tr_wire_put_floats(&s->out, CHARACTER_JOINT_TORQUE, values, 3 * (size_t)model->body_count);
}

static void put_motion(scene *s, tr_entity_id id, const tr_model *model, const tr_state *state) {
    bool quantised = wants(s, TROUPE__STATE_FIELD__STATE_FIELD_QUANTISED);
    body_arrays arrays;
    fill_arrays(s, id, model, state, &arrays);
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_TORQUES))
        put_torques(s, id, model);
    if (quantised)
        put_quantised_arrays(s, &arrays, state->pose.root_pos);
    else
        put_arrays(s, &arrays);
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_VELOCITIES)) {
        put_vec3(s, CHARACTER_ROOT_OMEGA, state->root_omega);
        put_vec3(s, CHARACTER_ROOT_VEL, state->root_vel);
    }
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_JOINTS) && !quantised)
        tr_wire_put_floats(&s->out, CHARACTER_JOINT_ROT, arrays.joint_rot,
                           4 * (size_t)arrays.count);
    put_quat(s, CHARACTER_ROOT_ROT, state->pose.root_rot);
    put_vec3(s, CHARACTER_ROOT_POS, state->pose.root_pos);
}

static tr_doing doing_of(const scene *s, tr_entity_id id) {
    const tr_performer *performer = tr_stage_performer(s->loop->stage, id);
    tr_doing doing = {.text = ""};
    if (performer)
        tr_runner_look(&performer->runner, &doing);
    return doing;
}

/* The choices that a scheduler compared. */
static void put_choices(scene *s, const tr_doing *doing) {
    for (int i = doing->choice_count - 1; i >= 0; i--) {
        const tr_driver_choice *choice = &doing->choice[i];
        size_t mark = tr_wire_mark(&s->out);
        tr_wire_put_float(&s->out, CHOICE_VALUE, (float)choice->value);
        tr_wire_put_uint(&s->out, CHOICE_MIRRORED, choice->mirrored);
        tr_wire_put_uint(&s->out, CHOICE_FRAGMENT, (uint32_t)choice->entry);
        tr_wire_wrap(&s->out, CHARACTER_CHOICES, mark);
    }
}

/* Values of a kind's own that have a field of their own, since they are older than `shown`. */
static const struct {
    const char *name;
    unsigned field;
} own_fields[] = {{"map_at", CHARACTER_MAP_AT},
                  {"learned_force", CHARACTER_LEARNED_FORCE},
                  {"felt_force", CHARACTER_FELT_FORCE}};
enum { OWN_FIELD_COUNT = sizeof own_fields / sizeof own_fields[0] };

static void put_value(scene *s, unsigned field, const tr_driver_shown *shown) {
    float value[3];
    for (int i = 0; i < shown->count; i++)
        value[i] = (float)shown->value[i];
    tr_wire_put_floats(&s->out, field, value, (size_t)shown->count);
}

static bool has_own_field(const char *name) {
    for (int i = 0; i < OWN_FIELD_COUNT; i++)
        if (strcmp(own_fields[i].name, name) == 0)
            return true;
    return false;
}

/* All other values, with name and unit. */
static void put_shown(scene *s, const tr_doing *doing) {
    enum { NAME = 1, UNIT, VALUE };
    for (int i = doing->shown_count - 1; i >= 0; i--) {
        const tr_driver_shown *shown = &doing->shown[i];
        size_t mark = tr_wire_mark(&s->out);
        if (has_own_field(shown->name))
            continue;
        put_value(s, VALUE, shown);
        tr_wire_put_text(&s->out, UNIT, shown->unit);
        tr_wire_put_text(&s->out, NAME, shown->name);
        tr_wire_wrap(&s->out, CHARACTER_SHOWN, mark);
    }
}

/* The way to the skill that its steering target names. */
static void put_way(scene *s, tr_entity_id id) {
    const tr_performer *performer = tr_stage_performer(s->loop->stage, id);
    tr_driver_way way;
    const tr_vec3 normal = tr_world_local_ground(s->world, id).normal;
    if (!performer ||
        !tr_runner_foresee(&performer->runner, &performer->runner.target, normal, &way))
        return;
    for (int i = way.count - 1; i >= 0; i--)
        tr_wire_put_text(&s->out, CHARACTER_WAY, way.skill[i]);
    tr_wire_put_float(&s->out, CHARACTER_SKILL_IN_S, (float)way.time_s);
}

/* What it does, in words, what it chose that from, and values of its own. */
static void put_doing(scene *s, const tr_doing *doing) {
    for (int i = 0; i < OWN_FIELD_COUNT; i++) {
        const tr_driver_shown *shown = tr_doing_find(doing, own_fields[i].name);
        if (shown)
            put_value(s, own_fields[i].field, shown);
    }
    tr_wire_put_uint(&s->out, CHARACTER_OUT_OF_SEQUENCE, doing->out_of_sequence);
    put_choices(s, doing);
    tr_wire_put_float(&s->out, CHARACTER_PHASE, (float)doing->phase);
    tr_wire_put_text(&s->out, CHARACTER_DOING, doing->text);
}

static void put_condition(scene *s, tr_entity_id id, const tr_performer *performer) {
    tr_wire_put_uint(&s->out, CHARACTER_FROZEN, is_frozen(s, id));
    tr_wire_put_uint(&s->out, CHARACTER_LIMP, performer->limp);
    tr_wire_put_uint(&s->out, CHARACTER_FALLEN, performer->fallen);
}

/* The controller that drives it. */
static void put_performer(scene *s, tr_entity_id id, const tr_doing *doing) {
    const tr_performer *performer = tr_stage_performer(s->loop->stage, id);
    tr_wire_writer *out = &s->out;
    if (!performer)
        return;
    const tr_runner *runner = &performer->runner;
    tr_wire_put_uint(out, CHARACTER_FRAGMENTS_DONE, (uint64_t)doing->entries_done);
    put_condition(s, id, performer);
    tr_wire_put_uint(out, CHARACTER_ENDED, doing->ended);
    tr_wire_put_uint(out, CHARACTER_MIRRORED, doing->mirrored);
    tr_wire_put_uint(out, CHARACTER_FRAGMENT, (uint32_t)doing->entry);
    if (performer->next)
        tr_wire_put_text(out, CHARACTER_NEXT_CONTROLLER, performer->next->name);
    if (runner->controller)
        tr_wire_put_text(out, CHARACTER_CONTROLLER, runner->controller->name);
}

/* What a spectator needs at every state; the rest changes rarely. */
static void put_compact(scene *s, tr_entity_id id, const tr_model *model, const tr_state *state) {
    const tr_performer *performer = tr_stage_performer(s->loop->stage, id);
    uint8_t pose[TR_PACKED_POSE_MAX];
    tr_wire_put_bytes(&s->out, CHARACTER_POSE, pose, tr_pack_pose(model, &state->pose, pose));
    if (performer)
        put_condition(s, id, performer);
}

static void put_ground(scene *s, tr_entity_id id, const tr_state *state) {
    double ahead[TR_GROUND_AHEAD];
    size_t count = 0;
    float values[1 + TR_GROUND_AHEAD] = {
        (float)(state->pose.root_pos.z - tr_world_local_ground(s->world, id).height)};
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_GROUND)) {
        tr_world_ground_ahead(s->world, id, ahead);
        for (; count < TR_GROUND_AHEAD; count++)
            values[1 + count] = (float)ahead[count];
    }
    tr_wire_put_floats(&s->out, CHARACTER_GROUND, values, 1 + count);
}

/* All of it. */
static void put_whole(scene *s, tr_entity_id id, const tr_model *model, const tr_state *state) {
    tr_doing doing = doing_of(s, id);
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_GROUND) ||
        wants(s, TROUPE__STATE_FIELD__STATE_FIELD_HEIGHT))
        put_ground(s, id, state);
    put_shown(s, &doing);
    put_way(s, id);
    put_doing(s, &doing);
    put_motion(s, id, model, state);
    put_performer(s, id, &doing);
    tr_wire_put_text(&s->out, CHARACTER_MODEL, tr_cast_model_name(&s->loop->cast, model));
    tr_wire_put_text(&s->out, CHARACTER_LABEL, tr_world_loop_label(s->loop, id));
}

static void put_character(scene *s, unsigned field, tr_entity_id id) {
    size_t mark = tr_wire_mark(&s->out);
    const tr_model *model = tr_world_character_model(s->world, id);
    tr_state state;
    if (model && !tr_world_get_state(s->world, id, &state)) {
        if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_COMPACT))
            put_compact(s, id, model, &state);
        else
            put_whole(s, id, model, &state);
        tr_wire_put_uint(&s->out, CHARACTER_ENTITY, id);
    }
    tr_wire_wrap(&s->out, field, mark);
}

/* --- shapes --- */

static void put_geom(scene *s, unsigned field, const tr_geom *geom, tr_vec3 com) {
    enum { KIND = 1, SIZE, POS, ROT, FRICTION };
    static const Troupe__GeomKind kinds[] = {
        [TR_GEOM_SPHERE] = TROUPE__GEOM_KIND__GEOM_KIND_SPHERE,
        [TR_GEOM_CAPSULE] = TROUPE__GEOM_KIND__GEOM_KIND_CAPSULE,
        [TR_GEOM_BOX] = TROUPE__GEOM_KIND__GEOM_KIND_BOX,
        [TR_GEOM_CYLINDER] = TROUPE__GEOM_KIND__GEOM_KIND_CYLINDER,
    };
    const tr_vec3 pos = tr_vec3_sub(geom->pos, com);
    size_t mark = tr_wire_mark(&s->out);
    tr_wire_put_double(&s->out, FRICTION, geom->friction);
    put_doubles(s, ROT, &geom->rot.w, 4);
    put_doubles(s, POS, &pos.x, 3);
    put_doubles(s, SIZE, &geom->size.x, 3);
    tr_wire_put_uint(&s->out, KIND, (uint64_t)kinds[geom->kind]);
    tr_wire_wrap(&s->out, field, mark);
}

/* Clients draw shapes relative to the centre of mass, which is the position in the state. */
static void put_geoms(scene *s, unsigned field, const tr_object_def *def) {
    tr_vec3 com = {0, 0, 0};
    double volume = 0;
    for (int i = 0; i < def->geom_count; i++)
        volume += tr_geom_volume(&def->geom[i]);
    for (int i = 0; i < def->geom_count; i++)
        com = tr_vec3_add_scaled(com, tr_geom_volume(&def->geom[i]) / volume, def->geom[i].pos);
    for (int i = def->geom_count - 1; i >= 0; i--)
        put_geom(s, field, &def->geom[i], com);
}

static void put_heights(scene *s, unsigned field, const tr_heights_def *heights) {
    enum { COLUMNS = 1, ROWS, SPACING_M, HEIGHTS };
    size_t mark = tr_wire_mark(&s->out);
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_SURFACES))
        tr_wire_put_floats(&s->out, HEIGHTS, heights->height,
                           (size_t)heights->columns * (size_t)heights->rows);
    tr_wire_put_double(&s->out, SPACING_M, heights->spacing_m);
    tr_wire_put_uint(&s->out, ROWS, (uint64_t)heights->rows);
    tr_wire_put_uint(&s->out, COLUMNS, (uint64_t)heights->columns);
    tr_wire_wrap(&s->out, field, mark);
}

static void put_mesh(scene *s, unsigned field, const tr_mesh_def *mesh) {
    enum { VERTICES = 1, INDICES };
    size_t mark = tr_wire_mark(&s->out);
    if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_SURFACES)) {
        tr_wire_put_uints(&s->out, INDICES, mesh->index, 3 * (size_t)mesh->triangle_count);
        tr_wire_put_floats(&s->out, VERTICES, mesh->vertex, 3 * (size_t)mesh->vertex_count);
    }
    tr_wire_wrap(&s->out, field, mark);
}

static void put_surface(scene *s, const tr_surface *surface) {
    enum { HEIGHT_FIELD = 7, MESH };
    tr_heights_def heights = tr_surface_heights(surface);
    tr_mesh_def mesh = tr_surface_mesh(surface);
    if (mesh.triangle_count > 0)
        put_mesh(s, MESH, &mesh);
    else
        put_heights(s, HEIGHT_FIELD, &heights);
}

static void put_scenery(scene *s, unsigned field, uint32_t id) {
    enum { PATCH = 1, SIZE, POS, ROT, FRICTION, ID };
    const tr_scenery_def *def = tr_world_scenery_def(s->world, id);
    size_t mark = tr_wire_mark(&s->out);
    if (def->kind == TR_SCENERY_SURFACE)
        put_surface(s, def->surface);
    tr_wire_put_uint(&s->out, ID, id);
    tr_wire_put_double(&s->out, FRICTION, def->friction);
    put_doubles(s, ROT, &def->rot.w, 4);
    put_doubles(s, POS, &def->pos.x, 3);
    put_doubles(s, SIZE, &def->size.x, 3);
    tr_wire_put_uint(&s->out, PATCH, def->kind == TR_SCENERY_PATCH);
    tr_wire_wrap(&s->out, field, mark);
}

/* --- objects, contacts and pushes --- */

static void put_object(scene *s, unsigned field, tr_entity_id id) {
    enum { ENTITY = 1, NAME, POS, ROT, VEL, OMEGA, FROZEN, GEOMS, RIG_OF };
    size_t mark = tr_wire_mark(&s->out);
    const tr_object_def *def = tr_world_object_def(s->world, id);
    tr_object_state state;
    if (def && !tr_world_get_object(s->world, id, &state)) {
        tr_wire_put_uint(&s->out, RIG_OF, tr_stage_rig_owner(s->loop->stage, id));
        if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_SHAPES))
            put_geoms(s, GEOMS, def);
        tr_wire_put_uint(&s->out, FROZEN, is_frozen(s, id));
        if (wants(s, TROUPE__STATE_FIELD__STATE_FIELD_VELOCITIES)) {
            put_vec3(s, OMEGA, state.omega);
            put_vec3(s, VEL, state.vel);
        }
        put_quat(s, ROT, state.rot);
        put_vec3(s, POS, state.pos);
        tr_wire_put_text(&s->out, NAME, def->name);
        tr_wire_put_uint(&s->out, ENTITY, id);
    }
    tr_wire_wrap(&s->out, field, mark);
}

static void put_contact(scene *s, unsigned field, const tr_contact *contact) {
    enum { ENTITY0 = 1, ENTITY1, BODY0, BODY1, POS, NORMAL, DEPTH, IMPULSE };
    size_t mark = tr_wire_mark(&s->out);
    put_vec3(s, IMPULSE, contact->impulse);
    tr_wire_put_float(&s->out, DEPTH, (float)contact->depth);
    put_vec3(s, NORMAL, contact->normal);
    put_vec3(s, POS, contact->pos);
    tr_wire_put_sint(&s->out, BODY1, contact->body[1]);
    tr_wire_put_sint(&s->out, BODY0, contact->body[0]);
    tr_wire_put_uint(&s->out, ENTITY1, contact->entity[1]);
    tr_wire_put_uint(&s->out, ENTITY0, contact->entity[0]);
    tr_wire_wrap(&s->out, field, mark);
}

/* The point where a push acts, world. */
static tr_vec3 place_of(const scene *s, const tr_push *push) {
    const tr_body_state *bodies = tr_world_bodies(s->world, push->entity);
    if (bodies)
        return tr_vec3_add(bodies[push->body].com_pos,
                           tr_quat_rotate(bodies[push->body].rot, push->point));
    tr_object_state object = {.rot = {1, 0, 0, 0}};
    if (tr_world_get_object(s->world, push->entity, &object))
        object.rot = (tr_quat){1, 0, 0, 0};
    return tr_vec3_add(object.pos, tr_quat_rotate(object.rot, push->point));
}

static void put_push(scene *s, unsigned field, const tr_push *push) {
    enum { ENTITY = 1, BODY, POS, FORCE, REMAINING_S };
    size_t mark = tr_wire_mark(&s->out);
    tr_wire_put_double(&s->out, REMAINING_S, push->steps * tr_world_definition(s->world)->step_s);
    put_vec3(s, FORCE, push->force);
    put_vec3(s, POS, place_of(s, push));
    tr_wire_put_sint(&s->out, BODY, push->body);
    tr_wire_put_uint(&s->out, ENTITY, push->entity);
    tr_wire_wrap(&s->out, field, mark);
}

/* --- the whole --- */

enum {
    STATE_WORLD = 1,
    STATE_EPOCH,
    STATE_TICK,
    STATE_TIME_S,
    STATE_CHARACTERS,
    STATE_OBJECTS,
    STATE_CONTACTS,
    STATE_HASH,
    STATE_DROPPED_STATES, /* per session: added by tr_state_frame_around */
    STATE_DROPPED_TICKS,
    STATE_LATENESS_S,
    STATE_SCENERY,
    STATE_NO_GROUND,
    STATE_PUSHES,
    STATE_SNAPSHOT
};

static void put_snapshot(scene *s) {
    const tr_stage *stage = s->loop->stage;
    size_t size = tr_stage_snapshot_size(stage);
    void *bytes = malloc(size);
    if (bytes && !tr_stage_snapshot(stage, bytes, size, &size))
        tr_wire_put_bytes(&s->out, STATE_SNAPSHOT, bytes, size);
    else
        s->out.status = TR_RESOURCE_EXHAUSTED;
    free(bytes);
}

static void put_pushes(scene *s) {
    tr_push push[TR_PUSH_MAX];
    for (int i = tr_world_pushes(s->world, push, TR_PUSH_MAX) - 1; i >= 0; i--)
        put_push(s, STATE_PUSHES, &push[i]);
}

static void put_all_scenery(scene *s) {
    uint32_t scenery[TR_SCENERY_MAX];
    tr_wire_put_uint(&s->out, STATE_NO_GROUND, !tr_world_definition(s->world)->ground);
    for (int i = tr_world_scenery(s->world, scenery, TR_SCENERY_MAX) - 1; i >= 0; i--)
        put_scenery(s, STATE_SCENERY, scenery[i]);
}

static void put_contacts(scene *s) {
    int count = 0;
    const tr_contact *contact = tr_world_contacts(s->world, &count);
    for (int i = count - 1; i >= 0; i--)
        put_contact(s, STATE_CONTACTS, &contact[i]);
}

static void put_objects(scene *s) {
    tr_entity_id object[TR_OBJECT_MAX];
    for (int i = tr_world_objects(s->world, object, TR_OBJECT_MAX) - 1; i >= 0; i--)
        put_object(s, STATE_OBJECTS, object[i]);
}

tr_status tr_encode_state(const tr_world_loop *loop, uint32_t fields, tr_packet **out) {
    enum { FRAME_AROUND = 64 };
    const uint32_t by_default = (uint32_t)TROUPE__STATE_FIELD__STATE_FIELD_JOINTS |
                                (uint32_t)TROUPE__STATE_FIELD__STATE_FIELD_OBJECTS;
    scene s = {.out = tr_wire_writer_start(TR_FRAME_SERVER_MAX - FRAME_AROUND),
               .loop = loop,
               .world = tr_stage_world_const(loop->stage),
               .fields = fields == 0 ? by_default : fields};
    tr_entity_id character[TR_CHARACTER_MAX];
    int count = tr_world_characters(s.world, character, TR_CHARACTER_MAX);
    s.fault_count = tr_world_faults(s.world, s.fault, TR_CHARACTER_MAX + TR_OBJECT_MAX);
    if (wants(&s, TROUPE__STATE_FIELD__STATE_FIELD_SNAPSHOT))
        put_snapshot(&s);
    if (wants(&s, TROUPE__STATE_FIELD__STATE_FIELD_PUSHES))
        put_pushes(&s);
    if (wants(&s, TROUPE__STATE_FIELD__STATE_FIELD_SHAPES))
        put_all_scenery(&s);
    bool compact = wants(&s, TROUPE__STATE_FIELD__STATE_FIELD_COMPACT);
    tr_wire_put_double(&s.out, STATE_LATENESS_S, compact ? 0 : (double)loop->lateness_ns * 1e-9);
    tr_wire_put_uint(&s.out, STATE_DROPPED_TICKS, (uint64_t)loop->pace.dropped_steps);
    if (wants(&s, TROUPE__STATE_FIELD__STATE_FIELD_HASH))
        tr_wire_put_fixed64(&s.out, STATE_HASH, tr_stage_hash(loop->stage));
    if (wants(&s, TROUPE__STATE_FIELD__STATE_FIELD_CONTACTS))
        put_contacts(&s);
    if (wants(&s, TROUPE__STATE_FIELD__STATE_FIELD_OBJECTS))
        put_objects(&s);
    if (wants(&s, TROUPE__STATE_FIELD__STATE_FIELD_BRIEF))
        count = 0;
    for (int i = count - 1; i >= 0; i--)
        put_character(&s, STATE_CHARACTERS, character[i]);
    tr_wire_put_double(&s.out, STATE_TIME_S, compact ? 0 : tr_world_time_s(s.world));
    tr_wire_put_uint(&s.out, STATE_TICK, (uint64_t)tr_world_tick(s.world));
    tr_wire_put_uint(&s.out, STATE_EPOCH, loop->epoch);
    tr_wire_put_uint(&s.out, STATE_WORLD, loop->id);
    return tr_wire_finish(&s.out, out);
}
