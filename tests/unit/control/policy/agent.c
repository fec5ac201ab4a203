/* The driver kind "policy": its network, its observation, what it refuses, its mirror image, and that
 * it is stored, snapshot and run as all others. */
#include "cmocka_test.h"

#include "control/policy/agent.h"
#include "control/stage/stage.h"
#include "math/hash.h"
#include "math/random.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NETWORK_GOLDEN 0x376b340c1749dc45ULL
#define OBSERVATION_GOLDEN 0xcfaae35bbc4a7bc0ULL

static double drawn(tr_random *random, double scale) {
    return scale * (2 * tr_random_uniform(random) - 1);
}

static void draw_weights(tr_perceptron *network, double scale) {
    tr_random random = tr_random_seed(7);
    for (size_t i = 0; i < tr_perceptron_weight_count(network); i++)
        network->weight[i] = drawn(&random, scale);
}

/* Waist, hips and knees about four poses that bend more and more; decides every 6 steps. */
static tr_agent *make_agent(const tr_model *model) {
    static const char *const joints[] = {"ltorso", "lthigh", "lshank", "rthigh", "rshank"};
    tr_agent *agent = NULL;
    assert_int_equal(tr_agent_create(model, 4, &agent), TR_OK);
    agent->period_steps = 6;
    for (int j = 0; j < 5; j++)
        agent->joint[agent->joint_count++] = tr_model_find_body(model, joints[j]);
    agent->action_size = tr_agent_count_actions(model, agent->joint, agent->joint_count);
    assert_int_equal(agent->action_size, 11);
    for (int i = 0; i < agent->action_size; i++)
        agent->scale[i] = 0.1;
    for (int e = 0; e < 4; e++)
        agent->start[e].pose.joint[agent->joint[0]] =
            tr_quat_from_axis_angle((tr_vec3){0.6, 0.8, 0}, 0.02 * e);
    agent->action_limit = 2;
    tr_perceptron shape = {.layers = 3, .activation = {TR_ACTIVATION_TANH, TR_ACTIVATION_ELU}};
    shape.width[0] = tr_observation_size(&agent->observation, model->body_count);
    shape.width[1] = shape.width[2] = 16;
    shape.width[3] = agent->action_size;
    assert_int_equal(tr_perceptron_init(&agent->network, &shape), TR_OK);
    draw_weights(&agent->network, 0.3);
    return agent;
}

/* The agent sees the ground ahead too. */
static void add_ground(tr_agent *agent, const tr_model *model) {
    tr_perceptron shape = agent->network;
    agent->observation.row[agent->observation.count++] = TR_SEES_GROUND;
    shape.width[0] = tr_observation_size(&agent->observation, model->body_count);
    tr_perceptron_deinit(&agent->network);
    assert_int_equal(tr_perceptron_init(&agent->network, &shape), TR_OK);
    draw_weights(&agent->network, 0.3);
}

static tr_controller *make(const tr_model *model) {
    tr_controller *controller = NULL;
    tr_error error = {0};
    assert_int_equal(tr_agent_controller_create(model, 0.005, make_agent(model), &controller),
                     TR_OK);
    strcpy(controller->name, "policy");
    strcpy(controller->skill, "stand");
    if (tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    return controller;
}

static tr_agent *agent_of(const tr_controller *controller) {
    return controller->driver.content;
}

TEST(a_network_is_that_of_its_equations_and_has_its_golden_bits) {
    OWN_BY(tr_perceptron_deinit) tr_perceptron network = {0};
    const tr_perceptron shape = {
        .layers = 3,
        .width = {3, 4, 5, 2},
        .activation = {TR_ACTIVATION_RELU, TR_ACTIVATION_ELU, TR_ACTIVATION_TANH}};
    assert_int_equal(tr_perceptron_init(&network, &shape), TR_OK);
    draw_weights(&network, 1);
    const double input[3] = {0.4, -1.1, 2.5};
    double value[4][TR_PERCEPTRON_WIDTH_MAX] = {{0.4, -1.1, 2.5}}, out[2];
    const double *w = network.weight;
    for (int l = 0; l < 3; l++) {
        const int in = shape.width[l], columns = shape.width[l + 1];
        for (int c = 0; c < columns; c++) {
            double sum = w[in * columns + c];
            for (int i = 0; i < in; i++)
                sum += value[l][i] * w[i * columns + c];
            value[l + 1][c] = l == 0   ? fmax(sum, 0)
                              : l == 1 ? (sum > 0 ? sum : expm1(sum))
                                       : tanh(sum);
        }
        w += (in + 1) * columns;
    }
    tr_perceptron_forward(&network, input, out);
    assert_near(out[0], value[3][0], 1e-15);
    assert_near(out[1], value[3][1], 1e-15);
    uint64_t hash = tr_hash_add(TR_HASH_START, out, sizeof out);
    if (hash != NETWORK_GOLDEN)
        fail_msg("golden bits of the network: 0x%llx", (unsigned long long)hash);
}

TEST(an_observation_does_not_depend_on_place_and_heading) {
    const tr_model *model = *given;
    tr_random random = tr_random_seed(3);
    const tr_observation all = {.count = 7,
                                .row = {TR_SEES_ROOT_HEIGHT, TR_SEES_ROOT_ROT, TR_SEES_ROOT_VEL,
                                        TR_SEES_ROOT_OMEGA, TR_SEES_JOINT_ROT, TR_SEES_JOINT_RATE,
                                        TR_SEES_PHASE}};
    float here[TR_OBSERVATION_MAX], there[TR_OBSERVATION_MAX];
    const int size = tr_observation_size(&all, model->body_count);
    assert_int_equal(size, 1 + 4 + 3 + 3 + 7 * 17 + 2);
    uint64_t hash = TR_HASH_START;
    for (int trial = 0; trial < 40; trial++) {
        tr_state s = puppet_state(model, &random, 0.1, 1);
        tr_state moved = tr_state_place(&s, drawn(&random, 3), (tr_vec3){4, -2, 0});
        tr_observe(&all,
                   &(tr_observed){.state = &s, .phase = 0.25, .body_count = model->body_count},
                   here);
        tr_observe(&all,
                   &(tr_observed){.state = &moved, .phase = 0.25, .body_count = model->body_count},
                   there);
        double sign = here[1] * there[1] + here[4] * there[4] < 0 ? -1 : 1;
        for (int i = 0; i < size; i++)
            assert_near((double)here[i], (i > 0 && i < 5 ? sign : 1) * (double)there[i], 2e-6);
        hash = tr_hash_add(hash, here, (size_t)size * sizeof *here);
    }
    if (hash != OBSERVATION_GOLDEN)
        fail_msg("golden bits of observations: 0x%llx", (unsigned long long)hash);
}

/* The turn to the heading is that of the world's, wherever the character looks; a mirror image turns back. */
TEST(a_target_is_seen_from_the_heading) {
    const tr_model *model = *given;
    tr_random random = tr_random_seed(4);
    const tr_observation target = {.count = 1, .row = {TR_SEES_TARGET}};
    const tr_state s = puppet_state(model, &random, 0.1, 1),
                   turned = tr_state_place(&s, 0.8, (tr_vec3){0});
    tr_steering_target asked = {.aim = TR_AIM_HEADING, .heading_rad = 0.3, .speed_mps = 1.5};
    float seen[2][3];
    tr_observe(&target, &(tr_observed){.state = &s, .target = &asked}, seen[0]);
    asked.heading_rad += 0.8;
    tr_observe(&target, &(tr_observed){.state = &turned, .target = &asked}, seen[1]);
    for (int k = 0; k < 3; k++)
        assert_near((double)seen[0][k], (double)seen[1][k], 1e-6);
    const tr_state image = tr_state_mirror(model, &turned);
    asked.heading_rad = -asked.heading_rad;
    tr_observe(&target, &(tr_observed){.state = &image, .target = &asked}, seen[1]);
    assert_near((double)seen[0][1], -(double)seen[1][1], 1e-6);
    assert_near((double)seen[0][2], 1.5, 0);
    asked.aim = TR_AIM_NONE;
    tr_observe(&target, &(tr_observed){.state = &s, .target = &asked}, seen[0]);
    assert_true(seen[0][0] == 1 && seen[0][1] == 0);
}

/* Every number is one of single precision: what a client on the wire has. */
TEST(observed_rates_are_rounded_as_on_the_wire) {
    const tr_model *model = *given;
    tr_random random = tr_random_seed(9);
    const tr_observation rates = {.count = 1, .row = {TR_SEES_JOINT_RATE}};
    const tr_state s = puppet_state(model, &random, 0.1, 1);
    float seen[TR_OBSERVATION_MAX];
    tr_observe(&rates, &(tr_observed){.state = &s, .body_count = model->body_count}, seen);
    for (int b = 1; b < model->body_count; b++) {
        volatile float x = (float)s.joint_rate[b].x, y = (float)s.joint_rate[b].y;
        assert_true(seen[3 * (b - 1)] == x && seen[3 * (b - 1) + 1] == y);
    }
}

static tr_stage *stage_in(tr_world_def world, const tr_model *model,
                          const tr_controller *controller, tr_entity_id *out_id) {
    tr_stage *stage = NULL;
    const tr_spawn_def def = {.model = model, .controller = controller};
    assert_int_equal(tr_stage_create(&world, &stage), TR_OK);
    assert_int_equal(tr_stage_spawn(stage, &def, out_id), TR_OK);
    return stage;
}

static tr_stage *stage_of(const tr_model *model, const tr_controller *controller,
                          tr_entity_id *out_id) {
    return stage_in(tr_world_def_default(), model, controller, out_id);
}

static void step(tr_stage *stage, int count) {
    for (int i = 0; i < count; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
}

TEST(it_decides_once_in_a_period_and_goes_through_its_entries) {
    OWN(tr_controller) *controller = make(*given);
    tr_entity_id id;
    OWN(tr_stage) *stage = stage_of(*given, controller, &id);
    step(stage, 15);
    tr_doing doing = puppet_doing(stage, id);
    assert_int_equal(doing.entry, 2);
    assert_near(doing.phase, 0.5, 1e-12);
    assert_int_equal(doing.entries_done, 2);
    step(stage, 9);
    doing = puppet_doing(stage, id);
    assert_int_equal(doing.entry, 0);
    assert_true(doing.between);
}

TEST(an_action_turns_the_targets_of_its_joint) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    tr_agent *agent = agent_of(controller);
    memset(agent->network.weight, 0, tr_perceptron_weight_count(&agent->network) * sizeof(double));
    tr_entity_id id;
    OWN(tr_stage) *stage = stage_of(model, controller, &id);
    const double action[11] = {[3] = 0.5, [4] = -1, [6] = 1.5};
    tr_error error = {0};
    assert_int_equal(tr_stage_set_parameter(stage, id, "action", action, 11, &error), TR_OK);
    step(stage, 1);
    tr_state s;
    for (int i = 0; i < 200; i++) /* falls or not: the joints follow their servos */
        step(stage, 1);
    assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &s), TR_OK);
    int knee = tr_model_find_body(model, "lshank");
    assert_true(tr_quat_log(s.pose.joint[knee]).y > 0.08); /* 1.5 times 0.1 rad, less its load */
    const double beyond[11] = {[0] = 2.1};
    assert_int_equal(tr_stage_set_parameter(stage, id, "action", beyond, 11, &error),
                     TR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "action: 2.1; expected -2 to 2");
}

TEST(a_mirrored_policy_does_the_mirror_image) {
    const tr_model *model = *given;
    OWN(tr_controller) *left = make(model), *right = NULL;
    add_ground(agent_of(left), model);
    assert_int_equal(tr_controller_mirror(left, model, &right), TR_OK);
    tr_entity_id id[2];
    tr_world_def nowhere =
        tr_world_def_default(); /* contacts are solved in an order, not mirrored */
    nowhere.ground = false;
    tr_stage *stage[2] = {stage_in(nowhere, model, left, &id[0]),
                          stage_in(nowhere, model, right, &id[1])};
    tr_state at[2];
    for (int i = 0; i < 2; i++) {
        /* A block ahead that is not touched, to the left and to the right. */
        const tr_scenery_def block = {
            .size = {0.1, 0.15, 0.1}, .pos = {0.8, i == 0 ? 0.3 : -0.3, -0.4}, .rot = {1, 0, 0, 0}};
        assert_int_equal(tr_world_add_scenery(tr_stage_world(stage[i]), &block, NULL), TR_OK);
        step(stage[i], 40);
        assert_int_equal(tr_world_get_state(tr_stage_world(stage[i]), id[i], &at[i]), TR_OK);
    }
    tr_state image = tr_state_mirror(model, &at[1]);
    assert_true(puppet_distance(model, &at[0], &image) < 1e-4);
    assert_true(puppet_distance(model, &at[0], &at[1]) > 1e-3);
    for (int i = 0; i < 2; i++)
        tr_stage_destroy(stage[i]);
}

static void expect_refused(const tr_controller *controller, const tr_model *model,
                           const char *expected) {
    tr_error error = {0};
    assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
    if (!strstr(error.message, expected))
        fail_msg("'%s': expected '%s'", error.message, expected);
}

TEST(malformed_content_is_refused) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    tr_agent *agent = agent_of(controller), whole = *agent;
    const double weight = agent->network.weight[0];
    agent->period_steps = 0;
    expect_refused(controller, model, "period_steps: 0; expected 1 to 200");
    *agent = whole;
    strcpy(agent->gain_set, "c");
    expect_refused(controller, model, "gains: the model has no set 'c'");
    *agent = whole;
    agent->joint[1] = agent->joint[0];
    expect_refused(controller, model, "joint 1");
    *agent = whole;
    agent->action_limit = 0;
    expect_refused(controller, model, "action_limit");
    *agent = whole;
    agent->observation.row[1] = agent->observation.row[0];
    expect_refused(controller, model, "'root_height' twice");
    *agent = whole;
    agent->observation.count--;
    expect_refused(controller, model, "a network of 130 inputs and 11 outputs");
    *agent = whole;
    agent->spread[3] = 0;
    expect_refused(controller, model, "input 3");
    *agent = whole;
    agent->network.weight[0] = (double)NAN;
    expect_refused(controller, model, "weight 0 is not finite");
    agent->network.weight[0] = weight;
}

TEST(a_policy_has_its_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    tr_agent *agent = agent_of(controller);
    tr_random random = tr_random_seed(8);
    agent->input_limit = 2;
    agent->action_limit = 0.8;
    for (int i = 0; i < agent->network.width[0]; i++) {
        agent->mean[i] = drawn(&random, 0.3);
        agent->spread[i] = 1 + drawn(&random, 0.5);
    }
    for (int i = 0; i < agent->action_size; i++)
        agent->scale[i] += drawn(&random, 0.05);
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 400,
                              .content = 0x2d2812e03c706e67ULL,
                              .motion = 0x731267dedee1a0f4ULL,
                              .refusals = 0x19dc3eeff6be96eaULL});
}

/* Remembers five numbers. */
static void add_memory(tr_agent *agent) {
    tr_perceptron shape = agent->network;
    agent->memory = 5;
    shape.width[0] += agent->memory;
    shape.width[shape.layers] += 2 * agent->memory;
    tr_perceptron_deinit(&agent->network);
    assert_int_equal(tr_perceptron_init(&agent->network, &shape), TR_OK);
    draw_weights(&agent->network, 0.3);
}

TEST(a_policy_with_memory_has_its_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    add_memory(agent_of(controller));
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 400,
                              .content = 0x321b340cb5d8e5b8ULL,
                              .motion = 0xa14eb530e82947d1ULL,
                              .refusals = 0x00d71419bc84ddb8ULL});
    agent_of(controller)->memory = 4;
    expect_refused(controller, model,
                   "a network of 132 inputs and 11 outputs, or of n and 2 n more");
    agent_of(controller)->memory = 5;
}

TEST(bounds_of_a_policy_are_golden) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    tr_agent *agent = agent_of(controller);
    const int last = agent->network.width[0] - 1;
    const bits_subject subject = {controller, model};
    const bits_number numbers[] = {
        BITS_REAL(agent->input_limit),
        BITS_REAL(agent->action_limit),
        BITS_REAL(agent->scale[agent->action_size - 1]),
        BITS_REAL(agent->mean[last]),
        BITS_REAL(agent->spread[last]),
        BITS_REAL(agent->network.weight[7]),
        BITS_REAL(agent->start[3].root_vel.y),
        BITS_INT(agent->period_steps, -2, TR_AGENT_PERIOD_MAX + 2),
        BITS_INT(agent->action_size, 0, TR_AGENT_ACTION_MAX + 2),
        BITS_INT(agent->joint_count, -1, 32),
        BITS_INT(agent->joint[0], -2, 32),
        BITS_INT(agent->joint[4], -2, 32),
        BITS_INT(agent->observation.count, -1, TR_OBSERVATION_ROWS),
        BITS_INT(agent->body_count, 0, 32),
        BITS_INT(agent->entry_count, 0, 4),
        BITS_INT(agent->network.layers, -1, TR_PERCEPTRON_LAYER_MAX + 1)};
    bits_check_bounds(numbers, sizeof numbers / sizeof *numbers, bits_accepts_controller, &subject,
                      0x9c5b1c1325913d58ULL);
}

/* All joints, the longest period, as many entries as there may be. */
TEST(the_largest_policy_is_kept) {
    const tr_model *model = *given;
    tr_agent *agent = NULL;
    OWN(tr_controller) *controller = NULL, *copy = NULL;
    tr_error error = {0};
    assert_int_equal(tr_agent_create(model, TR_DRIVER_ENTRY_MAX, &agent), TR_OK);
    agent->period_steps = TR_AGENT_PERIOD_MAX;
    for (int b = 1; b < model->body_count; b++)
        agent->joint[agent->joint_count++] = b;
    agent->action_size = tr_agent_count_actions(model, agent->joint, agent->joint_count);
    agent->observation.row[agent->observation.count++] = TR_SEES_FACING;
    tr_perceptron shape = {.layers = TR_PERCEPTRON_LAYER_MAX};
    for (int l = 1; l < shape.layers; l++)
        shape.width[l] = 2;
    shape.width[0] = tr_observation_size(&agent->observation, model->body_count);
    shape.width[shape.layers] = agent->action_size;
    assert_int_equal(tr_perceptron_init(&agent->network, &shape), TR_OK);
    assert_int_equal(tr_agent_controller_create(model, 0.005, agent, &controller), TR_OK);
    strcpy(controller->name, "large");
    strcpy(controller->skill, "stand");
    if (tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(agent_of(copy)->joint_count, model->body_count - 1);
    assert_int_equal(agent_of(copy)->entry_count, TR_DRIVER_ENTRY_MAX);
    assert_true(tr_controller_hash(copy, model) == tr_controller_hash(controller, model));
}

/* One joint, one entry. */
TEST(the_smallest_policy_is_kept) {
    const tr_model *model = *given;
    tr_agent *agent = NULL;
    OWN(tr_controller) *controller = NULL, *copy = NULL;
    assert_int_equal(tr_agent_create(model, 1, &agent), TR_OK);
    agent->period_steps = 1;
    agent->joint[agent->joint_count++] = tr_model_find_body(model, "lshank");
    agent->action_size = tr_agent_count_actions(model, agent->joint, agent->joint_count);
    tr_perceptron shape = {.layers = 1};
    shape.width[0] = tr_observation_size(&agent->observation, model->body_count);
    shape.width[1] = agent->action_size;
    assert_int_equal(tr_perceptron_init(&agent->network, &shape), TR_OK);
    assert_int_equal(tr_agent_controller_create(model, 0.005, agent, &controller), TR_OK);
    strcpy(controller->name, "small");
    strcpy(controller->skill, "stand");
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(agent_of(copy)->joint_count, 1);
    assert_true(tr_controller_hash(copy, model) == tr_controller_hash(controller, model));
}

TEST(activations_are_found_by_their_names) {
    for (int i = 0; i < TR_ACTIVATION_COUNT; i++) {
        tr_activation found = TR_ACTIVATION_COUNT;
        assert_true(tr_activation_find(tr_activation_name((tr_activation)i), &found));
        assert_int_equal(found, i);
    }
    tr_activation none;
    assert_false(tr_activation_find("sigmoid", &none));
}

SUITE_FIXTURE(puppet_load, puppet_unload);
