/* The training of a gait: a base walk, a continuation over the force from the front and from
 * behind, one over the speed, and the hardening of the curve that they gave (Shum et al., sections
 * 3.2 to 3.4; the hardening is ours).
 *
 * Phases follow one another, each a row in gait_training.c; one generation is one call. A training
 * is a function of model, clip and settings, to the bit, whatever the number of threads and however
 * often it was interrupted (learn/method). One thread at a time. */
#pragma once

#include "learn/gait/gait_anchors.h"
#include "learn/gait/gait_samples.h"
#include "learn/gait/gait_search.h"
#include "learn/gait/gait_settings.h"
#include "learn/gait/gait_space.h"
#include "learn/gait/gait_style.h"
#include "learn/method/method.h"
#include "learn/rehearsal/ensemble.h"

/* What the trainings of the shipped controllers used: controllers/log/2026-11-25-gaits.md. */
static const double TR_GAIT_WEIGHT_SURVIVAL = 100;    /* eq. 6: share of time not walked */
static const double TR_GAIT_WEIGHT_FALL = 12;         /* eq. 6: a fall */
static const double TR_GAIT_WEIGHT_DIFFERENCE = 0.05; /* eq. 5: mean change in scales */
static const double TR_GAIT_WEIGHT_GAIN = 0.02;       /* eq. 8: sum of log kp */
static const double TR_GAIT_SLOPE_NPS = 100;          /* rise of forces in trials */

/* Plain: with anchors, speeds, samples and search all that a checkpoint keeps.
 *   phase:      row of the table, in progress; begun: its search is there
 *   generation: in all, of the seeds
 *   tries:      generations at this task value, or of this phase
 *   task, step: task value in progress, and the way to the next
 *   base_mps:   speed of the base walk, as tested
 *   share:      of the final forces, in the trials of base and hardening
 *   origin:     x = 0 of the search
 *   start:      what eq. 5 counts from
 *   best_score: of the best test so far; its x is `best_x` */
enum { TR_GAIT_PROBLEM_MAX = 3 * TR_GAIT_SIZE, TR_GAIT_PHASES = 6 };
typedef struct tr_gait_progress {
    int phase, begun, tries;
    int64_t generation;
    double task, step, base_mps, share;
    double origin[TR_GAIT_SIZE], start[TR_GAIT_SIZE];
    double best_score;
    double best_x[TR_GAIT_PROBLEM_MAX];
} tr_gait_progress;

/* A training at work: what the method's row works on. made: the controller that was asked for last */
typedef struct tr_gait_training {
    const tr_model *model;
    tr_gait_settings settings;
    tr_gait_amounts amounts;
    tr_gait_style style;
    tr_ensemble *ensemble;
    tr_gait_progress progress;
    tr_gait_anchors anchors, speeds; /* by force, N; by speed, m/s */
    tr_gait_samples samples;
    tr_gait_search search; /* while a phase has begun */
    tr_controller *made;
} tr_gait_training;

/* def: its first input is the walk that the style is compared with; others are not read */
tr_status tr_gait_training_create(const tr_method_def *def, tr_gait_training **out,
                                  tr_error *error) TR_NODISCARD;
void tr_gait_training_destroy(void *training); /* NULL is fine */

bool tr_gait_training_is_done(const void *training);

/* Runs the next generation. Writes its result, a line without its end; empty: nothing to report.
 * TR_FAILED_PRECONDITION: the base does not walk. */
tr_status tr_gait_training_advance(tr_gait_training *training, char *line, size_t capacity,
                                   tr_error *error) TR_NODISCARD;

/* Makes the gait found so far, rows spacing_n apart; its start states are those of an
 * undisturbed walk. The caller destroys it. TR_FAILED_PRECONDITION: there are no anchors, or it does
 * not walk undisturbed. */
tr_status tr_gait_training_result(tr_gait_training *training, double spacing_n, tr_gait **out,
                                  tr_error *error) TR_NODISCARD;

/* Lists what a checkpoint holds. */
void tr_gait_training_list(void *training, tr_blocks *blocks);

/* Continues with a new search: what was found counts, as if the phase `name` came next, with the
 * settings that the training was made with. TR_NOT_FOUND: no such phase. */
tr_status tr_gait_training_restart_at(tr_gait_training *training, const char *name,
                                      tr_error *error) TR_NODISCARD;

/* --- phases --- */

/* A phase: begin makes its search; advance does a generation, and sets *out_done after the last.
 *   detail:      the phase's own; phases may share their functions
 */
typedef struct tr_gait_phase tr_gait_phase;
struct tr_gait_phase {
    const char *name;
    const void *detail;
    bool (*is_wanted)(const tr_gait_phase *phase, const tr_gait_settings *settings);
    tr_status (*begin)(const tr_gait_phase *phase, tr_gait_training *t, tr_error *error);
    tr_status (*advance)(const tr_gait_phase *phase, tr_gait_training *t, char *line,
                         size_t capacity, bool *out_done, tr_error *error);
};

extern const tr_gait_phase tr_gait_base_phase, tr_gait_front_phase, tr_gait_back_phase,
    tr_gait_slower_phase, tr_gait_faster_phase, tr_gait_harden_phase;

/* --- shared by the phases --- */

/* Begins the search of a phase, of the settings' kind, around zeros. */
tr_status tr_gait_training_search(tr_gait_training *t, int size, int samples, int best,
                                  double sigma, tr_error *error) TR_NODISCARD;

/* Returns the objective, where that speed is wanted. */
tr_gait_weights tr_gait_training_weights(const tr_gait_training *t, double wanted_mps);

/* Returns a trial with noise, not pushed. */
tr_gait_trial_def tr_gait_training_trial(const tr_gait_training *t, double duration_s,
                                         uint64_t seed);

/* Returns the seed of trial `trial` in the generation in progress; those of tests are others. */
uint64_t tr_gait_training_seed(const tr_gait_training *t, bool test, int trial);

/* Moves the anchors by the best shifts that hardening has found so far. */
void tr_gait_hardening_best(const tr_gait_training *t, tr_gait_anchors *anchors);

/* Makes one generation of the search. */
tr_status tr_gait_training_generation(tr_gait_training *t, const tr_gait_problem *problem,
                                      const tr_gait_exam *exam, tr_error *error) TR_NODISCARD;

/* Sets the arms, which are not searched, as the settings say. value: [TR_GAIT_SIZE]. */
void tr_gait_training_set_arms(const tr_gait_settings *s, double *value);

/* Adapts the share of the forces after a generation: it grows while candidates survive most of
 * their trials, and shrinks while they do not, so that trials separate good candidates from bad
 * ones. */
void tr_gait_training_adapt_share(tr_gait_training *t, int trials);

/* Make the gait of one vector alone; of the curve through anchors. */
tr_status tr_gait_training_gait(const tr_gait_training *t, const double *value,
                                tr_gait **out) TR_NODISCARD;
tr_status tr_gait_training_curve_gait(const tr_gait_training *t, const tr_gait_anchors *anchors,
                                      tr_gait **out) TR_NODISCARD;
