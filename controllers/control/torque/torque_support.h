/* A support: what a character with computed torques stands on, and how it plans there. A support is
 * a folder here that ends in one const row; torque.c lists the rows. */
#pragma once

#include "control/parts/number_table.h"
#include "control/parts/program_body.h"
#include "control/torque/torque.h"
#include "physics/spatial/dynamics.h"

/* Numbers that a support keeps in a section.
 *   section: NULL: the support's own, which begins with gain set, hold and side
 *   offset:  in tr_torque
 *   least:   a section holds so many, or more; the others then have their initial values. 0: the
 *            section may be missing, then all are 0
 *   used:    how many this content has; NULL: all */
typedef struct tr_torque_numbers {
    const char *section;
    const tr_parameter_table *table;
    size_t offset;
    int least;
    int (*used)(const tr_torque *torque);
} tr_torque_numbers;

enum { TR_TORQUE_NUMBERS = 2 };

/* An entry in which the character is asked for this, whatever its steering target: for a scheduler,
 * which sees the target in its place.
 *   speed_mps: 0: that of its numbers
 *   turn_rad:  to its pushing side or, with both feet on a board, that of its toes, from where
 *            it faces; 0: it is asked for no heading */
typedef struct tr_torque_maneuver {
    const char *skill;
    double speed_mps, turn_rad;
} tr_torque_maneuver;

/* A step is planned from its view. */
typedef struct tr_torque_view {
    const tr_torque *torque;
    const tr_sight *sight;
    tr_program_body body;
} tr_torque_view;

/* made:    false: there is no plan, servos hold the stance
 * accel:   [dof]; torque: [body_count], tr_drive's
 * damping, feet_damping: of the servos (drive_by_plan.h) */
typedef struct tr_torque_plan {
    bool made;
    double accel[TR_DOF_MAX];
    tr_vec3 *torque;
    double damping, feet_damping;
} tr_torque_plan;

/* A function may be NULL only where its comment says so.
 *   name:     of its controllers and its section; skill: of its entry; performs: of its controllers
 *   fell:     what people read about a character that is down
 *   sided:    does content have a side?
 *   numbers:  [TR_TORQUE_NUMBERS], up to a row without a table
 *   field:    [field_count] of the state; they begin with TR_TORQUE_FIELDS */
struct tr_torque_support {
    const char *name, *skill, *performs, *fell;
    bool sided;
    tr_torque_numbers numbers[TR_TORQUE_NUMBERS];
    const tr_torque_maneuver *maneuver;
    int (*entries)(const tr_torque *torque); /* maneuvers; NULL or 1: one entry, of `skill` */
    const tr_state_field *field;
    int field_count;
    int (*used_fields)(const tr_torque *torque); /* NULL: all */

    /* Are rig and stance fit? NULL: any. */
    tr_status (*check)(const tr_torque *torque, const tr_rig *rig, tr_error *error);
    /* Computes what is not stored. rig: not checked yet; NULL: none */
    tr_status (*prepare)(const tr_model *model, const tr_rig *rig, tr_torque *torque,
                         tr_error *error);
    void (*reach)(const tr_torque *torque, tr_driver_reach *out); /* NULL: it stands in place */
    void (*enter)(tr_torque_state *state); /* from zeros; NULL: zeros are right */
    const char *(*text)(const tr_torque_state *state);
    /* Is the character off its support? NULL: a fall shows it. */
    bool (*is_off)(const tr_sight *sight);
    /* Is called in each step, also of a character that is down, before `begun` is set. NULL:
     * nothing. */
    void (*follow)(const tr_torque *torque, const tr_sight *sight, tr_torque_state *state);
    tr_status (*plan)(const tr_torque_view *view, tr_torque_state *state, tr_torque_plan *out);
};

/* The fields that all supports have. */
#define TR_TORQUE_FIELDS                                                                           \
    TR_STATE_INT_FIELD(tr_torque_state, step, 0, TR_TORQUE_HOLD_MAX - 1),                          \
        TR_STATE_BOOL_FIELD(tr_torque_state, begun), TR_STATE_BOOL_FIELD(tr_torque_state, down),   \
        TR_STATE_INT64_FIELD(tr_torque_state, entries, 0, TR_STATE_STEPS)
#define TR_TORQUE_DOUBLE(member)                                                                   \
    TR_STATE_DOUBLE_FIELD(tr_torque_state, member, -TR_STATE_ANY, TR_STATE_ANY)

/* Has the first object of the rig, a board, tipped over? */
bool tr_torque_has_tipped(const tr_sight *sight);
