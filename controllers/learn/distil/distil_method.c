#include "learn/method/method.h"

#include "learn/distil/distil.h"
#include "learn/graph/graph_bank.h"
#include "learn/rehearsal/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tr_status name_part(const tr_method_def *def, int k, char out[static TR_NAME_MAX],
                           bool *optional, tr_error *error) {
    const char *names = ((const tr_distil_settings *)def->settings)->of;
    char name[TR_NAME_MAX];
    (void)error;
    *optional = false;
    for (int i = 0; tr_names_next(&names, name); i++)
        if (i == k)
            memcpy(out, name, sizeof name);
    return TR_OK;
}

static double percent(int part, int whole) {
    return whole ? 100.0 * part / whole : (double)NAN;
}

/* What the teachers do in the tests of the network. */
static void remark(const tr_method_def *def, const void *work, char *out, size_t capacity) {
    const tr_distil *d = work;
    tr_distil_test test;
    (void)def;
    out[0] = '\0';
    if (tr_distil_examine(d, d->teacher, &test))
        return;
    snprintf(out, capacity,
             "teachers: %d of %d hold %d s; %d of %d survive %g N; %d of %d sudden changes\n",
             test.held, test.trials, TR_DISTIL_TEST_S, test.pushed, test.push_trials,
             (double)TR_DISTIL_TEST_PUSH_N, test.switches.held, test.switches.trials);
}

static tr_status advance(void *work, tr_method_row *out, tr_error *error) {
    tr_distil *d = work;
    bool best = false;
    tr_status status = tr_distil_advance(d, &best, error);
    if (status)
        return status;
    const tr_distil_test *test = &d->test;
    *out = (tr_method_row){
        .phase = "round", .iteration = d->progress.round + d->changes.done, .best = best};
    if (d->changes.done == 0) {
        tr_method_row_add(out, "samples", d->progress.sample_count);
        tr_method_row_add(out, "error", d->progress.error);
    }
    tr_method_row_add(out, "held_percent", percent(test->held, test->trials));
    tr_method_row_add(out, "pushed_percent", percent(test->pushed, test->push_trials));
    tr_method_row_add(out, "switched_percent", percent(test->switches.held, test->switches.trials));
    if (d->changes.done > 0)
        tr_method_row_add(out, "valued_percent", percent(test->valued.held, test->valued.trials));
    if (test->sloped.trials > 0)
        tr_method_row_add(out, "sloped_percent", percent(test->sloped.held, test->sloped.trials));
    return TR_OK;
}

static double share(const void *work) {
    const tr_distil *d = work;
    /* A round of distilling takes as long as some ten through changes. */
    return (10.0 * d->progress.round + d->changes.done) /
           (10.0 * d->settings.rounds + d->settings.changes);
}

static tr_status best(void *work, const tr_controller **out, tr_error *error) {
    tr_distil *d = work;
    (void)error;
    *out = tr_distil_show_best(d);
    return TR_OK;
}

/* --- checkpoints --- */

static bool samples_fit(const tr_distil *d) {
    const int fragments = tr_controller_bank(d->student)->fragment_count;
    bool fit = true;
    for (int i = 0; i < d->progress.sample_count; i++)
        fit &= d->sample[i].fragment >= 0 && d->sample[i].fragment < fragments;
    return fit;
}

/* Makes room for as many samples as a file holds. */
static bool make_room(tr_distil *d, const tr_blocks *b) {
    const size_t size = (size_t)d->progress.sample_count * sizeof *d->sample;
    if (b->loads) {
        free(d->sample);
        d->sample = calloc(1, size + 1);
    }
    return d->sample || size == 0;
}

static void list(void *work, tr_blocks *b) {
    tr_distil *d = work;
    const size_t weights = tr_network_weight_count(&d->trained) * sizeof(float);
    tr_block(b, "progress", &d->progress, sizeof d->progress);
    if (!tr_block_require(b, "progress",
                          d->progress.round >= 0 && d->progress.round <= d->settings.rounds &&
                              d->progress.sample_count >= 0 &&
                              d->progress.sample_count <= TR_DISTIL_SAMPLE_MAX))
        return;
    tr_block(b, "network", d->trained.weight, weights);
    tr_block(b, "best", d->best.weight, weights);
    tr_network_fit_list(&d->fit, b);
    if (!tr_block_require(b, "samples", make_room(d, b)))
        return;
    tr_block(b, "samples", d->sample, (size_t)d->progress.sample_count * sizeof *d->sample);
    (void)tr_block_require(b, "samples", samples_fit(d));
    if (d->settings.changes == 0)
        return;
    (void)tr_block_count(b, "changes", &d->changes.done, 0, d->settings.changes);
    tr_block(b, "failed changes", d->changes.failed, sizeof d->changes.failed);
    tr_block(b, "base", d->changes.base.weight, weights);
    tr_block(b, "critic", d->changes.critic.weight,
             tr_network_weight_count(&d->changes.critic) * sizeof(float));
    tr_network_fit_list(&d->changes.fit, b);
    tr_network_fit_list(&d->changes.critic_fit, b);
}

static const tr_method_input inputs[] = {{.role = "parts",
                                          .word = "NAME,...",
                                          .meaning = "the teachers: gaits of the catalogue, chains "
                                                     "that repeat, on one model; or one graph",
                                          .kind = TR_INPUT_PARTS,
                                          .needed = true,
                                          .gives_model = true,
                                          .implies = {"of", NULL}}};

const tr_method tr_distil_method = {
    .name = "distil",
    .command = "distil",
    .summary = "learn one network that performs the gaits of several controllers",
    .help =
        "The network sees how far a character is from the cycle that it performs, and what\n"
        "that cycle does next; it learns what the teachers do there, on trials with pushes in\n"
        "which it acts itself. With --changes it then learns to stay up when the gait changes\n"
        "suddenly, by proximal policy optimisation. 'graph shorten --spread' finds changes that\n"
        "hold, and makes them ways. A graph as the teacher stays as it is; between its gaits, or\n"
        "those of --set gaits=..., the network then performs the changes.\n"
        "Kind 'network' of controllers/control/DRIVERS.md.\n",
    .example = "walk,run,stand --catalogue mine.troupe --name gaits",
    .settings = &tr_distil_settings_table,
    .options = "seed rounds changes",
    .skill = TR_GRAPH_BANK_SKILL,
    .part = name_part,
    .input = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .size = sizeof(tr_distil),
    .begin = tr_distil_begin,
    .remark = remark,
    .advance = advance,
    .is_done = tr_distil_is_done,
    .share = share,
    .best = best,
    .list = list,
    .destroy = tr_distil_destroy,
};
