/* Boarding: a character stands on a rolling board with both feet, sideways, and turns it by kicks
 * (Liu and Hodgins 2017, section 5.2.2); nothing is learned.
 *
 * In every step the driver applies the torques that keep it over the board (boarding_step.h). When the
 * board is off the heading that is asked for, it lifts the nose, turns the board about its rear axle
 * and sets it down, again and again (kick.h). The heading is where the character faces, across the
 * board; without a target it is that of the first step. The stance is the controller's spawn state.
 * The first object of the rig is the board, which rolls along its y axis.
 *
 * The character is down after a fall (falls.h) and once its board has tipped over. Then, and in a
 * world without gravity, servos hold the stance. */
#ifndef TROUPE_CONTROL_BOARDING_H
#define TROUPE_CONTROL_BOARDING_H

#include "control/boarding/boarding_step.h"
#include "control/controller.h"

enum { TR_BOARDING_HOLD_MAX = 1000 };

/* stance:   the controller's spawn state
 * gain_set: of the model; for the toes, and for all joints while servos hold the stance
 * hold:     steps of an entry, 1 to TR_BOARDING_HOLD_MAX
 * leading:  side of the foot in front, 0 left, 1 right
 * sole, board, at_rest: computed from model, stance and rig when it is made or loaded */
typedef struct tr_boarding {
    tr_state stance;
    char gain_set[TR_NAME_MAX];
    int hold, leading;
    tr_boarding_numbers numbers;
    tr_foot_sole sole[2];
    tr_ride_board board;
    tr_momentum_stance at_rest;
} tr_boarding;

/* Of one character. step: in the entry; entries: how many have ended; down: after a fall, or once
 * the board has tipped over; first_rad: heading of the first step */
typedef struct tr_boarding_state {
    int step;
    bool begun, down;
    int64_t entries;
    double first_rad;
    tr_kick kick;
} tr_boarding_state;

extern const tr_driver_kind tr_boarding_kind;

/* What to make. stance: heading 0, both feet on the board; gain_set: of the model; rig: copied */
typedef struct tr_boarding_def {
    const tr_state *stance;
    const char *gain_set;
    double step_s;
    int hold, leading;
    tr_boarding_numbers numbers;
    const tr_rig *rig;
} tr_boarding_def;

/* A controller named "boarding". TR_FAILED_PRECONDITION: the model does not stand on two legs;
 * TR_INVALID_ARGUMENT: a field is out of range; the message names it. */
tr_status tr_boarding_controller_create(const tr_model *model, const tr_boarding_def *def,
                                        tr_controller **out, tr_error *error) TR_NODISCARD;

#endif
