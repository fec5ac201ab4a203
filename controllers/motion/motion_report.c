/* Feet on the ground: heights, contacts, slip; and what else a report says about a motion. */
#include "motion/motion.h"

#include "motion/poses.h"
#include "motion/soles.h"

#include <math.h>
#include <stdlib.h>

static const double CONTACT_HEIGHT_M = 0.05, CONTACT_SPEED_MPS = 0.5, STANCE_S = 0.05;

/* Running sums over the frames of a motion. A stance is a run of frames in which a foot is in
 * contact; the lowest body carries. */
typedef struct sums {
    int contact[2], flight, slip_count;
    double slip;
    int stance_frames;
    double stance_height;
} sums;

/* A stance has ended: the mean height of what carries counts, unless it was a mere touch. */
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
}

static double step_angle(const tr_motion *motion, int frame) {
    tr_pose a = tr_motion_frame(motion, frame), b = tr_motion_frame(motion, frame + 1);
    double most = 0;
    for (int i = 1; i < motion->body_count; i++)
        most = fmax(most, tr_quat_angle(a.joint[i], b.joint[i]));
    return most;
}

static void describe_travel(const tr_motion *motion, tr_motion_report *report) {
    int n = motion->frame_count;
    tr_vec3 way = motion->cyclic
                      ? motion->cycle_shift
                      : tr_vec3_sub(motion->poses[n - 1].root_pos, motion->poses[0].root_pos);
    report->duration_s = tr_motion_duration(motion);
    if (report->duration_s > 0)
        report->speed_mps = hypot(way.x, way.y) / report->duration_s;
    for (int i = 0; i + 1 < n + motion->cyclic; i++) {
        tr_pose a = tr_motion_frame(motion, i), b = tr_motion_frame(motion, i + 1);
        report->turn_rad +=
            tr_angle_wrap(tr_quat_heading(b.root_rot) - tr_quat_heading(a.root_rot));
        report->rate_max_rad_s = fmax(report->rate_max_rad_s, step_angle(motion, i) / motion->dt_s);
    }
    if (motion->cyclic)
        report->closing_gap_rad = step_angle(motion, n - 1);
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
    report.flight_fraction = (double)sum.flight / motion->frame_count;
    report.foot_slip_mps = sum.slip_count ? sum.slip / sum.slip_count : 0;
    describe_travel(motion, &report);
    *out = report;
    return TR_OK;
}
