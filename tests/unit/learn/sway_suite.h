/* The model of the sway and a controller that holds its rest pose, for all tests of a file:
 * SUITE_FIXTURE(load, unload). */
#pragma once

#include "model/mjcf.h"
#include "unit/learn/sway.h"

static tr_model *model;
static tr_controller *stander; /* always holds the rest pose, open loop */

static int load(void **state) {
    (void)state;
    model = sway_model();
    stander = sway_stander(model, false);
    return 0;
}

static int unload(void **state) {
    (void)state;
    tr_controller_destroy(stander);
    tr_model_destroy(model);
    return 0;
}
