#include "learn/distil/changes.h"

#include "math/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FOR_CRITIC = 5,
    FOR_UPDATE,
    CRITIC_WIDE = 160,
    CRITIC_NARROW = 128,
    BATCHES = 2, /* of distilling make one here */
    EPOCHS = 4,
    ALONE = 12,  /* rounds in which the critic learns alone */
    SETTLED = 14 /* fragments after which a change has not failed */
};
static const double TRIAL_S = 8, NOISE_RAD = 0.06;
static const double GROUND_SHARE = 0.5, KERB_M = 0.05;
static const double CHANGE_SHARE = 0.06, VALUED_SHARE = 0.6, PUSHED_SHARE = 0.4, PUSH_N = 200;
static const double FAILED_AT_FIRST = 0.5, FAILED_RATE = 0.04;
/* Of what comes one fragment later, and of how it differed from what was expected. */
static const double DISCOUNT = 0.96, TRACE = 0.95;
static const double REWARD_UP = 0.04, REWARD_NEAR = 0.06, REWARD_SPREAD = 20;
/* An action that has become so much likelier or less likely is let alone; an update ends when the
 * actor's divergence from what it was exceeds DRIFT_MAX (Schulman et al. 2017, section 3). */
static const double CLIP = 0.2, DRIFT_MAX = 0.06, LIKELIER_MAX = 10;
static const double KEEP = 0.05, KEEP_SPREAD = 10; /* of the hold to the actions at the beginning */
static const double RATE = 1e-4, CRITIC_RATE = 5e-4;
static const double GRADIENT_MAX = 20; /* of the actor's: its length */
static const double SPREAD_LEAST = 1e-8;
static const float CRITIC_BIAS = 1.5f; /* about what a character that stays up gains */

/* What is known of a sample. deviation: d; moved: by the actor in the trial, kept: by `base`, rad
 * value: that the critic expected; gained: instead; worth: the difference */
typedef struct judged {
    float deviation[TR_FEATURE_COUNT], moved[TR_ACTION_MAX], kept[TR_ACTION_MAX];
    double value, gained, worth;
} judged;

/* mean, spread: of all worths
 * judged, order: [count]
 * input:  [batch + fragments][TR_FOLLOWER_INPUT]; error: [batch + fragments][TR_ACTION_MAX] */
typedef struct lesson {
    tr_changes *changes;
    const tr_follower *follower;
    const tr_control_graph *graph;
    tr_roll_out_step *step;
    int count, size, *order; /* size: of an action */
    double mean, spread;
    judged *judged;
    float *input, *error;
} lesson;

/* --- making --- */

void tr_changes_deinit(tr_changes *changes) {
    tr_network_deinit(&changes->base);
    tr_network_deinit(&changes->critic);
    tr_network_fit_deinit(&changes->fit);
    tr_network_fit_deinit(&changes->critic_fit);
}

tr_status tr_changes_init(tr_changes *out, const tr_distil_settings *settings, tr_network *actor,
                          int fragments) {
    const tr_network shape = {.layers = 3,
                              .width = {TR_FOLLOWER_INPUT, CRITIC_WIDE, CRITIC_NARROW, 1}};
    tr_random random = tr_random_split(settings->seed, FOR_CRITIC, 0);
    *out = (tr_changes){.settings = settings, .batch = BATCHES * settings->batch, .actor = actor};
    for (int from = 0; from < TR_ROLL_OUT_SKILL_MAX; from++)
        for (int to = 0; to < TR_ROLL_OUT_SKILL_MAX; to++)
            out->failed[from][to] = FAILED_AT_FIRST;
    tr_status status = tr_network_init(&out->critic, &shape);
    if (!status)
        status = tr_network_init(&out->base, actor);
    if (!status)
        status = tr_network_fit_init(&out->fit, actor, out->batch + fragments);
    if (!status)
        status = tr_network_fit_init(&out->critic_fit, &out->critic, out->batch);
    if (!status)
        tr_network_draw(&out->critic, &random, CRITIC_BIAS);
    return status;
}

/* --- judging --- */

/* Notes which changes failed. */
static void note_failures(const lesson *l) {
    for (int n = 0; n < l->count; n++) {
        const tr_roll_out_step *o = &l->step[n];
        if (o->from < 0 || (o->lost ? o->age >= SETTLED : o->age != SETTLED - 1))
            continue;
        double *failed =
            &l->changes->failed[o->from][tr_control_graph_node_of(l->graph, o->at.fragment)];
        *failed += FAILED_RATE * (o->lost - *failed);
    }
}

static double squared(const float deviation[TR_FEATURE_COUNT]) {
    double sum = 0;
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        sum += (double)deviation[i] * (double)deviation[i];
    return sum;
}

/* f(d, r) - f(0, r) of a network. still: f(0, r) */
static void evaluate(const lesson *l, const tr_network *network, int fragment,
                     const float *deviation, const float *still, float *out) {
    tr_follower_evaluate(l->follower, network, fragment, deviation, out);
    for (int i = 0; i < l->size; i++)
        out[i] -= still[i];
}

/* Fills what is known of the samples, from the last to the first: worth is what came after each,
 * discounted, less what the critic expected. */
static void judge(lesson *l) {
    const tr_changes *changes = l->changes;
    const int count = l->count;
    float after[TR_FEATURE_COUNT], value;
    double square = 0;
    float *still = l->error; /* of the base */
    for (int f = 0; f < l->graph->bank.fragment_count; f++)
        tr_follower_evaluate(l->follower, &changes->base, f, NULL, still + f * TR_ACTION_MAX);
    for (int n = count - 1; n >= 0; n--) {
        const tr_roll_out_step *o = &l->step[n];
        const int fragment = o->at.fragment;
        judged *it = &l->judged[n];
        const bool last = n + 1 == count || o[1].at.since == 0;
        tr_roll_out_deviation(l->follower, fragment, o->at.state, it->deviation);
        evaluate(l, changes->actor, fragment, it->deviation, l->follower->known[fragment].still,
                 it->moved);
        evaluate(l, &changes->base, fragment, it->deviation, still + fragment * TR_ACTION_MAX,
                 it->kept);
        tr_follower_evaluate(l->follower, &changes->critic, fragment, it->deviation, &value);
        it->value = (double)value;
        tr_roll_out_deviation(l->follower, o->next, o->after, after);
        const double reward =
            o->lost ? 0 : REWARD_UP + REWARD_NEAR / (1 + squared(after) / REWARD_SPREAD);
        /* After a trial that ended in time comes what the critic expects. */
        if (last)
            tr_follower_evaluate(l->follower, &changes->critic, o->next, after, &value);
        const double next = o->lost ? 0 : last ? (double)value : it[1].value;
        it->worth =
            reward + DISCOUNT * next - it->value + (last ? 0 : DISCOUNT * TRACE * it[1].worth);
        it->gained = it->value + it->worth;
        l->mean += it->worth / count;
        square += it->worth * it->worth / count;
    }
    l->spread = sqrt(fmax(0, square - l->mean * l->mean)) + SPREAD_LEAST;
}

/* --- update --- */

/* The critic learns what was gained. */
static void teach_critic(const lesson *l, const int *index) {
    tr_changes *changes = l->changes;
    const float *value = tr_network_fit_forward(&changes->critic_fit, l->input);
    for (int k = 0; k < changes->batch; k++)
        l->error[k] = (value[k] - (float)l->judged[index[k]].gained) / (float)changes->batch;
    tr_network_fit_backward(&changes->critic_fit, l->error);
    tr_network_fit_step(&changes->critic_fit, CRITIC_RATE);
}

/* Fills the gradient at the outputs for one sample; returns how far they have moved since the trials,
 * as half the squared distance in spreads of the noise. */
static double put_gradient(const lesson *l, int n, const float *out, const float *still,
                           float *gradient) {
    const float *tried = l->step[n].noise;
    const judged *it = &l->judged[n];
    const double square = NOISE_RAD * NOISE_RAD, worth = (it->worth - l->mean) / l->spread,
                 keep = KEEP * tr_exp(-squared(it->deviation) / KEEP_SPREAD);
    double off[TR_ACTION_MAX], drift = 0, likelier = 0;
    for (int i = 0; i < l->size; i++) {
        const double noise = (double)tried[i], moved = (double)(out[i] - still[i] - it->moved[i]);
        off[i] = noise - moved; /* of the action that was tried */
        drift += moved * moved / square / 2;
        likelier += (noise * noise - off[i] * off[i]) / square / 2;
    }
    const double ratio = tr_exp(tr_within(likelier, LIKELIER_MAX));
    const bool clipped = worth > 0 ? ratio > 1 + CLIP : ratio < 1 - CLIP;
    for (int i = 0; i < l->size; i++) {
        const double held = (double)(out[i] - still[i] - it->kept[i]);
        gradient[i] = (float)((keep * held - (clipped ? 0 : ratio * worth * off[i])) / square);
    }
    return drift;
}

/* Shortens the actor's gradient to GRADIENT_MAX: a few samples do not outweigh all others. */
static void cap_gradient(const tr_network_fit *fit) {
    const size_t weights = tr_network_weight_count(fit->network);
    double square = 0;
    for (size_t i = 0; i < weights; i++)
        square += (double)fit->gradient[i] * (double)fit->gradient[i];
    const double length = sqrt(square);
    for (size_t i = 0; length > GRADIENT_MAX && i < weights; i++)
        fit->gradient[i] *= (float)(GRADIENT_MAX / length);
}

/* One step of the actor; returns the mean drift. */
static double teach_actor(const lesson *l, const int *index) {
    tr_changes *changes = l->changes;
    const size_t rows = (size_t)changes->batch, size = (size_t)l->size;
    const float *out = tr_network_fit_forward(&changes->fit, l->input), *still = out + rows * size;
    float *of_still = l->error + rows * size;
    double drift = 0;
    memset(of_still, 0, (size_t)l->graph->bank.fragment_count * size * sizeof *of_still);
    for (size_t k = 0; k < rows; k++) {
        const size_t at = (size_t)l->step[index[k]].at.fragment * size;
        float *error = l->error + k * size;
        drift += put_gradient(l, index[k], out + k * size, still + at, error);
        /* What moves the action up moves f(0, r) of the fragment down. */
        for (size_t i = 0; i < size; i++) {
            error[i] /= (float)rows;
            of_still[at + i] -= error[i];
        }
    }
    tr_network_fit_backward(&changes->fit, l->error);
    cap_gradient(&changes->fit);
    tr_network_fit_step(&changes->fit, RATE);
    return drift / (double)rows;
}

/* Learns from all samples several times, until the actor has moved far enough. */
static void learn(const lesson *l) {
    const tr_changes *changes = l->changes;
    const int count = l->count, batches = count / changes->batch;
    tr_random random =
        tr_random_split(changes->settings->seed, FOR_UPDATE, (uint64_t)changes->done);
    double drift = 0;
    for (int i = 0; i < count; i++)
        l->order[i] = i;
    for (int f = 0; f < l->graph->bank.fragment_count; f++)
        tr_follower_input(l->follower, f, NULL,
                          l->input + (size_t)(changes->batch + f) * TR_FOLLOWER_INPUT);
    for (int e = 0; e < EPOCHS && drift < DRIFT_MAX; e++) {
        drift = 0;
        tr_random_shuffle(&random, l->order, count);
        for (int n = 0; n < batches; n++) {
            const int *index = l->order + (size_t)n * (size_t)changes->batch;
            for (int k = 0; k < changes->batch; k++)
                tr_follower_input(l->follower, l->step[index[k]].at.fragment,
                                  l->judged[index[k]].deviation,
                                  l->input + (size_t)k * TR_FOLLOWER_INPUT);
            teach_critic(l, index);
            if (changes->done >= ALONE)
                drift += teach_actor(l, index) / batches;
        }
    }
}

static tr_status update(lesson *l) {
    const size_t rows = (size_t)l->changes->fit.rows, count = (size_t)l->count;
    l->judged = calloc(count, sizeof *l->judged);
    l->order = calloc(count, sizeof *l->order);
    l->input = calloc(rows * TR_FOLLOWER_INPUT, sizeof *l->input);
    l->error = calloc(rows * TR_ACTION_MAX, sizeof *l->error);
    const bool whole = l->judged && l->order && l->input && l->error;
    if (whole) {
        note_failures(l);
        judge(l);
        learn(l);
    }
    free(l->judged);
    free(l->order);
    free(l->input);
    free(l->error);
    return whole ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

/* --- a round --- */

tr_status tr_changes_advance(tr_changes *changes, tr_ensemble *ensemble,
                             const tr_controller *student, const tr_controller *teacher) {
    lesson l = {.changes = changes,
                .follower = student->driver.content,
                .graph = tr_graph_of(student),
                .size = tr_controller_bank(student)->action.size};
    const tr_roll_out_changes drawn = {CHANGE_SHARE, VALUED_SHARE, &changes->critic,
                                       changes->failed};
    const tr_harden_ground ground = {
        .share = GROUND_SHARE, .slope_deg = changes->settings->slope_deg, .kerb_m = KERB_M};
    const bool level = ground.slope_deg == 0 || changes->done < changes->settings->level_changes;
    const tr_roll_out_def def = {.acts = student,
                                 .teacher = teacher,
                                 .cycles = l.follower,
                                 .changes = &drawn,
                                 .ground = level ? NULL : &ground,
                                 .trials = changes->settings->trials,
                                 .trial_s = TRIAL_S,
                                 .push_n = PUSH_N,
                                 .pushed_share = PUSHED_SHARE,
                                 .noise_rad = NOISE_RAD,
                                 .seed = changes->settings->seed + (uint64_t)changes->done};
    if (changes->done == 0)
        tr_network_take(&changes->base, changes->actor);
    tr_status status = tr_roll_out(ensemble, &def, &l.step, &l.count);
    if (!status && l.count > 0)
        status = update(&l);
    free(l.step);
    changes->done++;
    return status;
}
