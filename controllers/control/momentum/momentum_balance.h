/* Momentum balance: a character that stands on the ground and answers pushes without a step, by what
 * it computes from its equations of motion; nothing is learned (momentum_step.h).
 *
 * Every step torques are given ahead: those that end its momenta, hold the centroid over the feet, and
 * bring back the stance. Joints are damped against the rates that are planned; toes are servos at the
 * stance. The stance is the controller's spawn state, seen from the feet, so that it stands where and
 * in the heading in which its feet are.
 *
 * After a fall (falls.h), while no foot stands (foothold.h), and without gravity it holds the stance
 * by servos. After a fall it stays so until the driver begins again. */
#ifndef TROUPE_CONTROL_MOMENTUM_BALANCE_H
#define TROUPE_CONTROL_MOMENTUM_BALANCE_H

#include "control/controller.h"
#include "control/momentum/disturbance.h"
#include "control/momentum/momentum_numbers.h"

enum { TR_MOMENTUM_HOLD_MAX = 1000 };

/* stance:   the controller's spawn state
 * gain_set: of the model; of the toes, and of servos that hold the stance
 * hold:     steps of an entry, 1 to TR_MOMENTUM_HOLD_MAX
 * sole, at_rest: of model and stance, found when it is made or loaded */
typedef struct tr_momentum_balance {
    tr_state stance;
    char gain_set[TR_NAME_MAX];
    int hold;
    tr_momentum_numbers numbers;
    tr_foot_sole sole[2];
    tr_momentum_stance at_rest;
} tr_momentum_balance;

/* Of one character. step: of the entry; entries: that are over */
typedef struct tr_momentum_balance_state {
    int step;
    bool begun, down;
    int64_t entries;
    tr_disturbance outside;
} tr_momentum_balance_state;

extern const tr_driver_kind tr_momentum_balance_kind;

/* What to make. stance: heading 0, x = y = 0, on both feet; gain_set: of the model */
typedef struct tr_momentum_balance_def {
    const tr_state *stance;
    const char *gain_set;
    double step_s;
    int hold;
    tr_momentum_numbers numbers;
} tr_momentum_balance_def;

/* A controller named "momentum". TR_FAILED_PRECONDITION: the model does not stand on two legs;
 * TR_INVALID_ARGUMENT: a field is out of range; the message names it. */
tr_status tr_momentum_controller_create(const tr_model *model, const tr_momentum_balance_def *def,
                                        tr_controller **out, tr_error *error) TR_NODISCARD;

#endif
