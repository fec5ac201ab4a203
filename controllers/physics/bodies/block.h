/* Making constraint blocks: what contacts, limits and pins share. Internal to physics/. */
#pragma once

#include "physics/bodies/mover.h"

/* The sides of a block between two movers, of which at least one is free. */
typedef struct tr_sides {
    tr_mover *mover[2]; /* [0] is free; [1] is free too, or NULL: static or kinematic */
    int body[2];
    bool swapped; /* side 0 is the second of the contact or pin */
    /* The kinematic side, which is left out, and its body; NULL: neither side is kinematic. */
    const tr_mover *surface;
    int surface_body;
} tr_sides;

tr_sides tr_sides_of(tr_mover *const movers[2], const int body[2]);

/* An empty block; NULL when the list is full. */
tr_block *tr_block_append(tr_block_list *list, tr_block_kind kind, const tr_sides *sides);

/* What a row asks for: J V + bias + cfm lambda = 0. */
typedef struct tr_row_aim {
    double bias, cfm;
} tr_row_aim;

/* A row for the velocity along `dir` at `pos` of the first of the contact or pin over the second,
 * world; the surface's velocity joins the bias. */
void tr_block_add_push(tr_block *block, const tr_sides *sides, tr_v4 pos, tr_v4 dir,
                       tr_row_aim aim);

/* The same for the rate about `axis`. */
void tr_block_add_turn(tr_block *block, const tr_sides *sides, tr_v4 axis, tr_row_aim aim);
