/* The numerical kernels: tree.c, tree_lanes.c, solver.c, servo_law.c and bounds.c, compiled once per
 * instruction set and chosen at run time.
 *
 * All variants give the same bits: the same operations in the same order, without contraction.
 *
 * Why these two, by one humanoid standing with moving targets (12 contacts, 5 ms, one core of a
 * Xeon at 2.5 GHz that has all of them, microseconds a step, median of 9 runs):
 *
 *     gcc 12    SSE2 49.3    AVX 16.2    AVX2 15.3    AVX-512 16.7, with other bits
 *     clang 14  SSE2 18.7, the same bits
 *
 * AVX-512 gains nothing for vectors of four, and 3 % of learning at most for eight characters side by
 * side (controllers/log/2026-11-30-eight-lanes.md). It always comes with fused multiply-add, which gcc
 * 12 emits even under -ffp-contract=off, unless -fno-tree-slp-vectorize forbids it. SSE2 is for processors
 * from before 2013; gcc keeps vectors of 32 bytes in memory there, clang does not and is better.
 *
 * Internal to physics/. */
#pragma once

#include "physics/kernels/solver.h"
#include "physics/kernels/tree_lanes.h"

typedef struct tr_tree_kernel {
    /* Frames, joint axes and world inertias from the state. */
    void (*place)(tr_tree *tree);
    /* Accelerations without constraint rows, and the factorisation that the rest uses. False: not
     * finite. */
    bool (*predict)(tr_tree *tree, const tr_step_params *params);
    /* Operational-space inertia between the touched bodies: those with slot[body] >= 0. */
    void (*couple)(tr_tree *tree, double h);
    /* Accelerations changed by the impulses on the touched bodies. False: not finite. */
    bool (*respond)(tr_tree *tree, double h);
    /* Integrates the state by h, puts back the momentum, and places. */
    void (*advance)(tr_tree *tree, double h);
} tr_tree_kernel;

/* The same for up to four trees of one model side by side. lanes: a set of lanes, bit k is lane k. */
typedef struct tr_tree_lanes_kernel {
    /* tree: [count], whose servos have all axes open. Returns the lanes that are finite. */
    tr_lane_set (*predict)(tr_tree_lanes *lanes, tr_tree *const *tree, int count,
                           const tr_step_params *params);
    /* Brings to the trees what the constraint rows and `couple` of a tree read. Sets of bodies:
     *   path:    those on the paths from touched ones to the root, of any tree
     *   touched: those with constraint rows, of any tree */
    void (*share)(const tr_tree_lanes *lanes, tr_body_set path, tr_body_set touched);
    /* touched: the lanes with constraint rows. Returns the lanes that are finite. */
    tr_lane_set (*respond)(tr_tree_lanes *lanes, tr_lane_set touched, double h);
    /* The lanes in which a servo's law exceeds a bound, so that `saturate` would change the tree. */
    tr_lane_set (*strained)(const tr_tree_lanes *lanes, double h);
    /* Brings to the tree of lane k its placement and the accelerations of its joints. */
    void (*lend)(const tr_tree_lanes *lanes, int k);
    /* Steps the lanes of `wanted`. Returns those of them that it left unchanged, because they
     * move so fast that only the kernel of one tree can finish their step. */
    tr_lane_set (*advance)(tr_tree_lanes *lanes, tr_lane_set wanted, double h);
} tr_tree_lanes_kernel;

/* What the servos of a body are to do in a step, [count] each.
 *   target:      NULL: they do not follow any
 *   kp, kd:      N m/rad, N m s/rad
 *   feedforward: N m, joint frame; NULL: none */
typedef struct tr_servo_order {
    const tr_quat *target;
    const double *kp, *kd;
    const tr_vec3 *feedforward;
} tr_servo_order;

enum { TR_SERVO_PASSES = 6 };

typedef struct tr_servo_kernel {
    /* Sets tree->servo for a step of h, with every axis open. */
    void (*aim)(tr_tree *tree, const tr_servo_order *order, double h);
    /* Adapts the set of saturated axes to the accelerations: an axis whose law exceeds its bound
     * carries the bound instead, and one whose law is within the bound again is released. pass: 0 to
     * TR_SERVO_PASSES within a step; after the first two the set only grows, and in the last every bounded
     * axis is closed, so that no torque exceeds its bound. True: it changed; predict again. */
    bool (*saturate)(tr_tree *tree, double h, int pass);
    /* Torques of the step that has just been made, joint frame; the rates are the new ones.
     * out_torque: [count], without the root. */
    void (*report)(const tr_tree *tree, tr_vec3 *out_torque);
} tr_servo_kernel;

/* The world boxes of the shapes of one mover, [axis][shape], and the box around them all. */
typedef struct tr_boxes {
    double low[3][TR_GEOM_MAX], high[3][TR_GEOM_MAX];
    double whole_low[3], whole_high[3];
} tr_boxes;

/* A shape where its body is. */
typedef struct tr_shape {
    const tr_collider *collider;
    const tr_frame *frame;
} tr_shape;

typedef struct tr_bounds_kernel {
    /* The boxes of `count` shapes, also into the colliders. frame: by body. */
    void (*bound)(tr_collider *collider, int count, const tr_frame *frame, tr_boxes *out);
    /* Those shapes among the set bits of `among` whose boxes overlap the box from low to high. */
    uint64_t (*near)(const tr_boxes *boxes, const double low[3], const double high[3],
                     uint64_t among);
    /* True: surely the two do not touch, and ODE would find no contact. False: ask ODE. */
    bool (*apart)(const tr_shape *a, const tr_shape *b);
} tr_bounds_kernel;

/* Makes the impulses of the blocks and adds them to `impulse` of their trees. */
typedef tr_solve_result tr_solver_relax_fn(tr_block *blocks, int count,
                                           const tr_solve_params *params);

typedef struct tr_kernel {
    const char *name; /* "sse2", "avx2" */
    const tr_tree_kernel *tree;
    const tr_tree_lanes_kernel *lanes;
    const tr_servo_kernel *servo;
    const tr_bounds_kernel *bounds;
    tr_solver_relax_fn *relax;
} tr_kernel;

/* math/instructions.h. */
const tr_kernel *tr_kernel_choose(void);
