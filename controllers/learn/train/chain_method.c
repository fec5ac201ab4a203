#include "learn/method/method.h"

#include "control/chain/chain.h"
#include "learn/samcon/control_file.h"
#include "learn/samcon/skill.h"
#include "learn/train/borrow.h"
#include "learn/train/learner.h"
#include "learn/train/warm_start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- inputs --- */

enum { MOTION, FROM, CONTROL, STARTS, INPUTS };

/* Training that began on steps continues on them: its control, which says where they are, becomes
 * an input of the next training too. */
static bool is_on_steps(const char *content, size_t size) {
    tr_steps steps = {0};
    tr_error ignored;
    return !tr_control_read_steps(content, size, "", &steps, &ignored) && steps.count > 0;
}

static const tr_method_input inputs[INPUTS] = {
    [MOTION] = {.role = "motion",
                .word = "CLIP|MOTION",
                .meaning = "a clip, which is planned, or a motion that 'import' wrote",
                .kind = TR_INPUT_MOTION,
                .needed = true},
    [FROM] = {.role = "from",
              .option = "from",
              .word = "CONTROLLER",
              .meaning = "continue it, with its reference states and without refinement, so give "
                         "the motion that it was learned from; one of "
                         "another body with the same joints makes a warm "
                         "start",
              .kind = TR_INPUT_CONTROLLER,
              .continued = true,
              .implies = {"refine_rounds", "0"}},
    [CONTROL] = {.role = "control",
                 .option = "control",
                 .word = "FILE",
                 .meaning = "that 'reconstruct' found for the motion: it is learned further "
                            "without refinement",
                 .kind = TR_INPUT_FILE,
                 .inherits = is_on_steps,
                 .implies = {"refine_rounds", "0"}},
    [STARTS] = {.role = "starts",
                .option = "starts",
                .word = "MOTION",
                .meaning = "states in which a chain may begin, one a frame ('rise' writes them)",
                .kind = TR_INPUT_FILE},
};

/* Makes the motion's chain with the open loop of a reconstruction; its references are what that
 * does. */
static tr_status take_control(const tr_learner_def *def, const tr_method_given *given,
                              tr_controller **out, tr_steps *out_steps, tr_error *error) {
    const tr_learn_parameters *p = &def->parameters;
    tr_skill_def skill = {def->name, p->gain_set, TR_LEARN_STEP_S, p->ankles != 0};
    tr_ensemble_def worlds = {def->model, p->gain_set, TR_LEARN_STEP_S, 1, NULL, 0};
    tr_ensemble *ensemble = NULL;
    tr_status status = tr_skill_create(def->model, def->motion, &skill, out, error);
    if (!status)
        status = tr_control_parse(given->content, given->size, given->name, def->model, *out,
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
                   : tr_fail(error, status, "%s: %s", given->name,
                             status == TR_ABORTED ? "played blindly it loses the motion"
                                                  : tr_status_text(status));
}

/* Reads the frames of a motion, each as a state at rest. */
static tr_status take_starts(const tr_model *model, const tr_method_given *given, tr_state **out,
                             int *out_count, tr_error *error) {
    tr_motion *motion = NULL;
    tr_status status =
        tr_motion_parse(given->content, given->size, given->name, model, &motion, error);
    if (status)
        return status;
    tr_state *starts = calloc((size_t)motion->frame_count, sizeof *starts);
    for (int i = 0; starts && i < motion->frame_count; i++)
        starts[i] = tr_state_at_rest(model, &motion->poses[i]);
    *out = starts;
    *out_count = motion->frame_count;
    tr_motion_destroy(motion);
    return starts ? TR_OK : tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the starts");
}

/* Creates the learner from what was given. Of a training that continues a controller, only the
 * control's steps count. */
static tr_status create(const tr_method_def *def, void **out, tr_error *error) {
    const tr_method_given *given = def->given;
    tr_learner_def whole = {.model = def->model,
                            .motion = given[MOTION].motion,
                            .name = def->name,
                            .parameters = *(const tr_learn_parameters *)def->settings,
                            .from = given[FROM].controller,
                            .from_model = given[FROM].controller_model,
                            .threads = def->threads};
    tr_controller *chain = NULL;
    tr_learner *learner = NULL;
    tr_state *starts = NULL;
    tr_status status = TR_OK;
    if (given[STARTS].content)
        status = take_starts(def->model, &given[STARTS], &starts, &whole.starts.count, error);
    whole.starts.state = starts;
    /* A control file gives the steps, and without --from the chain that is learned further, too. */
    if (!status && given[CONTROL].content && whole.from)
        status = tr_control_read_steps(given[CONTROL].content, given[CONTROL].size,
                                       given[CONTROL].name, &whole.steps, error);
    else if (!status && given[CONTROL].content) {
        status = take_control(&whole, &given[CONTROL], &chain, &whole.steps, error);
        whole.from = chain;
        whole.from_model = NULL;
    }
    if (!status)
        status = tr_learner_create(&whole, &learner, error);
    tr_controller_destroy(chain);
    free(starts);
    if (!status)
        *out = learner;
    return status;
}

/* --- what people should know --- */

/* Remarks what is not learned. A controller of a body with the same limbs is continued as a copy
 * (learner.c), parts of which stay: reference states of another motion, and a steering that was
 * learned for the policies before. */
static size_t remark_kept(const tr_method_def *def, char *out, size_t capacity) {
    const tr_method_given *from = &def->given[FROM];
    const tr_learn_parameters *p = def->settings;
    const tr_chain *chain = from->controller ? tr_chain_of(from->controller) : NULL;
    const tr_motion *motion = def->given[MOTION].motion;
    size_t used = 0;
    if (!from->controller || !tr_warm_start_same_limbs(from->controller_model, def->model))
        return 0;
    if (from->motion_hash && from->motion_hash != tr_motion_hash(motion))
        used += (size_t)snprintf(out, capacity,
                                 "--from %s: it keeps its reference states, which are not of %s; "
                                 "that motion is not learned\n",
                                 from->name, def->given[MOTION].name);
    if (chain && tr_steering_is_given(&chain->steering) && p->iterations + p->harden_rounds > 0)
        used += (size_t)snprintf(out + used, capacity - used,
                                 "--from %s: it keeps its steering, which was learned for the "
                                 "policies that now change; measure it, or learn it again with "
                                 "'troupe-train steer %s'\n",
                                 from->name, def->name);
    if (def->given[CONTROL].content)
        used += (size_t)snprintf(out + used, capacity - used,
                                 "--from %s: it was learned on steps, and is learned further on "
                                 "them\n",
                                 from->name);
    return used;
}

static void remark(const tr_method_def *def, const void *given, char *out, size_t capacity) {
    const tr_learner *learner = given;
    const tr_controller *begins = tr_learner_best(learner);
    const tr_bank *bank = tr_controller_bank(begins);
    const double period_s = tr_motion_duration(def->given[MOTION].motion);
    const int fragments = bank->fragment_count * (bank->mirrored ? 2 : 1);
    const double stretched_s = fragments * bank->fragment[0].steps * begins->step_s;
    size_t used = remark_kept(def, out, capacity);
    used += (size_t)snprintf(out + used, capacity - used,
                             "%s: %d fragments of %d steps%s, %d-D action, gains %s, %d threads\n",
                             def->name, bank->fragment_count, bank->fragment[0].steps,
                             bank->mirrored ? ", mirrored" : "", bank->action.size, bank->gain_set,
                             def->threads);
    if (fabs(stretched_s / period_s - 1) > 0.001)
        snprintf(out + used, capacity - used,
                 "%.3f s become %.3f s, %.1f %% %s, for whole fragments\n", period_s, stretched_s,
                 100 * fabs(stretched_s / period_s - 1),
                 stretched_s > period_s ? "slower" : "faster");
}

/* --- rows --- */

static tr_status advance(void *given, tr_method_row *out, tr_error *error) {
    static const char *const phases[] = {"refine", "guide", "harden"};
    tr_learner *learner = given;
    tr_status status = tr_learner_advance(learner, error);
    if (status)
        return status;
    const tr_training_record *record = &learner->progress.record;
    const tr_training_row *row = &record->row[record->row_count - 1];
    /* What refinement ends with is shown as a preview. */
    const bool guided = row->phase != TR_TRAINING_REFINE;
    const int refined = learner->def.parameters.refine_rounds;
    *out = (tr_method_row){.iteration = record->row_count,
                           .best = row->kept,
                           .previews = !guided && row->iteration == refined};
    snprintf(out->phase, sizeof out->phase, "%s", phases[row->phase]);
    tr_method_row_add(out, "cost", row->cost);
    tr_method_row_add(out, "rollbacks", row->rollbacks);
    tr_method_row_add(out, "sigma_deg", row->sigma_deg);
    tr_method_row_add(out, "r2", row->r2);
    tr_method_row_add(out, "push_train_n", guided ? row->push_train_n : (double)NAN);
    tr_method_row_add(out, "undisturbed_s", row->undisturbed_s);
    tr_method_row_add(out, "push95_n", row->push95_n);
    tr_method_row_add(out, "resist_s", row->resist_s);
    tr_method_row_add(out, "kept", guided ? row->kept : (double)NAN);
    return TR_OK;
}

static bool is_done(const void *given) {
    const tr_learner *learner = given;
    return tr_learner_done(learner) >= tr_learner_rows(learner);
}

static tr_status best(void *given, const tr_controller **out, tr_error *error) {
    (void)error;
    *out = tr_learner_best(given);
    return TR_OK;
}

/* A preview holds in half of the trials at least. */
static tr_status preview(void *given, const tr_method_part *lender, tr_method_preview *out,
                         tr_error *error) {
    tr_learner *learner = given;
    tr_borrowed borrowed = {0};
    const uint64_t seed =
        tr_learner_row_seed(learner, learner->progress.record.row_count, TR_LEARNER_FOR_PREVIEW);
    *out = (tr_method_preview){0};
    tr_status status = tr_borrow_gains(learner->ensemble, learner->best, lender->controller,
                                       lender->model, seed, &borrowed);
    if (status == TR_NOT_FOUND)
        return TR_OK;
    if (status)
        return tr_fail_if(error, status, "preview");
    const tr_hold_result *hold = &borrowed.hold;
    snprintf(out->text, sizeof out->text,
             "preview     gains of '%s' of '%s' hold %d of %d for 20 s", borrowed.skill,
             lender->name, hold->held, hold->trials);
    if (2 * hold->held < hold->trials)
        tr_controller_destroy(borrowed.controller);
    else
        out->controller = borrowed.controller;
    return TR_OK;
}

/* --- checkpoints --- */

/* Lists a controller whose shape is known; pointers stay those of this process. */
static void list_chain(tr_controller *controller, int body_count, tr_blocks *b) {
    tr_chain *chain = tr_chain_of(controller);
    tr_controller plain = *controller;
    tr_chain content = *chain;
    plain.driver = (tr_driver){0};
    plain.rig = NULL;
    content.bank.fragment = NULL;
    tr_block(b, "controller", &plain, sizeof plain);
    tr_block(b, "chain", &content, sizeof content);
    /* Nothing is taken over before its shape has been checked: what is read may be another
     * training's. */
    if (!tr_block_require(b, "chain", content.bank.fragment_count == chain->bank.fragment_count))
        return;
    plain.driver = controller->driver;
    plain.rig = controller->rig;
    content.bank.fragment = chain->bank.fragment;
    *controller = plain;
    *chain = content;
    for (int k = 0; k < chain->bank.fragment_count; k++) {
        tr_fragment *fragment = &chain->bank.fragment[k], copy = *fragment;
        copy.target = NULL;
        tr_block(b, "fragment", &copy, sizeof copy);
        if (!tr_block_require(b, "fragment", copy.steps == fragment->steps))
            return;
        copy.target = fragment->target;
        *fragment = copy;
        tr_block(b, "targets", fragment->target,
                 (size_t)fragment->steps * (size_t)body_count * sizeof *fragment->target);
    }
}

void tr_learner_list(void *given, tr_blocks *b) {
    tr_learner *learner = given;
    const int bodies = learner->def.model->body_count;
    tr_block(b, "progress", &learner->progress, sizeof learner->progress);
    const int rows = learner->progress.record.row_count;
    if (!tr_block_require(b, "progress", rows >= 0 && rows <= TR_TRAINING_ROW_MAX))
        return;
    list_chain(learner->controller, bodies, b);
    list_chain(learner->best, bodies, b);
    tr_error ignored;
    if (b->loads && !b->failed)
        (void)tr_block_require(b, "controller",
                               !tr_controller_check(learner->best, learner->def.model, &ignored));
}

const tr_method tr_chain_method = {
    .name = "chain",
    .command = "learn",
    .summary = "learn a controller from a clip",
    .help =
        "From a clip, plan everything: the frames to repeat, how to close them, and how to learn\n"
        "them; print the plan and its reasons. From a MOTION that 'import' wrote, learn with the\n"
        "given parameters; a motion that is not cyclic becomes a chain. Whenever the controller\n"
        "is better than before, it is stored in the catalogue with its model, its clip and the\n"
        "record of the training; the first that a clip gives is a preview, without a record, by\n"
        "gains of 'hero'. Ctrl-C and a time limit end with the best so far.\n"
        "\n"
        "It prints a row per round:\n"
        "  cost and exploration; r2, the explained share of the variance; rollbacks of the walk;\n"
        "  push_train_n, the training push; undisturbed_s, the seconds held undisturbed;\n"
        "  push95_n, the largest push that 95 % of the trials survive; with test_resist_trials\n"
        "  resist_s, the seconds resisted under growing pushes (figure 6 of the paper); and\n"
        "  whether the controller is the best so far.\n",
    .example = "walk.bvh\n"
               "  troupe-train learn kick.bvh --effort quick --name side-kick --catalogue "
               "mine.troupe",
    .settings = &tr_learn_parameter_table,
    .unrecorded = "paired = 0\nharden_short_loss = 1\n",
    .options = "gains push=push_n seed",
    .plans = true,
    .input = inputs,
    .input_count = INPUTS,
    .create = create,
    .remark = remark,
    .advance = advance,
    .is_done = is_done,
    .share = tr_learner_share,
    .preview = preview,
    .best = best,
    .list = tr_learner_list,
    .destroy = tr_learner_destroy,
};
