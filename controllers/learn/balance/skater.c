#include "learn/balance/skater.h"

#include "learn/balance/apparatus.h"
#include "learn/balance/board_stance.h"
#include "learn/method/making.h"
#include "learn/rehearsal/ensemble.h"

#include <stdio.h>

enum { RIGHT = 1 };

/* --- settings --- */

#define AT(field) offsetof(tr_skater_settings, field)

static const tr_parameter rows[] = {
    {"truck_spring", TR_REAL, AT(board.truck_spring), 0, 1000, "0",
     "bushing of each truck, N m/rad about its hinge; 0: no trucks, the board does not turn"},
};

/* Constants now, where they are used. */
static const char retired[] =
    "tilt_rad=0.3 truck_damping=2 truck_rad=0.785 truck_kg=0.2 truck_gap_m=0.02 foot_m=0 "
    "deck_thickness_m=0.02 gain_set=b step_s=0.005 knee_rad=1.4 " TR_SKATEBOARD_RETIRED;

const tr_parameter_table tr_skater_settings_table = {
    .retired = retired,
    .row = rows,
    .count = sizeof rows / sizeof *rows,
    .inner = {{&tr_skateboard_table, AT(board)},
              {&tr_skating_number_table, AT(numbers)},
              {&tr_hop_number_table, AT(hop)}}};

/* --- the method --- */

/* The right foot is in the middle of the board, straight ahead, the left one lifted beside it, and the centroid
 * above the standing sole. */
static tr_status begin(const tr_method_def *def, void *work, tr_error *error) {
    const tr_skater_settings *settings = def->settings;
    const tr_skating_numbers *n = &settings->numbers;
    tr_board_stance_def wanted = {
        .board = &settings->board,
        .way = TR_SKATEBOARD_AHEAD,
        .foot = {{0, n->beside_m, n->lift_m}, {0, 0, tr_skateboard_top(&settings->board)}}};
    tr_state stance;
    tr_rig rig;
    snprintf(wanted.numbers, sizeof wanted.numbers, "lift_m %g, beside_m %g", n->lift_m,
             n->beside_m);
    tr_status status = tr_board_stance_make(def->model, &wanted, &stance, &rig, error);
    const tr_torque_def torque = {.support = &tr_torque_skate,
                                  .stance = &stance,
                                  .gain_set = TR_APPARATUS_GAINS,
                                  .step_s = TR_LEARN_STEP_S,
                                  .side = RIGHT,
                                  .numbers = {&settings->numbers, &settings->hop},
                                  .rig = &rig};
    return status ? status
                  : tr_torque_controller_create(def->model, &torque,
                                                &((tr_making *)work)->controller, error);
}

const tr_method tr_skater_method = {
    .name = "skate",
    .command = "balance skate",
    .summary = "make a controller that rides a skateboard and pushes off",
    .help =
        "It stands on a rolling board with its right foot, and pushes off with the left one while\n"
        "the board is slower than a speed. Each step it computes the torques that keep it over "
        "the\n"
        "board and make the force of the push. With truck_spring the board has trucks, and it "
        "turns;\n"
        "with hop_s it hops over bumps. Nothing is learned.\n",
    .example = "--catalogue mine.troupe --name skater",
    .settings = &tr_skater_settings_table,
    .begin = begin,
    TR_MAKING,
};
