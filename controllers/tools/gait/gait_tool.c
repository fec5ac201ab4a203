#include "tools/gait/gait_tool.h"

#include "control/gait/gait_driver.h"
#include "model/mjcf.h"

#include <stdio.h>

static const double ROW_SPACING_N = 2;

tr_status tr_gait_work_open(const tr_gait_work_def *def, tr_gait_work *out, tr_error *error) {
    tr_status status = tr_mjcf_load(def->model, &out->model, error);
    if (!status)
        status = tr_motion_load(def->motion, out->model, &out->motion, error);
    if (status)
        return status;
    out->step_s = def->settings.step_s;
    const tr_gait_training_def training = {out->model, out->motion, def->settings, def->threads};
    return tr_gait_training_create(&training, &out->training, error);
}

void tr_gait_work_deinit(tr_gait_work *work) {
    tr_gait_training_destroy(work->training);
    tr_motion_destroy(work->motion);
    tr_model_destroy(work->model);
    *work = (tr_gait_work){0};
}

tr_status tr_gait_work_controller(const tr_gait_work *work, const char *name, tr_controller **out,
                                  tr_error *error) {
    tr_gait *gait = NULL;
    tr_status status = tr_gait_training_result(work->training, ROW_SPACING_N, &gait, error);
    if (!status)
        status = tr_gait_controller_create(work->model, work->step_s, gait, out);
    if (status) {
        tr_gait_destroy(gait);
        return status;
    }
    snprintf((*out)->name, sizeof(*out)->name, "%s", name);
    snprintf((*out)->skill, sizeof(*out)->skill, "walk");
    return TR_OK;
}
