#include "tools/again/balance_retraining.h"

#include "learn/balance/balance_learning.h"
#include "tools/again/rerun.h"
#include "tools/balance/balance_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tr_balance_record_is(const tr_run_row *run) {
    return strstr(run->command, " balance learn ") != NULL;
}

static tr_status train(const tr_rerun *r, tr_balance_learning *learning, tr_error *error) {
    tr_status status = TR_OK;
    for (int64_t i = 0; !status && i <= r->last && !tr_balance_learning_is_done(learning); i++) {
        tr_balance_row row;
        status = tr_balance_learning_advance(learning, &row, error);
        if (status)
            break;
        printf("%-10s %4d  %3d of %d hold 60 s, mean %4.1f s\n", row.phase, row.iteration,
               row.test.held, row.test.trials, row.test.mean_s);
        (void)fflush(stdout);
    }
    return status ? status : tr_balance_learning_finish(learning, error);
}

static void borrow(const tr_run_input *input, const char *name, tr_sections *out) {
    tr_section *section = &out->section[out->count++];
    snprintf(section->name, sizeof section->name, "%s", name);
    section->bytes = (unsigned char *)input->content;
    section->size = input->size;
}

/* The policy that the search began at, from the inputs of the run. */
static tr_status read_from(const tr_rerun *r, const tr_run_inputs *inputs, tr_driver *out,
                           tr_error *error) {
    const tr_run_input *input = tr_run_inputs_find(inputs, TR_BALANCE_FROM);
    const tr_driver_setting setting = tr_controller_setting(r->was, r->model);
    if (!input)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "run '%s' began at the policy of another controller (--from), which its "
                       "record does not keep; learn it again to have a record that does",
                       r->run->name);
    tr_sections sections = {0};
    borrow(input, tr_balance_kind.name, &sections);
    const tr_run_input *steps = tr_run_inputs_find(inputs, TR_BALANCE_FROM_STEPS);
    out->kind = steps ? &tr_treading_kind : &tr_balance_kind;
    if (steps)
        borrow(steps, tr_treading_kind.name, &sections);
    return out->kind->load(&sections, &setting, &out->content, error);
}

static tr_status give_driver(tr_driver from, tr_balance_learning *learning, tr_error *error) {
    const tr_treading *treading = from.kind == &tr_treading_kind ? from.content : NULL;
    return treading ? tr_balance_learning_give(learning, treading->inner.content, &treading->steps,
                                               error)
                    : tr_balance_learning_give(learning, from.content, NULL, error);
}

static tr_status give(const tr_rerun *r, tr_balance_learning *learning, tr_error *error) {
    tr_run_inputs inputs = {0};
    tr_driver from = {0};
    tr_status status = tr_runs_inputs(r->given->catalogue, r->run->id, &inputs, error);
    if (!status)
        status = read_from(r, &inputs, &from, error);
    if (!status) {
        status = give_driver(from, learning, error);
        from.kind->destroy(from.content);
    }
    tr_run_inputs_deinit(&inputs);
    return status;
}

/* Has the command this option, as `--stance FILE` or `--stance=FILE`? */
static bool has_option(const char *command, const char *option) {
    const char *at = strstr(command, option);
    return at && strchr(" =", at[strlen(option)]);
}

/* A stance that was given is the one in which the controller is spawned. */
static tr_status begin(const tr_rerun *r, const tr_balance_settings *settings,
                       tr_balance_learning **out, tr_error *error) {
    const char *command = r->run->command;
    tr_status status = tr_balance_learning_create(
        r->model, settings, has_option(command, " --stance") ? &r->was->spawn : NULL,
        r->given->threads, out, error);
    return status || !has_option(command, " --from") ? status : give(r, *out, error);
}

tr_status tr_balance_retrain(const tr_reproduction *given, const tr_run_row *run, tr_error *error) {
    tr_balance_settings settings = tr_balance_settings_default();
    tr_balance_learning *learning = NULL;
    tr_rerun rerun;
    tr_status status =
        tr_rerun_read(given, run, &tr_balance_settings_table, &settings, &rerun, error);
    if (!status)
        status = begin(&rerun, &settings, &learning, error);
    if (!status)
        status = train(&rerun, learning, error);
    if (!status)
        status = tr_rerun_compare(&rerun, tr_balance_learning_best(learning), error);
    tr_balance_learning_destroy(learning);
    tr_rerun_deinit(&rerun);
    return status;
}
