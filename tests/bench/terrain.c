/* troupe-bench terrain: how many of so many trials each controller stays up for so long, on platforms at
 * any height, on slopes, over kerbs, on uneven ground and on hills (learn/measure/ground_test.h). */
#include "bench/bench.h"
#include "bench/physics_cells.h"
#include "learn/measure/ground_test.h"
#include "model/mjcf.h"

#include <getopt.h>
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

typedef struct options {
    const char *bundle;
    double seconds;
    int trials, threads;
    uint64_t seed;
    const char *only; /* grounds whose names begin so; NULL: all */
} options;

static bool parse(int argc, char **argv, options *o) {
    static const struct option names[] = {{"bundle", required_argument, NULL, 'b'},
                                          {"seconds", required_argument, NULL, 's'},
                                          {"trials", required_argument, NULL, 'n'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"seed", required_argument, NULL, 'r'},
                                          {"only", required_argument, NULL, 'o'},
                                          {0}};
    *o = (options){TR_BENCH_BUNDLE, 30, 100, 1, 20150815, NULL};
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        if (c == 'b')
            o->bundle = optarg;
        else if (c == 's')
            o->seconds = strtod(optarg, NULL);
        else if (c == 'n')
            o->trials = (int)strtol(optarg, NULL, 10);
        else if (c == 't')
            o->threads = (int)strtol(optarg, NULL, 10);
        else if (c == 'r')
            o->seed = strtoull(optarg, NULL, 10);
        else if (c == 'o')
            o->only = optarg;
        else
            return false;
    }
    return o->seconds > 0 && o->seconds <= 3600 && o->trials > 0 && o->trials <= 10000 &&
           o->threads > 0 && o->threads <= TR_POOL_THREAD_MAX && optind < argc;
}

/* Measures one kind of ground and prints a row for each amount. */
static bool measure_kind(const options *o, const char *name, tr_pool *pool, const tr_model *model,
                         const tr_controller *controller, int at) {
    const tr_trial_ground_row *row = &tr_trial_ground_rows[grounds[at].kind];
    for (int i = 0; i < grounds[at].count; i++) {
        tr_ground_test test = {grounds[at].kind, grounds[at].amount[i], o->trials, o->seconds,
                               o->seed};
        int held;
        if (tr_evaluate_ground(pool, model, controller, &test, &held))
            return false;
        printf("%s,%s %s,%g,%d,%d,%g\n", name, row->name, row->unit, test.amount, held, o->trials,
               o->seconds);
        fflush(stdout);
    }
    return true;
}

static bool measure(const options *o, const char *name, tr_pool *pool) {
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    bool good = tr_bench_load_controller(o->bundle, name, &model, &controller);
    for (int g = 0; good && g < GROUNDS; g++) {
        const char *ground = tr_trial_ground_rows[grounds[g].kind].name;
        if (!o->only || strncmp(ground, o->only, strlen(o->only)) == 0)
            good = measure_kind(o, name, pool, model, controller, g);
    }
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return good;
}

static int exec(int argc, char **argv) {
    options o;
    tr_pool *pool = NULL;
    if (!parse(argc, argv, &o))
        return 2;
    bool good = !tr_pool_create(o.threads, &pool);
    printf("controller,ground,amount,held,trials,seconds\n");
    for (int i = optind; good && i < argc; i++)
        good = measure(&o, argv[i], pool);
    tr_pool_destroy(pool);
    return good ? 0 : 1;
}

const tr_bench_command tr_bench_terrain = {
    "terrain", "CONTROLLER... [--trials 100] [--seconds 30] [--threads 1] [--only GROUND]",
    "trials that controllers stay up on platforms, slopes, kerbs, rubble and hills", exec};
