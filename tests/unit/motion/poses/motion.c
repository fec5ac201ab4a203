#include "cmocka_test.h"

#include "model/mjcf.h"
#include "unit/motion/scratch.h"

#include <stdlib.h>
#include <string.h>

enum { N = 80 };
static const double DT = 0.0125, SPEED = 1.2;

/* Largest distance of two poses: m of the root, rad of any body. */
static double distance(const tr_model *model, const tr_pose *a, const tr_pose *b) {
    double d =
        fmax(tr_vec3_distance(a->root_pos, b->root_pos), tr_quat_angle(a->root_rot, b->root_rot));
    for (int i = 1; i < model->body_count; i++)
        d = fmax(d, tr_quat_angle(a->joint[i], b->joint[i]));
    return d;
}

static tr_motion *march_cycle(const tr_model *model) {
    tr_motion *march = scratch_march(model, N, DT, SPEED), *cycle = NULL;
    tr_motion_closing closing = {.turn_rad = (double)NAN, .straight_rad = TR_MOTION_STRAIGHT_RAD};
    assert_int_equal(tr_motion_close(march, &closing, &cycle), TR_OK);
    tr_motion_destroy(march);
    return cycle;
}

/* D applied n times by hand. */
TEST(cycles_compose) {
    tr_motion motion = {.cyclic = true, .cycle_turn_rad = 0.7, .cycle_shift = {0.5, -0.2, 0}};
    double turn = 0;
    tr_vec3 shift = {0};
    for (int n = 0; n <= 30; n++) {
        double got_turn, back_turn;
        tr_vec3 got, back;
        tr_motion_cycle(&motion, n, &got_turn, &got);
        scratch_near(tr_angle_wrap(got_turn - turn), 0, 1e-12);
        scratch_near(tr_vec3_distance(got, shift), 0, 1e-12);
        tr_motion_cycle(&motion, -n, &back_turn, &back);
        scratch_near(tr_angle_wrap(got_turn + back_turn), 0, 1e-12);
        scratch_near(tr_vec3_length(tr_vec3_add(tr_vec3_from_heading(got, back_turn), back)), 0,
                     1e-12);
        shift = tr_vec3_add(tr_vec3_from_heading(shift, motion.cycle_turn_rad), motion.cycle_shift);
        turn += motion.cycle_turn_rad;
    }
}

/* A march is already cyclic: closing changes nothing, and it continues at its speed without end. */
TEST(a_cycle_continues) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *march = scratch_march(model, N, DT, SPEED), *cycle = march_cycle(model);
    assert_true(cycle->cyclic);
    assert_int_equal(cycle->frame_count, N);
    scratch_near(tr_motion_duration(cycle), N * DT, 1e-12);
    scratch_near(cycle->cycle_shift.x, SPEED * N * DT, 1e-12);
    for (int i = 0; i < N; i++)
        assert_true(distance(model, &march->poses[i], &cycle->poses[i]) < 1e-7);
    for (int k = -250; k <= 250; k += 7) {
        double t = k * 0.01, T = tr_motion_duration(cycle);
        tr_pose now = tr_motion_pose(cycle, t), next = tr_motion_pose(cycle, t + T);
        next.root_pos.x -= cycle->cycle_shift.x;
        assert_true(distance(model, &now, &next) < 1e-7);
    }
}

TEST(an_open_motion_stays_at_its_ends) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *march = scratch_march(model, N, DT, SPEED);
    tr_pose before = tr_motion_pose(march, -3), after = tr_motion_pose(march, 99);
    assert_true(distance(model, &before, &march->poses[0]) < 1e-7);
    assert_true(distance(model, &after, &march->poses[N]) < 1e-7);
    scratch_near(tr_motion_duration(march), N * DT, 1e-12);
}

/* Rates against the derivative that is known: the thigh turns about y at -d(lift)/dt. */
TEST(rates_are_derivatives) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *cycle = march_cycle(model);
    int thigh = tr_model_find_body(model, "lthigh");
    double omega = 2 * TR_PI / tr_motion_duration(cycle);
    for (int i = 0; i < 40; i++) {
        double t = 0.05 * i;
        tr_state s = tr_motion_state(model, cycle, t);
        scratch_near(s.joint_rate[thigh].y, -0.4 * omega * cos(omega * t), 0.02);
        scratch_near(s.root_vel.x, SPEED, 1e-9);
    }
}

/* Sampled coarsely and resampled finely, the march does not change (cubic splines: error of the
 * fourth order). */
TEST(resampling_keeps_the_motion) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *fine = march_cycle(model), *coarse = NULL, *again = NULL;
    assert_int_equal(tr_motion_resample(fine, 2 * DT, N / 2, &coarse), TR_OK);
    assert_true(coarse->cyclic);
    assert_int_equal(tr_motion_resample(coarse, DT, N, &again), TR_OK);
    for (int i = 0; i < N; i++)
        assert_true(distance(model, &fine->poses[i], &again->poses[i]) < 2e-4);
    scratch_near(again->cycle_shift.x, fine->cycle_shift.x, 1e-12);
    OWN(tr_motion) *slow = NULL;
    assert_int_equal(tr_motion_resample(fine, DT, 2 * N, &slow), TR_OK);
    scratch_near(tr_motion_duration(slow), 2 * tr_motion_duration(fine), 1e-12);
    assert_int_equal(tr_motion_resample(fine, DT, 1, &slow), TR_INVALID_ARGUMENT);
}

/* A march with a limp on one side becomes even: pose(t + T/2) is the mirror image of pose(t). */
TEST(symmetrising_makes_halves_alike) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *cycle = march_cycle(model), *even = NULL;
    int knee = tr_model_find_body(model, "lshank");
    for (int i = 0; i < N; i++)
        cycle->poses[i].joint[knee] =
            tr_quat_mul(cycle->poses[i].joint[knee], tr_quat_exp(tr_vec3_make(0, 0.3, 0)));
    assert_int_equal(tr_motion_symmetrise(model, cycle, &even), TR_OK);
    assert_true(even->symmetric);
    for (int i = 0; i < N; i++) {
        double t = i * DT;
        tr_pose now = tr_motion_pose(even, t), later = tr_motion_pose(even, t + N * DT / 2);
        later.root_pos.x -= 0.5 * even->cycle_shift.x;
        tr_pose mirrored = tr_pose_mirror(model, &later);
        assert_true(distance(model, &now, &mirrored) < 1e-7);
        /* Half of the limp goes to either side. */
        double limp = tr_quat_angle(now.joint[knee], cycle->poses[i].joint[knee]);
        scratch_near(limp, 0.15, 1e-6);
    }
    tr_motion *odd = NULL;
    cycle->frame_count--;
    assert_int_equal(tr_motion_symmetrise(model, cycle, &odd), TR_FAILED_PRECONDITION);
}

/* Two cycles as one: the same pose at any time, and the same travel after them as after the cycle
 * run twice, also of a motion that turns. */
TEST(twice_goes_where_two_cycles_go) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *cycle = march_cycle(model), *both = NULL;
    cycle->cycle_turn_rad = 0.4;
    assert_int_equal(tr_motion_twice(cycle, &both), TR_OK);
    assert_int_equal(both->frame_count, 2 * N);
    assert_true(both->cyclic);
    for (int i = 0; i < 5 * N; i++) {
        tr_pose one = tr_motion_pose(cycle, i * DT), other = tr_motion_pose(both, i * DT);
        assert_true(distance(model, &one, &other) < 1e-7);
    }
    tr_motion *none = NULL;
    cycle->cyclic = false;
    assert_int_equal(tr_motion_twice(cycle, &none), TR_FAILED_PRECONDITION);
}

/* Most of a period, closed by spreading and by a way back: no jump at the seam larger than one
 * within. */
TEST(closing_leaves_no_jump) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *march = scratch_march(model, N, DT, SPEED), *part = NULL;
    assert_int_equal(tr_motion_cut(march, 0, N - 6, &part), TR_OK);
    tr_motion_closing closings[] = {
        {.turn_rad = 0},
        {.turn_rad = 0, .blend_s = 0.3},
        {.turn_rad = (double)NAN, .straight_rad = TR_MOTION_STRAIGHT_RAD, .return_s = 0.2}};
    for (size_t i = 0; i < 3; i++) {
        OWN(tr_motion) *cycle = NULL;
        assert_int_equal(tr_motion_close(part, &closings[i], &cycle), TR_OK);
        double within = 0;
        int n = cycle->frame_count;
        for (int k = 0; k + 1 < n; k++)
            within = fmax(within, distance(model, &cycle->poses[k], &cycle->poses[k + 1]));
        tr_pose next = tr_motion_pose(cycle, n * DT);
        assert_true(distance(model, &cycle->poses[n - 1], &next) <= 1.05 * within);
        assert_true(within < 0.12);
        assert_int_equal(n, i == 2 ? N - 6 + 16 : N - 6);
    }
}

/* A cycle that turns keeps its turn at any place. */
TEST(a_turning_cycle_stays_one_when_placed) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *march = scratch_march(model, N, DT, 0);
    double radius = 2, turn = 50 * TR_PI / 180;
    for (int i = 0; i <= N; i++) {
        double a = 0.4 + turn * i / N;
        march->poses[i].root_pos = tr_vec3_make(3 + radius * sin(a), 1 - radius * cos(a), 0.9);
        march->poses[i].root_rot =
            tr_quat_mul(tr_quat_from_heading(a - 0.1), march->poses[i].root_rot);
    }
    tr_motion_closing closing = {.turn_rad = (double)NAN, .straight_rad = TR_MOTION_STRAIGHT_RAD};
    OWN(tr_motion) *cycle = NULL;
    assert_int_equal(tr_motion_close(march, &closing, &cycle), TR_OK);
    scratch_near(cycle->cycle_turn_rad, turn, 1e-9);
    tr_motion_place(cycle);
    scratch_near(
        tr_vec3_length(tr_vec3_make(cycle->poses[0].root_pos.x, cycle->poses[0].root_pos.y, 0)), 0,
        1e-12);
    double turned;
    tr_vec3 shift;
    tr_motion_cycle(cycle, 1, &turned, &shift);
    for (int i = 0; i < N; i += 9) {
        tr_pose now = tr_motion_pose(cycle, i * DT), next = tr_motion_pose(cycle, (N + i) * DT);
        now.root_pos = tr_vec3_add(tr_vec3_from_heading(now.root_pos, turned), shift);
        now.root_rot = tr_quat_mul(tr_quat_from_heading(turned), now.root_rot);
        assert_true(distance(model, &now, &next) < 1e-7);
        /* On the circle: every step of the root is as long as the arc. */
        tr_pose ahead = tr_motion_pose(cycle, (N + i + 1) * DT);
        scratch_near(tr_vec3_distance(ahead.root_pos, next.root_pos),
                     2 * radius * sin(0.5 * turn / N), 1e-9);
    }
}

/* A Gaussian of standard deviation s multiplies a sine of angular frequency w by exp(-(w s)^2 /
 * 2). */
TEST(the_rest_pose_joins_at_either_end) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *march = scratch_march(model, N, DT, SPEED), *joined = NULL;
    tr_pose rest = tr_pose_rest(model);
    assert_int_equal(tr_motion_join_rest(model, march, 0.3, 0.4, &joined), TR_OK);
    int before = (int)lround(0.3 / DT), after = (int)lround(0.4 / DT);
    assert_int_equal(joined->frame_count, before + march->frame_count + 2 * after);
    assert_false(joined->cyclic);
    for (int i = 1; i < model->body_count; i++) {
        scratch_near(tr_quat_angle(joined->poses[0].joint[i], rest.joint[i]), 0, 1e-9);
        scratch_near(tr_quat_angle(joined->poses[before].joint[i], march->poses[0].joint[i]), 0,
                     1e-9);
        for (int f = joined->frame_count - 1 - after; f < joined->frame_count; f++)
            scratch_near(tr_quat_angle(joined->poses[f].joint[i], rest.joint[i]), 0, 1e-9);
    }
    scratch_near(joined->poses[joined->frame_count - 1].root_pos.z, rest.root_pos.z, 1e-12);
    march->cyclic = true;
    tr_motion *none = NULL;
    assert_int_equal(tr_motion_join_rest(model, march, 0.3, 0.4, &none), TR_INVALID_ARGUMENT);
    march->cyclic = false;
    assert_int_equal(tr_motion_join_rest(model, march, -1, 0, &none), TR_INVALID_ARGUMENT);
    assert_null(none);
}

/* On the back and on the front: flat on the ground, limbs away from the body, the head where the
 * first pose has it. */
TEST(a_motion_may_begin_lying) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    tr_motion *march = scratch_march(model, N, DT, SPEED), *joined = NULL;
    march->cyclic = march->symmetric = false;
    for (int side = -1; side <= 1; side += 2) {
        tr_quat pitch = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, -side * 1.2);
        march->poses[0].root_rot = tr_quat_mul(tr_quat_from_heading(0.7), pitch);
        assert_int_equal(tr_motion_join_lying(model, march, 0.5, &joined), TR_OK);
        assert_int_equal(joined->frame_count, march->frame_count + (int)lround(0.5 / DT));
        tr_state lying = tr_state_at_rest(model, &joined->poses[0]);
        tr_body_state bodies[TR_BODY_MAX];
        tr_state_forward(model, &lying, bodies);
        scratch_near(tr_body_lowest_point(model, -1, bodies), 0, 1e-9);
        scratch_near(tr_quat_rotate(lying.pose.root_rot, (tr_vec3){1, 0, 0}).z, side, 1e-9);
        tr_vec3 head = tr_quat_rotate(lying.pose.root_rot, (tr_vec3){0, 0, 1});
        tr_vec3 first =
            tr_quat_rotate(joined->poses[(int)lround(0.5 / DT)].root_rot, (tr_vec3){0, 0, 1});
        assert_true(head.x * first.x + head.y * first.y > 0.3);
        int left = tr_model_find_body(model, "lhand"), right = tr_model_find_body(model, "rhand");
        tr_vec3 apart = tr_vec3_sub(bodies[left].com_pos, bodies[right].com_pos);
        assert_true(tr_vec3_length(apart) > 1.4);
        tr_motion_destroy(joined);
        joined = NULL;
    }
    assert_int_equal(tr_motion_join_lying(model, march, 11, &joined), TR_INVALID_ARGUMENT);
    march->cyclic = true;
    assert_int_equal(tr_motion_join_lying(model, march, 0.5, &joined), TR_INVALID_ARGUMENT);
    assert_null(joined);
    tr_motion_destroy(march);
}

TEST(smoothing_is_a_gaussian) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *cycle = march_cycle(model);
    double sigma = 0.03, omega = 2 * TR_PI / tr_motion_duration(cycle);
    assert_int_equal(tr_motion_smooth(cycle, sigma), TR_OK);
    double gain = exp(-0.5 * omega * omega * sigma * sigma);
    for (int i = 0; i < N; i++)
        scratch_near(cycle->poses[i].root_pos.y, gain * 0.02 * sin(2 * TR_PI * i / N), 2e-5);
    assert_int_equal(tr_motion_smooth(cycle, -1), TR_INVALID_ARGUMENT);
}

TEST(bad_arguments_are_refused) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    tr_motion *out = NULL, *march = scratch_march(model, N, DT, SPEED);
    assert_int_equal(tr_motion_create(model, 0, DT, &out), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_motion_create(model, TR_MOTION_FRAME_MAX + 1, DT, &out),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_motion_create(model, 10, (double)NAN, &out), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_motion_cut(march, 3, N + 1, &out), TR_OUT_OF_RANGE);
    assert_int_equal(tr_motion_cut(march, 3, 2, &out), TR_OUT_OF_RANGE);
    assert_null(out);
    tr_motion_destroy(march);
}
