#include "tools/train/lesson.h"

#include "control/chain/chain.h"
#include "db/store/catalogue.h"
#include "db/tables/runs.h"
#include "learn/samcon/control_file.h"
#include "learn/train/warm_start.h"
#include "model/mjcf.h"
#include "tools/clips/clip_import.h"
#include "tools/clips/import_report.h"
#include "tools/frame/lead.h"
#include "tools/frame/progress.h"
#include "tools/frame/subject.h"
#include "tools/train/run_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tr_lesson_deinit(tr_lesson *l) {
    tr_training_deinit(&l->training);
    tr_run_inputs_deinit(&l->inputs);
    tr_motion_destroy(l->motion);
    tr_model_destroy(l->model);
    *l = (tr_lesson){0};
}

bool tr_lesson_is_motion(const char *path) {
    static const char key[] = "\"troupe_motion\"";
    char begin[4096];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t size = fread(begin, 1, sizeof begin - 1, file);
    fclose(file);
    begin[size] = '\0';
    return strstr(begin, key) != NULL;
}

/* ---- From a clip ---- */

static void print_plan(const tr_plan *plan) {
    printf("plan        %s\n", tr_plan_kind_name(plan->kind));
    for (int i = 0; i < plan->reason_count; i++)
        printf("            %s\n", plan->reason[i]);
    (void)fflush(stdout);
}

static tr_status change_parameters(const tr_lesson_def *def, tr_plan *plan, tr_error *error) {
    tr_status status = TR_OK;
    if (def->from || def->control) /* both bring an open loop */
        plan->parameters.refine_rounds = 0;
    for (int i = 0; !status && i < def->change_count; i++)
        status = tr_learn_parameters_set(&plan->parameters, def->change[i].name,
                                         def->change[i].value, error);
    return status;
}

static tr_status make_plan(const tr_lesson_def *def, int harder, tr_lesson *l, tr_error *error) {
    tr_motion *open = NULL;
    tr_import_account account = {0};
    tr_status status = tr_clip_import(def->source, l->model, &def->import, &open, &account, error);
    if (!status && harder == 0)
        tr_import_report_clip(&account);
    if (!status) {
        const tr_plan_def plan = {.model = l->model,
                                  .motion = open,
                                  .import = &def->import,
                                  .account = &account,
                                  .effort = def->effort,
                                  .harder = harder,
                                  .seed = def->parameters.seed};
        status = tr_plan_make(&plan, &l->plan, error);
    }
    tr_import_account_deinit(&account);
    tr_motion_destroy(open);
    return !status ? change_parameters(def, &l->plan, error) : status;
}

/* The motion's file lies beside the catalogue. */
static tr_status name_motion(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    const char *slash = def->catalogue ? strrchr(def->catalogue, '/') : NULL;
    int folder = slash ? (int)(slash - def->catalogue) + 1 : 0;
    int length = snprintf(l->motion_path, sizeof l->motion_path, "%.*s%s.motion.json", folder,
                          def->catalogue ? def->catalogue : "", def->name);
    if (length < 0 || (size_t)length >= sizeof l->motion_path)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: the path is too long", def->name);
    return TR_OK;
}

static tr_status import_as_planned(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    tr_import_account account = {0};
    tr_motion_report report;
    l->plan.import.name = def->name;
    tr_status status =
        tr_clip_import(def->source, l->model, &l->plan.import, &l->motion, &account, error);
    if (!status && (status = tr_motion_describe(l->model, l->motion, &report)))
        status = tr_fail(error, status, "%s: %s", def->source, tr_status_text(status));
    if (!status) {
        print_plan(&l->plan);
        tr_import_report_motion(&account, l->model, l->motion, &report);
    }
    tr_import_account_deinit(&account);
    return status;
}

static tr_status take_clip(const tr_lesson_def *def, int harder, tr_lesson *l, tr_error *error) {
    tr_status status = make_plan(def, harder, l, error);
    l->is_planned = true;
    return !status ? import_as_planned(def, l, error) : status;
}

/* Training uses the motion as its file holds it, with the file's digits. */
static tr_status write_motion(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    tr_status status = name_motion(def, l, error);
    if (!status)
        status = tr_lead_save_motion(l->motion, l->motion_path, error);
    tr_motion_destroy(l->motion);
    l->motion = NULL;
    return !status ? tr_motion_load(l->motion_path, l->model, &l->motion, error) : status;
}

static tr_status take_motion(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    snprintf(l->motion_path, sizeof l->motion_path, "%s", def->source);
    return tr_motion_load(def->source, l->model, &l->motion, error);
}

/* ---- The training ---- */

static tr_status read_inputs(const tr_lesson_def *def, tr_run_inputs *inputs, tr_error *error) {
    tr_status status = TR_OK;
    if (def->control)
        status = tr_run_read_input(def->control, TR_TRAINING_CONTROL, inputs, error);
    if (!status && def->starts)
        status = tr_run_read_input(def->starts, TR_TRAINING_STARTS, inputs, error);
    return status;
}

static bool needs_control(const tr_lesson_def *def, const tr_lesson *l) {
    return l->is_planned && l->plan.kind == TR_PLAN_CHAIN && !def->from && !def->control;
}

/* An open loop for a planned chain, as an input. */
static tr_status find_control(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    const tr_reconstruct_def task = {.model = l->model,
                                     .motion = l->motion,
                                     .parameters = l->plan.control,
                                     .threads = def->threads};
    tr_run_inputs *inputs = &l->inputs;
    tr_run_input found = {.role = TR_TRAINING_CONTROL};
    tr_reconstruction *r = NULL;
    double begin_s = tr_processor_seconds();
    tr_status status = tr_reconstruct_create(&task, &r, error);
    while (!status && tr_reconstruct_progress_of(r)->phase != TR_RECONSTRUCT_DONE)
        status = tr_reconstruct_advance(r, error);
    if (!status && (status = tr_reconstruct_print(r, &found.content, &found.size)))
        status = tr_fail(error, status, "control: %s", tr_status_text(status));
    if (!status) {
        l->control_s = tr_processor_seconds() - begin_s;
        printf("reconstructed  core-s %.4g  trials %d\n", l->control_s,
               tr_reconstruct_progress_of(r)->trials);
        memmove(inputs->input + 1, inputs->input, (size_t)inputs->count++ * sizeof found);
        inputs->input[0] = found; /* in order of roles */
    }
    tr_reconstruct_destroy(r);
    return status;
}

static double core_seconds(void *context) {
    (void)context;
    return tr_processor_seconds();
}

static bool is_of_motion(const tr_run_row *run, const tr_motion *motion) {
    char text[TR_RUN_PARAMETERS_MAX], *rest = text, name[TR_NAME_MAX];
    const char *value;
    memcpy(text, run->parameters, sizeof text);
    while (tr_run_next_parameter(&rest, name, &value))
        if (strcmp(name, "motion_hash") == 0)
            return strtoull(value, NULL, 16) == tr_motion_hash(motion);
    return true; /* not known */
}

/* A controller of a body with the same limbs is continued as a copy (learner.c). Warns of parts of
 * the copy that this training does not learn: reference states of another motion, and a steering
 * that was learned for the policies before. */
static void report_kept(const tr_lesson_def *def, const tr_lesson *l, const tr_subject *from,
                        const tr_run_row *run) {
    const tr_learn_parameters *p = l->is_planned ? &l->plan.parameters : &def->parameters;
    const tr_chain *chain = tr_chain_of(from->controller);
    if (!tr_warm_start_same_limbs(from->model, l->model))
        return;
    if (!is_of_motion(run, l->motion))
        printf("--from %s: it keeps its reference states, which are not of %s; that motion is not "
               "learned\n",
               def->from, def->source);
    if (chain && tr_steering_is_given(&chain->steering) && p->iterations + p->harden_rounds > 0)
        printf("--from %s: it keeps its steering, which was learned for the policies that now "
               "change; measure it, or learn it again with 'troupe-train steer %s'\n",
               def->from, def->name);
}

/* Training that began on steps continues on them: its control, which says where they are,
 * becomes an input of this training too. */
static tr_status keep_steps(tr_catalogue *catalogue, const tr_run_row *run, tr_lesson *l,
                            tr_error *error) {
    tr_run_inputs old = {0};
    tr_steps steps = {0};
    tr_status status = tr_runs_inputs(catalogue, run->id, &old, error);
    for (int i = 0; !status && i < old.count && steps.count == 0; i++) {
        tr_run_input *input = &old.input[i];
        if (strcmp(input->role, TR_TRAINING_CONTROL) != 0)
            continue;
        status = tr_control_read_steps(input->content, input->size, run->name, &steps, error);
        if (steps.count == 0)
            continue;
        memmove(l->inputs.input + 1, l->inputs.input,
                (size_t)l->inputs.count++ * sizeof *l->inputs.input);
        l->inputs.input[0] = *input; /* in order of roles */
        input->content = NULL;
    }
    tr_run_inputs_deinit(&old);
    return status;
}

static tr_status read_from(const tr_lesson_def *def, tr_lesson *l, tr_subject *from,
                           tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_run_row run = {0};
    tr_status status = tr_catalogue_open(def->catalogue, TR_CATALOGUE_READ, &catalogue, error);
    if (!status)
        status = tr_subject_load(catalogue, def->from, from, error);
    if (!status && from->row.run_name[0])
        status = tr_runs_find(catalogue, from->row.run_name, &run, error);
    if (!status && run.id)
        status = keep_steps(catalogue, &run, l, error);
    tr_catalogue_close(catalogue);
    if (!status)
        report_kept(def, l, from, &run);
    if (!status && tr_run_inputs_find(&l->inputs, TR_TRAINING_CONTROL))
        printf("--from %s: it was learned on steps, and is learned further on them\n", def->from);
    return status;
}

static tr_status begin(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    tr_subject from = {0};
    tr_status status = def->from ? read_from(def, l, &from, error) : TR_OK;
    tr_learner_def learner = {.model = l->model,
                              .motion = l->motion,
                              .name = def->name,
                              .parameters = l->is_planned ? l->plan.parameters : def->parameters,
                              .from = from.controller,
                              .from_model = from.model,
                              .threads = def->threads,
                              .core_seconds = core_seconds};
    if (!status)
        status = tr_training_begin(&learner, &l->inputs, &l->training, error);
    if (!status) {
        tr_training_record *record = tr_learner_record(l->training.learner);
        snprintf(record->parent, TR_NAME_MAX, "%s", from.row.run_name);
        record->core_seconds += l->control_s;
    }
    tr_subject_deinit(&from);
    return status;
}

tr_status tr_lesson_plan(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    tr_status status = tr_mjcf_load(def->model, &l->model, error);
    return !status ? take_clip(def, 0, l, error) : status;
}

tr_status tr_lesson_open(const tr_lesson_def *def, int harder, tr_lesson *l, tr_error *error) {
    bool is_motion = tr_lesson_is_motion(def->source);
    tr_status status = tr_mjcf_load(def->model, &l->model, error);
    if (!status)
        status = is_motion ? take_motion(def, l, error) : take_clip(def, harder, l, error);
    if (!status && !is_motion)
        status = write_motion(def, l, error);
    if (!status)
        status = read_inputs(def, &l->inputs, error);
    if (!status && needs_control(def, l))
        status = find_control(def, l, error);
    return !status ? begin(def, l, error) : status;
}
