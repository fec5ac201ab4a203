/* Steps to perform a motion on: stairs, or a box that someone jumps onto.
 *
 * Edges across x, in the frame in which the motion begins (heading 0, x = y = 0). Before the first
 * the ground is the plane; from each edge on it is so high, until the next. Plain data. */
#pragma once

#include "physics/world/world.h"

enum { TR_STEPS_MAX = 16, TR_STEPS_TEXT_MAX = 1024 };

typedef struct tr_step {
    double x_m, height_m; /* above the plane */
} tr_step;

typedef struct tr_steps {
    int count;
    tr_step step[TR_STEPS_MAX];
} tr_steps;

/* Reads X:HEIGHT,X:HEIGHT,... with x rising, from -100 to 100 m, and heights up to 100 m; 0 is the
 * plane. TR_INVALID_ARGUMENT: something else, or more than TR_STEPS_MAX; *out is undefined then. */
tr_status tr_steps_read(const char *text, tr_steps *out, tr_error *error) TR_NODISCARD;

/* Prints what tr_steps_read reads, exactly. */
void tr_steps_print(const tr_steps *steps, char out[static TR_STEPS_TEXT_MAX]);

/* Adds them to the scenery of a world, 20 m wide; the last is 10 m long. Statuses as
 * tr_world_add_scenery. */
tr_status tr_steps_lay(const tr_steps *steps, tr_world *world) TR_NODISCARD;
