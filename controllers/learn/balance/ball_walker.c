#include "learn/balance/ball_walker.h"

#include "learn/balance/apparatus.h"
#include "learn/method/making.h"
#include "learn/rehearsal/ensemble.h"

#include <stdio.h>

/* --- settings --- */

#define AT(field) offsetof(tr_ball_walker_settings, field)

/* The ball is that of the paper: 0.7 m, 18 kg. */
static const double BALL_KG = 18;
static const double KNEE_RAD = 1.8; /* bend of the knees, which sets the height of the hips */

static const tr_parameter rows[] = {
    {"radius_m", TR_REAL, AT(radius_m), 0.2, 5, "0.35", "radius of the ball"},
};

/* Constants now. */
static const char retired[] = "ball_kg=18 grip=1 gain_set=b time_step_s=0.005 ahead_m=0.02 "
                              "knee_rad=1.8";

const tr_parameter_table tr_ball_walker_settings_table = {
    .retired = retired,
    .row = rows,
    .count = sizeof rows / sizeof *rows,
    .inner = {{&tr_rolling_number_table, AT(numbers)}}};

/* --- the method --- */

/* The feet are `width_m` from each other. */
static tr_status begin(const tr_method_def *def, void *work, tr_error *error) {
    const tr_ball_walker_settings *settings = def->settings;
    tr_controller *standing = NULL;
    /* Makes what stands on a ball without feedback: its stance and its rig are used. */
    tr_balance_settings balance = {0};
    tr_parameter_reset(&tr_balance_settings_table, &balance);
    snprintf(balance.object, sizeof balance.object, "ball");
    balance.radius_m = settings->radius_m;
    balance.base_kg = BALL_KG;
    balance.feet_m = settings->numbers.width_m / 2;
    tr_status status = tr_apparatus_create(def->model, &balance, KNEE_RAD, &standing, error);
    if (status)
        return status;
    const tr_torque_def torque = {.support = &tr_torque_ball,
                                  .stance = &standing->spawn,
                                  .gain_set = TR_APPARATUS_GAINS,
                                  .step_s = TR_LEARN_STEP_S,
                                  .numbers = {&settings->numbers},
                                  .rig = standing->rig};
    status =
        tr_torque_controller_create(def->model, &torque, &((tr_making *)work)->controller, error);
    tr_controller_destroy(standing);
    return status;
}

const tr_method tr_ball_walker_method = {
    .name = "ball-walk",
    .command = "balance walk",
    .summary = "make a controller that steps on a ball",
    .help = "It stands on a ball, and lifts one foot after the other. It turns to the heading and "
            "rolls\n"
            "at the speed that it is steered to. Each step it computes the torques that keep it "
            "over the\n"
            "ball. Nothing is learned.\n",
    .example = "--catalogue mine.troupe --name ball-walker",
    .settings = &tr_ball_walker_settings_table,
    .begin = begin,
    TR_MAKING,
};
