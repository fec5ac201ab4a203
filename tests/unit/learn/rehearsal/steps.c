#include "cmocka_test.h"

#include "learn/reconstruct/reconstruct.h"
#include "model/mjcf.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

static double height_at(const tr_world *world, double x) {
    tr_ground under;
    assert_true(tr_world_ground(world, (tr_vec3){x, 1, 5}, &under));
    return under.height;
}

TEST(steps_lie_from_edge_to_edge) {
    tr_steps steps;
    OWN(tr_world) *world = NULL;
    tr_world_def def = tr_world_def_default();
    assert_int_equal(tr_steps_read("-1:0.2,0.5:0.45,1:0", &steps, NULL), TR_OK);
    assert_int_equal(steps.count, 3);
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    assert_int_equal(tr_steps_lay(&steps, world), TR_OK);
    const double expected[][2] = {{-1.1, 0}, {-0.9, 0.2}, {0.4, 0.2}, {0.6, 0.45}, {1.1, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_near(height_at(world, expected[i][0]), expected[i][1], 1e-9);
}

TEST(other_text_is_no_steps) {
    const char *const bad[] = {"",
                               "1",
                               "1:",
                               "1:0.2,",
                               "1:0.2,1:0.3",
                               "1:-0.1",
                               "1:0.2 2:1",
                               "1:0.2,x:0.3",
                               "200:0.1",
                               "1:nan",
                               "1:0,2:0,3:0,4:0,5:0,6:0,7:0,8:0,9:0,10:0,11:0,12:0,13:0,14:0,15:0,"
                               "16:0,17:0"};
    tr_steps steps;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(tr_steps_read(bad[i], &steps, NULL), TR_INVALID_ARGUMENT);
}

TEST(what_is_printed_is_read_again) {
    char text[TR_STEPS_TEXT_MAX];
    tr_steps steps, again;
    assert_int_equal(
        tr_steps_read("-99.123456789012345:0.1,0.3333333333333333:1e-5,1:0", &steps, NULL), TR_OK);
    tr_steps_print(&steps, text);
    assert_int_equal(tr_steps_read(text, &again, NULL), TR_OK);
    assert_memory_equal(&steps, &again, sizeof steps);
    steps.count = 0;
    tr_steps_print(&steps, text);
    assert_string_equal(text, "");
}

/* Fragments that the first trial passes. */
static int passed(const tr_model *model, const tr_motion *motion, const tr_steps *steps) {
    tr_reconstruct_amounts amounts = tr_reconstruct_amounts_default();
    tr_reconstruct_def def = {
        .model = model, .motion = motion, .threads = 2, .steps = *steps, .amounts = &amounts};
    OWN(tr_reconstruction) *r = NULL;
    tr_parameter_reset(&tr_reconstruct_parameter_table, &def.parameters);
    def.parameters.samples = 24;
    amounts.omega_rad = 0.05;
    assert_int_equal(tr_reconstruct_create(&def, &r, NULL), TR_OK);
    assert_int_equal(tr_reconstruct_advance(r, NULL), TR_OK);
    int reached = r->progress.reached;
    return reached;
}

/* 1 m above the plane it falls. */
TEST(a_motion_on_a_step_needs_the_step) {
    OWN(tr_model) *model = sway_model();
    OWN(tr_motion) *motion = sway_motion(model, false);
    tr_steps none = {0}, step;
    assert_int_equal(tr_steps_read("-1:1", &step, NULL), TR_OK);
    for (int i = 0; i < motion->frame_count; i++)
        motion->poses[i].root_pos.z += 1;
    assert_true(passed(model, motion, &step) >= 6);
    assert_true(passed(model, motion, &none) <= 4);
}
