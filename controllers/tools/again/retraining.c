#include "tools/again/retraining.h"

#include "db/tables/lineage.h"
#include "db/tables/models.h"
#include "model/mjcf.h"
#include "tools/frame/progress.h"
#include "tools/train/run_motion.h"
#include "tools/train/run_record.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANCESTORS_MAX = 16 };

/* A run, and everything that it begins with. */
typedef struct lesson {
    const tr_retraining_def *def;
    int depth; /* number of runs from the requested one back to it */
    tr_learn_parameters parameters;
    tr_run_motion source;
    tr_run_inputs inputs;
    tr_motion *motion;
    tr_controller *from;   /* NULL: from nothing */
    tr_model *other_model; /* of `from`; NULL: the same */
    tr_error *error;
} lesson;

static tr_catalogue *catalogue_of(const lesson *l) {
    return l->def->given->catalogue;
}

static void close_lesson(lesson *l) {
    tr_run_inputs_deinit(&l->inputs);
    tr_motion_destroy(l->motion);
    tr_controller_destroy(l->from);
    tr_model_destroy(l->other_model);
}

/* --- what the catalogue says of the run --- */

/* Lines "name = value"; those of the motion are not the learner's. */
static tr_status read_parameters(lesson *l) {
    const tr_run_row *run = l->def->run;
    char text[TR_RUN_PARAMETERS_MAX], *rest = text, name[TR_NAME_MAX];
    const char *value;
    tr_status status = TR_OK;
    memcpy(text, run->parameters, sizeof text);
    l->parameters = tr_learn_parameters_unrecorded();
    while (!status && tr_run_next_parameter(&rest, name, &value)) {
        if (!name[0])
            status = tr_fail(l->error, TR_DATA_LOSS,
                             "run '%s': parameters: '%.60s' is not a parameter", run->name, value);
        else if (strcmp(name, "motion_hash") == 0)
            l->source.hash = strtoull(value, NULL, 16);
        else if (strcmp(name, "motion_options") == 0)
            snprintf(l->source.options, sizeof l->source.options, "%.*s",
                     (int)sizeof l->source.options - 1, value);
        else
            status = tr_learn_parameters_set(&l->parameters, name, value, l->error);
    }
    return status;
}

/* Records of earlier versions name the files of the command and do not hold them. */
static tr_status load_inputs(lesson *l) {
    static const char *const role[] = {TR_TRAINING_CONTROL, TR_TRAINING_STARTS};
    const tr_run_row *run = l->def->run;
    tr_status status = tr_runs_inputs(catalogue_of(l), run->id, &l->inputs, l->error);
    for (size_t i = 0; !status && i < sizeof role / sizeof *role; i++) {
        if (strstr(run->given, role[i]) && !tr_run_inputs_find(&l->inputs, role[i]))
            status = tr_fail(l->error, TR_FAILED_PRECONDITION,
                             "run '%s': its record does not keep the file given with --%s",
                             run->name, role[i]);
    }
    return status;
}

static tr_status load_record(lesson *l, tr_model **out_model) {
    const tr_retraining_def *def = l->def;
    tr_status status = read_parameters(l);
    if (!status)
        status = load_inputs(l);
    if (!status)
        status = tr_models_load(catalogue_of(l), def->model_id, out_model, l->error);
    if (!status && def->clip_id)
        status = tr_clips_get(catalogue_of(l), def->clip_id, &l->source.clip, l->error);
    l->source.run = def->run->name;
    l->source.model = *out_model;
    return status;
}

/* --- the run that it continued --- */

static tr_status train(const tr_retraining_def *def, int depth, tr_retraining *out,
                       tr_error *error);

static tr_status train_and_put(const tr_retraining_def *def, int depth, tr_controller_row *out,
                               tr_error *error) {
    tr_retraining again = {0};
    tr_status status = train(def, depth, &again, error);
    if (!status) {
        const tr_controller_entry entry = {tr_learner_best(again.training.learner), def->model_id,
                                           def->run->id, def->clip_id};
        status = tr_run_put_again(def->given->catalogue, def->run, &entry, out, error);
    }
    tr_retraining_deinit(&again);
    return status;
}

/* Trained again on the same body from the same clip, when the catalogue has no controller of it. */
static tr_status find_parent(const lesson *l, tr_controller_row *out) {
    const tr_run_row *run = l->def->run;
    tr_run_row parent;
    if (run->parent_count > 1 || l->depth == ANCESTORS_MAX)
        return tr_fail(l->error, TR_UNIMPLEMENTED, "run '%s': continues too many other runs",
                       run->name);
    tr_status status = tr_runs_get(catalogue_of(l), run->parent[0], &parent, l->error);
    if (status)
        return status;
    status = tr_run_find_controller(catalogue_of(l), &parent, out, l->error);
    if (status != TR_NOT_FOUND)
        return status;
    fprintf(stderr, "%s continued %s, whose controller is not here: training it again first\n",
            run->name, parent.name);
    tr_retraining_def def = *l->def;
    def.run = &parent;
    return train_and_put(&def, l->depth + 1, out, l->error);
}

static tr_status load_parent(lesson *l, const tr_model *model) {
    tr_controller_row row;
    if (l->def->run->parent_count == 0)
        return TR_OK;
    tr_status status = find_parent(l, &row);
    if (!status && row.model_id != l->def->model_id)
        status = tr_models_load(catalogue_of(l), row.model_id, &l->other_model, l->error);
    if (!status)
        status = tr_controllers_load(catalogue_of(l), row.id,
                                     l->other_model ? l->other_model : model, &l->from, l->error);
    return status;
}

/* --- training --- */

/* Row by row to the end. */
static tr_status advance(const lesson *l, tr_learner *learner) {
    double begin = tr_wall_seconds();
    while (tr_learner_done(learner) < tr_learner_rows(learner)) {
        tr_status status = tr_learner_advance(learner, l->error);
        if (status)
            return status;
        printf("%s: row %d of %d", l->def->run->name, tr_learner_done(learner),
               tr_learner_rows(learner));
        tr_print_share(tr_learner_share(learner), 0, tr_wall_seconds() - begin);
    }
    return TR_OK;
}

static tr_status learn(const lesson *l, tr_retraining *out) {
    const tr_learner_def def = {.model = out->model,
                                .motion = l->motion,
                                .name = l->def->run->name,
                                .parameters = l->parameters,
                                .from = l->from,
                                .from_model = l->other_model,
                                .threads = l->def->given->threads};
    tr_status status = tr_training_begin(&def, &l->inputs, &out->training, l->error);
    return !status ? advance(l, out->training.learner) : status;
}

static tr_status train(const tr_retraining_def *def, int depth, tr_retraining *out,
                       tr_error *error) {
    lesson l = {.def = def, .depth = depth, .error = error};
    tr_status status = load_record(&l, &out->model);
    if (!status)
        status = tr_run_motion_find(&l.source, def->given, &l.motion, error);
    if (!status)
        status = load_parent(&l, out->model);
    if (!status)
        status = learn(&l, out);
    close_lesson(&l);
    return status;
}

tr_status tr_retrain(const tr_retraining_def *def, tr_retraining *out, tr_error *error) {
    return train(def, 0, out, error);
}

tr_status tr_retrain_and_put(const tr_retraining_def *def, tr_controller_row *out,
                             tr_error *error) {
    return train_and_put(def, 0, out, error);
}

void tr_retraining_deinit(tr_retraining *retraining) {
    tr_training_deinit(&retraining->training);
    tr_model_destroy(retraining->model);
    *retraining = (tr_retraining){0};
}

/* --- the clip of a run that has no controller --- */

/* Number of runs between a controller and an earlier run; -1: it does not derive from that run. */
static tr_status count_steps(tr_catalogue *catalogue, const tr_controller_row *row,
                             const tr_run_row *run, int *out, tr_error *error) {
    tr_lineage lineage;
    tr_status status = tr_lineage_trace(catalogue, TR_LINEAGE_RUN, row->run_id, &lineage, error);
    *out = -1;
    for (int i = 0; !status && i < lineage.count; i++)
        if (lineage.node[i].id == run->id)
            *out = lineage.node[i].depth;
    return status;
}

tr_status tr_retraining_find_clip(tr_catalogue *catalogue, const tr_run_row *run, tr_row_id model,
                                  tr_row_id *out_clip, tr_error *error) {
    char after[TR_NAME_MAX] = "";
    tr_controller_filter filter = {.after = after, .model = model};
    tr_controller_row row;
    int count = 1, nearest = INT_MAX;
    tr_status status = tr_controllers_list(catalogue, &filter, &row, &count, error);
    while (!status && count == 1) {
        int steps = -1;
        if (row.run_id && row.clip_id)
            status = count_steps(catalogue, &row, run, &steps, error);
        if (!status && steps >= 0 && steps < nearest) {
            nearest = steps;
            *out_clip = row.clip_id;
        }
        memcpy(after, row.name, sizeof after);
        if (!status)
            status = tr_controllers_list(catalogue, &filter, &row, &count, error);
    }
    if (status || nearest < INT_MAX)
        return status;
    return tr_fail(error, TR_NOT_FOUND,
                   "run '%s': no controller of it, or of a training that continued it, names the "
                   "clip that it learned from",
                   run->name);
}
