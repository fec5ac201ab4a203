/* Noise reduction by averaging (liu2015-samcon, section 5). */
#include "learn/reconstruct/reconstruct.h"

#include <math.h>
#include <string.h>

enum { HEIGHT_MIN = 4 }; /* eq. 4 counts samples whose h_j is larger */

/* mean <- mean + (x - mean) / n, component by component, rotations along the shorter arc. */
static void blend(const tr_model *model, tr_state *mean, const tr_state *x, int n) {
    double part = 1.0 / n;
    mean->pose.root_pos = tr_vec3_lerp(mean->pose.root_pos, x->pose.root_pos, part);
    mean->pose.root_rot = tr_quat_slerp(mean->pose.root_rot, x->pose.root_rot, part);
    mean->root_vel = tr_vec3_lerp(mean->root_vel, x->root_vel, part);
    mean->root_omega = tr_vec3_lerp(mean->root_omega, x->root_omega, part);
    for (int i = 1; i < model->body_count; i++) {
        mean->pose.joint[i] = tr_quat_slerp(mean->pose.joint[i], x->pose.joint[i], part);
        mean->joint_rate[i] = tr_vec3_lerp(mean->joint_rate[i], x->joint_rate[i], part);
    }
}

/* Updates eqs. 2 and 3, running means over the successes: m_hat by its dp, m by its states. */
static void add_to_mean(tr_reconstruction *r, int n) {
    for (int k = 0; k < r->track->count; k++) {
        tr_path_step *mean = &r->mean[k];
        const tr_path_step *x = &r->path[k];
        if (n == 1) {
            *mean = *x;
            continue;
        }
        for (int d = 0; d < r->track->sample_size; d++)
            mean->sample[d] += (x->sample[d] - mean->sample[d]) / n;
        blend(r->model, &mean->end, &x->end, n);
    }
}

void tr_reconstruct_note_success(tr_reconstruction *r) {
    size_t bytes = (size_t)r->track->count * sizeof *r->path;
    double cheapest = r->progress.path_cost;
    /* The success replaces r->path for the mean; then the cheaper of both remains. */
    memcpy(r->best, r->path, bytes);
    tr_reconstruct_keep_path(r);
    add_to_mean(r, r->progress.successes);
    if (isnan(cheapest) || r->progress.path_cost < cheapest)
        return;
    memcpy(r->path, r->best, bytes);
    r->progress.path_cost = cheapest;
}

/* Centres the distributions by eq. 4 for all fragments; near the end, where no tree can be higher
 * than four, the highest count. */
static void centre_on_elites(tr_reconstruction *r) {
    int count = r->track->count;
    for (int k = 0; k < count; k++) {
        int left = count - 1 - k;
        tr_elites_mean(&r->levels[k], left < HEIGHT_MIN ? left : HEIGHT_MIN, r->track->sample_size,
                       r->cma[k].mean);
    }
}

/* Of the windows from round to round. */
static const double SHRINK = 0.7;

static void shrink_windows(tr_reconstruction *r) {
    for (int k = 0; k < r->track->count; k++)
        r->cma[k].sigma *= SHRINK;
}

/* Measures the NSR (eq. 5) of the control, performed in one go; infinite when that loses the
 * motion. */
static tr_status measure(tr_reconstruction *r, double *out) {
    tr_reconstruct_result result;
    tr_status status = tr_reconstruct_perform(r, &result);
    if (status)
        return status;
    *out = result.lost ? (double)INFINITY : result.nsr;
    tr_motion_destroy(result.motion);
    return TR_OK;
}

/* Keeps the control of the round where it is less noisy than the one so far: when the windows have
 * become too small to correct what drifts, rounds grow worse again. r->mean is the round's own,
 * which the next failure takes as the reference. */
static tr_status keep_round(tr_reconstruction *r) {
    tr_reconstruct_progress *p = &r->progress;
    size_t bytes = (size_t)r->track->count * sizeof *r->path;
    double cost = p->path_cost, nsr = INFINITY;
    memcpy(r->best, r->path, bytes);
    tr_reconstruct_keep_path(r);
    memcpy(r->mean, r->path, bytes);
    tr_status status = measure(r, &nsr);
    if (!status && nsr < p->nsr) {
        p->nsr = nsr;
        p->kept = p->rounds + 1;
    } else {
        memcpy(r->path, r->best, bytes);
        p->path_cost = cost;
    }
    return status;
}

tr_status tr_reconstruct_begin_averaging(tr_reconstruction *r) {
    r->progress.phase = TR_RECONSTRUCT_AVERAGE;
    if (r->parameters.plain) {
        /* Simple averaging: sample about m_hat (eq. 2), with m (eq. 3) as the reference. */
        for (int k = 0; k < r->track->count; k++) {
            memcpy(r->cma[k].mean, r->mean[k].sample,
                   (size_t)r->track->sample_size * sizeof(double));
            tr_track_replace_end(r->track, k, &r->mean[k].end);
        }
    } else {
        /* Elite averaging: sample about the mean of the elites (eq. 4). */
        tr_elites_judge(r->levels, 0, r->track->count);
        centre_on_elites(r);
    }
    shrink_windows(r);
    memcpy(r->mean, r->path, (size_t)r->track->count * sizeof *r->path);
    return measure(r, &r->progress.nsr);
}

tr_status tr_reconstruct_average(tr_reconstruction *r) {
    int count = r->track->count;
    tr_status status = TR_OK;
    /* Section 5.1: windows shrink after a success; after a failure the last success becomes the
     * reference. */
    if (tr_reconstruct_trial(r, 0, count) == count) {
        status = keep_round(r);
        centre_on_elites(r);
        shrink_windows(r);
    } else {
        for (int k = 0; k < count; k++)
            tr_track_replace_end(r->track, k, &r->mean[k].end);
    }
    if (++r->progress.rounds >= r->parameters.rounds)
        r->progress.phase = TR_RECONSTRUCT_DONE;
    return status;
}
