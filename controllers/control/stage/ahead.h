/* What lies ahead of a steered character: walls and edges that it must not reach, and other characters
 * that it passes. An option of the stage; intents heed it (intent.h).
 *
 * The way is a strip as wide as a character. Along three lines of it the ground is sampled
 * (tr_world_ground): where it rises or falls by more than a high step from one sample to the next, there
 * is a wall or an edge. Slopes and stairs are ways. Solids that begin above a character's head are
 * ignored; free objects are too, because they can be pushed. Walls thinner than 4 cm, and posts
 * thinner than 30 cm between two of the lines, may be missed.
 *
 * Pure functions of the world. */
#pragma once

#include "physics/world/world.h"

/* A stretch of level ground, m. */
typedef struct tr_stretch {
    double from_x, from_y, to_x, to_y;
} tr_stretch;

/* Is there neither wall nor edge on the stretch and half a metre beyond it? It begins at the place of
 * the character. */
bool tr_ahead_is_clear(const tr_world *world, tr_entity_id character, tr_stretch stretch);

/* The angle by which a character that goes along a heading leaves it to pass the next character in its
 * way, rad to the left. It passes on the right, unless the other is clearly to its right already: two
 * that meet leave each other on the left. 0: the way is free. Those on another floor and those farther
 * away than within_m are not in the way. followed: not passed; 0: none. */
double tr_ahead_pass(const tr_world *world, tr_entity_id character, double heading_rad,
                     double within_m, tr_entity_id followed);
