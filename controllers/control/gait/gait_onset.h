/* The onset of a force: what a gait does beyond its curve while a force from the front begins.
 *
 * The curve (gait_curve.h) holds gaits for forces that last. When a force begins in mid-step, the
 * walker's feet are not yet where such a gait needs them, and it falls. So the force along the heading
 * is filtered twice, fast and slowly. The difference is large while the force grows. The part of it
 * beyond TR_GAIT_ONSET_N shifts the parameters in proportion. Forces that change by at most 100 N/s
 * do not reach that bound, so the onset does not change how a gait answers them.
 *
 * When a force begins around the strike of a foot, that foot is too far ahead, and brakes the walker
 * during the whole step. When it begins in mid-step, there is still time to set the swinging foot
 * elsewhere. So there are two rows of shifts, one for each case. Pure functions; any thread. */
#ifndef TROUPE_CONTROL_GAIT_ONSET_H
#define TROUPE_CONTROL_GAIT_ONSET_H

#include "control/gait/gait_parameters.h"

/* The lag of the slow filter; the difference at which the onset begins to act. */
static const double TR_GAIT_ONSET_LAG_S = 0.4, TR_GAIT_ONSET_N = 40;

/* When the difference passes TR_GAIT_ONSET_N: in mid-step, or around the strike of a foot, that is, in
 * keyframe 1 or in the first TR_GAIT_STRUCK_SHARE of keyframe 0. */
enum { TR_GAIT_ONSET_MIDSTEP, TR_GAIT_ONSET_STRIKE, TR_GAIT_ONSET_ROWS };
static const double TR_GAIT_STRUCK_SHARE = 0.25;

/* Shifts of the parameters for each 100 N; all zero: none. */
typedef struct tr_gait_onset {
    double shift[TR_GAIT_ONSET_ROWS][TR_GAIT_SIZE];
} tr_gait_onset;

bool tr_gait_onset_acts(const tr_gait_onset *onset);

/* Do the rows differ? */
bool tr_gait_onset_is_split(const tr_gait_onset *onset);

/* By how much the part of the force that is beginning exceeds TR_GAIT_ONSET_N; the onset does not
 * act at 0 or less.
 * felt_n, lasting_n: the force along the heading through the fast and the slow filter. */
double tr_gait_onset_beyond_n(double felt_n, double lasting_n);

/* The row for a force that begins at that share of a keyframe's duration. */
int tr_gait_onset_row(int keyframe, double share);

/* Shifts value [TR_GAIT_SIZE] by that row times beyond_n / 100, and keeps it in its bounds. */
void tr_gait_onset_add(const tr_gait_onset *onset, int row, double beyond_n, double *value);

#endif
