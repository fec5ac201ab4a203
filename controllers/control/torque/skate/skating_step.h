/* The torques of one step of a character that stands on a rolling board with one foot, while the
 * other one pushes off or is lifted. It is the momentum controller of momentum/momentum_step.h on
 * a board that takes no force in the direction in which it rolls. The derivation is in
 * skating_step.c.
 *
 * Pure functions; deterministic. */
#pragma once

#include "control/parts/program_body.h"
#include "control/torque/ground/momentum_numbers.h"
#include "control/torque/skate/hop.h"
#include "control/torque/skate/stroke.h"
#include "control/torque/skate/trucks.h"

/* The board as a load. kg: mass that moves with it, with what the turning of its wheels adds;
 * drag_kgps: force that slows it, N for each m/s; board_kg: without the turning of its wheels;
 * inertia: of the board about its middle, kg m2, along the axes */
typedef struct tr_skating_load {
    double kg, drag_kgps, board_kg;
    tr_vec3 inertia;
} tr_skating_load;

/* Everything that a step reads.
 *   stance: seen from the middle of the standing sole, along the board
 *   trucks: of the board
 *   curvature_pm: that its way should have, to the left; 0 without trucks
 *   sole:   of the standing foot
 *   hop:    NULL: it rolls */
typedef struct tr_skating_view {
    tr_program_body body;
    const tr_skating_numbers *numbers;
    const tr_momentum_stance *stance;
    const tr_skating_load *load;
    const tr_trucks *trucks;
    double curvature_pm;
    const tr_foot_sole *sole;
    const tr_board_scene *scene;
    const tr_object_state *deck;
    const tr_stroke_plan *stroke;
    const tr_hop_plan *hop;
} tr_skating_view;

/* out_accel: [dof]; out_torque: [body_count] joint frame, N m, each component at most strength_nm;
 * [0] is not set. TR_DATA_LOSS: the numbers do not stay finite. */
tr_status tr_skating_step(const tr_skating_view *view, double *out_accel,
                          tr_vec3 *out_torque) TR_NODISCARD;
