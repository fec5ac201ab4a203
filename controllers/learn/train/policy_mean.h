/* The mean of the policies of consecutive updates (Polyak and Juditsky 1992): of M, K and a_hat.
 *
 * Pure functions of their arguments. */
#pragma once

#include "control/fragments/fragment.h"

/* mean += (policy - mean) / number: the mean of `number` policies from that of those before. */
void tr_policy_mean_join(tr_policy *mean, const tr_policy *policy, int number);

/* Returns `policy` with the mean's M, K and a_hat. */
tr_policy tr_policy_mean_of(const tr_policy *mean, const tr_policy *policy);
