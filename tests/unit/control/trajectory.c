#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "control/trajectory.h"
#include "unit/control/puppet.h"

#include "model/mjcf.h"

static void keeps_every_nth_pose_up_to_its_limit(void **fixture) {
    const tr_model *model = *fixture;
    tr_trajectory *trajectory = NULL;
    tr_world *world = puppet_void();
    tr_pose rest = tr_pose_rest(model);
    tr_state state = tr_state_at_rest(model, &rest);
    tr_entity_id id;
    assert_int_equal(tr_world_add_character(world, model, &state, &id), TR_OK);
    assert_int_equal(tr_trajectory_create(3, 100, &trajectory), TR_OK);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(tr_trajectory_record(trajectory, world, id), TR_OK);
        assert_int_equal(tr_world_step(world), TR_OK);
    }
    assert_int_equal(tr_trajectory_record(trajectory, world, id), TR_RESOURCE_EXHAUSTED);
    int count = 0;
    const tr_pose *pose = tr_trajectory_poses(trajectory, &count);
    const double *time_s = tr_trajectory_times_s(trajectory);
    assert_int_equal(count, 100);
    for (int i = 0; i < count; i++) {
        double t = 3 * i * 0.005; /* symplectic: z falls by g h^2 n (n + 1) / 2 */
        assert_near(time_s[i], t, 1e-12);
        double fall = 9.81 * t * (t + 0.005) / 2;
        assert_near(pose[i].root_pos.z, rest.root_pos.z - fall, 1e-6);
    }
    tr_trajectory_clear(trajectory);
    assert_int_equal(tr_trajectory_record(trajectory, world, id), TR_OK);
    tr_trajectory_poses(trajectory, &count);
    assert_int_equal(count, 1);
    assert_int_equal(tr_trajectory_record(trajectory, world, id + 12345), TR_NOT_FOUND);
    tr_trajectory_destroy(trajectory);
    tr_world_destroy(world);
}

static void limits_are_checked(void **fixture) {
    (void)fixture;
    tr_trajectory *trajectory = NULL;
    assert_int_equal(tr_trajectory_create(0, 10, &trajectory), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_trajectory_create(1, 0, &trajectory), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_trajectory_create(1, TR_TRAJECTORY_POSE_MAX + 1, &trajectory),
                     TR_INVALID_ARGUMENT);
    assert_null(trajectory);
    tr_trajectory_destroy(NULL);
}

static int set_up(void **fixture) {
    *fixture = puppet_model();
    return 0;
}

static int tear_down(void **fixture) {
    tr_model_destroy(*fixture);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_every_nth_pose_up_to_its_limit),
        cmocka_unit_test(limits_are_checked),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
