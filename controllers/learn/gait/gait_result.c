#include "learn/gait/gait_result.h"

#include "learn/gait/gait_trial.h"

static const double SPEED_SPACING_MPS = 0.05;

/* Rows of speeds hold differences from the anchor at the gait's own speed. */
static tr_status bake_speeds(const tr_gait_result_def *def, tr_gait_curve *out) {
    double own[TR_GAIT_SIZE];
    if (!def->speeds || def->speeds->count < 2)
        return TR_OK;
    tr_status status = tr_gait_anchors_bake(def->speeds, SPEED_SPACING_MPS, out);
    if (status)
        return status;
    tr_gait_anchors_at(def->speeds, def->own_mps, own);
    for (int r = 0; r < out->count; r++)
        for (int i = 0; i < TR_GAIT_SIZE; i++)
            out->row[r][i] -= own[i];
    return TR_OK;
}

tr_status tr_gait_result_make(const tr_gait_result_def *def, tr_rehearsal *rehearsal, tr_gait **out,
                              tr_error *error) {
    tr_gait_curve force = {0}, speed = {0};
    tr_gait *standing = NULL;
    tr_state start[TR_GAIT_KEYFRAMES];
    tr_gait_def gait = {
        .force = &force, .speed = &speed, .own_mps = def->own_mps, .felt_lag_s = def->felt_lag_s};
    tr_status status = tr_gait_anchors_bake(def->forces, def->spacing_n, &force);
    if (status)
        tr_fail(error, status, "there are no anchors");
    if (!status)
        status = bake_speeds(def, &speed);
    if (!status)
        /* The gait without start states walks, and so finds them. */
        status = tr_gait_create(rehearsal->model, &gait, &standing, error);
    if (!status)
        status = tr_gait_trial_starts(standing, rehearsal, start);
    if (status == TR_FAILED_PRECONDITION)
        tr_fail(error, status, "the gait falls when nothing disturbs it");
    gait.start = start;
    if (!status)
        status = tr_gait_create(rehearsal->model, &gait, out, error);
    tr_gait_destroy(standing);
    tr_gait_curve_deinit(&force);
    tr_gait_curve_deinit(&speed);
    return status;
}
