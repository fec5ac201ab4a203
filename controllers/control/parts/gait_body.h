/* Says which body of a model plays which part in a gait. It is found from the model's feet, hands
 * and trunk, so that a gait runs on every model that walks on two legs. */
#pragma once

#include "model/model.h"

enum { TR_GAIT_WAIST_MAX = 4 };

/* Body indices; [0] left, [1] right. A body stands for its joint to the parent.
 *   waist: [waist_count], from the pelvis (body 0) to the trunk */
typedef struct tr_gait_body {
    int thigh[2], shank[2], foot[2], toe[2];
    int upper_arm[2], forearm[2];
    int waist[TR_GAIT_WAIST_MAX], waist_count;
} tr_gait_body;

/* TR_FAILED_PRECONDITION: the model has no feet, hands or trunk, its legs do not hang by a hip from
 * the root over a knee, or a leg or the waist is turned at rest. The message names the body. */
tr_status tr_gait_body_find(const tr_model *model, tr_gait_body *out, tr_error *error) TR_NODISCARD;
