/* Feet on the ground: heights, contacts, slip; and what else a report says about a motion. */
#include "motion.h"

#include "poses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CONTACT_HEIGHT_M = 0.03, CONTACT_SPEED_MPS = 0.5;

/* One foot (with its toe) in one frame: height and place of its lowest point. */
typedef struct sole {
    double height;
    tr_vec3 point;
} sole;

typedef struct soles {
    sole side[2];
} soles;

/* The lowest corner of a geom: exact for boxes, the end of the axis for capsules, the centre for spheres. */
static tr_vec3 lowest_point(const tr_geom *geom, const tr_body_state *body, tr_vec3 origin) {
    tr_quat rot = tr_quat_mul(body->rot, geom->rot);
    tr_vec3 down = tr_quat_rotate_inverse(rot, tr_vec3_make(0, 0, -1)), local = {0};
    if (geom->kind == TR_GEOM_BOX)
        local = tr_vec3_make(copysign(geom->size.x, down.x), copysign(geom->size.y, down.y),
                             copysign(geom->size.z, down.z));
    else if (geom->kind == TR_GEOM_CAPSULE)
        local = tr_vec3_make(0, 0, copysign(geom->size.y, down.z));
    tr_vec3 point = tr_vec3_add(origin, tr_quat_rotate(body->rot, geom->pos));
    point = tr_vec3_add(point, tr_quat_rotate(rot, local));
    if (geom->kind != TR_GEOM_BOX)
        point.z -= geom->size.x;
    return point;
}

static sole lowest_of(const tr_model *model, int foot, int toe, const tr_body_state *bodies) {
    sole low = {.height = INFINITY};
    for (int i = 0; i < model->geom_count; i++) {
        int body = model->geom[i].body;
        if (body != foot && body != toe)
            continue;
        tr_vec3 origin = tr_body_origin(model, body, &bodies[body]);
        tr_vec3 point = lowest_point(&model->geom[i], &bodies[body], origin);
        if (point.z < low.height)
            low = (sole){point.z, point};
    }
    return low;
}

static soles soles_of(const tr_model *model, const tr_pose *pose) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state state = tr_state_at_rest(model, pose);
    tr_state_forward(model, &state, bodies);
    soles s;
    for (int side = 0; side < 2; side++)
        s.side[side] = lowest_of(model, model->foot[side], model->toe[side], bodies);
    return s;
}

static soles *all_soles(const tr_model *model, const tr_motion *motion) {
    soles *s = calloc((size_t)motion->frame_count, sizeof *s);
    for (int i = 0; s && i < motion->frame_count; i++)
        s[i] = soles_of(model, &motion->poses[i]);
    return s;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double tr_motion_ground(const tr_model *model, tr_motion *motion, double percentile) {
    soles *s = all_soles(model, motion);
    double *low = calloc((size_t)motion->frame_count, sizeof *low);
    double shift = 0;
    if (s && low) {
        for (int i = 0; i < motion->frame_count; i++)
            low[i] = fmin(s[i].side[0].height, s[i].side[1].height);
        qsort(low, (size_t)motion->frame_count, sizeof *low, compare_doubles);
        double at = fmin(fmax(percentile, 0), 100) / 100 * (motion->frame_count - 1);
        shift = -low[(int)lround(at)];
        for (int i = 0; i < motion->frame_count; i++)
            motion->poses[i].root_pos.z += shift;
    }
    free(s);
    free(low);
    return shift;
}

/* Horizontal speed of the material point that is lowest, from the places of two neighbouring frames' lowest points of the
 * same foot body: the foot's own motion, not the change of which corner is lowest. */
static double sole_speed(const tr_model *model, const tr_motion *motion, int frame, int side) {
    tr_pose before = tr_motion_frame(motion, frame - 1), at = tr_motion_frame(motion, frame);
    tr_pose after = tr_motion_frame(motion, frame + 1);
    tr_state state = tr_state_from_poses(model, &before, &at, &after, motion->dt_s);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &state, bodies);
    tr_body_state foot = bodies[model->foot[side]];
    sole low = lowest_of(model, model->foot[side], model->toe[side], bodies);
    tr_vec3 arm = tr_vec3_sub(low.point, foot.com_pos);
    tr_vec3 v = tr_vec3_add(foot.com_vel, tr_vec3_cross(foot.omega, arm));
    return hypot(v.x, v.y);
}

/* Running sums over the frames of a motion. */
typedef struct sums {
    int contact[2], flight, slip_count;
    double slip;
} sums;

static void add_frame(const tr_model *model, const tr_motion *motion, int frame, const soles *s,
                      sums *sum, tr_motion_report *report) {
    bool touches[2];
    for (int side = 0; side < 2; side++) {
        double height = s->side[side].height, speed = sole_speed(model, motion, frame, side);
        touches[side] = height < CONTACT_HEIGHT_M && speed < CONTACT_SPEED_MPS;
        report->foot_low_m = fmin(report->foot_low_m, height);
        if (!touches[side])
            continue;
        sum->contact[side]++;
        sum->slip += speed;
        sum->slip_count++;
    }
    sum->flight += !touches[0] && !touches[1];
    if (touches[0] || touches[1])
        report->foot_float_m =
            fmax(report->foot_float_m, fmin(s->side[0].height, s->side[1].height));
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

tr_motion_report tr_motion_describe(const tr_model *model, const tr_motion *motion) {
    tr_motion_report report = {
        .root_low_m = INFINITY, .root_high_m = -INFINITY, .foot_low_m = INFINITY};
    sums sum = {0};
    for (int i = 0; i < motion->frame_count; i++) {
        soles s = soles_of(model, &motion->poses[i]);
        add_frame(model, motion, i, &s, &sum, &report);
    }
    for (int side = 0; side < 2; side++)
        report.contact_fraction[side] = (double)sum.contact[side] / motion->frame_count;
    report.flight_fraction = (double)sum.flight / motion->frame_count;
    report.foot_slip_mps = sum.slip_count ? sum.slip / sum.slip_count : 0;
    describe_travel(motion, &report);
    return report;
}
