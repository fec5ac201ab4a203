#include "learn/train/timetable.h"

#include "learn/samcon/skill.h"

#include <math.h>

enum { PHASES = TR_TRAINING_HARDEN + 1 };

/* The numbers of a training that adapts: rounds that do not hold before another iteration, rounds
 * that are no better before the trials are doubled, and growth of the push. */
enum { ROUNDS_TO_HOLD = 5, ROUNDS_NO_BETTER = 2 };
static const double PUSH_GROWTH = 1.5;

static int rows_of(const tr_training_record *record, tr_training_phase phase) {
    int count = 0;
    for (int i = 0; i < record->row_count; i++)
        count += record->row[i].phase == phase;
    return count;
}

static int limit_of(const tr_learn_parameters *p, tr_training_phase phase) {
    const int limits[PHASES] = {p->refine_rounds, p->iterations, p->harden_rounds};
    return limits[phase];
}

/* Counts the rows of the phase since the last one that was kept. */
static int rows_in_vain(const tr_training_record *record, tr_training_phase phase) {
    int count = 0;
    for (int i = 0; i < record->row_count; i++)
        if (record->row[i].phase == phase)
            count = record->row[i].kept ? 0 : count + 1;
    return count;
}

/* Returns the last row that was kept; NULL: none was. */
static const tr_training_row *best_row(const tr_training_record *record) {
    const tr_training_row *best = NULL;
    for (int i = 0; i < record->row_count; i++)
        if (record->row[i].kept)
            best = &record->row[i];
    return best;
}

static bool row_holds(const tr_learn_parameters *p, const tr_training_row *row) {
    return row->undisturbed_s >= p->test_cap_s - 1e-6; /* NAN does not */
}

/* Did the best so far hold all undisturbed trials? */
static bool holds(const tr_learn_parameters *p, const tr_training_record *record) {
    const tr_training_row *best = best_row(record);
    return best && row_holds(p, best);
}

double tr_timetable_push(const tr_learn_parameters *p, const tr_training_record *record) {
    if (!p->adapt)
        return p->harden_push_n;
    /* Large pushes teach nothing to a controller that falls without them. */
    if (!holds(p, record))
        return fmin(p->adapt_push_n, p->harden_push_n);
    double survived = best_row(record)->push95_n;
    double grown = isfinite(survived) ? PUSH_GROWTH * survived : 0;
    return fmin(fmax(p->adapt_push_n, grown), p->harden_push_n);
}

int tr_timetable_trials(const tr_learn_parameters *p, const tr_training_record *record) {
    bool in_vain = rows_in_vain(record, TR_TRAINING_HARDEN) >= ROUNDS_NO_BETTER;
    return p->adapt && in_vain ? 2 * p->harden_trials : p->harden_trials;
}

/* Has hardening not made it hold, so that one more iteration is due? */
static bool is_iteration_due(const tr_learn_parameters *p, const tr_training_record *record) {
    return p->adapt && p->iterations > 0 && !holds(p, record) &&
           rows_of(record, TR_TRAINING_HARDEN) == ROUNDS_TO_HOLD &&
           rows_of(record, TR_TRAINING_GUIDE) <= p->iterations;
}

/* Pushes may be survived by what wanders off undisturbed: that is not enough. */
static bool is_enough(const tr_learn_parameters *p, const tr_training_record *record) {
    for (int i = 0; i < record->row_count && p->stop_at_n > 0; i++)
        if (record->row[i].push95_n >= p->stop_at_n && row_holds(p, &record->row[i]))
            return true;
    return false;
}

static bool has_ended(const tr_learn_parameters *p, const tr_training_record *record,
                      tr_training_phase phase) {
    if (phase == TR_TRAINING_GUIDE && is_iteration_due(p, record))
        return false;
    if (rows_of(record, phase) >= limit_of(p, phase))
        return true;
    if (phase == TR_TRAINING_REFINE)
        return false;
    if (phase == TR_TRAINING_HARDEN && is_iteration_due(p, record))
        return false;
    return is_enough(p, record) ||
           (p->stop_after > 0 && rows_in_vain(record, phase) >= p->stop_after);
}

static int rows_to_come(const tr_learn_parameters *p, const tr_training_record *record,
                        tr_training_phase phase) {
    return has_ended(p, record, phase) ? 0 : limit_of(p, phase) - rows_of(record, phase);
}

int tr_timetable_rows(const tr_learn_parameters *parameters, const tr_training_record *record) {
    int rows = record->row_count;
    for (int phase = 0; phase < PHASES; phase++)
        rows += rows_to_come(parameters, record, (tr_training_phase)phase);
    return rows;
}

bool tr_timetable_next(const tr_learn_parameters *parameters, const tr_training_record *record,
                       tr_training_phase *out_phase, int *out_iteration) {
    for (int phase = 0; phase < PHASES; phase++) {
        if (has_ended(parameters, record, (tr_training_phase)phase))
            continue;
        *out_phase = (tr_training_phase)phase;
        *out_iteration = rows_of(record, *out_phase) + 1;
        return true;
    }
    return false;
}

/* Returns the samples that a row simulates of each fragment. */
static double row_work(const tr_learn_parameters *p, tr_training_phase phase, bool first,
                       int fragments) {
    if (phase == TR_TRAINING_REFINE)
        return (double)p->refine_visits * p->refine_samples;
    if (phase == TR_TRAINING_GUIDE)
        return (double)p->visits * (first ? p->first_samples : p->samples);
    /* Both sides of each pair meet all trials, each of which lasts for about harden_after_s. */
    return 2.0 * p->harden_updates * p->harden_directions * p->harden_trials * p->harden_after_s /
           TR_SKILL_FRAGMENT_S / fragments;
}

double tr_timetable_share(const tr_learn_parameters *parameters, const tr_training_record *record,
                          int fragments, bool continues) {
    double done = 0, all = 0;
    for (int phase = 0; phase < PHASES; phase++) {
        int before = rows_of(record, (tr_training_phase)phase);
        int rows = before + rows_to_come(parameters, record, (tr_training_phase)phase);
        for (int i = 0; i < rows; i++) {
            double work =
                row_work(parameters, (tr_training_phase)phase, i == 0 && !continues, fragments);
            all += work;
            done += i < before ? work : 0;
        }
    }
    return all > 0 ? done / all : 1;
}
