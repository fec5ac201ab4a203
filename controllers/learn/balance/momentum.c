#include "control/torque/torque.h"
#include "learn/balance/apparatus.h"
#include "learn/method/making.h"

static const tr_parameter_table table = {.inner = {{&tr_momentum_number_table, 0}},
                                         .retired = "gain_set=b"};

/* The controller is spawned in the stance, and so stands for the one that gave it. */
static bool recall(const tr_controller *made, tr_controller *out) {
    *out = *made;
    return true;
}

static const tr_method_input inputs[] = {
    {.role = "stance",
     .option = "stance",
     .word = "CONTROLLER",
     .meaning = "of the catalogue, whose spawn pose, model and step are taken",
     .kind = TR_INPUT_CONTROLLER,
     .needed = true,
     .gives_model = true,
     .recall = recall},
};

static tr_status begin(const tr_method_def *def, void *work, tr_error *error) {
    const tr_controller *stance = def->given[0].controller;
    const tr_torque_def torque = {.support = &tr_torque_ground,
                                  .stance = &stance->spawn,
                                  .gain_set = TR_APPARATUS_GAINS,
                                  .step_s = stance->step_s,
                                  .numbers = {def->settings}};
    return tr_torque_controller_create(def->model, &torque, &((tr_making *)work)->controller,
                                       error);
}

const tr_method tr_momentum_method = {
    .name = "momentum",
    .command = "balance momentum",
    .summary = "make a controller that stands by controlling its momentum",
    .help =
        "It stands on the ground in CONTROLLER's spawn pose, and answers pushes without a step:\n"
        "it computes the torques that bring its momenta to zero. Nothing is learned.\n",
    .example = "--catalogue mine.troupe --stance locomotion --name standing-momentum",
    .settings = &table,
    .input = inputs,
    .input_count = 1,
    .begin = begin,
    TR_MAKING,
};
