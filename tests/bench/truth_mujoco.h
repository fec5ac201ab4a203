/* `troupe-bench truth --mujoco`: how many trials of a controller hold in MuJoCo, closed-loop: the controller
 * sees MuJoCo's state, and MuJoCo moves its servos' targets (mujoco_twin.h). */
#pragma once

#include "control/driver/controller.h"

/* Trials of `seconds`; of a skill that ends, to its end and a second longer. They begin disturbed
 * as those of certificates, and hold until the motion is lost (lost.h). */
typedef struct tr_truth_trials {
    int trials;
    double seconds, step_s; /* step_s: MuJoCo's, a part of the controller's */
} tr_truth_trials;

/* false: MuJoCo refuses the model, or there is no memory; the reason is on stderr. */
bool tr_truth_in_mujoco(const tr_model *model, const char *mjcf, const tr_controller *controller,
                        const tr_truth_trials *trials, int *out_held, double *out_mean_s);
