/* What kind of motion a clip shows, and how its training is planned. */
#include "cmocka_test.h"

#include "learn/plan/parts.h"
#include "math/elementary.h"
#include "model/mjcf.h"
#include "motion/clips/bvh.h"
#include "unit/motion/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An import of a motion that the test makes, planned. path: its clip */
typedef struct planned {
    const char *path;
    tr_model *model;
    tr_motion *motion;
    tr_import_account account;
    tr_plan plan;
    tr_status status;
    tr_error error;
} planned;

static const double STEP_RAD = 0.5; /* swing of the thighs */

static planned plan_with(tr_motion *source, tr_model *model, tr_plan_effort effort, int harder) {
    planned p = {.model = model};
    tr_import import = tr_import_default();
    const char *path = p.path = scratch_path(".bvh");
    assert_int_equal(tr_bvh_save_motion(model, source, path, NULL), TR_OK);
    tr_motion_destroy(source);
    if (tr_import_run(path, model, &import, &p.motion, &p.account, &p.error))
        fail_msg("%s", p.error.message);
    const tr_plan_def def = {.model = model,
                             .motion = p.motion,
                             .import = &import,
                             .account = &p.account,
                             .effort = effort,
                             .harder = harder,
                             .seed = 1};
    p.status = tr_plan_make(&def, &p.plan, &p.error);
    return p;
}

static void close_plan(planned *p) {
    tr_import_account_deinit(&p->account);
    tr_motion_destroy(p->motion);
    tr_model_destroy(p->model);
}

static tr_motion *still(const tr_model *model, int frames) {
    tr_motion *motion = NULL;
    assert_int_equal(tr_motion_create(model, frames, 0.02, &motion), TR_OK);
    return motion;
}

static void swing(const tr_model *model, tr_pose *pose, const char *body, double angle_rad) {
    int i = tr_model_find_body(model, body);
    pose->joint[i] = tr_quat_from_axis_angle(tr_vec3_make(0, 1, 0), angle_rad);
}

/* Moves thighs, knees and arms as in a walk: one side half a stride after the other, or both together. */
static void step(const tr_model *model, tr_pose *pose, double phase, double step_rad,
                 bool together) {
    const double other = together ? 1 : -1, scale = step_rad / STEP_RAD;
    swing(model, pose, "lthigh", step_rad * tr_sin(phase));
    swing(model, pose, "rthigh", other * step_rad * tr_sin(phase));
    swing(model, pose, "lshank", 0.4 + 0.3 * scale * tr_cos(phase));
    swing(model, pose, "rshank", 0.4 + other * 0.3 * scale * tr_cos(phase));
    swing(model, pose, "luarm", other * 0.4 * scale * tr_sin(phase));
    swing(model, pose, "ruarm", 0.4 * scale * tr_sin(phase));
}

/* Walks, `strides` of 50 frames, and turns in each by turn_rad, or by four times as much in the middle
 * quarter alone. */
typedef struct walk_def {
    int strides;
    double turn_rad, step_rad, step_m;
    bool once, together;
} walk_def;

static tr_motion *walk_so(const tr_model *model, const walk_def *w) {
    tr_motion *motion = still(model, 50 * w->strides + 1);
    tr_vec3 at = motion->poses[0].root_pos;
    double heading = 0;
    for (int i = 0; i < motion->frame_count; i++) {
        tr_pose *pose = &motion->poses[i];
        const int eighth = 8 * i / motion->frame_count;
        pose->root_rot = tr_quat_from_heading(heading);
        pose->root_pos = at;
        at = tr_vec3_add(at, tr_vec3_from_heading(tr_vec3_make(w->step_m, 0, 0), heading));
        heading +=
            w->once ? (eighth == 3 || eighth == 4 ? 4 : 0) * w->turn_rad / 50 : w->turn_rad / 50;
        step(model, pose, 2 * TR_PI * i / 50, w->step_rad, w->together);
    }
    return motion;
}

static tr_motion *walk(const tr_model *model, int strides, double turn_rad) {
    const walk_def w = {strides, turn_rad, STEP_RAD, 0.024, false, false};
    return walk_so(model, &w);
}

/* Walks of every kind, and what they are planned as. Small steps alternate as wide ones do; a walk of 14 s
 * is as good as one of 3. */
TEST(kinds_of_walks) {
    static const struct {
        const char *name;
        walk_def walk;
        tr_plan_kind kind;
        double turn_deg; /* of the planned cycle */
    } rows[] = {
        {"wide steps", {3, 0, 0.5, 0.024, false, false}, TR_PLAN_GAIT, 0},
        {"steps of 9 deg", {3, 0, 0.16, 0.008, false, false}, TR_PLAN_GAIT, 0},
        {"steps of 5 deg", {3, 0, 0.09, 0.005, false, false}, TR_PLAN_GAIT, 0},
        {"long", {14, 0, 0.3, 0.014, false, false}, TR_PLAN_GAIT, 0},
        {"a curve of 15 deg a stride", {3, 0.26, 0.5, 0.024, false, false}, TR_PLAN_STRIDE, 15},
        {"a curve of 23 deg a stride", {3, 0.4, 0.5, 0.024, false, false}, TR_PLAN_STRIDE, 23},
        {"a turn of 90 deg", {3, 0.52, 0.5, 0.024, true, false}, TR_PLAN_TURN, 90},
        {"a turn of 90 deg to the right", {3, -0.52, 0.5, 0.024, true, false}, TR_PLAN_TURN, -90},
        {"hops", {1, 0, 0.3, 0.002, false, true}, TR_PLAN_ALIKE, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tr_model *model = scratch_model("humanoid.xml");
        OWN_BY(close_plan)
        planned p = plan_with(walk_so(model, &rows[i].walk), model, TR_EFFORT_NORMAL, 0);
        if (p.status || p.plan.kind != rows[i].kind)
            fail_msg("%s: %s %s", rows[i].name,
                     p.status ? "refused" : tr_plan_kind_name(p.plan.kind), p.error.message);
        OWN(tr_motion) *cycle = NULL;
        if (tr_import_run(p.path, model, &p.plan.import, &cycle, NULL, &p.error))
            fail_msg("%s: %s", rows[i].name, p.error.message);
        scratch_near(cycle->cycle_turn_rad * 180 / TR_PI, rows[i].turn_deg, 4);
    }
}

/* A gait of which both sides are made alike is another motion, and refused, whoever asks for it. */
TEST(a_walk_made_alike_is_refused) {
    tr_model *model = scratch_model("humanoid.xml");
    tr_motion *made = NULL;
    OWN_BY(close_plan) planned p = plan_with(walk(model, 3, 0), model, TR_EFFORT_NORMAL, 0);
    tr_import alike = tr_import_default();
    alike.alike = true;
    alike.accepted = 1U << TR_CHECK_SYMMETRY | 1U << TR_CHECK_STANDING;
    assert_int_equal(tr_import_run(p.path, model, &alike, &made, NULL, &p.error),
                     TR_FAILED_PRECONDITION);
    if (!strstr(p.error.message, "--accept closing"))
        fail_msg("%s", p.error.message);
    assert_non_null(strstr(p.error.message, "becomes"));
}

/* One of three strides is found, wherever the clip begins; it is learned as a symmetric gait. */
TEST(a_walk_is_a_gait) {
    tr_model *model = scratch_model("humanoid.xml");
    OWN_BY(close_plan) planned p = plan_with(walk(model, 3, 0), model, TR_EFFORT_NORMAL, 0);
    assert_int_equal(p.status, TR_OK);
    assert_int_equal(p.plan.kind, TR_PLAN_GAIT);
    assert_true(p.plan.import.symmetric && p.plan.import.return_s == 0);
    scratch_near(p.plan.import.last - p.plan.import.first, 50, 2);
    assert_string_equal(p.plan.parameters.gain_set, "a");
    assert_true(p.plan.parameters.adapt && p.plan.parameters.paired);
    assert_int_equal(p.plan.parameters.harden_averaged, 0);
}

TEST(a_curve_is_not_made_symmetric) {
    tr_model *model = scratch_model("humanoid.xml");
    OWN_BY(close_plan) planned p = plan_with(walk(model, 3, 0.4), model, TR_EFFORT_NORMAL, 0);
    assert_int_equal(p.status, TR_OK);
    assert_int_equal(p.plan.kind, TR_PLAN_STRIDE);
    assert_true(p.plan.import.cyclic && !p.plan.import.symmetric);
}

/* Raises the right arm for a second, and keeps it up or lowers it. */
static tr_motion *greet(const tr_model *model, double left_up_rad) {
    tr_motion *motion = still(model, 101);
    for (int i = 25; i < motion->frame_count; i++) {
        double t = fmin((i - 25) / 50.0, 1);
        double up = 2 * tr_sin(TR_PI * t) + left_up_rad * t;
        swing(model, &motion->poses[i], "ruarm", -up);
    }
    return motion;
}

/* Still frames at the ends are left out; the wider the gap, the longer the way back takes. */
TEST(a_gesture_is_a_loop) {
    static const double left_up_rad[] = {0, 0.8, 1.6};
    double before_s = -1;
    for (size_t i = 0; i < 3; i++) {
        tr_model *model = scratch_model("humanoid.xml");
        OWN_BY(close_plan)
        planned p = plan_with(greet(model, left_up_rad[i]), model, TR_EFFORT_NORMAL, 0);
        assert_int_equal(p.status, TR_OK);
        assert_int_equal(p.plan.kind, TR_PLAN_LOOP);
        assert_true(p.plan.import.first >= 15 && p.plan.import.last <= 85);
        assert_true(p.plan.import.return_s > before_s);
        before_s = p.plan.import.return_s;
        assert_string_equal(p.plan.parameters.gain_set, "b");
        scratch_near(p.plan.parameters.adapt_push_n, 20, 0);
    }
    scratch_near(before_s, 0.8, 0.1); /* 92 deg at 120 deg/s */
}

/* Both arms together: the same on both sides. */
TEST(a_bow_is_alike) {
    tr_model *model = scratch_model("humanoid.xml");
    tr_motion *motion = still(model, 61);
    for (int i = 0; i < motion->frame_count; i++) {
        double up = 1.5 * tr_sin(TR_PI * i / 60);
        swing(model, &motion->poses[i], "ruarm", -up);
        swing(model, &motion->poses[i], "luarm", -up);
    }
    OWN_BY(close_plan) planned p = plan_with(motion, model, TR_EFFORT_NORMAL, 0);
    assert_int_equal(p.status, TR_OK);
    assert_int_equal(p.plan.kind, TR_PLAN_ALIKE);
    assert_true(p.plan.import.alike);
}

/* From lying to standing, in a straight line. */
static tr_motion *rise(const tr_model *model) {
    tr_motion *motion = still(model, 81);
    tr_pose up = motion->poses[0], down = up;
    down.root_pos.z = 0.15;
    down.root_rot = tr_quat_from_axis_angle(tr_vec3_make(0, 1, 0), 0.5 * TR_PI);
    for (int i = 0; i < motion->frame_count; i++)
        motion->poses[i] = tr_pose_between(&down, &up, model->body_count, fmin(i / 60.0, 1));
    return motion;
}

TEST(rising_is_a_chain) {
    tr_model *model = scratch_model("humanoid.xml");
    OWN_BY(close_plan) planned p = plan_with(rise(model), model, TR_EFFORT_NORMAL, 0);
    if (p.status)
        fail_msg("%s", p.error.message);
    assert_int_equal(p.plan.kind, TR_PLAN_CHAIN);
    assert_true(p.plan.import.from_lying_s == 0 && p.plan.import.to_rest_s > 0);
    assert_true(!p.plan.import.cyclic && p.plan.import.return_s == 0);
    assert_int_equal(p.plan.parameters.refine_rounds + p.plan.parameters.iterations, 0);
    assert_true(p.plan.parameters.harden_rounds > 0 && p.plan.parameters.stop_at_n >= 60);
    assert_int_equal(p.plan.parameters.harden_averaged, 6);
    assert_string_equal(p.plan.control.gain_set, p.plan.parameters.gain_set);
    assert_true(p.plan.control.arms);
}

/* It ends where it is up, although the clip walks away. */
TEST(a_get_up_ends_where_it_is_up) {
    tr_model *model = scratch_model("humanoid.xml");
    tr_motion *motion = still(model, 141), *up = rise(model);
    for (int i = 0; i < motion->frame_count; i++) {
        motion->poses[i] = up->poses[i < 80 ? i : 80];
        motion->poses[i].root_pos.x += i < 80 ? 0 : 0.01 * (i - 80);
    }
    tr_motion_destroy(up);
    OWN_BY(close_plan) planned p = plan_with(motion, model, TR_EFFORT_NORMAL, 0);
    if (p.status)
        fail_msg("%s", p.error.message);
    assert_int_equal(p.plan.kind, TR_PLAN_CHAIN);
    assert_in_range(p.plan.import.last, 55, 81);
}

/* Both seed and samples of the reconstruction. */
TEST(a_chain_that_was_lost_is_reconstructed_harder) {
    tr_reconstruct_parameters control[2];
    for (int harder = 0; harder < 2; harder++) {
        tr_model *model = scratch_model("humanoid.xml");
        OWN_BY(close_plan) planned p = plan_with(rise(model), model, TR_EFFORT_NORMAL, harder);
        assert_int_equal(p.status, TR_OK);
        control[harder] = p.plan.control;
    }
    assert_int_equal(control[1].samples, 2 * control[0].samples);
    assert_int_equal(control[1].seed, control[0].seed + 1);
}

static void put_on_ground(const tr_model *model, tr_pose *pose) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, pose, bodies);
    pose->root_pos.z -= tr_body_lowest_point(model, -1, bodies);
}

/* A walk with long steps that grows faster, from 0.5 to 2.6 m/s, cannot be repeated, but a stride of it can. */
TEST(one_stride_of_a_run_up_is_learned) {
    tr_model *model = scratch_model("humanoid.xml");
    tr_motion *motion = walk(model, 3, 0);
    for (int i = 0; i < motion->frame_count; i++) {
        tr_pose *pose = &motion->poses[i];
        pose->root_pos.x = 0.5 * (0.02 * i) + 0.35 * (0.02 * i) * (0.02 * i);
        swing(model, pose, "lthigh", 0.9 * tr_sin(2 * TR_PI * i / 50));
        swing(model, pose, "rthigh", -0.9 * tr_sin(2 * TR_PI * i / 50));
        put_on_ground(model, pose);
    }
    OWN_BY(close_plan) planned p = plan_with(motion, model, TR_EFFORT_NORMAL, 0);
    if (p.status)
        fail_msg("%s", p.error.message);
    assert_true(p.plan.kind == TR_PLAN_GAIT || p.plan.kind == TR_PLAN_STRIDE);
    scratch_near(p.plan.import.last - p.plan.import.first, 50, 8);
    assert_non_null(
        strstr(p.plan.reason[0], "which no skill can repeat: one stride of it is taken"));
}

/* Bent down at the beginning: the way back would be another motion. */
TEST(rising_from_all_fours_is_a_chain_and_going_down_is_refused) {
    for (int down = 0; down < 2; down++) {
        tr_model *model = scratch_model("humanoid.xml");
        tr_motion *motion = still(model, 81);
        tr_pose up = motion->poses[0], bent = up;
        bent.root_pos.z = 0.5;
        bent.root_rot = tr_quat_from_axis_angle(tr_vec3_make(0, 1, 0), 0.5 * TR_PI);
        for (int i = 0; i < motion->frame_count; i++) {
            double t = fmin(i / 60.0, 1);
            motion->poses[i] = tr_pose_between(&bent, &up, model->body_count, down ? 1 - t : t);
        }
        OWN_BY(close_plan) planned p = plan_with(motion, model, TR_EFFORT_NORMAL, 0);
        assert_int_equal(p.status, down ? TR_FAILED_PRECONDITION : TR_OK);
        if (down)
            assert_non_null(strstr(p.error.message, "it ends lying or bent down"));
        else
            assert_int_equal(p.plan.kind, TR_PLAN_CHAIN);
    }
}

/* Half of the clip takes place on something 0.4 m high. */
TEST(what_stands_on_a_box_is_refused) {
    tr_model *model = scratch_model("humanoid.xml");
    tr_motion *motion = greet(model, 0);
    const int end = motion->frame_count - 1;
    for (int i = 40; i <= end; i++)
        motion->poses[i].root_pos.z += 0.4 * fmin((i - 40) / 10.0, 1);
    OWN_BY(close_plan) planned p = plan_with(motion, model, TR_EFFORT_NORMAL, 0);
    assert_int_equal(p.status, TR_FAILED_PRECONDITION);
    int first = 0, last = 0;
    const char *frames = strstr(p.error.message, "frames ");
    if (!frames || sscanf(frames, "frames %d to %d, it stands on something", &first, &last) != 2)
        fail_msg("%s", p.error.message);
    assert_in_range(first, 40, 50);
    assert_int_equal(last, end);
    assert_non_null(strstr(p.error.message, "--steps"));
    assert_int_equal(p.account.finding_count, 1);
    assert_int_equal(p.account.finding[0].check, TR_CHECK_FLOATING);
}

TEST(what_cannot_be_repeated_is_refused) {
    tr_model *model = scratch_model("humanoid.xml");
    tr_motion *motion = still(model, 51);
    for (int i = 0; i < motion->frame_count; i++)
        motion->poses[i].root_pos.x = 2.0 * (0.02 * i) * (0.02 * i); /* up to 4 m/s */
    OWN_BY(close_plan) planned p = plan_with(motion, model, TR_EFFORT_NORMAL, 0);
    assert_int_equal(p.status, TR_FAILED_PRECONDITION);
    assert_non_null(strstr(p.error.message, "--from and --to"));
}

TEST(a_long_take_is_refused) {
    tr_model *model = scratch_model("humanoid.xml");
    tr_motion *motion = still(model, 601);
    for (int i = 0; i < motion->frame_count; i++)
        swing(model, &motion->poses[i], "ruarm", -tr_sin(0.37 * i * 0.1) - 0.001 * i);
    OWN_BY(close_plan) planned p = plan_with(motion, model, TR_EFFORT_NORMAL, 0);
    assert_int_equal(p.status, TR_FAILED_PRECONDITION);
    assert_non_null(strstr(p.error.message, "more than the 10 that can be learned"));
}

/* Adds frames of another motion where the last of these stands. */
static void append(tr_motion *motion, int *count, tr_motion *next) {
    const tr_pose *end = &motion->poses[*count > 0 ? *count - 1 : 0];
    const double heading = tr_quat_heading(end->root_rot);
    const tr_vec3 at = end->root_pos;
    for (int i = 0; i < next->frame_count; i++) {
        tr_pose pose = next->poses[i];
        tr_vec3 way = tr_vec3_sub(pose.root_pos, next->poses[0].root_pos);
        pose.root_rot = tr_quat_mul(tr_quat_from_heading(heading), pose.root_rot);
        pose.root_pos = tr_vec3_add(at, tr_vec3_from_heading(way, heading));
        motion->poses[(*count)++] = pose;
    }
    tr_motion_destroy(next);
}

/* A gesture, a walk, a rest, a turn on the way, a rest, and the walk again: three parts, of which the
 * second walk is none. */
TEST(a_long_clip_has_parts) {
    static const walk_def turn = {3, 0.52, 0.5, 0.024, true, false};
    tr_model *model = scratch_model("humanoid.xml");
    tr_motion *motion = still(model, 900);
    int count = 0;
    append(motion, &count, greet(model, 0));
    append(motion, &count, still(model, 40));
    append(motion, &count, walk(model, 4, 0));
    append(motion, &count, still(model, 60));
    append(motion, &count, walk_so(model, &turn));
    append(motion, &count, still(model, 60));
    append(motion, &count, walk(model, 4, 0));
    motion->frame_count = count;
    OWN_BY(close_plan) planned p = plan_with(motion, model, TR_EFFORT_NORMAL, 0);
    OWN_MEMORY tr_plan_part *part = calloc(TR_PLAN_PART_MAX, sizeof *part);
    const tr_import import = tr_import_default();
    const tr_plan_def def = {
        .model = model, .motion = p.motion, .import = &import, .account = &p.account, .seed = 1};
    assert_int_equal(tr_plan_parts(&def, part, &count), TR_OK);
    static const char *const names[] = {"skill", "walk", "turn"};
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(part[i].name, names[i]);
        assert_true(part[i].plan.import.first >= part[i].first &&
                    part[i].plan.import.last <= part[i].last);
    }
    assert_in_range(part[1].first, 80, 150);
    assert_int_equal(part[2].plan.kind, TR_PLAN_TURN);
    /* It is longer than a cycle of the walk, and gets more time. */
    assert_true(part[2].plan.core_s > part[1].plan.core_s);
}

/* Lost with few samples: more of them and another seed, finally a longer way back. */
TEST(a_motion_that_was_lost_is_planned_harder) {
    tr_learn_parameters before = {0};
    double return_s = 0;
    for (int harder = 0; harder < 4; harder++) {
        tr_model *model = scratch_model("humanoid.xml");
        OWN_BY(close_plan)
        planned p = plan_with(greet(model, 0.8), model, TR_EFFORT_NORMAL, harder);
        assert_int_equal(p.status, TR_OK);
        assert_int_equal(p.plan.parameters.seed, 1 + harder);
        if (harder > 0 && harder < 3)
            assert_int_equal(p.plan.parameters.samples, 2 * before.samples);
        if (harder == 3)
            scratch_near(p.plan.import.return_s, return_s + 0.3, 1e-6);
        before = p.plan.parameters;
        return_s = p.plan.import.return_s;
    }
}

TEST(effort_buys_pushes_and_time) {
    double core_s = 0, target_n = 0;
    for (int effort = TR_EFFORT_QUICK; effort <= TR_EFFORT_THOROUGH; effort++) {
        tr_model *model = scratch_model("humanoid.xml");
        OWN_BY(close_plan) planned p = plan_with(greet(model, 0), model, (tr_plan_effort)effort, 0);
        tr_plan_effort found;
        assert_true(p.plan.core_s > core_s && p.plan.target_n > target_n);
        scratch_near(p.plan.parameters.stop_at_n, p.plan.target_n, 0);
        core_s = p.plan.core_s;
        target_n = p.plan.target_n;
        assert_true(tr_plan_effort_find(tr_plan_effort_name((tr_plan_effort)effort), &found));
        assert_int_equal(found, effort);
    }
    tr_plan_effort none;
    assert_false(tr_plan_effort_find("heroic", &none));
}
