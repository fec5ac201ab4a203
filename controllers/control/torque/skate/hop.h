/* Hops of a skating character over what rises ahead of its board. It sees the ground ahead. Before
 * the front wheels reach a rise it jumps up, and lifts the board with its foot, which is pinned to
 * it; behind the rise it sets the board down.
 *
 *   none     all wheels roll
 *   launch   the centroid is accelerated upwards; the board still rolls
 *   flight   the centroid falls freely, and the foot carries the board over the rise
 *
 * Plain data; deterministic. */
#pragma once

#include "control/parts/number_table.h"
#include "control/torque/skate/board_scene.h"

/* launch_mps2: upwards; launch_s: 0: it never hops; lift_m: of the wheels above the rise; lift_s: time
 * in which they get there; land_mps: at which the board sinks to the ground */
typedef struct tr_hop_numbers {
    double launch_mps2, launch_s, lift_m, lift_s, land_mps;
} tr_hop_numbers;

enum { TR_HOP_NUMBERS = sizeof(tr_hop_numbers) / sizeof(double) };
extern const tr_parameter_table tr_hop_number_table;

/* The board, from its rig.
 *   axle_m:   [2] front and rear, ahead of the deck's middle
 *   wheel_m:  radius
 *   height_m: of the deck's middle above the ground on which the wheels roll */
typedef struct tr_hop_board {
    double axle_m[2], wheel_m, height_m;
} tr_hop_board;

/* The ground along the board's way.
 *   level_m:   lowest below the board, world z
 *   rise_m:    highest between the ends of the wheels, above level_m
 *   step_m:    highest from the rear axle on, above the ground below that axle
 *   gap_m:     of the lower pair of wheels
 *   edge_m:    from the front of the wheels to the next rise; INFINITY: none is in sight
 *   ahead_m:   height of that rise */
typedef struct tr_hop_road {
    double level_m, rise_m, step_m, gap_m, edge_m, ahead_m;
} tr_hop_road;

tr_hop_road tr_hop_road_look(const tr_world *world, const tr_hop_board *board,
                             const tr_object_state *deck);

typedef enum tr_hop_stage { TR_HOP_NONE, TR_HOP_LAUNCH, TR_HOP_FLIGHT, TR_HOP_STAGES } tr_hop_stage;

/* stage: tr_hop_stage; steps: in this stage, at most TR_HOP_STEPS_MAX */
typedef struct tr_hop {
    int stage, steps;
} tr_hop;

enum { TR_HOP_STEPS_MAX = 1 << 20 };

/* A step of the hop reads its view. wheels_m, wheels_mps: of the wheels above level_m, and
 * upwards */
typedef struct tr_hop_view {
    const tr_hop_numbers *numbers;
    const tr_hop_road *road;
    double board_mps, wheels_m, wheels_mps, step_s;
} tr_hop_view;

void tr_hop_advance(tr_hop *hop, const tr_hop_view *view);

/* A rise is so near that a stroke of stroke_s would not end before it, or the board hops. */
bool tr_hop_is_due(const tr_hop *hop, const tr_hop_view *view, double stroke_s);

/* launches, flies: at most one of them
 * most_mps2:     of the centroid upwards, because landings are soft
 * centroid_mps2: upwards, of a launch
 * sole_mps2:     upwards, of sole and board in flight */
typedef struct tr_hop_plan {
    bool launches, flies;
    double most_mps2, centroid_mps2, sole_mps2;
} tr_hop_plan;

tr_hop_plan tr_hop_plan_of(const tr_hop *hop, const tr_hop_view *view);
