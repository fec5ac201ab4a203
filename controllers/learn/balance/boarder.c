#include "learn/balance/boarder.h"

#include "learn/balance/apparatus.h"
#include "learn/balance/board_stance.h"
#include "learn/method/making.h"
#include "learn/rehearsal/ensemble.h"

#include <stdio.h>

enum { LEFT, DECK = 0 };

/* Places of the feet, ahead of the middle of the board: about over its axles. */
static const double FRONT_M = 0.16, REAR_M = -0.28;

/* --- settings --- */

#define AT(field) offsetof(tr_boarder_settings, field)

/* Constants now, where they are used. */
static const char retired[] = "tilt_rad=0.3 front_m=0.16 rear_m=-0.28 deck_thickness_m=0.02 "
                              "gain_set=b step_s=0.005 knee_rad=1.4 " TR_SKATEBOARD_RETIRED;

const tr_parameter_table tr_boarder_settings_table = {
    .retired = retired,
    .inner = {{&tr_skateboard_table, AT(board)}, {&tr_boarding_number_table, AT(numbers)}}};

/* --- the method --- */

/* Both feet are across the board, the left one in front, and the centroid over the middle of the board's width,
 * ride_m ahead of the rear axle. */
static tr_status begin(const tr_method_def *def, void *work, tr_error *error) {
    const tr_boarder_settings *settings = def->settings;
    const double top = tr_skateboard_top(&settings->board);
    tr_rig rig = {0};
    tr_state stance;
    tr_skateboard_put(&settings->board, TR_SKATEBOARD_LEFT, 0, &rig);
    tr_board_stance_def wanted = {.board = &settings->board,
                                  .way = TR_SKATEBOARD_LEFT,
                                  .foot = {{0, FRONT_M, top}, {0, REAR_M, top}},
                                  .centroid_y = tr_ride_board_of(&rig, DECK, LEFT).rear_m +
                                                settings->numbers.ride_m};
    snprintf(wanted.numbers, sizeof wanted.numbers, "ride_m %g", settings->numbers.ride_m);
    tr_status status = tr_board_stance_make(def->model, &wanted, &stance, &rig, error);
    const tr_torque_def torque = {.support = &tr_torque_board,
                                  .stance = &stance,
                                  .gain_set = TR_APPARATUS_GAINS,
                                  .step_s = TR_LEARN_STEP_S,
                                  .side = LEFT,
                                  .numbers = {&settings->numbers},
                                  .rig = &rig};
    return status ? status
                  : tr_torque_controller_create(def->model, &torque,
                                                &((tr_making *)work)->controller, error);
}

const tr_method tr_boarder_method = {
    .name = "board",
    .command = "balance board",
    .summary = "make a controller that rides a skateboard and turns it by kicks",
    .help =
        "It stands on a rolling board with both feet. To reach the heading to which it is "
        "steered,\n"
        "it lifts the nose, turns the board about its rear axle, and sets it down. Each step it\n"
        "computes the torques that keep it over the board. Nothing is learned.\n",
    .example = "--catalogue mine.troupe --name boarder",
    .settings = &tr_boarder_settings_table,
    .begin = begin,
    TR_MAKING,
};
