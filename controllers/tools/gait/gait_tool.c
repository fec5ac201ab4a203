#include "tools/gait/gait_tool.h"

#include "model/mjcf.h"

tr_status tr_gait_work_open(const tr_gait_work_def *def, tr_gait_work *out, tr_error *error) {
    tr_status status = tr_mjcf_load(def->model, &out->model, error);
    if (!status)
        status = tr_motion_load(def->motion, out->model, &out->motion, error);
    if (status)
        return status;
    const tr_gait_training_def training = {out->model, out->motion, def->settings, def->threads};
    return tr_gait_training_create(&training, &out->training, error);
}

void tr_gait_work_deinit(tr_gait_work *work) {
    tr_gait_training_destroy(work->training);
    tr_motion_destroy(work->motion);
    tr_model_destroy(work->model);
    *work = (tr_gait_work){0};
}
