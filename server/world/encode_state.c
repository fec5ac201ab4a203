#include "server/world/encode.h"

#include "model/inertia.h"

#include "proto/quantise.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- memory for one message: everything in one block, sized before --- */

typedef struct arena {
    uint8_t *block;
    size_t used, capacity;
} arena;

static size_t aligned(size_t size) {
    return (size + 15) & ~(size_t)15;
}

static void *take(arena *a, size_t size) {
    void *memory = a->block + a->used;
    a->used += aligned(size);
    assert(a->used <= a->capacity);
    return memory;
}

enum {
    CHARACTER_FLOATS = 3 + 4 + 3 + 3,
    QUANTISED_FLOATS = 4 * TR_QUANTISED_SIZE / sizeof(float), /* of four arrays */
    BODY_FLOATS = 4 + 3 + 3 + 4 + QUANTISED_FLOATS,
    OBJECT_FLOATS = 3 + 4 + 3 + 3,
    CONTACT_FLOATS = 9,
    PUSH_FLOATS = 6,
    ARRAYS_MAX = 14 /* per element: each may lose 15 bytes to alignment */
};

static size_t element_size(size_t message_size, size_t floats) {
    return aligned(sizeof(void *)) + aligned(message_size) + floats * sizeof(float) +
           16 * ARRAYS_MAX;
}

/* --- numbers --- */

static void put_vec3(float *out, tr_vec3 v) {
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

static void put_quat(float *out, tr_quat q) {
    out[0] = (float)q.w, out[1] = (float)q.x, out[2] = (float)q.y, out[3] = (float)q.z;
}

static float *vec3_array(arena *a, tr_vec3 v, size_t *out_count) {
    float *array = take(a, 3 * sizeof(float));
    put_vec3(array, v);
    *out_count = 3;
    return array;
}

static float *quat_array(arena *a, tr_quat q, size_t *out_count) {
    float *array = take(a, 4 * sizeof(float));
    put_quat(array, q);
    *out_count = 4;
    return array;
}

/* --- characters --- */

static uint8_t *take_quantised(arena *a, int bodies, ProtobufCBinaryData *out) {
    out->len = (size_t)bodies * TR_QUANTISED_SIZE;
    out->data = take(a, out->len);
    return out->data;
}

static void quantise_rotations(arena *a, const float *rot, int bodies, ProtobufCBinaryData *out) {
    uint8_t *bytes = take_quantised(a, bodies, out);
    for (int i = 0; i < bodies; i++)
        tr_quantise_rotation(rot + 4 * i, bytes + TR_QUANTISED_SIZE * i);
}

static void quantise_vectors(arena *a, const float *v, const float *from, float unit, int bodies,
                             ProtobufCBinaryData *out) {
    uint8_t *bytes = take_quantised(a, bodies, out);
    for (int i = 0; i < bodies; i++) {
        float moved[3] = {v[3 * i] - from[0], v[3 * i + 1] - from[1], v[3 * i + 2] - from[2]};
        tr_quantise_vector(moved, unit, bytes + TR_QUANTISED_SIZE * i);
    }
}

/* The arrays over bodies that are there move into their quantised fields. */
static void quantise(arena *a, Troupe__CharacterState *out, int bodies) {
    static const float zero[3] = {0, 0, 0};
    if (out->n_joint_rot > 0)
        quantise_rotations(a, out->joint_rot, bodies, &out->joint_rot_q);
    if (out->n_joint_rate > 0)
        quantise_vectors(a, out->joint_rate, zero, TR_QUANTISED_RATE_RAD_S, bodies,
                         &out->joint_rate_q);
    if (out->n_body_pos > 0)
        quantise_vectors(a, out->body_pos, out->root_pos, TR_QUANTISED_POSITION_M, bodies,
                         &out->body_pos_q);
    if (out->n_body_rot > 0)
        quantise_rotations(a, out->body_rot, bodies, &out->body_rot_q);
    out->n_joint_rot = out->n_joint_rate = out->n_body_pos = out->n_body_rot = 0;
}

static void put_joints(arena *a, Troupe__CharacterState *out, const tr_state *state, int bodies) {
    out->n_joint_rot = (size_t)bodies * 4;
    out->joint_rot = take(a, out->n_joint_rot * sizeof(float));
    put_quat(out->joint_rot, (tr_quat){1, 0, 0, 0});
    for (int i = 1; i < bodies; i++)
        put_quat(out->joint_rot + 4 * i, state->pose.joint[i]);
}

static void put_velocities(arena *a, Troupe__CharacterState *out, const tr_state *state,
                           int bodies) {
    out->root_vel = vec3_array(a, state->root_vel, &out->n_root_vel);
    out->root_omega = vec3_array(a, state->root_omega, &out->n_root_omega);
    out->n_joint_rate = (size_t)bodies * 3;
    out->joint_rate = take(a, out->n_joint_rate * sizeof(float));
    put_vec3(out->joint_rate, (tr_vec3){0, 0, 0});
    for (int i = 1; i < bodies; i++)
        put_vec3(out->joint_rate + 3 * i, state->joint_rate[i]);
}

static void put_bodies(arena *a, Troupe__CharacterState *out, const tr_model *model,
                       const tr_body_state *bodies) {
    out->n_body_pos = (size_t)model->body_count * 3;
    out->n_body_rot = (size_t)model->body_count * 4;
    out->body_pos = take(a, out->n_body_pos * sizeof(float));
    out->body_rot = take(a, out->n_body_rot * sizeof(float));
    for (int i = 0; i < model->body_count; i++) {
        put_vec3(out->body_pos + 3 * i, tr_body_origin(model, i, &bodies[i]));
        put_quat(out->body_rot + 4 * i, bodies[i].rot);
    }
}

static void put_performer(Troupe__CharacterState *out, const tr_performer *performer) {
    if (performer == NULL)
        return;
    const tr_runner *runner = &performer->runner;
    if (runner->controller != NULL)
        out->controller = tr_wire_text(runner->controller->name);
    if (performer->next != NULL)
        out->next_controller = tr_wire_text(performer->next->name);
    out->fragment = (uint32_t)runner->fragment;
    out->mirrored = runner->mirrored;
    out->ended = runner->ended;
    out->fragments_done = (uint64_t)runner->fragments_done;
    out->fallen = performer->fallen;
    out->limp = performer->limp;
}

static bool is_among(tr_entity_id id, const tr_entity_id *ids, int count) {
    for (int i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}

/* What is being written, and from what. */
typedef struct scene {
    arena memory;
    const tr_world_loop *loop;
    const tr_world *world;
    uint32_t fields;
    int character_count, object_count, contact_count, fault_count, scenery_count, push_count;
    tr_entity_id character[TR_CHARACTER_MAX], object[TR_OBJECT_MAX];
    tr_entity_id fault[TR_CHARACTER_MAX + TR_OBJECT_MAX];
    const tr_contact *contact;
    uint32_t scenery[TR_SCENERY_MAX];
    tr_push push[TR_PUSH_MAX];
} scene;

static Troupe__CharacterState *character_state(scene *s, tr_entity_id id) {
    Troupe__CharacterState *out = take(&s->memory, sizeof *out);
    troupe__character_state__init(out);
    const tr_model *model = tr_world_character_model(s->world, id);
    tr_state state;
    if (model == NULL || tr_world_get_state(s->world, id, &state) != TR_OK)
        return out;
    out->entity = id;
    out->label = tr_wire_text(tr_world_loop_label(s->loop, id));
    out->model = tr_wire_text(tr_cast_model_name(&s->loop->cast, model));
    out->frozen = is_among(id, s->fault, s->fault_count);
    put_performer(out, tr_stage_performer(s->loop->stage, id));
    out->root_pos = vec3_array(&s->memory, state.pose.root_pos, &out->n_root_pos);
    out->root_rot = quat_array(&s->memory, state.pose.root_rot, &out->n_root_rot);
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_JOINTS)
        put_joints(&s->memory, out, &state, model->body_count);
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_VELOCITIES)
        put_velocities(&s->memory, out, &state, model->body_count);
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_BODIES)
        put_bodies(&s->memory, out, model, tr_world_bodies(s->world, id));
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_QUANTISED)
        quantise(&s->memory, out, model->body_count);
    return out;
}

/* --- shapes --- */

static Troupe__Vec3 *vec3_message(arena *a, tr_vec3 v) {
    Troupe__Vec3 *out = take(a, sizeof *out);
    troupe__vec3__init(out);
    out->x = v.x, out->y = v.y, out->z = v.z;
    return out;
}

static Troupe__Quat *quat_message(arena *a, tr_quat q) {
    Troupe__Quat *out = take(a, sizeof *out);
    troupe__quat__init(out);
    out->w = q.w, out->x = q.x, out->y = q.y, out->z = q.z;
    return out;
}

static Troupe__Geom *geom_message(arena *a, const tr_geom *geom, tr_vec3 com) {
    static const Troupe__GeomKind kinds[] = {
        [TR_GEOM_SPHERE] = TROUPE__GEOM_KIND__GEOM_KIND_SPHERE,
        [TR_GEOM_CAPSULE] = TROUPE__GEOM_KIND__GEOM_KIND_CAPSULE,
        [TR_GEOM_BOX] = TROUPE__GEOM_KIND__GEOM_KIND_BOX,
    };
    Troupe__Geom *out = take(a, sizeof *out);
    troupe__geom__init(out);
    out->kind = kinds[geom->kind];
    out->size = vec3_message(a, geom->size);
    out->pos = vec3_message(a, tr_vec3_sub(geom->pos, com));
    out->rot = quat_message(a, geom->rot);
    out->friction = geom->friction;
    return out;
}

/* Shapes are drawn where the state tells the centre of mass, from which they are therefore told. */
static void put_geoms(arena *a, Troupe__ObjectState *out, const tr_object_def *def) {
    tr_vec3 com = {0, 0, 0};
    double volume = 0;
    for (int i = 0; i < def->geom_count; i++)
        volume += tr_geom_volume(&def->geom[i]);
    for (int i = 0; i < def->geom_count; i++)
        com = tr_vec3_add_scaled(com, tr_geom_volume(&def->geom[i]) / volume, def->geom[i].pos);
    out->n_geoms = (size_t)def->geom_count;
    out->geoms = take(a, out->n_geoms * sizeof(void *));
    for (int i = 0; i < def->geom_count; i++)
        out->geoms[i] = geom_message(a, &def->geom[i], com);
}

static Troupe__Scenery *scenery_message(arena *a, const tr_scenery_def *def) {
    Troupe__Scenery *out = take(a, sizeof *out);
    troupe__scenery__init(out);
    out->patch = def->kind == TR_SCENERY_PATCH;
    out->size = vec3_message(a, def->size);
    out->pos = vec3_message(a, def->pos);
    out->rot = quat_message(a, def->rot);
    out->friction = def->friction;
    return out;
}

/* --- objects, contacts and pushes --- */

static Troupe__ObjectState *object_state(scene *s, tr_entity_id id) {
    Troupe__ObjectState *out = take(&s->memory, sizeof *out);
    troupe__object_state__init(out);
    tr_object_state state;
    const tr_object_def *def = tr_world_object_def(s->world, id);
    if (def == NULL || tr_world_get_object(s->world, id, &state) != TR_OK)
        return out;
    out->entity = id;
    out->name = tr_wire_text(def->name);
    out->frozen = is_among(id, s->fault, s->fault_count);
    out->pos = vec3_array(&s->memory, state.pos, &out->n_pos);
    out->rot = quat_array(&s->memory, state.rot, &out->n_rot);
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_VELOCITIES) {
        out->vel = vec3_array(&s->memory, state.vel, &out->n_vel);
        out->omega = vec3_array(&s->memory, state.omega, &out->n_omega);
    }
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_SHAPES)
        put_geoms(&s->memory, out, def);
    return out;
}

static Troupe__ContactState *contact_state(scene *s, const tr_contact *contact) {
    Troupe__ContactState *out = take(&s->memory, sizeof *out);
    troupe__contact_state__init(out);
    out->entity0 = contact->entity[0], out->entity1 = contact->entity[1];
    out->body0 = contact->body[0], out->body1 = contact->body[1];
    out->pos = vec3_array(&s->memory, contact->pos, &out->n_pos);
    out->normal = vec3_array(&s->memory, contact->normal, &out->n_normal);
    out->impulse = vec3_array(&s->memory, contact->impulse, &out->n_impulse);
    out->depth = (float)contact->depth;
    return out;
}

/* Where a body has its centre of mass, and how it is turned. */
static void find_body(const scene *s, const tr_push *push, tr_vec3 *out_com, tr_quat *out_rot) {
    const tr_body_state *bodies = tr_world_bodies(s->world, push->entity);
    tr_object_state object = {.rot = {1, 0, 0, 0}};
    if (bodies != NULL) {
        *out_com = bodies[push->body].com_pos, *out_rot = bodies[push->body].rot;
        return;
    }
    if (tr_world_get_object(s->world, push->entity, &object) != TR_OK)
        object.rot = (tr_quat){1, 0, 0, 0};
    *out_com = object.pos, *out_rot = object.rot;
}

static Troupe__PushState *push_state(scene *s, const tr_push *push) {
    Troupe__PushState *out = take(&s->memory, sizeof *out);
    troupe__push_state__init(out);
    tr_vec3 com;
    tr_quat rot;
    find_body(s, push, &com, &rot);
    tr_vec3 pos = tr_vec3_add(com, tr_quat_rotate(rot, push->point));
    out->entity = push->entity;
    out->body = push->body;
    out->pos = vec3_array(&s->memory, pos, &out->n_pos);
    out->force = vec3_array(&s->memory, push->force, &out->n_force);
    out->remaining_s = push->steps * tr_world_definition(s->world)->step_s;
    return out;
}

/* --- the whole --- */

static void survey(scene *s) {
    s->character_count = tr_world_characters(s->world, s->character, TR_CHARACTER_MAX);
    s->fault_count = tr_world_faults(s->world, s->fault, TR_CHARACTER_MAX + TR_OBJECT_MAX);
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_OBJECTS)
        s->object_count = tr_world_objects(s->world, s->object, TR_OBJECT_MAX);
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_CONTACTS)
        s->contact = tr_world_contacts(s->world, &s->contact_count);
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_SHAPES)
        s->scenery_count = tr_world_scenery(s->world, s->scenery, TR_SCENERY_MAX);
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_PUSHES)
        s->push_count = tr_world_pushes(s->world, s->push, TR_PUSH_MAX);
}

/* A shape: its pointer, itself, and three vectors. */
static size_t shape_size(size_t message_size) {
    return 2 * aligned(sizeof(void *)) + aligned(message_size) + 3 * aligned(sizeof(Troupe__Quat));
}

static size_t memory_needed(const scene *s) {
    size_t character =
        element_size(sizeof(Troupe__CharacterState), CHARACTER_FLOATS + BODY_FLOATS * TR_BODY_MAX);
    size_t geoms =
        (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_SHAPES)
            ? (size_t)s->object_count * TR_OBJECT_GEOM_MAX * shape_size(sizeof(Troupe__Geom))
            : 0;
    return (size_t)s->character_count * character +
           (size_t)s->object_count * element_size(sizeof(Troupe__ObjectState), OBJECT_FLOATS) +
           (size_t)s->contact_count * element_size(sizeof(Troupe__ContactState), CONTACT_FLOATS) +
           (size_t)s->push_count * element_size(sizeof(Troupe__PushState), PUSH_FLOATS) +
           (size_t)s->scenery_count * shape_size(sizeof(Troupe__Scenery)) + geoms + 256;
}

static void fill(scene *s, Troupe__WorldState *out) {
    arena *a = &s->memory;
    out->n_characters = (size_t)s->character_count;
    out->characters = take(a, out->n_characters * sizeof(void *));
    for (int i = 0; i < s->character_count; i++)
        out->characters[i] = character_state(s, s->character[i]);
    out->n_objects = (size_t)s->object_count;
    out->objects = take(a, out->n_objects * sizeof(void *));
    for (int i = 0; i < s->object_count; i++)
        out->objects[i] = object_state(s, s->object[i]);
    out->n_contacts = (size_t)s->contact_count;
    out->contacts = take(a, out->n_contacts * sizeof(void *));
    for (int i = 0; i < s->contact_count; i++)
        out->contacts[i] = contact_state(s, &s->contact[i]);
    out->n_scenery = (size_t)s->scenery_count;
    out->scenery = take(a, out->n_scenery * sizeof(void *));
    for (int i = 0; i < s->scenery_count; i++)
        out->scenery[i] = scenery_message(a, tr_world_scenery_def(s->world, s->scenery[i]));
    out->n_pushes = (size_t)s->push_count;
    out->pushes = take(a, out->n_pushes * sizeof(void *));
    for (int i = 0; i < s->push_count; i++)
        out->pushes[i] = push_state(s, &s->push[i]);
}

static void put_head(const scene *s, Troupe__WorldState *out) {
    out->world = s->loop->id;
    out->epoch = s->loop->epoch;
    out->tick = tr_world_tick(s->world);
    out->time_s = tr_world_time_s(s->world);
    out->dropped_ticks = (uint64_t)s->loop->pace.dropped_steps;
    out->lateness_s = (double)s->loop->lateness_ns * 1e-9;
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_HASH)
        out->hash = tr_stage_hash(s->loop->stage);
    if (s->fields & TROUPE__STATE_FIELD__STATE_FIELD_SHAPES)
        out->no_ground = !tr_world_definition(s->world)->ground;
}

tr_status tr_encode_state(const tr_world_loop *loop, uint32_t fields, tr_packet **out) {
    scene s = {.loop = loop, .world = tr_stage_world_const(loop->stage), .fields = fields};
    if (fields == 0)
        s.fields =
            TROUPE__STATE_FIELD__STATE_FIELD_JOINTS | TROUPE__STATE_FIELD__STATE_FIELD_OBJECTS;
    survey(&s);
    s.memory.capacity = memory_needed(&s);
    s.memory.block = malloc(s.memory.capacity);
    if (s.memory.block == NULL)
        return TR_RESOURCE_EXHAUSTED;
    Troupe__WorldState message = TROUPE__WORLD_STATE__INIT;
    put_head(&s, &message);
    fill(&s, &message);
    size_t size = troupe__world_state__get_packed_size(&message);
    tr_packet *packet = size <= TR_FRAME_SERVER_MAX - 64 ? tr_packet_create(size) : NULL;
    if (packet != NULL)
        troupe__world_state__pack(&message, packet->bytes);
    free(s.memory.block);
    if (packet == NULL)
        return size > TR_FRAME_SERVER_MAX - 64 ? TR_OUT_OF_RANGE : TR_RESOURCE_EXHAUSTED;
    *out = packet;
    return TR_OK;
}
