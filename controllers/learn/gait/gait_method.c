#include "learn/method/method.h"

#include "control/gait/gait_driver.h"
#include "learn/gait/gait_start.h"
#include "learn/gait/gait_training.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ROW_SPACING_N = 2;
static const char FIRST_PHASE[] = "base";

enum { MOTION, START, INPUTS };

static const tr_method_input inputs[INPUTS] = {
    [MOTION] = {.role = "motion",
                .word = "MOTION",
                .meaning = "a symmetric walk that 'troupe-train import' wrote: the gait learns its "
                           "style",
                .kind = TR_INPUT_MOTION,
                .needed = true},
    [START] = {.role = "gait start",
               .option = "from",
               .word = "FILE",
               .meaning = "the checkpoint of another training, also on another model: begin with "
                          "what it found, at --phase",
               .kind = TR_INPUT_FILE},
};

static tr_status create(const tr_method_def *def, void **out, tr_error *error) {
    const tr_method_given *start = &def->given[START];
    const tr_gait_settings *settings = def->settings;
    tr_gait_training *t = NULL;
    tr_status status = tr_gait_training_create(def, &t, error);
    if (!status && start->content)
        status = tr_gait_start_take(t, start->content, start->size, start->name, error);
    if (!status && start->content)
        status = tr_gait_training_restart_at(t, settings->phase, error);
    else if (!status && strcmp(settings->phase, FIRST_PHASE) != 0)
        status =
            tr_fail(error, TR_INVALID_ARGUMENT,
                    "--phase '%s': expected --from, what another training found", settings->phase);
    return TR_GIVE(status, t, tr_gait_training_destroy, out);
}

/* Advances until there is something to report, or nothing more to do. */
static tr_status advance(void *given, tr_method_row *out, tr_error *error) {
    tr_gait_training *t = given;
    tr_status status = TR_OK;
    *out = (tr_method_row){0};
    while (!status && !out->text[0] && !tr_gait_training_is_done(given))
        status = tr_gait_training_advance(t, out->text, sizeof out->text, error);
    if (status)
        return status;
    out->iteration = t->progress.generation;
    out->best = t->anchors.count > 0;
    tr_method_row_add(out, "anchors", t->anchors.count);
    tr_method_row_add(out, "samples", t->samples.count);
    tr_method_row_add(out, "speeds", t->speeds.count);
    return TR_OK;
}

/* Returns the share of the phases that are done: how long a phase takes is not known before. */
static double share(const void *given) {
    const tr_gait_training *t = given;
    return tr_gait_training_is_done(given) ? 1 : (double)t->progress.phase / TR_GAIT_PHASES;
}

static tr_status make_controller(tr_gait_training *training, tr_controller **out, tr_error *error) {
    tr_gait *gait = NULL;
    tr_status status = tr_gait_training_result(training, ROW_SPACING_N, &gait, error);
    if (!status)
        status = tr_gait_controller_create(training->model, TR_LEARN_STEP_S, gait, out);
    if (status) {
        tr_gait_destroy(gait);
        return status;
    }
    snprintf((*out)->skill, sizeof(*out)->skill, "walk");
    return TR_OK;
}

static tr_status best(void *given, const tr_controller **out, tr_error *error) {
    tr_gait_training *t = given;
    tr_controller *made = NULL;
    tr_status status = make_controller(t, &made, error);
    if (status)
        return status;
    tr_controller_destroy(t->made);
    *out = t->made = made;
    return TR_OK;
}

const tr_method tr_gait_method = {
    .name = "gait",
    .command = "gait learn",
    .summary = "train a curve of gaits over the force",
    .help = "A base walk is searched from the published SIMBICON gait; a continuation lets the\n"
            "force from the front and from behind grow; hardening moves the whole curve under\n"
            "forces that vary. The controller is spawned and steered like every other.\n",
    .example = "walk.json --catalogue mine.troupe --name my-walk --checkpoint walk.gait \\\n"
               "    --set front_n=130",
    .settings = &tr_gait_settings_table,
    .options = "phase=gait_phase",
    .input = inputs,
    .input_count = INPUTS,
    .create = create,
    .advance = advance,
    .is_done = tr_gait_training_is_done,
    .share = share,
    .best = best,
    .list = tr_gait_training_list,
    .destroy = tr_gait_training_destroy,
};
