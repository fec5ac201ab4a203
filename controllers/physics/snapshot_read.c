/* Reading a snapshot: what snapshot.c writes, in the same order, checked. */
#include "physics/snapshot_read.h"

#include "math/byte_reader.h"
#include "physics/entity.h"
#include "physics/kinematic.h"
#include "physics/stepper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a snapshot may ask of a world unless the world it replaces has more: sweeps of the solver.
 * Snapshots come from clients, and one step of theirs must not hold up the others. */
enum { SWEEPS_MAX = 200 };

/* A tick that no world reaches, and from which it could count further without an overflow. */
static const int64_t TICK_MAX = INT64_MAX / 2;

typedef struct reader {
    tr_byte_reader bytes;
    tr_status status; /* the first failure stays */
    const tr_model *const *models;
    int model_count;
    const tr_world *known; /* to be replaced: its models may be used, and what it asks for */
    uint32_t version;
} reader;

static bool fail(reader *r, tr_status status) {
    if (!r->status)
        r->status = status;
    return false;
}

static void get(reader *r, void *out, size_t size) {
    if (!tr_byte_reader_get(&r->bytes, out, size))
        (void)fail(r, TR_INVALID_ARGUMENT);
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

static bool get_optional_since(reader *r, uint32_t version) {
    return r->version >= version && get_int(r, 0, 1) && !r->status;
}

static bool get_optional(reader *r) {
    return get_optional_since(r, 2);
}

/* Before version 3 the solver had another tolerance and few sweeps: what was the default then is
 * the present default. */
static void renew_solver(tr_world_def *def) {
    const tr_world_def now = tr_world_def_default();
    if (def->solver_iterations != 10 || def->solver_tolerance != 1e-3)
        return;
    def->solver_iterations = now.solver_iterations;
    def->solver_tolerance = now.solver_tolerance;
    def->contact_erp = now.contact_erp;
    def->contact_max_vel = now.contact_max_vel;
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
    if (r->version < 3)
        renew_solver(&def);
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
    if (r->status || size != want)
        return fail(r, TR_INVALID_ARGUMENT);
    const uint8_t *extra = tr_byte_reader_take(&r->bytes, size);
    if (!extra)
        return fail(r, TR_INVALID_ARGUMENT);
    tr_status status = size ? world->stepper->extra_load(world, c, extra) : TR_OK;
    return !status || fail(r, status);
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
    if (r->status)
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
    if (r->status)
        return false;
    tr_status status = tr_character_create(world, model, &state, &c);
    if (status)
        return fail(r, status);
    c->id = id;
    c->ground.normal.z = 1;
    tr_scene_add_character(world, c);
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
    geom->kind = (tr_geom_kind)get_int(r, TR_GEOM_SPHERE, TR_GEOM_CYLINDER);
    get(r, &geom->size, sizeof geom->size);
    get(r, &geom->pos, sizeof geom->pos);
    get(r, &geom->rot, sizeof geom->rot);
    get(r, &geom->friction, sizeof geom->friction);
    if (get_optional_since(r, 3)) {
        geom->torsional = get_double(r);
        geom->rolling = get_double(r);
    }
}

static tr_travel get_travel(reader *r) {
    tr_travel travel;
    get(r, &travel.from, sizeof travel.from);
    get(r, &travel.to, sizeof travel.to);
    travel.steps = get_int(r, 1, INT64_MAX);
    travel.made = get_int(r, 0, INT64_MAX);
    travel.shuttle = get_int(r, 0, 1);
    if (!tr_kinematic_travel_usable(&travel))
        (void)fail(r, TR_INVALID_ARGUMENT);
    return travel;
}

/* The optional parts of an object that has been added. */
static bool get_object_options(reader *r, tr_world *world, tr_object *o) {
    tr_status status = TR_OK;
    if (get_optional(r)) {
        status = tr_world_set_kinematic(world, o->id, true);
        if (!status && get_optional(r)) {
            tr_vec3 pos;
            tr_quat rot;
            get(r, &pos, sizeof pos);
            get(r, &rot, sizeof rot);
            status = tr_world_move_object(world, o->id, pos, rot);
        }
        if (!status && get_optional_since(r, 4))
            o->travel = get_travel(r);
    }
    return !(status || r->status) || fail(r, TR_INVALID_ARGUMENT);
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
    if (r->status)
        return false;
    tr_status status = tr_object_create(world, &def, &state, &o);
    if (status)
        return fail(r, status);
    o->id = id;
    world->object[world->object_count++] = o;
    bool good = get_object_options(r, world, o);
    o->faulted = faulted;
    return good;
}

/* Bytes of `count` things of four bytes each, where they lie; NULL: there are not so many. */
static const void *get_words(reader *r, size_t count) {
    const void *words =
        count > r->bytes.left / 4 ? NULL : tr_byte_reader_take(&r->bytes, 4 * count);
    if (!words)
        (void)fail(r, TR_INVALID_ARGUMENT);
    return words;
}

/* A surface that already exists, in the world that is replaced or in the one being read. */
static const tr_surface *known_surface(const tr_world *world, uint64_t hash) {
    for (int i = 0; i < world->scenery_count; i++) {
        const tr_scenery_def *def = &world->scenery[i]->def;
        if (def->kind == TR_SCENERY_SURFACE && tr_surface_hash(def->surface) == hash)
            return def->surface;
    }
    return NULL;
}

/* The data of a surface as read; its numbers need not be aligned where they lie. */
typedef struct surface_data {
    tr_heights_def heights;
    tr_mesh_def mesh;
    const void *height, *vertex, *index;
    size_t samples, coordinates, corners;
} surface_data;

static surface_data get_surface_data(reader *r) {
    surface_data d = {0};
    d.heights.columns = (int)get_int(r, 0, TR_SURFACE_SAMPLES_MAX);
    d.heights.rows = (int)get_int(r, 0, TR_SURFACE_SAMPLES_MAX);
    d.heights.spacing_m = get_double(r);
    d.samples = (size_t)d.heights.columns * (size_t)d.heights.rows;
    d.height = get_words(r, d.samples);
    d.mesh.vertex_count = (int)get_int(r, 0, TR_SURFACE_VERTICES_MAX);
    d.mesh.triangle_count = (int)get_int(r, 0, TR_SURFACE_TRIANGLES_MAX);
    d.coordinates = 3 * (size_t)d.mesh.vertex_count;
    d.vertex = get_words(r, d.coordinates);
    d.corners = 3 * (size_t)d.mesh.triangle_count;
    d.index = get_words(r, d.corners);
    return d;
}

static tr_status make_surface(surface_data *d, tr_surface **out) {
    uint32_t *room = malloc(4 * (d->samples + d->coordinates + d->corners) + 1);
    if (!room)
        return TR_RESOURCE_EXHAUSTED;
    float *height = (float *)room, *vertex = height + d->samples;
    uint32_t *index = room + d->samples + d->coordinates;
    memcpy(height, d->height, 4 * d->samples);
    memcpy(vertex, d->vertex, 4 * d->coordinates);
    memcpy(index, d->index, 4 * d->corners);
    d->heights.height = height;
    d->mesh.vertex = vertex;
    d->mesh.index = index;
    tr_status status = d->heights.columns > 0 ? tr_surface_create_heights(&d->heights, out)
                                              : tr_surface_create_mesh(&d->mesh, out);
    free(room);
    return status;
}

/* The caller owns a reference to the surface. NULL: the read has failed. */
static const tr_surface *get_surface(reader *r, const tr_world *world) {
    uint64_t hash;
    get(r, &hash, sizeof hash);
    surface_data data = get_surface_data(r);
    if (r->status)
        return NULL;
    const tr_surface *known = known_surface(r->known, hash);
    known = known ? known : known_surface(world, hash);
    if (known)
        return tr_surface_hold(known);
    tr_surface *made = NULL;
    tr_status status = make_surface(&data, &made);
    if (!status && tr_surface_hash(made) != hash)
        status = TR_INVALID_ARGUMENT;
    if (status) {
        tr_surface_release(made);
        (void)fail(r, status);
        return NULL;
    }
    return made;
}

static bool get_scenery(reader *r, tr_world *world) {
    tr_scenery_def def = {0};
    def.kind = (tr_scenery_kind)get_int(r, TR_SCENERY_BOX, TR_SCENERY_SURFACE);
    get(r, &def.size, sizeof def.size);
    get(r, &def.pos, sizeof def.pos);
    get(r, &def.rot, sizeof def.rot);
    get(r, &def.friction, sizeof def.friction);
    if (!r->status && def.kind == TR_SCENERY_SURFACE)
        def.surface = get_surface(r, world);
    tr_status status = r->status ? r->status : tr_world_add_scenery(world, &def, NULL);
    tr_surface_release(def.surface);
    return !status || fail(r, status);
}

static void get_pin_options(reader *r, tr_pin_def *def) {
    if (get_optional_since(r, 3))
        def->break_n = get_double(r);
    if (!get_optional_since(r, 3))
        return;
    def->kind = (tr_pin_kind)get_int(r, TR_PIN_HINGE, TR_PIN_SLIDER);
    get(r, &def->axis, sizeof(tr_vec3));
    get(r, &def->rest, sizeof(tr_quat));
    def->limited = get_int(r, 0, 1);
    get(r, def->range, sizeof def->range);
    def->damping = get_double(r);
    if (get_optional_since(r, 5))
        def->spring = get_double(r);
}

/* The public function makes pins, and chooses a slot for each: the table is corrected
 * afterwards. */
static bool get_pin(reader *r, tr_world *world) {
    tr_pin_def def = {0};
    tr_entity_id id = get_id(r, world), made;
    for (int s = 0; s < 2; s++) {
        def.entity[s] = (tr_entity_id)get_int(r, 0, UINT32_MAX);
        def.body[s] = (int)get_int(r, -1, TR_BODY_MAX);
        get(r, &def.point[s], sizeof(tr_vec3));
    }
    get_pin_options(r, &def);
    tr_status status = !r->status ? tr_world_add_pin(world, &def, &made) : r->status;
    if (status)
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
    tr_status status = !r->status ? tr_world_push(world, &push) : r->status;
    return !status || fail(r, TR_INVALID_ARGUMENT);
}

static bool get_scenery_ids(reader *r, tr_world *world) {
    if (!get_optional(r))
        return !r->status;
    uint32_t made = (uint32_t)get_int(r, world->scenery_count, UINT32_MAX), last = 0;
    for (int i = 0; i < world->scenery_count && !r->status; i++)
        last = world->scenery[i]->id = (uint32_t)get_int(r, (int64_t)last + 1, made);
    world->scenery_made = made;
    return !r->status;
}

static bool get_slots(reader *r, tr_world *world) {
    get(r, world->slot, sizeof world->slot);
    for (int i = 0; i < TR_ENTITY_SLOT_MAX; i++)
        if (world->slot[i].used > 1 || world->slot[i].generation > TR_ENTITY_GENERATION_MASK)
            return fail(r, TR_INVALID_ARGUMENT);
    return !r->status;
}

static bool get_entities(reader *r, tr_world *world) {
    int characters = (int)get_int(r, 0, TR_CHARACTER_MAX),
        objects = (int)get_int(r, 0, TR_OBJECT_MAX);
    int sceneries = (int)get_int(r, 0, TR_SCENERY_MAX), pins = (int)get_int(r, 0, TR_PIN_MAX);
    int pushes = (int)get_int(r, 0, TR_PUSH_MAX);
    bool good = !r->status;
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
    return good && (r->bytes.left == 0 || fail(r, TR_INVALID_ARGUMENT));
}

/* Are as many slots in use as the world has entities? With unique ids the table is then
 * consistent. */
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
    if (r->status)
        return r->status;
    tr_status status = tr_world_create(&def, &world);
    if (status)
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
    if (r->status) {
        tr_world_destroy(world);
        return r->status;
    }
    *out = world;
    return TR_OK;
}

tr_status tr_world_read_payload(const tr_world_payload *source, tr_world **out) {
    reader r = {.bytes = {.at = source->payload, .left = source->size},
                .version = source->version,
                .models = source->models,
                .model_count = source->model_count,
                .known = source->known};
    return read_world(&r, out);
}
