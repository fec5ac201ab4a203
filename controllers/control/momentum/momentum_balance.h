/* Momentum balance: a character stands on the ground and answers pushes without a step, by torques
 * that it computes from its equations of motion; nothing is learned (momentum_step.h).
 *
 * In every step the driver applies the torques that end the momenta, hold the centroid over the feet
 * and return to the stance. Servos only damp the joints against the planned rates, and hold the toes
 * at the stance. The stance is the controller's spawn state, seen from the feet: the character stands
 * where its feet are, and in their heading.
 *
 * After a fall (falls.h), while no foot stands, and in a world without gravity, servos hold the
 * stance. After a fall they do so until the driver begins again. */
#ifndef TROUPE_CONTROL_MOMENTUM_BALANCE_H
#define TROUPE_CONTROL_MOMENTUM_BALANCE_H

#include "control/controller.h"
#include "control/momentum/disturbance.h"
#include "control/momentum/momentum_numbers.h"

enum { TR_MOMENTUM_HOLD_MAX = 1000 };

/* stance:   the controller's spawn state
 * gain_set: of the model; for the toes, and for all joints while servos hold the stance
 * hold:     steps of an entry, 1 to TR_MOMENTUM_HOLD_MAX
 * sole, at_rest: computed from model and stance when it is made or loaded */
typedef struct tr_momentum_balance {
    tr_state stance;
    char gain_set[TR_NAME_MAX];
    int hold;
    tr_momentum_numbers numbers;
    tr_foot_sole sole[2];
    tr_momentum_stance at_rest;
} tr_momentum_balance;

/* Of one character. step: of the entry; entries: how many have ended; down: after a fall; outside: the
 * estimated force */
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
