#include "tools/again/gait_retraining.h"

#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "learn/gait/gait_checkpoint.h"
#include "tools/again/rerun.h"
#include "tools/gait/gait_tool.h"
#include "tools/train/run_motion.h"
#include "tools/train/run_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 256 };

/* What the record says. */
typedef struct lesson {
    const tr_reproduction *given;
    const tr_run_row *run;
    tr_controller_row row; /* of the controller that the run made */
    tr_gait_settings settings;
    char phase[TR_NAME_MAX]; /* "": from the beginning */
    tr_run_motion source;
    tr_run_inputs inputs;
    tr_gait_work work;
} lesson;

static tr_status read_parameter(lesson *l, const char *name, const char *value, tr_error *error) {
    if (!name[0])
        return tr_fail(error, TR_DATA_LOSS, "run '%s': parameters: '%.60s' is not a parameter",
                       l->run->name, value);
    if (strcmp(name, "motion_hash") == 0)
        l->source.hash = strtoull(value, NULL, 16);
    else if (strcmp(name, "motion_options") == 0)
        snprintf(l->source.options, sizeof l->source.options, "%.*s",
                 (int)sizeof l->source.options - 1, value);
    else if (strcmp(name, TR_GAIT_PHASE) == 0)
        snprintf(l->phase, sizeof l->phase, "%.*s", (int)sizeof l->phase - 1, value);
    else
        return tr_parameter_set(&tr_gait_settings_table, &l->settings, name, value, error);
    return TR_OK;
}

static tr_status read_parameters(lesson *l, tr_error *error) {
    char text[TR_RUN_PARAMETERS_MAX], *rest = text, name[TR_NAME_MAX];
    const char *value;
    tr_status status = TR_OK;
    memcpy(text, l->run->parameters, sizeof text);
    l->settings = tr_gait_settings_default();
    while (!status && tr_run_next_parameter(&rest, name, &value))
        status = read_parameter(l, name, value, error);
    return status;
}

static tr_status read_record(lesson *l, tr_error *error) {
    tr_catalogue *catalogue = l->given->catalogue;
    tr_status status = tr_run_find_controller(catalogue, l->run, &l->row, error);
    if (!status)
        status = read_parameters(l, error);
    if (!status)
        status = tr_runs_inputs(catalogue, l->run->id, &l->inputs, error);
    if (!status)
        status = tr_models_load(catalogue, l->row.model_id, &l->work.model, error);
    if (!status && l->row.clip_id)
        status = tr_clips_get(catalogue, l->row.clip_id, &l->source.clip, error);
    l->source.run = l->run->name;
    l->source.model = l->work.model;
    if (!status)
        status = tr_run_motion_find(&l->source, l->given, &l->work.motion, error);
    return status;
}

static tr_status begin(lesson *l, tr_error *error) {
    const tr_gait_training_def def = {l->work.model, l->work.motion, l->settings,
                                      l->given->threads};
    const tr_run_input *start = tr_run_inputs_find(&l->inputs, TR_GAIT_START);
    l->work.step_s = l->settings.step_s;
    tr_status status = tr_gait_training_create(&def, &l->work.training, error);
    if (status || !l->phase[0])
        return status;
    if (!start)
        return tr_fail(error, TR_DATA_LOSS,
                       "run '%s': its record does not keep the checkpoint that it began with",
                       l->run->name);
    const tr_gait_checkpoint from = {TR_GAIT_START, start->content, start->size};
    status = tr_gait_checkpoint_take(l->work.training, &from, TR_GAIT_TRANSFER, error);
    if (!status && l->source.hash && tr_motion_hash(l->work.motion) != l->source.hash)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "run '%s': the motion is not the one that it learned from", l->run->name);
    return status ? status : tr_gait_training_restart_at(l->work.training, l->phase, error);
}

static tr_status train(const lesson *l, tr_error *error) {
    tr_gait_training *training = l->work.training;
    tr_status status = TR_OK;
    while (!status && !tr_gait_training_is_done(training)) {
        char line[LINE_BYTES];
        status = tr_gait_training_advance(training, line, sizeof line, error);
        if (!status && line[0])
            puts(line);
        (void)fflush(stdout);
    }
    return status;
}

static tr_status compare(const lesson *l, tr_error *error) {
    tr_rerun rerun = {.given = l->given, .run = l->run, .model = l->work.model};
    tr_controller *is = NULL;
    tr_status status = tr_gait_work_controller(&l->work, l->run->name, &is, error);
    if (!status)
        status =
            tr_controllers_load(l->given->catalogue, l->row.id, rerun.model, &rerun.was, error);
    if (!status)
        status = tr_rerun_compare(&rerun, is, error);
    tr_controller_destroy(rerun.was);
    tr_controller_destroy(is);
    return status;
}

tr_status tr_gait_retrain(const tr_reproduction *given, const tr_run_row *run, tr_error *error) {
    lesson l = {.given = given, .run = run};
    tr_status status = read_record(&l, error);
    if (!status)
        status = begin(&l, error);
    if (!status)
        status = train(&l, error);
    if (!status)
        status = compare(&l, error);
    tr_gait_work_deinit(&l.work);
    tr_run_inputs_deinit(&l.inputs);
    return status;
}
