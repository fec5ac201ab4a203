/* Joints, boxes and sums side by side have the bits of one by one; a pair of shapes that is rejected
 * early is one in which ODE finds no contact. */
#include "cmocka_test.h"

#include "math/random.h"
#include "physics/collide/collider.h"
#include "physics/kernels/kernel.h"
#include "physics/spatial/rotation_lanes.h"
#include "physics/world/world.h"

enum { JOINTS = 6 }; /* the second four repeat the last */

static tr_vec3 vector(tr_random *r, double size) {
    double x = size * tr_random_normal(r), y = size * tr_random_normal(r);
    return (tr_vec3){x, y, size * tr_random_normal(r)};
}

TEST(joints_turn_as_one_by_one) {
    tr_random r = tr_random_seed(1);
    for (int round = 0; round < 2000; round++) {
        tr_quat q[JOINTS], expected[JOINTS];
        tr_vec3 rate[JOINTS];
        double size = round % 3 == 0 ? 300 : round % 3 == 1 ? 50 : 3;
        for (int i = 0; i < JOINTS; i++) {
            q[i] = tr_quat_exp(vector(&r, 1));
            rate[i] = vector(&r, size);
            expected[i] = tr_rotation_advance(q[i], rate[i], 0.005);
        }
        for (int i = 0; i < JOINTS; i += 4) {
            tr_lane_bodies at = tr_lane_bodies_from(i, JOINTS);
            tr_scatter_quat(
                q, at,
                tr_rotation_lanes_advance(tr_gather_quat(q, at), tr_gather_vec3(rate, at), 0.005));
        }
        assert_memory_equal(q, expected, sizeof q);
    }
}

TEST(a_vanished_quaternion_becomes_the_identity_in_its_lane) {
    tr_quat q[4] = {{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 1e-13, 0}};
    tr_lane_bodies at = tr_lane_bodies_from(0, 4);
    tr_scatter_quat(q, at, tr_quat_lanes_normalize(tr_gather_quat(q, at)));
    const tr_quat expected[4] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}};
    assert_memory_equal(q, expected, sizeof q);
}

/* Springs of a fan of joints, hinges and balls, near and far from their targets. */
TEST(springs_are_those_of_the_scalar_law) {
    static tr_tree tree;
    static tr_state pose;
    tr_random r = tr_random_seed(2);
    tree.count = JOINTS;
    tree.state = &pose;
    for (int round = 0; round < 2000; round++) {
        tr_quat target[JOINTS];
        double kp[JOINTS], kd[JOINTS], far = round % 2 ? 2 : 0.2;
        for (int i = 1; i < JOINTS; i++) {
            tr_vec3 axis = tr_vec3_normalize_or(vector(&r, 1), (tr_vec3){1, 0, 0});
            bool hinge = tr_random_uniform(&r) < 0.5;
            tr_vec3 turn =
                hinge ? tr_vec3_scale(axis, far * tr_random_normal(&r)) : vector(&r, far);
            tree.link[i] = (tr_tree_link){.dof = hinge ? 1 : 3, .axis = tr_v4_from(axis)};
            pose.pose.joint[i] = tr_quat_exp(tr_vec3_scale(turn, tr_random_uniform(&r)));
            target[i] = tr_quat_exp(turn);
            kp[i] = 300 * tr_random_uniform(&r);
            kd[i] = 30 * tr_random_uniform(&r);
        }
        tr_servo_order order = {.target = target, .kp = kp, .kd = kd};
        tr_kernel_choose()->servo->aim(&tree, &order, 0.005);
        for (int i = 1; i < JOINTS; i++) {
            tr_quat e = tr_quat_mul(target[i], tr_quat_conj(pose.pose.joint[i]));
            tr_vec3 axis = tr_v4_to(tree.link[i].axis);
            tr_vec3 error = tree.link[i].dof == 1 ? tr_vec3_scale(axis, tr_rotation_angle(e, axis))
                                                  : tr_rotation_log(e);
            tr_vec3 expected = tr_vec3_scale(error, kp[i]), spring = tr_v4_to(tree.servo[i].spring);
            assert_true(expected.x == spring.x && expected.y == spring.y && expected.z == spring.z);
            assert_true(tree.servo[i].stiff == kd[i] + 0.005 * kp[i]);
        }
    }
}

static tr_geom random_shape(tr_random *r) {
    static const tr_geom_kind kinds[] = {TR_GEOM_SPHERE, TR_GEOM_CAPSULE, TR_GEOM_BOX};
    double x = 0.02 + 0.1 * tr_random_uniform(r), y = 0.02 + 0.1 * tr_random_uniform(r);
    return (tr_geom){.kind = kinds[(int)(3 * tr_random_uniform(r))],
                     .size = {x, y, 0.02 + 0.1 * tr_random_uniform(r)},
                     .rot = tr_quat_exp(vector(r, 2))};
}

static tr_frame random_frame(tr_random *r) {
    tr_mat3 rot = tr_quat_to_mat3(tr_quat_exp(vector(r, 2)));
    tr_m3 m = tr_m3_from(&rot);
    return (tr_frame){{m.column[0], m.column[1], m.column[2]}, tr_v4_from(vector(r, 0.12))};
}

/* One pair: whether it was rejected, and whether ODE finds contacts. */
static void try_pair(tr_random *r, int count[2][2]) {
    tr_geom geom[2] = {random_shape(r), random_shape(r)};
    tr_frame frame[2] = {random_frame(r), random_frame(r)};
    tr_collider collider[2];
    dContactGeom found[4];
    for (int s = 0; s < 2; s++)
        assert_int_equal(tr_collider_init(&collider[s], &geom[s], 0, (tr_vec3){0, 0, 0}), TR_OK);
    tr_shape one = {&collider[0], &frame[0]}, other = {&collider[1], &frame[1]};
    bool apart = tr_kernel_choose()->bounds->apart(&one, &other);
    bool touch = dCollide(tr_collider_geom(&collider[0], &frame[0]),
                          tr_collider_geom(&collider[1], &frame[1]), 4, found, sizeof *found) > 0;
    count[apart][touch]++;
    for (int s = 0; s < 2; s++)
        tr_collider_deinit(&collider[s]);
}

TEST(what_is_rejected_early_does_not_touch) {
    tr_random r = tr_random_seed(3);
    int count[2][2] = {{0}}; /* [apart][touch] */
    for (int i = 0; i < 200000; i++)
        try_pair(&r, count);
    assert_int_equal(count[1][1], 0);
    assert_true(count[0][1] > 10000);
    assert_true(count[1][0] > 5 * count[0][0]); /* few are asked of ODE in vain */
}

/* Bounds of a body with `count` shapes: each box and the whole one, and who overlaps whom. */
static void try_boxes(tr_random *r, int count) {
    const tr_bounds_kernel *bounds = tr_kernel_choose()->bounds;
    tr_collider collider[13], alone[13];
    tr_frame frame[13];
    tr_boxes boxes;
    for (int g = 0; g < count; g++) {
        tr_geom geom = random_shape(r);
        frame[g] = random_frame(r);
        assert_int_equal(tr_collider_init(&collider[g], &geom, g, (tr_vec3){0, 0, 0}), TR_OK);
        alone[g] = collider[g];
        tr_collider_bound(&alone[g], &frame[g]);
    }
    bounds->bound(collider, count, frame, &boxes);
    for (int g = 0; g < count; g++) {
        uint64_t expected = 0, among = 0x1a5b;
        for (int k = 0; k < 3; k++) {
            assert_true(boxes.low[k][g] == alone[g].low[k] && boxes.high[k][g] == alone[g].high[k]);
            assert_true(boxes.whole_low[k] <= alone[g].low[k]);
            assert_true(boxes.whole_high[k] >= alone[g].high[k]);
        }
        assert_memory_equal(collider[g].low, alone[g].low, sizeof alone[g].low);
        assert_memory_equal(collider[g].high, alone[g].high, sizeof alone[g].high);
        among &= (1u << count) - 1;
        for (int j = 0; j < count; j++)
            if (among >> j & 1 &&
                tr_bounds_overlap(alone[g].low, alone[g].high, alone[j].low, alone[j].high))
                expected |= 1ULL << j;
        assert_int_equal(bounds->near(&boxes, alone[g].low, alone[g].high, among), expected);
    }
    for (int g = 0; g < count; g++)
        tr_collider_deinit(&collider[g]);
}

TEST(boxes_by_fours_are_those_of_each_shape) {
    tr_random r = tr_random_seed(4);
    for (int round = 0; round < 1000; round++)
        try_boxes(&r, 1 + round % 13);
}

TEST(three_sums_side_by_side_are_those_of_each_vector) {
    tr_random r = tr_random_seed(5);
    for (int round = 0; round < 1000; round++) {
        tr_v4 a = tr_v4_from(vector(&r, 1)), b = tr_v4_from(vector(&r, 1e3));
        tr_v4 c = tr_v4_from(vector(&r, 1e-3)), sums = tr_v4_sums(a, b, c);
        assert_true(sums[0] == tr_v4_sum(a) && sums[1] == tr_v4_sum(b) && sums[2] == tr_v4_sum(c));
        assert_true(sums[3] == 0);
    }
}

BEFORE_ALL() {
    tr_physics_init();
}
