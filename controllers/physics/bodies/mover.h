/* A character or a free object as the articulated stepper sees it, and the constraint blocks
 * between movers. Internal to physics/. */
#pragma once

#include "physics/kernels/kernel.h"

/* Half-angle sines and cosines beyond which a joint is near its limit, so that others cost no arc
 * tangent. */
typedef struct tr_limit_guard {
    double low;  /* hinge: sine of half the angle; ball: unused */
    double high; /* hinge: sine of half the angle; ball: its cosine */
} tr_limit_guard;

typedef struct tr_mover {
    tr_tree tree;
    tr_state free_state;     /* objects: the state in the tree's terms */
    tr_character *character; /* NULL for an object */
    tr_object *object;       /* NULL for a character */
    tr_limit_guard guard[TR_BODY_MAX];
    struct tr_lane_group *group; /* with which it steps; NULL: by itself */
    bool torque_limited;         /* any joint has a finite torque limit, */
    bool bounded;                /* and its servo acts in this step */
    bool kinematic;              /* meets the others as a surface that moves (kinematic.h) */
    bool failed;                 /* not finite in this step */
} tr_mover;

/* The blocks of one island, in a buffer that grows only when entities are added. */
typedef struct tr_block_list {
    tr_block *block;
    int count, capacity;
} tr_block_list;

typedef struct tr_block_params {
    double h, erp, max_vel;
    double cfm; /* of rows that hold something, velocity per impulse */
} tr_block_params;

/* Rows of the joints of `mover` that are at, or about to reach, their limits. */
void tr_block_add_limits(tr_block_list *list, tr_mover *mover, const tr_block_params *params);

/* Rows of a contact; joins the last block when that has the same two bodies and room. movers: [0]
 * and [1] of the contact's link, [1] NULL when static; at least one of them is free. The rows of a
 * kinematic side are left out and its velocity joins the bias; side 0 of the block is then the free
 * one. */
void tr_block_add_contact(tr_block_list *list, const tr_world *world, int contact,
                          tr_mover *const movers[2], const tr_block_params *params);

/* Rows against spin and roll, for the contacts among the blocks in the list whose shapes have such
 * friction. mover: those of the world. */
void tr_block_add_turning(tr_block_list *list, const tr_world *world, tr_mover *const *mover);

/* Rows of a pin: what it holds, the limits of what it leaves free, and the damping of that.
 * movers[1] is NULL for a pin to the world; a kinematic end is treated as that of a contact.
 * Returns the block of what it holds, NULL when there is no room. */
const tr_block *tr_block_add_pin(tr_block_list *list, const tr_world *world, const tr_pin *pin,
                                 tr_mover *const movers[2], const tr_block_params *params);

/* Impulses push and stay within the cone of friction. */
void tr_block_must_hold(const tr_block *block, tr_invariant *broken);
