/* Shifts: directions in which hardening moves the policies of all fragments at once.
 *
 * A shift turns pi(s) = M s + a_hat by dM (s - s_k) + da, s_k the features at the reference start
 * of fragment k, so that at the reference start it changes the action by da alone. Entry j of dM is
 * drawn with a spread of sigma over the typical spread of feature j (features.h), da with sigma,
 * rad: each alone turns the action by about sigma. On other ground it also turns K g, g the ground
 * under the character (fragment.h).
 *
 * Half of the variance is common to all fragments. The other half is drawn for every `spacing`-th
 * fragment, x and y; a fragment at the share b of the way from one to the next has
 * ((1 - b) x + b y) / sqrt((1 - b)^2 + b^2), which varies as much as x and y do.
 *
 * Pure functions of their arguments. Internal to hardening (harden.h). */
#pragma once

#include "learn/train/hardening.h"

/* dM, da and dK of one fragment; sigma is not used. */
typedef tr_policy tr_harden_shift;

/* Draws shift `number` of the update, for each fragment; out: [fragment_count]. Fragments that do
 * not learn keep what `out` had, zeros. */
void tr_harden_shift_draw(const tr_hardening *h, int number, tr_harden_shift *out);

/* policy += amount * shift, turned about the features of the reference start. */
void tr_harden_shift_apply(const tr_harden_shift *shift, const tr_features *origin, double amount,
                           tr_policy *policy);
