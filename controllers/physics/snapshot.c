/* Snapshots: everything that determines the future, as versioned and checksummed bytes.
 *
 *     magic u32, version u32, payload size u64, FNV-1a of the payload u64, payload
 *
 * The payload is made by one function over a cursor that counts, writes or hashes, so size, bytes
 * and hash cannot disagree; what reads it stands below in the same order. Numbers are in the byte
 * order and the layout of the machine that wrote them: a snapshot is for the same build family, not
 * for exchange (a recording is). Derived things (frames, body states, boxes) are not stored but
 * made again by the functions that made them, which gives the same bits.
 *
 * A restore builds a second world beside the first, checks all of it, and exchanges the two at the
 * end, so that a hostile or broken snapshot leaves the world untouched. */
#include "math/hash.h"
#include "physics/entity.h"
#include "physics/stepper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Version 1 had no optional parts; it is read still. */
enum { MAGIC = 0x53505254 /* "TRPS" */, VERSION = 2, HEADER_SIZE = 24 };

/* What a snapshot may ask of a world unless the world it replaces has more: sweeps of the solver.
 * Snapshots come from clients, and one step of theirs must not hold up the others. */
enum { SWEEPS_MAX = 100 };

/* A tick that no world reaches, and from which it could go on counting without an overflow. */
static const int64_t TICK_MAX = INT64_MAX / 2;

/* --- writing --- */

typedef struct writer {
    unsigned char *out; /* NULL: only count */
    size_t size;
    uint64_t hash;
    bool hashing;
} writer;

static void put(writer *w, const void *data, size_t size) {
    if (w->out)
        memcpy(w->out + w->size, data, size);
    if (w->hashing)
        w->hash = tr_hash_add(w->hash, data, size);
    w->size += size;
}

static void put_int(writer *w, int64_t value) {
    put(w, &value, sizeof value);
}

/* Begins a part that few entities have, and says whether it follows. Where it is missing it leaves
 * no trace in the hash, so that the hash of what does without it never changes. */
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
    if (put_optional(w, o->kinematic) && put_optional(w, o->follows_goal)) {
        put(w, &o->goal_pos, sizeof o->goal_pos);
        put(w, &o->goal_rot, sizeof o->goal_rot);
    }
}

static void put_scenery(writer *w, const tr_scenery_def *def) {
    put_int(w, def->kind);
    put(w, &def->size, sizeof def->size);
    put(w, &def->pos, sizeof def->pos);
    put(w, &def->rot, sizeof def->rot);
    put(w, &def->friction, sizeof def->friction);
}

static void put_pin(writer *w, const tr_pin *pin) {
    put_int(w, pin->id);
    for (int s = 0; s < 2; s++) {
        put_int(w, pin->def.entity[s]);
        put_int(w, pin->def.body[s]);
        put(w, &pin->def.point[s], sizeof(tr_vec3));
    }
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

/* --- reading --- */

typedef struct reader {
    const unsigned char *in;
    size_t left;
    tr_status status; /* the first failure stays */
    const tr_model *const *models;
    int model_count;
    const tr_world *known; /* to be replaced: its models may be used, and what it asks for */
    uint32_t version;
} reader;

static bool fail(reader *r, tr_status status) {
    if (r->status == TR_OK)
        r->status = status;
    return false;
}

static void get(reader *r, void *out, size_t size) {
    if (size > r->left) {
        memset(out, 0, size);
        (void)fail(r, TR_INVALID_ARGUMENT);
        return;
    }
    memcpy(out, r->in, size);
    r->in += size;
    r->left -= size;
}

/* An integer in [low, high]; out of that, the read has failed and low is returned. */
static int64_t get_int(reader *r, int64_t low, int64_t high) {
    int64_t value = 0;
    get(r, &value, sizeof value);
    if (value < low || value > high) {
        (void)fail(r, TR_INVALID_ARGUMENT);
        return low;
    }
    return value;
}

static double get_double(reader *r) {
    double value;
    get(r, &value, sizeof value);
    return value;
}

static bool get_optional(reader *r) {
    return r->version >= 2 && get_int(r, 0, 1) && !r->status;
}

static tr_world_def get_definition(reader *r) {
    tr_world_def def = {0};
    int known_sweeps = r->known->def.solver_iterations;
    def.stepper = (tr_stepper_kind)get_int(r, TR_STEPPER_ARTICULATED, r->known->def.stepper);
    def.step_s = get_double(r);
    get(r, &def.gravity, sizeof def.gravity);
    def.ground = get_int(r, 0, 1);
    def.ground_friction = get_double(r);
    def.self_collision = get_int(r, 0, 1);
    def.contact_erp = get_double(r);
    def.contact_cfm = get_double(r);
    def.contact_max_vel = get_double(r);
    def.solver_iterations =
        (int)get_int(r, 1, known_sweeps > SWEEPS_MAX ? known_sweeps : SWEEPS_MAX);
    def.solver_tolerance = get_double(r);
    def.ragdoll_damping = get_double(r);
    return def;
}

static const tr_model *find_model(const reader *r, uint64_t hash) {
    for (int i = 0; i < r->model_count; i++)
        if (r->models[i]->hash == hash)
            return r->models[i];
    for (int i = 0; i < r->known->character_count; i++)
        if (r->known->character[i]->model->hash == hash)
            return r->known->character[i]->model;
    return NULL;
}

static void get_state(reader *r, tr_state *state, int bodies) {
    size_t count = (size_t)bodies;
    memset(state, 0, sizeof *state);
    get(r, &state->pose.root_pos, sizeof(tr_vec3));
    get(r, &state->pose.root_rot, sizeof(tr_quat));
    get(r, &state->root_vel, sizeof(tr_vec3));
    get(r, &state->root_omega, sizeof(tr_vec3));
    get(r, state->pose.joint, count * sizeof(tr_quat));
    get(r, state->joint_rate, count * sizeof(tr_vec3));
}

/* An id must name a slot in use, with its generation, and no entity read before. */
static tr_entity_id get_id(reader *r, const tr_world *world) {
    tr_entity_id id = (tr_entity_id)get_int(r, 1, UINT32_MAX);
    uint32_t slot = id & ((1U << TR_ENTITY_SLOT_BITS) - 1);
    bool good = slot > 0 && slot < TR_ENTITY_SLOT_MAX && world->slot[slot].used &&
                world->slot[slot].generation == id >> TR_ENTITY_SLOT_BITS &&
                tr_scene_mover(world, id) < TR_STATIC_MOVER && !tr_scene_pin(world, id);
    if (!good)
        (void)fail(r, TR_INVALID_ARGUMENT);
    return id;
}

static bool get_stepper_extra(reader *r, tr_world *world, tr_character *c) {
    size_t want = world->stepper->extra_size ? world->stepper->extra_size(world, c) : 0;
    size_t size = (size_t)get_int(r, 0, 1 << 20);
    if (r->status != TR_OK || size != want || size > r->left)
        return fail(r, TR_INVALID_ARGUMENT);
    tr_status status = size ? world->stepper->extra_load(world, c, r->in) : TR_OK;
    if (status != TR_OK)
        return fail(r, status);
    r->in += size;
    r->left -= size;
    return true;
}

static void get_pose(reader *r, tr_pose *pose, int bodies) {
    memset(pose, 0, sizeof *pose);
    get(r, &pose->root_pos, sizeof(tr_vec3));
    get(r, &pose->root_rot, sizeof(tr_quat));
    get(r, pose->joint + 1, (size_t)(bodies - 1) * sizeof(tr_quat));
}

static tr_ground get_ground(reader *r) {
    tr_ground ground;
    get(r, &ground, sizeof ground);
    double n = tr_vec3_length(ground.normal);
    if (!(fabs(ground.height) <= 1e9 && fabs(n - 1) < 1e-6))
        (void)fail(r, TR_INVALID_ARGUMENT);
    return ground;
}

/* The optional parts of a character that has been added. `by_value`: its gains must be there. */
static bool get_character_options(reader *r, tr_world *world, tr_character *c, bool by_value) {
    size_t joints = (size_t)c->model->body_count - 1;
    double kp[TR_BODY_MAX], kd[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX];
    tr_pose goal;
    tr_status status = TR_OK;
    if (get_optional(r) != by_value)
        return fail(r, TR_INVALID_ARGUMENT);
    if (by_value) {
        get(r, kp + 1, joints * sizeof(double));
        get(r, kd + 1, joints * sizeof(double));
        status = tr_world_set_gains(world, c->id, kp, kd);
    }
    if (!status && get_optional(r)) {
        int steps = (int)get_int(r, 1, INT32_MAX);
        get(r, torque + 1, joints * sizeof(tr_vec3));
        status = tr_world_set_feedforward(world, c->id, torque, steps);
    }
    if (!status && get_optional(r))
        c->ground = get_ground(r);
    if (!status && get_optional(r)) {
        status = tr_world_set_kinematic(world, c->id, true);
        if (!status && get_optional(r)) {
            get_pose(r, &goal, c->model->body_count);
            status = tr_world_move_character(world, c->id, &goal);
        }
    }
    return !(status || r->status) || fail(r, TR_INVALID_ARGUMENT);
}

static bool get_character(reader *r, tr_world *world) {
    uint64_t hash;
    tr_entity_id id = get_id(r, world);
    get(r, &hash, sizeof hash);
    const tr_model *model = find_model(r, hash);
    if (r->status != TR_OK)
        return false;
    if (!model)
        return fail(r, TR_NOT_FOUND);
    int lowest = r->version >= 2 ? TR_SERVO_VALUES : TR_SERVO_RAGDOLL;
    int servo = (int)get_int(r, lowest, model->gain_set_count - 1);
    bool faulted = get_int(r, 0, 1);
    tr_quat target[TR_BODY_MAX];
    tr_vec3 torque[TR_BODY_MAX] = {{0, 0, 0}};
    tr_state state;
    tr_character *c = NULL;
    get_state(r, &state, model->body_count);
    get(r, target, (size_t)model->body_count * sizeof(tr_quat));
    get(r, torque, (size_t)model->body_count * sizeof(tr_vec3));
    if (r->status != TR_OK)
        return false;
    tr_status status = tr_character_create(world, model, &state, &c);
    if (status)
        return fail(r, status);
    c->id = id;
    c->ground.normal.z = 1;
    world->character[world->character_count++] = c;
    bool by_value = servo == TR_SERVO_VALUES;
    status = tr_world_set_targets(world, id, target);
    if (!status && !by_value)
        status = tr_world_set_servo(world, id, servo);
    if (status)
        return fail(r, status);
    bool good = get_stepper_extra(r, world, c) && get_character_options(r, world, c, by_value);
    c->faulted = faulted;
    memcpy(c->torque, torque, sizeof torque);
    return good;
}

static void get_geom(reader *r, tr_geom *geom) {
    geom->kind = (tr_geom_kind)get_int(r, TR_GEOM_SPHERE, TR_GEOM_BOX);
    get(r, &geom->size, sizeof geom->size);
    get(r, &geom->pos, sizeof geom->pos);
    get(r, &geom->rot, sizeof geom->rot);
    get(r, &geom->friction, sizeof geom->friction);
}

static bool get_object(reader *r, tr_world *world) {
    tr_object_def def = {0};
    tr_object_state state;
    tr_entity_id id = get_id(r, world);
    bool faulted = get_int(r, 0, 1);
    get(r, def.name, sizeof def.name);
    def.density = get_double(r);
    def.mass = get_double(r);
    def.linear_damping = get_double(r);
    def.angular_damping = get_double(r);
    def.geom_count = (int)get_int(r, 1, TR_OBJECT_GEOM_MAX);
    for (int g = 0; g < def.geom_count; g++)
        get_geom(r, &def.geom[g]);
    get(r, &state, sizeof state);
    tr_object *o = NULL;
    if (r->status != TR_OK)
        return false;
    tr_status status = tr_object_create(world, &def, &state, &o);
    if (status != TR_OK)
        return fail(r, status);
    o->id = id;
    world->object[world->object_count++] = o;
    if (get_optional(r)) {
        status = tr_world_set_kinematic(world, id, true);
        if (!status && get_optional(r)) {
            tr_vec3 pos;
            tr_quat rot;
            get(r, &pos, sizeof pos);
            get(r, &rot, sizeof rot);
            status = tr_world_move_object(world, id, pos, rot);
        }
    }
    o->faulted = faulted;
    return !(status || r->status) || fail(r, TR_INVALID_ARGUMENT);
}

static bool get_scenery(reader *r, tr_world *world) {
    tr_scenery_def def = {0};
    def.kind = (tr_scenery_kind)get_int(r, TR_SCENERY_BOX, TR_SCENERY_PATCH);
    get(r, &def.size, sizeof def.size);
    get(r, &def.pos, sizeof def.pos);
    get(r, &def.rot, sizeof def.rot);
    get(r, &def.friction, sizeof def.friction);
    tr_status status = r->status == TR_OK ? tr_world_add_scenery(world, &def, NULL) : r->status;
    return status == TR_OK || fail(r, status);
}

/* Pins are made by the public function, which takes a slot of its own choosing: the table is put
 * right afterwards. */
static bool get_pin(reader *r, tr_world *world) {
    tr_pin_def def = {0};
    tr_entity_id id = get_id(r, world), made;
    for (int s = 0; s < 2; s++) {
        def.entity[s] = (tr_entity_id)get_int(r, 0, UINT32_MAX);
        def.body[s] = (int)get_int(r, -1, TR_BODY_MAX);
        get(r, &def.point[s], sizeof(tr_vec3));
    }
    tr_status status = r->status == TR_OK ? tr_world_add_pin(world, &def, &made) : r->status;
    if (status != TR_OK)
        return fail(r, TR_INVALID_ARGUMENT);
    world->pin[world->pin_count - 1]->id = id;
    return true;
}

static bool get_push(reader *r, tr_world *world) {
    tr_push push = {0};
    push.entity = (tr_entity_id)get_int(r, 1, UINT32_MAX);
    push.body = (int)get_int(r, 0, TR_BODY_MAX);
    push.steps = (int)get_int(r, 1, INT32_MAX);
    get(r, &push.point, sizeof(tr_vec3));
    get(r, &push.force, sizeof(tr_vec3));
    tr_status status = r->status == TR_OK ? tr_world_push(world, &push) : r->status;
    return status == TR_OK || fail(r, TR_INVALID_ARGUMENT);
}

static bool get_scenery_ids(reader *r, tr_world *world) {
    if (!get_optional(r))
        return r->status == TR_OK;
    uint32_t made = (uint32_t)get_int(r, world->scenery_count, UINT32_MAX), last = 0;
    for (int i = 0; i < world->scenery_count && !r->status; i++)
        last = world->scenery[i]->id = (uint32_t)get_int(r, (int64_t)last + 1, made);
    world->scenery_made = made;
    return r->status == TR_OK;
}

static bool get_slots(reader *r, tr_world *world) {
    get(r, world->slot, sizeof world->slot);
    for (int i = 0; i < TR_ENTITY_SLOT_MAX; i++)
        if (world->slot[i].used > 1 || world->slot[i].generation > TR_ENTITY_GENERATION_MASK)
            return fail(r, TR_INVALID_ARGUMENT);
    return r->status == TR_OK;
}

static bool get_entities(reader *r, tr_world *world) {
    int characters = (int)get_int(r, 0, TR_CHARACTER_MAX),
        objects = (int)get_int(r, 0, TR_OBJECT_MAX);
    int sceneries = (int)get_int(r, 0, TR_SCENERY_MAX), pins = (int)get_int(r, 0, TR_PIN_MAX);
    int pushes = (int)get_int(r, 0, TR_PUSH_MAX);
    bool good = r->status == TR_OK;
    for (int i = 0; good && i < characters; i++)
        good = get_character(r, world);
    for (int i = 0; good && i < objects; i++)
        good = get_object(r, world);
    for (int i = 0; good && i < sceneries; i++)
        good = get_scenery(r, world);
    for (int i = 0; good && i < pins; i++)
        good = get_pin(r, world);
    for (int i = 0; good && i < pushes; i++)
        good = get_push(r, world);
    good = good && get_scenery_ids(r, world);
    return good && (r->left == 0 || fail(r, TR_INVALID_ARGUMENT));
}

/* As many slots in use as there are entities: with ids unique, the table then says what it
 * should. */
static bool slots_agree(const tr_world *world) {
    int used = 0;
    for (int i = 0; i < TR_ENTITY_SLOT_MAX; i++)
        used += (int)world->slot[i].used;
    return used == world->character_count + world->object_count + world->pin_count &&
           !world->slot[0].used;
}

static tr_status read_world(reader *r, tr_world **out) {
    tr_world_def def = get_definition(r);
    tr_world *world = NULL;
    if (r->status != TR_OK)
        return r->status;
    tr_status status = tr_world_create(&def, &world);
    if (status != TR_OK)
        return status;
    tr_entity_slot slots[TR_ENTITY_SLOT_MAX];
    world->tick = get_int(r, 0, TICK_MAX);
    if (get_slots(r, world)) {
        memcpy(slots, world->slot, sizeof slots);
        if (get_entities(r, world)) {
            memcpy(world->slot, slots, sizeof slots);
            if (!slots_agree(world))
                (void)fail(r, TR_INVALID_ARGUMENT);
        }
    }
    if (r->status != TR_OK) {
        tr_world_destroy(world);
        return r->status;
    }
    *out = world;
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
    reader r = {
        bytes + HEADER_SIZE, size - HEADER_SIZE, TR_OK, models, model_count, world, head[1]};
    tr_world *read = NULL;
    tr_status status = read_world(&r, &read);
    if (status != TR_OK)
        return status;
    /* The handle stays; what it holds is exchanged. */
    tr_world old = *world;
    *world = *read;
    *read = old;
    tr_world_destroy(read);
    return TR_OK;
}
