/* troupe-bench cluster: what ranks (learn/ranks/ranks.h) gain, measured on those it is started as, and a
 * model for more of them.
 *
 * The lead does an iteration alone, while the others wait; then all do it together. Efficiency is the
 * processor time alone by the sum of that of all ranks, who spend theirs while they wait, too. The
 * model takes the time of an iteration on N ranks as
 *
 *   T(N) = rest + sum over shares of [ mean ceil(n/N) (1 + v sqrt(2 ln N / ceil(n/N)))
 *                                      + 2 latency ceil(log2 N) + bytes (1/network + 1/memory) ]
 *
 * with rest what every rank does itself, n the items of a share, mean and v the mean and the
 * coefficient of variation of an item's time, and bytes those of all its results: two exchanges a
 * share, the first of sixteen bytes; the slowest of N ranks is sqrt(2 ln N) deviations off. */
#include "bench/bench.h"
#include "bench/learned.h"
#include "learn/measure/evaluate.h"
#include "learn/ranks/ranks.h"
#include "learn/samcon/samcon.h"
#include "learn/train/harden.h"
#include "learn/train/parameters.h"
#include "model/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS_MAX = 25, RANKS_LOW = 8, RANKS_HIGH = 512, SPREAD_TRIALS = 24 };

static struct {
    const char *bundle, *name;
    int rounds;
    double latency_us, network_gbps, memory_gbps;
} options = {TR_BENCH_BUNDLE, "run", 5, 5, 25, 40};

typedef struct subject {
    tr_model *model;
    tr_controller *controller;
    tr_ensemble *ensemble;
} subject;

/* --- the work --- */

static tr_status sample(const subject *s) {
    tr_walk walk;
    const tr_samcon_def def = {.stages = 10,
                               .samples = 200,
                               .elites = 20,
                               .noise_rad = 3 * TR_PI / 180,
                               .push_n = 100,
                               .push_probability = 0.22,
                               .cost_max = 8,
                               .rollback = 10,
                               .failures_max = 100,
                               .weights = tr_cost_weights_default(),
                               .seed = 1};
    tr_status status = tr_samcon_walk(s->ensemble, s->controller, &def, &walk);
    if (!status)
        tr_walk_deinit(&walk);
    return status;
}

/* An update, as the learner makes them by default. */
static tr_status harden(const subject *s) {
    const tr_learn_parameters p = tr_learn_parameters_default();
    const tr_harden_def def = {.updates = 1,
                               .directions = p.harden_directions,
                               .best = p.harden_best,
                               .trials = p.harden_trials,
                               .candidates = p.harden_candidates,
                               .spacing = p.harden_spacing,
                               .sigma_rad = p.harden_sigma_deg * TR_PI / 180,
                               .rate = 0.5,
                               .push_n = p.harden_push_n,
                               .after_s = p.harden_after_s,
                               .weights = tr_cost_weights_default(),
                               .seed = 1};
    tr_controller *copy = NULL;
    double mean_return;
    tr_status status = tr_controller_copy(s->controller, s->model, &copy);
    if (!status)
        status = tr_harden(s->ensemble, &def, copy, &mean_return);
    tr_controller_destroy(copy);
    return status;
}

static tr_status hold(const subject *s, int first, int trials) {
    const tr_hold_test test = {.trials = trials, .cap_s = 30, .seed = 1, .first = first};
    tr_hold_result result;
    return tr_evaluate_hold(s->ensemble, s->controller, &test, &result);
}

static tr_status hold_hundred(const subject *s) {
    return hold(s, 0, 100);
}

static tr_status push(const subject *s) {
    tr_push_test test = tr_push_test_default();
    tr_push_result result;
    test.starts = 4;
    test.force_n = 240;
    return tr_evaluate_pushes(s->ensemble, s->controller, &test, &result);
}

/* spread: of an item's time, assumed; 0: measured with single trials. Samples all take one fragment. */
typedef struct work_kind {
    const char *name;
    tr_status (*work)(const subject *s);
    double spread;
} work_kind;
static const work_kind kinds[] = {
    {"sampling, 10 stages of 200", sample, 0.1},
    {"hardening, an update", harden, 0.2},
    {"100 trials of 30 s", hold_hundred, 0},
    {"pushes, 4 starts", push, 0.2},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* --- measuring --- */

/* One iteration, of one rank or summed over all. */
typedef struct figures {
    double core_s, worked_s, sent_s;
    double shares, items, bytes;
} figures;

typedef struct measuring {
    const subject *s;
    const work_kind *kind;
    figures alone;
} measuring;

static tr_status measure(const measuring *m, figures *out) {
    tr_ranks_traffic before = tr_ranks_count_traffic();
    double begin_s = tr_bench_now();
    tr_status status = m->kind->work(m->s);
    tr_ranks_traffic after = tr_ranks_count_traffic();
    *out = (figures){.core_s = tr_bench_now() - begin_s,
                     .worked_s = after.worked_s - before.worked_s,
                     .sent_s = after.sent_s - before.sent_s,
                     .shares = (double)(after.shares - before.shares),
                     .items = (double)(after.items - before.items),
                     .bytes = (double)(after.bytes - before.bytes)};
    return status;
}

static tr_status measure_alone(void *context, tr_error *error) {
    measuring *m = context;
    tr_status status = measure(m, &m->alone);
    return status ? tr_fail(error, status, "%s: %s", m->kind->name, tr_status_text(status)) : TR_OK;
}

static tr_status measure_spread(const subject *s, double *out) {
    double sum = 0, squares = 0;
    for (int i = 0; i < SPREAD_TRIALS; i++) {
        double begin_s = tr_bench_now();
        tr_status status = hold(s, i, 1);
        if (status)
            return status;
        double time_s = tr_bench_now() - begin_s;
        sum += time_s / SPREAD_TRIALS;
        squares += time_s * time_s / SPREAD_TRIALS;
    }
    *out = sqrt(fmax(0, squares - sum * sum)) / sum;
    return TR_OK;
}

/* --- reporting --- */

static double predict(const figures *one, double spread, int ranks) {
    double items = one->items / one->shares, mean_s = one->worked_s / one->items;
    double rows = ceil(items / ranks), bytes = one->bytes / one->shares;
    double slowest = ranks > 1 ? 1 + spread * sqrt(2 * log(ranks) / rows) : 1;
    double exchange_s = 2e-6 * options.latency_us * ceil(log2(ranks)) +
                        8e-9 * bytes * (1 / options.network_gbps + 1 / options.memory_gbps);
    double rest_s = one->core_s - one->worked_s;
    return rest_s + one->shares * (mean_s * rows * slowest + exchange_s);
}

static void report(const work_kind *kind, const figures *alone, const figures *all, double spread) {
    const figures one = {alone->core_s, alone->worked_s, 0, all->shares, all->items, all->bytes};
    printf("%s,%d,%.0f,%.0f,%.0f,%.1f,%.4f,%.4f,%.3f", kind->name, tr_ranks_count(), all->items,
           all->shares, all->bytes, 1e3 * alone->core_s, 1 - alone->worked_s / alone->core_s,
           all->sent_s / all->core_s, alone->core_s / all->core_s);
    for (int n = RANKS_LOW; n <= RANKS_HIGH; n *= 4)
        printf(",%.2f", one.core_s / n / predict(&one, spread, n));
    printf("\n");
    (void)fflush(stdout);
}

static tr_status measure_all(const measuring *m, figures *out) {
    figures own = {0};
    tr_status status = measure(m, &own);
    *out = (figures){.core_s = tr_ranks_sum(own.core_s),
                     .sent_s = tr_ranks_sum(own.sent_s),
                     .shares = own.shares,
                     .items = own.items,
                     .bytes = tr_ranks_sum(own.bytes)};
    return status;
}

/* Of all rounds the least disturbed counts: the one with the least processor time. */
static tr_status run_kind(const subject *s, const work_kind *kind, tr_error *error) {
    measuring m = {.s = s, .kind = kind};
    figures alone = {.core_s = INFINITY}, best = {.core_s = INFINITY}, all;
    double spread = kind->spread;
    tr_status status = spread > 0 ? TR_OK : measure_spread(s, &spread);
    for (int round = 0; !status && round < options.rounds; round++) {
        status = tr_ranks_let_lead(measure_alone, &m, error);
        if (!status)
            status = measure_all(&m, &all);
        if (!status && m.alone.core_s < alone.core_s)
            alone = m.alone;
        if (!status && all.core_s < best.core_s)
            best = all;
    }
    if (status)
        return tr_fail(error, status, "%s: %s", kind->name, tr_status_text(status));
    report(kind, &alone, &best, spread);
    return TR_OK;
}

static tr_status run_all(tr_error *error) {
    subject s = {0};
    tr_status status = TR_NOT_FOUND;
    if (tr_bench_load_controller(options.bundle, options.name, &s.model, &s.controller))
        status = tr_ensemble_create_for(s.model, s.controller, 1, &s.ensemble, error);
    else
        (void)tr_fail(error, status, "%s: no controller to measure", options.name);
    if (!status)
        printf("work,ranks,items,shares,bytes,alone_ms,rest_share,sent_share,efficiency,at_8,at_32,"
               "at_128,at_512\n");
    for (int k = 0; !status && k < KINDS; k++)
        status = run_kind(&s, &kinds[k], error);
    tr_ensemble_destroy(s.ensemble);
    tr_controller_destroy(s.controller);
    tr_model_destroy(s.model);
    return status;
}

static int exec(int count, char **words) {
    tr_error error = {0};
    if (count)
        options.name = words[0];
    tr_status status = tr_ranks_begin(&error);
    if (!status && tr_ranks_count() == 1)
        status = tr_fail(&error, TR_FAILED_PRECONDITION,
                         "expected several ranks: mpirun -n 2 troupe-bench cluster");
    if (!status)
        status = run_all(&error);
    if (status)
        fprintf(stderr, "troupe-bench cluster: %s\n", error.message);
    return tr_ranks_end(status ? 1 : 0);
}

static const tr_bench_option table[] = {
    {{"rounds", TR_OPTION_COUNT, &options.rounds, 1, ROUNDS_MAX},
     "5",
     "the one with the least processor time counts"},
    {{"latency", TR_OPTION_NUMBER, &options.latency_us, 0.1, 1e4},
     "5",
     "of a message between machines, microseconds, for the model"},
    {{"network", TR_OPTION_NUMBER, &options.network_gbps, 0.1, 1e4},
     "25",
     "Gbit/s of a machine, for the model"},
    {{"memory", TR_OPTION_NUMBER, &options.memory_gbps, 0.1, 1e4},
     "40",
     "Gbit/s at which a rank takes results over, for the model"},
    TR_BENCH_BUNDLE_OPTION(&options.bundle)};

const tr_bench_command tr_bench_cluster = {
    .name = "cluster",
    .summary = "efficiency of many ranks: 'mpirun -n 2 troupe-bench cluster', and a model for more",
    .words = "[CONTROLLER]",
    .word_high = 1,
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output =
        "A row for each kind of work: numbered items and shares of an iteration, bytes of all\n"
        "results; processor time alone, and the share of it that every rank does itself; the share "
        "of\n"
        "passing results on, and the efficiency of the ranks at hand: processor time alone by that "
        "of\n"
        "all ranks, waiting included; what the model expects of 8 to 512 ranks (cluster.c).",
    .exec = exec};
