#include "physics/world/snapshot_walk.h"

#include "math/hash.h"
#include "physics/scene/stepper.h"
#include "physics/world/entity.h"
#include "physics/world/kinematic.h"
#include "physics/world/scenery.h"
#include "physics/world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a snapshot may ask of a world unless the world it replaces has more: sweeps of the solver.
 * Snapshots come from clients, and one step of theirs must not hold up the others. */
enum { SWEEPS_MAX = 200 };

/* A tick that no world reaches, and from which it could count further without an overflow. */
static const int64_t TICK_MAX = INT64_MAX / 2;

/* --- numbers --- */

typedef tr_snapshot_walk walk;

static bool is_reading(const walk *w) {
    return w->mode == TR_WALK_READ;
}

static void fail(walk *w, tr_status status) {
    if (!w->status)
        w->status = status;
}

/* Only a reading walk writes to `data`. */
static void walk_bytes(walk *w, void *data, size_t size) {
    if (is_reading(w)) {
        if (!tr_byte_reader_get(&w->bytes, data, size))
            fail(w, TR_INVALID_ARGUMENT);
        return;
    }
    if (w->mode == TR_WALK_WRITE && size > 0 && data)
        memcpy(w->out + w->size, data, size);
    if (w->mode == TR_WALK_HASH)
        w->hash = tr_hash_add(w->hash, data, size);
    w->size += size;
}

static void walk_double(walk *w, double *at) {
    walk_bytes(w, at, sizeof *at);
}

static void walk_vec3(walk *w, tr_vec3 *at) {
    walk_bytes(w, at, sizeof *at);
}

static void walk_quat(walk *w, tr_quat *at) {
    walk_bytes(w, at, sizeof *at);
}

/* Integers take eight bytes. One outside [low, high] fails a reading walk and becomes low. */
static void walk_int64(walk *w, int64_t *at, int64_t low, int64_t high) {
    walk_bytes(w, at, sizeof *at);
    if (!is_reading(w) || (*at >= low && *at <= high))
        return;
    fail(w, TR_INVALID_ARGUMENT);
    *at = low;
}

static void walk_int(walk *w, int *at, int low, int high) {
    int64_t value = *at;
    walk_int64(w, &value, low, high);
    if (is_reading(w))
        *at = (int)value;
}

static void walk_number(walk *w, uint32_t *at, uint32_t low, uint32_t high) {
    int64_t value = *at;
    walk_int64(w, &value, low, high);
    if (is_reading(w))
        *at = (uint32_t)value;
}

static void walk_flag(walk *w, bool *at) {
    int64_t value = *at;
    walk_int64(w, &value, 0, 1);
    if (is_reading(w))
        *at = value;
}

/* Begins a part that few entities have, and says whether it follows. A missing part does not enter
 * the hash, so that states without it keep their hash. */
static bool walk_optional(walk *w, bool present) {
    if (present || w->mode != TR_WALK_HASH)
        walk_flag(w, &present);
    return present && !w->status;
}

/* The same for a part that a flag stands for. */
static bool walk_optional_flag(walk *w, bool *flag) {
    bool follows = walk_optional(w, *flag);
    if (is_reading(w))
        *flag = follows;
    return follows;
}

/* --- the definition --- */

static void walk_definition(walk *w, tr_world_def *def) {
    const tr_world_def *known = is_reading(w) ? &w->known->def : def;
    int sweeps_max = known->solver_iterations > SWEEPS_MAX ? known->solver_iterations : SWEEPS_MAX;
    int other_stepper = def->stepper != NULL;
    walk_int(w, &other_stepper, 0, known->stepper != NULL);
    walk_double(w, &def->step_s);
    walk_vec3(w, &def->gravity);
    walk_flag(w, &def->ground);
    walk_double(w, &def->ground_friction);
    walk_flag(w, &def->self_collision);
    walk_double(w, &def->contact_erp);
    walk_double(w, &def->contact_cfm);
    walk_double(w, &def->contact_max_vel);
    walk_int(w, &def->solver_iterations, 1, sweeps_max);
    walk_double(w, &def->solver_tolerance);
    walk_double(w, &def->ragdoll_damping);
    if (is_reading(w))
        def->stepper = other_stepper ? known->stepper : NULL;
}

/* --- ids --- */

static void walk_slots(walk *w, tr_entity_slot slot[TR_ENTITY_SLOT_MAX]) {
    walk_bytes(w, slot, TR_ENTITY_SLOT_MAX * sizeof *slot);
    for (int i = 0; is_reading(w) && i < TR_ENTITY_SLOT_MAX; i++)
        if (slot[i].used > 1 || slot[i].generation > TR_ENTITY_GENERATION_MASK)
            fail(w, TR_INVALID_ARGUMENT);
}

/* An id must name a slot in use, with its generation, and no entity read before. */
static void walk_id(walk *w, const tr_world *world, tr_entity_id *id) {
    walk_number(w, id, 1, UINT32_MAX);
    if (!is_reading(w))
        return;
    uint32_t slot = *id & ((1U << TR_ENTITY_SLOT_BITS) - 1);
    bool good = slot > 0 && slot < TR_ENTITY_SLOT_MAX && world->slot[slot].used &&
                world->slot[slot].generation == *id >> TR_ENTITY_SLOT_BITS &&
                tr_scene_mover(world, *id) < TR_STATIC_MOVER && !tr_scene_pin(world, *id);
    if (!good)
        fail(w, TR_INVALID_ARGUMENT);
}

/* --- characters --- */

static const tr_model *find_model(const walk *w, uint64_t hash) {
    for (int i = 0; i < w->model_count; i++)
        if (w->models[i]->hash == hash)
            return w->models[i];
    for (int i = 0; i < w->known->character_count; i++)
        if (w->known->character[i]->model->hash == hash)
            return w->known->character[i]->model;
    return NULL;
}

static void walk_model(walk *w, const tr_model **model) {
    uint64_t hash = is_reading(w) || !*model ? 0 : (*model)->hash;
    walk_bytes(w, &hash, sizeof hash);
    if (!is_reading(w) || w->status)
        return;
    *model = find_model(w, hash);
    if (!*model)
        fail(w, TR_NOT_FOUND);
}

static void walk_state(walk *w, tr_state *state, int bodies) {
    size_t count = (size_t)bodies;
    walk_vec3(w, &state->pose.root_pos);
    walk_quat(w, &state->pose.root_rot);
    walk_vec3(w, &state->root_vel);
    walk_vec3(w, &state->root_omega);
    walk_bytes(w, state->pose.joint, count * sizeof(tr_quat));
    walk_bytes(w, state->joint_rate, count * sizeof(tr_vec3));
}

static void walk_pose(walk *w, tr_pose *pose, int bodies) {
    walk_vec3(w, &pose->root_pos);
    walk_quat(w, &pose->root_rot);
    walk_bytes(w, pose->joint + 1, (size_t)(bodies - 1) * sizeof(tr_quat));
}

/* What the stepper keeps beside the state. *out_extra: where it lies in the bytes that are read; the
 * character takes it when it exists. */
static void walk_stepper_extra(walk *w, const tr_world *world, const tr_character *c,
                               const uint8_t **out_extra) {
    size_t size = 0;
    const void *bytes = world->stepper->extra ? world->stepper->extra(world, c, &size) : NULL;
    int64_t written = (int64_t)size;
    walk_int64(w, &written, (int64_t)size, (int64_t)size);
    if (is_reading(w))
        *out_extra = tr_byte_reader_take(&w->bytes, size);
    else
        walk_bytes(w, (void *)bytes, size);
}

static void walk_ground(walk *w, tr_ground *ground) {
    walk_bytes(w, ground, sizeof *ground);
    double n = tr_vec3_length(ground->normal);
    if (is_reading(w) && !(fabs(ground->height) <= 1e9 && fabs(n - 1) < 1e-6))
        fail(w, TR_INVALID_ARGUMENT);
}

/* Is it the plane z = 0, bit by bit? A negative zero is another ground. */
static bool is_plane(const tr_ground *ground) {
    const double up = 1;
    uint64_t bits[4], plane[4] = {0};
    _Static_assert(sizeof bits == sizeof *ground, "height and normal are four doubles");
    memcpy(bits, ground, sizeof bits);
    memcpy(&plane[3], &up, sizeof up);
    return memcmp(bits, plane, sizeof bits) == 0;
}

static void walk_character_options(walk *w, tr_character *c) {
    size_t joints = (size_t)c->model->body_count - 1;
    bool by_value = c->servo == TR_SERVO_VALUES;
    if (walk_optional(w, by_value) != by_value)
        fail(w, TR_INVALID_ARGUMENT);
    if (by_value) {
        walk_bytes(w, c->kp + 1, joints * sizeof(double));
        walk_bytes(w, c->kd + 1, joints * sizeof(double));
    }
    if (walk_optional(w, c->feedforward_steps > 0)) {
        walk_int(w, &c->feedforward_steps, 1, INT32_MAX);
        walk_bytes(w, c->feedforward + 1, joints * sizeof(tr_vec3));
    }
    if (!w->states_alone && walk_optional(w, !is_plane(&c->ground)))
        walk_ground(w, &c->ground);
    if (walk_optional_flag(w, &c->kinematic) && walk_optional_flag(w, &c->follows_goal))
        walk_pose(w, &c->goal, c->model->body_count);
}

static void walk_character(walk *w, const tr_world *world, tr_character *c,
                           const uint8_t **out_extra) {
    walk_id(w, world, &c->id);
    walk_model(w, &c->model);
    if (w->status || !c->model)
        return;
    size_t count = (size_t)c->model->body_count;
    walk_int(w, &c->servo, TR_SERVO_VALUES, c->model->gain_set_count - 1);
    walk_flag(w, &c->faulted);
    walk_state(w, &c->state, c->model->body_count);
    walk_bytes(w, c->target, count * sizeof(tr_quat));
    walk_bytes(w, c->torque, count * sizeof(tr_vec3));
    walk_stepper_extra(w, world, c, out_extra);
    if (!w->status)
        walk_character_options(w, c);
}

/* Gives a new character the servos and the kinematic state that were read. */
static tr_status set_up(tr_world *world, tr_character *c, const tr_character *read) {
    tr_status status = tr_world_set_targets(world, c->id, read->target);
    if (!status)
        status = read->servo == TR_SERVO_VALUES
                     ? tr_world_set_gains(world, c->id, read->kp, read->kd)
                     : tr_world_set_servo(world, c->id, read->servo);
    if (!status && read->feedforward_steps > 0)
        status = tr_world_set_feedforward(world, c->id, read->feedforward, read->feedforward_steps);
    if (!status && read->kinematic)
        status = tr_world_set_kinematic(world, c->id, true);
    if (!status && read->follows_goal)
        status = tr_world_move_character(world, c->id, &read->goal);
    return status;
}

static tr_status add_character(tr_world *world, const tr_character *read, const uint8_t *extra) {
    tr_character *c = NULL;
    tr_status status = tr_character_create(world, read->model, &read->state, &c);
    if (status)
        return status;
    c->id = read->id;
    tr_scene_add_character(world, c);
    if (world->stepper->extra)
        status = world->stepper->extra_load(world, c, extra);
    if (!status)
        status = set_up(world, c, read);
    c->ground = read->ground;
    c->faulted = read->faulted;
    memcpy(c->torque, read->torque, sizeof c->torque);
    return status;
}

/* Where what is read stands until the entity exists; only a reading walk needs it. */
static void *make_room(walk *w, size_t size) {
    void *room = calloc(1, size);
    if (!room)
        fail(w, TR_RESOURCE_EXHAUSTED);
    return room;
}

static void visit_character(walk *w, tr_world *world, int i) {
    const uint8_t *extra = NULL;
    if (!is_reading(w)) {
        walk_character(w, world, world->character[i], &extra);
        return;
    }
    tr_character *read = make_room(w, sizeof *read);
    if (!read)
        return;
    read->ground.normal.z = 1;
    walk_character(w, world, read, &extra);
    if (!w->status)
        fail(w, add_character(world, read, extra));
    free(read);
}

/* --- objects --- */

static void walk_geom(walk *w, tr_geom *geom) {
    int kind = (int)geom->kind;
    walk_int(w, &kind, TR_GEOM_SPHERE, TR_GEOM_CYLINDER);
    if (is_reading(w))
        geom->kind = (tr_geom_kind)kind;
    walk_vec3(w, &geom->size);
    walk_vec3(w, &geom->pos);
    walk_quat(w, &geom->rot);
    walk_double(w, &geom->friction);
    if (walk_optional(w, geom->torsional > 0 || geom->rolling > 0)) {
        walk_double(w, &geom->torsional);
        walk_double(w, &geom->rolling);
    }
}

static void walk_object_definition(walk *w, tr_object_def *def) {
    walk_bytes(w, def->name, sizeof def->name);
    walk_double(w, &def->density);
    walk_double(w, &def->mass);
    walk_double(w, &def->linear_damping);
    walk_double(w, &def->angular_damping);
    walk_int(w, &def->geom_count, 1, TR_OBJECT_GEOM_MAX);
    for (int g = 0; g < def->geom_count; g++)
        walk_geom(w, &def->geom[g]);
}

static void walk_travel(walk *w, tr_travel *travel) {
    walk_vec3(w, &travel->from);
    walk_vec3(w, &travel->to);
    walk_int64(w, &travel->steps, 1, INT64_MAX);
    walk_int64(w, &travel->made, 0, INT64_MAX);
    walk_flag(w, &travel->shuttle);
    if (is_reading(w) && !tr_kinematic_travel_usable(travel))
        fail(w, TR_INVALID_ARGUMENT);
}

static void walk_object(walk *w, const tr_world *world, tr_object *o) {
    walk_id(w, world, &o->id);
    walk_flag(w, &o->faulted);
    walk_object_definition(w, &o->def);
    walk_bytes(w, &o->state, sizeof o->state);
    if (!walk_optional_flag(w, &o->kinematic))
        return;
    if (walk_optional_flag(w, &o->follows_goal)) {
        walk_vec3(w, &o->goal_pos);
        walk_quat(w, &o->goal_rot);
    }
    if (walk_optional(w, o->travel.steps > 0))
        walk_travel(w, &o->travel);
}

static tr_status add_object(tr_world *world, const tr_object *read) {
    tr_object *o = NULL;
    tr_status status = tr_object_create(world, &read->def, &read->state, &o);
    if (status)
        return status;
    o->id = read->id;
    world->object[world->object_count++] = o;
    if (read->kinematic)
        status = tr_world_set_kinematic(world, o->id, true);
    if (!status && read->follows_goal)
        status = tr_world_move_object(world, o->id, read->goal_pos, read->goal_rot);
    o->travel = read->travel;
    o->faulted = read->faulted;
    return status;
}

static void visit_object(walk *w, tr_world *world, int i) {
    if (!is_reading(w)) {
        walk_object(w, world, world->object[i]);
        return;
    }
    tr_object *read = make_room(w, sizeof *read);
    if (!read)
        return;
    walk_object(w, world, read);
    if (!w->status)
        fail(w, add_object(world, read));
    free(read);
}

/* --- scenery --- */

/* A surface that already exists, in the world that is replaced or in the one being read. */
static const tr_surface *known_surface(const tr_world *world, uint64_t hash) {
    for (int i = 0; i < world->scenery_count; i++) {
        const tr_scenery_def *def = &world->scenery[i]->def;
        if (def->kind == TR_SCENERY_SURFACE && tr_surface_hash(def->surface) == hash)
            return def->surface;
    }
    return NULL;
}

/* The data of a surface. What is read need not be aligned where it lies. */
typedef struct surface_data {
    tr_heights_def heights;
    tr_mesh_def mesh;
    const void *height, *vertex, *index;
    size_t samples, coordinates, corners;
} surface_data;

static surface_data data_of(const tr_surface *surface) {
    surface_data d = {.heights = tr_surface_heights(surface), .mesh = tr_surface_mesh(surface)};
    d.height = d.heights.height;
    d.vertex = d.mesh.vertex;
    d.index = d.mesh.index;
    return d;
}

/* `count` numbers of four bytes each, which stay where they lie. */
static void walk_words(walk *w, const void **words, size_t count) {
    if (!is_reading(w)) {
        walk_bytes(w, (void *)*words, 4 * count);
        return;
    }
    *words = count > w->bytes.left / 4 ? NULL : tr_byte_reader_take(&w->bytes, 4 * count);
    if (!*words)
        fail(w, TR_INVALID_ARGUMENT);
}

static void walk_surface_data(walk *w, surface_data *d) {
    walk_int(w, &d->heights.columns, 0, TR_SURFACE_SAMPLES_MAX);
    walk_int(w, &d->heights.rows, 0, TR_SURFACE_SAMPLES_MAX);
    walk_double(w, &d->heights.spacing_m);
    d->samples = (size_t)d->heights.columns * (size_t)d->heights.rows;
    walk_words(w, &d->height, d->samples);
    walk_int(w, &d->mesh.vertex_count, 0, TR_SURFACE_VERTICES_MAX);
    walk_int(w, &d->mesh.triangle_count, 0, TR_SURFACE_TRIANGLES_MAX);
    d->coordinates = 3 * (size_t)d->mesh.vertex_count;
    walk_words(w, &d->vertex, d->coordinates);
    d->corners = 3 * (size_t)d->mesh.triangle_count;
    walk_words(w, &d->index, d->corners);
}

static tr_status make_surface(surface_data *d, tr_surface **out) {
    uint32_t *room = malloc(4 * (d->samples + d->coordinates + d->corners) + 1);
    if (!room)
        return TR_RESOURCE_EXHAUSTED;
    float *height = (float *)room, *vertex = height + d->samples;
    uint32_t *index = room + d->samples + d->coordinates;
    if (d->height)
        memcpy(height, d->height, 4 * d->samples);
    if (d->vertex)
        memcpy(vertex, d->vertex, 4 * d->coordinates);
    if (d->index)
        memcpy(index, d->index, 4 * d->corners);
    d->heights.height = height;
    d->mesh.vertex = vertex;
    d->mesh.index = index;
    tr_status status = d->heights.columns > 0 ? tr_surface_create_heights(&d->heights, out)
                                              : tr_surface_create_mesh(&d->mesh, out);
    free(room);
    return status;
}

/* The caller owns a reference to the surface. NULL: the walk has failed. */
static const tr_surface *find_or_make(walk *w, const tr_world *world, uint64_t hash,
                                      surface_data *data) {
    const tr_surface *known = known_surface(w->known, hash);
    known = known ? known : known_surface(world, hash);
    if (known)
        return tr_surface_hold(known);
    tr_surface *made = NULL;
    tr_status status = make_surface(data, &made);
    if (!status && tr_surface_hash(made) != hash)
        status = TR_INVALID_ARGUMENT;
    if (!status)
        return made;
    tr_surface_release(made);
    fail(w, status);
    return NULL;
}

/* A surface by its data, or for the hash by its own. */
static void walk_surface(walk *w, const tr_world *world, const tr_surface **surface) {
    uint64_t hash = is_reading(w) ? 0 : tr_surface_hash(*surface);
    surface_data data = is_reading(w) ? (surface_data){0} : data_of(*surface);
    walk_bytes(w, &hash, sizeof hash);
    if (w->mode != TR_WALK_HASH)
        walk_surface_data(w, &data);
    if (is_reading(w) && !w->status)
        *surface = find_or_make(w, world, hash, &data);
}

static void walk_scenery(walk *w, const tr_world *world, tr_scenery_def *def) {
    int kind = (int)def->kind;
    walk_int(w, &kind, TR_SCENERY_BOX, TR_SCENERY_SURFACE);
    if (is_reading(w))
        def->kind = (tr_scenery_kind)kind;
    walk_vec3(w, &def->size);
    walk_vec3(w, &def->pos);
    walk_quat(w, &def->rot);
    walk_double(w, &def->friction);
    if (is_reading(w) && !(fabs(tr_quat_dot(def->rot, def->rot) - 1) < 1e-6))
        fail(w, TR_INVALID_ARGUMENT);
    if (!w->status && def->kind == TR_SCENERY_SURFACE)
        walk_surface(w, world, &def->surface);
}

static void visit_scenery(walk *w, tr_world *world, int i) {
    tr_scenery_def read = {0};
    if (!is_reading(w)) {
        walk_scenery(w, world, &world->scenery[i]->def);
        return;
    }
    walk_scenery(w, world, &read);
    if (!w->status)
        fail(w, tr_scenery_add(world, &read, NULL));
    tr_surface_release(read.surface);
}

/* Needed once scenery has been removed; until then they are 1, 2, 3. */
static void walk_scenery_ids(walk *w, tr_world *world) {
    uint32_t count = (uint32_t)world->scenery_count, last = 0;
    if (!walk_optional(w, world->scenery_made != count))
        return;
    walk_number(w, &world->scenery_made, count, UINT32_MAX);
    for (uint32_t i = 0; i < count && !w->status; i++) {
        if (last == UINT32_MAX) { /* no later number is left */
            w->status = TR_INVALID_ARGUMENT;
            return;
        }
        walk_number(w, &world->scenery[i]->id, last + 1, world->scenery_made);
        last = world->scenery[i]->id;
    }
}

/* --- pins and pushes --- */

static void walk_pin_options(walk *w, tr_pin_def *def) {
    int kind = (int)def->kind;
    if (walk_optional(w, def->break_n > 0))
        walk_double(w, &def->break_n);
    if (!walk_optional(w, def->kind != TR_PIN_POINT))
        return;
    walk_int(w, &kind, TR_PIN_HINGE, TR_PIN_SLIDER);
    if (is_reading(w))
        def->kind = (tr_pin_kind)kind;
    walk_vec3(w, &def->axis);
    walk_quat(w, &def->rest);
    walk_flag(w, &def->limited);
    walk_bytes(w, def->range, sizeof def->range);
    walk_double(w, &def->damping);
    if (walk_optional(w, def->spring > 0))
        walk_double(w, &def->spring);
}

static void walk_pin(walk *w, const tr_world *world, tr_entity_id *id, tr_pin_def *def) {
    walk_id(w, world, id);
    for (int s = 0; s < 2; s++) {
        walk_number(w, &def->entity[s], 0, UINT32_MAX);
        walk_int(w, &def->body[s], -1, TR_BODY_MAX);
        walk_vec3(w, &def->point[s]);
    }
    walk_pin_options(w, def);
}

/* The public function makes pins, and chooses a slot for each: the table is corrected
 * afterwards. */
static void visit_pin(walk *w, tr_world *world, int i) {
    tr_pin_def read = {0};
    tr_entity_id id = 0, made;
    if (!is_reading(w)) {
        walk_pin(w, world, &world->pin[i]->id, &world->pin[i]->def);
        return;
    }
    walk_pin(w, world, &id, &read);
    if (!w->status && tr_world_add_pin(world, &read, &made))
        fail(w, TR_INVALID_ARGUMENT);
    if (!w->status)
        world->pin[i]->id = id;
}

static void walk_push(walk *w, tr_push *push) {
    walk_number(w, &push->entity, 1, UINT32_MAX);
    walk_int(w, &push->body, 0, TR_BODY_MAX);
    walk_int(w, &push->steps, 1, INT32_MAX);
    walk_vec3(w, &push->point);
    walk_vec3(w, &push->force);
}

static void visit_push(walk *w, tr_world *world, int i) {
    tr_push read = {0};
    walk_push(w, is_reading(w) ? &read : &world->push[i]);
    if (is_reading(w) && !w->status && tr_world_push(world, &read))
        fail(w, TR_INVALID_ARGUMENT);
}

/* --- the report of the last step --- */

_Static_assert(sizeof(tr_contact) == 2 * (sizeof(tr_entity_id) + sizeof(int)) + 11 * sizeof(double),
               "a contact has no padding: its bytes are its state");
_Static_assert(sizeof(tr_solver_report) == 4 * sizeof(int), "walk_report visits every member");

/* May the last step have reported it? */
static bool is_contact(const tr_world *world, const tr_contact *contact) {
    const double number[] = {contact->depth, contact->friction};
    for (int side = 0; side < 2; side++) {
        const tr_character *c = tr_scene_character(world, contact->entity[side]);
        int body = contact->body[side];
        bool known = c ? body >= 0 && body < c->model->body_count
                     : contact->entity[side] > 0
                         ? body == 0 && tr_scene_object(world, contact->entity[side])
                         : side == 1 && body == -1;
        if (!known || !isfinite(number[side]))
            return false;
    }
    return tr_vec3_is_finite(contact->pos) && tr_vec3_is_finite(contact->normal) &&
           tr_vec3_is_finite(contact->impulse);
}

/* Contacts are many, so that they enter the hash by words. */
static void walk_contacts(walk *w, tr_world *world) {
    walk_int(w, &world->contact_count, 0, TR_CONTACT_MAX);
    size_t size = (size_t)world->contact_count * sizeof *world->contact;
    uint64_t words = w->mode == TR_WALK_HASH ? tr_hash_words(world->contact, size) : 0;
    if (w->mode == TR_WALK_HASH)
        walk_bytes(w, &words, sizeof words);
    else
        walk_bytes(w, world->contact, size);
    for (int i = 0; is_reading(w) && i < world->contact_count; i++)
        if (w->status || !is_contact(world, &world->contact[i]))
            fail(w, TR_INVALID_ARGUMENT);
}

static void walk_report(walk *w, tr_world *world) {
    tr_solver_report *report = &world->solver;
    bool present = world->contact_count > 0 || report->sweeps > 0 || report->contacts_dropped > 0 ||
                   report->searches_cut > 0;
    if (w->states_alone || !walk_optional(w, present))
        return;
    walk_int(w, &report->sweeps, 0, INT32_MAX);
    walk_flag(w, &report->converged);
    walk_int(w, &report->contacts_dropped, 0, INT32_MAX);
    walk_int(w, &report->searches_cut, 0, INT32_MAX);
    walk_contacts(w, world);
}

/* --- the world --- */

typedef void visit(walk *w, tr_world *world, int i);

static void walk_entities(walk *w, tr_world *world) {
    const struct {
        visit *each;
        int count, most;
    } kinds[] = {{visit_character, world->character_count, TR_CHARACTER_MAX},
                 {visit_object, world->object_count, TR_OBJECT_MAX},
                 {visit_scenery, world->scenery_count, TR_SCENERY_MAX},
                 {visit_pin, world->pin_count, TR_PIN_MAX},
                 {visit_push, world->push_count, TR_PUSH_MAX}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    int count[KINDS];
    for (int k = 0; k < KINDS; k++) {
        count[k] = kinds[k].count;
        walk_int(w, &count[k], 0, kinds[k].most);
    }
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < count[k] && !w->status; i++)
            kinds[k].each(w, world, i);
}

static void walk_behind_definition(walk *w, tr_world *world) {
    walk_int64(w, &world->tick, 0, TICK_MAX);
    walk_slots(w, world->slot);
    tr_entity_slot slot[TR_ENTITY_SLOT_MAX];
    memcpy(slot, world->slot, sizeof slot);
    walk_entities(w, world);
    if (is_reading(w)) /* pins have taken others */
        memcpy(world->slot, slot, sizeof slot);
    walk_scenery_ids(w, world);
    walk_report(w, world);
}

void tr_snapshot_walk_world(walk *w, tr_world *world) {
    walk_definition(w, &world->def);
    walk_behind_definition(w, world);
}

/* --- reading --- */

/* Are as many slots in use as the world has entities? With unique ids the table is then
 * consistent. */
static bool slots_agree(const tr_world *world) {
    int used = 0;
    for (int i = 0; i < TR_ENTITY_SLOT_MAX; i++)
        used += (int)world->slot[i].used;
    return used == world->character_count + world->object_count + world->pin_count &&
           !world->slot[0].used;
}

tr_status tr_snapshot_walk_read(walk *w, tr_world **out) {
    tr_world_def def = {0};
    tr_world *world = NULL;
    walk_definition(w, &def);
    tr_status status = w->status ? w->status : tr_world_create(&def, &world);
    if (status || !world)
        return status;
    walk_behind_definition(w, world);
    if (!w->status && (w->bytes.left > 0 || !slots_agree(world)))
        fail(w, TR_INVALID_ARGUMENT);
    if (w->status) {
        tr_world_destroy(world);
        return w->status;
    }
    *out = world;
    return TR_OK;
}

/* --- what is not visited --- */

/* All bits set are no finite number, no body, and a negative count. */
static void poison(void *at, size_t size) {
#ifdef TR_POISON
    memset(at, 0xff, size);
#else
    (void)at;
    (void)size;
#endif
}

void tr_snapshot_walk_poison(tr_world *world) {
    for (int i = 0; i < world->character_count; i++) {
        tr_character *c = world->character[i];
        poison(&c->next, sizeof c->next);
        poison(c->sweep, sizeof c->sweep);
        poison(c->body, sizeof c->body);
        if (!c->follows_goal)
            poison(&c->goal, sizeof c->goal);
        if (c->feedforward_steps == 0)
            poison(c->feedforward, sizeof c->feedforward);
    }
    for (int i = 0; i < world->object_count; i++) {
        poison(&world->object[i]->next, sizeof world->object[i]->next);
        poison(&world->object[i]->sweep, sizeof world->object[i]->sweep);
    }
    for (int i = 0; i < world->pin_count; i++)
        poison(&world->pin[i]->force_n, sizeof world->pin[i]->force_n);
    poison(&world->watch, sizeof world->watch);
    poison(world->link, TR_CONTACT_ROOM * sizeof *world->link);
    poison(world->contact + world->contact_count,
           (size_t)(TR_CONTACT_ROOM - world->contact_count) * sizeof *world->contact);
}
