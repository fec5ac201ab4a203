/* Balance: linear feedback that keeps a character on an object that rolls, such as a board on a
 * cylinder or a ball, which its rig brings (rig.h).
 *
 * The character holds one stance. Every `hold` steps the driver looks at features of the character
 * and of the rig (balance_sight.h), and turns ankles, hips and waist out of the stance by
 *
 *   u = offset + gain (z - rest)       z: features, u: actions, rad; each at most `bound_rad`
 *
 * Features and actions are sagittal (x, z) or lateral (y). A gain between the two planes would
 * break the symmetry; learned ones are zero. guide/balance.md says how gains are learned.
 *
 * Where it has postures, a scheduler may choose among them (postures.h); alone it stays in the skill
 * that it is in.
 *
 * Home is the place to which the gains of the drift lead the base.
 *
 * The character is down once it touches the static world or a platform, or its deck does. Then it
 * holds the stance until the driver begins again. */
#pragma once

#include "control/balance/balance_sight.h"
#include "control/balance/postures.h"
#include "control/driver/controller.h"
#include "control/driver/runner.h"

enum { TR_BALANCE_HOLD_MAX = 100 };

/* body:      of the model, found when it is created or loaded
 * stance:    the controller's spawn state
 * gain_set:  of the model
 * hold:      steps from one look to the next, 1 to TR_BALANCE_HOLD_MAX
 * place:     objects of the controller's rig
 * bound_rad: of each action, 0 to 2
 * rest:      features at which the actions are `offset`, in the features' units
 * offset:    rad
 * gain:      rad for each unit of the feature
 * postures:  entries of turns on top of that */
typedef struct tr_balance {
    tr_gait_body body;
    tr_state stance;
    char gain_set[TR_NAME_MAX];
    int hold;
    tr_balance_place place;
    double bound_rad;
    double rest[TR_BALANCE_FEATURES];
    double offset[TR_BALANCE_ACTIONS];
    double gain[TR_BALANCE_ACTIONS][TR_BALANCE_FEATURES];
    tr_postures postures;
} tr_balance;

/* The state of one character.
 *   step:   steps since the last look; 0: the next step begins with one
 *   begun:  the first look was made, which sets home
 *   looks:  that are over
 *   entry:  in progress
 *   home:   where it balances
 *   action: of the last look, rad */
typedef struct tr_balance_state {
    int step;
    bool begun, down;
    int64_t looks;
    int entry;
    tr_balance_home home;
    double action[TR_BALANCE_ACTIONS];
} tr_balance_state;

extern const tr_driver_kind tr_balance_kind;

bool tr_balance_action_is_lateral(tr_balance_action action);

/* A controller that balances is made of these.
 *   stance: heading 0, x = y = 0
 *   gain_set: of the model
 *   rig: copied */
typedef struct tr_balance_def {
    const tr_state *stance;
    const char *gain_set;
    double step_s;
    int hold;
    double bound_rad;
    tr_balance_place place;
    const tr_rig *rig;
} tr_balance_def;

/* A controller named "balance" with no feedback yet: gains and offsets are zero, and `rest` has the
 * features of the stance. TR_FAILED_PRECONDITION: the model does not stand on two legs.
 * TR_INVALID_ARGUMENT: a field is out of range; the message names it. TR_RESOURCE_EXHAUSTED. The
 * place must name objects of the rig, which is not checked before it is used. */
tr_status tr_balance_controller_create(const tr_model *model, const tr_balance_def *def,
                                       tr_controller **out, tr_error *error) TR_NODISCARD;

/* The first content of this kind in a controller; lives as long as the controller. NULL: none. */
tr_balance *tr_balance_of(const tr_controller *controller);

/* The state of that content; NULL: none. */
const tr_balance_state *tr_balance_state_of(const tr_runner *runner);
