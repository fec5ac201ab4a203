/* tree.c for up to four characters of one model side by side: the same operations in the same order
 * (tree.c has the derivation, spatial_lanes.h the algebra), so that a lane has the bits of a tree by
 * itself.
 *
 * Every axis of the servos is open here: a step in which a torque would exceed its bound is finished
 * by the kernel of one tree, and so is one in which a joint turns so fast that its energy is counted. */
#include "physics/kernels/kernel_name.h"

TR_INLINE tr_v4_mask lanes_in(tr_lane_set set) {
    const long long bits = set;
    tr_v4_mask lane = {1, 2, 4, 8};
    return (lane & bits) != 0;
}

/* joint_motion and joint_part of tree.c. */
TR_INLINE tr_l6 joint_motion(const tr_tree_lanes *l, int i, tr_l3 r, tr_l3 along) {
    if (l->tree[0]->link[i].slides)
        return (tr_l6){tr_l3_zero(), along};
    return (tr_l6){along, tr_l3_cross(r, along)};
}

TR_INLINE tr_l3 joint_part(const tr_tree_lanes *l, int i, tr_l6 f) {
    if (l->tree[0]->link[i].slides)
        return f.lin;
    return tr_l3_sub(f.ang, tr_l3_cross(l->r[i], f.lin));
}

/* --- taking in --- */

static void take_state(tr_tree_lanes *l) {
    const tr_state *s[TR_TREE_LANES];
    for (int k = 0; k < TR_TREE_LANES; k++)
        s[k] = l->tree[k]->state;
#define TAKE(field)                                                                                \
    tr_l3_from(tr_v4_from(s[0]->field), tr_v4_from(s[1]->field), tr_v4_from(s[2]->field),          \
               tr_v4_from(s[3]->field))
#define TAKE_QUAT(field)                                                                           \
    tr_quat_lanes_from((const tr_quat *[]){&s[0]->field, &s[1]->field, &s[2]->field, &s[3]->field})
    l->root_pos = TAKE(pose.root_pos);
    l->root_rot = TAKE_QUAT(pose.root_rot);
    l->root_vel = TAKE(root_vel);
    l->root_omega = TAKE(root_omega);
    for (int i = 1; i < l->tree[0]->count; i++) {
        l->joint[i] = TAKE_QUAT(pose.joint[i]);
        l->rate[i] = TAKE(joint_rate[i]);
    }
#undef TAKE
#undef TAKE_QUAT
}

/* --- place --- */

TR_INLINE tr_l33 matrix_of(tr_quat_lanes q) {
    tr_v4 x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    tr_v4 xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    tr_v4 wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (tr_l33){{{1 - (yy + zz), xy + wz, xz - wy},
                     {xy - wz, 1 - (xx + zz), yz + wx},
                     {xz + wy, yz - wx, 1 - (xx + yy)}}};
}

TR_INLINE tr_l3 constant(const tr_v4 *from) {
    return tr_l3_all((const double *)from);
}

/* How far the characters' slides i are along their axis. */
static tr_v4 ways(const tr_tree_lanes *l, int i) {
    tr_v4 way;
    for (int k = 0; k < TR_TREE_LANES; k++)
        way[k] =
            tr_rotation_angle(tr_quat_lane(l->joint[i], k), tr_v4_to(l->tree[0]->link[i].axis));
    return way;
}

static void place(tr_tree_lanes *l) {
    const tr_tree *tree = l->tree[0];
    for (int n = 0; n < tree->count; n++) {
        int i = tree->outward[n];
        const tr_tree_link *link = &tree->link[i];
        tr_l33 r, inertia = tr_l33_all(&link->inertia);
        if (i == 0) {
            r = matrix_of(l->root_rot);
            l->com[i] = tr_l3_sub(l->root_pos, tr_l33_apply(&r, constant(&link->from_child)));
        } else {
            const tr_l33 *parent = &l->rot[link->parent];
            tr_l33 local = matrix_of(l->joint[i]), rest = tr_l33_all(&link->rest);
            l->joint_axes[i] = link->turned ? tr_l33_multiply(parent, &rest) : *parent;
            l->joint_pos[i] =
                tr_l3_add(l->com[link->parent], tr_l33_apply(parent, constant(&link->from_parent)));
            if (link->slides) {
                r = l->joint_axes[i];
                tr_l3 along = tr_l3_scale(constant(&link->axis), ways(l, i));
                l->joint_pos[i] = tr_l3_add(l->joint_pos[i], tr_l33_apply(&r, along));
            } else {
                r = tr_l33_multiply(&l->joint_axes[i], &local);
            }
            l->com[i] = tr_l3_sub(l->joint_pos[i], tr_l33_apply(&r, constant(&link->from_child)));
        }
        l->rot[i] = r;
        l->inertia_world[i] = tr_l33_rotate_tensor(&r, &inertia);
    }
}

/* --- predict --- */

/* In place, because a copy of a matrix of four characters is slow. */
TR_INLINE void set_body_inertia(tr_l66 *out, const tr_l33 *about_com, double m, tr_l3 c) {
    tr_l3 mc = tr_l3_scale(c, tr_v4_all(m));
    tr_v4 cc = tr_l3_dot(c, mc), zero = tr_v4_zero();
    const tr_l3 *own = about_com->column;
    tr_l3 none = tr_l3_scale(mc, zero), first = {cc, zero, zero}, second = {zero, cc, zero},
          third = {zero, zero, cc};
    tr_l3 lever[3] = {{none.z - none.y, none.x - mc.z, mc.y - none.x},
                      {mc.z - none.y, none.x - none.z, none.y - mc.x},
                      {none.z - mc.y, mc.x - none.z, none.y - none.x}};
    out->column[0].ang = tr_l3_sub_scaled(tr_l3_add(own[0], first), c.x, mc);
    out->column[1].ang = tr_l3_sub_scaled(tr_l3_add(own[1], second), c.y, mc);
    out->column[2].ang = tr_l3_sub_scaled(tr_l3_add(own[2], third), c.z, mc);
    for (int j = 0; j < 3; j++) {
        out->column[j].lin = lever[j];
        out->column[3 + j].ang = tr_l3_negate(lever[j]);
    }
    out->column[3].lin = (tr_l3){tr_v4_all(m), zero, zero};
    out->column[4].lin = (tr_l3){zero, tr_v4_all(m), zero};
    out->column[5].lin = (tr_l3){zero, zero, tr_v4_all(m)};
}

TR_INLINE tr_l6 spatial_velocity(tr_l3 omega, tr_l3 v, tr_l3 r) {
    return (tr_l6){omega, tr_l3_add(v, tr_l3_cross(r, omega))};
}

TR_INLINE tr_v4 stiff_of(const tr_tree_lanes *l, int i) {
    return (tr_v4){l->tree[0]->servo[i].stiff, l->tree[1]->servo[i].stiff,
                   l->tree[2]->servo[i].stiff, l->tree[3]->servo[i].stiff};
}

TR_INLINE tr_l3 spring_of(const tr_tree_lanes *l, int i) {
    return tr_l3_from(l->tree[0]->servo[i].spring, l->tree[1]->servo[i].spring,
                      l->tree[2]->servo[i].spring, l->tree[3]->servo[i].spring);
}

static void enter_joint(tr_tree_lanes *l, int i, double h) {
    const tr_tree_link *link = &l->tree[0]->link[i];
    const tr_l6 *parent = &l->velocity[link->parent];
    tr_l3 rate = l->rate[i], relative = tr_l33_apply(&l->joint_axes[i], rate);
    tr_l3 r = tr_l3_sub(l->joint_pos[i], l->origin);
    tr_l3 joint_vel = tr_l3_add(parent->lin, tr_l3_cross(parent->ang, r));
    tr_l3 turning = tr_l3_cross(parent->ang, relative);
    l->r[i] = r;
    l->velocity[i] = tr_l6_add(*parent, joint_motion(l, i, r, relative));
    l->coriolis[i] = joint_motion(l, i, r, turning);
    if (!link->slides)
        l->coriolis[i].lin = tr_l3_add(tr_l3_cross(joint_vel, relative), l->coriolis[i].lin);
    tr_v4 stiff = stiff_of(l, i);
    tr_l3 force = tr_l3_add(tr_l3_sub_scaled(spring_of(l, i), stiff, rate), tr_l3_zero());
    l->stiffness[i] = h * stiff;
    if (link->dof == 3) {
        l->joint_force[i] = tr_l33_apply(&l->joint_axes[i], force);
    } else {
        tr_l3 axis = constant(&link->axis);
        l->axis_world[i] = tr_l33_apply(&l->joint_axes[i], axis);
        l->joint_force[i].x = tr_l3_dot(axis, force);
    }
}

static void add_pushes(const tr_tree_lanes *l, int i, tr_lane_set pushed, tr_l3 c, tr_l6 *outside) {
    tr_spatial on[TR_TREE_LANES];
    for (int k = 0; k < TR_TREE_LANES; k++)
        on[k] = tr_tree_push_on(l->tree[k], i);
    tr_l6 push = {tr_l3_from(on[0].ang, on[1].ang, on[2].ang, on[3].ang),
                  tr_l3_from(on[0].lin, on[1].lin, on[2].lin, on[3].lin)};
    push.ang = tr_l3_add(push.ang, tr_l3_cross(c, push.lin));
    *outside = tr_l6_select(lanes_in(pushed), tr_l6_add(*outside, push), *outside);
}

static void enter_body(tr_tree_lanes *l, int i, tr_lane_set pushed, const tr_step_params *params) {
    double m = l->tree[0]->link[i].mass;
    tr_v4 mass = tr_v4_all(m), h = tr_v4_all(params->h);
    tr_l3 c = tr_l3_sub(l->com[i], l->origin);
    tr_l6 v = l->velocity[i];
    set_body_inertia(&l->inertia[i], &l->inertia_world[i], m, c);
    tr_l3 p = tr_l3_scale(tr_l3_add(v.lin, tr_l3_cross(v.ang, c)), mass);
    tr_l3 spin = tr_l3_add(tr_l33_apply(&l->inertia_world[i], v.ang), tr_l3_cross(c, p));
    tr_l3 weight = tr_l3_scale(constant(&params->gravity), mass);
    tr_l6 outside = {tr_l3_cross(c, weight), weight};
    if (pushed)
        add_pushes(l, i, pushed, c, &outside);
    l->bias[i].ang =
        tr_l3_sub(tr_l3_add(tr_l3_cross(v.ang, spin), tr_l3_cross(v.lin, p)), outside.ang);
    l->bias[i].lin = tr_l3_sub(tr_l3_cross(v.ang, p), outside.lin);
    l->momentum.ang = tr_l3_add(l->momentum.ang, tr_l3_add_scaled(spin, h, outside.ang));
    l->momentum.lin = tr_l3_add(l->momentum.lin, tr_l3_add_scaled(p, h, outside.lin));
    l->centre = tr_l3_add(l->centre, tr_l3_scale(c, mass));
}

TR_INLINE void hand_up(tr_tree_lanes *l, int i, int dof) {
    int p = l->tree[0]->link[i].parent;
    tr_l66 *own = &l->inertia[i], *parent = &l->inertia[p];
    const tr_l6 *w = l->w_axes[i];
    for (int j = 0; j < 6; j++) {
        tr_l6 column = own->column[j];
        for (int k = 0; k < dof; k++)
            column = tr_l6_sub_scaled(column, ((const tr_v4 *)&l->u_axes[i][k])[j], w[k]);
        own->column[j] = column;
        parent->column[j] = tr_l6_add(parent->column[j], column);
    }
    tr_l6 rest = tr_l66_apply(own, l->coriolis[i]);
    for (int k = 0; k < dof; k++)
        rest = tr_l6_add_scaled(rest, ((const tr_v4 *)&l->joint_force[i])[k], w[k]);
    l->bias[p] = tr_l6_add(l->bias[p], tr_l6_add(l->bias[i], rest));
}

static void open_ball(tr_tree_lanes *l, int i) {
    const tr_l6 *column = l->inertia[i].column;
    tr_l3 r = l->r[i];
    tr_l6 *u = l->u_axes[i];
    u[0] = tr_l6_sub_scaled(tr_l6_add_scaled(column[0], r.z, column[4]), r.y, column[5]);
    u[1] = tr_l6_sub_scaled(tr_l6_add_scaled(column[1], r.x, column[5]), r.z, column[3]);
    u[2] = tr_l6_sub_scaled(tr_l6_add_scaled(column[2], r.y, column[3]), r.x, column[4]);
    tr_v4 s = l->stiffness[i], zero = tr_v4_zero();
    tr_l33 d = {{{s, zero, zero}, {zero, s, zero}, {zero, zero, s}}};
    for (int k = 0; k < 3; k++)
        d.column[k] = tr_l3_add(d.column[k], tr_l3_sub(u[k].ang, tr_l3_cross(r, u[k].lin)));
    l->d_inverse[i] = tr_l33_inverse_symmetric(&d);
    l->joint_force[i] =
        tr_l3_sub(l->joint_force[i], tr_l3_sub(l->bias[i].ang, tr_l3_cross(r, l->bias[i].lin)));
}

static void leave_ball(tr_tree_lanes *l, int i) {
    const tr_l6 *u = l->u_axes[i];
    for (int k = 0; k < 3; k++) {
        tr_l3 c = l->d_inverse[i].column[k];
        l->w_axes[i][k] =
            tr_l6_add_scaled(tr_l6_add_scaled(tr_l6_scale(u[0], c.x), c.y, u[1]), c.z, u[2]);
    }
    hand_up(l, i, 3);
}

static void open_axis(tr_tree_lanes *l, int i) {
    tr_l6 s = joint_motion(l, i, l->r[i], l->axis_world[i]);
    tr_l6 u = tr_l66_apply(&l->inertia[i], s);
    l->u_axes[i][0] = u;
    l->d_inverse[i].column[0].x = 1.0 / (tr_l6_dot(s, u) + l->stiffness[i]);
    l->joint_force[i].x -= tr_l6_dot(s, l->bias[i]);
}

static void leave_axis(tr_tree_lanes *l, int i) {
    l->w_axes[i][0] = tr_l6_scale(l->u_axes[i][0], l->d_inverse[i].column[0].x);
    hand_up(l, i, 1);
}

static void leave_joints(tr_tree_lanes *l) {
    const tr_tree *tree = l->tree[0];
    for (int n = tree->count - 1; n > 0; n--) {
        int i = tree->outward[n];
        if (tree->link[i].dof == 3) {
            open_ball(l, i);
            leave_ball(l, i);
        } else {
            open_axis(l, i);
            leave_axis(l, i);
        }
    }
}

TR_INLINE tr_l6 descend(const tr_tree_lanes *l, int i, tr_l3 force, tr_l6 a, tr_l3 *out_alpha) {
    const tr_l6 *u = l->u_axes[i];
    if (l->tree[0]->link[i].dof == 3) {
        tr_l3 left =
            tr_l3_sub(force, (tr_l3){tr_l6_dot(u[0], a), tr_l6_dot(u[1], a), tr_l6_dot(u[2], a)});
        tr_l3 alpha = tr_l33_apply(&l->d_inverse[i], left);
        *out_alpha = alpha;
        return (tr_l6){tr_l3_add(a.ang, alpha), tr_l3_add(a.lin, tr_l3_cross(l->r[i], alpha))};
    }
    tr_v4 alpha = l->d_inverse[i].column[0].x * (force.x - tr_l6_dot(u[0], a));
    *out_alpha = (tr_l3){alpha, tr_v4_zero(), tr_v4_zero()};
    return tr_l6_add(a, joint_motion(l, i, l->r[i], tr_l3_scale(l->axis_world[i], alpha)));
}

static tr_lane_set accelerations_usable(const tr_tree_lanes *l) {
    tr_l6 a = l->accel[0];
    tr_l3 sum = {a.ang.x * a.ang.x + a.lin.x * a.lin.x, a.ang.y * a.ang.y + a.lin.y * a.lin.y,
                 a.ang.z * a.ang.z + a.lin.z * a.lin.z};
    for (int i = 1; i < l->tree[0]->count; i++) {
        tr_l3 b = l->alpha[i];
        sum = tr_l3_add(sum, (tr_l3){b.x * b.x, b.y * b.y, b.z * b.z});
    }
    return (tr_lane_set)tr_v4_bits(sum.x + sum.y + sum.z < 1e20);
}

/* Binds the lanes to the trees, and sets what the scalar parts of the step read of each. */
static void bind(tr_tree_lanes *l, tr_tree *const *trees, int count, const tr_step_params *params) {
    bool held = l->count == count; /* the lanes have the present placements of these trees */
    for (int k = 0; k < TR_TREE_LANES; k++) {
        tr_tree *tree = trees[k < count ? k : 0];
        held = held && l->tree[k] == tree && tree->lanes == l;
        l->tree[k] = tree;
    }
    l->count = count;
    for (int k = 0; k < count; k++) {
        l->tree[k]->lanes = l;
        l->tree[k]->lane = k;
        l->tree[k]->touched_count = 0;
        l->tree[k]->origin = l->tree[k]->frame[0].com;
        l->tree[k]->gravity = params->gravity;
    }
    if (held)
        return;
    take_state(l);
    place(l);
}

static tr_lane_set predict(tr_tree_lanes *l, tr_tree *const *trees, int count,
                           const tr_step_params *params) {
    bind(l, trees, count, params);
    const tr_tree *tree = l->tree[0];
    tr_lane_set pushed = 0;
    for (int k = 0; k < TR_TREE_LANES; k++)
        pushed |= (tr_lane_set)(l->tree[k]->push_count > 0) << k;
    l->origin = l->com[0];
    l->momentum = tr_l6_zero();
    l->centre = tr_l3_zero();
    l->velocity[0] =
        spatial_velocity(l->root_omega, l->root_vel, tr_l3_sub(l->root_pos, l->origin));
    for (int n = 1; n < tree->count; n++)
        enter_joint(l, tree->outward[n], params->h);
    for (int i = 0; i < tree->count; i++)
        enter_body(l, i, pushed, params);
    leave_joints(l);
    tr_l66_invert(&l->inertia[0], &l->root_inverse);
    l->accel[0] = tr_l6_sub(tr_l6_zero(), tr_l66_apply(&l->root_inverse, l->bias[0]));
    for (int n = 1; n < tree->count; n++) {
        int i = tree->outward[n];
        tr_l6 a = tr_l6_add(l->accel[tree->link[i].parent], l->coriolis[i]);
        l->accel[i] = descend(l, i, l->joint_force[i], a, &l->alpha[i]);
    }
    return accelerations_usable(l);
}

/* --- share --- */

/* Lane 0 last: lanes without a character repeat its address, so it must be written after them. */
#define SHARE(lanes, field, value)                                                                 \
    do {                                                                                           \
        const tr_l3_rows rows_ = tr_l3_to(value);                                                  \
        (lanes)->tree[3]->field = rows_.lane[3];                                                   \
        (lanes)->tree[2]->field = rows_.lane[2];                                                   \
        (lanes)->tree[1]->field = rows_.lane[1];                                                   \
        (lanes)->tree[0]->field = rows_.lane[0];                                                   \
    } while (0)

static void share_motion(const tr_tree_lanes *l, int i) {
    SHARE(l, velocity[i].ang, l->velocity[i].ang);
    SHARE(l, velocity[i].lin, l->velocity[i].lin);
    SHARE(l, accel[i].ang, l->accel[i].ang);
    SHARE(l, accel[i].lin, l->accel[i].lin);
}

static void share_joint(const tr_tree_lanes *l, int i) {
    int dof = l->tree[0]->link[i].dof;
    SHARE(l, r[i], l->r[i]);
    for (int k = 0; k < dof; k++) {
        SHARE(l, w_axes[i][k].ang, l->w_axes[i][k].ang);
        SHARE(l, w_axes[i][k].lin, l->w_axes[i][k].lin);
        SHARE(l, d_inverse[i].column[k], l->d_inverse[i].column[k]);
    }
    if (dof == 1)
        SHARE(l, axis_world[i], l->axis_world[i]);
}

static void share(const tr_tree_lanes *l, tr_body_set path, tr_body_set touched) {
    for (tr_body_set left = touched; left; left &= left - 1)
        share_motion(l, __builtin_ctzll(left));
    for (tr_body_set left = path & ~TR_BODY_BIT(0); left; left &= left - 1)
        share_joint(l, __builtin_ctzll(left));
    for (int j = 0; j < 6; j++) {
        SHARE(l, root_inverse.column[j].ang, l->root_inverse.column[j].ang);
        SHARE(l, root_inverse.column[j].lin, l->root_inverse.column[j].lin);
    }
}

/* --- respond --- */

/* The impulses of each tree as forces, and its momentum with them. */
static void take_impulses(tr_tree_lanes *l, tr_lane_set touched, double h, tr_l6 *force) {
    for (int k = 0; k < l->count; k++) {
        const tr_tree *tree = l->tree[k];
        if (!(touched >> k & 1))
            continue;
        tr_spatial momentum = tr_tree_lanes_spatial(&l->momentum, k);
        for (int a = 0; a < tree->touched_count; a++) {
            tr_spatial push = tr_spatial_scale(tree->impulse[a], -1.0 / h);
            tr_l3_set_lane(&force[tree->touched[a]].ang, k, push.ang);
            tr_l3_set_lane(&force[tree->touched[a]].lin, k, push.lin);
            momentum = tr_spatial_add(momentum, tree->impulse[a]);
        }
        tr_l3_set_lane(&l->momentum.ang, k, momentum.ang);
        tr_l3_set_lane(&l->momentum.lin, k, momentum.lin);
    }
}

/* The lanes on whose paths body i is. */
static tr_lane_set with_path(const tr_tree_lanes *l, tr_lane_set touched, int i) {
    tr_lane_set out = 0;
    for (int k = 0; k < l->count; k++)
        out |= (tr_lane_set)(l->tree[k]->path_index[i] >= 0) << k;
    return out & touched;
}

/* Hands the force on body i to its parent in the lanes where it is on the path; returns the force of
 * its joint. */
TR_INLINE tr_l3 pass_force(const tr_tree_lanes *l, int i, tr_v4_mask here, tr_l6 *force) {
    const tr_tree_link *link = &l->tree[0]->link[i];
    const tr_l6 *w = l->w_axes[i];
    tr_l6 up = force[i];
    tr_l3 moment = joint_part(l, i, up), joint = tr_l3_zero();
    if (link->dof == 3) {
        joint = tr_l3_negate(moment);
        up = tr_l6_sub_scaled(up, moment.x, w[0]);
        up = tr_l6_sub_scaled(up, moment.y, w[1]);
        up = tr_l6_sub_scaled(up, moment.z, w[2]);
    } else {
        joint.x = -tr_l3_dot(l->axis_world[i], moment);
        up = tr_l6_add_scaled(up, joint.x, w[0]);
    }
    tr_l6 *parent = &force[link->parent];
    *parent = tr_l6_select(here, tr_l6_add(*parent, up), *parent);
    return tr_l3_select(here, joint, tr_l3_zero());
}

static tr_lane_set respond(tr_tree_lanes *l, tr_lane_set touched, double h) {
    const tr_tree *tree = l->tree[0];
    const tr_v4_mask acts = lanes_in(touched);
    tr_l6 force[TR_BODY_MAX], change[TR_BODY_MAX];
    tr_l3 joint[TR_BODY_MAX];
    for (int i = 0; i < tree->count; i++)
        force[i] = tr_l6_zero();
    take_impulses(l, touched, h, force);
    for (int n = tree->count - 1; n > 0; n--) {
        int i = tree->outward[n];
        tr_lane_set here = with_path(l, touched, i);
        joint[i] = here ? pass_force(l, i, lanes_in(here), force) : tr_l3_zero();
    }
    change[0] = tr_l6_sub(tr_l6_zero(), tr_l66_apply(&l->root_inverse, force[0]));
    l->accel[0] = tr_l6_select(acts, tr_l6_add(l->accel[0], change[0]), l->accel[0]);
    for (int n = 1; n < tree->count; n++) {
        int i = tree->outward[n];
        tr_l3 alpha;
        change[i] = descend(l, i, joint[i], change[tree->link[i].parent], &alpha);
        l->alpha[i] = tr_l3_select(acts, tr_l3_add(l->alpha[i], alpha), l->alpha[i]);
    }
    return accelerations_usable(l) | ~touched;
}

/* --- advance --- */

typedef struct composite {
    tr_l3 first;
    tr_l33 inertia;
    tr_l6 momentum;
    double mass;
} composite;

/* The velocity of body i, given that of its parent. */
TR_INLINE tr_l6 joint_velocity(const tr_tree_lanes *l, int i, const tr_l6 *parent) {
    tr_l3 relative = tr_l33_apply(&l->joint_axes[i], l->rate[i]);
    tr_l3 r = tr_l3_sub(l->joint_pos[i], l->origin);
    return tr_l6_add(*parent, joint_motion(l, i, r, relative));
}

TR_INLINE void add_body(const tr_tree_lanes *l, int i, const tr_l6 *velocity, composite *sum) {
    double m = l->tree[0]->link[i].mass;
    tr_v4 mass = tr_v4_all(m), zero = tr_v4_zero();
    tr_l3 c = tr_l3_sub(l->com[i], l->origin), mc = tr_l3_scale(c, mass);
    tr_l3 p = tr_l3_scale(tr_l3_add(velocity->lin, tr_l3_cross(velocity->ang, c)), mass);
    tr_l3 spin = tr_l33_apply(&l->inertia_world[i], velocity->ang);
    sum->momentum.lin = tr_l3_add(sum->momentum.lin, p);
    sum->momentum.ang = tr_l3_add(sum->momentum.ang, tr_l3_add(spin, tr_l3_cross(c, p)));
    sum->mass += m;
    sum->first = tr_l3_add(sum->first, mc);
    tr_v4 cc = tr_l3_dot(c, mc);
    tr_l3 *column = sum->inertia.column;
    const tr_l3 *own = l->inertia_world[i].column;
    column[0] = tr_l3_add(column[0], tr_l3_sub_scaled(own[0], c.x, mc));
    column[1] = tr_l3_add(column[1], tr_l3_sub_scaled(own[1], c.y, mc));
    column[2] = tr_l3_add(column[2], tr_l3_sub_scaled(own[2], c.z, mc));
    column[0] = tr_l3_add(column[0], (tr_l3){cc, zero, zero});
    column[1] = tr_l3_add(column[1], (tr_l3){zero, cc, zero});
    column[2] = tr_l3_add(column[2], (tr_l3){zero, zero, cc});
}

static void restore_momentum(const tr_tree_lanes *l, tr_l6 *root) {
    const tr_tree *tree = l->tree[0];
    tr_l6 velocity[TR_BODY_MAX];
    composite sum = {tr_l3_zero(), {{tr_l3_zero(), tr_l3_zero(), tr_l3_zero()}}, tr_l6_zero(), 0};
    velocity[0] = *root;
    for (int n = 1; n < tree->count; n++) {
        int i = tree->outward[n];
        velocity[i] = joint_velocity(l, i, &velocity[tree->link[i].parent]);
    }
    for (int i = 0; i < tree->count; i++)
        add_body(l, i, &velocity[i], &sum);
    tr_v4 inverse_mass = tr_v4_all(1.0 / sum.mass);
    tr_l3 centre = tr_l3_scale(sum.first, inverse_mass), *column = sum.inertia.column;
    tr_v4 cc = tr_l3_dot(centre, sum.first);
    column[0] = tr_l3_add_scaled(column[0], centre.x, sum.first);
    column[1] = tr_l3_add_scaled(column[1], centre.y, sum.first);
    column[2] = tr_l3_add_scaled(column[2], centre.z, sum.first);
    column[0].x -= cc;
    column[1].y -= cc;
    column[2].z -= cc;
    tr_l6 wanted = l->momentum, had = sum.momentum;
    wanted.ang =
        tr_l3_sub(wanted.ang, tr_l3_cross(tr_l3_scale(l->centre, inverse_mass), wanted.lin));
    had.ang = tr_l3_sub(had.ang, tr_l3_cross(centre, had.lin));
    tr_l6 lost = tr_l6_sub(wanted, had);
    tr_l33 inverse = tr_l33_inverse_symmetric(&sum.inertia);
    tr_l3 turn = tr_l33_apply(&inverse, lost.ang);
    root->ang = tr_l3_add(root->ang, turn);
    root->lin = tr_l3_add(
        root->lin, tr_l3_sub(tr_l3_scale(lost.lin, inverse_mass), tr_l3_cross(turn, centre)));
}

/* How fast joint i turns at the end of the step. */
TR_INLINE tr_l3 end_rate(const tr_tree_lanes *l, int i, double h) {
    const tr_tree_link *link = &l->tree[0]->link[i];
    tr_l3 change = link->dof == 3 ? tr_l33_apply_transposed(&l->joint_axes[i], l->alpha[i])
                                  : tr_l3_scale(constant(&link->axis), l->alpha[i].x);
    return tr_l3_add_scaled(l->rate[i], tr_v4_all(h), change);
}

static tr_lane_set strained(const tr_tree_lanes *l, double h) {
    tr_v4_mask over = {0, 0, 0, 0};
    for (int i = 1; i < l->tree[0]->count; i++) {
        const tr_tree_link *link = &l->tree[0]->link[i];
        if (!link->bounded)
            continue;
        tr_l3 law = tr_l3_sub_scaled(spring_of(l, i), stiff_of(l, i), end_rate(l, i, h));
        if (link->dof == 1)
            law = (tr_l3){tr_l3_dot(law, constant(&link->axis)), tr_v4_zero(), tr_v4_zero()};
        const tr_v4 below = link->bound[0] * -(1 + TR_SERVO_SLACK);
        const tr_v4 above = link->bound[1] * (1 + TR_SERVO_SLACK);
        over |= (law.x > above[0]) | (law.y > above[1]) | (law.z > above[2]);
        over |= (law.x < below[0]) | (law.y < below[1]) | (law.z < below[2]);
    }
    return (tr_lane_set)tr_v4_bits(over);
}

static void lend(const tr_tree_lanes *l, int k) {
    tr_tree *tree = l->tree[k];
    for (int i = 0; i < tree->count; i++) {
        for (int c = 0; c < 3; c++) {
            tree->joint_axes[i].column[c] = tr_l3_lane(&l->joint_axes[i].column[c], k);
            tree->inertia_world[i].column[c] = tr_l3_lane(&l->inertia_world[i].column[c], k);
        }
        tree->joint_pos[i] = tr_l3_lane(&l->joint_pos[i], k);
        tree->alpha[i] = tr_l3_lane(&l->alpha[i], k);
    }
}

/* Rates by h; returns the lanes in which a joint is too fast for this file. */
static tr_lane_set advance_rates(tr_tree_lanes *l, double h) {
    const tr_tree *tree = l->tree[0];
    tr_v4 fastest = tr_v4_zero();
    for (int i = 1; i < tree->count; i++) {
        l->rate[i] = end_rate(l, i, h);
        tr_v4 square = tr_l3_dot(l->rate[i], l->rate[i]);
        fastest = tr_v4_select(square > fastest, square, fastest);
    }
    return (tr_lane_set)tr_v4_bits(tr_v4_sqrt(fastest) * h > TR_TREE_FAST);
}

TR_INLINE void give(tr_l3 from, tr_vec3 *const to[TR_TREE_LANES]) {
    const tr_l3_rows row = tr_l3_to(from);
    for (int k = 0; k < TR_TREE_LANES; k++)
        *to[k] = tr_v4_to(row.lane[k]);
}

TR_INLINE void give_v4(tr_l3 from, tr_v4 *const to[TR_TREE_LANES]) {
    const tr_l3_rows row = tr_l3_to(from);
    for (int k = 0; k < TR_TREE_LANES; k++)
        *to[k] = row.lane[k];
}

/* The addresses of a field in four structs. */
#define EACH(s, field)                                                                             \
    ((__typeof__((s)[0]->field) *[]){&(s)[0]->field, &(s)[1]->field, &(s)[2]->field,               \
                                     &(s)[3]->field})

/* State and frames to the characters of `wanted`. */
static void give_state(tr_tree_lanes *l, tr_lane_set wanted) {
    tr_state *state[TR_TREE_LANES];
    tr_frame *frame[TR_TREE_LANES];
    for (int k = 0; k < TR_TREE_LANES; k++) {
        bool counts = k < l->count && wanted >> k & 1;
        state[k] = counts ? l->tree[k]->state : &l->spare_state;
        frame[k] = counts ? l->tree[k]->frame : l->spare_frame;
    }
    give(l->root_pos, EACH(state, pose.root_pos));
    give(l->root_vel, EACH(state, root_vel));
    give(l->root_omega, EACH(state, root_omega));
    tr_quat_lanes_to(l->root_rot, EACH(state, pose.root_rot));
    for (int i = 1; i < l->tree[0]->count; i++) {
        tr_quat_lanes_to(l->joint[i], EACH(state, pose.joint[i]));
        give(l->rate[i], EACH(state, joint_rate[i]));
    }
    for (int i = 0; i < l->tree[0]->count; i++) {
        tr_frame *at[TR_TREE_LANES] = {&frame[0][i], &frame[1][i], &frame[2][i], &frame[3][i]};
        for (int c = 0; c < 3; c++)
            give_v4(l->rot[i].column[c], EACH(at, column[c]));
        give_v4(l->com[i], EACH(at, com));
    }
}

static tr_lane_set advance(tr_tree_lanes *l, tr_lane_set wanted, double h) {
    const tr_tree *tree = l->tree[0];
    const tr_v4 step = tr_v4_all(h);
    tr_l6 now = l->velocity[0], accel = l->accel[0];
    tr_l3 vel =
        tr_l3_add_scaled(now.lin, step, tr_l3_add(accel.lin, tr_l3_cross(now.ang, now.lin)));
    tr_l3 omega = tr_l3_add_scaled(now.ang, step, accel.ang);
    tr_l3 com = tr_l3_add_scaled(l->origin, step, vel);
    tr_lane_set left = advance_rates(l, h);
    for (int i = 1; i < tree->count; i++)
        l->joint[i] = tr_rotation_lanes_advance(l->joint[i], l->rate[i], h);
    l->root_rot = tr_rotation_lanes_advance(l->root_rot, omega, h);
    tr_l33 r = matrix_of(l->root_rot);
    tr_l3 arm = tr_l33_apply(&r, constant(&tree->link[0].from_child));
    l->root_pos = tr_l3_add(com, arm);
    place(l);
    tr_l6 root = spatial_velocity(omega, vel, tr_l3_sub(com, l->origin));
    restore_momentum(l, &root);
    double limit = 1.0 / h;
    left |= (tr_lane_set)tr_v4_bits(~(tr_l3_dot(root.ang, root.ang) <= limit * limit));
    l->root_omega = root.ang;
    l->root_vel =
        tr_l3_add(root.lin, tr_l3_cross(root.ang, tr_l3_sub(tr_l3_add(com, arm), l->origin)));
    give_state(l, wanted & ~left);
    return wanted & left;
}

const tr_tree_lanes_kernel TR_KERNEL(tr_tree_lanes_kernel) = {predict,  share, respond,
                                                              strained, lend,  advance};
