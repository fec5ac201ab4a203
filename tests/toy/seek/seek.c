#include "toy/seek/seek.h"

#include "math/random.h"
#include "toy/sway/sway.h"

#include <math.h>
#include <stdlib.h>

typedef struct settings {
    uint64_t seed;
    int rounds;
    double goal_rad, step_rad;
} settings;

#define AT(field) offsetof(settings, field)

static const tr_parameter rows[] = {
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of the steps"},
    {"rounds", TR_COUNT, AT(rounds), 1, 1000, "6", "steps that are tried"},
    {"goal_rad", TR_REAL, AT(goal_rad), 0, 0.5, "0.3", "amplitude that is sought"},
    {"step_rad", TR_REAL, AT(step_rad), 0, 0.5, "0.05", "standard deviation of a step"},
};
static const tr_parameter_table table = {.row = rows, .count = sizeof rows / sizeof *rows};

static const tr_method_input inputs[] = {{.role = "from",
                                          .option = "from",
                                          .word = "CONTROLLER",
                                          .meaning = "a sway to begin with",
                                          .kind = TR_INPUT_CONTROLLER,
                                          .continued = true}};

/* progress: what a checkpoint keeps; sway: the best so far */
typedef struct work {
    settings settings;
    struct {
        int round;
        tr_random random;
    } progress;
    tr_controller *sway;
} work;

static double *amplitude_of(const work *w) {
    return &((toy_sway *)w->sway->driver.content)->amplitude_rad;
}

static void destroy(void *given) {
    work *w = given;
    if (w)
        tr_controller_destroy(w->sway);
    free(w);
}

static tr_status create(const tr_method_def *def, void **out, tr_error *error) {
    work *w = calloc(1, sizeof *w);
    const tr_controller *from = def->given[0].controller;
    tr_status status = w ? toy_sway_create(def->model, &w->sway) : TR_RESOURCE_EXHAUSTED;
    if (!status && from && from->driver.kind != &toy_sway_kind)
        status = TR_INVALID_ARGUMENT;
    if (status) {
        destroy(w);
        return tr_fail(error, status, "--from: '%s' does not sway", def->given[0].name);
    }
    w->settings = *(const settings *)def->settings;
    w->progress.random = tr_random_split(w->settings.seed, 0, 0);
    if (from)
        *amplitude_of(w) = ((const toy_sway *)from->driver.content)->amplitude_rad;
    *out = w;
    return TR_OK;
}

static tr_status advance(void *given, tr_method_row *out, tr_error *error) {
    work *w = given;
    (void)error;
    const double now = *amplitude_of(w), goal = w->settings.goal_rad;
    const double step = w->settings.step_rad * tr_random_normal(&w->progress.random);
    const double tried = fmin(fmax(now + step, 0), 0.5);
    const bool better = fabs(tried - goal) < fabs(now - goal);
    if (better)
        *amplitude_of(w) = tried;
    *out = (tr_method_row){
        .phase = "seek", .iteration = w->progress.round++, .best = better || out->iteration == 0};
    tr_method_row_add(out, "tried_rad", tried);
    tr_method_row_add(out, "off_rad", fabs(*amplitude_of(w) - goal));
    return TR_OK;
}

static bool is_done(const void *given) {
    const work *w = given;
    return w->progress.round >= w->settings.rounds;
}

static double share(const void *given) {
    const work *w = given;
    return (double)w->progress.round / w->settings.rounds;
}

static tr_status best(void *given, const tr_controller **out, tr_error *error) {
    (void)error;
    *out = ((work *)given)->sway;
    return TR_OK;
}

static void list(void *given, tr_blocks *blocks) {
    work *w = given;
    tr_block(blocks, "progress", &w->progress, sizeof w->progress);
    (void)tr_block_require(blocks, "progress", w->progress.round >= 0);
    tr_block(blocks, "amplitude", amplitude_of(w), sizeof(double));
}

const tr_method toy_seek_method = {
    .name = "toy_seek",
    .command = "sway seek",
    .summary = "seek an amplitude",
    .help = "Tries random steps and keeps those that lead nearer to the goal.\n",
    .example = "--catalogue mine.troupe --name seeker",
    .settings = &table,
    .input = inputs,
    .input_count = 1,
    .create = create,
    .advance = advance,
    .is_done = is_done,
    .share = share,
    .best = best,
    .list = list,
    .destroy = destroy,
};
