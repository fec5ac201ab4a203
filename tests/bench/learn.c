/* troupe-bench learn: samples a second on one core of guided SAMCON (learn/samcon/samcon.h), and the share
 * of it that is physics. */
#include "bench/bench.h"
#include "bench/physics_cells.h"
#include "learn/samcon/samcon.h"
#include "model/mjcf.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONTROLLER_MAX = 8, ROUNDS_MAX = 25 };

typedef struct options {
    const char *bundle;
    int stages, samples, rounds;
} options;

/* One controller, walked again in each round. */
typedef struct cell {
    tr_model *model;
    tr_controller *controller;
    tr_ensemble *ensemble;
    double fragment_s;
    double rate[ROUNDS_MAX];    /* samples of 0.1 s a second */
    double physics[ROUNDS_MAX]; /* share */
    double cost;                /* of the last walk: equal where every bit is kept */
} cell;

static bool read_count(const char *text, int high, int *out) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > high)
        return false;
    *out = (int)value;
    return true;
}

static bool parse(int argc, char **argv, options *o) {
    static const struct option names[] = {{"bundle", required_argument, NULL, 'u'},
                                          {"stages", required_argument, NULL, 's'},
                                          {"samples", required_argument, NULL, 'n'},
                                          {"rounds", required_argument, NULL, 'r'},
                                          {0}};
    *o = (options){.bundle = TR_BENCH_BUNDLE, .stages = 40, .samples = 200, .rounds = 5};
    bool good = true;
    for (int c; good && (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        if (c == 'u')
            o->bundle = optarg;
        else if (c == 's')
            good = read_count(optarg, TR_SAMCON_STAGE_MAX, &o->stages);
        else if (c == 'n')
            good = read_count(optarg, TR_SAMCON_SAMPLE_MAX, &o->samples);
        else if (c == 'r')
            good = read_count(optarg, ROUNDS_MAX, &o->rounds);
        else
            good = false;
    }
    return good;
}

/* As an iteration of the learner by default: pushes, noise, the best tenth. */
static tr_samcon_def walk_def(const options *o, int round) {
    return (tr_samcon_def){.stages = o->stages,
                           .samples = o->samples,
                           .elites = o->samples < 10 ? 1 : o->samples / 10,
                           .noise_rad = 3 * TR_PI / 180,
                           .push_n = 100,
                           .push_probability = 0.22,
                           .cost_max = 8,
                           .rollback = 10,
                           .failures_max = 100,
                           .weights = tr_cost_weights_default(),
                           .seed = (uint64_t)round + 1};
}

/* Seconds that the world's steps take of one sample, by performing the walk's fragments again from
 * where they began. */
static bool time_physics(const cell *c, const tr_walk *walk, double *out_s) {
    tr_rehearsal *rehearsal = &c->ensemble->rehearsal[0];
    const tr_controller *controller = c->controller;
    tr_quat target[TR_BODY_MAX];
    double sum_s = 0;
    for (int q = 0; q < walk->count; q++) {
        const tr_walk_step *step = &walk->step[q];
        const tr_state *start = &walk->step[q].start;
        const tr_fragment *fragment = &tr_controller_bank(controller)->fragment[step->fragment];
        if (tr_rehearsal_place(rehearsal, start) != TR_OK)
            return false;
        for (int i = 0; i < fragment->steps; i++) {
            tr_fragment_targets(c->model, &tr_controller_bank(controller)->action, fragment, i,
                                step->action, target);
            if (tr_world_set_targets(rehearsal->world, rehearsal->character, target) != TR_OK)
                return false;
            double begin_s = tr_bench_now();
            if (tr_world_step(rehearsal->world) != TR_OK)
                return false;
            sum_s += tr_bench_now() - begin_s;
        }
    }
    *out_s = sum_s / walk->count;
    return true;
}

/* Seconds that reading the clock adds to what is timed between two readings. */
static double clock_cost(void) {
    enum { READINGS = 20000 };
    double begin_s = tr_bench_now();
    for (int i = 0; i < READINGS; i++)
        (void)tr_bench_now();
    return (tr_bench_now() - begin_s) / READINGS;
}

static bool run_cell(cell *c, const options *o, int round) {
    tr_samcon_def def = walk_def(o, round);
    tr_walk walk;
    double begin_s = tr_bench_now(), step_s = 0;
    if (tr_samcon_walk(c->ensemble, c->controller, &def, &walk) != TR_OK)
        return false;
    double sample_s = (tr_bench_now() - begin_s) / (double)walk.samples;
    bool timed = time_physics(c, &walk, &step_s);
    c->cost = walk.cost;
    tr_walk_deinit(&walk);
    if (!timed || round < 0)
        return timed;
    step_s -= clock_cost() * c->fragment_s / c->controller->step_s;
    c->rate[round] = c->fragment_s / 0.1 / sample_s;
    c->physics[round] = step_s / sample_s;
    return true;
}

static void close_cell(cell *c) {
    tr_ensemble_destroy(c->ensemble);
    tr_controller_destroy(c->controller);
    tr_model_destroy(c->model);
}

static bool open_cell(cell *c, const options *o, const char *name) {
    if (!tr_bench_load_controller(o->bundle, name, &c->model, &c->controller))
        return false;
    tr_ensemble_def def = {c->model, tr_controller_bank(c->controller)->gain_set,
                           c->controller->step_s, 1, NULL};
    double fragments = tr_controller_bank(c->controller)->fragment_count *
                       (tr_controller_bank(c->controller)->mirrored ? 2 : 1);
    c->fragment_s = tr_controller_duration_s(c->controller) / fragments;
    return tr_ensemble_create(&def, &c->ensemble) == TR_OK;
}

static int exec(int argc, char **argv) {
    options o;
    cell cells[CONTROLLER_MAX] = {0};
    static char *const standard[] = {"run", "walk"};
    if (!parse(argc, argv, &o) || argc - optind > CONTROLLER_MAX) {
        fprintf(stderr, "usage: troupe-bench learn %s\n", tr_bench_learn.arguments);
        return 2;
    }
    char *const *names = optind < argc ? argv + optind : standard;
    int count = optind < argc ? argc - optind : 2;
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = open_cell(&cells[i], &o, names[i]);
    for (int round = -1; ok && round < o.rounds; round++)
        for (int i = 0; ok && i < count; i++)
            ok = run_cell(&cells[i], &o, round);
    if (ok)
        printf("controller,samples,fragment_s,samples_100ms_per_core_s,physics_share,cost\n");
    for (int i = 0; ok && i < count; i++)
        printf("%s,%d,%.3f,%.0f,%.3f,%.17g\n", names[i], o.samples, cells[i].fragment_s,
               tr_bench_median(cells[i].rate, o.rounds),
               tr_bench_median(cells[i].physics, o.rounds), cells[i].cost);
    for (int i = 0; i < count; i++)
        close_cell(&cells[i]);
    if (!ok)
        fprintf(stderr, "a walk could not be finished\n");
    return ok ? 0 : 1;
}

const tr_bench_command tr_bench_learn = {
    "learn", "[CONTROLLER ...] [--stages 40] [--samples 200] [--rounds 5] [--bundle FILE]",
    "fragment samples a second on one core, self-collision on, and the share that is physics",
    exec};
