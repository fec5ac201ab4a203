/* troupe-bench terrain: in how many trials each controller stays up for the given time, on
 * platforms at any height, on slopes, over kerbs, on uneven ground and on hills
 * (learn/measure/ground_test.h). */
#include "bench/bench.h"
#include "bench/learned.h"
#include "learn/measure/ground_test.h"
#include "model/mjcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    double amount[6]; /* [count], m or degrees */
    tr_trial_ground_kind kind;
    int count;
} grounds[] = {
    {{0, -1000, -5, 0.05, 50, 1000}, TR_TRIAL_GROUND_PLATFORM, 6},
    {{1, 2, 3, 4, 5}, TR_TRIAL_GROUND_UP, 5},
    {{1, 2, 3, 4, 5}, TR_TRIAL_GROUND_DOWN, 5},
    {{1, 2, 3, 4, 5}, TR_TRIAL_GROUND_ACROSS, 5},
    {{0.02, 0.05, 0.08}, TR_TRIAL_GROUND_KERB_UP, 3},
    {{0.02, 0.05, 0.08}, TR_TRIAL_GROUND_KERB_DOWN, 3},
    {{0.01, 0.02, 0.05}, TR_TRIAL_GROUND_UNEVEN, 3},
    {{2, 5}, TR_TRIAL_GROUND_HILLS, 2},
};
enum { GROUNDS = sizeof grounds / sizeof grounds[0] };

/* --- the command --- */

static struct {
    const char *bundle, *only; /* only: grounds that begin so; NULL: all */
    double seconds;
    int trials, threads;
    uint64_t seed;
} options = {TR_BENCH_BUNDLE, NULL, 30, 100, 1, 20150815};

/* Measures one kind of ground and prints a row for each amount. */
static bool measure_kind(const char *name, tr_pool *pool, const tr_model *model,
                         const tr_controller *controller, int at) {
    const tr_trial_ground_row *row = &tr_trial_ground_rows[grounds[at].kind];
    for (int i = 0; i < grounds[at].count; i++) {
        const tr_ground_test test = {.kind = grounds[at].kind,
                                     .amount = grounds[at].amount[i],
                                     .trials = options.trials,
                                     .seconds = options.seconds,
                                     .seed = options.seed};
        char label[64];
        snprintf(label, sizeof label, "%s %g", row->name, test.amount);
        if (options.only && strncmp(label, options.only, strlen(options.only)) != 0)
            continue;
        int held;
        if (tr_evaluate_ground(pool, model, controller, &test, &held))
            return false;
        printf("%s,%s %s,%g,%d,%d,%g\n", name, row->name, row->unit, test.amount, held,
               options.trials, options.seconds);
        fflush(stdout);
    }
    return true;
}

static bool measure(const char *name, tr_pool *pool) {
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    bool good = tr_bench_load_controller(options.bundle, name, &model, &controller);
    for (int g = 0; good && g < GROUNDS; g++)
        good = measure_kind(name, pool, model, controller, g);
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return good;
}

static int exec(int count, char **words) {
    tr_pool *pool = NULL;
    bool good = !tr_pool_create(options.threads, &pool);
    printf("controller,ground,amount,held,trials,seconds\n");
    for (int i = 0; good && i < count; i++)
        good = measure(words[i], pool);
    tr_pool_destroy(pool);
    return good ? 0 : 1;
}

static const tr_bench_option table[] = {
    {{"trials", TR_OPTION_COUNT, &options.trials, 1, 10000}, "100", "on each ground"},
    {{"seconds", TR_OPTION_NUMBER, &options.seconds, 0.1, 3600}, "30", "of a trial"},
    {{"threads", TR_OPTION_COUNT, &options.threads, 1, TR_POOL_THREAD_MAX},
     "1",
     "that share the trials"},
    {{"seed", TR_OPTION_SEED, &options.seed, 0, 0}, "20150815", "of disturbances and grounds"},
    {{"only", TR_OPTION_TEXT, &options.only, 0, 0},
     "GROUND",
     "grounds that begin so, like \"kerb\" or \"slope up 5\""},
    TR_BENCH_BUNDLE_OPTION(&options.bundle)};

const tr_bench_command tr_bench_terrain = {
    .name = "terrain",
    .summary = "trials that controllers stay up on platforms, slopes, kerbs, rubble and hills",
    .words = "CONTROLLER...",
    .word_low = 1,
    .word_high = 64,
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output = "A row for each controller and ground: its height, step or slope (amount), and how "
              "many of\n"
              "the trials had no fall (held). A trial begins in the disturbed spawn state.",
    .exec = exec};
