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
    ALONE = 12 /* rounds in which the critic learns alone */
};
static const double TRIAL_S = 8, NOISE_RAD = 0.06;
static const double CHANGE_SHARE = 0.07, PUSHED_SHARE = 0.4, PUSH_N = 200;
/* Of what comes one fragment later, and of how it differed from what was expected. */
static const double DISCOUNT = 0.96, TRACE = 0.95;
static const double REWARD_UP = 0.04, REWARD_NEAR = 0.06, REWARD_SPREAD = 20;
/* An action that has become so much likelier or less likely is let alone; an update ends when the
 * actor's divergence from what it was exceeds DRIFT_MAX (Schulman et al. 2017, section 3). */
static const double CLIP = 0.2, DRIFT_MAX = 0.06, LIKELIER_MAX = 10;
static const double KEEP = 0.05, KEEP_SPREAD = 10; /* of the hold to the teacher's actions */
static const double RATE = 1e-4, CRITIC_RATE = 5e-4;
static const double SPREAD_LEAST = 1e-8;
static const float CRITIC_BIAS = 1.5f; /* about what a character that stays up gains */

/* What is known of a sample. deviation: d; moved: by the actor in the trial, rad
 * value: that the critic expected; gained: instead; worth: the difference */
typedef struct judged {
    float deviation[TR_FEATURE_COUNT], moved[TR_ACTION_MAX];
    double value, gained, worth;
} judged;

/* mean, spread: of all worths
 * sample, judged: [count]; order: [count]
 * input:  [batch + fragments][TR_FOLLOWER_INPUT]; error: [batch + fragments][TR_ACTION_MAX] */
typedef struct lesson {
    tr_changes *changes;
    const tr_follower *follower;
    const tr_bank *bank; /* the student's: its policies are the mean actions on the cycles */
    int count, *order;
    double mean, spread;
    tr_roll_out_sample *sample;
    judged *judged;
    float *input, *error;
} lesson;

/* --- making --- */

void tr_changes_deinit(tr_changes *changes) {
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
    tr_status status = tr_network_init(&out->critic, &shape);
    if (!status)
        status = tr_network_fit_init(&out->fit, actor, out->batch + fragments);
    if (!status)
        status = tr_network_fit_init(&out->critic_fit, &out->critic, out->batch);
    if (!status)
        tr_network_draw(&out->critic, &random, CRITIC_BIAS);
    return status;
}

/* --- judging --- */

static double squared(const float deviation[TR_FEATURE_COUNT]) {
    double sum = 0;
    for (int i = 0; i < TR_FEATURE_COUNT; i++)
        sum += (double)deviation[i] * (double)deviation[i];
    return sum;
}

/* Fills what is known of the samples, from the last to the first: worth is what came after each,
 * discounted, less what the critic expected. */
static void judge(lesson *l) {
    const tr_changes *changes = l->changes;
    float after[TR_FEATURE_COUNT], value;
    double square = 0;
    for (int n = l->count - 1; n >= 0; n--) {
        const tr_roll_out_sample *s = &l->sample[n];
        judged *it = &l->judged[n];
        const bool last = n + 1 == l->count || s[1].since == 0;
        tr_roll_out_deviation(l->follower, s->fragment, s->state, it->deviation);
        tr_follower_evaluate(l->follower, changes->actor, s->fragment, it->deviation, it->moved);
        for (int i = 0; i < l->bank->action.size; i++)
            it->moved[i] -= l->follower->known[s->fragment].still[i];
        tr_follower_evaluate(l->follower, &changes->critic, s->fragment, it->deviation, &value);
        it->value = (double)value;
        tr_roll_out_deviation(l->follower, s->next, s->after, after);
        const double reward =
            s->lost ? 0 : REWARD_UP + REWARD_NEAR / (1 + squared(after) / REWARD_SPREAD);
        /* After a trial that ended in time comes what the critic expects. */
        tr_follower_evaluate(l->follower, &changes->critic, s->next, after, &value);
        const double next = s->lost ? 0 : last ? (double)value : it[1].value;
        it->worth =
            reward + DISCOUNT * next - it->value + (last ? 0 : DISCOUNT * TRACE * it[1].worth);
        it->gained = it->value + it->worth;
        l->mean += it->worth / l->count;
        square += it->worth * it->worth / l->count;
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
    tr_network_fit_step(&changes->critic_fit, &(tr_fit_step){TR_FIT_ADAM, CRITIC_RATE, 0});
}

/* Fills the gradient at the outputs for one sample; returns how far they have moved since the trials,
 * as half the squared distance in spreads of the noise. */
static double put_gradient(const lesson *l, int n, const float *out, const float *still,
                           float *gradient) {
    const tr_roll_out_sample *s = &l->sample[n];
    const judged *it = &l->judged[n];
    const double *mean = l->bank->fragment[s->fragment].policy.offset;
    const double square = NOISE_RAD * NOISE_RAD, worth = (it->worth - l->mean) / l->spread,
                 keep = KEEP * tr_exp(-squared(it->deviation) / KEEP_SPREAD);
    double off[TR_ACTION_MAX], drift = 0, likelier = 0;
    for (int i = 0; i < l->bank->action.size; i++) {
        const double noise = (double)s->noise[i],
                     moved = (double)(out[i] - still[i] - it->moved[i]);
        off[i] = noise - moved; /* of the action that was tried */
        drift += moved * moved / square / 2;
        likelier += (noise * noise - off[i] * off[i]) / square / 2;
    }
    const double ratio = tr_exp(tr_within(likelier, LIKELIER_MAX));
    const bool clipped = worth > 0 ? ratio > 1 + CLIP : ratio < 1 - CLIP;
    for (int i = 0; i < l->bank->action.size; i++) {
        const double held = (double)(out[i] - still[i] - s->action[i]) + mean[i];
        gradient[i] = (float)((keep * held - (clipped ? 0 : ratio * worth * off[i])) / square);
    }
    return drift;
}

/* One step of the actor; returns the mean drift. */
static double teach_actor(const lesson *l, const int *index) {
    tr_changes *changes = l->changes;
    const size_t rows = (size_t)changes->batch, size = (size_t)l->bank->action.size;
    const float *out = tr_network_fit_forward(&changes->fit, l->input), *still = out + rows * size;
    float *of_still = l->error + rows * size;
    double drift = 0;
    memset(of_still, 0, (size_t)l->bank->fragment_count * size * sizeof *of_still);
    for (size_t k = 0; k < rows; k++) {
        const size_t at = (size_t)l->sample[index[k]].fragment * size;
        float *error = l->error + k * size;
        drift += put_gradient(l, index[k], out + k * size, still + at, error);
        /* What moves the action up moves f(0, r) of the fragment down. */
        for (size_t i = 0; i < size; i++) {
            error[i] /= (float)rows;
            of_still[at + i] -= error[i];
        }
    }
    tr_network_fit_backward(&changes->fit, l->error);
    tr_network_fit_step(&changes->fit, &(tr_fit_step){TR_FIT_ADAM, RATE, 0});
    return drift / (double)rows;
}

/* Learns from all samples several times, until the actor has moved far enough. */
static void learn(const lesson *l) {
    const tr_changes *changes = l->changes;
    const int batches = l->count / changes->batch;
    tr_random random =
        tr_random_split(changes->settings->seed, FOR_UPDATE, (uint64_t)changes->done);
    double drift = 0;
    for (int i = 0; i < l->count; i++)
        l->order[i] = i;
    for (int f = 0; f < l->bank->fragment_count; f++)
        tr_follower_input(l->follower, f, NULL,
                          l->input + (size_t)(changes->batch + f) * TR_FOLLOWER_INPUT);
    for (int e = 0; e < EPOCHS && drift < DRIFT_MAX; e++) {
        drift = 0;
        tr_random_shuffle(&random, l->order, l->count);
        for (int n = 0; n < batches; n++) {
            const int *index = l->order + (size_t)n * (size_t)changes->batch;
            for (int k = 0; k < changes->batch; k++)
                tr_follower_input(l->follower, l->sample[index[k]].fragment,
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
                .bank = tr_controller_bank(student)};
    const tr_roll_out_def def = {.acts = student,
                                 .teacher = teacher,
                                 .cycles = l.follower,
                                 .trials = changes->settings->trials,
                                 .trial_s = TRIAL_S,
                                 .push_n = PUSH_N,
                                 .pushed_share = PUSHED_SHARE,
                                 .change_share = CHANGE_SHARE,
                                 .noise_rad = NOISE_RAD,
                                 .seed = changes->settings->seed + (uint64_t)changes->done};
    tr_status status = tr_roll_out(ensemble, &def, &l.sample, &l.count);
    if (!status && l.count > 0)
        status = update(&l);
    free(l.sample);
    changes->done++;
    return status;
}
