#include "learn/gait/gait_measure.h"

#include <math.h>
#include <stdlib.h>

/* PHASES times PHASE_SPACING_S is 0.72 s, a cycle of the walk. */
static const double FROM_S = 2, PUSH_S = 0.2, PHASE_SPACING_S = 0.06, PHASES_FROM_S = 4;
static const double AFTER_PUSH_S = 5, SETTLE_S = 2;
enum { DIRECTIONS = 8, PHASES = 12 };

static tr_gait_trial_def define(const tr_gait_test *test, int trial) {
    uint64_t seed = tr_random_split(test->seed, 6, (uint64_t)trial).state;
    /* Speed counts once a constant force has risen. */
    double rise_s = test->kind == TR_FORCE_CONSTANT
                        ? fmax(fabs(test->low_n), fabs(test->high_n)) / test->slope_nps
                        : 0;
    tr_gait_trial_def def = {.force = {.kind = test->kind,
                                       .low_n = test->low_n,
                                       .high_n = test->high_n,
                                       .side_low_n = -test->side_n,
                                       .side_high_n = test->side_n,
                                       .slope_nps = test->slope_nps,
                                       .from_s = FROM_S,
                                       .seed = seed},
                             .noise = tr_gait_noise_default(),
                             .duration_s = test->duration_s,
                             .speed_mps = test->wanted_mps,
                             .steady_s = FROM_S + SETTLE_S + rise_s,
                             .seed = seed};
    if (test->all_phases) {
        def.force.from_s = PHASES_FROM_S + trial % PHASES * PHASE_SPACING_S;
        def.steady_s = def.force.from_s + SETTLE_S + rise_s;
    }
    if (test->kind == TR_FORCE_PUSH) {
        /* All directions in one phase, then in the next one. */
        double direction_rad = 2 * TR_PI * (trial % DIRECTIONS) / DIRECTIONS;
        int phase = trial / DIRECTIONS % PHASES;
        def.force.low_n = def.force.high_n = test->high_n * tr_cos(direction_rad);
        def.force.side_low_n = def.force.side_high_n = test->high_n * tr_sin(direction_rad);
        def.force.push_s = PUSH_S;
        def.force.from_s = PHASES_FROM_S + phase * PHASE_SPACING_S;
        def.duration_s = def.force.from_s + PUSH_S + AFTER_PUSH_S;
    }
    return def;
}

typedef struct shared {
    const tr_gait *gait;
    const tr_gait_test *test;
    tr_gait_outcome *outcome; /* [trials] */
    tr_status *status;        /* [trials] */
} shared;

static void run(void *context, int item, tr_rehearsal *rehearsal) {
    shared *s = context;
    tr_gait_trial_def def = define(s->test, item);
    s->status[item] = tr_gait_trial(s->gait, &def, rehearsal, &s->outcome[item]);
}

/* Speeds and postures are means over those that survived. */
static void sum_up(const tr_gait_outcome *outcome, int trials, tr_gait_survival *out) {
    tr_gait_survival r = {.trials = trials, .slowest_mps = (double)INFINITY};
    for (int i = 0; i < trials; i++) {
        const tr_gait_outcome *o = &outcome[i];
        r.mean_s += o->survived_s / trials;
        if (o->fell)
            continue;
        r.survived++;
        r.speed_mps += o->speed_mps;
        r.pitch_rad += o->pitch_rad;
        r.root_m += o->root_m;
        r.slowest_mps = fmin(r.slowest_mps, o->speed_mps);
    }
    r.speed_mps /= fmax(1, r.survived);
    r.pitch_rad /= fmax(1, r.survived);
    r.root_m /= fmax(1, r.survived);
    *out = r;
}

tr_status tr_gait_measure(const tr_gait *gait, const tr_gait_test *test, tr_ensemble *ensemble,
                          tr_gait_survival *out) {
    if (test->trials < 1 || test->trials > TR_GAIT_TEST_TRIAL_MAX)
        return TR_INVALID_ARGUMENT;
    size_t count = (size_t)test->trials;
    shared s = {gait, test, calloc(count, sizeof *s.outcome), calloc(count, sizeof *s.status)};
    tr_status status = s.outcome && s.status ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status)
        tr_ensemble_share(ensemble, run, &s, test->trials,
                          (const tr_ranks_result[]){
                              {s.outcome, sizeof *s.outcome}, {s.status, sizeof *s.status}, {0}});
    for (size_t i = 0; i < count && !status; i++)
        status = s.status[i];
    if (!status)
        sum_up(s.outcome, test->trials, out);
    free(s.outcome);
    free(s.status);
    return status;
}
