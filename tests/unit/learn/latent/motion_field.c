/* controllers/learn/latent/motion_field.h: values of a motion field, and a character that it
 * steers. */
#include "cmocka_test.h"

#include "learn/latent/motion_field.h"
#include "unit/control/latent/loops.h"

#include <math.h>

static tr_model *model;
static tr_latent_space *space;
static tr_pool *pool;

static const tr_latent_task task = {
    .kind = TR_LATENT_HEADING,
    .sharpness = 3,
    .grid = {.axis_count = 2, .axis = {{-TR_PI, TR_PI, 12, true}, {1.5, 2.5, 1, false}}}};

static int make(void **state) {
    (void)state;
    model = loops_model();
    space = loops_make(model);
    return tr_pool_create(2, &pool);
}

static int unmake(void **state) {
    (void)state;
    tr_pool_destroy(pool);
    tr_latent_space_destroy(space);
    tr_model_destroy(model);
    return 0;
}

static tr_motion_field *field_of(double discount, tr_pool *with) {
    const tr_motion_field_def def = {.model = model,
                                     .space = space,
                                     .task = &task,
                                     .discount = discount,
                                     .drift = 0.1,
                                     .pool = with};
    tr_motion_field *field = NULL;
    assert_int_equal(tr_motion_field_create(&def, &field), TR_OK);
    return field;
}

/* Walks towards a heading; returns how far off it is in the end, rad. */
static double walk(const tr_motion_field *field, int frame, double heading) {
    tr_motion_field_state at = tr_motion_field_begin(field, frame);
    double turned = 0, off = 0;
    for (int i = 0; i < 80; i++) {
        const tr_goal goal = {{tr_angle_wrap(heading - turned), 2}};
        const tr_root_step root = tr_motion_field_advance(field, &goal, &at);
        off = fabs(tr_angle_wrap(turned + atan2(root.left, root.forward) - heading));
        turned += root.turn_rad;
    }
    return off;
}

TEST(a_character_is_steered_to_either_side) {
    tr_motion_field *field = field_of(0.95, pool);
    for (int frame = 3; frame < LOOP_COUNT * LOOP_FRAMES; frame += LOOP_FRAMES)
        for (int side = -1; side <= 1; side += 2)
            assert_true(walk(field, frame, 2.0 * side) < 0.3);
    tr_motion_field_destroy(field);
}

/* Without a future a value is the best reward of one step: near 1 ahead, and near none behind. */
TEST(a_value_without_a_future_is_the_reward_of_a_step) {
    tr_motion_field *field = field_of(0, pool);
    const tr_motion_field_state at = tr_motion_field_begin(field, LOOP_FRAMES + 5);
    const double ahead = tr_motion_field_value(field, &at, &(tr_goal){{0, 2}}),
                 behind = tr_motion_field_value(field, &at, &(tr_goal){{TR_PI, 2}});
    assert_true(ahead > 0.6 && ahead <= 1);
    assert_true(behind >= 0 && behind < 0.01);
    tr_motion_field_destroy(field);
}

TEST(threads_change_no_bit) {
    tr_pool *one;
    assert_int_equal(tr_pool_create(1, &one), TR_OK);
    tr_motion_field *a = field_of(0.9, pool), *b = field_of(0.9, one);
    for (int frame = 0; frame < LOOP_COUNT * LOOP_FRAMES; frame += 7) {
        const tr_motion_field_state at = tr_motion_field_begin(a, frame);
        const tr_goal goal = {{0.1 * frame - 3, 2}};
        const double p = tr_motion_field_value(a, &at, &goal),
                     q = tr_motion_field_value(b, &at, &goal);
        assert_true(p > 0);
        assert_memory_equal(&p, &q, sizeof p);
    }
    tr_motion_field_destroy(a);
    tr_motion_field_destroy(b);
    tr_pool_destroy(one);
}

TEST(other_tasks_are_refused) {
    tr_latent_task target = task;
    target.kind = TR_LATENT_TARGET;
    const tr_motion_field_def def = {
        .model = model, .space = space, .task = &target, .discount = 0.9, .pool = pool};
    tr_motion_field *field = NULL;
    assert_int_equal(tr_motion_field_create(&def, &field), TR_INVALID_ARGUMENT);
    assert_null(field);
}

SUITE_FIXTURE(make, unmake);
