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

static tr_status create(const tr_method_def *def, void **out, tr_error *error) {
    tr_distil *d = NULL;
    tr_status status = tr_distil_create(def, &d, error);
    if (!status)
        *out = d;
    return status;
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
    *out = (tr_method_row){.phase = "round", .iteration = d->progress.round, .best = best};
    if (d->progress.joined) {
        *out = (tr_method_row){.phase = "ways", .iteration = d->progress.round + 1, .best = best};
        tr_method_row_add(out, "ways", tr_graph_of(d->student)->edge_count);
        return TR_OK;
    }
    tr_method_row_add(out, "samples", d->progress.sample_count);
    tr_method_row_add(out, "error", d->progress.error);
    tr_method_row_add(out, "held_percent", percent(test->held, test->trials));
    tr_method_row_add(out, "pushed_percent", percent(test->pushed, test->push_trials));
    tr_method_row_add(out, "switched_percent", percent(test->switches.held, test->switches.trials));
    return TR_OK;
}

static bool is_done(const void *work) {
    return tr_distil_is_done(work);
}

static double share(const void *work) {
    const tr_distil *d = work;
    const int joins = d->settings.ways > 0;
    return (double)(d->progress.round + d->progress.joined) / (d->settings.rounds + joins);
}

static tr_status best(void *work, const tr_controller **out, tr_error *error) {
    tr_distil *d = work;
    (void)error;
    tr_distil_show_best(d);
    *out = d->student;
    return TR_OK;
}

static void destroy(void *work) {
    tr_distil_destroy(work);
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

static void list_ways(tr_control_graph *graph, tr_blocks *b) {
    const int count = tr_block_count(b, "ways", &graph->edge_count, 0, TR_GRAPH_EDGE_MAX);
    if (b->loads) {
        free(graph->edge);
        graph->edge = calloc((size_t)count + 1, sizeof *graph->edge);
    }
    if (tr_block_require(b, "ways", graph->edge != NULL))
        tr_block(b, "ways", graph->edge, (size_t)count * sizeof *graph->edge);
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
    tr_block(b, "mean gradient", d->fit.m, weights);
    tr_block(b, "mean square", d->fit.v, weights);
    tr_block(b, "decay", &d->fit.decay1, sizeof d->fit.decay1);
    tr_block(b, "decay", &d->fit.decay2, sizeof d->fit.decay2);
    if (!tr_block_require(b, "samples", make_room(d, b)))
        return;
    tr_block(b, "samples", d->sample, (size_t)d->progress.sample_count * sizeof *d->sample);
    (void)tr_block_require(b, "samples", samples_fit(d));
    list_ways(tr_graph_of(d->student), b);
}

static const tr_method_input inputs[] = {{.role = "parts",
                                          .word = "NAME,...",
                                          .meaning = "the teachers: gaits of the catalogue, chains "
                                                     "that repeat, on one model",
                                          .kind = TR_INPUT_PARTS,
                                          .needed = true,
                                          .gives_model = true,
                                          .implies = {"of", NULL}}};

const tr_method tr_distil_method = {
    .name = "distil",
    .command = "distil",
    .summary = "learn one network that performs the gaits of several controllers",
    .help = "The network sees how far a character is from the cycle that it performs, and what\n"
            "that cycle does next; it learns what the teachers do there, on trials with pushes in\n"
            "which it acts itself. It can change from any gait to any other at the end of each\n"
            "fragment. Kind 'network' of controllers/control/DRIVERS.md.\n",
    .example = "walk,run,stand --catalogue mine.troupe --name gaits",
    .settings = &tr_distil_settings_table,
    .options = "seed rounds",
    .skill = TR_GRAPH_BANK_SKILL,
    .part = name_part,
    .input = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .create = create,
    .remark = remark,
    .advance = advance,
    .is_done = is_done,
    .share = share,
    .best = best,
    .list = list,
    .destroy = destroy,
};
