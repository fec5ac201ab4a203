#include "learn/gait/gait_measure.h"

#include <math.h>
#include <stdlib.h>

/* PHASES times PHASE_SPACING_S is 0.72 s, a cycle of the walk. */
static const double FROM_S = 2, PUSH_S = 0.2, PHASE_SPACING_S = 0.06, PHASES_FROM_S = 4;
static const double AFTER_PUSH_S = 5, SETTLE_S = 2;
enum { DIRECTIONS = 8, PHASES = 12, BANDS = 8 };

static void aim_push(const tr_gait_test *test, int trial, tr_gait_trial_def *def) {
    /* All directions in one phase, then in the next one. */
    double direction_rad = 2 * TR_PI * (trial % DIRECTIONS) / DIRECTIONS;
    int phase = trial / DIRECTIONS % PHASES;
    def->force.low_n = def->force.high_n = test->high_n * tr_cos(direction_rad);
    def->force.side_low_n = def->force.side_high_n = test->high_n * tr_sin(direction_rad);
    def->force.push_s = PUSH_S;
    def->force.from_s = PHASES_FROM_S + phase * PHASE_SPACING_S;
    def->duration_s = def->force.from_s + PUSH_S + AFTER_PUSH_S;
}

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
    if (test->kind == TR_FORCE_PUSH)
        aim_push(test, trial, &def);
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

static bool is_sound(const tr_gait_test *test) {
    return test->trials >= 1 && test->trials <= TR_GAIT_TEST_TRIAL_MAX;
}

tr_status tr_gait_measure_each(const tr_gait *gait, const tr_gait_test *test, tr_ensemble *ensemble,
                               tr_gait_outcome *out) {
    if (!is_sound(test))
        return TR_INVALID_ARGUMENT;
    size_t count = (size_t)test->trials;
    shared s = {gait, test, out, calloc(count, sizeof(tr_status))};
    tr_status status = s.status ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status)
        tr_ensemble_share(ensemble, run, &s, test->trials,
                          (const tr_ranks_result[]){
                              {s.outcome, sizeof *s.outcome}, {s.status, sizeof *s.status}, {0}});
    for (size_t i = 0; i < count && !status; i++)
        status = s.status[i];
    free(s.status);
    return status;
}

/* --- the report --- */

tr_vec3 tr_gait_test_force(const tr_gait_test *test, int trial, double *out_from_s) {
    tr_gait_trial_def def = define(test, trial);
    *out_from_s = def.force.from_s;
    return tr_force_course_begin(&def.force).goal;
}

/* Returns the constant force of a trial; bands have little meaning for forces that vary. */
static double force_of(const tr_gait_test *test, int trial) {
    double from_s;
    tr_vec3 goal = tr_gait_test_force(test, trial, &from_s);
    return test->side_n > 0 ? goal.y : goal.x;
}

static void set_bands(const tr_gait_test *test, tr_gait_survival *report) {
    double low = test->side_n > 0 ? -test->side_n : test->low_n;
    double high = test->side_n > 0 ? test->side_n : test->high_n;
    bool has_bands = test->kind == TR_FORCE_CONSTANT || test->kind == TR_FORCE_STEP;
    report->band_count = has_bands && high > low ? BANDS : 0;
    for (int b = 0; b < report->band_count; b++) {
        report->band[b].low_n = low + (high - low) * b / BANDS;
        report->band[b].high_n = low + (high - low) * (b + 1) / BANDS;
    }
}

static void add_to_band(const tr_gait_test *test, int trial, const tr_gait_outcome *outcome,
                        tr_gait_survival *report) {
    double force_n = force_of(test, trial);
    int b = 0;
    while (b + 1 < report->band_count && force_n >= report->band[b].high_n)
        b++;
    report->band[b].trials++;
    if (outcome->fell)
        return;
    report->band[b].survived++;
    report->band[b].speed_mps += outcome->speed_mps;
}

tr_gait_survival tr_gait_survival_of(const tr_gait_test *test, const tr_gait_outcome *outcome) {
    tr_gait_survival report = {.trials = test->trials, .slowest_mps = (double)INFINITY};
    set_bands(test, &report);
    for (int i = 0; i < report.trials; i++) {
        const tr_gait_outcome *o = &outcome[i];
        report.mean_s += o->survived_s / report.trials;
        report.effort += o->effort / report.trials;
        if (report.band_count)
            add_to_band(test, i, o, &report);
        /* Speeds are means over those that survived. */
        if (o->fell)
            continue;
        report.survived++;
        report.speed_mps += o->speed_mps;
        report.drift_mps += fabs(o->drift_mps);
        report.pitch_rad += o->pitch_rad;
        report.root_m += o->root_m;
        report.slowest_mps = fmin(report.slowest_mps, o->speed_mps);
    }
    report.speed_mps /= fmax(1, report.survived);
    report.drift_mps /= fmax(1, report.survived);
    report.pitch_rad /= fmax(1, report.survived);
    report.root_m /= fmax(1, report.survived);
    for (int b = 0; b < report.band_count; b++)
        report.band[b].speed_mps /= fmax(1, report.band[b].survived);
    return report;
}

tr_status tr_gait_measure(const tr_gait *gait, const tr_gait_test *test, tr_ensemble *ensemble,
                          tr_gait_survival *out) {
    if (!is_sound(test))
        return TR_INVALID_ARGUMENT;
    tr_gait_outcome *outcome = calloc((size_t)test->trials, sizeof *outcome);
    tr_status status =
        outcome ? tr_gait_measure_each(gait, test, ensemble, outcome) : TR_RESOURCE_EXHAUSTED;
    if (!status)
        *out = tr_gait_survival_of(test, outcome);
    free(outcome);
    return status;
}
