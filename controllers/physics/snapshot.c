/* Snapshots: everything that determines the future, as versioned and checksummed bytes.
 *
 *     magic u32, version u32, payload size u64, FNV-1a of the payload u64, payload
 *
 * The payload is made by one function over a cursor that counts, writes or hashes, so size, bytes
 * and hash cannot disagree; snapshot_read.c reads it in the same order. Numbers are in the byte
 * order and the layout of the machine that wrote them: a snapshot is for the same build family, not
 * for exchange (a recording is). Derived things (frames, body states, boxes) are not stored but
 * made again by the functions that made them, which gives the same bits.
 *
 * A restore builds a second world beside the first, checks all of it, and exchanges the two at the
 * end, so that a hostile or broken snapshot leaves the world untouched. */
#include "math/hash.h"
#include "physics/entity.h"
#include "physics/snapshot_read.h"
#include "physics/stepper.h"

#include <stdlib.h>
#include <string.h>

/* Version 1 had no optional parts, version 2 none of shapes and pins, version 3 none of objects that
 * are carried, version 4 no springs of pins; all are still read. */
enum { MAGIC = 0x53505254 /* "TRPS" */, VERSION = 5, HEADER_SIZE = 24 };

/* --- writing --- */

typedef struct writer {
    unsigned char *out; /* NULL: only count */
    size_t size;
    uint64_t hash;
    bool hashing;
} writer;

static void put(writer *w, const void *data, size_t size) {
    if (w->out && size > 0)
        memcpy(w->out + w->size, data, size);
    if (w->hashing)
        w->hash = tr_hash_add(w->hash, data, size);
    w->size += size;
}

static void put_int(writer *w, int64_t value) {
    put(w, &value, sizeof value);
}

/* Begins a part that few entities have, and says whether it follows. A missing part does not enter
 * the hash, so that states without it keep their hash. */
static bool put_optional(writer *w, bool present) {
    if (present || !w->hashing)
        put_int(w, present);
    return present;
}

static void put_definition(writer *w, const tr_world_def *def) {
    put_int(w, def->stepper);
    put(w, &def->step_s, sizeof def->step_s);
    put(w, &def->gravity, sizeof def->gravity);
    put_int(w, def->ground);
    put(w, &def->ground_friction, sizeof(double));
    put_int(w, def->self_collision);
    put(w, &def->contact_erp, sizeof(double));
    put(w, &def->contact_cfm, sizeof(double));
    put(w, &def->contact_max_vel, sizeof(double));
    put_int(w, def->solver_iterations);
    put(w, &def->solver_tolerance, sizeof(double));
    put(w, &def->ragdoll_damping, sizeof(double));
}

static void put_state(writer *w, const tr_state *state, int bodies) {
    size_t count = (size_t)bodies;
    put(w, &state->pose.root_pos, sizeof(tr_vec3));
    put(w, &state->pose.root_rot, sizeof(tr_quat));
    put(w, &state->root_vel, sizeof(tr_vec3));
    put(w, &state->root_omega, sizeof(tr_vec3));
    put(w, state->pose.joint, count * sizeof(tr_quat));
    put(w, state->joint_rate, count * sizeof(tr_vec3));
}

static void put_pose(writer *w, const tr_pose *pose, int bodies) {
    put(w, &pose->root_pos, sizeof(tr_vec3));
    put(w, &pose->root_rot, sizeof(tr_quat));
    put(w, pose->joint + 1, (size_t)(bodies - 1) * sizeof(tr_quat));
}

static void put_stepper_extra(writer *w, const tr_world *world, const tr_character *c) {
    size_t extra = world->stepper->extra_size ? world->stepper->extra_size(world, c) : 0;
    put_int(w, (int64_t)extra);
    if (!extra)
        return;
    if (w->hashing || w->out) {
        unsigned char *bytes = w->out ? w->out + w->size : malloc(extra);
        if (bytes) {
            world->stepper->extra_save(world, c, bytes);
            if (w->hashing)
                w->hash = tr_hash_add(w->hash, bytes, extra);
        }
        if (!w->out)
            free(bytes);
    }
    w->size += extra;
}

static void put_character(writer *w, const tr_world *world, const tr_character *c) {
    size_t count = (size_t)c->model->body_count, joints = count - 1;
    put_int(w, c->id);
    put(w, &c->model->hash, sizeof c->model->hash);
    put_int(w, c->servo);
    put_int(w, c->faulted);
    put_state(w, &c->state, c->model->body_count);
    put(w, c->target, count * sizeof(tr_quat));
    put(w, c->torque, count * sizeof(tr_vec3));
    put_stepper_extra(w, world, c);
    if (put_optional(w, c->servo == TR_SERVO_VALUES)) {
        put(w, c->kp + 1, joints * sizeof(double));
        put(w, c->kd + 1, joints * sizeof(double));
    }
    if (put_optional(w, c->feedforward_steps > 0)) {
        put_int(w, c->feedforward_steps);
        put(w, c->feedforward + 1, joints * sizeof(tr_vec3));
    }
    bool raised = c->ground.height != 0 || c->ground.normal.z != 1;
    if (!w->hashing && put_optional(w, raised))
        put(w, &c->ground, sizeof c->ground);
    if (put_optional(w, c->kinematic) && put_optional(w, c->follows_goal))
        put_pose(w, &c->goal, c->model->body_count);
}

static void put_geom(writer *w, const tr_geom *geom) {
    put_int(w, geom->kind);
    put(w, &geom->size, sizeof geom->size);
    put(w, &geom->pos, sizeof geom->pos);
    put(w, &geom->rot, sizeof geom->rot);
    put(w, &geom->friction, sizeof geom->friction);
    if (put_optional(w, geom->torsional > 0 || geom->rolling > 0)) {
        put(w, &geom->torsional, sizeof(double));
        put(w, &geom->rolling, sizeof(double));
    }
}

static void put_travel(writer *w, const tr_travel *travel) {
    put(w, &travel->from, sizeof travel->from);
    put(w, &travel->to, sizeof travel->to);
    put_int(w, travel->steps);
    put_int(w, travel->made);
    put_int(w, travel->shuttle);
}

static void put_object(writer *w, const tr_object *o) {
    put_int(w, o->id);
    put_int(w, o->faulted);
    put(w, o->def.name, sizeof o->def.name);
    put(w, &o->def.density, sizeof(double));
    put(w, &o->def.mass, sizeof(double));
    put(w, &o->def.linear_damping, sizeof(double));
    put(w, &o->def.angular_damping, sizeof(double));
    put_int(w, o->def.geom_count);
    for (int g = 0; g < o->def.geom_count; g++)
        put_geom(w, &o->def.geom[g]);
    put(w, &o->state, sizeof o->state);
    if (!put_optional(w, o->kinematic))
        return;
    if (put_optional(w, o->follows_goal)) {
        put(w, &o->goal_pos, sizeof o->goal_pos);
        put(w, &o->goal_rot, sizeof o->goal_rot);
    }
    if (put_optional(w, o->travel.steps > 0))
        put_travel(w, &o->travel);
}

/* A surface by its data, or for the hash by its own. */
static void put_surface(writer *w, const tr_surface *surface) {
    tr_heights_def heights = tr_surface_heights(surface);
    tr_mesh_def mesh = tr_surface_mesh(surface);
    uint64_t hash = tr_surface_hash(surface);
    put(w, &hash, sizeof hash);
    if (w->hashing)
        return;
    put_int(w, heights.columns);
    put_int(w, heights.rows);
    put(w, &heights.spacing_m, sizeof heights.spacing_m);
    put(w, heights.height, (size_t)heights.columns * (size_t)heights.rows * sizeof(float));
    put_int(w, mesh.vertex_count);
    put_int(w, mesh.triangle_count);
    put(w, mesh.vertex, 3 * (size_t)mesh.vertex_count * sizeof(float));
    put(w, mesh.index, 3 * (size_t)mesh.triangle_count * sizeof(uint32_t));
}

static void put_scenery(writer *w, const tr_scenery_def *def) {
    put_int(w, def->kind);
    put(w, &def->size, sizeof def->size);
    put(w, &def->pos, sizeof def->pos);
    put(w, &def->rot, sizeof def->rot);
    put(w, &def->friction, sizeof def->friction);
    if (def->kind == TR_SCENERY_SURFACE)
        put_surface(w, def->surface);
}

static void put_pin(writer *w, const tr_pin *pin) {
    put_int(w, pin->id);
    for (int s = 0; s < 2; s++) {
        put_int(w, pin->def.entity[s]);
        put_int(w, pin->def.body[s]);
        put(w, &pin->def.point[s], sizeof(tr_vec3));
    }
    if (put_optional(w, pin->def.break_n > 0))
        put(w, &pin->def.break_n, sizeof(double));
    if (!put_optional(w, pin->def.kind != TR_PIN_POINT))
        return;
    put_int(w, pin->def.kind);
    put(w, &pin->def.axis, sizeof(tr_vec3));
    put(w, &pin->def.rest, sizeof(tr_quat));
    put_int(w, pin->def.limited);
    put(w, pin->def.range, sizeof pin->def.range);
    put(w, &pin->def.damping, sizeof(double));
    if (put_optional(w, pin->def.spring > 0))
        put(w, &pin->def.spring, sizeof(double));
}

static void put_push(writer *w, const tr_push *push) {
    put_int(w, push->entity);
    put_int(w, push->body);
    put_int(w, push->steps);
    put(w, &push->point, sizeof(tr_vec3));
    put(w, &push->force, sizeof(tr_vec3));
}

/* Needed once scenery has been removed; until then they are 1, 2, 3. */
static void put_scenery_ids(writer *w, const tr_world *world) {
    if (!put_optional(w, world->scenery_made != (uint32_t)world->scenery_count))
        return;
    put_int(w, world->scenery_made);
    for (int i = 0; i < world->scenery_count; i++)
        put_int(w, world->scenery[i]->id);
}

static void put_world(writer *w, const tr_world *world) {
    put_definition(w, &world->def);
    put_int(w, world->tick);
    put(w, world->slot, sizeof world->slot);
    put_int(w, world->character_count);
    put_int(w, world->object_count);
    put_int(w, world->scenery_count);
    put_int(w, world->pin_count);
    put_int(w, world->push_count);
    for (int i = 0; i < world->character_count; i++)
        put_character(w, world, world->character[i]);
    for (int i = 0; i < world->object_count; i++)
        put_object(w, world->object[i]);
    for (int i = 0; i < world->scenery_count; i++)
        put_scenery(w, &world->scenery[i]->def);
    for (int i = 0; i < world->pin_count; i++)
        put_pin(w, world->pin[i]);
    for (int i = 0; i < world->push_count; i++)
        put_push(w, &world->push[i]);
    put_scenery_ids(w, world);
}

size_t tr_world_snapshot_size(const tr_world *world) {
    writer w = {0};
    put_world(&w, world);
    return HEADER_SIZE + w.size;
}

uint64_t tr_world_hash(const tr_world *world) {
    writer w = {.hash = TR_HASH_START, .hashing = true};
    put_world(&w, world);
    return w.hash;
}

tr_status tr_world_snapshot(const tr_world *world, void *buffer, size_t capacity,
                            size_t *out_size) {
    size_t size = tr_world_snapshot_size(world);
    if (capacity < size)
        return TR_OUT_OF_RANGE;
    unsigned char *bytes = buffer;
    writer w = {.out = bytes + HEADER_SIZE};
    put_world(&w, world);
    uint32_t head[2] = {MAGIC, VERSION};
    uint64_t payload = w.size, sum = tr_hash_add(TR_HASH_START, bytes + HEADER_SIZE, w.size);
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + 8, &payload, sizeof payload);
    memcpy(bytes + 16, &sum, sizeof sum);
    *out_size = size;
    return TR_OK;
}

tr_status tr_world_restore(tr_world *world, const void *buffer, size_t size,
                           const tr_model *const *models, int model_count) {
    const unsigned char *bytes = buffer;
    uint32_t head[2];
    uint64_t payload, sum;
    if (size < HEADER_SIZE)
        return TR_INVALID_ARGUMENT;
    memcpy(head, bytes, sizeof head);
    memcpy(&payload, bytes + 8, sizeof payload);
    memcpy(&sum, bytes + 16, sizeof sum);
    if (head[0] != MAGIC || head[1] < 1 || head[1] > VERSION || payload != size - HEADER_SIZE ||
        sum != tr_hash_add(TR_HASH_START, bytes + HEADER_SIZE, size - HEADER_SIZE))
        return TR_INVALID_ARGUMENT;
    tr_world_payload source = {
        bytes + HEADER_SIZE, size - HEADER_SIZE, head[1], models, model_count, world};
    tr_world *read = NULL;
    tr_status status = tr_world_read_payload(&source, &read);
    if (status)
        return status;
    /* The handle stays; what it holds is exchanged. */
    tr_world old = *world;
    *world = *read;
    *read = old;
    tr_world_destroy(read);
    return TR_OK;
}
