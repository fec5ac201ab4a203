/* The result of a gait's training: the gait that characters run. */
#ifndef TROUPE_LEARN_GAIT_RESULT_H
#define TROUPE_LEARN_GAIT_RESULT_H

#include "control/gait/gait.h"
#include "learn/gait/gait_anchors.h"
#include "learn/rehearsal/ensemble.h"

/* The gait of anchors by force, and of others by speed, which may be empty; its start states are
 * those of an undisturbed walk in the rehearsal world. The caller destroys it.
 * TR_FAILED_PRECONDITION: there are no anchors, or it does not walk undisturbed. */
typedef struct tr_gait_result_def {
    const tr_gait_anchors *forces, *speeds;
    double own_mps, felt_lag_s;
    double spacing_n; /* of the rows */
} tr_gait_result_def;
tr_status tr_gait_result_make(const tr_gait_result_def *def, tr_rehearsal *rehearsal, tr_gait **out,
                              tr_error *error) TR_NODISCARD;

#endif
