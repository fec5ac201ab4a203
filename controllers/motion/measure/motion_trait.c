#include "motion/measure/motion_trait.h"

#include "motion/measure/flight.h"

#include "math/elementary.h"

#include <math.h>
#include <stdlib.h>

/* Limits for a stride: its duration and turn. */
static const double STRIDE_MIN_S = 0.35, STRIDE_MAX_S = 1.7, STRIDE_TURN_RAD = 30 * TR_PI / 180;
static const double STRIDE_TURN_OFF_RAD = 8 * TR_PI / 180;

/* What makes a stride: how far its ends may be apart, and the least speed and swing of the thighs.
 * Strides are sought first among long steps, then among all in which the legs alternate: old, tired
 * and stooped walks swing the thighs by 5 to 12 deg. Where the halves are mirror images the ends may be
 * further apart, and in a motion that changes its speed. */
typedef struct stride_limits {
    double gap_rad, speed_gap_mps, swing_rad, speed_mps;
} stride_limits;
static const stride_limits LONG = {15 * TR_PI / 180, 0.5, 12 * TR_PI / 180, 0.3},
                           SHORT = {15 * TR_PI / 180, 0.5, 4 * TR_PI / 180, 0.15},
                           UNSTEADY = {28 * TR_PI / 180, 0.8, 4 * TR_PI / 180, 0.15},
                           CHANGING = {40 * TR_PI / 180, 1, 4 * TR_PI / 180, 0.15};
static const double CHANGE_MPS = 1; /* between the ends of a motion that changes its speed */
static const double SINGLE_ASYMMETRY_RAD = 24 * TR_PI / 180,
                    UNSTEADY_ASYMMETRY_RAD = 28 * TR_PI / 180;

/* The least share of strides in a longer gait, and the largest gap between the ends of a stride. */
static const double GAIT_SHARE = 0.5, GAIT_GAP_RAD = 32 * TR_PI / 180;

/* Part of the motion that may be left out at either end for the sake of a smaller gap. */
static const double TRIM_SHARE = 0.1;

/* A turn on the way: by how much and how long it turns, how far its heading is from an even curve, and
 * the part at either end that shows a stride. */
static const double TURN_MIN_RAD = 60 * TR_PI / 180, TURN_MAX_RAD = 270 * TR_PI / 180;
static const double TURN_MAX_S = 5, TURN_MPS = 0.45, TURN_UNEVEN = 0.12,
                    TURN_SWAY_RAD = 8 * TR_PI / 180;
static const double TURN_SWING_RAD = 10 * TR_PI / 180;

/* A body is up when its trunk is this upright and its root this high; soon after it is slow for a
 * moment. */
static const double RISEN_COS = 0.8, RISEN_SHARE = 0.6, RISEN_S = 1.5;

/* A foot that stands alone for this part of the time: the sides take turns. */
static const double ALTERNATING_SHARE = 0.3;

/* Speeds at the ends are means over this time. */
static const double END_S = 0.1;

/* A body slower than this stands still. */
static const double STILL_MPS = 0.12, STILL_RAD_S = 0.7;

enum { SAMPLE_HZ = 40 };

/* A motion sampled more coarsely for the searches.
 *   at       [count], frame of the motion
 *   state    [count]
 *   moving   [count] */
typedef struct survey {
    const tr_model *model;
    const tr_motion *motion;
    int count;
    double dt_s;
    int *at;
    tr_state *state;
    bool *moving;
} survey;

static tr_vec3 velocity(const tr_state *state) {
    return tr_vec3_to_heading(state->root_vel, tr_quat_heading(state->pose.root_rot));
}

static double fastest_joint(const tr_model *model, const tr_state *state) {
    double most = 0;
    for (int i = 1; i < model->body_count; i++)
        most = fmax(most, tr_vec3_length(state->joint_rate[i]));
    return most;
}

/* Pose of a frame, with its rates; those of the ends are those of the frames beside them. */
static tr_state state_at(const survey *s, int frame) {
    int last = s->motion->frame_count - 1;
    int inner = frame < 1 ? 1 : frame > last - 1 ? last - 1 : frame;
    tr_state state = tr_motion_state(s->model, s->motion, inner * s->motion->dt_s);
    state.pose = s->motion->poses[frame];
    return state;
}

static void close_survey(survey *s) {
    free(s->at);
    free(s->state);
    free(s->moving);
}

static tr_status open_survey(const tr_model *model, const tr_motion *motion, survey *s) {
    int stride = (int)fmax(1, round(1 / (SAMPLE_HZ * motion->dt_s)));
    int count = (motion->frame_count - 1) / stride + 1;
    *s = (survey){model, motion, count, stride * motion->dt_s, NULL, NULL, NULL};
    s->at = calloc((size_t)count, sizeof *s->at);
    s->state = calloc((size_t)count, sizeof *s->state);
    s->moving = calloc((size_t)count, sizeof *s->moving);
    if (!s->at || !s->state || !s->moving) {
        close_survey(s);
        return TR_RESOURCE_EXHAUSTED;
    }
    for (int i = 0; i < count; i++) {
        s->at[i] = i * stride;
        s->state[i] = state_at(s, s->at[i]);
        s->moving[i] = tr_vec3_length(s->state[i].root_vel) > STILL_MPS ||
                       fastest_joint(model, &s->state[i]) > STILL_RAD_S;
    }
    return TR_OK;
}

static double mean_speed(const survey *s, int first, int count) {
    double sum = 0;
    for (int i = first; i < first + count; i++)
        sum += hypot(s->state[i].root_vel.x, s->state[i].root_vel.y);
    return sum / count;
}

/* ---- Gaps ---- */

/* The largest angle between joints of two samples, rad. */
static double pose_gap(const survey *s, int a, int b) {
    double most = 0;
    for (int i = 1; i < s->model->body_count; i++)
        most = fmax(most, tr_quat_angle(s->state[a].pose.joint[i], s->state[b].pose.joint[i]));
    return most;
}

static double speed_gap(const survey *s, int a, int b) {
    return tr_vec3_distance(velocity(&s->state[a]), velocity(&s->state[b]));
}

/* The gap between two samples: an angle, plus 30 deg for each m/s between their velocities. */
static double misfit(const survey *s, int a, int b) {
    return pose_gap(s, a, b) + 30 * TR_PI / 180 * speed_gap(s, a, b);
}

/* ---- Strides ---- */

/* How far a thigh swings ahead of the trunk: about its y axis, rad. */
static double swing(const survey *s, int sample, int side) {
    int foot = s->model->foot[side];
    int thigh = s->model->body[s->model->body[foot].parent].parent;
    return -tr_quat_log(s->state[sample].pose.joint[thigh]).y;
}

/* Whether one leg swings forward while the other swings back, by this angle or more. */
static bool legs_alternate(const survey *s, int first, int last, double least_rad) {
    double mean[2] = {0}, product = 0, square[2] = {0};
    int n = last - first;
    for (int side = 0; side < 2; side++)
        for (int i = first; i < last; i++)
            mean[side] += swing(s, i, side) / n;
    for (int i = first; i < last; i++) {
        double l = swing(s, i, 0) - mean[0], r = swing(s, i, 1) - mean[1];
        product += l * r / n;
        square[0] += l * l / n;
        square[1] += r * r / n;
    }
    double least = fmin(square[0], square[1]);
    return sqrt(2 * least) > least_rad && product < -0.3 * sqrt(square[0] * square[1]);
}

static double travel_speed(const survey *s, int first, int last) {
    tr_vec3 a = s->state[first].pose.root_pos, b = s->state[last].pose.root_pos;
    return hypot(b.x - a.x, b.y - a.y) / ((last - first) * s->dt_s);
}

static double turn_between(const survey *s, int first, int last) {
    return tr_angle_wrap(tr_quat_heading(s->state[last].pose.root_rot) -
                         tr_quat_heading(s->state[first].pose.root_rot));
}

static bool is_stride(const survey *s, const stride_limits *limits, int first, int last) {
    return fabs(turn_between(s, first, last)) <= STRIDE_TURN_RAD &&
           pose_gap(s, first, last) <= limits->gap_rad &&
           speed_gap(s, first, last) <= limits->speed_gap_mps &&
           travel_speed(s, first, last) >= limits->speed_mps &&
           legs_alternate(s, first, last, limits->swing_rad);
}

/* The largest angle between joints of the legs of two samples, rad: arms may do what they like. */
static double leg_gap(const survey *s, int a, int b) {
    double most = 0;
    for (int side = 0; side < 2; side++)
        for (int i = s->model->foot[side]; i > 0; i = s->model->body[i].parent)
            most = fmax(most, tr_quat_angle(s->state[a].pose.joint[i], s->state[b].pose.joint[i]));
    return most;
}

/* The length in samples of the longest stretch in which every sample begins or lies within a
 * stride of about this length and at least three quarters of this speed. */
static int strides_in_a_row(const survey *s, int length, double speed_mps) {
    int longest = 0, run = 0, slack = length / 8;
    for (int i = 0; i + length < s->count; i++) {
        double least = (double)INFINITY;
        for (int k = length - slack; k <= length + slack && i + k < s->count; k++)
            least = fmin(least, leg_gap(s, i, i + k));
        run = least <= GAIT_GAP_RAD && travel_speed(s, i, i + length) >= 0.75 * speed_mps ? run + 1
                                                                                          : 0;
        longest = run > longest ? run : longest;
    }
    return longest ? longest + length : 0;
}

/* The stride whose ends meet best; false: none. */
static bool find_stride(const survey *s, const stride_limits *limits, int *out_first,
                        int *out_last) {
    int shortest = (int)ceil(STRIDE_MIN_S / s->dt_s), longest = (int)(STRIDE_MAX_S / s->dt_s);
    double least = (double)INFINITY, turn_rate = turn_between(s, 0, s->count - 1) / (s->count - 1);
    for (int first = 0; first < s->count; first++)
        for (int last = first + shortest; last < s->count && last <= first + longest; last++) {
            /* In a curve, take a stride that turns as the whole motion does. */
            double turn = turn_between(s, first, last) - turn_rate * (last - first);
            double now = misfit(s, first, last) + fabs(turn);
            if (now >= least || fabs(turn) > STRIDE_TURN_OFF_RAD ||
                !is_stride(s, limits, first, last))
                continue;
            least = now;
            *out_first = first;
            *out_last = last;
        }
    return isfinite(least);
}

/* Whether enough of the motion is strides like this one. */
static bool is_gait(const survey *s, int first, int last) {
    int length = last - first;
    return length >= 0.8 * (s->count - 1) ||
           strides_in_a_row(s, length, travel_speed(s, first, last)) >= GAIT_SHARE * (s->count - 1);
}

/* ---- The whole ---- */

/* The sum of all turns between two samples, rad; *out_uneven: how far the heading is from an even
 * curve at most. */
static double total_turn(const survey *s, int first, int last, double *out_uneven) {
    double total = 0, turned = 0, most = 0;
    for (int i = first; i < last; i++)
        total += turn_between(s, i, i + 1);
    for (int i = first; i < last; i++) {
        most = fmax(most, fabs(turned - total * (i - first) / (last - first)));
        turned += turn_between(s, i, i + 1);
    }
    *out_uneven = most;
    return total;
}

/* The samples without the still ones at the ends; 0.1 s of these are kept. */
static void trim_stillness(const survey *s, int *out_first, int *out_last) {
    int margin = (int)(0.1 / s->dt_s), first = 0, last = s->count - 1;
    while (first < last && !s->moving[first])
        first++;
    while (last > first && !s->moving[last])
        last--;
    bool moves = last > first;
    *out_first = moves && first > margin ? first - margin : 0;
    *out_last = moves && last + margin < s->count - 1 ? last + margin : s->count - 1;
}

/* The ends near those given that meet best; at most this share is left out at either end. */
static void find_ends(const survey *s, double share, int *first, int *last) {
    int reach = (int)(share * (*last - *first)), a = *first, b = *last;
    double least = (double)INFINITY;
    for (int i = a; i <= a + reach; i++)
        for (int k = b - reach; k <= b; k++) {
            /* A frame left out must improve the gap by enough: 4 deg for each hundredth. */
            double left_out = (double)(i - a + b - k) / (b - a);
            double now = misfit(s, i, k) + 400 * TR_PI / 180 * left_out;
            if (now < least) {
                least = now;
                *first = i;
                *last = k;
            }
        }
}

/* ---- Describing what was found ---- */

static tr_status describe(const survey *s, int first, int last, tr_motion_cycle_found *out) {
    tr_motion *cut = NULL, *closed = NULL;
    const tr_motion_closing closing = {.turn_rad = (double)NAN,
                                       .straight_rad = TR_MOTION_STRAIGHT_RAD};
    tr_status status = tr_motion_cut(s->motion, s->at[first], s->at[last], &cut);
    if (status)
        return status;
    *out = (tr_motion_cycle_found){.first = s->at[first],
                                   .last = s->at[last],
                                   .gap = tr_motion_measure_gap(cut, &closing),
                                   .speed_gap_mps = speed_gap(s, first, last)};
    out->turn_rad = turn_between(s, first, last);
    status = tr_motion_close(cut, &closing, &closed);
    if (!status) {
        out->asymmetry_rad = tr_motion_asymmetry(s->model, closed, closed->frame_count / 2);
        out->alikeness_rad = tr_motion_asymmetry(s->model, closed, 0);
    }
    tr_motion_destroy(cut);
    tr_motion_destroy(closed);
    return status;
}

/* The axis of the trunk, upwards. */
static tr_vec3 trunk(const survey *s, int sample) {
    return tr_quat_rotate(s->state[sample].pose.root_rot, tr_vec3_make(0, 0, 1));
}

/* Near the ground, and the trunk level. */
static bool is_lying(const survey *s, int sample) {
    tr_pose rest = tr_pose_rest(s->model);
    return s->state[sample].pose.root_pos.z < 0.4 * rest.root_pos.z &&
           fabs(trunk(s, sample).z) < 0.6;
}

/* Whether the motion as a whole may be a stride whose ends do not quite meet. */
static bool is_single_stride(const survey *s) {
    double length_s = (s->count - 1) * s->dt_s;
    int last = s->count - 1;
    return length_s >= STRIDE_MIN_S && length_s <= STRIDE_MAX_S &&
           pose_gap(s, 0, last) <= CHANGING.gap_rad &&
           travel_speed(s, 0, last) >= CHANGING.speed_mps &&
           fabs(turn_between(s, 0, last)) <= STRIDE_TURN_RAD &&
           legs_alternate(s, 0, last, CHANGING.swing_rad);
}

/* Takes a stride for a gait if its halves are mirror images. */
static tr_status take_mirrored(const survey *s, const int ends[2], double most_rad,
                               tr_motion_trait *out) {
    tr_motion_cycle_found found;
    tr_status status = describe(s, ends[0], ends[1], &found);
    if (!status && found.asymmetry_rad <= most_rad)
        out->gait = found;
    return status;
}

static bool changes_speed(const survey *s) {
    int ends = (int)fmax(1, round(END_S / s->dt_s));
    return fabs(mean_speed(s, 0, ends) - mean_speed(s, s->count - ends, ends)) > CHANGE_MPS;
}

static bool find_gait(const survey *s, const stride_limits *limits, int ends[2]) {
    return find_stride(s, limits, &ends[0], &ends[1]) && is_gait(s, ends[0], ends[1]);
}

/* A gait's stride, the motion that is one stride, or else the best stride of a motion that changes
 * its speed. */
static tr_status take_strides(const survey *s, tr_motion_trait *out) {
    tr_status status = TR_OK;
    int ends[2] = {0, s->count - 1};
    const int whole[2] = {0, s->count - 1};
    if (find_gait(s, &LONG, ends) || find_gait(s, &SHORT, ends))
        return describe(s, ends[0], ends[1], &out->gait);
    if (is_single_stride(s))
        status = take_mirrored(s, whole, SINGLE_ASYMMETRY_RAD, out);
    if (!status && !out->gait.last && !changes_speed(s) && find_gait(s, &UNSTEADY, ends))
        status = take_mirrored(s, ends, UNSTEADY_ASYMMETRY_RAD, out);
    if (status || out->gait.last)
        return status;
    if (find_stride(s, &CHANGING, &ends[0], &ends[1]))
        status = describe(s, ends[0], ends[1], &out->stride);
    return status;
}

/* A walk or run that changes its direction once: strides at both ends, and a turn that is no even
 * curve. */
static bool is_turn(const survey *s) {
    int last = s->count - 1, third = last / 3;
    double uneven, turn = total_turn(s, 0, last, &uneven);
    return last * s->dt_s <= TURN_MAX_S && fabs(turn) >= TURN_MIN_RAD &&
           fabs(turn) <= TURN_MAX_RAD && uneven >= TURN_UNEVEN * fabs(turn) + TURN_SWAY_RAD &&
           mean_speed(s, 0, third) >= TURN_MPS && mean_speed(s, last - third, third) >= TURN_MPS &&
           legs_alternate(s, 0, last, TURN_SWING_RAD);
}

/* Takes the turn if its ends nearly meet. */
static tr_status take_turn(const survey *s, tr_motion_trait *out) {
    int first = 0, last = s->count - 1;
    double uneven;
    tr_motion_cycle_found found;
    find_ends(s, 2 * TRIM_SHARE, &first, &last);
    tr_status status = describe(s, first, last, &found);
    found.turn_rad = total_turn(s, first, last, &uneven);
    if (!status && found.gap.angle_rad <= CHANGING.gap_rad)
        out->turn = found;
    return status;
}

/* The frame in which a body that lay is highest and slowest, within RISEN_S of being up; 0: it never is
 * up. */
static int find_risen(const survey *s) {
    const double rest_m = tr_pose_rest(s->model).root_pos.z;
    double least = (double)INFINITY;
    int up = -1, best = 0;
    for (int i = 0; i < s->count && (up < 0 || (i - up) * s->dt_s <= RISEN_S); i++) {
        bool upright =
            trunk(s, i).z > RISEN_COS && s->state[i].pose.root_pos.z > RISEN_SHARE * rest_m;
        double speed = tr_vec3_length(s->state[i].root_vel) +
                       0.1 * fastest_joint(s->model, &s->state[i]) +
                       2 * fabs(rest_m - s->state[i].pose.root_pos.z);
        if (up < 0 && upright)
            up = i;
        if (upright && speed < least) {
            least = speed;
            best = i;
        }
    }
    return s->at[best];
}

static tr_status measure(const survey *s, tr_motion_trait *out) {
    int first = 0, last = 0, ends = (int)fmax(1, round(END_S / s->dt_s));
    tr_flight flight;
    tr_motion_report report;
    tr_status status = is_turn(s) ? take_turn(s, out) : TR_OK;
    if (!status && out->turn.last == 0)
        status = take_strides(s, out);
    trim_stillness(s, &first, &last);
    find_ends(s, TRIM_SHARE, &first, &last);
    if (!status)
        status = describe(s, first, last, &out->whole);
    if (!status)
        status = tr_motion_measure_flight(s->model, s->motion, &flight);
    if (!status)
        status = tr_motion_describe(s->model, s->motion, &report);
    if (status)
        return status;
    out->flight = flight.duration_s > 0;
    out->raised_s = flight.raised_s;
    out->raised_m = flight.raised_m;
    out->raised_first = flight.raised_first;
    out->path_mps = report.path_m / report.duration_s;
    /* One foot alone: all contacts, less twice the time with both. */
    out->alternates =
        legs_alternate(s, first, last, CHANGING.swing_rad) ||
        2 * (1 - report.flight_fraction) - report.contact_fraction[0] - report.contact_fraction[1] >
            ALTERNATING_SHARE;
    out->begins_lying = is_lying(s, 0);
    out->risen = out->begins_lying ? find_risen(s) : 0;
    out->ends_upright = trunk(s, s->count - 1).z > 0.5;
    out->tilt_gap_rad = tr_acos(tr_vec3_dot(trunk(s, 0), trunk(s, s->count - 1)));
    out->speed_begin_mps = mean_speed(s, 0, ends);
    out->speed_end_mps = mean_speed(s, s->count - ends, ends);
    return TR_OK;
}

tr_status tr_motion_measure_trait(const tr_model *model, const tr_motion *motion,
                                  tr_motion_trait *out) {
    if (motion->cyclic || tr_motion_duration(motion) < 0.2)
        return TR_INVALID_ARGUMENT;
    survey s;
    tr_motion_trait trait = {0};
    tr_status status = open_survey(model, motion, &s);
    if (status)
        return status;
    status = measure(&s, &trait);
    close_survey(&s);
    if (!status)
        *out = trait;
    return status;
}
