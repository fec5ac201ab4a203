/* Terrain from a seed: rolling hills, rubble and stairs, as surfaces that scenery takes. Pure functions:
 * the same definition gives the same bits. */
#pragma once

#include "physics/terrain/surface.h"

typedef enum tr_terrain_kind {
    TR_TERRAIN_HILLS,  /* a height field of waves, at most `slope_rad` steep */
    TR_TERRAIN_RUBBLE, /* a height field whose samples are drawn evenly from 0 to `height_m` */
    TR_TERRAIN_STAIRS  /* a mesh: a flight that rises along x */
} tr_terrain_kind;

/* Around the origin, where characters begin, the ground is level at height 0. */
typedef struct tr_terrain_def {
    tr_terrain_kind kind;
    uint64_t seed;    /* of hills and rubble */
    double size_m;    /* side of the square of hills and rubble; width of stairs */
    double cell_m;    /* of hills and rubble: between samples */
    double slope_rad; /* of hills */
    double height_m;  /* of rubble: the highest sample; of stairs: a rise */
    double tread_m;   /* of stairs */
    int steps;        /* of stairs, 1 to 100 */
    double level_m;   /* radius of the level ground; stairs begin there */
} tr_terrain_def;

/* Hills of 5 degrees in a square of 40 m, samples 0.2 m apart; rubble of 5 cm, steps of 15 cm by
 * 30 cm; level for 1 m. */
tr_terrain_def tr_terrain_def_default(tr_terrain_kind kind);

/* Makes a surface, of which the caller is the first holder. TR_INVALID_ARGUMENT: a size that is not
 * positive, a slope of 60 degrees or more, or more samples than a height field has;
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_terrain_create(const tr_terrain_def *def, tr_surface **out) TR_NODISCARD;
