/* Treading: a balance that steps in place, such as on a ball (driver kind "treading").
 *
 * The driver takes the targets of the balance that it holds and adds steps to them. A cycle has two
 * steps, first of the left foot. With the time t from 0 to 1 of a step, the leg is lifted by
 *
 *   w = sin^2(pi x),  x = (t - 1/2) / share + 1/2       0 where x is not between 0 and 1
 *
 * The knee of the lifted leg bends by `bend_rad` w, with half of it back at hip and ankle, so that
 * the foot rises along the leg. Its hip turns by w u and its ankle back by as much, where
 *
 *   u = swing + place (z - rest)          z: features of the balance (balance_sight.h)
 *
 * Thus the foot lands elsewhere. The other leg stretches. With the phase p of the cycle, the lateral
 * actions of the balance sway by sway[0] sin(p) + sway[1] cos(p), which moves the weight from foot
 * to foot. During the first two cycles steps and sway grow from 0.
 *
 * How the numbers are learned is in guide/balance.md ("Treading"). */
#ifndef TROUPE_CONTROL_TREADING_H
#define TROUPE_CONTROL_TREADING_H

#include "control/balance/balance.h"

enum {
    TR_TREADING_PERIOD_MAX = 1000,
    TR_TREADING_SWAYS = TR_BALANCE_TURN_HIP_YAW - TR_BALANCE_TURN_ANKLE_ROLL
};

/* PITCH, ROLL: of the hip of the lifted leg; roll outwards. STRETCH: of the knee of the other. */
typedef enum tr_treading_swing {
    TR_TREADING_PITCH,
    TR_TREADING_ROLL,
    TR_TREADING_STRETCH,
    TR_TREADING_SWINGS
} tr_treading_swing;

enum { TR_TREADING_PLACES = TR_TREADING_ROLL + 1 };

extern const tr_driver_kind tr_treading_kind;

/* period:      looks of the balance in a cycle, even, 2 to TR_TREADING_PERIOD_MAX
 * right_first: the mirror image of a cycle
 * share:       of a step, in which the foot is lifted, above 0 and at most 1
 * bend_rad:    0: it only sways
 * swing:       rad
 * sway:        rad, of the lateral actions but the yaw of the hips
 * place:       rad for each unit of the feature, of pitch and roll */
typedef struct tr_treading_steps {
    int period;
    bool right_first;
    double share, bend_rad;
    double swing[TR_TREADING_SWINGS];
    double sway[TR_TREADING_SWAYS][2];
    double place[TR_TREADING_PLACES][TR_BALANCE_FEATURES];
} tr_treading_steps;

/* inner: a balance, owned */
typedef struct tr_treading {
    tr_driver inner; /* first (driver_holder.h) */
    tr_treading_steps steps;
} tr_treading;

/* The state of one character; that of the balance follows. place: of the last look, rad */
typedef struct tr_treading_state {
    double place[TR_TREADING_PLACES];
} tr_treading_state;

/* The turns of the steps at the look with this number.
 *   lift:  [left, right], 0 to 1
 *   sway:  of the lateral actions, rad */
typedef struct tr_treading_moment {
    double lift[2], sway[TR_TREADING_SWAYS];
} tr_treading_moment;
tr_treading_moment tr_treading_moment_of(const tr_treading_steps *steps, int64_t looks);

/* Puts steps around a controller that balances. TR_INVALID_ARGUMENT: it does not balance, or a
 * number is out of range; the message names it. */
tr_status tr_treading_add(tr_controller *controller, const tr_treading_steps *steps,
                          tr_error *error) TR_NODISCARD;

/* The content, where the outer driver is of this kind; lives as long as the controller. NULL: it is
 * of another. */
tr_treading *tr_treading_of(const tr_controller *controller);

#endif
