/* Skating: a character stands on a rolling board with one foot, which is pinned to it (Liu and
 * Hodgins 2017, section 5.2.2), and pushes off with the other one; nothing is learned.
 *
 * In every step the driver applies the torques that keep it over the standing foot and make the
 * force of the push (skating_step.h). Strokes keep the board at a speed: the steering target's, or
 * else that of its numbers (stroke.h). The stance is the controller's spawn state. The first object
 * of the rig is the board, which rolls along its x axis.
 *
 * The character is down after a fall (falls.h) and once its board has tipped over. Then, and in a
 * world without gravity, servos hold the stance. */
#ifndef TROUPE_CONTROL_SKATING_H
#define TROUPE_CONTROL_SKATING_H

#include "control/controller.h"
#include "control/skating/skating_step.h"

enum { TR_SKATING_HOLD_MAX = 1000 };

/* stance:   the controller's spawn state
 * gain_set: of the model; for the toes, and for all joints while servos hold the stance
 * hold:     steps of an entry, 1 to TR_SKATING_HOLD_MAX
 * standing: side of the foot on the board, 0 left, 1 right
 * sole, at_rest, load, trucks, board: computed from model, stance and rig when it is made or loaded */
typedef struct tr_skating {
    tr_state stance;
    char gain_set[TR_NAME_MAX];
    int hold, standing;
    tr_skating_numbers numbers;
    tr_hop_numbers hop;
    tr_foot_sole sole[2];
    tr_skating_stance at_rest;
    tr_skating_load load;
    tr_trucks trucks;
    tr_hop_board board;
} tr_skating;

/* Of one character. step: in the entry; entries: how many have ended; down: after a fall, or once
 * the board has tipped over */
typedef struct tr_skating_state {
    int step;
    bool begun, down;
    int64_t entries;
    tr_stroke stroke;
    tr_hop hop;
} tr_skating_state;

extern const tr_driver_kind tr_skating_kind;

/* What to make. stance: heading 0, the pushing foot lifted; gain_set: of the model; rig: copied */
typedef struct tr_skating_def {
    const tr_state *stance;
    const char *gain_set;
    double step_s;
    int hold, standing;
    tr_skating_numbers numbers;
    tr_hop_numbers hop;
    const tr_rig *rig;
} tr_skating_def;

/* A controller named "skating". TR_FAILED_PRECONDITION: the model does not stand on two legs;
 * TR_INVALID_ARGUMENT: a field is out of range; the message names it. */
tr_status tr_skating_controller_create(const tr_model *model, const tr_skating_def *def,
                                       tr_controller **out, tr_error *error) TR_NODISCARD;

#endif
