#include "cmocka_test.h"

#include "learn/measure/ground_test.h"
#include "unit/learn/near.h"
#include "unit/learn/sway_suite.h"

#include <math.h>

/* The height of the ground at (x, y), laid in a world without the plane. */
static double height(const tr_trial_ground *ground, double x, double y) {
    OWN(tr_world) *world = NULL;
    tr_world_def def = tr_world_def_default();
    tr_ground under;
    uint32_t id;
    def.ground = false;
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    assert_int_equal(tr_trial_ground_lay(ground, world), TR_OK);
    assert_true(tr_world_ground(world, (tr_vec3){x, y, ground->level_m + 10}, &under));
    tr_trial_ground_lift(world);
    assert_int_equal(tr_world_scenery(world, &id, 1), 0);
    return under.height - ground->level_m;
}

static tr_trial_ground of(tr_trial_ground_kind kind, double amount) {
    return (tr_trial_ground){
        .kind = kind, .amount = amount, .level_m = 20, .side_m = 40, .kerb_m = 3, .seed = 5};
}

TEST(grounds_are_what_their_names_say) {
    const double rise = tan(5 * TR_PI / 180);
    tr_trial_ground g = of(TR_TRIAL_GROUND_UP, 5);
    assert_near(height(&g, 0, 0), 0, 1e-9);
    assert_near(height(&g, 4, 1), 4 * rise, 1e-9);
    g.kind = TR_TRIAL_GROUND_DOWN;
    assert_near(height(&g, 4, 1), -4 * rise, 1e-9);
    g.kind = TR_TRIAL_GROUND_ACROSS;
    assert_near(height(&g, 4, 1), rise, 1e-9);
    g = of(TR_TRIAL_GROUND_KERB_UP, 0.1);
    assert_near(height(&g, 2.9, 1), 0, 1e-9);
    assert_near(height(&g, 3.1, 1), 0.1, 1e-9);
    g.kind = TR_TRIAL_GROUND_KERB_DOWN;
    assert_near(height(&g, 2.9, 1), 0, 1e-9);
    assert_near(height(&g, 3.1, 1), -0.1, 1e-9);
    g = of(TR_TRIAL_GROUND_BUMP, 0.06);
    assert_near(height(&g, 2.9, 1), 0, 1e-9);
    assert_near(height(&g, 3.05, 1), 0.06, 1e-9);
    assert_near(height(&g, 3.2, 1), 0, 1e-9);
    g = of(TR_TRIAL_GROUND_ICE, 0.05);
    assert_near(height(&g, 2.9, 1), 0, 1e-9);
    assert_near(height(&g, 3.1, 1), 0, 1e-9);
    g = of(TR_TRIAL_GROUND_PLATFORM, 2);
    assert_near(height(&g, 5, 5), 2, 1e-9);
    assert_near(tr_trial_ground_height(&g), 22, 1e-9);
}

TEST(uneven_ground_differs_with_the_seed) {
    tr_trial_ground g = of(TR_TRIAL_GROUND_UNEVEN, 0.05);
    double one = height(&g, 6.1, 6.1);
    assert_near(height(&g, 0, 0), 0, 1e-9);
    assert_true(one >= 0 && one <= 0.05);
    assert_near(height(&g, 6.1, 6.1), one, 0);
    g.seed = 6;
    assert_true(height(&g, 6.1, 6.1) != one);
}

static int held_by(const tr_ground_test *test, int threads) {
    OWN(tr_pool) *pool = NULL;
    int count = -1;
    assert_int_equal(tr_pool_create(threads, &pool), TR_OK);
    assert_int_equal(tr_evaluate_ground(pool, model, stander, test, &count), TR_OK);
    return count;
}

static int held(int threads, tr_trial_ground_kind kind, double amount) {
    const tr_ground_test test = {kind, amount, 6, 2, 3, false};
    return held_by(&test, threads);
}

TEST(a_stander_stays_up_on_the_level_and_falls_on_a_steep_slope) {
    assert_int_equal(held(1, TR_TRIAL_GROUND_PLATFORM, 7), 6);
    assert_int_equal(held(3, TR_TRIAL_GROUND_PLATFORM, 7), 6);
    assert_int_equal(held(2, TR_TRIAL_GROUND_DOWN, 25), 0);
}

TEST(a_stander_does_not_get_beyond_a_bump) {
    tr_ground_test test = {TR_TRIAL_GROUND_BUMP, 0.01, 2, 1, 3, false};
    assert_int_equal(held_by(&test, 1), 2);
    test.beyond = true;
    assert_int_equal(held_by(&test, 1), 0);
}

TEST(a_test_without_trials_is_refused) {
    tr_ground_test test = {.kind = TR_TRIAL_GROUND_UP, .amount = 1, .seconds = 1};
    OWN(tr_pool) *pool = NULL;
    int count = -1;
    assert_int_equal(tr_pool_create(1, &pool), TR_OK);
    assert_int_equal(tr_evaluate_ground(pool, model, stander, &test, &count), TR_INVALID_ARGUMENT);
    assert_int_equal(count, -1);
}

SUITE_FIXTURE(load, unload);
