/* The O(n) stepper of one articulated body with its PD servos inside, implicitly.
 *
 * All spatial quantities are in world axes about one point O, the root's centre of mass at the
 * start of the step. Body i with parent p moves by
 *     V_i = V_p + S_i w_i,      a_i = a_p + c_i + S_i alpha_i,      c_i = dS_i/dt w_i
 * where the columns of S are [s; r x s] for the joint axes s through the joint centre r. For a ball
 * the axes are the world's, so S F = F.ang - r x F.lin and no dot product is needed. The column of a
 * slide is [0; s].
 *
 * A servo holds the torque tau = kp (q_hat - q') - kd w' at the END of the step, where
 * q' = q + h w' and w' = w + h alpha. With err = q_hat - q that is
 *     tau = kp err - (kd + h kp) w - h (kd + h kp) alpha.
 * The last term is linear in alpha and joins the joint's inertia. Featherstone's articulated-body
 * algorithm then reads, from the leaves to the root (I starts as the body's own spatial inertia, p
 * as V x* I V - gravity - pushes):
 *     U = I S       D = S^T U + h (kd + h kp)       W = U D^-1
 *     u = kp err - (kd + h kp) w - S^T p
 *     I_p += I - W U^T                              p_p += p + (I - W U^T) c + W u
 * and from the root to the leaves  alpha = D^-1 u - W^T (a_p + c).
 * D couples parent and child as it must: adding h (kd + h kp) to each body's own inertia instead
 * would be stable too, but a flying character would then hardly answer to torques. Saturated axes
 * leave the term out and carry a constant.
 *
 * Constraint impulses f on some bodies change the velocities through the operational-space inertia
 * Omega_ij (velocity of i per impulse on j). With P_i = 1 - W_i S_i^T,
 *     Omega_00 = I_0^-1,   Omega_ij = P_i^T Omega_pj (j before i),
 *     Omega_ii = P_i^T Omega_pi + S_i D_i^-1 S_i^T.
 *
 * References: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 7 and 2; the stable
 * implicit servo is the one of Liu et al. 2015 ("implicit damping"), here implicit in kp as
 * well. */
#include "physics/kernels/kernel_name.h"
#include "physics/spatial/rotation_lanes.h"

#include <string.h>

/* S a, for a motion `along` of joint i in world axes, its centre at r from O. */
TR_INLINE tr_spatial joint_motion(const tr_tree *tree, int i, tr_v4 r, tr_v4 along) {
    if (tree->link[i].slides)
        return (tr_spatial){tr_v4_zero(), along};
    return (tr_spatial){along, tr_v4_cross(r, along)};
}

/* S^T f by world axes. */
TR_INLINE tr_v4 joint_part(const tr_tree *tree, int i, tr_spatial f) {
    return tree->link[i].slides ? f.lin : f.ang - tr_v4_cross(tree->r[i], f.lin);
}

/* --- place --- */

static tr_m3 matrix_of(tr_quat q) {
    double x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    double xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (tr_m3){{tr_v4_make(1 - (yy + zz), xy + wz, xz - wy),
                    tr_v4_make(xy - wz, 1 - (xx + zz), yz + wx),
                    tr_v4_make(xz + wy, yz - wx, 1 - (xx + yy))}};
}

static tr_m3 rotation_of(const tr_frame *frame) {
    return (tr_m3){{frame->column[0], frame->column[1], frame->column[2]}};
}

static void set_rotation(tr_frame *frame, const tr_m3 *r) {
    for (int k = 0; k < 3; k++)
        frame->column[k] = r->column[k];
}

/* matrix_of for every joint. */
TR_INLINE void set_local(const tr_tree *tree, tr_m3 *out) {
    for (int i = 1; i < tree->count; i += 4) {
        tr_lane_bodies at = tr_lane_bodies_from(i, tree->count);
        tr_quat_lanes q = tr_gather_quat(tree->state->pose.joint, at);
        tr_v4 x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
        tr_v4 xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
        tr_v4 xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
        tr_v4 wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
        tr_v4 column[3][4] = {{1 - (yy + zz), xy + wz, xz - wy, tr_v4_zero()},
                              {xy - wz, 1 - (xx + zz), yz + wx, tr_v4_zero()},
                              {xz + wy, yz - wx, 1 - (xx + yy), tr_v4_zero()}};
        for (int c = 0; c < 3; c++) {
            tr_v4_transpose(column[c]);
            for (int k = 0; k < 4; k++)
                out[at.body[k]].column[c] = column[c][k];
        }
    }
}

static void place(tr_tree *tree) {
    const tr_pose *pose = &tree->state->pose;
    tr_m3 local[TR_BODY_MAX];
    tree->lanes = NULL;
    set_local(tree, local);
    for (int k = 0; k < tree->count; k++) {
        int i = tree->outward[k];
        const tr_tree_link *link = &tree->link[i];
        tr_frame *frame = &tree->frame[i];
        tr_m3 r;
        if (i == 0) {
            r = matrix_of(pose->root_rot);
            frame->com = tr_v4_from(pose->root_pos) - tr_m3_apply(&r, link->from_child);
        } else {
            const tr_frame *parent = &tree->frame[link->parent];
            tr_m3 parent_rot = rotation_of(parent);
            tree->joint_axes[i] =
                link->turned ? tr_m3_multiply(&parent_rot, &link->rest) : parent_rot;
            tree->joint_pos[i] = parent->com + tr_m3_apply(&parent_rot, link->from_parent);
            if (link->slides) {
                double way = tr_rotation_angle(pose->joint[i], tr_v4_to(link->axis));
                r = tree->joint_axes[i];
                tree->joint_pos[i] += tr_m3_apply(&r, link->axis * way);
            } else {
                r = tr_m3_multiply(&tree->joint_axes[i], &local[i]);
            }
            frame->com = tree->joint_pos[i] - tr_m3_apply(&r, link->from_child);
        }
        set_rotation(frame, &r);
        tree->inertia_world[i] = tr_m3_rotate_tensor(&r, &link->inertia);
    }
}

/* --- predict --- */

/* Spatial inertia about O of a body at c: [Ic + m (c.c - c c^T), m [c]x; m [c]x^T, m]. */
TR_INLINE tr_spatial_matrix body_inertia(const tr_m3 *about_com, double m, tr_v4 c) {
    tr_v4 mc = c * m;
    double cc = tr_v4_dot(c, mc);
    tr_spatial_matrix out;
    for (int j = 0; j < 3; j++) {
        tr_v4 unit = tr_v4_zero();
        unit[j] = 1;
        tr_v4 lever = tr_v4_cross(unit, mc);
        out.column[j].ang = about_com->column[j] + unit * cc - mc * c[j];
        out.column[j].lin = lever;
        out.column[3 + j].ang = -lever;
        out.column[3 + j].lin = unit * m;
    }
    return out;
}

/* Linear velocity of the body point at O, for a body whose point at r moves with v. */
TR_INLINE tr_spatial spatial_velocity(tr_v4 omega, tr_v4 v, tr_v4 r) {
    return (tr_spatial){omega, v + tr_v4_cross(r, omega)};
}

/* V, c, and u before the bias force is known. */
static void enter_joint(tr_tree *tree, int i) {
    const tr_tree_link *link = &tree->link[i];
    const tr_servo *servo = &tree->servo[i];
    const tr_spatial *parent = &tree->velocity[link->parent];
    tr_v4 rate = tr_v4_from(tree->state->joint_rate[i]);
    tr_v4 relative = tr_m3_apply(&tree->joint_axes[i], rate);
    tr_v4 r = tree->joint_pos[i] - tree->origin;
    tr_v4 joint_vel = parent->lin + tr_v4_cross(parent->ang, r);
    tr_v4 turning = tr_v4_cross(parent->ang, relative);
    tree->r[i] = r;
    tree->velocity[i] = tr_spatial_add(*parent, joint_motion(tree, i, r, relative));
    tree->coriolis[i] = joint_motion(tree, i, r, turning);
    if (!link->slides)
        tree->coriolis[i].lin = tr_v4_cross(joint_vel, relative) + tree->coriolis[i].lin;
    tr_v4 force = servo->open * (servo->spring - rate * servo->stiff) + servo->fixed;
    if (link->dof == 3) {
        tree->joint_force[i] = tr_m3_apply(&tree->joint_axes[i], force);
    } else {
        tree->axis_world[i] = tr_m3_apply(&tree->joint_axes[i], link->axis);
        tree->joint_force[i] = (tr_v4){tr_v4_dot(link->axis, force), 0, 0, 0};
    }
}

/* I, p and the momentum that the step must end with. */
static void enter_body(tr_tree *tree, int i, const tr_step_params *params) {
    double m = tree->link[i].mass;
    tr_v4 c = tree->frame[i].com - tree->origin;
    tr_spatial v = tree->velocity[i];
    tree->inertia[i] = body_inertia(&tree->inertia_world[i], m, c);
    tr_v4 p = (v.lin + tr_v4_cross(v.ang, c)) * m;
    tr_v4 l = tr_m3_apply(&tree->inertia_world[i], v.ang) + tr_v4_cross(c, p);
    tr_v4 weight = params->gravity * m;
    tr_spatial outside = {tr_v4_cross(c, weight), weight};
    if (tree->push_count > 0) {
        tr_spatial push = tr_tree_push_on(tree, i);
        outside.ang += push.ang + tr_v4_cross(c, push.lin);
        outside.lin += push.lin;
    }
    tree->bias[i].ang = tr_v4_cross(v.ang, l) + tr_v4_cross(v.lin, p) - outside.ang;
    tree->bias[i].lin = tr_v4_cross(v.ang, p) - outside.lin;
    tree->momentum.ang += l + outside.ang * params->h;
    tree->momentum.lin += p + outside.lin * params->h;
    tree->centre += c * m;
}

/* h (kd + h kp) on the open axes, in world axes. */
static tr_m3 servo_stiffness(const tr_tree *tree, int i, double h) {
    const tr_servo *servo = &tree->servo[i];
    double s = h * servo->stiff;
    tr_m3 out = {{{s, 0, 0, 0}, {0, s, 0, 0}, {0, 0, s, 0}}};
    if (servo->saturated) {
        tr_v4 open = servo->open * s;
        tr_m3 diagonal = {{{open[0], 0, 0, 0}, {0, open[1], 0, 0}, {0, 0, open[2], 0}}};
        out = tr_m3_rotate_tensor(&tree->joint_axes[i], &diagonal);
    }
    return out;
}

/* Adds the rest of a child's inertia and bias to its parent: I - W U^T, and
 * p + (I - W U^T) c + W u. */
TR_INLINE void hand_up(tr_tree *tree, int i, int dof) {
    const tr_spatial *u = tree->u_axes[i], *w = tree->w_axes[i];
    tr_spatial_matrix *own = &tree->inertia[i], *parent = &tree->inertia[tree->link[i].parent];
    for (int j = 0; j < 6; j++) {
        tr_spatial column = own->column[j];
        for (int k = 0; k < dof; k++)
            column = tr_spatial_sub_scaled(column, tr_spatial_get(u[k], j), w[k]);
        own->column[j] = column;
        parent->column[j] = tr_spatial_add(parent->column[j], column);
    }
    tr_spatial p = tr_spatial_matrix_apply(own, tree->coriolis[i]);
    for (int k = 0; k < dof; k++)
        p = tr_spatial_add_scaled(p, tree->joint_force[i][k], w[k]);
    tr_spatial *up = &tree->bias[tree->link[i].parent];
    *up = tr_spatial_add(*up, tr_spatial_add(tree->bias[i], p));
}

/* U, D^-1 and u. */
static void open_ball(tr_tree *tree, int i, double h) {
    const tr_spatial *column = tree->inertia[i].column;
    tr_spatial *u = tree->u_axes[i];
    tr_v4 r = tree->r[i];
    u[0] =
        tr_spatial_sub_scaled(tr_spatial_add_scaled(column[0], r[2], column[4]), r[1], column[5]);
    u[1] =
        tr_spatial_sub_scaled(tr_spatial_add_scaled(column[1], r[0], column[5]), r[2], column[3]);
    u[2] =
        tr_spatial_sub_scaled(tr_spatial_add_scaled(column[2], r[1], column[3]), r[0], column[4]);
    tr_m3 d = servo_stiffness(tree, i, h);
    for (int k = 0; k < 3; k++)
        d.column[k] += u[k].ang - tr_v4_cross(r, u[k].lin);
    tree->d_inverse[i] = tr_m3_inverse_symmetric(&d);
    tree->joint_force[i] -= tree->bias[i].ang - tr_v4_cross(r, tree->bias[i].lin);
}

static void leave_ball(tr_tree *tree, int i) {
    const tr_spatial *u = tree->u_axes[i];
    tr_spatial *w = tree->w_axes[i];
    for (int k = 0; k < 3; k++) {
        tr_v4 c = tree->d_inverse[i].column[k];
        w[k].ang = u[0].ang * c[0] + u[1].ang * c[1] + u[2].ang * c[2];
        w[k].lin = u[0].lin * c[0] + u[1].lin * c[1] + u[2].lin * c[2];
    }
    hand_up(tree, i, 3);
}

static void open_axis(tr_tree *tree, int i, double h) {
    tr_spatial s = joint_motion(tree, i, tree->r[i], tree->axis_world[i]);
    tr_spatial u = tr_spatial_matrix_apply(&tree->inertia[i], s);
    double open = tree->servo[i].open[0]; /* saturates as a whole */
    double d = 1.0 / (tr_spatial_dot(s, u) + h * tree->servo[i].stiff * open);
    tree->u_axes[i][0] = u;
    tree->d_inverse[i].column[0] = (tr_v4){d, 0, 0, 0};
    tree->joint_force[i][0] -= tr_spatial_dot(s, tree->bias[i]);
}

static void leave_axis(tr_tree *tree, int i) {
    tree->w_axes[i][0] = tr_spatial_scale(tree->u_axes[i][0], tree->d_inverse[i].column[0][0]);
    hand_up(tree, i, 1);
}

/* From the leaves to the root, distance by distance: the inverses of one distance do not wait for
 * each other. */
static void leave_joints(tr_tree *tree, double h) {
    for (int d = tree->level_count - 1; d > 0; d--) {
        int first = tree->level[d], last = tree->level[d + 1] - 1;
        for (int k = last; k >= first; k--) {
            int i = tree->outward[k];
            if (tree->link[i].dof == 3)
                open_ball(tree, i, h);
            else
                open_axis(tree, i, h);
        }
        for (int k = last; k >= first; k--) {
            int i = tree->outward[k];
            if (tree->link[i].dof == 3)
                leave_ball(tree, i);
            else
                leave_axis(tree, i);
        }
    }
}

/* alpha = D^-1 (force - U^T a) for `a` that already holds c; returns a + S alpha. */
TR_INLINE tr_spatial descend(const tr_tree *tree, int i, tr_v4 force, tr_spatial a,
                             tr_v4 *out_alpha) {
    const tr_spatial *u = tree->u_axes[i];
    if (tree->link[i].dof == 3) {
        tr_v4 left = force - tr_v4_sums(u[0].ang * a.ang + u[0].lin * a.lin,
                                        u[1].ang * a.ang + u[1].lin * a.lin,
                                        u[2].ang * a.ang + u[2].lin * a.lin);
        tr_v4 alpha = tr_m3_apply(&tree->d_inverse[i], left);
        *out_alpha = alpha;
        return (tr_spatial){a.ang + alpha, a.lin + tr_v4_cross(tree->r[i], alpha)};
    }
    double alpha = tree->d_inverse[i].column[0][0] * (force[0] - tr_spatial_dot(u[0], a));
    *out_alpha = (tr_v4){alpha, 0, 0, 0};
    return tr_spatial_add(a, joint_motion(tree, i, tree->r[i], tree->axis_world[i] * alpha));
}

/* A motion too fast for its sums to have correct digits counts as not finite. */
static bool accelerations_usable(const tr_tree *tree) {
    tr_v4 sum = tree->accel[0].ang * tree->accel[0].ang + tree->accel[0].lin * tree->accel[0].lin;
    for (int i = 1; i < tree->count; i++)
        sum += tree->alpha[i] * tree->alpha[i];
    return tr_v4_sum(sum) < 1e20;
}

static bool predict(tr_tree *tree, const tr_step_params *params) {
    const tr_state *state = tree->state;
    tree->origin = tree->frame[0].com;
    tree->gravity = params->gravity;
    tree->momentum = tr_spatial_zero();
    tree->centre = tr_v4_zero();
    tree->touched_count = 0;
    tr_v4 root_pos = tr_v4_from(state->pose.root_pos) - tree->origin;
    tree->velocity[0] =
        spatial_velocity(tr_v4_from(state->root_omega), tr_v4_from(state->root_vel), root_pos);
    for (int k = 1; k < tree->count; k++)
        enter_joint(tree, tree->outward[k]);
    for (int i = 0; i < tree->count; i++)
        enter_body(tree, i, params);
    leave_joints(tree, params->h);
    tree->root_inverse = tr_spatial_matrix_inverse(&tree->inertia[0]);
    tr_spatial zero = tr_spatial_zero();
    tree->accel[0] =
        tr_spatial_sub(zero, tr_spatial_matrix_apply(&tree->root_inverse, tree->bias[0]));
    for (int k = 1; k < tree->count; k++) {
        int i = tree->outward[k];
        tr_spatial a = tr_spatial_add(tree->accel[tree->link[i].parent], tree->coriolis[i]);
        tree->accel[i] = descend(tree, i, tree->joint_force[i], a, &tree->alpha[i]);
    }
    return accelerations_usable(tree);
}

/* --- couple --- */

/* P_i^T X = X - S (W^T X), X given by rows. */
TR_INLINE void propagate(const tr_tree *tree, int i, const tr_spatial_matrix *x,
                         tr_spatial_matrix *restrict out) {
    const tr_spatial *w = tree->w_axes[i], *row = x->column;
    int dof = tree->link[i].dof;
    tr_v4 r = tree->r[i];
    tr_spatial t[3];
    for (int d = 0; d < dof; d++) {
        tr_spatial sum = tr_spatial_scale(row[0], w[d].ang[0]);
        for (int k = 1; k < 6; k++)
            sum = tr_spatial_add_scaled(sum, tr_spatial_get(w[d], k), row[k]);
        t[d] = sum;
    }
    tr_spatial *column = out->column;
    if (dof == 1) {
        tr_spatial s = joint_motion(tree, i, r, tree->axis_world[i]);
        for (int k = 0; k < 3; k++) {
            column[k] = tr_spatial_sub_scaled(row[k], s.ang[k], t[0]);
            column[3 + k] = tr_spatial_sub_scaled(row[3 + k], s.lin[k], t[0]);
        }
        return;
    }
    for (int k = 0; k < 3; k++)
        column[k] = tr_spatial_sub(row[k], t[k]);
    column[3] = tr_spatial_sub_scaled(tr_spatial_add_scaled(row[3], r[2], t[1]), r[1], t[2]);
    column[4] = tr_spatial_sub_scaled(tr_spatial_add_scaled(row[4], r[0], t[2]), r[2], t[0]);
    column[5] = tr_spatial_sub_scaled(tr_spatial_add_scaled(row[5], r[1], t[0]), r[0], t[1]);
}

/* x += S D^-1 S^T */
TR_INLINE void add_joint_mobility(const tr_tree *tree, int i, tr_spatial_matrix *x) {
    tr_v4 r = tree->r[i];
    int dof = tree->link[i].dof;
    for (int d = 0; d < dof; d++) {
        tr_v4 axis = tr_v4_zero(), turn;
        if (dof == 3) {
            axis[d] = 1;
            turn = tree->d_inverse[i].column[d];
        } else {
            axis = tree->axis_world[i];
            turn = axis * tree->d_inverse[i].column[0][0];
        }
        tr_spatial s = joint_motion(tree, i, r, axis), t = joint_motion(tree, i, r, turn);
        for (int k = 0; k < 6; k++)
            x->column[k] = tr_spatial_add_scaled(x->column[k], tr_spatial_get(t, k), s);
    }
}

/* Slots in body order, and the bodies from them to the root. */
static void find_path(tr_tree *tree) {
    bool on_path[TR_BODY_MAX] = {false};
    tree->touched_count = tree->path_count = 0;
    for (int i = tree->count - 1; i >= 0; i--) {
        if (tree->slot[i] >= 0)
            on_path[i] = true;
        if (i > 0 && on_path[i])
            on_path[tree->link[i].parent] = true;
    }
    for (int i = 0; i < tree->count; i++) {
        if (tree->slot[i] >= 0) {
            tree->slot[i] = tree->touched_count;
            tree->touched[tree->touched_count++] = i;
        }
        tree->path_index[i] = on_path[i] ? tree->path_count : -1;
        if (on_path[i])
            tree->path[tree->path_count++] = i;
    }
}

/* Marks the blocks [a][b], b <= a, bit b of needed[a], that the touched pairs are made of: Omega_ab
 * comes from Omega_pb, p the parent of a. */
static void mark_needed(const tr_tree *tree, tr_body_set *needed) {
    int n = tree->path_count;
    tr_body_set touched = 0;
    for (int a = 0; a < n; a++) {
        bool is_touched = tree->slot[tree->path[a]] >= 0;
        touched |= (tr_body_set)is_touched << a;
        needed[a] = is_touched ? touched : 0;
    }
    for (int a = n - 1; a > 0; a--) {
        int p = tree->path_index[tree->link[tree->path[a]].parent];
        needed[a] |= (needed[a] >> a & 1) << p;
        tr_body_set others = needed[a] & (TR_BODY_BIT(a) - 1);
        tr_body_set up_to_parent = 2 * TR_BODY_BIT(p) - 1;
        needed[p] |= others & up_to_parent;
        for (tr_body_set left = others & ~up_to_parent; left; left &= left - 1)
            needed[__builtin_ctzll(left)] |= TR_BODY_BIT(p);
    }
}

/* Omega along the paths, in the order of the recursion at the top of this file. */
static void set_along(tr_tree *tree) {
    tr_body_set needed[TR_BODY_MAX];
    int n = tree->path_count;
    tr_spatial_matrix *along = tree->along;
    mark_needed(tree, needed);
    along[0] = tree->root_inverse;
    for (int a = 1; a < n; a++) {
        int i = tree->path[a], p = tree->path_index[tree->link[i].parent];
        for (tr_body_set left = needed[a] & (TR_BODY_BIT(a) - 1); left; left &= left - 1) {
            int b = __builtin_ctzll(left);
            if (p >= b) {
                propagate(tree, i, &along[p * n + b], &along[a * n + b]);
            } else {
                tr_spatial_matrix other = tr_spatial_matrix_transpose(&along[b * n + p]);
                propagate(tree, i, &other, &along[a * n + b]);
            }
        }
        if (!(needed[a] >> a & 1))
            continue;
        tr_spatial_matrix to_parent = tr_spatial_matrix_transpose(&along[a * n + p]);
        propagate(tree, i, &to_parent, &along[a * n + a]);
        add_joint_mobility(tree, i, &along[a * n + a]);
    }
}

/* Velocity of body i at the end of the step without constraints, such that its value at a lever
 * from the centre of mass is what a point there will have: the centre's own acceleration is
 * a + omega x v. Leaving the second term out would ask for the velocity at the fixed place in space
 * instead, and sink a rolling ball. */
static tr_spatial end_velocity(const tr_tree *tree, int i, double h) {
    tr_spatial v = tree->velocity[i];
    tr_v4 com_vel = v.lin + tr_v4_cross(v.ang, tree->frame[i].com - tree->origin);
    tr_spatial out = tr_spatial_add_scaled(v, h, tree->accel[i]);
    out.lin += tr_v4_cross(v.ang, com_vel) * h;
    return out;
}

/* Six numbers to `out`, and any one after them. */
TR_INLINE void store_six(tr_spatial from, double *out) {
    tr_v4_store(from.ang, out);
    tr_v4_store(from.lin, out + 3);
}

/* What slot `to` answers to an impulse on slot `from`; those of one `from` in the order of `to`. */
TR_INLINE void store_response(tr_tree *tree, int to, int from, const tr_spatial_matrix *block) {
    int stride = tr_tree_stride(tree->touched_count);
    double *out = tree->response + 6 * (from * stride + to);
    for (int k = 0; k < 6; k++)
        store_six(block->column[k], out + k * stride);
}

static void couple(tr_tree *tree, double h) {
    find_path(tree);
    set_along(tree);
    int n = tree->path_count, m = tree->touched_count, stride = tr_tree_stride(m);
    double *velocity = (double *)tree->touch_velocity;
    for (int a = 0; a < m; a++) {
        int i = tree->touched[a];
        const tr_spatial_matrix *along = &tree->along[tree->path_index[i] * n];
        for (int b = 0; b < a; b++) {
            const tr_spatial_matrix *block = &along[tree->path_index[tree->touched[b]]];
            tr_spatial_matrix back = tr_spatial_matrix_transpose(block);
            store_response(tree, b, a, block);
            store_response(tree, a, b, &back);
        }
        store_response(tree, a, a, &along[tree->path_index[i]]);
        store_six(end_velocity(tree, i, h), velocity + 6 * a);
        tree->impulse[a] = tr_spatial_zero();
    }
    for (int k = 0; k < 6 * m; k++)
        tr_v4_store(tr_v4_zero(), tree->response + k * stride + 6 * m);
    tr_v4_store(tr_v4_zero(), velocity + 6 * m);
}

/* --- respond --- */

static bool respond(tr_tree *tree, double h) {
    tr_spatial force[TR_BODY_MAX], change[TR_BODY_MAX];
    tr_v4 joint[TR_BODY_MAX];
    for (int a = 0; a < tree->path_count; a++)
        force[tree->path[a]] = tr_spatial_zero();
    for (int a = 0; a < tree->touched_count; a++) {
        force[tree->touched[a]] = tr_spatial_scale(tree->impulse[a], -1.0 / h);
        tree->momentum = tr_spatial_add(tree->momentum, tree->impulse[a]);
    }
    for (int n = tree->count - 1; n > 0; n--) {
        int i = tree->outward[n];
        joint[i] = tr_v4_zero();
        if (tree->path_index[i] < 0)
            continue;
        tr_spatial up = force[i];
        tr_v4 moment = joint_part(tree, i, force[i]);
        const tr_spatial *w = tree->w_axes[i];
        if (tree->link[i].dof == 3) {
            joint[i] = -moment;
            for (int k = 0; k < 3; k++)
                up = tr_spatial_sub_scaled(up, moment[k], w[k]);
        } else {
            double along = -tr_v4_dot(tree->axis_world[i], moment);
            joint[i] = (tr_v4){along, 0, 0, 0};
            up = tr_spatial_add_scaled(up, along, w[0]);
        }
        tr_spatial *parent = &force[tree->link[i].parent];
        *parent = tr_spatial_add(*parent, up);
    }
    change[0] =
        tr_spatial_sub(tr_spatial_zero(), tr_spatial_matrix_apply(&tree->root_inverse, force[0]));
    tree->accel[0] = tr_spatial_add(tree->accel[0], change[0]);
    for (int k = 1; k < tree->count; k++) {
        int i = tree->outward[k];
        tr_v4 alpha;
        change[i] = descend(tree, i, joint[i], change[tree->link[i].parent], &alpha);
        tree->alpha[i] += alpha;
    }
    return accelerations_usable(tree);
}

/* --- advance --- */

/* The sums over the bodies of a tree, about O. */
typedef struct composite {
    tr_v4 first; /* sum of mass times place */
    tr_m3 inertia;
    tr_spatial momentum;
    double mass, energy; /* kinetic */
} composite;

/* Spatial velocity of a body about O, when its root moves with `root` and its joints turn at
 * `rate`, in the pose that `frame` and the joint axes show. */
TR_INLINE tr_spatial joint_velocity(const tr_tree *tree, int i, const tr_spatial *parent,
                                    tr_vec3 rate) {
    tr_v4 relative = tr_m3_apply(&tree->joint_axes[i], tr_v4_from(rate));
    tr_v4 r = tree->joint_pos[i] - tree->origin;
    return tr_spatial_add(*parent, joint_motion(tree, i, r, relative));
}

/* counts_energy: otherwise the energy stays 0. */
TR_INLINE composite compose(const tr_tree *tree, const tr_spatial *root, bool counts_energy) {
    tr_spatial velocity[TR_BODY_MAX];
    composite sum = {.first = tr_v4_zero(),
                     .inertia = {{tr_v4_zero(), tr_v4_zero(), tr_v4_zero()}},
                     .momentum = tr_spatial_zero()};
    velocity[0] = *root;
    for (int k = 1; k < tree->count; k++) {
        int i = tree->outward[k];
        velocity[i] =
            joint_velocity(tree, i, &velocity[tree->link[i].parent], tree->state->joint_rate[i]);
    }
    for (int i = 0; i < tree->count; i++) {
        double m = tree->link[i].mass;
        tr_v4 c = tree->frame[i].com - tree->origin, mc = c * m;
        tr_v4 v = velocity[i].lin + tr_v4_cross(velocity[i].ang, c), p = v * m;
        tr_v4 spin = tr_m3_apply(&tree->inertia_world[i], velocity[i].ang);
        sum.momentum.lin += p;
        sum.momentum.ang += spin + tr_v4_cross(c, p);
        if (counts_energy)
            sum.energy += 0.5 * (tr_v4_dot(v, p) + tr_v4_dot(velocity[i].ang, spin));
        sum.mass += m;
        sum.first += mc;
        double cc = tr_v4_dot(c, mc);
        for (int j = 0; j < 3; j++) {
            tr_v4 own = tr_v4_zero();
            own[j] = cc;
            sum.inertia.column[j] += tree->inertia_world[i].column[j] - mc * c[j];
            sum.inertia.column[j] += own;
        }
    }
    return sum;
}

/* The inertia about the common centre, which is at `centre` from O. */
static tr_m3 inertia_about_centre(const composite *sum, tr_v4 centre) {
    tr_m3 inertia = sum->inertia;
    double cc = tr_v4_dot(centre, sum->first);
    for (int j = 0; j < 3; j++) {
        inertia.column[j] += sum->first * centre[j];
        inertia.column[j][j] -= cc;
    }
    return inertia;
}

/* Angular momentum about the centre's old place of what must be there at the end of the step. */
static tr_spatial wanted_momentum(const tr_tree *tree, double mass) {
    tr_spatial wanted = tree->momentum;
    wanted.ang -= tr_v4_cross(tree->centre * (1.0 / mass), wanted.lin);
    return wanted;
}

/* Reduced coordinates lose momentum at second order in h, since the Jacobian turns under the
 * velocities within the step. What the step must end with is known: p, the linear momentum with
 * forces times h added, and the angular momentum about the centre of mass, which is that about the
 * centre's old place, since the centre moves along p. The difference is applied as a rigid motion
 * of the whole body, with the composite inertia about the new centre. */
static void restore_momentum(const tr_tree *tree, tr_spatial *root) {
    composite sum = compose(tree, root, false);
    tr_v4 centre = sum.first * (1.0 / sum.mass);
    tr_m3 inertia = inertia_about_centre(&sum, centre);
    tr_spatial wanted = wanted_momentum(tree, sum.mass), had = sum.momentum;
    had.ang -= tr_v4_cross(centre, had.lin);
    tr_spatial lost = tr_spatial_sub(wanted, had);
    tr_m3 inverse = tr_m3_inverse_symmetric(&inertia);
    tr_v4 turn = tr_m3_apply(&inverse, lost.ang);
    root->ang += turn;
    root->lin += lost.lin * (1.0 / sum.mass) - tr_v4_cross(turn, centre);
}

/* The bound to which all fast rates are reduced, rad per step: beyond it the velocities do not even give the work of
 * forces. */
static const double FASTEST = 1.0;

/* The largest rate of a joint, rad/s. */
static double fastest_joint(const tr_tree *tree) {
    double fastest = 0;
    for (int i = 1; i < tree->count; i++) {
        double square = tr_vec3_dot(tree->state->joint_rate[i], tree->state->joint_rate[i]);
        fastest = square > fastest ? square : fastest;
    }
    return sqrt(fastest);
}

/* The kinetic energy that the step may end with: what there was at its beginning and the work of
 * all forces. By M (v' - v) = h f, exact for the constant M of the step, that work is f h (v + v')
 * / 2, and the velocity products have no part in it, since they do no work. rate: before the step,
 * [count]; the state holds the new ones, frames and axes still the old pose. */
static double energy_allowed(const tr_tree *tree, const tr_vec3 *rate, double h) {
    tr_spatial after[TR_BODY_MAX], twice;
    double energy = 0;
    for (int i = 0; i < tree->count; i++) {
        tr_spatial v = tree->velocity[i];
        after[i] = i > 0 ? joint_velocity(tree, i, &after[tree->link[i].parent],
                                          tree->state->joint_rate[i])
                         : tr_spatial_add_scaled(v, h, tree->accel[0]);
        twice = tr_spatial_add(v, after[i]);
        tr_v4 c = tree->frame[i].com - tree->origin;
        tr_v4 at_com = v.lin + tr_v4_cross(v.ang, c);
        tr_v4 spin = tr_m3_apply(&tree->inertia_world[i], v.ang);
        energy += 0.5 * (tree->link[i].mass * tr_v4_dot(at_com, at_com) + tr_v4_dot(v.ang, spin));
        tr_v4 weight = tree->gravity * tree->link[i].mass;
        tr_v4 twice_com = twice.lin + tr_v4_cross(twice.ang, c);
        energy += 0.5 * h * tr_v4_dot(weight, twice_com);
        if (tree->push_count > 0) {
            tr_spatial push = tr_tree_push_on(tree, i);
            energy += 0.5 * h * (tr_v4_dot(push.lin, twice_com) + tr_v4_dot(push.ang, twice.ang));
        }
        if (i == 0)
            continue;
        const tr_servo *servo = &tree->servo[i];
        tr_v4 old = tr_v4_from(rate[i]), new = tr_v4_from(tree->state->joint_rate[i]);
        tr_v4 torque = servo->open * (servo->spring - new * servo->stiff) + servo->fixed;
        energy += 0.5 * h * tr_v4_dot(torque, old + new);
    }
    double work = 0;
    for (int a = 0; a < tree->touched_count; a++) {
        int i = tree->touched[a];
        twice = tr_spatial_add(tree->velocity[i], after[i]);
        work += 0.5 * tr_spatial_dot(tree->impulse[a], twice);
    }
    return energy + (tree->alone && work > 0 ? 0 : work);
}

/* If the body has more energy than allowed, or a joint turns too fast, slows the motion of its
 * parts against each other until that is no longer so. Momentum stays: the motion is a rigid part,
 * which carries all momentum, and a part without momentum, which is scaled; their energies add
 * up. */
static void slow_down(const tr_tree *tree, tr_spatial *root, double allowed, double h) {
    composite sum = compose(tree, root, true);
    double fastest = fastest_joint(tree) * h;
    if (sum.energy <= allowed && fastest <= FASTEST)
        return;
    tr_v4 centre = sum.first * (1.0 / sum.mass), p = sum.momentum.lin;
    tr_m3 inertia = inertia_about_centre(&sum, centre);
    tr_m3 inverse = tr_m3_inverse_symmetric(&inertia);
    tr_v4 l = sum.momentum.ang - tr_v4_cross(centre, p);
    tr_v4 turn = tr_m3_apply(&inverse, l), v = p * (1.0 / sum.mass);
    double rigid = 0.5 * (tr_v4_dot(v, p) + tr_v4_dot(turn, l)), inner = sum.energy - rigid;
    double left = allowed - rigid, k = fastest > FASTEST ? FASTEST / fastest : 1;
    if (sum.energy > allowed)
        k = fmin(k, left > 0 && inner > 0 ? sqrt(left / inner) : 0);
    tr_spatial whole = {turn, v - tr_v4_cross(turn, centre)};
    *root = tr_spatial_add_scaled(whole, k, tr_spatial_sub(*root, whole));
    for (int i = 1; i < tree->count; i++)
        tree->state->joint_rate[i] = tr_vec3_scale(tree->state->joint_rate[i], k);
}

/* A body that turns further than this in a step collides with others at wrong places: the rate of a
 * character's root ends where those of its joints do, that of an object, which may be a wheel on an
 * axle, at three times as much. */
TR_INLINE tr_spatial bound_root(const tr_tree *tree, tr_spatial root, tr_v4 com, double h) {
    double limit = (tree->count > 1 ? FASTEST : 3 * FASTEST) / h;
    double square = tr_v4_dot(root.ang, root.ang);
    if (square <= limit * limit)
        return root;
    tr_v4 bounded = root.ang * (limit / sqrt(square));
    root.lin += tr_v4_cross(root.ang - bounded, com - tree->origin);
    root.ang = bounded;
    return root;
}

/* Rates by h; semi-implicit: the new rate then moves the pose. */
static void advance_rates(tr_tree *tree, double h) {
    for (int i = 1; i < tree->count; i++) {
        tr_v4 alpha = tree->alpha[i];
        tr_v4 change = tree->link[i].dof == 3 ? tr_m3_apply_transposed(&tree->joint_axes[i], alpha)
                                              : tree->link[i].axis * alpha[0];
        tr_vec3 *rate = &tree->state->joint_rate[i];
        *rate = tr_vec3_add_scaled(*rate, h, tr_v4_to(change));
    }
}

/* Objects: v' = v - h damping v', of the centre of mass and of the turn. */
static tr_spatial damp(const tr_tree *tree, tr_spatial root, tr_v4 com, double h) {
    tr_v4 at_com = root.lin + tr_v4_cross(root.ang, com - tree->origin);
    tr_v4 ang = root.ang * (1.0 / (1.0 + h * tree->angular_damping));
    at_com = at_com * (1.0 / (1.0 + h * tree->linear_damping));
    return spatial_velocity(ang, at_com, com - tree->origin);
}

static void turn_joints(tr_state *state, int count, double h) {
    for (int i = 1; i < count; i += 4) {
        tr_lane_bodies at = tr_lane_bodies_from(i, count);
        tr_quat_lanes q = tr_gather_quat(state->pose.joint, at);
        q = tr_rotation_lanes_advance(q, tr_gather_vec3(state->joint_rate, at), h);
        tr_scatter_quat(state->pose.joint, at, q);
    }
}

static void advance(tr_tree *tree, double h) {
    tr_state *state = tree->state;
    tr_vec3 rate[TR_BODY_MAX];
    double allowed = 0;
    /* The centre of mass of the root is at O: its own acceleration is the spatial one plus
     * omega x v. */
    tr_spatial now = tree->velocity[0];
    tr_v4 vel = now.lin + (tree->accel[0].lin + tr_v4_cross(now.ang, now.lin)) * h;
    tr_v4 omega = now.ang + tree->accel[0].ang * h;
    tr_v4 com = tree->origin + vel * h;
    memcpy(rate, state->joint_rate, (size_t)tree->count * sizeof *rate);
    advance_rates(tree, h);
    bool fast = fastest_joint(tree) * h > TR_TREE_FAST;
    if (fast)
        allowed = energy_allowed(tree, rate, h);
    turn_joints(state, tree->count, h);
    state->pose.root_rot = tr_rotation_advance(state->pose.root_rot, tr_v4_to(omega), h);
    tr_m3 r = matrix_of(state->pose.root_rot);
    tr_v4 arm = tr_m3_apply(&r, tree->link[0].from_child);
    state->pose.root_pos = tr_v4_to(com + arm);
    place(tree);
    tr_spatial root = spatial_velocity(omega, vel, com - tree->origin);
    restore_momentum(tree, &root);
    if (fast)
        slow_down(tree, &root, allowed, h);
    if (tree->linear_damping > 0 || tree->angular_damping > 0)
        root = damp(tree, root, com, h);
    root = bound_root(tree, root, com, h);
    state->root_omega = tr_v4_to(root.ang);
    state->root_vel = tr_v4_to(root.lin + tr_v4_cross(root.ang, com + arm - tree->origin));
}

const tr_tree_kernel TR_KERNEL(tr_tree_kernel) = {place, predict, couple, respond, advance};
