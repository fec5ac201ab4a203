/* The gait as a kind of driver (driver.h): its row, and controllers that are gaits. */
#pragma once

#include "control/driver/controller.h"
#include "control/gait/gait.h"

extern const tr_driver_kind tr_gait_kind;

/* Parameters that can be set, in their order. */
enum { TR_GAIT_PARAMETER_STIFFNESS, TR_GAIT_PARAMETER_SPEED };

/* A controller of the model at the gait's first start state, unnamed. It owns the gait from then
 * on; on failure the gait stays the caller's. TR_RESOURCE_EXHAUSTED. */
tr_status tr_gait_controller_create(const tr_model *model, double step_s, tr_gait *take_gait,
                                    tr_controller **out) TR_NODISCARD;

/* A gait of the same parts. tr_gait_create's statuses. */
tr_status tr_gait_copy(const tr_gait *gait, const tr_model *model, tr_gait **out) TR_NODISCARD;

/* NULL: the controller is not a gait. */
tr_gait *tr_gait_of(const tr_controller *controller);
