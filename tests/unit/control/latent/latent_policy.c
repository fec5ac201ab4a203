/* controllers/control/latent/latent_policy.h, latent_task.h, goal_grid.h: candidates lie on their
 * ring, values are interpolated, decisions follow them. */
#include "cmocka_test.h"

#include "control/latent/latent_policy.h"
#include "unit/control/bits.h"
#include "unit/control/latent/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_latent_space, space);

BEFORE_ALL() {
    model = loops_model();
    space = loops_make(model);
}

static tr_latent_task heading_task(void) {
    return (tr_latent_task){
        .kind = TR_LATENT_HEADING,
        .sharpness = 3,
        .speed_width_mps = 0.5,
        .grid = {2, {{-TR_PI, TR_PI, 24, true}, {1.5, 2.5, 1, false}}},
    };
}

static tr_latent_choice usual_choice(void) {
    return (tr_latent_choice){.discount = 0.95,
                              .ring = 0.75,
                              .dynamics_weight = 0.04,
                              .variance_weight = 0.04,
                              .step_weight = 1,
                              .ring_count = 16,
                              .neighbour_count = 4};
}

static tr_latent_policy *make_policy(const tr_latent_choice *choice, const tr_latent_task *task) {
    enum { FRAMES = LOOP_FRAMES * LOOP_COUNT };
    double rows[FRAMES][2 * LOOP_DIMENSION];
    tr_latent_policy *policy = NULL;
    for (int i = 0; i < FRAMES; i++) {
        tr_latent_state state = tr_latent_space_state(space, i);
        tr_latent_policy_row(choice, LOOP_DIMENSION, &state, rows[i]);
    }
    assert_int_equal(
        tr_latent_policy_create(choice, task, LOOP_DIMENSION, FRAMES, rows[0], &policy), TR_OK);
    assert_true(tr_latent_policy_fits(policy, space, model));
    return policy;
}

/* --- grid --- */

TEST(test_grid_interpolates_between_cells_and_around_the_period) {
    const tr_goal_grid grid = {2, {{-TR_PI, TR_PI, 8, true}, {1, 3, 5, false}}};
    assert_true(tr_goal_grid_fits(&grid));
    assert_int_equal(tr_goal_grid_cells(&grid), 40);
    double value[40];
    for (int c = 0; c < 40; c++) {
        tr_goal goal = tr_goal_grid_goal(&grid, c);
        value[c] = tr_cos(goal.value[0]) + 10 * goal.value[1];
    }
    const tr_goal goals[] = {
        {{-TR_PI, 1}}, {{TR_PI - 0.1, 1.7}}, {{0.3, 3}}, {{0.3, 9}}, {{7, -5}}};
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        tr_goal_corners corners = tr_goal_grid_corners(&grid, &goals[i]);
        double sum = 0, weight = 0, clamped = fmin(fmax(goals[i].value[1], 1), 3);
        for (int c = 0; c < TR_GOAL_CORNERS; c++) {
            assert_true(corners.cell[c] >= 0 && corners.cell[c] < 40);
            assert_true(corners.weight[c] >= 0);
            sum += corners.weight[c] * value[corners.cell[c]];
            weight += corners.weight[c];
        }
        assert_true(fabs(weight - 1) < 1e-12);
        assert_true(fabs(sum - tr_cos(goals[i].value[0]) - 10 * clamped) < 0.09);
    }
}

TEST(test_grid_gives_the_cells_own_value_at_a_cell) {
    const tr_goal_grid grid = {2, {{-TR_PI, TR_PI, 7, true}, {0.4, 1.2, 9, false}}};
    for (int cell = 0; cell < 63; cell++) {
        tr_goal goal = tr_goal_grid_goal(&grid, cell);
        tr_goal_corners corners = tr_goal_grid_corners(&grid, &goal);
        double weight = 0;
        for (int c = 0; c < TR_GOAL_CORNERS; c++)
            weight += corners.cell[c] == cell ? corners.weight[c] : 0;
        assert_true(weight > 1 - 1e-9);
    }
}

/* --- tasks --- */

TEST(test_heading_rewards_direction_and_speed) {
    tr_latent_task task = heading_task();
    const tr_goal goal = {{0.5, 1.5}};
    tr_latent_outcome o = {.root = {0.1, 0.05 * tr_cos(0.5), 0.05 * tr_sin(0.5)}};
    assert_true(fabs(tr_latent_task_reward(&task, 1.0 / 30, &o, &goal) - 1) < 1e-9);
    o.root.forward = o.root.left = 1e-5;
    double slow = tr_latent_task_reward(&task, 1.0 / 30, &o, &goal);
    assert_true(slow < 0.02);
    task.speed_width_mps = 0;
    double any = tr_latent_task_reward(&task, 1.0 / 30, &o, &goal);
    assert_true(fabs(any - exp(-3 * (TR_PI / 4 - 0.5))) < 1e-9);
    tr_goal moved = tr_latent_task_moved(&task, &o.root, &goal);
    assert_true(fabs(moved.value[0] - 0.4) < 1e-12 && moved.value[1] == 1.5);
}

TEST(test_target_keeps_its_place_in_the_world) {
    tr_latent_task task = heading_task();
    task.kind = TR_LATENT_TARGET;
    task.height_m = 1.2;
    tr_pose_place place = {1, 2, 0.7};
    const tr_root_step step = {0.3, 0.2, -0.1};
    tr_goal goal = {{0.4, 0.9}};
    double x = place.x + 0.9 * cos(0.7 + 0.4), y = place.y + 0.9 * sin(0.7 + 0.4);
    for (int i = 0; i < 5; i++) {
        goal = tr_latent_task_moved(&task, &step, &goal);
        place = tr_pose_place_moved(&place, &step);
        double angle = place.heading_rad + goal.value[0];
        assert_true(fabs(place.x + goal.value[1] * cos(angle) - x) < 1e-9);
        assert_true(fabs(place.y + goal.value[1] * sin(angle) - y) < 1e-9);
    }
}

TEST(test_target_rewards_a_quick_hit) {
    tr_latent_task task = heading_task();
    task.kind = TR_LATENT_TARGET;
    task.height_m = 1.2;
    task.speed_mps = 1;
    const tr_goal goal = {{0, 0.8}};
    tr_latent_outcome o = {.body_pos = {0.8, 0, 1.2}, .body_speed_mps = 2};
    assert_true(tr_latent_task_reward(&task, 1.0 / 30, &o, &goal) > 1 - 1e-9);
    o.body_pos.z = 1.3;
    assert_true(fabs(tr_latent_task_reward(&task, 1.0 / 30, &o, &goal) - exp(-0.3)) < 1e-9);
    o.body_speed_mps = task.speed_mps; /* just fast enough */
    assert_true(tr_latent_task_reward(&task, 1.0 / 30, &o, &goal) > 0.5);
    o.body_speed_mps = 0.9;
    assert_true(tr_latent_task_reward(&task, 1.0 / 30, &o, &goal) == 0);
}

/* --- policy --- */

static double length_of(const double *a, const double *b) {
    double sum = 0;
    for (int d = 0; d < LOOP_DIMENSION; d++)
        sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sqrt(sum);
}

static void check_ring(bool by_variance) {
    tr_latent_choice choice = usual_choice();
    tr_latent_task task = heading_task();
    choice.ring_variance = by_variance;
    OWN(tr_latent_policy) *policy = make_policy(&choice, &task);
    tr_latent_candidate candidate[TR_LATENT_ACTION_MAX];
    tr_latent_state state = tr_latent_space_state(space, LOOP_FRAMES + 8);
    double next[TR_LATENT_DIMENSION_MAX], variance;
    tr_latent_space_dynamics(space, &state, next, &variance);
    double radius = sqrt(-log(0.75) * (by_variance ? variance : sqrt(variance)));
    int count = tr_latent_policy_candidates(policy, space, model, &state, candidate);
    assert_true(count > 10 && count <= 17);
    assert_true(length_of(candidate[0].state.x, next) == 0);
    for (int i = 1; i < count; i++) {
        const double *x = candidate[i].state.x;
        double across = 0;
        for (int d = 0; d < LOOP_DIMENSION; d++)
            across += (x[d] - next[d]) * (next[d] - state.x[d]);
        assert_true(fabs(across) < 1e-9);
        assert_true(fabs(length_of(x, next) - radius) < 1e-9);
        assert_true(candidate[i].quality < candidate[0].quality + 0.05);
    }
}

TEST(test_without_a_ring_the_dynamics_alone_are_a_candidate) {
    tr_latent_choice choice = usual_choice();
    tr_latent_task task = heading_task();
    choice.ring_count = 0;
    OWN(tr_latent_policy) *policy = make_policy(&choice, &task);
    tr_latent_candidate candidate[TR_LATENT_ACTION_MAX];
    tr_latent_state at = tr_latent_space_state(space, 8);
    assert_int_equal(tr_latent_policy_candidates(policy, space, model, &at, candidate), 1);
}

TEST(test_candidates_lie_on_a_ring_across_the_movement) {
    check_ring(false);
    check_ring(true);
}

TEST(test_value_at_a_sample_is_its_own) {
    tr_latent_choice choice = usual_choice();
    tr_latent_task task = heading_task();
    OWN(tr_latent_policy) *policy = make_policy(&choice, &task);
    for (int i = 0; i < policy->sample_count; i++)
        for (int c = 0; c < policy->cell_count; c++)
            policy->value[i * policy->cell_count + c] = i + 0.01 * c;
    tr_latent_state at = tr_latent_policy_sample(policy, 31);
    tr_goal goal = tr_goal_grid_goal(&task.grid, 5);
    assert_true(fabs(tr_latent_policy_value(policy, &at, &goal) - 31.05) < 1e-4);
    tr_latent_neighbours near = tr_latent_policy_neighbours(policy, &at);
    assert_int_equal(near.count, 4);
    assert_int_equal(near.index[0], 31);
    assert_true(near.weight[0] > 0.999);
}

/* Values that are high on the upper loop draw the policy there. */
TEST(test_decisions_climb_to_high_values) {
    tr_latent_choice choice = usual_choice();
    tr_latent_task task = heading_task();
    task.sharpness = 0;
    task.speed_width_mps = 0;
    OWN(tr_latent_policy) *policy = make_policy(&choice, &task);
    for (int i = 0; i < policy->sample_count; i++)
        for (int c = 0; c < policy->cell_count; c++)
            policy->value[i * policy->cell_count + c] =
                100 * tr_latent_policy_sample(policy, i).x[2];
    tr_latent_state at = tr_latent_space_state(space, 3);
    tr_goal goal = {{0, 1.5}};
    double turned = 0;
    for (int i = 0; i < 60; i++) {
        tr_latent_decision d = tr_latent_policy_decide(policy, space, model, &at, &goal);
        at = d.next.state;
        goal = d.goal;
        turned += i >= 40 ? d.next.outcome.root.turn_rad : 0;
    }
    assert_true(at.x[2] > 0.25);
    assert_true(turned > 20 * 0.8 * LOOP_TURN);
}

TEST(test_policy_returns_from_its_section) {
    tr_latent_choice choice = usual_choice();
    tr_latent_task task = heading_task();
    choice.step_weight = 0.3;
    tr_latent_policy *policy = make_policy(&choice, &task), *again = NULL;
    tr_sections sections = {0};
    tr_error error = {0};
    size_t values = (size_t)policy->sample_count * (size_t)policy->cell_count;
    for (size_t i = 0; i < values; i++)
        policy->value[i] = sin((double)i);
    assert_int_equal(tr_latent_policy_save(policy, &sections, &error), TR_OK);
    assert_int_equal(tr_latent_policy_load(&sections, space, model, &again, &error), TR_OK);
    assert_memory_equal(policy->value, again->value, values * sizeof *policy->value);
    assert_memory_equal(policy->sample, again->sample,
                        2 * LOOP_DIMENSION * (size_t)policy->stride * sizeof *policy->sample);
    assert_true(again->task.kind == TR_LATENT_HEADING && again->task.grid.axis[0].periodic);
    tr_latent_policy_destroy(again);
    tr_sections_deinit(&sections);
    tr_latent_policy_destroy(policy);
}

TEST(test_bad_choices_are_refused) {
    double rows[20][2 * LOOP_DIMENSION] = {{0}};
    tr_latent_task task = heading_task();
    tr_latent_policy *policy = NULL;
    tr_latent_choice choice = usual_choice();
    choice.discount = 1;
    assert_int_equal(tr_latent_policy_create(&choice, &task, 3, 20, rows[0], &policy),
                     TR_INVALID_ARGUMENT);
    choice = usual_choice();
    choice.neighbour_count = TR_LATENT_NEIGHBOUR_MAX + 1;
    assert_int_equal(tr_latent_policy_create(&choice, &task, 3, 20, rows[0], &policy),
                     TR_INVALID_ARGUMENT);
    choice = usual_choice();
    assert_int_equal(tr_latent_policy_create(&choice, &task, 3, 16, rows[0], &policy),
                     TR_INVALID_ARGUMENT);
    task.grid.axis[0].cells = 0;
    assert_int_equal(tr_latent_policy_create(&choice, &task, 3, 20, rows[0], &policy),
                     TR_INVALID_ARGUMENT);
    assert_null(policy);
}

typedef struct policy_def {
    tr_latent_choice choice;
    tr_latent_task task;
    int dimension, sample_count;
} policy_def;

static bool policy_is_made(const void *context) {
    static double rows[20][2 * TR_LATENT_DIMENSION_MAX];
    const policy_def *def = context;
    tr_latent_policy *made = NULL;
    if (tr_latent_policy_create(&def->choice, &def->task, def->dimension, def->sample_count,
                                rows[0], &made))
        return false;
    const bool fits = tr_latent_policy_fits(made, space, model);
    tr_latent_policy_destroy(made);
    return fits;
}

TEST(bounds_of_a_policy_are_golden) {
    policy_def def = {usual_choice(), heading_task(), LOOP_DIMENSION, 20};
    tr_latent_choice *choice = &def.choice;
    tr_goal_axis *axis = def.task.grid.axis;
    const bits_number numbers[] = {
        BITS_REAL(choice->discount),
        BITS_REAL(choice->ring),
        BITS_REAL(choice->dynamics_weight),
        BITS_REAL(choice->variance_weight),
        BITS_REAL(choice->slip_weight),
        BITS_REAL(choice->step_weight),
        BITS_REAL(axis[0].low),
        BITS_REAL(axis[1].high),
        BITS_REAL(def.task.sharpness),
        BITS_REAL(def.task.speed_width_mps),
        BITS_REAL(def.task.speed_mps),
        BITS_REAL(def.task.height_m),
        BITS_INT(choice->ring_count, -2, TR_LATENT_RING_MAX + 2),
        BITS_INT(choice->neighbour_count, -2, TR_LATENT_NEIGHBOUR_MAX + 2),
        BITS_INT(axis[0].cells, -1, 40),
        BITS_INT(def.task.grid.axis_count, -1, 2),
        BITS_INT(def.dimension, -1, TR_LATENT_DIMENSION_MAX + 2),
        BITS_INT(def.sample_count, -1, 20),
        BITS_INT(def.task.body, -2, 32)};
    bits_check_bounds(numbers, sizeof numbers / sizeof *numbers, policy_is_made, &def,
                      0x0cd9f788ed2e8a18ULL);
}
