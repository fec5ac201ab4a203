#include "cmocka_test.h"

#include "learn/gait/gait_haul.h"
#include "model/mjcf.h"
#include "unit/control/puppet.h"

static tr_gait *published(const tr_model *model) {
    tr_gait_curve curve;
    tr_gait *gait = NULL;
    const tr_gait_def def = {.force = &curve, .own_mps = 0.4};
    assert_int_equal(tr_gait_curve_init(&curve, 0, 0, 1), TR_OK);
    tr_gait_parameters_published(curve.row[0]);
    assert_int_equal(tr_gait_create(model, &def, &gait, NULL), TR_OK);
    tr_gait_curve_deinit(&curve);
    return gait;
}

TEST(a_light_box_is_pushed_the_same_way_each_time) {
    OWN(tr_model) *model = puppet_model();
    OWN(tr_gait) *gait = published(model);
    tr_gait_haul_def def = tr_gait_haul_default();
    tr_gait_haul_outcome one, two;
    def.walkers = 2;
    def.mass_kg = 5;
    def.gap_m = 0.4;
    def.duration_s = 3;
    assert_int_equal(tr_gait_haul(gait, model, &def, &one), TR_OK);
    assert_int_equal(tr_gait_haul(gait, model, &def, &two), TR_OK);
    assert_true(one.way_m == two.way_m && one.survived_s == two.survived_s);
    assert_true(one.yaw_rad == two.yaw_rad && one.fell == two.fell);
    assert_true(one.way_m > 0.1);
    assert_true(one.survived_s > 0.5);
    def.seed++;
    assert_int_equal(tr_gait_haul(gait, model, &def, &two), TR_OK);
    assert_true(one.way_m != two.way_m);
}

TEST(the_number_of_walkers_is_checked) {
    OWN(tr_model) *model = puppet_model();
    OWN(tr_gait) *gait = published(model);
    tr_gait_haul_def def = tr_gait_haul_default();
    tr_gait_haul_outcome out;
    def.walkers = TR_GAIT_HAUL_WALKERS_MAX + 1;
    assert_int_equal(tr_gait_haul(gait, model, &def, &out), TR_INVALID_ARGUMENT);
    def.walkers = 0;
    assert_int_equal(tr_gait_haul(gait, model, &def, &out), TR_INVALID_ARGUMENT);
}

BEFORE_ALL() {
    tr_physics_init();
}
