/* Making motions cyclic and gaits symmetric. */
#include "motion/poses/motion.h"

#include "motion/poses/poses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double cycle_turn(const tr_motion *motion, const tr_motion_closing *closing) {
    if (!isnan(closing->turn_rad))
        return tr_angle_wrap(closing->turn_rad);
    double first = tr_quat_heading(motion->poses[0].root_rot);
    double last = tr_quat_heading(motion->poses[motion->frame_count - 1].root_rot);
    double turn = tr_angle_wrap(last - first);
    return fabs(turn) < closing->straight_rad ? 0 : turn;
}

/* D that takes the first pose to the place of the last: the horizontal displacement is the motion's
 * own. */
static void set_cycle(tr_motion *motion, const tr_pose *first, const tr_pose *last, double turn) {
    motion->cyclic = true;
    motion->symmetric = false;
    motion->cycle_turn_rad = turn;
    motion->cycle_shift = tr_vec3_sub(last->root_pos, tr_vec3_from_heading(first->root_pos, turn));
    motion->cycle_shift.z = 0;
}

/* The difference between `from` and `to` for each joint (rotation vectors in the joint's own
 * frame), and the height. */
typedef struct gap {
    tr_vec3 rot[TR_BODY_MAX]; /* [0]: the root */
    double height;
} gap;

static gap gap_between(const tr_pose *from, const tr_pose *to, int body_count) {
    gap g = {.height = to->root_pos.z - from->root_pos.z};
    g.rot[0] = tr_quat_log(tr_quat_mul(tr_quat_conj(from->root_rot), to->root_rot));
    for (int i = 1; i < body_count; i++)
        g.rot[i] = tr_quat_log(tr_quat_mul(tr_quat_conj(from->joint[i]), to->joint[i]));
    return g;
}

static void apply_gap(tr_pose *pose, const gap *g, int body_count, double part) {
    pose->root_pos.z += part * g->height;
    tr_quat_turn(&pose->root_rot, tr_vec3_scale(g->rot[0], part));
    for (int i = 1; i < body_count; i++)
        tr_quat_turn(&pose->joint[i], tr_vec3_scale(g->rot[i], part));
}

/* The first pose where the next cycle begins. */
static tr_pose next_begin(const tr_motion *motion, const tr_pose *first) {
    tr_pose pose = *first;
    pose.root_rot = tr_quat_mul(tr_quat_from_heading(motion->cycle_turn_rad), first->root_rot);
    pose.root_pos = tr_vec3_add(tr_vec3_from_heading(first->root_pos, motion->cycle_turn_rad),
                                motion->cycle_shift);
    return pose;
}

tr_motion_gap tr_motion_measure_gap(const tr_motion *motion, const tr_motion_closing *closing) {
    tr_motion scratch = *motion;
    const tr_pose *first = &motion->poses[0], *last = &motion->poses[motion->frame_count - 1];
    set_cycle(&scratch, first, last, cycle_turn(motion, closing));
    tr_pose next = next_begin(&scratch, first);
    gap g = gap_between(last, &next, motion->body_count);
    /* A change of heading is travel, not a gap; the root's own is its tilt. */
    double drift = tr_quat_heading(next.root_rot) - tr_quat_heading(last->root_rot);
    tr_quat level = tr_quat_mul(tr_quat_from_heading(drift), last->root_rot);
    tr_motion_gap out = {tr_quat_angle(level, next.root_rot), 0, g.height};
    for (int i = 1; i < motion->body_count; i++)
        if (tr_vec3_length(g.rot[i]) > out.angle_rad) {
            out.angle_rad = tr_vec3_length(g.rot[i]);
            out.body = i;
        }
    return out;
}

/* Spreads the gap over the motion: frame i of n takes the part i/n - 1/2, so that both ends meet
 * half way; or, with a blend, over the last frames alone. */
static void spread(tr_motion *motion, const gap *g, double blend_s) {
    int n = motion->frame_count;
    double blend = blend_s > 0 ? fmin(blend_s / motion->dt_s, n) : 0;
    for (int i = 0; i < n; i++) {
        double u = blend > 0 ? fmax(0.0, 1.0 - (n - i) / blend) : (double)i / n - 0.5;
        double part = blend > 0 ? u * u * (3 - 2 * u) : u;
        apply_gap(&motion->poses[i], g, motion->body_count, part);
    }
}

static tr_status close_by_spreading(const tr_motion *motion, const tr_motion_closing *closing,
                                    tr_motion **out) {
    int n = motion->frame_count - 1;
    tr_motion *cycle;
    tr_status status = tr_motion_cut(motion, 0, n - 1, &cycle);
    if (status)
        return status;
    const tr_pose *first = &motion->poses[0], *last = &motion->poses[n];
    set_cycle(cycle, first, last, cycle_turn(motion, closing));
    tr_pose next = next_begin(cycle, first);
    gap g = gap_between(last, &next, motion->body_count);
    spread(cycle, &g, closing->blend_s);
    *out = cycle;
    return TR_OK;
}

/* Cubic Hermite from 0 to `end` with end slopes a, b (per unit of u), each limited so that it never
 * overshoots (Fritsch and Carlson 1980). */
static double monotone(double end, double a, double b, double u) {
    double limit = 3 * end;
    a = end >= 0 ? fmin(fmax(a, 0), limit) : fmax(fmin(a, 0), limit);
    b = end >= 0 ? fmin(fmax(b, 0), limit) : fmax(fmin(b, 0), limit);
    double u2 = u * u, u3 = u2 * u;
    return end * (3 * u2 - 2 * u3) + a * (u3 - 2 * u2 + u) + b * (u3 - u2);
}

static tr_vec3 monotone3(tr_vec3 end, tr_vec3 a, tr_vec3 b, double u) {
    return tr_vec3_make(monotone(end.x, a.x, b.x, u), monotone(end.y, a.y, b.y, u),
                        monotone(end.z, a.z, b.z, u));
}

/* The way back: from the last pose, at the rates it has there, to the first pose and its rates. */
typedef struct way_back {
    gap whole, leaving, arriving; /* the gap, and the changes per frame at both ends */
    int frame_count, body_count;
} way_back;

static void walk_back(const way_back *w, int step, const tr_pose *last, tr_pose *out) {
    double u = (double)step / w->frame_count, n = w->frame_count;
    gap part = {.height =
                    monotone(w->whole.height, n * w->leaving.height, n * w->arriving.height, u)};
    for (int i = 0; i < w->body_count; i++)
        part.rot[i] = monotone3(w->whole.rot[i], tr_vec3_scale(w->leaving.rot[i], n),
                                tr_vec3_scale(w->arriving.rot[i], n), u);
    *out = *last;
    apply_gap(out, &part, w->body_count, 1);
}

static tr_status close_by_return(const tr_motion *motion, const tr_motion_closing *closing,
                                 tr_motion **out) {
    int n = motion->frame_count - 1;
    int tail = (int)lround(closing->return_s / motion->dt_s);
    if (tail < 1)
        return TR_INVALID_ARGUMENT;
    tr_motion *cycle;
    tr_status status = tr_motion_allocate_like(motion, n + tail, &cycle);
    if (status)
        return status;
    const tr_pose *first = &motion->poses[0], *last = &motion->poses[n];
    set_cycle(cycle, first, last, cycle_turn(motion, closing));
    tr_pose next = next_begin(cycle, first);
    way_back w = {.whole = gap_between(last, &next, motion->body_count),
                  .leaving = gap_between(&motion->poses[n - 1], last, motion->body_count),
                  .arriving = gap_between(first, &motion->poses[1], motion->body_count),
                  .frame_count = tail,
                  .body_count = motion->body_count};
    memcpy(cycle->poses, motion->poses, (size_t)n * sizeof *cycle->poses);
    for (int i = 0; i < tail; i++)
        walk_back(&w, i, last, &cycle->poses[n + i]);
    *out = cycle;
    return TR_OK;
}

tr_status tr_motion_close(const tr_motion *motion, const tr_motion_closing *closing,
                          tr_motion **out) {
    if (motion->cyclic || motion->frame_count < 3)
        return TR_FAILED_PRECONDITION;
    return closing->return_s > 0 ? close_by_return(motion, closing, out)
                                 : close_by_spreading(motion, closing, out);
}

tr_status tr_motion_twice(const tr_motion *motion, tr_motion **out) {
    if (!motion->cyclic)
        return TR_FAILED_PRECONDITION;
    tr_motion *both = NULL;
    tr_status status = tr_motion_allocate_like(motion, 2 * motion->frame_count, &both);
    if (status)
        return status;
    for (int i = 0; i < both->frame_count; i++)
        both->poses[i] = tr_motion_frame(motion, i);
    both->symmetric = false;
    tr_motion_cycle(motion, 2, &both->cycle_turn_rad, &both->cycle_shift);
    *out = both;
    return TR_OK;
}

tr_status tr_motion_symmetrise(const tr_model *model, const tr_motion *motion, tr_motion **out) {
    if (!motion->cyclic || motion->frame_count % 2 || motion->cycle_turn_rad != 0)
        return TR_FAILED_PRECONDITION;
    tr_motion *placed = NULL, *even = NULL;
    tr_status status = tr_motion_copy(motion, &placed);
    if (status)
        return status;
    tr_motion_place(placed);
    status = tr_motion_copy(placed, &even);
    int half = motion->frame_count / 2;
    for (int i = 0; !status && i < motion->frame_count; i++) {
        tr_pose later = tr_motion_frame(placed, i + half);
        later.root_pos = tr_vec3_add_scaled(later.root_pos, -0.5, placed->cycle_shift);
        tr_pose mirrored = tr_pose_mirror(model, &later);
        even->poses[i] = tr_pose_between(&placed->poses[i], &mirrored, motion->body_count, 0.5);
    }
    tr_motion_destroy(placed);
    if (status)
        return status;
    even->cycle_shift.y = 0;
    even->symmetric = true;
    *out = even;
    return TR_OK;
}

double tr_motion_asymmetry(const tr_model *model, const tr_motion *motion, int shift) {
    double sum = 0;
    for (int i = 0; i < motion->frame_count; i++) {
        tr_pose later = tr_motion_frame(motion, i + shift);
        tr_pose mirrored = tr_pose_mirror(model, &later);
        double most = 0;
        for (int b = 1; b < motion->body_count; b++)
            most = fmax(most, tr_quat_angle(mirrored.joint[b], motion->poses[i].joint[b]));
        sum += most;
    }
    return sum / motion->frame_count;
}
