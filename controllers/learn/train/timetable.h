/* The timetable of a training: which row comes next, and when the training ends.
 *
 * Refinement rounds come first, then iterations of guided learning, then rounds of hardening, each
 * up to the number in the parameters. Iterations and rounds of hardening end early when
 * `stop_after` rows of their kind in a row were no better (0: never), and both when a push of
 * `stop_at_n` was survived (0: never). Pure functions of parameters and record, so that a training
 * that continues from a checkpoint ends where it would have ended without the interruption.
 *
 * A training that adapts (`adapt`) depends on how good its best controller so far is. While that
 * does not hold undisturbed, hardening pushes little (`adapt_push_n`), because large pushes teach
 * nothing to a controller that falls without them; then it pushes half as much again as is
 * survived, up to `harden_push_n`. After two rounds in a row without a better one it doubles its
 * trials. If it does not hold after five rounds, one more iteration of guided learning precedes the
 * next round. */
#pragma once

#include "learn/train/parameters.h"
#include "learn/train/record.h"

/* Counts the rows done and those to come, as far as is known now; falls when a phase ends early. */
int tr_timetable_rows(const tr_learn_parameters *parameters, const tr_training_record *record);

/* Writes phase and number of the next row; false when all are done. */
bool tr_timetable_next(const tr_learn_parameters *parameters, const tr_training_record *record,
                       tr_training_phase *out_phase, int *out_iteration);

/* Return the push and the trials of the next round of hardening. */
double tr_timetable_push(const tr_learn_parameters *parameters, const tr_training_record *record);
int tr_timetable_trials(const tr_learn_parameters *parameters, const tr_training_record *record);

/* Returns the share of the sampling that is done, 0 to 1. continues: earlier iterations came before
 * the first one. */
double tr_timetable_share(const tr_learn_parameters *parameters, const tr_training_record *record,
                          int fragments, bool continues);
