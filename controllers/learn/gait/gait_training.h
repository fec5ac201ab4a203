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
#include "learn/gait/gait_settings.h"
#include "learn/gait/gait_style.h"
#include "learn/method/blocks.h"
#include "learn/rehearsal/ensemble.h"

typedef struct tr_gait_training tr_gait_training;

/* model, motion and amounts are borrowed; the motion is the walk that the style is compared with.
 * amounts: NULL: the usual ones */
typedef struct tr_gait_training_def {
    const tr_model *model;
    const tr_motion *motion;
    tr_gait_settings settings;
    int threads;
    const tr_gait_amounts *amounts;
} tr_gait_training_def;

tr_status tr_gait_training_create(const tr_gait_training_def *def, tr_gait_training **out,
                                  tr_error *error) TR_NODISCARD;
void tr_gait_training_destroy(tr_gait_training *training); /* NULL is fine */

bool tr_gait_training_is_done(const tr_gait_training *training);

/* Runs the next generation. Writes its result, a line without its end; empty: nothing to report.
 * TR_FAILED_PRECONDITION: the base does not walk. */
tr_status tr_gait_training_advance(tr_gait_training *training, char *line, size_t capacity,
                                   tr_error *error) TR_NODISCARD;

/* Returns what has been found so far; it lives as long as the training, until it advances. */
const tr_gait_samples *tr_gait_training_samples(const tr_gait_training *training);

/* Returns the worlds that it trains in. */
tr_ensemble *tr_gait_training_worlds(tr_gait_training *training);

/* Makes the gait found so far, rows spacing_n apart; its start states are those of an
 * undisturbed walk. The caller destroys it. TR_FAILED_PRECONDITION: there are no anchors, or it does
 * not walk undisturbed. */
tr_status tr_gait_training_result(tr_gait_training *training, double spacing_n, tr_gait **out,
                                  tr_error *error) TR_NODISCARD;

/* Lists what a checkpoint holds. */
void tr_gait_training_list(tr_gait_training *training, tr_blocks *blocks);

/* Continues with a new search: what was found counts, as if the phase `name` came next, with the
 * settings that the training was made with. TR_NOT_FOUND: no such phase. */
tr_status tr_gait_training_restart_at(tr_gait_training *training, const char *name,
                                      tr_error *error) TR_NODISCARD;
