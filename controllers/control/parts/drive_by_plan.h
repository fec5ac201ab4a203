/* Drives a character by torques and accelerations that were planned from the equations of motion.
 * Servos only damp joints against the planned rates, and hold the toes. Deterministic. */
#pragma once

#include "control/driver/driver.h"
#include "physics/spatial/dynamics.h"

/* gain_set: of the model, for the toes; damping: of all other joints, N m s/rad; feet_damping: of those
 * of the feet, 0: as the others */
typedef struct tr_planned_servo {
    const char *gain_set;
    double damping, step_s, feet_damping;
} tr_planned_servo;

/* accel: [dof]. `out` has the targets of the toes and the planned torques. */
void tr_drive_by_plan(const tr_dynamics *dynamics, const double *accel,
                      const tr_planned_servo *servo, tr_drive *out);

/* The torques of planned accelerations. outside: [body_count] forces on the bodies, about the
 * origin of the dynamics; out: [body_count] joint frame, each component at most `most`, N m; [0] is
 * not set */
void tr_planned_torques(const tr_dynamics *dynamics, const double *accel, tr_vec3 gravity,
                        const tr_spatial *outside, double most, tr_vec3 *out);
