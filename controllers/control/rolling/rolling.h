/* Rolling: a character steps on a ball that rolls under it (Liu and Hodgins 2017, section 5.1.2);
 * nothing is learned.
 *
 * In every step the driver applies the torques that keep it over the ball (rolling_step.h), while it
 * lifts one foot after the other and sets it down on top of the ball again (ball_steps.h). It turns
 * to the heading of the steering target, and rolls at the target's speed, or else that of its
 * numbers. The stance is the controller's spawn state. The first object of the rig is the ball.
 *
 * The character is down after a fall (falls.h) and once a foot of it has left the ball. Then, and in
 * a world without gravity, servos hold the stance. */
#ifndef TROUPE_CONTROL_ROLLING_H
#define TROUPE_CONTROL_ROLLING_H

#include "control/controller.h"
#include "control/rolling/rolling_step.h"

enum { TR_ROLLING_HOLD_MAX = 1000 };

/* stance:   the controller's spawn state
 * gain_set: of the model; for the toes, and for all joints while servos hold the stance
 * hold:     steps of an entry, 1 to TR_ROLLING_HOLD_MAX
 * sole, load, regulator: computed from model, stance and rig when it is made or loaded */
typedef struct tr_rolling {
    tr_state stance;
    char gain_set[TR_NAME_MAX];
    int hold;
    tr_rolling_numbers numbers;
    tr_foot_sole sole[2];
    tr_ball_load load;
    tr_ball_regulator regulator;
} tr_rolling;

/* Of one character. step: in the entry; entries: how many have ended; down: after a fall;
 * heading_rad: that it keeps */
typedef struct tr_rolling_state {
    int step;
    bool begun, down;
    int64_t entries;
    double heading_rad;
    tr_ball_steps steps;
} tr_rolling_state;

extern const tr_driver_kind tr_rolling_kind;

/* What to make. stance: heading 0, both feet on the ball; gain_set: of the model; rig: copied */
typedef struct tr_rolling_def {
    const tr_state *stance;
    const char *gain_set;
    double step_s;
    int hold;
    tr_rolling_numbers numbers;
    const tr_rig *rig;
} tr_rolling_def;

/* A controller named "rolling". TR_FAILED_PRECONDITION: the model does not stand on two legs;
 * TR_INVALID_ARGUMENT: a field is out of range; the message names it. */
tr_status tr_rolling_controller_create(const tr_model *model, const tr_rolling_def *def,
                                       tr_controller **out, tr_error *error) TR_NODISCARD;

#endif
