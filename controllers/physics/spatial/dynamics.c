/* Inverse dynamics by the recursive Newton-Euler algorithm (Featherstone 2008, table 5.1), with all
 * vectors in world axes about the centroid:
 *
 *   V_i = V_p + S qd
 *   a_i = a_p + S qdd + V_p x S qd          the axes S ride with the parent p
 *   f_i = I_i a_i + V_i x* I_i V_i - outside_i,  then summed from the leaves to the root
 *   torque = S^T f_i
 *
 * The root has V_0 = {w, v + r x w} with r its origin from O, so that a_0 = S qdd + {0, v x w}: r
 * changes by v. Gravity g is a root that accelerates by -g. */
#include "physics/spatial/dynamics.h"

TR_INLINE tr_spatial cross_motion(tr_spatial v, tr_spatial m) {
    return (tr_spatial){tr_v4_cross(v.ang, m.ang),
                        tr_v4_cross(v.ang, m.lin) + tr_v4_cross(v.lin, m.ang)};
}

TR_INLINE tr_spatial cross_force(tr_spatial v, tr_spatial f) {
    return (tr_spatial){tr_v4_cross(v.ang, f.ang) + tr_v4_cross(v.lin, f.lin),
                        tr_v4_cross(v.ang, f.lin)};
}

TR_INLINE tr_spatial rigid_apply(const tr_rigid *rigid, tr_spatial a) {
    return (tr_spatial){tr_m3_apply(&rigid->inertia, a.ang) +
                            tr_v4_cross(rigid->first_moment, a.lin),
                        a.lin * rigid->mass - tr_v4_cross(rigid->first_moment, a.ang)};
}

/* A turn about an axis through a point r from O. */
TR_INLINE tr_spatial axis_through(tr_v4 axis, tr_v4 r) {
    return (tr_spatial){axis, tr_v4_cross(r, axis)};
}

/* I_O = I_c + m (r.r 1 - r r^T), r from O to the centre of mass */
static void place_rigid(const tr_body *body, const tr_body_state *at, tr_v4 origin, tr_rigid *out) {
    const tr_mat3 rot = tr_quat_to_mat3(at->rot);
    const tr_m3 axes = tr_m3_from(&rot), own = tr_m3_from(&body->inertia);
    const tr_v4 r = tr_v4_from(at->com_pos) - origin;
    const double square = tr_v4_dot(r, r);
    out->mass = body->mass;
    out->first_moment = r * body->mass;
    out->inertia = tr_m3_rotate_tensor(&axes, &own);
    for (int j = 0; j < 3; j++) {
        out->inertia.column[j] -= r * (body->mass * r[j]);
        out->inertia.column[j][j] += body->mass * square;
    }
}

static void rigid_add(tr_rigid *sum, const tr_rigid *a) {
    sum->mass += a->mass;
    sum->first_moment += a->first_moment;
    for (int j = 0; j < 3; j++)
        sum->inertia.column[j] += a->inertia.column[j];
}

/* The rates of the root, and its axes. */
static void place_root(tr_dynamics *d, const tr_state *state) {
    const tr_v4 r = tr_v4_from(state->pose.root_pos) - d->origin;
    const tr_v4 omega = tr_v4_from(state->root_omega), vel = tr_v4_from(state->root_vel);
    d->first[0] = 0;
    d->dofs[0] = 6;
    for (int k = 0; k < 3; k++) {
        tr_v4 unit = tr_v4_zero();
        unit[k] = 1;
        d->axis[k] = axis_through(unit, r);
        d->axis[3 + k] = (tr_spatial){tr_v4_zero(), unit};
        d->rate[k] = omega[k];
        d->rate[3 + k] = vel[k];
    }
    d->velocity[0] = (tr_spatial){omega, vel + tr_v4_cross(r, omega)};
    d->bias[0] = (tr_spatial){tr_v4_zero(), tr_v4_cross(vel, omega)};
}

static void place_joint(tr_dynamics *d, int i, const tr_state *state, const tr_body_state *bodies) {
    const tr_body *body = &d->model->body[i];
    const tr_quat frame = tr_quat_mul(bodies[body->parent].rot, body->rot);
    const tr_v4 r = tr_v4_from(tr_body_point(d->model, i, body->anchor, &bodies[i])) - d->origin;
    const bool single = tr_body_has_axis(body);
    const tr_mat3 axes = tr_quat_to_mat3(frame);
    const tr_vec3 rate = state->joint_rate[i];
    const double turn[3] = {single ? tr_vec3_dot(rate, body->axis) : rate.x, rate.y, rate.z};
    tr_spatial joint = tr_spatial_zero();
    d->first[i] = d->dof;
    d->dofs[i] = single ? 1 : 3;
    for (int k = 0; k < d->dofs[i]; k++) {
        const tr_v4 axis =
            tr_v4_from(single ? tr_mat3_apply(&axes, body->axis) : tr_mat3_column(&axes, k));
        d->axis[d->dof] = body->joint == TR_JOINT_SLIDE ? (tr_spatial){tr_v4_zero(), axis}
                                                        : axis_through(axis, r);
        d->rate[d->dof] = turn[k];
        joint = tr_spatial_add_scaled(joint, turn[k], d->axis[d->dof]);
        d->dof++;
    }
    d->velocity[i] = tr_spatial_add(d->velocity[body->parent], joint);
    d->bias[i] =
        tr_spatial_add(d->bias[body->parent], cross_motion(d->velocity[body->parent], joint));
}

/* I a + V x* I V */
static tr_spatial force_on(const tr_dynamics *d, int i, tr_spatial accel) {
    const tr_spatial moving = rigid_apply(&d->rigid[i], d->velocity[i]);
    return tr_spatial_add(rigid_apply(&d->rigid[i], accel), cross_force(d->velocity[i], moving));
}

static void sum_momenta(tr_dynamics *d) {
    d->momentum = d->momentum_bias = tr_spatial_zero();
    for (int i = 0; i < d->model->body_count; i++) {
        d->whole[i] = d->rigid[i];
        d->momentum_bias = tr_spatial_add(d->momentum_bias, force_on(d, i, d->bias[i]));
    }
    for (int i = d->model->body_count - 1; i > 0; i--)
        rigid_add(&d->whole[d->model->body[i].parent], &d->whole[i]);
    for (int i = 0; i < d->model->body_count; i++)
        for (int j = d->first[i]; j < d->first[i] + d->dofs[i]; j++) {
            d->momentum_axis[j] = rigid_apply(&d->whole[i], d->axis[j]);
            d->momentum = tr_spatial_add_scaled(d->momentum, d->rate[j], d->momentum_axis[j]);
        }
}

void tr_dynamics_init(tr_dynamics *out, const tr_model *model, const tr_state *state,
                      const tr_body_state *bodies) {
    out->model = model;
    out->origin = tr_v4_from(tr_body_momentum(model, bodies).com_pos);
    out->dof = 6;
    place_root(out, state);
    for (int i = 1; i < model->body_count; i++)
        place_joint(out, i, state, bodies);
    for (int i = 0; i < model->body_count; i++)
        place_rigid(&model->body[i], &bodies[i], out->origin, &out->rigid[i]);
    sum_momenta(out);
}

static tr_spatial turn_by(const tr_dynamics *d, int i, const double *accel, tr_spatial from) {
    for (int j = d->first[i]; j < d->first[i] + d->dofs[i]; j++)
        from = tr_spatial_add_scaled(from, accel[j], d->axis[j]);
    return from;
}

/* S^T f */
static tr_vec3 torque_of(const tr_dynamics *d, int i, tr_spatial force) {
    const tr_spatial *axis = &d->axis[d->first[i]];
    const double first = tr_spatial_dot(axis[0], force);
    if (d->dofs[i] == 1)
        return tr_vec3_scale(d->model->body[i].axis, first);
    return (tr_vec3){first, tr_spatial_dot(axis[1], force), tr_spatial_dot(axis[2], force)};
}

void tr_dynamics_inverse(const tr_dynamics *dynamics, const double *accel, tr_vec3 gravity,
                         const tr_spatial *outside, tr_vec3 *out_torque, tr_spatial *out_root) {
    const tr_dynamics *d = dynamics;
    const tr_spatial lift = {tr_v4_zero(), -tr_v4_from(gravity)};
    tr_spatial turned[TR_BODY_MAX], force[TR_BODY_MAX]; /* turned: a - a_0 of each body */
    for (int i = 0; i < d->model->body_count; i++) {
        turned[i] = turn_by(d, i, accel, i > 0 ? turned[d->model->body[i].parent] : lift);
        force[i] = force_on(d, i, tr_spatial_add(d->bias[i], turned[i]));
        if (outside)
            force[i] = tr_spatial_sub(force[i], outside[i]);
    }
    for (int i = d->model->body_count - 1; i > 0; i--) {
        tr_spatial *parent = &force[d->model->body[i].parent];
        out_torque[i] = torque_of(d, i, force[i]);
        *parent = tr_spatial_add(*parent, force[i]);
    }
    *out_root = force[0];
}
