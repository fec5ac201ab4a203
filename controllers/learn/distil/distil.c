#include "learn/distil/distil.h"

#include "control/recovery/recovery.h"
#include "learn/graph/graph_bank.h"
#include "learn/measure/evaluate.h"
#include "learn/rehearsal/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLE_TRIALS = 3, SETTLED_AFTER = 20 };
static const double CYCLE_S = 15;

enum {
    FOR_WEIGHTS = 3,
    FOR_ORDER,
    TEST_SEED = 9173,
    SETTLE_S = 2,
    PUSHED_S = 5,
    BLEND_STEPS = 10,   /* in which a change of skill blends */
    EPOCHS = 4,         /* passes over all samples in a round */
    LAST_EPOCHS = 12,   /* in the last round */
    SWITCH_TRIALS = 3,  /* changes from each gait to each other one in a test */
    CHANGE_ROUNDS = 100 /* through changes, from one test to the next */
};
static const double TRIAL_S = 12;     /* longest time of a trial */
static const double NOISE_RAD = 0.02; /* spread of what is added to actions in every second round */
static const double ACTION_MAX_RAD = 1.5, ERROR_MAX = 3, SCALE_LEAST = 1e-3;
static const double LAST_RATE =
    1e-4; /* of Adam at the end of a round; a tenth of it in the last one */

/* --- making --- */

void tr_distil_destroy(void *work) {
    tr_distil *d = work;
    if (!d)
        return;
    tr_network_fit_deinit(&d->fit);
    tr_changes_deinit(&d->changes);
    tr_network_deinit(&d->trained);
    tr_network_deinit(&d->best);
    tr_controller_destroy(d->teacher);
    tr_controller_destroy(d->student);
    tr_controller_destroy(d->whole);
    tr_ensemble_destroy(d->ensemble);
    free(d->action);
    free(d->sample);
    free(d);
}

static tr_status check_teacher(const tr_model *model, const tr_controller *teacher,
                               const tr_controller *first, tr_error *error) {
    tr_status status = tr_graph_bank_check(model, first, teacher, error);
    if (!status && !tr_controller_bank(teacher)->cyclic)
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "teacher '%s' ends; expected a gait, which repeats", teacher->name);
    return status;
}

/* Takes the gaits out of a graph, in its order. out: [TR_ROLL_OUT_SKILL_MAX], owned by the caller */
static tr_status take_gaits(const tr_distil *d, const tr_controller *from, tr_controller **out,
                            int *count, tr_error *error) {
    const tr_control_graph *graph = tr_graph_of(from);
    const char *const names = d->settings.gaits, *next = names;
    char name[TR_NAME_MAX];
    int named = 0, meant = 0;
    tr_status status = TR_OK;
    for (int n = 0; !status && n < graph->node_count; n++)
        if (graph->node[n].cyclic && (!names[0] || tr_names_have(names, graph->node[n].skill)) &&
            meant++ < TR_ROLL_OUT_SKILL_MAX)
            status = tr_graph_bank_take(d->model, from, n, &out[(*count)++]);
    while (tr_names_next(&next, name))
        named++;
    if (!status && (meant > *count || (names[0] && named != *count)))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "gaits '%s': expected at most %d skills of '%s', which repeat", names,
                         TR_ROLL_OUT_SKILL_MAX, from->name);
    return status;
}

/* Joins the teachers, the controllers given or gaits of the one graph that is given, to a graph without
 * ways. */
static tr_status make_teacher(const tr_method_def *def, tr_distil *d, tr_error *error) {
    const tr_method_given *parts = &def->given[0];
    const tr_controller *first = parts->part[0].controller, *skill[TR_ROLL_OUT_SKILL_MAX];
    tr_controller *taken[TR_ROLL_OUT_SKILL_MAX] = {0};
    bool turns[TR_ROLL_OUT_SKILL_MAX];
    const bool one = parts->part_count == 1 && tr_graph_of(first);
    int count = one ? 0 : parts->part_count;
    tr_status status = one ? take_gaits(d, first, taken, &count, error) : TR_OK;
    if (!status && (count < 1 || count > TR_ROLL_OUT_SKILL_MAX))
        status = tr_fail(error, TR_INVALID_ARGUMENT, "%d teachers; expected 1 to %d", count,
                         TR_ROLL_OUT_SKILL_MAX);
    for (int k = 0; !status && k < count; k++) {
        skill[k] = one ? taken[k] : parts->part[k].controller;
        turns[k] = true;
        status = check_teacher(def->model, skill[k], skill[0], error);
    }
    const tr_graph_bank_def bank = {
        .name = def->name, .skill = skill, .skill_count = count, .turns = turns};
    if (!status)
        status = tr_graph_bank_create(def->model, &bank, &d->teacher, error);
    for (int k = 0; one && k < count; k++)
        tr_controller_destroy(taken[k]);
    if (status)
        return status;
    /* What the network sees of a gait's gains is what it sees in the graph. */
    if (one)
        memcpy(tr_controller_bank(d->teacher)->gain_set, tr_controller_bank(first)->gain_set,
               sizeof tr_controller_bank(first)->gain_set);
    return tr_ensemble_create_for(def->model, d->teacher, def->threads, &d->ensemble, error);
}

/* --- cycles --- */

static void add_to_means(tr_distil *d, const tr_roll_out_sample *sample, int number) {
    double *mean = d->follower->mean[sample->fragment], *action = d->action[sample->fragment];
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        mean[i] += ((double)sample->state[i] - mean[i]) / number;
    for (int i = 0; i < TR_ACTION_MAX; i++)
        action[i] += ((double)sample->action[i] - action[i]) / number;
}

/* Measures where the teachers' gaits are at the starts of their fragments, and what they do there. */
static tr_status find_means(tr_distil *d, tr_error *error) {
    const tr_control_graph *graph = tr_graph_of(d->teacher);
    const tr_roll_out_def def = {.acts = d->teacher,
                                 .teacher = d->teacher,
                                 .trials = CYCLE_TRIALS,
                                 .trial_s = CYCLE_S,
                                 .seed = d->settings.seed};
    tr_roll_out_step *step = NULL;
    int count = 0, *seen = calloc((size_t)graph->bank.fragment_count, sizeof *seen);
    tr_status status = seen ? tr_roll_out(d->ensemble, &def, &step, &count) : TR_RESOURCE_EXHAUSTED;
    status = tr_fail_if(error, status, "teachers");
    /* The first fragments still show how the trial began. */
    for (int i = 0; i < count; i++)
        if (step[i].at.since >= SETTLED_AFTER)
            add_to_means(d, &step[i].at, ++seen[step[i].at.fragment]);
    for (int f = 0; !status && f < graph->bank.fragment_count; f++)
        if (seen[f] == 0)
            status = tr_fail(error, TR_ABORTED,
                             "teacher '%s' loses its motion in seconds; expected one that holds",
                             graph->node[tr_control_graph_node_of(graph, f)].skill);
    free(step);
    free(seen);
    return status;
}

/* The student's policies are the mean actions alone: the network acts always. */
static void take_policies(tr_distil *d) {
    tr_bank *bank = tr_controller_bank(d->student);
    for (int f = 0; f < bank->fragment_count; f++) {
        tr_policy *policy = &bank->fragment[f].policy;
        memset(policy->m, 0, sizeof policy->m);
        memcpy(policy->offset, d->action[f], sizeof policy->offset);
        memcpy(d->follower->usual[f], d->action[f], sizeof *d->follower->usual);
    }
    tr_follower_learn_cycles(d->follower);
}

static tr_status make_student(tr_distil *d, tr_error *error) {
    const int hidden[] = {d->settings.hidden_units, d->settings.hidden_units};
    const int fragments = tr_controller_bank(d->teacher)->fragment_count;
    tr_status status = tr_controller_copy(d->teacher, d->model, &d->student);
    if (!status)
        status = tr_follower_add(d->student, hidden, 2, &d->follower);
    if (!status)
        status = tr_network_copy(&d->trained, &d->follower->network);
    if (!status)
        status = tr_network_copy(&d->best, &d->trained);
    /* A batch holds a row for each sample and, for f(0, r), one for each fragment. */
    if (!status)
        status = tr_network_fit_init(&d->fit, &d->trained, d->settings.batch + fragments);
    if (!status && d->settings.changes > 0)
        status = tr_changes_init(&d->changes, &d->settings, &d->trained, fragments);
    d->action = calloc((size_t)fragments, sizeof *d->action);
    if (status || !d->action)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for a network");
    /* It begins with random weights, and with the cycles of its teachers. */
    d->follower->blend_steps = BLEND_STEPS;
    tr_random random = tr_random_split(d->settings.seed, FOR_WEIGHTS, 0);
    tr_network_draw(&d->trained, &random, 0);
    status = find_means(d, error);
    if (!status)
        take_policies(d);
    return status;
}

/* Puts the network around the graph that was given, whose policies stay: the network knows its gaits as it
 * knows the student's, and nothing of its other skills. */
static tr_status wrap(const tr_controller *given, tr_distil *d, tr_error *error) {
    tr_follower *follower = NULL;
    tr_status status = tr_controller_copy(given, d->model, &d->whole);
    if (!status) {
        tr_recovery_remove(d->whole); /* loading adds it again */
        status = tr_follower_add(d->whole, d->trained.width + 1, 2, &follower);
    }
    if (status)
        return tr_fail(error, status, "'%s': %s", given->name,
                       status == TR_INVALID_ARGUMENT ? "expected a graph without a network"
                                                     : tr_status_text(status));
    const tr_control_graph *from = tr_graph_of(d->student);
    const tr_control_graph *to = tr_graph_of(d->whole);
    for (int n = 0; n < from->node_count; n++) {
        const tr_graph_node *node = &from->node[n];
        const int first = to->node[tr_control_graph_find(to, node->skill)].first;
        for (int k = 0; k < node->count; k++) {
            memcpy(follower->mean[first + k], d->follower->mean[node->first + k],
                   sizeof *follower->mean);
            memcpy(follower->usual[first + k], d->follower->usual[node->first + k],
                   sizeof *follower->usual);
        }
    }
    follower->blend_steps = BLEND_STEPS;
    return TR_OK;
}

tr_status tr_distil_begin(const tr_method_def *def, void *work, tr_error *error) {
    tr_distil *d = work;
    d->model = def->model;
    d->settings = *(const tr_distil_settings *)def->settings;
    d->progress.best_score = -1;
    tr_status status = make_teacher(def, d, error);
    if (!status)
        status = make_student(d, error);
    const tr_controller *given = def->given[0].part[0].controller;
    return !status && tr_graph_of(given) ? wrap(given, d, error) : status;
}

/* --- noting --- */

static tr_status take_samples(tr_distil *d) {
    const int round = d->progress.round;
    const tr_roll_out_def def = {.acts = round == 0 ? d->teacher : d->student,
                                 .teacher = d->teacher,
                                 .trials = d->settings.trials,
                                 .trial_s = TRIAL_S,
                                 .push_n = d->settings.push_n,
                                 .pushed_share = 1,
                                 .noise_rad = round % 2 == 0 ? NOISE_RAD : 0,
                                 .seed = d->settings.seed + (uint64_t)round + 1};
    tr_roll_out_sample *all = NULL;
    tr_roll_out_step *more = NULL;
    int count = 0, known = d->progress.sample_count;
    tr_status status = tr_roll_out(d->ensemble, &def, &more, &count);
    if (status)
        return status;
    /* Samples of all rounds are kept (DAgger, Ross et al. 2011): states of the student's own making. */
    if (known + count <= TR_DISTIL_SAMPLE_MAX)
        all = realloc(d->sample, (size_t)(known + count) * sizeof *all);
    if (all) {
        for (int i = 0; i < count; i++)
            all[known + i] = more[i].at;
        d->sample = all;
        d->progress.sample_count += count;
    }
    free(more);
    return all ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

/* The teacher's action less its mean on the cycle. */
static float label(const tr_distil *d, const tr_roll_out_sample *sample, int i) {
    return (float)tr_within((double)sample->action[i] - d->action[sample->fragment][i],
                            ACTION_MAX_RAD);
}

static void find_scale(tr_distil *d) {
    const int size = tr_controller_bank(d->student)->action.size;
    for (int i = 0; i < size; i++) {
        double square = 0;
        for (int k = 0; k < d->progress.sample_count; k++) {
            const double it = (double)label(d, &d->sample[k], i);
            square += it * it;
        }
        d->progress.scale[i] = (float)(sqrt(square / d->progress.sample_count) + SCALE_LEAST);
    }
}

/* --- fitting --- */

/* input: [rows][TR_FOLLOWER_INPUT]; error: [rows][size]; order: [sample_count] */
typedef struct batch {
    float *input, *error;
    int *order;
} batch;

static void put_inputs(const tr_distil *d, const batch *b, const int *index) {
    const int fragments = tr_controller_bank(d->student)->fragment_count;
    float *next = b->input, deviation[TR_FEATURE_COUNT];
    /* First the rows f(d, r) of the samples, then f(0, r) of each fragment. */
    for (int k = 0; k < d->settings.batch; k++, next += TR_FOLLOWER_INPUT) {
        const tr_roll_out_sample *sample = &d->sample[index[k]];
        tr_roll_out_deviation(d->follower, sample->fragment, sample->state, deviation);
        tr_follower_input(d->follower, sample->fragment, deviation, next);
    }
    for (int f = 0; f < fragments; f++, next += TR_FOLLOWER_INPUT)
        tr_follower_input(d->follower, f, NULL, next);
}

/* Fills the gradient of half the mean square at the outputs; returns the square. The error of a
 * sample is that of its fragment's f(0, r) too, with the other sign. */
static double put_errors(const tr_distil *d, const batch *b, const int *index, const float *out) {
    const int size = tr_controller_bank(d->student)->action.size, rows = d->settings.batch;
    const float *still = out + (size_t)rows * (size_t)size;
    float *of_still = b->error + (size_t)rows * (size_t)size;
    double sum = 0;
    memset(of_still, 0,
           (size_t)tr_controller_bank(d->student)->fragment_count * (size_t)size * sizeof *out);
    for (int k = 0; k < rows; k++) {
        const tr_roll_out_sample *sample = &d->sample[index[k]];
        const size_t at = (size_t)sample->fragment * (size_t)size;
        for (int i = 0; i < size; i++) {
            const double wanted = (double)(label(d, sample, i) / d->progress.scale[i]);
            /* The student acts by f(d, r) - f(0, r). */
            const double moved =
                (double)(out[(size_t)k * (size_t)size + (size_t)i] - still[at + (size_t)i]);
            const float off = (float)(tr_within(moved - wanted, ERROR_MAX) / rows);
            sum += (moved - wanted) * (moved - wanted) / rows / size;
            b->error[(size_t)k * (size_t)size + (size_t)i] = off;
            of_still[at + (size_t)i] -= off;
        }
    }
    return sum;
}

/* Learns from all samples `epochs` times, at a rate that falls evenly in its logarithm. */
static void learn(tr_distil *d, const batch *b, int epochs, double last_rate) {
    const int batches = d->progress.sample_count / d->settings.batch;
    tr_random random = tr_random_split(d->settings.seed, FOR_ORDER, (uint64_t)d->progress.round);
    for (int i = 0; i < d->progress.sample_count; i++)
        b->order[i] = i;
    for (int e = 0; e < epochs; e++) {
        double square = 0;
        tr_random_shuffle(&random, b->order, d->progress.sample_count);
        for (int k = 0; k < batches; k++) {
            const int *index = b->order + (size_t)k * (size_t)d->settings.batch;
            const double share = (double)(e * batches + k) / (epochs * batches);
            /* Forward, error, backward, step. */
            put_inputs(d, b, index);
            square += put_errors(d, b, index, tr_network_fit_forward(&d->fit, b->input));
            tr_network_fit_backward(&d->fit, b->error);
            tr_network_fit_step(&d->fit, d->settings.rate *
                                             tr_exp(share * tr_log(last_rate / d->settings.rate)));
        }
        d->progress.error = square / batches;
    }
}

static tr_status fit(tr_distil *d, tr_error *error) {
    const bool last = d->progress.round + 1 == d->settings.rounds;
    const size_t rows = (size_t)d->fit.rows,
                 size = (size_t)tr_controller_bank(d->student)->action.size;
    if (d->progress.sample_count < d->settings.batch)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "batch: %d; the trials gave %d samples; expected at least a batch",
                       d->settings.batch, d->progress.sample_count);
    batch b = {calloc(rows * TR_FOLLOWER_INPUT, sizeof *b.input),
               calloc(rows * size, sizeof *b.error),
               calloc((size_t)d->progress.sample_count, sizeof *b.order)};
    const bool whole = b.input && b.error && b.order;
    if (whole)
        learn(d, &b, last ? LAST_EPOCHS : EPOCHS, last ? LAST_RATE / 10 : LAST_RATE);
    free(b.input);
    free(b.error);
    free(b.order);
    return whole ? TR_OK : tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for a batch");
}

/* --- testing --- */

/* Gives a follower a network, with its outputs in rad where they are in units of `scale`. */
static void show(tr_follower *follower, const tr_network *network, const float *scale) {
    tr_network *out = &follower->network;
    const int last = out->layers - 1, inner = out->width[last], size = out->width[last + 1];
    tr_network_take(out, network);
    float *weight = out->weight + tr_network_layer_offset(out, last);
    for (int k = 0; scale && k <= inner; k++)
        for (int i = 0; i < size; i++)
            weight[k * size + i] *= scale[i];
    tr_follower_learn_cycles(follower);
}

/* Rounds weights to 11 bits, so that catalogues pack them into half the bytes (db/store/pack.h). */
static void round_weights(tr_follower *follower) {
    const tr_network *network = &follower->network;
    const size_t weights = tr_network_weight_count(network);
    for (size_t i = 0; i < weights; i++) {
        uint32_t bits;
        memcpy(&bits, &network->weight[i], sizeof bits);
        bits = (bits + 0x1000) & 0xffffe000;
        memcpy(&network->weight[i], &bits, sizeof bits);
    }
    tr_follower_learn_cycles(follower);
}

/* What is trained on stays exact. */
const tr_controller *tr_distil_show_best(tr_distil *d) {
    show(d->follower, &d->best, NULL);
    round_weights(d->follower);
    if (d->whole)
        show(d->whole->driver.content, &d->follower->network, NULL);
    return d->whole ? d->whole : d->student;
}

static tr_status examine_skill(const tr_distil *d, const tr_controller *who, const char *skill,
                               tr_distil_test *out) {
    tr_controller begun;
    tr_hold_result held;
    tr_push_result pushed;
    const tr_hold_test hold = {
        .trials = d->settings.test_trials, .cap_s = TR_DISTIL_TEST_S, .seed = TEST_SEED};
    tr_push_test push = tr_push_test_default();
    push.force_n = TR_DISTIL_TEST_PUSH_N;
    push.phases = d->settings.test_trials;
    push.directions = 2;
    push.settle_s = SETTLE_S;
    push.after_s = PUSHED_S;
    push.seed = TEST_SEED;
    tr_status status = tr_controller_in_skill(who, skill, &begun, NULL);
    if (!status)
        status = tr_evaluate_hold(d->ensemble, &begun, &hold, &held);
    if (!status)
        status = tr_evaluate_pushes(d->ensemble, &begun, &push, &pushed);
    if (status)
        return status;
    out->trials += held.trials;
    out->held += held.held;
    out->push_trials += pushed.trials;
    out->pushed += pushed.survived;
    return TR_OK;
}

tr_status tr_distil_examine(const tr_distil *d, const tr_controller *who, tr_distil_test *out) {
    const tr_control_graph *graph = tr_graph_of(who);
    tr_switch_test changes = {d->follower, NULL, SWITCH_TRIALS, PUSHED_S, 0, TEST_SEED};
    tr_status status = TR_OK;
    *out = (tr_distil_test){0};
    for (int n = 0; !status && n < graph->node_count; n++)
        status = examine_skill(d, who, graph->node[n].skill, out);
    if (!status)
        status = tr_switch_test_run(d->ensemble, who, &changes, &out->switches);
    changes.critic = &d->changes.critic;
    if (!status && d->changes.done > 0)
        status = tr_switch_test_run(d->ensemble, who, &changes, &out->valued);
    changes.slope_deg = d->settings.slope_deg;
    if (!status && changes.slope_deg > 0 && d->changes.done > d->settings.level_changes)
        status = tr_switch_test_run(d->ensemble, who, &changes, &out->sloped);
    return status;
}

/* Tests the student with the trained network, and keeps that if it is no worse than the best. Sudden
 * changes count where it is to learn from them. */
static tr_status test(tr_distil *d, const float *scale, bool *out_best, tr_error *error) {
    show(d->follower, &d->trained, scale);
    tr_status status = tr_distil_examine(d, d->student, &d->test);
    if (status)
        return tr_fail_if(error, status, "tests");
    const tr_distil_test *t = &d->test;
    double score = (double)t->held / t->trials + (double)t->pushed / t->push_trials;
    /* Before there is a critic, entries that it would choose count as the nearest do. */
    const int valued = d->changes.done > 0 ? t->valued.held : t->switches.held;
    if (d->settings.changes > 0)
        score += (t->switches.held + valued + t->sloped.held) / fmax(1, t->switches.trials);
    *out_best = score >= d->progress.best_score;
    if (*out_best) {
        d->progress.best_score = score;
        tr_network_take(&d->best, &d->follower->network);
    }
    return TR_OK;
}

static tr_status do_round(tr_distil *d, bool *out_best, tr_error *error) {
    /* The student of the round before acts; its outputs have no scale until there are samples. */
    show(d->follower, &d->trained, d->progress.round == 0 ? NULL : d->progress.scale);
    tr_status status = take_samples(d);
    if (status)
        return tr_fail_if(error, status, "trials");
    if (d->progress.round == 0)
        find_scale(d);
    status = fit(d, error);
    if (status)
        return status;
    d->progress.round++;
    return test(d, d->progress.scale, out_best, error);
}

/* Some rounds of training through changes, from the best network so far. */
static tr_status do_changes(tr_distil *d, bool *out_best, tr_error *error) {
    tr_status status = TR_OK;
    if (d->changes.done == 0)
        tr_network_take(&d->trained, &d->best);
    for (int i = 0; !status && i < CHANGE_ROUNDS && d->changes.done < d->settings.changes; i++) {
        show(d->follower, &d->trained, NULL);
        status = tr_changes_advance(&d->changes, d->ensemble, d->student, d->teacher);
    }
    return status ? tr_fail_if(error, status, "changes") : test(d, NULL, out_best, error);
}

bool tr_distil_is_done(const void *work) {
    const tr_distil *d = work;
    return d->progress.round == d->settings.rounds && d->changes.done >= d->settings.changes;
}

tr_status tr_distil_advance(tr_distil *d, bool *out_best, tr_error *error) {
    return d->progress.round < d->settings.rounds ? do_round(d, out_best, error)
                                                  : do_changes(d, out_best, error);
}
