#include "control/gait/gait.h"

#include "math/hash.h"

#include <math.h>
#include <stdlib.h>

/* --- making --- */

tr_status tr_gait_create(const tr_model *model, const tr_gait_def *def, tr_gait **out,
                         tr_error *error) {
    tr_gait *gait = calloc(1, sizeof *gait);
    if (!gait)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "gait: no memory");
    gait->body_count = model->body_count;
    gait->own_mps = def->own_mps;
    gait->felt_lag_s = def->felt_lag_s ? def->felt_lag_s : TR_GAIT_FELT_LAG_S;
    tr_pose rest = tr_pose_rest(model);
    for (int k = 0; k < TR_GAIT_KEYFRAMES; k++)
        gait->start[k] = def->start ? def->start[k] : tr_state_at_rest(model, &rest);
    tr_status status = tr_gait_body_find(model, &gait->body, error);
    if (!status)
        status = tr_gait_curve_copy(def->force, &gait->force);
    if (!status && def->speed && def->speed->count > 0)
        status = tr_gait_curve_copy(def->speed, &gait->speed);
    if (!status)
        status = tr_gait_check(gait, error);
    return TR_GIVE(status, gait, tr_gait_destroy, out);
}

void tr_gait_destroy(void *content) {
    tr_gait *gait = content;
    if (!gait)
        return;
    tr_gait_curve_deinit(&gait->force);
    tr_gait_curve_deinit(&gait->speed);
    free(gait);
}

/* --- checks --- */

static tr_status refuse_parameter(tr_error *error, const tr_gait_curve *curve, int row, int at) {
    char name[TR_GAIT_NAME_SIZE];
    const tr_gait_parameter *bounds = tr_gait_parameter_row(at);
    tr_gait_parameter_name(at, name);
    return tr_fail(error, TR_INVALID_ARGUMENT, "gait: row %d (%g N): %s %g: expected %g to %g", row,
                   tr_gait_curve_task(curve, row), name, curve->row[row][at], bounds->low,
                   bounds->high);
}

static tr_status check_speeds(const tr_gait *gait, tr_error *error) {
    const tr_gait_curve *speed = &gait->speed;
    if (!(gait->own_mps >= 0 && gait->own_mps <= 20))
        return tr_fail(error, TR_INVALID_ARGUMENT, "gait: speed %g m/s: expected 0 to 20",
                       gait->own_mps);
    if (speed->count && !(speed->low <= gait->own_mps && gait->own_mps <= speed->high))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "gait: speeds from %g to %g m/s: expected to hold its own, %g m/s",
                       speed->low, speed->high, gait->own_mps);
    for (int r = 0; r < speed->count; r++)
        for (int i = 0; i < TR_GAIT_SIZE; i++)
            if (!isfinite(speed->row[r][i]))
                return tr_fail(error, TR_INVALID_ARGUMENT,
                               "gait: row %d of the speeds: parameter %d is not finite", r, i);
    return TR_OK;
}

tr_status tr_gait_check(const tr_gait *gait, tr_error *error) {
    const tr_gait_curve *force = &gait->force;
    if (!(gait->felt_lag_s > 0 && gait->felt_lag_s <= TR_GAIT_FELT_LAG_MAX_S))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "gait: felt_lag_s %g: expected more than 0, at most %g", gait->felt_lag_s,
                       TR_GAIT_FELT_LAG_MAX_S);
    if (force->count < 1 || !(force->low <= 0 && 0 <= force->high))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "gait: forces from %g to %g N: expected to hold 0", force->low, force->high);
    for (int r = 0; r < force->count; r++) {
        int at = tr_gait_parameters_check(force->row[r]);
        if (at >= 0)
            return refuse_parameter(error, force, r, at);
    }
    return check_speeds(gait, error);
}

/* --- reading --- */

static uint64_t hash_curve(const tr_gait_curve *curve, uint64_t hash) {
    hash = tr_hash_add(hash, &curve->low, sizeof curve->low);
    hash = tr_hash_add(hash, &curve->high, sizeof curve->high);
    hash = tr_hash_add(hash, &curve->count, sizeof curve->count);
    return tr_hash_add(hash, curve->row, (size_t)curve->count * sizeof *curve->row);
}

uint64_t tr_gait_hash(const tr_gait *gait, uint64_t hash) {
    hash = tr_hash_add(hash, &gait->own_mps, sizeof gait->own_mps);
    if (gait->felt_lag_s != TR_GAIT_FELT_LAG_S) /* the hashes of older gaits stay */
        hash = tr_hash_add(hash, &gait->felt_lag_s, sizeof gait->felt_lag_s);
    return hash_curve(&gait->speed, hash_curve(&gait->force, hash));
}

void tr_gait_parameters_at(const tr_gait *gait, const double force_n[2], double speed_mps,
                           double *out) {
    tr_gait_curve_at(&gait->force, force_n[0], out);
    /* The larger the force, the less of the speed's shift is added: none from TR_GAIT_YIELD_N
     * on. */
    double share = 1 - (fabs(force_n[0]) + fabs(force_n[1])) / TR_GAIT_YIELD_N;
    if (gait->speed.count == 0 || speed_mps == 0 || share <= 0)
        return;
    double shift[TR_GAIT_SIZE];
    tr_gait_curve_at(&gait->speed, speed_mps, shift);
    for (int i = 0; i < TR_GAIT_SIZE; i++)
        out[i] += share * shift[i];
    tr_gait_parameters_clamp(out);
}
