/* A skateboard as objects and pins of a rig: the deck, which is the first object, and four wheels
 * hinged to it (Liu and Hodgins 2017, section 5.2.2). It rolls at a speed from the start. */
#pragma once

#include "control/driver/rig.h"
#include "math/parameter_table.h"

static const double TR_DECK_THICKNESS_M = 0.02;

/* truck_spring:  control/torque/skate/trucks.h; 0: no trucks, the wheels are on the deck
 * axle_share:    how far from the middle the axles are, as a share of half the deck */
typedef struct tr_skateboard {
    double truck_spring, speed_mps, axle_share;
} tr_skateboard;

/* All but the trucks, which only a board with truck_spring has. */
extern const tr_parameter_table tr_skateboard_table;

/* Its constants that older records list. */
#define TR_SKATEBOARD_RETIRED                                                                      \
    "wheel_radius_m=0.028 wheel_kg=0.1 wheel_damping=0.001 deck_length_m=0.8 deck_width_m=0.2 "    \
    "deck_kg=2.4 friction=1"

/* An object of one shape, at rest and not turned. */
tr_rig_object tr_rig_object_of(const char *name, tr_geom shape, double mass, tr_vec3 pos);

typedef enum tr_skateboard_way { TR_SKATEBOARD_AHEAD, TR_SKATEBOARD_LEFT } tr_skateboard_way;

/* Returns the height of the deck's upper side. */
double tr_skateboard_top(const tr_skateboard *board);

/* Puts the board into an empty rig, with its middle at x. */
void tr_skateboard_put(const tr_skateboard *board, tr_skateboard_way way, double x, tr_rig *out);
