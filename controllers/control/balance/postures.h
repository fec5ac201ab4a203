/* Postures: entries of a balance for a scheduler (scheduler/scheduler.h) to choose from. Each lasts a
 * few looks, and turns joints by a posture on top of what the feedback asks for: a phase of
 * rocking, or one joint turned to one side. The feedback acts inside every entry.
 *
 *   stance    entry 0, without a posture, again and again
 *   rocking   entries 1 to `rocking`, in order, again and again
 *   NAME+, NAME-   one entry each, which repeats: an action of the balance, turned by the lean */
#pragma once

#include "control/driver/controller.h"
#include "control/fields/sections.h"

/* Turns out of the stance, rad. Both legs turn alike; KNEES bends the left knee and stretches
 * the right one, with half of it back at hip and ankle. */
typedef enum tr_balance_action {
    TR_BALANCE_TURN_ANKLE_PITCH,
    TR_BALANCE_TURN_HIP_PITCH,
    TR_BALANCE_TURN_WAIST_PITCH,
    TR_BALANCE_TURN_ANKLE_ROLL, /* the lateral ones begin here */
    TR_BALANCE_TURN_HIP_ROLL,
    TR_BALANCE_TURN_WAIST_ROLL,
    TR_BALANCE_TURN_KNEES,
    TR_BALANCE_TURN_HIP_YAW,
    TR_BALANCE_ACTIONS
} tr_balance_action;

enum { TR_POSTURE_ROCKING_MAX = 32, TR_POSTURE_LEANS = 2 * TR_BALANCE_ACTIONS };
enum { TR_POSTURE_MAX = 1 + TR_POSTURE_ROCKING_MAX + TR_POSTURE_LEANS, TR_POSTURE_LOOKS_MAX = 100 };

/* looks:   of an entry
 * rocking: entries of this skill; 0: it does not exist
 * count:   of entries
 * turn:    [count] turns of the joints, rad; those of entry 0 are 0 */
typedef struct tr_postures {
    int looks, rocking, count;
    double turn[TR_POSTURE_MAX][TR_BALANCE_ACTIONS];
} tr_postures;

/* The stance alone, an entry of one look. */
extern const tr_postures tr_postures_none;

/* Is there more than that? */
bool tr_postures_exist(const tr_postures *postures);

/* TR_INVALID_ARGUMENT: a number is out of its bounds; the message names it. */
tr_status tr_postures_check(const tr_postures *postures, tr_error *error) TR_NODISCARD;

/* Postures that do not exist add nothing to the hash and to the sections. */
uint64_t tr_postures_hash(const tr_postures *postures, uint64_t hash);
tr_status tr_postures_save(const tr_postures *postures, tr_sections *out,
                           tr_error *error) TR_NODISCARD;
tr_status tr_postures_load(tr_postures *postures, const tr_sections *in,
                           tr_error *error) TR_NODISCARD;

/* Puts a skill into the sheet for the stance, for rocking and for each lean; without postures the
 * stance alone, without a name. */
tr_status tr_postures_describe(const tr_postures *postures, tr_driver_sheet *sheet) TR_NODISCARD;

/* Of an entry: its skill, the name of that, and the entry that follows in fixed order. */
int tr_postures_skill_of(const tr_postures *postures, int entry);
const char *tr_postures_name_of(const tr_postures *postures, int entry);
int tr_postures_follower_of(const tr_postures *postures, int entry);

/* What to make: `rocking` phases of a rocking board, that rolls by rock_rad to either side, and leans of
 * lean_rad. Zero leaves either out. */
typedef struct tr_postures_def {
    int looks, rocking;
    double rock_rad, lean_rad;
} tr_postures_def;

/* Gives postures to a controller that balances without any. The turns of rocking are those by which
 * the feedback follows the roll and its rate. TR_INVALID_ARGUMENT: it does not balance, or a field is
 * out of range; the message names it. */
tr_status tr_postures_add(tr_controller *controller, const tr_postures_def *def,
                          tr_error *error) TR_NODISCARD;
