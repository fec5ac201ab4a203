/* Feet on the ground: heights, contacts, slip; and what else a report says about a motion. */
#include "motion/poses/motion.h"

#include "motion/measure/soles.h"
#include "motion/poses/poses.h"

#include <math.h>
#include <stdlib.h>

static const double CONTACT_HEIGHT_M = 0.05, CONTACT_SPEED_MPS = 0.5, STANCE_S = 0.05;

/* Running sums over the frames of a motion. A stance is a run of frames in which a foot is in
 * contact; the lowest body carries. */
typedef struct sums {
    int contact[2], flight, slip_count, near;
    double slip, near_slip;
    int stance_frames;
    double stance_height, root_m;
} sums;

/* A stance has ended: the mean height of the body that carries counts, unless the contact was
 * short. */
static void end_stance(const tr_motion *motion, sums *sum, tr_motion_report *report) {
    if (sum->stance_frames * motion->dt_s >= STANCE_S)
        report->foot_float_m = fmax(report->foot_float_m, sum->stance_height / sum->stance_frames);
    sum->stance_frames = 0;
    sum->stance_height = 0;
}

static void add_contact(const tr_sole *sole, int side, sums *sum) {
    sum->contact[side]++;
    sum->slip += sole->slip;
    sum->slip_count++;
}

static void add_lower(const tr_soles *s, sums *sum) {
    const tr_sole *lower = &s->side[s->side[1].height < s->side[0].height];
    if (lower->height < CONTACT_HEIGHT_M) {
        sum->near++;
        sum->near_slip += lower->slip;
    }
}

static void add_frame(const tr_motion *motion, int frame, const tr_soles *s, sums *sum,
                      tr_motion_report *report) {
    bool flies = true;
    for (int side = 0; side < 2; side++) {
        const tr_sole *sole = &s->side[side];
        if (sole->height < CONTACT_HEIGHT_M && sole->slip < CONTACT_SPEED_MPS) {
            add_contact(sole, side, sum);
            flies = false;
        }
    }
    add_lower(s, sum);
    double low = fmin(s->side[0].height, s->side[1].height);
    report->foot_low_m = fmin(report->foot_low_m, low);
    if (flies) {
        end_stance(motion, sum, report);
        sum->flight++;
    } else {
        sum->stance_frames++;
        sum->stance_height += fmax(fmin(low, s->rest_low), 0);
    }
    double z = motion->poses[frame].root_pos.z;
    report->root_low_m = fmin(report->root_low_m, z);
    report->root_high_m = fmax(report->root_high_m, z);
    sum->root_m += z;
}

static double step_angle(const tr_motion *motion, int frame) {
    tr_pose a = tr_motion_frame(motion, frame), b = tr_motion_frame(motion, frame + 1);
    double most = 0;
    for (int i = 1; i < motion->body_count; i++)
        most = fmax(most, tr_quat_angle(a.joint[i], b.joint[i]));
    return most;
}

/* ---- Travel ---- */

/* Length of the way over ground in steps of 0.1 s, which leave the sway of the hips out. */
static double path_length(const tr_motion *motion) {
    int steps = (int)ceil(tr_motion_duration(motion) / 0.1);
    double length = 0;
    for (int i = 0; i < steps; i++) {
        double t = tr_motion_duration(motion) / steps;
        tr_vec3 a = tr_motion_pose(motion, i * t).root_pos;
        tr_vec3 b = tr_motion_pose(motion, (i + 1) * t).root_pos;
        length += hypot(b.x - a.x, b.y - a.y);
    }
    return length;
}

/* Height of the head's end of the root's vertical axis: below 0.5 a heading means little. */
static double uprightness(const tr_pose *pose) {
    return tr_quat_rotate(pose->root_rot, tr_vec3_make(0, 0, 1)).z;
}

/* The rotation about the vertical, summed: unlike a sum of headings it has no jump where the root
 * passes the pole, so that a flip turns by nothing. Between two upright poses it is their change of
 * heading and whole turns. */
static double total_turn(const tr_motion *motion) {
    int last = motion->frame_count - 1 + motion->cyclic;
    double sum = 0;
    for (int i = 0; i < last; i++) {
        tr_pose a = tr_motion_frame(motion, i), b = tr_motion_frame(motion, i + 1);
        sum += tr_quat_log(tr_quat_mul(b.root_rot, tr_quat_conj(a.root_rot))).z;
    }
    tr_pose begin = tr_motion_frame(motion, 0), end = tr_motion_frame(motion, last);
    if (uprightness(&begin) < 0.5 || uprightness(&end) < 0.5)
        return sum;
    double net = tr_angle_wrap(tr_quat_heading(end.root_rot) - tr_quat_heading(begin.root_rot));
    return net + 2 * TR_PI * round((sum - net) / (2 * TR_PI));
}

static void describe_travel(const tr_motion *motion, tr_motion_report *report) {
    int n = motion->frame_count;
    tr_vec3 way = motion->cyclic
                      ? motion->cycle_shift
                      : tr_vec3_sub(motion->poses[n - 1].root_pos, motion->poses[0].root_pos);
    report->duration_s = tr_motion_duration(motion);
    report->way_m = hypot(way.x, way.y);
    if (report->duration_s > 0)
        report->speed_mps = report->way_m / report->duration_s;
    report->path_m = path_length(motion);
    report->turn_rad = total_turn(motion);
    for (int i = 0; i + 1 < n + motion->cyclic; i++)
        report->rate_max_rad_s = fmax(report->rate_max_rad_s, step_angle(motion, i) / motion->dt_s);
}

/* ---- Lowest points ---- */

static void describe_lows(const tr_model *model, const tr_motion *motion,
                          tr_motion_report *report) {
    for (int b = 0; b < model->body_count; b++)
        report->low_m[b] = (double)INFINITY;
    for (int i = 0; i < motion->frame_count; i++) {
        tr_body_state bodies[TR_BODY_MAX];
        tr_pose_forward(model, &motion->poses[i], bodies);
        for (int b = 0; b < model->body_count; b++) {
            double low = tr_body_lowest_point(model, b, bodies);
            if (low < report->low_m[b]) {
                report->low_m[b] = low;
                report->low_s[b] = i * motion->dt_s;
            }
        }
    }
}

tr_status tr_motion_describe(const tr_model *model, const tr_motion *motion,
                             tr_motion_report *out) {
    tr_motion_report report = {.root_low_m = (double)INFINITY,
                               .root_high_m = -(double)INFINITY,
                               .foot_low_m = (double)INFINITY};
    sums sum = {0};
    tr_soles *soles = tr_soles_measure(model, motion);
    if (!soles)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < motion->frame_count; i++)
        add_frame(motion, i, &soles[i], &sum, &report);
    end_stance(motion, &sum, &report);
    free(soles);
    for (int side = 0; side < 2; side++)
        report.contact_fraction[side] = (double)sum.contact[side] / motion->frame_count;
    report.root_mean_m = sum.root_m / motion->frame_count;
    report.near_fraction = (double)sum.near / motion->frame_count;
    report.near_slip_mps = sum.near ? sum.near_slip / sum.near : 0;
    report.flight_fraction = (double)sum.flight / motion->frame_count;
    report.foot_slip_mps = sum.slip_count ? sum.slip / sum.slip_count : 0;
    describe_travel(motion, &report);
    describe_lows(model, motion, &report);
    *out = report;
    return TR_OK;
}
