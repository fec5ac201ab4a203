#include "cmocka_test.h"

#include "learn/rehearsal/travel.h"
#include "model/mjcf.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

#include <math.h>

/* A reference that moves by (x, y) m in each fragment. */
static void move(tr_controller *controller, double x, double y) {
    for (int k = 0; k < tr_controller_bank(controller)->fragment_count; k++) {
        tr_vec3 *end = &tr_controller_bank(controller)->fragment[k].end.pose.root_pos;
        end->x = x;
        end->y = y;
    }
}

TEST(direction_is_the_nearest_quarter_turn) {
    OWN(tr_model) *model = sway_model();
    OWN(tr_controller) *c = sway_stander(model, false);
    const double ways[][3] = {{0.1, 0.05, 0},        {-0.1, 0.05, TR_PI},  {0.05, 0.1, TR_PI / 2},
                              {0, -0.1, -TR_PI / 2}, {-0.0002, 0.0001, 0}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        move(c, ways[i][0], ways[i][1]);
        assert_near(tr_travel_direction(c), ways[i][2], 0);
    }
    move(c, -0.1, 0);
    double fragment_s = tr_controller_bank(c)->fragment[0].steps * c->step_s;
    assert_near(tr_travel_way(c, TR_PI, 3), 0.3 / fragment_s, 1e-9);
}

TEST(a_backward_walker_is_turned_about) {
    OWN(tr_model) *model = sway_model();
    tr_pose pose = tr_pose_rest(model);
    tr_state rest = tr_state_at_rest(model, &pose), same, turned;
    rest.root_vel.x = -1;
    same = tr_travel_along_x(&rest, 0);
    assert_memory_equal(&same, &rest, sizeof rest);
    turned = tr_travel_along_x(&rest, TR_PI);
    assert_near(turned.root_vel.x, 1, 1e-12);
    assert_near(fabs(tr_quat_heading(turned.pose.root_rot)), TR_PI, 1e-9);
    turned = tr_travel_along_x(&rest, TR_PI / 2);
    assert_near(tr_quat_heading(turned.pose.root_rot), -TR_PI / 2, 1e-9);
}
