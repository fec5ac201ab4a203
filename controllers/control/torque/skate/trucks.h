/* Trucks: what turns a board that leans. Each is an object that a hinge with a spring, its bushing,
 * joins to the deck. The hinge's axis lies in the board's plane of symmetry, tilted out of its
 * length by an angle a, and at the rear by -a. The wheels keep the axles level, so a deck that leans
 * by g about its length turns each truck by g tan a, the front one into the lean, the rear one out
 * of it. With b from truck to truck and k of each spring:
 *
 *   curvature of the way = 2 tan a sin g / b,   moment that leans the deck = 2 k g / cos^2 a
 *
 * Pure; deterministic. */
#pragma once

#include "control/driver/rig.h"

/* turn_pm:         curvature, to the left, for a full lean to the left, 1/m; 0: no trucks
 * stiffness_nmprad: of the lean */
typedef struct tr_trucks {
    double turn_pm, stiffness_nmprad;
} tr_trucks;

/* Returns the trucks on object `deck`, whose x axis points along the board. */
tr_trucks tr_trucks_of(const tr_rig *rig, int deck);

/* Is it a truck's hinge? */
bool tr_trucks_has_pin(const tr_rig_pin *pin, int deck);

/* No trucks, or a front and a rear one that turn the board into its lean, with springs. */
bool tr_trucks_are_usable(const tr_trucks *trucks);
