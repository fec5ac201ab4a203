/* The noise-to-signal ratio of a simulated motion (liu2015-samcon, eq. 5):
 *
 *   NSR = 100 var(m - m_bar) / var(m_bar)
 *
 * m is the simulated motion and m_bar its reference, both as joint rotations: noise hides in
 * motion that is lively and shows in motion that is calm. */
#pragma once

#include "model/state.h"

/* Poses at the same instants: [count] each. var(m - m_bar) is the variance over time of the
 * rotation vectors log(q q_bar^-1), var(m_bar) that of log(q_bar q_mean^-1), each summed over
 * all joints; q_mean is the normalised sum of the reference's quaternions. The root does not
 * count. NAN where no ratio is defined: the reference does not move (its variance is at most
 * 1e-6 rad^2), or count < 2. */
double tr_noise_ratio(const tr_model *model, const tr_pose *motion, const tr_pose *reference,
                      int count);

enum { TR_NOISE_TEXT_MAX = 16 };

/* Prints the ratio for people: "0.34", or "none". */
void tr_noise_ratio_print(double ratio, char out[static TR_NOISE_TEXT_MAX]);
