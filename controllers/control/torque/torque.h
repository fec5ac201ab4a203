/* Torques: a character keeps its balance by torques that it computes from its equations of motion;
 * nothing is learned (driver kind "torque").
 *
 * What it stands on is its support: the ground, a board under one foot or under both, a ball. In
 * every step the support plans accelerations that keep the character over it, and the torques for
 * them (ground/, skate/, board/, ball/). Servos only damp the joints against the planned rates, and
 * hold the toes at the stance. The stance is the controller's spawn state; its rig brings the
 * support's objects.
 *
 * The character is down after a fall (falls.h) and once it is off its support. Then, and in a world
 * without gravity, servos hold the stance, until the driver begins again. */
#pragma once

#include "control/driver/controller.h"
#include "control/torque/ball/ball_steps.h"
#include "control/torque/board/kick.h"
#include "control/torque/ground/disturbance.h"
#include "control/torque/ground/momentum_numbers.h"
#include "control/torque/skate/skating_step.h"

enum { TR_TORQUE_HOLD_MAX = 1000 };

/* Supports (torque_support.h). Each has the name under which catalogues, the wire and people know
 * its controllers:
 *   ground  "momentum"  it stands, and answers pushes without a step
 *   skate   "skating"   one foot is pinned to a rolling board, the other one pushes off
 *   board   "boarding"  both feet stand on a rolling board, and turn it by kicks
 *   ball    "rolling"   it steps on a ball that rolls under it
 * After Liu and Hodgins 2017, sections 5.1.2, 5.2.2 and 5.2.4. */
typedef struct tr_torque_support tr_torque_support;
extern const tr_torque_support tr_torque_ground, tr_torque_skate, tr_torque_board, tr_torque_ball;

/* stance:   the controller's spawn state
 * gain_set: of the model; for the toes, and for all joints while servos hold the stance
 * hold:     steps of an entry, 1 to TR_TORQUE_HOLD_MAX
 * side:     0 left, 1 right; of the foot on the skate, of the foot in front on the board
 * numbers:  of the support, the first of its part of the union
 * The rest is computed from model, stance and rig when the content is made or loaded. */
typedef struct tr_torque {
    const tr_torque_support *support;
    tr_state stance;
    char gain_set[TR_NAME_MAX];
    int hold, side;
    tr_foot_sole sole[2];
    tr_momentum_stance at_rest;
    union {
        struct {
            tr_momentum_numbers numbers;
        } ground;
        struct {
            tr_skating_numbers numbers;
            tr_hop_numbers hop;
            tr_skating_load load;
            tr_trucks trucks;
            tr_hop_board board;
        } skate;
        struct {
            tr_boarding_numbers numbers;
            tr_ride_board board;
        } board;
        struct {
            tr_rolling_numbers numbers;
            tr_ball_load load;
            tr_ball_regulator regulator;
        } ball;
    };
} tr_torque;

/* The state of one character. step: in the entry; maneuver: index of the entry; entries: how many
 * have ended; down: after a fall, or off the support. outside: the estimated force; first_rad: heading
 * of the first step; heading_rad: that it keeps */
typedef struct tr_torque_state {
    int step, maneuver;
    bool begun, down;
    int64_t entries;
    union {
        tr_disturbance outside; /* ground */
        struct {
            tr_stroke stroke;
            tr_hop hop;
        } skate;
        struct {
            double first_rad;
            tr_kick kick;
        } board;
        struct {
            double heading_rad;
            tr_ball_steps steps;
        } ball;
    };
} tr_torque_state;

extern const tr_driver_kind tr_torque_kind;

/* The driver itself, or the one that it holds. NULL: another kind. */
const tr_torque *tr_torque_of(const tr_controller *controller);

/* Says what to make.
 *   stance:   heading 0, on its support; on the ground x = y = 0
 *   gain_set: of the model
 *   hold:     0: as long as control fragments, 0.1 s
 *   numbers:  structs of numbers of the support: tr_momentum_numbers, tr_boarding_numbers,
 *             tr_rolling_numbers, or tr_skating_numbers and tr_hop_numbers
 *   rig:      copied; NULL: none */
typedef struct tr_torque_def {
    const tr_torque_support *support;
    const tr_state *stance;
    const char *gain_set;
    double step_s;
    int hold, side;
    const void *numbers[2];
    const tr_rig *rig;
} tr_torque_def;

/* A controller with the name of its support. TR_FAILED_PRECONDITION: the model does not stand on two
 * legs; TR_INVALID_ARGUMENT: a field is out of range; the message names it. */
tr_status tr_torque_controller_create(const tr_model *model, const tr_torque_def *def,
                                      tr_controller **out, tr_error *error) TR_NODISCARD;
