#include "bench/truth_mujoco.h"

#include <stdio.h>

bool tr_truth_in_mujoco(const tr_model *model, const char *mjcf, const tr_controller *controller,
                        const tr_truth_trials *trials, int *out_held, double *out_mean_s) {
    (void)model;
    (void)mjcf;
    (void)controller;
    (void)trials;
    (void)out_held;
    (void)out_mean_s;
    fputs("--mujoco: built without MuJoCo: install libmujoco-dev, run cmake and build again\n",
          stderr);
    return false;
}
