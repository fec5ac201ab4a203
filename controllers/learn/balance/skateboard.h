/* A skateboard as objects and pins of a rig: the deck, which is the first object, and four wheels
 * hinged to it (Liu and Hodgins 2017, section 5.2.2). It rolls at a speed from the start. */
#pragma once

#include "control/driver/rig.h"
#include "math/parameter_table.h"

static const double TR_DECK_THICKNESS_M = 0.02;

/* wheel_damping: of each wheel, N m s/rad
 * truck_spring:  control/torque/skate/trucks.h; 0: no trucks, the wheels are on the deck
 * axle_share:    how far from the middle the axles are, as a share of half the deck */
typedef struct tr_skateboard {
    double wheel_radius_m, wheel_kg, wheel_damping;
    double deck_length_m, deck_width_m, deck_kg;
    double truck_spring;
    double friction, speed_mps;
    double axle_share;
} tr_skateboard;

/* That of Liu and Hodgins 2017, section 5.2.2: 0.8 m and 2.8 kg with its wheels, at 1 m/s. */
/* All but the trucks, which only a board with truck_spring has. */
extern const tr_parameter_table tr_skateboard_table;

/* An object of one shape, at rest and not turned. */
tr_rig_object tr_rig_object_of(const char *name, tr_geom shape, double mass, tr_vec3 pos);

typedef enum tr_skateboard_way { TR_SKATEBOARD_AHEAD, TR_SKATEBOARD_LEFT } tr_skateboard_way;

/* Returns the height of the deck's upper side. */
double tr_skateboard_top(const tr_skateboard *board);

/* Puts the board into an empty rig, with its middle at x. */
void tr_skateboard_put(const tr_skateboard *board, tr_skateboard_way way, double x, tr_rig *out);
