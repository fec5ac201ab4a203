/* One step, after Macchietto, Zordan and Shelton 2009. With c the centroid, p the centre of pressure,
 * f the force of the ground, F and N force and moment from outside (disturbance.h), and L, H linear
 * and angular momentum about c:
 *
 *   dL/dt = m g + f + F            dH/dt = (p - c) x f + N
 *
 * 1. Target rates: dL = m (k (c* - c) - d c'), dH = -e H (reference 0). c* is where the pressure rests
 *    at its place above the feet while F and N act. Accelerations qdd that make dL exactly, and dH as
 *    far as the posture lets, say which dH the body would have.
 * 2. With z the height of c above the soles and n = dH/dt - N, f and n determine p:
 *
 *      p_x = c_x - (n_y + z f_x) / f_z        p_y = c_y + (n_x - z f_y) / f_z
 *
 *    f is moved into the cone of friction and p into the polygon of the feet. What p lacks is made
 *    good by n, up to a bound (arms and trunk swing: the linear rate goes first), the rest by f.
 * 3. qdd again, now with all six rates exact.
 * 4. Torques by inverse dynamics, the force of the ground shared by the feet, F and N on the trunk.
 *
 * Steps 1 and 3 are a program (program.h): q0 brings the posture back, feet that stand do not move, and
 * rates are the target rates. */
#include "control/torque/ground/momentum_step.h"

#include "control/parts/drive_by_plan.h"
#include "control/parts/program.h"
#include "math/elementary.h"

#include <math.h>

static const tr_vec3 WORLD_AXIS[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const double LEVEL_STIFFNESS = 100; /* of soles, level and on the ground, 1/s2 */
static const double LEAST_LIFT = 0.2;      /* of the weight, that the ground bears at least */
static const double YAW_ARM_M = 0.05;      /* of friction against turning about the vertical */

/* --- the rows: C and b --- */

/* A sole keeps still, level and on the ground: its centre x has the acceleration
 * a.lin + a.ang x x + w x v. */
static void add_foot(const tr_momentum_view *v, int side, tr_program *p) {
    const tr_dynamics *d = v->body.dynamics;
    const int foot = d->model->foot[side];
    const double damping = v->numbers->foot_damping;
    const tr_v4 x = tr_v4_from(v->foothold->sole[side]) - d->origin;
    const tr_spatial velocity = d->velocity[foot], bias = d->bias[foot];
    const tr_v4 point_vel = velocity.lin + tr_v4_cross(velocity.ang, x);
    const tr_quat rot = v->body.bodies[foot].rot;
    const tr_v4 up = tr_v4_from(tr_quat_rotate(rot, (tr_vec3){0, 0, 1}));
    /* A goal is the wanted acceleration less the bias, which the sole has without any qdd. */
    const tr_v4 ang =
        tr_v4_cross(up, tr_v4_from(v->up)) * LEVEL_STIFFNESS - velocity.ang * damping - bias.ang;
    const tr_v4 sink = tr_v4_from(v->up) * (-LEVEL_STIFFNESS * v->foothold->gap_m[side]);
    const tr_v4 lin = sink - point_vel * damping - bias.lin - tr_v4_cross(bias.ang, x) -
                      tr_v4_cross(velocity.ang, point_vel);
    const int row = tr_program_add_body(p, foot, x);
    for (int k = 0; k < 3; k++) {
        p->goal[row + k] = ang[k];
        p->goal[row + 3 + k] = lin[k];
    }
}

/* --- rates --- */

/* Returns z of step 2. Forces are divided by it, so it has a least value. */
static double height_of(const tr_momentum_view *v) {
    return fmax(0.1, v->body.dynamics->origin[2] - v->foothold->middle.z);
}

/* Returns p of step 2 for a force and a moment, from the centroid at this height. */
static tr_vec3 pressure_of(tr_vec3 force, tr_vec3 moment, double height) {
    return (tr_vec3){-(moment.y + height * force.x) / force.z,
                     (moment.x - height * force.y) / force.z, -height};
}

/* Returns c*, which is above the feet, and so far into a force from outside that the pressure is
 * there at rest. */
static tr_vec3 wished_place(const tr_momentum_view *v) {
    const double weight = v->body.dynamics->model->mass * tr_vec3_length(v->body.gravity);
    const tr_vec3 ahead = {v->numbers->ahead_m, 0, 0}, outside = v->disturbance->force;
    const tr_vec3 offset =
        tr_vec3_from_heading(tr_vec3_add(v->stance->centroid, ahead), v->foothold->heading_rad);
    const tr_vec3 place = tr_vec3_add(v->foothold->middle, offset);
    /* At rest the ground bears the weight, and withstands what acts from outside. */
    const tr_vec3 bearing = {-outside.x, -outside.y, weight};
    const tr_vec3 pressure =
        pressure_of(bearing, tr_vec3_negate(v->disturbance->moment), height_of(v));
    /* c* = place - (p - c), so that p is at the place; it must stay above the feet. */
    tr_vec3 leaning = tr_foothold_nearest(v->foothold, tr_vec3_sub(place, pressure));
    leaning.z = place.z;
    return leaning;
}

static tr_vec3 wished_linear_rate(const tr_momentum_view *v) {
    const tr_momentum_numbers *n = v->numbers;
    const double mass = v->body.dynamics->model->mass;
    const tr_vec3 way = tr_vec3_sub(wished_place(v), tr_v4_to(v->body.dynamics->origin));
    const tr_vec3 vel = tr_vec3_scale(tr_v4_to(v->body.dynamics->momentum.lin), 1 / mass);
    return (tr_vec3){mass * (n->place_stiffness * way.x - n->place_damping * vel.x),
                     mass * (n->place_stiffness * way.y - n->place_damping * vel.y),
                     mass * (n->height_stiffness * way.z - n->height_damping * vel.z)};
}

/* Shortens x and y to `bound` at most. */
static tr_vec3 shorten(tr_vec3 a, double bound) {
    const double length = sqrt(a.x * a.x + a.y * a.y);
    const double share = length > bound ? bound / length : 1;
    return (tr_vec3){a.x * share, a.y * share, a.z};
}

/* Step 2: moves the wished rates to those that the feet can give. */
static void admit(const tr_momentum_view *v, tr_vec3 linear, tr_vec3 angular,
                  tr_momentum_plan *out) {
    const tr_momentum_numbers *n = v->numbers;
    const double mass = v->body.dynamics->model->mass;
    const tr_vec3 centroid = tr_v4_to(v->body.dynamics->origin);
    const tr_vec3 given = tr_vec3_add_scaled(v->disturbance->force, mass, v->body.gravity);
    const double height = height_of(v);
    tr_vec3 f = tr_vec3_sub(linear, given), m = tr_vec3_sub(angular, v->disturbance->moment);
    /* f within the cone of friction; n about the vertical within what friction of the soles
     * bears. */
    f.z = fmax(f.z, LEAST_LIFT * mass * tr_vec3_length(v->body.gravity));
    f = shorten(f, n->friction * f.z);
    m.z = tr_within(m.z, n->friction * f.z * YAW_ARM_M);
    /* p into the polygon of the feet. */
    const tr_vec3 wished = tr_vec3_add(centroid, pressure_of(f, m, height));
    out->pressure = tr_foothold_nearest(v->foothold, wished);
    const tr_vec3 lack = tr_vec3_scale(tr_vec3_sub(out->pressure, wished), f.z);
    /* What p lacks is made good by n, up to swing_nm, and the rest by f. */
    const tr_vec3 swing = shorten(lack, n->swing_nm);
    m.y -= swing.x;
    m.x += swing.y;
    f.x -= (lack.x - swing.x) / height;
    f.y -= (lack.y - swing.y) / height;
    out->force = f;
    out->moment = m;
    out->rate.linear = tr_vec3_add(f, given);
    out->rate.angular = tr_vec3_add(m, v->disturbance->moment);
}

/* --- torques --- */

/* Returns the share of the right foot, by how near it is to the centre of pressure. */
static double right_share(const tr_foothold *foothold, tr_vec3 pressure) {
    const tr_vec3 across = tr_vec3_sub(foothold->sole[1], foothold->sole[0]);
    const tr_vec3 from = tr_vec3_sub(pressure, foothold->sole[0]);
    if (!foothold->stands[0] || !foothold->stands[1])
        return foothold->stands[1] ? 1 : 0;
    const double along = tr_vec3_dot(from, across) / fmax(1e-6, tr_vec3_dot(across, across));
    return fmax(0, fmin(1, along));
}

/* Shares the force of the ground, about the centroid, among the feet, with the same share of the
 * moment that is left: each sole then has its centre of pressure alike. */
static void share_force(const tr_momentum_view *v, tr_spatial root, tr_spatial *out) {
    const tr_foothold *foothold = v->foothold;
    const tr_dynamics *d = v->body.dynamics;
    const tr_v4 origin = d->origin;
    const tr_vec3 from = pressure_of(tr_v4_to(root.lin), tr_v4_to(root.ang), height_of(v));
    const tr_vec3 pressure = tr_vec3_add(tr_v4_to(origin), from);
    const double right = right_share(foothold, pressure), share[2] = {1 - right, right};
    const tr_v4 arm[2] = {tr_v4_from(foothold->sole[0]) - origin,
                          tr_v4_from(foothold->sole[1]) - origin};
    const tr_v4 left = root.ang - tr_v4_cross(arm[0] * share[0] + arm[1] * share[1], root.lin);
    const tr_vec3 middle = tr_vec3_lerp(foothold->sole[0], foothold->sole[1], right);
    for (int side = 0; side < 2; side++) {
        const tr_vec3 own = tr_vec3_add(foothold->sole[side], tr_vec3_sub(pressure, middle));
        out[tr_bearer_of(d->model, v->body.bodies, side, own)] = (tr_spatial){
            (tr_v4_cross(arm[side], root.lin) + left) * share[side], root.lin * share[side]};
    }
}

static void set_torques(const tr_momentum_view *v, const double *accel, tr_vec3 *out) {
    const tr_dynamics *d = v->body.dynamics;
    tr_spatial outside[TR_BODY_MAX] = {0}, root;
    outside[d->model->trunk] =
        (tr_spatial){tr_v4_from(v->disturbance->moment), tr_v4_from(v->disturbance->force)};
    /* The root has no motor: the force that it lacks is what the ground must bear. */
    tr_dynamics_inverse(d, accel, v->body.gravity, outside, out, &root);
    share_force(v, root, outside);
    tr_planned_torques(d, accel, v->body.gravity, outside, v->numbers->strength_nm, out);
}

static void begin(const tr_momentum_view *v, tr_program *p) {
    tr_program_begin(&(tr_program_def){.body = &v->body,
                                       .axis = WORLD_AXIS,
                                       .heading_rad = v->foothold->heading_rad,
                                       .root_rot = v->stance->root_rot,
                                       .stiffness = v->numbers->posture_stiffness,
                                       .damping = v->numbers->posture_damping},
                     p);
    for (int side = 0; side < 2; side++)
        if (v->foothold->stands[side])
            add_foot(v, side, p);
    tr_program_set_gram(p);
}

tr_status tr_momentum_step(const tr_momentum_view *view, tr_momentum_plan *out_plan,
                           double *out_accel, tr_vec3 *out_torque) {
    const tr_momentum_view *v = view;
    const tr_vec3 linear = wished_linear_rate(v);
    const tr_v4 ending = v->body.dynamics->momentum.ang * -v->numbers->turn_damping;
    tr_program p;
    begin(v, &p);
    /* Step 1: dL exactly, dH only as far as the posture lets. */
    tr_program_aim_momenta(&p, linear, tr_v4_to(ending));
    tr_status status = tr_program_solve(&p, v->numbers->turn_softness, out_accel);
    if (status)
        return status;
    admit(v, linear, tr_program_angular_rate(&p, out_accel), out_plan);
    /* Step 3: all six rates exactly. */
    tr_program_aim_momenta(&p, out_plan->rate.linear, out_plan->rate.angular);
    status = tr_program_solve(&p, 0, out_accel);
    if (!status)
        set_torques(v, out_accel, out_torque);
    return status;
}
