#include "cmocka_test.h"

#include "unit/control/puppet.h"

#include "model/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

tr_model *puppet_model(void) {
    tr_model *model = NULL;
    tr_error error = {0};
    if (tr_mjcf_load(TR_SOURCE_DIR "/controllers/model/humanoid.xml", &model, &error))
        fail_msg("%s", error.message);
    return model;
}

int puppet_load(void **fixture) {
    tr_physics_init();
    *fixture = puppet_model();
    return 0;
}

int puppet_unload(void **fixture) {
    tr_model_destroy(*fixture);
    return 0;
}

/* Everything but what drives it. */
static void fill(const tr_model *model, tr_controller *controller) {
    tr_bank *bank = tr_controller_bank(controller);
    tr_pose rest = tr_pose_rest(model);
    snprintf(controller->name, sizeof controller->name, "hold");
    snprintf(controller->skill, sizeof controller->skill, "stand");
    memcpy(controller->model_name, model->name, sizeof controller->model_name);
    memcpy(bank->gain_set, model->gain_set[0].name, sizeof bank->gain_set);
    controller->model_hash = model->hash;
    controller->step_s = 0.005;
    controller->spawn = tr_state_at_rest(model, &rest);
    bank->cyclic = true;
    assert_int_equal(tr_action_map_default(model, true, &bank->action, NULL), TR_OK);
    for (int f = 0; f < bank->fragment_count; f++)
        bank->fragment[f].start = bank->fragment[f].end = controller->spawn;
}

tr_controller *puppet_hold(const tr_model *model, int fragment_count, int steps) {
    tr_controller *controller = NULL;
    assert_int_equal(tr_chain_create(fragment_count, steps, model->body_count, &controller), TR_OK);
    fill(model, controller);
    return controller;
}

tr_controller *puppet_graph(const tr_model *model, tr_graph_size size) {
    tr_controller *controller = NULL;
    assert_int_equal(tr_graph_create(size, model->body_count, &controller), TR_OK);
    fill(model, controller);
    return controller;
}

static tr_vec3 draw(tr_random *random, double scale) {
    return (tr_vec3){scale * tr_random_normal(random), scale * tr_random_normal(random),
                     scale * tr_random_normal(random)};
}

/* A rotation vector of a joint: about its axis for a hinge. */
static tr_vec3 draw_joint(const tr_body *body, tr_random *random, double scale) {
    tr_vec3 v = draw(random, scale);
    return body->joint == TR_JOINT_HINGE ? tr_vec3_scale(body->axis, v.y) : v;
}

tr_controller *puppet_sway(const tr_model *model, int fragment_count, int steps, uint64_t seed) {
    tr_controller *controller = puppet_hold(model, fragment_count, steps);
    tr_random random = tr_random_seed(seed);
    snprintf(controller->name, sizeof controller->name, "sway");
    tr_bank *bank = tr_controller_bank(controller);
    for (int f = 0; f < fragment_count; f++) {
        tr_fragment *fragment = &bank->fragment[f];
        for (int i = 0; i < steps * model->body_count; i++) {
            const tr_body *body = &model->body[i % model->body_count];
            fragment->target[i] = tr_quat_exp(draw_joint(body, &random, 0.1));
        }
        for (int i = 0; i < bank->action.size; i++) {
            fragment->policy.offset[i] = 0.05 * tr_random_normal(&random);
            for (int j = 0; j < TR_FEATURE_COUNT; j++)
                fragment->policy.m[i][j] = 0.02 * tr_random_normal(&random);
        }
    }
    return controller;
}

/* Bends and moves a start or an end; its heading and its place stay. */
static void vary_state(const tr_model *model, tr_random *random, tr_state *state) {
    state->pose.root_pos.z += 0.02 * tr_random_normal(random);
    state->root_vel = draw(random, 0.5);
    state->root_omega = draw(random, 0.5);
    for (int b = 1; b < model->body_count; b++) {
        state->pose.joint[b] = tr_quat_exp(draw_joint(&model->body[b], random, 0.2));
        state->joint_rate[b] = draw_joint(&model->body[b], random, 0.5);
    }
}

static void vary_policy(tr_policy *policy, int size, tr_random *random) {
    for (int i = 0; i < size; i++) {
        policy->offset[i] = 0.05 * tr_random_normal(random);
        policy->sigma[i] = 0.1 + 0.1 * tr_random_uniform(random);
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            policy->m[i][j] = 0.02 * tr_random_normal(random);
        for (int j = 0; j < TR_GROUND_SLOPES; j++)
            policy->ground[i][j] = 0.2 * tr_random_normal(random);
    }
}

static tr_rig_object ball_at(tr_vec3 pos) {
    tr_rig_object ball = {.def = {.name = "ball", .geom_count = 1, .mass = 18},
                          .state = {.pos = pos, .rot = {1, 0, 0, 0}}};
    ball.def.geom[0] =
        (tr_geom){.kind = TR_GEOM_SPHERE, .size = {0.3, 0, 0}, .rot = {1, 0, 0, 0}, .friction = 1};
    return ball;
}

tr_controller *puppet_balance(const tr_model *model, int hold) {
    tr_pose rest = tr_pose_rest(model);
    tr_state stance = tr_state_at_rest(model, &rest);
    tr_rig balls = {.object_count = 2};
    balls.object[0] = ball_at((tr_vec3){2, 0.5, 0.3});
    balls.object[1] = ball_at((tr_vec3){2, -0.5, 1});
    const tr_balance_def def = {.stance = &stance,
                                .gain_set = "b",
                                .step_s = 0.005,
                                .hold = hold,
                                .bound_rad = 0.6,
                                .place = {0, 1},
                                .rig = &balls};
    tr_controller *controller = NULL;
    tr_error error = {0};
    if (tr_balance_controller_create(model, &def, &controller, &error))
        fail_msg("%s", error.message);
    return controller;
}

void puppet_vary(const tr_model *model, tr_bank *bank, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    for (int f = 0; f < bank->fragment_count; f++) {
        tr_fragment *fragment = &bank->fragment[f];
        for (int i = 0; i < fragment->steps * model->body_count; i++)
            fragment->target[i] =
                tr_quat_exp(draw_joint(&model->body[i % model->body_count], &random, 0.1));
        vary_policy(&fragment->policy, bank->action.size, &random);
        vary_state(model, &random, &fragment->start);
        vary_state(model, &random, &fragment->end);
    }
}

tr_steering puppet_steering(const tr_bank *bank, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    tr_steering steering = {
        .speed_mps = 0.6, .turn_rad_s = 0.7, .faster_mps = 0.3, .slower_mps = 0.2};
    for (int a = 0; a < bank->action.size; a++) {
        steering.turn[a] = 0.05 * tr_random_normal(&random);
        steering.faster[a] = 0.05 * tr_random_normal(&random);
        steering.slower[a] = 0.05 * tr_random_normal(&random);
    }
    return steering;
}

tr_state puppet_state(const tr_model *model, tr_random *random, double height, double spread) {
    tr_pose rest = tr_pose_rest(model);
    tr_state state = tr_state_at_rest(model, &rest);
    state.pose.root_pos = tr_vec3_add(state.pose.root_pos, draw(random, 0.3 * spread));
    state.pose.root_pos.z = rest.root_pos.z + height;
    state.pose.root_rot = tr_quat_exp(draw(random, 0.4 * spread));
    state.root_vel = draw(random, 1.0 * spread);
    state.root_omega = draw(random, 1.0 * spread);
    for (int b = 1; b < model->body_count; b++) {
        state.pose.joint[b] = tr_quat_exp(draw_joint(&model->body[b], random, 0.2 * spread));
        state.joint_rate[b] = draw_joint(&model->body[b], random, 1.0 * spread);
    }
    return state;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

double puppet_distance(const tr_model *model, const tr_state *a, const tr_state *b) {
    double d = tr_vec3_distance(a->pose.root_pos, b->pose.root_pos);
    tr_quat root = tr_quat_mul(tr_quat_conj(a->pose.root_rot), b->pose.root_rot);
    d = larger(d, tr_vec3_length(tr_quat_log(root)));
    d = larger(d, tr_vec3_distance(a->root_vel, b->root_vel));
    d = larger(d, tr_vec3_distance(a->root_omega, b->root_omega));
    for (int i = 1; i < model->body_count; i++) {
        tr_quat turn = tr_quat_mul(tr_quat_conj(a->pose.joint[i]), b->pose.joint[i]);
        d = larger(d, tr_vec3_length(tr_quat_log(turn)));
        d = larger(d, tr_vec3_distance(a->joint_rate[i], b->joint_rate[i]));
    }
    return d;
}

tr_world *puppet_void(void) {
    tr_world *world = NULL;
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    tr_physics_init();
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    return world;
}

void puppet_near(double a, double b, double tolerance, const char *file, int line) {
    if (fabs(a - b) <= tolerance)
        return;
    print_error("%.17g is not %.17g to within %g\n", a, b, tolerance);
    _fail(file, line);
}

const tr_playback *puppet_playback(const tr_runner *runner) {
    const tr_driver_kind *kind = runner->controller->driver.kind;
    assert_true(kind == &tr_chain_kind || kind == &tr_graph_kind);
    return (const tr_playback *)runner->state;
}

tr_doing puppet_doing(const tr_stage *stage, tr_entity_id id) {
    tr_doing doing;
    tr_runner_look(&tr_stage_performer(stage, id)->runner, &doing);
    return doing;
}
