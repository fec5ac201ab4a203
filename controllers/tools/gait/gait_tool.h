/* What the subcommands of 'troupe-train gait' share: one file each, closed by a const entry that
 * gait.c lists. */
#ifndef TROUPE_TOOLS_GAIT_TOOL_H
#define TROUPE_TOOLS_GAIT_TOOL_H

#include "control/driver/controller.h"
#include "learn/gait/gait_training.h"
#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_gait_compare, tr_tool_gait_evaluate;

/* A training with the model and the walk that it is made from. */
typedef struct tr_gait_work {
    tr_model *model;
    tr_motion *motion;
    tr_gait_training *training;
} tr_gait_work;

typedef struct tr_gait_work_def {
    const char *model, *motion; /* paths */
    tr_gait_settings settings;
    int threads;
} tr_gait_work_def;

/* Fills work of zeros; whatever the status, it is to be deinitialised. */
tr_status tr_gait_work_open(const tr_gait_work_def *def, tr_gait_work *out,
                            tr_error *error) TR_NODISCARD;
void tr_gait_work_deinit(tr_gait_work *work);

#endif
