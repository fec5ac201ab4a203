/* troupe-bench learn: samples a second on one core of guided SAMCON (learn/samcon/samcon.h), and the share
 * of it that is physics. */
#include "bench/bench.h"
#include "bench/learned.h"
#include "learn/samcon/samcon.h"
#include "model/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CONTROLLER_MAX = 8, ROUNDS_MAX = 25 };

static struct {
    const char *bundle;
    int stages, samples, rounds, lanes;
} options = {TR_BENCH_BUNDLE, 40, 200, 5, TR_QUARTET_MAX};

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

/* As an iteration of the learner by default: pushes, noise, the best tenth. */
static tr_samcon_def walk_def(int round) {
    return (tr_samcon_def){.stages = options.stages,
                           .samples = options.samples,
                           .elites = options.samples < 10 ? 1 : options.samples / 10,
                           .noise_rad = 3 * TR_PI / 180,
                           .push_n = 100,
                           .push_probability = 0.22,
                           .cost_max = 8,
                           .rollback = 10,
                           .failures_max = 100,
                           .weights = tr_cost_weights_default(),
                           .seed = (uint64_t)round + 1};
}

/* Puts the character of each world of the group where a fragment of the walk began. */
static bool place_group(const tr_rehearsal_group *group, const tr_state *start) {
    for (int k = 0; k < group->count; k++)
        if (tr_rehearsal_place(group->rehearsal[k], start))
            return false;
    return true;
}

/* Sets the targets of all worlds and steps them. Adds the seconds of the step alone. */
static bool step_group(const tr_rehearsal_group *group, const tr_quat *target, double *sum_s) {
    tr_world *world[TR_QUARTET_MAX];
    tr_status status[TR_QUARTET_MAX];
    bool ok = true;
    for (int k = 0; k < group->count; k++) {
        const tr_rehearsal *rehearsal = group->rehearsal[k];
        world[k] = rehearsal->world;
        ok = ok && !tr_world_set_targets(world[k], rehearsal->character, target);
    }
    double begin_s = tr_bench_now();
    tr_quartet_step(group->quartet, world, group->count, status);
    *sum_s += tr_bench_now() - begin_s;
    for (int k = 0; k < group->count; k++)
        ok = ok && !status[k];
    return ok;
}

/* Seconds that the world's steps take of one sample, by performing the walk's fragments again from
 * where they began, in all worlds of a thread. */
static bool time_physics(const cell *c, const tr_walk *walk, double *out_s) {
    const tr_rehearsal_group *group = &c->ensemble->group[0];
    const tr_bank *bank = tr_controller_bank(c->controller);
    tr_quat target[TR_BODY_MAX];
    double sum_s = 0;
    for (int q = 0; q < walk->count; q++) {
        const tr_walk_step *step = &walk->step[q];
        const tr_fragment *fragment = &bank->fragment[step->fragment];
        if (!place_group(group, &step->start))
            return false;
        for (int i = 0; i < fragment->steps; i++) {
            tr_fragment_targets(c->model, &bank->action, fragment, i, step->action, target);
            if (!step_group(group, target, &sum_s))
                return false;
        }
    }
    *out_s = sum_s / walk->count / group->count;
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

static bool run_cell(cell *c, int round) {
    tr_samcon_def def = walk_def(round);
    tr_walk walk;
    double begin_s = tr_bench_now(), step_s = 0;
    if (tr_samcon_walk(c->ensemble, c->controller, &def, &walk))
        return false;
    double sample_s = (tr_bench_now() - begin_s) / (double)walk.samples;
    bool timed = time_physics(c, &walk, &step_s);
    c->cost = walk.cost;
    tr_walk_deinit(&walk);
    if (!timed || round < 0)
        return timed;
    step_s -= clock_cost() * c->fragment_s / c->controller->step_s / options.lanes;
    c->rate[round] = c->fragment_s / 0.1 / sample_s;
    c->physics[round] = step_s / sample_s;
    return true;
}

static void close_cell(cell *c) {
    tr_ensemble_destroy(c->ensemble);
    tr_controller_destroy(c->controller);
    tr_model_destroy(c->model);
}

static bool open_cell(cell *c, const char *name) {
    if (!tr_bench_load_controller(options.bundle, name, &c->model, &c->controller))
        return false;
    tr_ensemble_def def = {
        c->model,     tr_controller_bank(c->controller)->gain_set, c->controller->step_s, 1, NULL,
        options.lanes};
    double fragments = tr_controller_bank(c->controller)->fragment_count *
                       (tr_controller_bank(c->controller)->mirrored ? 2 : 1);
    c->fragment_s = tr_controller_duration_s(c->controller) / fragments;
    return !tr_ensemble_create(&def, &c->ensemble);
}

static int exec(int word_count, char **words) {
    cell cells[CONTROLLER_MAX] = {0};
    static char *const standard[] = {"run", "walk"};
    char *const *names = word_count ? words : standard;
    int count = word_count ? word_count : 2;
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = open_cell(&cells[i], names[i]);
    for (int round = -1; ok && round < options.rounds; round++)
        for (int i = 0; ok && i < count; i++)
            ok = run_cell(&cells[i], round);
    if (ok)
        printf("controller,samples,fragment_s,samples_100ms_per_core_s,physics_share,cost\n");
    for (int i = 0; ok && i < count; i++)
        printf("%s,%d,%.3f,%.0f,%.3f,%.17g\n", names[i], options.samples, cells[i].fragment_s,
               tr_bench_median(cells[i].rate, options.rounds),
               tr_bench_median(cells[i].physics, options.rounds), cells[i].cost);
    for (int i = 0; i < count; i++)
        close_cell(&cells[i]);
    if (!ok)
        fprintf(stderr, "a walk could not be finished\n");
    return ok ? 0 : 1;
}

static const tr_bench_option table[] = {
    {{"stages", TR_OPTION_COUNT, &options.stages, 1, TR_SAMCON_STAGE_MAX},
     "40",
     "fragments of a random walk"},
    {{"samples", TR_OPTION_COUNT, &options.samples, 1, TR_SAMCON_SAMPLE_MAX},
     "200",
     "of each stage"},
    {{"rounds", TR_OPTION_COUNT, &options.rounds, 1, ROUNDS_MAX},
     "5",
     "after one of warm-up; the median counts"},
    {{"lanes", TR_OPTION_COUNT, &options.lanes, 1, TR_QUARTET_MAX},
     "4",
     "samples simulated side by side; the cost is the same for any number"},
    TR_BENCH_BUNDLE_OPTION(&options.bundle)};

const tr_bench_command tr_bench_learn = {
    .name = "learn",
    .summary =
        "fragment samples a second on one core, self-collision on, and the share that is physics",
    .words = "[CONTROLLER...]",
    .word_high = CONTROLLER_MAX,
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output = "A row for each controller, run and walk if none is named: the length of its "
              "fragments, samples\n"
              "of 0.1 s a second, and the cost of the last walk, which is equal where two builds "
              "agree in\n"
              "every bit.",
    .exec = exec};
