#include "tools/train/training.h"

#include "learn/samcon/control_file.h"
#include "learn/samcon/skill.h"

#include <stdlib.h>

/* The motion's chain with the open loop of a reconstruction; its references are what that does. */
static tr_status take_control(const tr_learner_def *def, const tr_run_input *input,
                              tr_controller **out, tr_steps *out_steps, tr_error *error) {
    const tr_learn_parameters *p = &def->parameters;
    tr_skill_def skill = {def->name, p->gain_set, p->step_s, p->fragment_s, p->ankles != 0};
    tr_ensemble_def worlds = {def->model, p->gain_set, p->step_s, 1, NULL, 0};
    tr_ensemble *ensemble = NULL;
    tr_status status = tr_skill_create(def->model, def->motion, &skill, out, error);
    if (!status)
        status = tr_control_parse(input->content, input->size, input->role, def->model, *out,
                                  out_steps, error);
    if (status)
        return status;
    status = tr_ensemble_create(&worlds, &ensemble);
    if (!status)
        status = tr_ensemble_lay(ensemble, out_steps);
    if (!status)
        status = tr_control_perform(&ensemble->rehearsal[0], *out);
    tr_ensemble_destroy(ensemble);
    return !status ? TR_OK
                   : tr_fail(error, status, "%s: %s", input->role,
                             status == TR_ABORTED ? "played blindly it loses the motion"
                                                  : tr_status_text(status));
}

/* The frames of a motion, each as a state at rest; *out: [*out_count], to be freed. */
static tr_status take_starts(const tr_model *model, const tr_run_input *input, tr_state **out,
                             int *out_count, tr_error *error) {
    tr_motion *motion = NULL;
    tr_status status =
        tr_motion_parse(input->content, input->size, input->role, model, &motion, error);
    if (status)
        return status;
    *out = calloc((size_t)motion->frame_count, sizeof **out);
    for (int i = 0; *out && i < motion->frame_count; i++)
        (*out)[i] = tr_state_at_rest(model, &motion->poses[i]);
    *out_count = motion->frame_count;
    tr_motion_destroy(motion);
    return *out ? TR_OK : tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the starts");
}

tr_status tr_training_begin(const tr_learner_def *def, const tr_run_inputs *inputs,
                            tr_training *out, tr_error *error) {
    const tr_run_input *starts = tr_run_inputs_find(inputs, TR_TRAINING_STARTS);
    const tr_run_input *control = tr_run_inputs_find(inputs, TR_TRAINING_CONTROL);
    tr_learner_def whole = *def;
    tr_controller *chain = NULL;
    tr_status status = TR_OK;
    if (starts)
        status = take_starts(def->model, starts, &out->starts, &whole.starts.count, error);
    whole.starts.state = out->starts;
    if (!status && control && def->from)
        status = tr_control_read_steps(control->content, control->size, control->role, &whole.steps,
                                       error);
    else if (!status && control) {
        status = take_control(def, control, &chain, &whole.steps, error);
        whole.from = chain;
    }
    if (!status)
        status = tr_learner_create(&whole, &out->learner, error);
    tr_controller_destroy(chain);
    return status;
}

void tr_training_deinit(tr_training *training) {
    tr_learner_destroy(training->learner);
    free(training->starts);
    *training = (tr_training){0};
}
