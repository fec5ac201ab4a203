/* A character in MuJoCo, from the MJCF of its model, with the servos of this project: the other half of
 * `troupe-bench truth --mujoco`.
 *
 * Settings: Newton's method to 1e-10, an elliptic cone with impratio 100, contacts with solref of two steps
 * and solimp 0.99. A servo's spring is an applied force, and kd + h kp is damping, which MuJoCo
 * integrates implicitly; with limits of torque the spring is such that their sum keeps within them at the
 * rates before the step. */
#pragma once

#include "model/state.h"

typedef struct tr_twin tr_twin;

/* mjcf: the text that `model` was parsed from; it must outlive the twin. NULL: refused, the reason is on
 * stderr. */
tr_twin *tr_twin_create(const tr_model *model, const char *mjcf, double step_s);
void tr_twin_destroy(tr_twin *twin); /* NULL is fine */

void tr_twin_put(tr_twin *twin, const tr_state *state);
void tr_twin_get(const tr_twin *twin, tr_state *out);

/* Makes `steps` steps with a gain set towards one target. False: MuJoCo reports that it is
 * unstable. */
bool tr_twin_step(tr_twin *twin, int gain_set, const tr_quat *target, int steps);
