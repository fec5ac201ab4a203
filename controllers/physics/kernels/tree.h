/* One articulated body: the constants of its links, and the workspace of a step.
 *
 * A free object is a tree of one link. The workspace is derived from the state at each step and is
 * no part of a snapshot. Internal to physics/.
 *
 * Symbols of the derivation at tree.c: O origin (root centre of mass at the start of the step), r
 * joint centre from O, S joint axes, V spatial velocity, c coriolis, I articulated inertia, p bias
 * force, U = I S, D = S^T U + servo, W = U D^-1, u joint force left over, a spatial acceleration,
 * alpha joint acceleration. */
#pragma once

#include "physics/scene/scene.h"

typedef struct tr_tree_link {
    int parent;
    int dof;     /* 6 for the root, 3 for a ball, 1 for a hinge or a slide */
    bool slides; /* along the axis, instead of turning about it */
    bool turned; /* the joint frame is not the parent's */
    double mass;
    tr_v4 axis;        /* hinge, slide, joint frame */
    tr_v4 from_parent; /* joint centre from the parent's centre of mass, parent axes */
    /* Joint centre from the own centre of mass, own axes; of the root, its origin from there. */
    tr_v4 from_child;
    tr_m3 rest;    /* joint frame to parent axes */
    tr_m3 inertia; /* about the centre of mass, body axes */
    bool bounded;  /* the servo's torque has bounds: */
    /* the most below and above 0, N m (a slide's: N), by axes of the joint, or the only one;
     * INFINITY: none */
    tr_v4 bound[2];
} tr_tree_link;

/* The servo of one joint in this step, joint frame: torque = open * (spring - stiff * rate') +
 * fixed, with rate' the rate at the end of the step. `open` is 1 on axes that follow the law and 0
 * on saturated ones, which carry their limit in `fixed`. */
typedef struct tr_servo {
    tr_v4 spring; /* kp times the error, plus the feed-forward torque */
    tr_v4 open, fixed;
    double stiff; /* kd + h kp */
    bool saturated;
} tr_servo;

/* Groups of four that hold the six numbers of each touched body, one after the other. */
enum { TR_TOUCH_GROUPS = (6 * TR_BODY_MAX + 7) / 4 };

struct tr_tree_lanes;

typedef struct tr_tree {
    int count;
    /* Which lane of which workspace has the placement, all but the frames; NULL: it is here. */
    const struct tr_tree_lanes *lanes;
    int lane;
    tr_frame *frame; /* [count], the owner's */
    tr_state *state; /* the owner's */
    tr_tree_link link[TR_BODY_MAX];
    /* [count]: the bodies by their distance from the root, those of one distance by index. Passes along
     * the joints visit them in this order, because neighbours in it do not wait for each other, as
     * parent and child do. Backwards, a body still has its children in the order of their indices. */
    int outward[TR_BODY_MAX];
    /* Those at distance d: outward[level[d]] to outward[level[d + 1] - 1]. */
    int level[TR_BODY_MAX + 1], level_count;
    tr_servo servo[TR_BODY_MAX];
    const tr_push *push; /* [push_count]: those of the whole world */
    int push_count;      /* 0: none acts on this tree */
    tr_entity_id entity; /* on which they act here */
    bool alone; /* nothing that moves touches it: contacts, limits and pins only take energy */
    double linear_damping, angular_damping; /* of the root, 1/s */

    /* place: [count] */
    tr_m3 joint_axes[TR_BODY_MAX];    /* joint frame to world */
    tr_v4 joint_pos[TR_BODY_MAX];     /* world */
    tr_m3 inertia_world[TR_BODY_MAX]; /* about the centre of mass */

    /* predict */
    tr_v4 origin, gravity;
    tr_v4 r[TR_BODY_MAX];
    tr_v4 axis_world[TR_BODY_MAX]; /* hinge, slide */
    tr_spatial velocity[TR_BODY_MAX], coriolis[TR_BODY_MAX], bias[TR_BODY_MAX], accel[TR_BODY_MAX];
    tr_spatial_matrix inertia[TR_BODY_MAX];
    tr_spatial u_axes[TR_BODY_MAX][3], w_axes[TR_BODY_MAX][3];
    tr_m3 d_inverse[TR_BODY_MAX]; /* of one axis: column[0][0] */
    tr_v4 joint_force[TR_BODY_MAX], alpha[TR_BODY_MAX];
    tr_spatial_matrix root_inverse;
    tr_spatial momentum; /* about O, that the step must end with */
    tr_v4 centre;        /* sum of mass times place from O, before the step */

    /* couple: touched bodies are those with constraint rows */
    int touched_count, path_count;
    int touched[TR_BODY_MAX];    /* body of slot */
    int slot[TR_BODY_MAX];       /* of body, -1 when untouched */
    int path[TR_BODY_MAX];       /* bodies between touched ones and the root, parents first */
    int path_index[TR_BODY_MAX]; /* of body, -1 off the path */
    /* [path_count][path_count] by rows: along[a][b].column[i] is row i of Omega_ab */
    tr_spatial_matrix *along;
    /* [touched_count][6][tr_tree_stride]: velocities of all slots per component of the impulse on one */
    double *response;
    tr_v4 touch_velocity[TR_TOUCH_GROUPS]; /* of the slots, kept up to date by the solver */
    tr_spatial impulse[TR_BODY_MAX];       /* of slot, sum over rows, N s */
    /* The solver's search, by slots: after the last sweep, and from where it continues. */
    tr_v4 swept_velocity[TR_TOUCH_GROUPS], course_velocity[TR_TOUCH_GROUPS];
    tr_spatial swept_impulse[TR_BODY_MAX], course_impulse[TR_BODY_MAX];
} tr_tree;

/* Numbers in a row of `response`: whole groups, and room for one group of zeros at the end. */
static inline int tr_tree_stride(int touched_count) {
    return (6 * touched_count + 7) & ~3;
}

/* Velocity of body `to` per impulse on body `from`, both touched: along holds one of each pair. */
TR_INLINE tr_spatial_matrix tr_tree_response(const tr_tree *tree, int to, int from) {
    int a = tree->path_index[to], b = tree->path_index[from], n = tree->path_count;
    return a > b ? tr_spatial_matrix_transpose(&tree->along[a * n + b]) : tree->along[b * n + a];
}

/* The sum of the pushes on body i about its centre of mass, world axes. */
TR_INLINE tr_spatial tr_tree_push_on(const tr_tree *tree, int i) {
    const tr_frame *frame = &tree->frame[i];
    tr_spatial sum = tr_spatial_zero();
    for (int k = 0; k < tree->push_count; k++) {
        const tr_push *push = &tree->push[k];
        if (push->entity != tree->entity || push->body != i)
            continue;
        tr_v4 arm = frame->column[0] * push->point.x + frame->column[1] * push->point.y +
                    frame->column[2] * push->point.z;
        tr_v4 force = tr_v4_from(push->force);
        sum.ang += tr_v4_cross(arm, force);
        sum.lin += force;
    }
    return sum;
}

/* Rate, rad per step, from which the energy of a step is held to account. The velocity products
 * are taken at the beginning of the step; where a joint turns far within one they multiply energy
 * instead of turning it. Hardly any motion of a person is as fast (at 5 ms this is 20 rad/s). */
static const double TR_TREE_FAST = 0.1;

/* By this share a torque may exceed its bound before its axis saturates. */
static const double TR_SERVO_SLACK = 1e-9;

/* Constants that the kernels take from the world. */
typedef struct tr_step_params {
    double h;
    tr_v4 gravity;
} tr_step_params;
