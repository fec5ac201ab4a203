#include "cmocka_test.h"

#include "unit/physics/scenes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tr_model *scene_humanoid(void) {
    tr_model *model = NULL;
    tr_error error = {0};
    tr_status status = tr_mjcf_load(TR_MODEL_DIR "/humanoid.xml", &model, &error);
    if (status)
        print_error("%s\n", error.message);
    assert_int_equal(status, TR_OK);
    return model;
}

int scene_load_humanoid(void **state) {
    *state = scene_humanoid();
    return 0;
}

int scene_drop_humanoid(void **state) {
    tr_model_destroy(*state);
    return 0;
}

static void set_body(tr_model *model, int i, int parent, tr_joint_kind joint, double mass) {
    tr_body *b = &model->body[i];
    (void)snprintf(b->name, sizeof b->name, "body%d", i);
    b->parent = parent;
    b->joint = i == 0 ? TR_JOINT_FREE : joint;
    b->rot = tr_quat_identity();
    b->mass = mass;
    b->axis = (tr_vec3){0, 1, 0};
    b->torque_limit = INFINITY;
    b->mirror = i;
    model->mass += mass;
    model->dof_count += i == 0 ? 6 : joint == TR_JOINT_BALL ? 3 : 1;
}

void scene_chain(tr_model *model, int count, tr_joint_kind joint, double root_mass) {
    memset(model, 0, sizeof *model);
    model->body_count = count;
    model->gain_set_count = 1;
    model->hash = (uint64_t)count;
    for (int i = 0; i < count; i++) {
        double mass = i == 0 ? root_mass : 1;
        set_body(model, i, i - 1, joint, mass);
        double inertia = i == 0 ? root_mass : 0.01;
        model->body[i].inertia = tr_mat3_diagonal(inertia, inertia, inertia);
        model->body[i].com = i == 0 ? (tr_vec3){0, 0, 0} : (tr_vec3){0, 0, -1};
        model->body[i].pos = i < 2 ? (tr_vec3){0, 0, 0} : (tr_vec3){0, 0, -1};
    }
}

static double between(tr_random *r, double low, double high) {
    return low + (high - low) * tr_random_uniform(r);
}

static tr_vec3 random_vector(tr_random *r, double size) {
    double x = between(r, -size, size), y = between(r, -size, size);
    return (tr_vec3){x, y, between(r, -size, size)};
}

static tr_quat random_turn(tr_random *r) {
    tr_vec3 v = random_vector(r, 3);
    return tr_quat_exp(v);
}

static void random_geom(tr_model *model, int i, tr_random *r) {
    tr_geom *g = &model->geom[model->geom_count++];
    g->body = i;
    g->kind = (tr_geom_kind)(tr_random_next(r) % 3);
    g->size = (tr_vec3){between(r, 0.03, 0.15), between(r, 0.03, 0.2), between(r, 0.03, 0.15)};
    g->pos = random_vector(r, 0.1);
    g->rot = random_turn(r);
    g->friction = between(r, 0, 1.5);
}

void scene_random_model(tr_model *model, int most, tr_random *r) {
    memset(model, 0, sizeof *model);
    model->body_count = 1 + (int)(tr_random_next(r) % (uint64_t)most);
    model->gain_set_count = 1;
    model->hash = tr_random_next(r);
    for (int i = 0; i < model->body_count; i++) {
        int parent = i == 0 ? -1 : (int)(tr_random_next(r) % (uint64_t)i);
        double kind = tr_random_uniform(r);
        tr_joint_kind joint = kind < 0.5   ? TR_JOINT_BALL
                              : kind < 0.8 ? TR_JOINT_HINGE
                                           : TR_JOINT_SLIDE;
        set_body(model, i, parent, joint, between(r, 0.2, 10));
        tr_body *b = &model->body[i];
        double m = b->mass;
        tr_mat3 principal = tr_mat3_diagonal(m * 0.01, m * between(r, 0.006, 0.014), m * 0.01);
        tr_mat3 turn = tr_quat_to_mat3(random_turn(r));
        b->inertia = tr_mat3_rotate_tensor(&turn, &principal);
        b->com = random_vector(r, 0.1);
        b->pos = random_vector(r, 0.3);
        b->anchor = random_vector(r, 0.05);
        b->rot = random_turn(r);
        b->axis = tr_vec3_normalize_or(random_vector(r, 1), b->axis);
        b->limited = tr_random_uniform(r) < 0.5 || joint == TR_JOINT_SLIDE;
        b->range[0] = tr_body_has_axis(b) ? between(r, -2, 0) : 0;
        b->range[1] = between(r, 0.1, 2);
        b->torque_limit = tr_random_uniform(r) < 0.5 ? (double)INFINITY : between(r, 1, 100);
        model->gain_set[0].kp[i] = between(r, 0, 1000);
        model->gain_set[0].kd[i] = between(r, 0, 100);
        random_geom(model, i, r);
    }
}

tr_vec3 scene_random_vector(tr_random *random, double size) {
    double x = size * tr_random_normal(random), y = size * tr_random_normal(random);
    return (tr_vec3){x, y, size * tr_random_normal(random)};
}

tr_state scene_random_state(const tr_model *model, double wild_share, tr_random *random) {
    tr_pose pose = tr_pose_rest(model);
    tr_state s = tr_state_at_rest(model, &pose);
    double wild = tr_random_uniform(random) < wild_share ? 40 : 2;
    s.pose.root_pos.z += 0.1 * tr_random_uniform(random);
    s.pose.root_rot =
        tr_quat_exp(scene_random_vector(random, tr_random_uniform(random) < 0.3 ? 2 : 0.1));
    s.root_vel = scene_random_vector(random, 1);
    s.root_omega = scene_random_vector(random, wild);
    for (int i = 1; i < model->body_count; i++) {
        s.pose.joint[i] = tr_quat_exp(scene_random_vector(random, 0.4));
        s.joint_rate[i] = scene_random_vector(random, wild);
    }
    return s;
}

void scene_check_same_contacts(const tr_world *one, const tr_world *other) {
    int contacts, others;
    const tr_contact *x = tr_world_contacts(one, &contacts);
    const tr_contact *y = tr_world_contacts(other, &others);
    assert_int_equal(contacts, others);
    for (int i = 0; i < contacts; i++) {
        assert_memory_equal(&x[i].pos, &y[i].pos, sizeof x[i].pos);
        assert_memory_equal(&x[i].impulse, &y[i].impulse, sizeof x[i].impulse);
    }
    tr_solver_report p = tr_world_solver_report(one), q = tr_world_solver_report(other);
    assert_int_equal(p.sweeps, q.sweeps);
    assert_int_equal(p.converged, q.converged);
}

void scene_with_each_kernel(void (*check)(const tr_model *model), const tr_model *model) {
    static const char *const kernels[] = {"sse2", "avx2"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        assert_int_equal(setenv("TROUPE_KERNEL", kernels[i], 1), 0);
        check(model);
    }
    assert_int_equal(unsetenv("TROUPE_KERNEL"), 0);
}

tr_world *scene_world(const tr_world_def *def) {
    tr_world *world = NULL;
    tr_physics_init();
    assert_int_equal(tr_world_create(def, &world), TR_OK);
    return world;
}

tr_entity_id scene_stand(tr_world *world, const tr_model *model, double x, double y,
                         double height) {
    tr_pose pose = tr_pose_rest(model);
    pose.root_pos.x = x;
    pose.root_pos.y = y;
    pose.root_pos.z += height;
    tr_state state = tr_state_at_rest(model, &pose);
    tr_entity_id id = 0;
    assert_int_equal(tr_world_add_character(world, model, &state, &id), TR_OK);
    return id;
}

tr_entity_id scene_thing(tr_world *world, const tr_geom *geom, double mass, tr_object_state at) {
    tr_object_def def = {.name = "thing", .geom_count = 1, .mass = mass, .geom[0] = *geom};
    tr_entity_id id = 0;
    assert_int_equal(tr_world_add_object(world, &def, &at, &id), TR_OK);
    return id;
}

tr_entity_id scene_shape(tr_world *world, tr_geom_kind kind, tr_vec3 size, tr_object_state at) {
    const tr_geom geom = {.kind = kind, .size = size, .rot = {1, 0, 0, 0}, .friction = 1};
    return scene_thing(world, &geom, 2, at);
}

tr_object_state scene_thing_state(const tr_world *world, tr_entity_id id) {
    tr_object_state s;
    assert_int_equal(tr_world_get_object(world, id, &s), TR_OK);
    return s;
}

void scene_swing(tr_world *world, tr_entity_id id, double t) {
    const tr_model *model = tr_world_character_model(world, id);
    tr_quat target[TR_BODY_MAX];
    double fade = t < 0.5 ? t / 0.5 : 1;
    for (int i = 0; i < model->body_count; i++) {
        bool leg = model->body[i].pos.z < -0.04 && model->body[i].parent == 0;
        double amplitude = leg ? 0.05 : i > 2 && i < 10 ? 0.3 : 0.04;
        double angle = fade * amplitude * tr_sin(2 * TR_PI * t + i);
        target[i] = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, angle);
    }
    assert_int_equal(tr_world_set_targets(world, id, target), TR_OK);
}

static tr_geom shape(tr_geom_kind kind, double x, double y, double z) {
    return (tr_geom){.kind = kind, .size = {x, y, z}, .rot = tr_quat_identity(), .friction = 1};
}

static void add_things(tr_world *world) {
    tr_object_def ball = {.name = "ball", .geom_count = 1, .mass = 3};
    ball.geom[0] = shape(TR_GEOM_SPHERE, 0.15, 0, 0);
    tr_object_state at = {.pos = {0, 1, 1.3}, .rot = {1, 0, 0, 0}, .vel = {0, -6, 0}};
    tr_entity_id id, pin;
    assert_int_equal(tr_world_add_object(world, &ball, &at, &id), TR_OK);
    tr_pin_def hang = {.entity = {id, 0}, .point = {{0, 0, 0.1}, {0, 1, 1.4}}};
    assert_int_equal(tr_world_add_pin(world, &hang, &pin), TR_OK);
    tr_object_def board = {.name = "board", .geom_count = 2, .density = 300};
    board.geom[0] = shape(TR_GEOM_BOX, 0.3, 0.1, 0.02);
    board.geom[1] = shape(TR_GEOM_CAPSULE, 0.03, 0.1, 0);
    board.geom[1].pos = (tr_vec3){0.2, 0, -0.05};
    board.geom[1].rot = tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, TR_PI / 2);
    at = (tr_object_state){.pos = {1, 1, 0.5}, .rot = {1, 0, 0, 0}};
    assert_int_equal(tr_world_add_object(world, &board, &at, &id), TR_OK);
    tr_scenery_def bump = {
        .size = {0.3, 0.3, 0.05}, .pos = {0.6, 0, 0.05}, .rot = {1, 0, 0, 0}, .friction = 1};
    assert_int_equal(tr_world_add_scenery(world, &bump, NULL), TR_OK);
    tr_scenery_def ice = {
        .kind = TR_SCENERY_PATCH, .size = {0.5, 0.5, 0}, .pos = {1.5, 0, 0}, .rot = {1, 0, 0, 0}};
    assert_int_equal(tr_world_add_scenery(world, &ice, NULL), TR_OK);
}

/* A barrow: a board on a wheel with rolling friction, and a weight that slides along it. */
static void add_barrow(tr_world *world) {
    tr_geom wheel = {.kind = TR_GEOM_CYLINDER,
                     .size = {0.1, 0.03, 0},
                     .rot = tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, TR_PI / 2),
                     .friction = 1,
                     .torsional = 0.005,
                     .rolling = 0.001};
    tr_geom board = {
        .kind = TR_GEOM_BOX, .size = {0.4, 0.1, 0.02}, .rot = {1, 0, 0, 0}, .friction = 1};
    tr_geom weight = {.kind = TR_GEOM_SPHERE, .size = {0.05, 0, 0}, .rot = {1, 0, 0, 0}};
    tr_object_state at = {.pos = {2.3, 0, 0.1}, .rot = {1, 0, 0, 0}, .vel = {1, 0, 0}};
    tr_entity_id id[3], pin;
    id[0] = scene_thing(world, &wheel, 1, at);
    at.pos = (tr_vec3){2, 0, 0.24};
    id[1] = scene_thing(world, &board, 3, at);
    at.pos.z = 0.32;
    id[2] = scene_thing(world, &weight, 1, at);
    tr_pin_def axle = {.kind = TR_PIN_HINGE,
                       .entity = {id[0], id[1]},
                       .point = {{0, 0, 0}, {0.3, 0, -0.14}},
                       .axis = {0, 1, 0},
                       .damping = 0.01,
                       .break_n = 1e5};
    tr_pin_def rail = {.kind = TR_PIN_SLIDER,
                       .entity = {id[2], id[1]},
                       .point = {{0, 0, 0}, {0, 0, 0.08}},
                       .axis = {1, 0, 0},
                       .limited = true,
                       .range = {-0.3, 0.3},
                       .damping = 1};
    assert_int_equal(tr_world_add_pin(world, &axle, &pin), TR_OK);
    assert_int_equal(tr_world_add_pin(world, &rail, &pin), TR_OK);
}

tr_world *scene_busy(const tr_model *model) {
    tr_world_def def = tr_world_def_default();
    tr_world *world = scene_world(&def);
    tr_entity_id standing = scene_stand(world, model, 0, 0, 0.01);
    tr_entity_id running = scene_stand(world, model, -0.7, 0.05, 0.01);
    tr_state state;
    assert_int_equal(tr_world_get_state(world, running, &state), TR_OK);
    state.root_vel.x = 3;
    assert_int_equal(tr_world_set_state(world, running, &state), TR_OK);
    assert_int_equal(tr_world_set_servo(world, running, 1), TR_OK);
    add_things(world);
    add_barrow(world);
    tr_push push = {.entity = standing, .body = 2, .force = {0, 150, 0}, .steps = 60};
    assert_int_equal(tr_world_push(world, &push), TR_OK);
    return world;
}

void scene_step(tr_world *world, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_world_step(world), TR_OK);
}

void scene_check_restored(tr_world *world, const tr_model *model, int steps) {
    OWN(tr_world) *fresh = scene_world(tr_world_definition(world));
    size_t size = tr_world_snapshot_size(world);
    OWN_MEMORY void *bytes = malloc(size);
    assert_int_equal(tr_world_snapshot(world, bytes, size, &size), TR_OK);
    scene_step(world, steps);
    /* A world that has the models and surfaces is restored too. */
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tr_world_restore(fresh, bytes, size, &model, 1), TR_OK);
        scene_step(fresh, steps);
        assert_int_equal(tr_world_hash(fresh), tr_world_hash(world));
    }
}

double scene_energy(const tr_world *world, tr_entity_id id) {
    const tr_model *model = tr_world_character_model(world, id);
    const tr_body_state *bodies = tr_world_bodies(world, id);
    double g = -tr_world_definition(world)->gravity.z, sum = 0;
    for (int i = 0; i < model->body_count; i++) {
        const tr_body_state *b = &bodies[i];
        double m = model->body[i].mass;
        tr_vec3 local = tr_quat_rotate_inverse(b->rot, b->omega);
        tr_vec3 l = tr_mat3_apply(&model->body[i].inertia, local);
        sum += 0.5 * m * tr_vec3_dot(b->com_vel, b->com_vel) + 0.5 * tr_vec3_dot(local, l) +
               m * g * b->com_pos.z;
    }
    return sum;
}
