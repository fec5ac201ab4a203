/* The servos of a body: the terms of their law for a step, four joints side by side, the bounds of
 * their torques, and the torques that resulted (kernel.h). What is said of hinges holds for slides too,
 * which are kept as hinges are, with 1 m for 1 rad (model.h). */
#include "physics/kernels/kernel_name.h"
#include "physics/spatial/rotation_lanes.h"

enum { RELEASE_PASSES = 2 };

TR_INLINE tr_v4_mask hinges_of(const tr_tree *tree, tr_lane_bodies at) {
    tr_v4_mask out;
    for (int k = 0; k < 4; k++)
        out[k] = tree->link[at.body[k]].dof == 1 ? -1 : 0;
    return out;
}

TR_INLINE tr_vec3_lanes axes_of(const tr_tree *tree, tr_lane_bodies at) {
    tr_v4 row[4];
    for (int k = 0; k < 4; k++)
        row[k] = tree->link[at.body[k]].axis;
    tr_v4_transpose(row);
    return (tr_vec3_lanes){row[0], row[1], row[2]};
}

/* The rotation vector of a unit quaternion, joint frame, where the series do not reach: of a hinge
 * its angle about the axis. */
static tr_vec3 far_error(const tr_tree_link *link, tr_quat target, tr_quat now, tr_quat e) {
    tr_vec3 axis = tr_v4_to(link->axis);
    /* Lengths may differ by more than half a turn, of which a quaternion knows the short way alone. */
    if (link->slides)
        return tr_vec3_scale(axis, tr_rotation_angle(target, axis) - tr_rotation_angle(now, axis));
    return link->dof == 1 ? tr_vec3_scale(axis, tr_rotation_angle(e, axis)) : tr_rotation_log(e);
}

/* From `now` to `target`: tr_rotation_log of the balls, axis tr_rotation_angle of the hinges. With e the
 * vector part of the rotation and b = e for a ball, the axis for a hinge, both need asin(s)/s at s^2 = e.e
 * for a ball and (e.b)^2 for a hinge; the vector is then b times 2 asin(s)/s, and times e.b for a hinge. */
TR_INLINE tr_vec3_lanes errors(const tr_tree *tree, tr_lane_bodies at, tr_quat_lanes target,
                               tr_quat_lanes now) {
    const tr_quat_lanes e = tr_quat_lanes_mul(target, tr_quat_lanes_conj(now));
    tr_v4_mask hinge = hinges_of(tree, at), back = e.w < 0;
    tr_vec3_lanes axis = axes_of(tree, at);
    tr_vec3_lanes b = {tr_v4_select(hinge, axis.x, e.x), tr_v4_select(hinge, axis.y, e.y),
                       tr_v4_select(hinge, axis.z, e.z)};
    tr_v4 along = e.x * b.x + e.y * b.y + e.z * b.z;
    tr_v4 x = tr_v4_select(hinge, along * along, along);
    tr_v4 factor = 2 * tr_lanes_series_at(tr_asin_series, TR_ASIN_TERMS, x);
    along = tr_v4_select(back, -along, along);
    factor = tr_v4_select(hinge, along * factor, tr_v4_select(back, -factor, factor));
    tr_vec3_lanes out = {b.x * factor, b.y * factor, b.z * factor};
    int far = tr_v4_bits(x >= TR_ROTATION_NEAR);
    for (int k = 0; k < 4; k++) {
        const tr_tree_link *link = &tree->link[at.body[k]];
        if (!(far >> k & 1) && !link->slides)
            continue;
        tr_vec3 v =
            far_error(link, tr_quat_lane(target, k), tr_quat_lane(now, k), tr_quat_lane(e, k));
        out.x[k] = v.x;
        out.y[k] = v.y;
        out.z[k] = v.z;
    }
    return out;
}

static void set_springs(tr_tree *tree, const tr_servo_order *order) {
    for (int i = 1; i < tree->count; i += 4) {
        tr_lane_bodies at = tr_lane_bodies_from(i, tree->count);
        tr_quat_lanes target = tr_gather_quat(order->target, at);
        tr_quat_lanes now = tr_gather_quat(tree->state->pose.joint, at);
        tr_vec3_lanes e = errors(tree, at, target, now);
        tr_v4 kp = tr_gather_double(order->kp, at);
        tr_v4 row[4] = {e.x * kp, e.y * kp, e.z * kp, tr_v4_zero()};
        tr_v4_transpose(row);
        for (int k = 0; k < 4; k++)
            tree->servo[at.body[k]].spring = row[k];
    }
}

static void aim(tr_tree *tree, const tr_servo_order *order, double h) {
    for (int i = 1; i < tree->count; i++) {
        tr_servo *servo = &tree->servo[i];
        servo->open = (tr_v4){1, 1, 1, 0};
        servo->fixed = servo->spring = tr_v4_zero();
        servo->saturated = false;
        servo->stiff = order->kd[i] + h * order->kp[i];
    }
    if (order->target)
        set_springs(tree, order);
    for (int i = 1; order->feedforward && i < tree->count; i++)
        tree->servo[i].spring += tr_v4_from(order->feedforward[i]);
}

/* Torque of the law at the end of the step if its axes were all open, joint frame. */
TR_INLINE tr_v4 law_of(const tr_tree *tree, int i, double h) {
    tr_v4 change = tree->link[i].dof == 3
                       ? tr_m3_apply_transposed(&tree->joint_axes[i], tree->alpha[i])
                       : tree->link[i].axis * tree->alpha[i][0];
    tr_v4 rate = tr_v4_from(tree->state->joint_rate[i]) + change * h;
    return tree->servo[i].spring - rate * tree->servo[i].stiff;
}

/* Saturates or releases axis k of a servo; `law` is its torque without bound. */
static bool saturate_axis(tr_servo *servo, int k, double law, const tr_v4 *bound, int pass) {
    bool open = servo->open[k] > 0;
    double limit = bound[open ? law > 0 : servo->fixed[k] > 0][k];
    bool over = fabs(law) > limit * (1 + TR_SERVO_SLACK);
    if (!isfinite(limit))
        return false;
    if (open && (over || pass >= TR_SERVO_PASSES)) {
        servo->open[k] = 0;
        servo->fixed[k] = fabs(law) > limit ? copysign(limit, law) : law;
        servo->saturated = true;
        return true;
    }
    if (!open && pass < RELEASE_PASSES && law * servo->fixed[k] < limit * fabs(servo->fixed[k])) {
        servo->open[k] = 1;
        servo->fixed[k] = 0;
        return true;
    }
    return false;
}

/* A hinge has its scalar law along the axis. Open or closed as a whole: open[0..2] are equal. */
static bool saturate_hinge(tr_servo *servo, tr_v4 law, const tr_tree_link *link, int pass) {
    tr_servo scalar = {.open = servo->open, .saturated = servo->saturated};
    scalar.fixed[0] = tr_v4_dot(servo->fixed, link->axis);
    bool changed = saturate_axis(&scalar, 0, tr_v4_dot(law, link->axis), link->bound, pass);
    double open = scalar.open[0];
    servo->open = (tr_v4){open, open, open, 0};
    servo->fixed = link->axis * scalar.fixed[0];
    servo->saturated = scalar.saturated;
    return changed;
}

static bool saturate(tr_tree *tree, double h, int pass) {
    bool changed = false;
    for (int i = 1; i < tree->count; i++) {
        const tr_tree_link *link = &tree->link[i];
        if (!link->bounded)
            continue;
        tr_v4 law = law_of(tree, i, h);
        if (link->dof == 1)
            changed |= saturate_hinge(&tree->servo[i], law, link, pass);
        for (int k = 0; k < 3 && link->dof == 3; k++)
            changed |= saturate_axis(&tree->servo[i], k, law[k], link->bound, pass);
    }
    return changed;
}

static void report(const tr_tree *tree, tr_vec3 *out_torque) {
    for (int i = 1; i < tree->count; i++) {
        const tr_servo *servo = &tree->servo[i];
        tr_v4 rate = tr_v4_from(tree->state->joint_rate[i]);
        out_torque[i] =
            tr_v4_to(servo->open * (servo->spring - rate * servo->stiff) + servo->fixed);
    }
}

const tr_servo_kernel TR_KERNEL(tr_servo_kernel) = {aim, saturate, report};
