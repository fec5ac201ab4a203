#include "learn/train/steering_fit.h"

#include "control/parts/playback.h"
#include "learn/rehearsal/trial.h"
#include "learn/search/cma.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* First courses of the tests that choose, and of the one that gives the score. */
enum { CHOICE = 1000000, VERDICT = 2000000 };
enum { STARTS = 2, TESTS = 8, SAMPLES_MAX = 200, WINDOWS_MAX = 64 };

static const double COURSE_S = 14, WINDOW_S = 1, INPUT_PER_S = 1, SIGMA_RAD = 0.03;

/* A candidate on its course. */
typedef struct course {
    const tr_controller *controller;
    const tr_bank *bank;  /* the controller's */
    const double *action; /* [size] */
    tr_steering_part part;
    double rate;      /* to be reached at full input */
    double speed_mps; /* without steering */
    uint64_t seed;
    int number; /* of the trial, for its disturbed start and the phase of the course */
} course;

typedef struct course_result {
    double cost;
    double rate; /* reached per input: sum of rate * input over sum of input^2 */
    double speed_mps;
    bool held;
} course_result;

/* Returns the input of the course at a time: full, full to the other side, half, none. The pace has
 * only one side. */
static double input_at(tr_steering_part part, double time_s) {
    double input = time_s < 1 ? 0 : time_s < 5 ? 1 : time_s < 9 ? -1 : time_s < 11 ? 0.5 : 0;
    return part == TR_STEERING_TURN ? input : fmax(0, input);
}

/* The measures of a window of about a second. */
typedef struct window {
    double span_s, input_s, turned_rad, walked_m;
} window;

typedef struct tally {
    double cost, weight, rate, input2, walked_m, span_s;
} tally;

static void close_window(const course *c, const window *w, tally *t) {
    double input = w->input_s / w->span_s, turn = w->turned_rad / w->span_s;
    double more = w->walked_m / w->span_s - c->speed_mps;
    bool turns = c->part == TR_STEERING_TURN;
    /* The error is relative to the rate at full input; what changes without being asked for costs
     * too: the speed in turning, the heading in changing the pace. */
    double got = turns ? turn : c->part == TR_STEERING_FASTER ? more : -more;
    double aside = turns ? 0.5 * fabs(more) / c->speed_mps : 2 * fabs(turn);
    t->cost += w->span_s * (fabs(got - c->rate * input) / c->rate + aside);
    t->weight += w->span_s;
    /* The rate is fitted by least squares: sum of got * input over sum of input^2. */
    t->rate += got * input;
    t->input2 += input * input;
    t->walked_m += w->walked_m;
    t->span_s += w->span_s;
}

/* Gives the coming fragment its input: the candidate's action times the input, added to its own. */
static tr_status set_input(const course *c, const tr_model *model, double input, tr_trial *trial) {
    const tr_action_map *map = &c->bank->action;
    double offset[TR_ACTION_MAX] = {0};
    tr_steering steering = {0};
    tr_doing doing;
    bool turns = c->part == TR_STEERING_TURN;
    memcpy(turns ? steering.turn : steering.faster, c->action,
           (size_t)map->size * sizeof *c->action);
    tr_steering_input full = {turns ? input : 0, turns ? 0 : input};
    tr_runner_look(&trial->runner, &doing);
    tr_steering_add(model, map, &steering, full, doing.mirrored, offset);
    return tr_runner_set_parameter(&trial->runner, TR_ACTION_OFFSET, offset, map->size, NULL);
}

static double turned(double from, double to) {
    double d = to - from;
    return d - 2 * TR_PI * floor(d / (2 * TR_PI) + 0.5);
}

static course_result run_course(const course *c, tr_rehearsal *rehearsal) {
    const tr_controller *controller = c->controller;
    tr_state now = tr_trial_disturbed_start(controller, c->seed, c->number), then;
    tr_trial trial;
    tr_doing doing;
    window w = {0};
    tally t = {0};
    /* Courses begin at one of three times, so that no candidate learns the phase of its cycle. */
    double input = 0, late_s = 0.37 * (c->number % 3), time_s = 0;
    if (tr_trial_begin(&trial, controller, rehearsal, &now))
        return (course_result){.cost = INFINITY};
    while (time_s < COURSE_S && !trial.lost) {
        tr_runner_look(&trial.runner, &doing);
        double span_s = c->bank->fragment[doing.entry].steps * controller->step_s;
        /* The input moves by at most INPUT_PER_S. */
        double most = INPUT_PER_S * span_s;
        input += fmax(-most, fmin(most, input_at(c->part, time_s - late_s) - input));
        trial.lost = set_input(c, rehearsal->model, input, &trial) != TR_OK;
        tr_trial_finish_entry(&trial, rehearsal);
        if (tr_world_get_state(rehearsal->world, rehearsal->character, &then))
            trial.lost = true;
        if (trial.lost)
            break;
        w.turned_rad +=
            turned(tr_quat_heading(now.pose.root_rot), tr_quat_heading(then.pose.root_rot));
        w.walked_m += hypot(then.pose.root_pos.x - now.pose.root_pos.x,
                            then.pose.root_pos.y - now.pose.root_pos.y);
        w.span_s += span_s;
        w.input_s += input * span_s;
        time_s += span_s;
        now = then;
        if (w.span_s >= WINDOW_S) {
            close_window(c, &w, &t);
            w = (window){0};
        }
    }
    course_result result = {.held = !trial.lost};
    result.cost = t.weight > 0 ? t.cost / t.weight : 1;
    /* A loss adds as much as an error of the whole rate, and up to four times that if it comes
     * early. */
    result.cost += trial.lost ? 1 + 3 * (1 - time_s / COURSE_S) : 0;
    result.rate = t.input2 > 0 ? t.rate / t.input2 : 0;
    result.speed_mps = t.span_s > 0 ? t.walked_m / t.span_s : 0;
    return result;
}

/* --- many candidates --- */

typedef struct batch {
    course base;
    int starts; /* trials of each candidate */
    int first;  /* number of the first */
    double (*action)[TR_ACTION_MAX];
    course_result *result; /* [candidates][starts] */
} batch;

static void run_item(void *context, int item, tr_rehearsal *rehearsal) {
    batch *b = context;
    course c = b->base;
    c.action = b->action[item / b->starts];
    c.number = b->first + item % b->starts;
    b->result[item] = run_course(&c, rehearsal);
}

static tr_steering_score score_of(const course_result *result, int trials) {
    tr_steering_score score = {.trials = trials};
    for (int i = 0; i < trials; i++) {
        score.cost += result[i].cost / trials;
        score.rate += result[i].rate / trials;
        score.held += result[i].held;
    }
    return score;
}

typedef struct fit {
    tr_ensemble *ensemble;
    const tr_steering_fit_def *def;
    batch batch;
    tr_cma cma;
    tr_steering_score best;
    double best_action[TR_ACTION_MAX];
    double action[SAMPLES_MAX][TR_ACTION_MAX];
    course_result result[SAMPLES_MAX * STARTS];
    double cost[SAMPLES_MAX];
    int order[SAMPLES_MAX];
} fit;

static int by_cost(const void *a, const void *b, void *context) {
    const double *cost = context;
    int i = *(const int *)a, j = *(const int *)b;
    return cost[i] < cost[j] ? -1 : cost[i] > cost[j] ? 1 : (i > j) - (i < j);
}

/* Runs one action on courses that judged no candidate: their numbers, from `first`, are beyond those
 * of all generations. result: [TESTS]. */
static void run_tests(fit *f, const double *action, int first, course_result *result) {
    batch tests = f->batch;
    double alone[1][TR_ACTION_MAX];
    memcpy(alone[0], action, sizeof alone[0]);
    tests.starts = TESTS;
    tests.first = first;
    tests.action = alone;
    tests.result = result;
    tr_ensemble_share(f->ensemble, run_item, &tests, TESTS,
                      (const tr_ranks_result[]){{result, sizeof *result}, {0}});
}

static tr_steering_score test(fit *f, const double *action, int first) {
    course_result result[TESTS];
    run_tests(f, action, first, result);
    return score_of(result, TESTS);
}

static void draw(fit *f, int generation) {
    for (int i = 0; i < f->def->samples; i++) {
        tr_random random = tr_random_split(f->def->seed, (uint64_t)generation, (uint64_t)i);
        /* The mean itself is a candidate. */
        if (i == 0)
            memcpy(f->action[i], f->cma.mean, (size_t)f->cma.size * sizeof(double));
        else
            tr_cma_sample(&f->cma, &random, f->action[i]);
    }
}

static tr_status generation(fit *f, int number) {
    int samples = f->def->samples, chosen = samples / 3;
    const double *better[SAMPLES_MAX];
    draw(f, number);
    f->batch.first = number * STARTS;
    tr_ensemble_share(f->ensemble, run_item, &f->batch, samples * STARTS,
                      (const tr_ranks_result[]){{f->result, sizeof *f->result}, {0}});
    for (int i = 0; i < samples; i++) {
        f->cost[i] = score_of(f->result + (ptrdiff_t)i * STARTS, STARTS).cost;
        for (int k = 0; k < f->cma.size; k++)
            /* Of actions that steer alike the smaller one is preferred. */
            f->cost[i] += 0.2 * f->action[i][k] * f->action[i][k];
        f->order[i] = i;
    }
    qsort_r(f->order, (size_t)samples, sizeof *f->order, by_cost, f->cost);
    for (int i = 0; i < chosen; i++)
        better[i] = f->action[f->order[i]];
    tr_status status = tr_cma_update(&f->cma, better, chosen);
    if (status)
        return status;
    double mean[TR_ACTION_MAX] = {0};
    memcpy(mean, f->cma.mean, (size_t)f->cma.size * sizeof(double));
    /* Courses of the search favour lucky candidates: the mean is judged on others. */
    tr_steering_score score = test(f, mean, CHOICE);
    if (score.cost < f->best.cost) {
        f->best = score;
        memcpy(f->best_action, f->cma.mean, (size_t)f->cma.size * sizeof(double));
    }
    return TR_OK;
}

/* Measures the speed of the unsteered controller, which must hold its motion. */
static tr_status measure(fit *f) {
    double none[TR_ACTION_MAX] = {0}, speed = 0;
    course_result result[TESTS];
    /* The speed is not known yet; 1 keeps the cost, which is not used, from dividing by zero. */
    f->batch.base.speed_mps = 1;
    run_tests(f, none, CHOICE, result);
    for (int i = 0; i < TESTS; i++) {
        if (!result[i].held)
            return TR_FAILED_PRECONDITION;
        speed += result[i].speed_mps / TESTS;
    }
    /* A skill on the spot has a speed of about 0, by which errors of the speed are divided. */
    f->batch.base.speed_mps = fmax(speed, 0.05);
    /* No action at all is the first to beat. */
    f->best = test(f, none, CHOICE);
    return TR_OK;
}

static void keep(const fit *f, tr_steering *out, tr_steering_score *out_score) {
    size_t size = (size_t)f->cma.size * sizeof(double);
    /* A skill that turned the other way cannot turn. */
    double rate = fmax(0, f->best.rate);
    out->speed_mps = f->batch.base.speed_mps;
    if (f->def->part == TR_STEERING_TURN) {
        out->turn_rad_s = rate;
        memcpy(out->turn, f->best_action, size);
    } else if (f->def->part == TR_STEERING_FASTER) {
        out->faster_mps = rate;
        memcpy(out->faster, f->best_action, size);
    } else {
        out->slower_mps = rate;
        memcpy(out->slower, f->best_action, size);
    }
    *out_score = f->best;
}

tr_status tr_steering_fit(tr_ensemble *ensemble, const tr_controller *controller,
                          const tr_steering_fit_def *def, tr_steering_report report, void *context,
                          tr_steering *out, tr_steering_score *out_score) {
    if (def->generations < 1 || def->generations > 10000 || def->samples < 8 ||
        def->samples > SAMPLES_MAX || !(def->rate > 0 && def->rate <= 20))
        return TR_INVALID_ARGUMENT;
    const tr_chain *chain = tr_chain_of(controller);
    if (!chain || !chain->bank.cyclic)
        return TR_FAILED_PRECONDITION;
    fit *f = calloc(1, sizeof *f);
    if (!f)
        return TR_RESOURCE_EXHAUSTED;
    f->ensemble = ensemble;
    f->def = def;
    f->batch = (batch){.starts = STARTS, .action = f->action, .result = f->result};
    f->batch.base = (course){.controller = controller,
                             .bank = &chain->bank,
                             .part = def->part,
                             .rate = def->rate,
                             .seed = def->seed};
    tr_status status = tr_cma_init(&f->cma, chain->bank.action.size, SIGMA_RAD, NULL);
    if (!status)
        status = measure(f);
    for (int g = 0; g < def->generations && !status; g++) {
        status = generation(f, g);
        if (!status && report)
            report(context, g + 1, &f->best);
    }
    /* The choice took the luckiest of many tests: what was chosen is measured on courses of its own. */
    if (!status)
        f->best = test(f, f->best_action, VERDICT);
    if (!status)
        keep(f, out, out_score);
    tr_cma_deinit(&f->cma);
    free(f);
    return status;
}
