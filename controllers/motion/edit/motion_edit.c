/* Cutting, resampling, mirroring, closing, symmetrising, smoothing and placing of motions. */
#include "motion/poses/motion.h"

#include "motion/poses/poses.h"

#include "math/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void forget_cycle(tr_motion *motion) {
    motion->cyclic = motion->symmetric = false;
    motion->cycle_shift = (tr_vec3){0};
    motion->cycle_turn_rad = 0;
}

tr_status tr_motion_cut(const tr_motion *motion, int first, int last, tr_motion **out) {
    if (first < 0 || last >= motion->frame_count || first > last)
        return TR_OUT_OF_RANGE;
    tr_motion *cut;
    tr_status status = tr_motion_allocate_like(motion, last - first + 1, &cut);
    if (status)
        return status;
    memcpy(cut->poses, motion->poses + first, (size_t)cut->frame_count * sizeof *cut->poses);
    forget_cycle(cut);
    *out = cut;
    return TR_OK;
}

/* ---- Resampling ---- */

static tr_quat *joint_of(tr_pose *pose, int body) {
    return body == 0 ? &pose->root_rot : &pose->joint[body];
}

static tr_quat joint_value(const tr_pose *pose, int body) {
    return body == 0 ? pose->root_rot : pose->joint[body];
}

void tr_motion_align(tr_motion *motion) {
    for (int frame = 1; frame < motion->frame_count; frame++)
        for (int body = 0; body < motion->body_count; body++) {
            tr_quat *q = joint_of(&motion->poses[frame], body);
            if (tr_quat_dot(*q, joint_value(&motion->poses[frame - 1], body)) < 0)
                *q = (tr_quat){-q->w, -q->x, -q->y, -q->z};
        }
}

/* A pose as a row of numbers: root position, then four per body. */
enum { ROW_MAX = 3 + 4 * TR_BODY_MAX };

static void pose_to_row(const tr_pose *pose, int body_count, double *row) {
    memcpy(row, &pose->root_pos, 3 * sizeof *row);
    for (int body = 0; body < body_count; body++) {
        tr_quat q = joint_value(pose, body);
        memcpy(row + 3 + (ptrdiff_t)4 * body, &q, sizeof q);
    }
}

static void row_to_pose(const double *row, int body_count, tr_pose *pose) {
    memcpy(&pose->root_pos, row, 3 * sizeof *row);
    for (int body = 0; body < body_count; body++) {
        tr_quat q;
        memcpy(&q, row + 3 + (ptrdiff_t)4 * body, sizeof q);
        *joint_of(pose, body) = tr_quat_normalize(q);
    }
}

/* Second derivatives m of the natural cubic spline through the rows y (unit spacing): with m_0 =
 * m_{n-1} = 0,
 *     m_{i-1} + 4 m_i + m_{i+1} = 6 (y_{i-1} - 2 y_i + y_{i+1}),
 * solved for all columns together by Thomas's algorithm. y, m: [count][width]. */
static void spline_curvature(const double *y, int count, int width, double *pivot, double *m) {
    size_t w = (size_t)width;
    memset(m, 0, (size_t)count * w * sizeof *m);
    for (int i = 1; i < count - 1; i++) {
        const double *before = y + (size_t)(i - 1) * w, *at = before + w, *after = at + w;
        double *row = m + (size_t)i * w;
        pivot[i] = i == 1 ? 4.0 : 4.0 - 1.0 / pivot[i - 1];
        for (size_t k = 0; k < w; k++) {
            row[k] = 6.0 * (before[k] - 2.0 * at[k] + after[k]);
            if (i > 1)
                row[k] -= row[k - w] / pivot[i - 1];
        }
    }
    for (int i = count - 2; i > 0; i--) {
        double *row = m + (size_t)i * w;
        for (size_t k = 0; k < w; k++)
            row[k] = (row[k] - row[k + w]) / pivot[i];
    }
}

/* Value of the spline at `at`, in units of the spacing. */
static void spline_value(const double *y, const double *m, int count, int width, double at,
                         double *out) {
    int i = (int)floor(at);
    i = i < 0 ? 0 : i > count - 2 ? count - 2 : i;
    double b = at - i, a = 1.0 - b;
    double wa = (a * a * a - a) / 6.0, wb = (b * b * b - b) / 6.0;
    size_t row = (size_t)i * (size_t)width, next = row + (size_t)width;
    for (int k = 0; k < width; k++)
        out[k] = a * y[row + (size_t)k] + b * y[next + (size_t)k] + wa * m[row + (size_t)k] +
                 wb * m[next + (size_t)k];
}

static tr_status sample_rows(const tr_motion *aligned, double start_s, double step_s,
                             tr_motion *out) {
    int count = aligned->frame_count, width = 3 + 4 * aligned->body_count;
    double *y = calloc((size_t)count * (size_t)width, sizeof *y);
    double *m = calloc((size_t)count * (size_t)width, sizeof *m);
    double *pivot = calloc((size_t)count, sizeof *pivot);
    tr_status status = y && m && pivot ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        for (int i = 0; i < count; i++)
            pose_to_row(&aligned->poses[i], aligned->body_count, y + (size_t)i * (size_t)width);
        spline_curvature(y, count, width, pivot, m);
        for (int i = 0; i < out->frame_count; i++) {
            double row[ROW_MAX];
            double at = (start_s + i * step_s) / aligned->dt_s;
            spline_value(y, m, count, width, at, row);
            row_to_pose(row, aligned->body_count, &out->poses[i]);
        }
    }
    free(y);
    free(m);
    free(pivot);
    return status;
}

tr_status tr_motion_sample(const tr_motion *motion, double start_s, double step_s, int count,
                           tr_motion **out) {
    double end_s = start_s + step_s * (count - 1),
           length = motion->dt_s * (motion->frame_count - 1);
    if (!(start_s >= -1e-9 && end_s <= length + 1e-9 && step_s > 0) || motion->frame_count < 2)
        return TR_OUT_OF_RANGE;
    tr_motion *aligned = NULL, *sampled = NULL;
    tr_status status = tr_motion_copy(motion, &aligned);
    if (!status)
        status = tr_motion_allocate_like(motion, count, &sampled);
    if (!status) {
        tr_motion_align(aligned);
        status = sample_rows(aligned, start_s, step_s, sampled);
    }
    tr_motion_destroy(aligned);
    if (status) {
        tr_motion_destroy(sampled);
        return status;
    }
    sampled->dt_s = step_s;
    forget_cycle(sampled);
    *out = sampled;
    return TR_OK;
}

/* A cyclic motion is sampled over its cycle and a few frames of its neighbours, so that the spline
 * passes the seam. */
static tr_status resample_cycle(const tr_motion *motion, double dt_s, int frame_count,
                                tr_motion **out) {
    int margin = motion->frame_count < 20 ? motion->frame_count : 20;
    tr_motion *wide, *sampled;
    tr_status status = tr_motion_allocate_like(motion, motion->frame_count + 2 * margin, &wide);
    if (status)
        return status;
    for (int i = 0; i < wide->frame_count; i++)
        wide->poses[i] = tr_motion_frame(motion, i - margin);
    double step = motion->dt_s * motion->frame_count / frame_count;
    status = tr_motion_sample(wide, margin * motion->dt_s, step, frame_count, &sampled);
    tr_motion_destroy(wide);
    if (status)
        return status;
    sampled->dt_s = dt_s;
    sampled->cyclic = true;
    sampled->symmetric = motion->symmetric && frame_count % 2 == 0;
    sampled->cycle_shift = motion->cycle_shift;
    sampled->cycle_turn_rad = motion->cycle_turn_rad;
    *out = sampled;
    return TR_OK;
}

tr_status tr_motion_resample(const tr_motion *motion, double dt_s, int frame_count,
                             tr_motion **out) {
    if (frame_count < 2 || frame_count > TR_MOTION_FRAME_MAX || !(dt_s > 0))
        return TR_INVALID_ARGUMENT;
    if (motion->cyclic)
        return resample_cycle(motion, dt_s, frame_count, out);
    double step = motion->dt_s * (motion->frame_count - 1) / (frame_count - 1);
    tr_motion *sampled;
    tr_status status = tr_motion_sample(motion, 0, step, frame_count, &sampled);
    if (status)
        return status;
    sampled->dt_s = dt_s;
    *out = sampled;
    return TR_OK;
}

/* ---- Smoothing ---- */

/* Weighted mean of the frames around `frame`; weights: [2 * reach + 1]. */
static tr_pose blur(const tr_motion *motion, int frame, const double *weights, int reach) {
    double row[ROW_MAX], sum[ROW_MAX] = {0}, centre[ROW_MAX], total = 0;
    int width = 3 + 4 * motion->body_count;
    pose_to_row(&motion->poses[frame], motion->body_count, centre);
    for (int k = -reach; k <= reach; k++) {
        if (!motion->cyclic && (frame + k < 0 || frame + k >= motion->frame_count))
            continue;
        tr_pose pose = tr_motion_frame(motion, frame + k);
        double w = weights[k + reach];
        pose_to_row(&pose, motion->body_count, row);
        for (int i = 0; i < 3; i++)
            sum[i] += w * row[i];
        for (int i = 3; i < width; i += 4) {
            double dot = row[i] * centre[i] + row[i + 1] * centre[i + 1] +
                         row[i + 2] * centre[i + 2] + row[i + 3] * centre[i + 3];
            for (int j = i; j < i + 4; j++)
                sum[j] += dot < 0 ? -w * row[j] : w * row[j];
        }
        total += w;
    }
    for (int i = 0; i < 3; i++)
        sum[i] /= total;
    tr_pose out = motion->poses[frame];
    row_to_pose(sum, motion->body_count, &out);
    return out;
}

tr_status tr_motion_smooth(tr_motion *motion, double sigma_s) {
    double sigma = sigma_s / motion->dt_s;
    if (!(sigma >= 0) || sigma > 1000)
        return TR_INVALID_ARGUMENT;
    int reach = (int)ceil(3 * sigma);
    if (reach == 0)
        return TR_OK;
    double *weights = calloc(2 * (size_t)reach + 1, sizeof *weights);
    tr_pose *smooth = calloc((size_t)motion->frame_count, sizeof *smooth);
    tr_status status = weights && smooth ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        for (int k = -reach; k <= reach; k++)
            weights[k + reach] = tr_exp(-0.5 * (k / sigma) * (k / sigma));
        for (int i = 0; i < motion->frame_count; i++) {
            /* The ends of an open motion keep their mean position: the window stays symmetric
             * there. */
            int room = i < motion->frame_count - 1 - i ? i : motion->frame_count - 1 - i;
            int r = motion->cyclic || room > reach ? reach : room;
            smooth[i] = blur(motion, i, weights + (reach - r), r);
        }
        memcpy(motion->poses, smooth, (size_t)motion->frame_count * sizeof *smooth);
    }
    free(weights);
    free(smooth);
    return status;
}

/* ---- Placing ---- */

static double heading_of_frame(const tr_motion *motion, int frame) {
    return tr_quat_heading(motion->poses[frame].root_rot);
}

/* The direction that becomes x: of travel, when the character mostly looks there; else of the first
 * frame. */
static double natural_heading(const tr_motion *motion) {
    tr_vec3 begin = motion->poses[0].root_pos,
            end = motion->poses[motion->frame_count - 1].root_pos;
    tr_vec3 travel = motion->cyclic ? motion->cycle_shift : tr_vec3_sub(end, begin);
    double first = heading_of_frame(motion, 0);
    if (motion->cycle_turn_rad != 0 || hypot(travel.x, travel.y) < 0.3)
        return first;
    double heading = tr_atan2(travel.y, travel.x);
    for (int i = 0; i < motion->frame_count; i++)
        if (fabs(tr_angle_wrap(heading_of_frame(motion, i) - heading)) > 60 * TR_PI / 180)
            return first;
    return heading;
}

/* Applies P(p) = Rz(-heading) (p - origin) to the poses and to the cycle, D' = P D P^-1. */
static void move(tr_motion *motion, double heading, tr_vec3 origin) {
    tr_vec3 offset = tr_vec3_negate(tr_vec3_to_heading(origin, heading));
    tr_quat turn = tr_quat_from_heading(-heading);
    for (int i = 0; i < motion->frame_count; i++) {
        tr_pose *pose = &motion->poses[i];
        pose->root_pos = tr_vec3_add(tr_vec3_to_heading(pose->root_pos, heading), offset);
        pose->root_rot = tr_quat_mul(turn, pose->root_rot);
    }
    if (!motion->cyclic)
        return;
    tr_vec3 turned = tr_vec3_from_heading(offset, motion->cycle_turn_rad);
    motion->cycle_shift =
        tr_vec3_add(tr_vec3_to_heading(motion->cycle_shift, heading), tr_vec3_sub(offset, turned));
}

void tr_motion_place(tr_motion *motion) {
    tr_vec3 origin = motion->poses[0].root_pos;
    origin.z = 0;
    move(motion, natural_heading(motion), origin);
    if (!motion->cyclic || motion->cycle_turn_rad != 0)
        return;
    /* Travel straight ahead: after the shift, the mean over a cycle is at y = 0. */
    double y = 0;
    for (int i = 0; i < motion->frame_count; i++)
        y += motion->poses[i].root_pos.y - motion->cycle_shift.y * i / motion->frame_count;
    move(motion, 0, tr_vec3_make(0, y / motion->frame_count, 0));
}
