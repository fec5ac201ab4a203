/* What a balance sees: features of the character and of the objects under it, in the frame that has
 * the heading of the root.
 *
 * With the features of the state, which are joint angles and rates, a linear model of the motion can
 * be identified (guide/balance.md). */
#pragma once

#include "control/driver/driver.h"
#include "control/parts/gait_body.h"

/* m, m/s, rad, rad/s. BASE: the object that rolls; DECK: what lies on it. COM, FEET, ROOT: centre
 * of mass, middle of the feet and root, relative to the base. DRIFT: of the base from home. LEAN:
 * of the trunk. HEADING: of the root, from home. Joints: the mean of both legs, or DIFF: half of
 * left minus right. */
typedef enum tr_balance_feature {
    TR_BALANCE_BASE_VEL_X,
    TR_BALANCE_DRIFT_X,
    TR_BALANCE_COM_X,
    TR_BALANCE_COM_VEL_X,
    TR_BALANCE_FEET_X,
    TR_BALANCE_LEAN_PITCH,
    TR_BALANCE_LEAN_PITCH_RATE,
    TR_BALANCE_BASE_VEL_Y,
    TR_BALANCE_DRIFT_Y,
    TR_BALANCE_COM_Y,
    TR_BALANCE_COM_VEL_Y,
    TR_BALANCE_FEET_Y,
    TR_BALANCE_LEAN_ROLL,
    TR_BALANCE_LEAN_ROLL_RATE,
    TR_BALANCE_DECK_ROLL,
    TR_BALANCE_DECK_ROLL_RATE,
    TR_BALANCE_HEADING,
    TR_BALANCE_YAW_RATE,
    TR_BALANCE_DECK_YAW,
    TR_BALANCE_BASE_YAW,
    TR_BALANCE_ROOT_X,
    TR_BALANCE_ROOT_Z,
    TR_BALANCE_ROOT_PITCH,
    TR_BALANCE_WAIST_PITCH,
    TR_BALANCE_HIP_PITCH_MEAN,
    TR_BALANCE_KNEE_MEAN,
    TR_BALANCE_ANKLE_PITCH_MEAN,
    TR_BALANCE_ROOT_VEL_X,
    TR_BALANCE_ROOT_VEL_Z,
    TR_BALANCE_ROOT_PITCH_RATE,
    TR_BALANCE_WAIST_PITCH_RATE,
    TR_BALANCE_HIP_PITCH_RATE,
    TR_BALANCE_KNEE_RATE,
    TR_BALANCE_ANKLE_PITCH_RATE,
    TR_BALANCE_ROOT_Y,
    TR_BALANCE_ROOT_ROLL,
    TR_BALANCE_WAIST_ROLL,
    TR_BALANCE_WAIST_YAW,
    TR_BALANCE_HIP_ROLL_MEAN,
    TR_BALANCE_HIP_YAW_MEAN,
    TR_BALANCE_HIP_PITCH_DIFF,
    TR_BALANCE_KNEE_DIFF,
    TR_BALANCE_ANKLE_PITCH_DIFF,
    TR_BALANCE_ANKLE_ROLL_MEAN,
    TR_BALANCE_ROOT_VEL_Y,
    TR_BALANCE_ROOT_ROLL_RATE,
    TR_BALANCE_WAIST_ROLL_RATE,
    TR_BALANCE_WAIST_YAW_RATE,
    TR_BALANCE_HIP_ROLL_RATE,
    TR_BALANCE_HIP_YAW_RATE,
    TR_BALANCE_HIP_PITCH_DIFF_RATE,
    TR_BALANCE_KNEE_DIFF_RATE,
    TR_BALANCE_ANKLE_PITCH_DIFF_RATE,
    TR_BALANCE_ANKLE_ROLL_RATE,
    TR_BALANCE_FEATURES
} tr_balance_feature;

/* lateral:  changes its sign in a mirror
 * state:    part of the state of a linear model, and read by the policies that are learned */
typedef struct tr_balance_feature_row {
    const char *name;
    bool lateral, state;
} tr_balance_feature_row;

extern const tr_balance_feature_row tr_balance_feature_row_of[TR_BALANCE_FEATURES];

/* Objects of the rig.
 *   base: the one that rolls
 *   deck: the one that lies on it, under the feet; -1: the feet stand on the base. Then the
 *         features of the deck, and the yaw of the base, are 0 */
typedef struct tr_balance_place {
    int base, deck;
} tr_balance_place;

/* Home is where the base was at first, and the heading of the root. World. */
typedef struct tr_balance_home {
    double x, y, heading_rad;
} tr_balance_home;

tr_balance_home tr_balance_home_of(const tr_balance_place *place, const tr_sight *sight);

/* Features of the present moment. Deterministic. out: [TR_BALANCE_FEATURES] */
void tr_balance_look(const tr_balance_place *place, const tr_gait_body *body,
                     const tr_balance_home *home, const tr_sight *sight, double *out);
