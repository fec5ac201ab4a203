/* Forward kinematics, and whole-body sums over it. */
#include "model/inertia.h"
#include "model/state.h"

#include <string.h>

static tr_quat joint_frame(const tr_model *model, int body, tr_quat parent_rot) {
    return tr_quat_mul(parent_rot, model->body[body].rot);
}

tr_quat tr_pose_body_rotation(const tr_model *model, const tr_pose *pose, int body) {
    if (body == 0)
        return pose->root_rot;
    tr_quat parent_rot = tr_pose_body_rotation(model, pose, model->body[body].parent);
    tr_quat frame = joint_frame(model, body, parent_rot);
    bool slides = model->body[body].joint == TR_JOINT_SLIDE;
    return slides ? frame : tr_quat_mul(frame, pose->joint[body]);
}

void tr_state_forward(const tr_model *model, const tr_state *state, tr_body_state *out_bodies) {
    tr_vec3 origin[TR_BODY_MAX], origin_vel[TR_BODY_MAX];
    for (int i = 0; i < model->body_count; i++) {
        const tr_body *b = &model->body[i];
        tr_body_state *s = &out_bodies[i];
        if (i == 0) {
            s->rot = state->pose.root_rot;
            s->omega = state->root_omega;
            origin[0] = state->pose.root_pos;
            origin_vel[0] = state->root_vel;
        } else if (b->joint == TR_JOINT_SLIDE) {
            const tr_body_state *p = &out_bodies[b->parent];
            double way = tr_quat_angle_about(state->pose.joint[i], b->axis);
            tr_vec3 at = tr_vec3_add_scaled(b->pos, way, tr_quat_rotate(b->rot, b->axis));
            tr_vec3 from_parent = tr_quat_rotate(p->rot, at);
            s->rot = joint_frame(model, i, p->rot);
            s->omega = p->omega;
            origin[i] = tr_vec3_add(origin[b->parent], from_parent);
            origin_vel[i] = tr_vec3_add(
                tr_vec3_add(origin_vel[b->parent], tr_quat_rotate(s->rot, state->joint_rate[i])),
                tr_vec3_cross(p->omega, from_parent));
        } else {
            const tr_body_state *p = &out_bodies[b->parent];
            tr_quat frame = joint_frame(model, i, p->rot);
            s->rot = tr_quat_mul(frame, state->pose.joint[i]);
            s->omega = tr_vec3_add(p->omega, tr_quat_rotate(frame, state->joint_rate[i]));
            /* The joint centre is fixed in both bodies. */
            tr_vec3 centre = tr_vec3_add(b->pos, tr_quat_rotate(b->rot, b->anchor));
            tr_vec3 from_parent = tr_quat_rotate(p->rot, centre);
            tr_vec3 from_child = tr_quat_rotate(s->rot, b->anchor);
            origin[i] = tr_vec3_sub(tr_vec3_add(origin[b->parent], from_parent), from_child);
            origin_vel[i] = tr_vec3_sub(
                tr_vec3_add(origin_vel[b->parent], tr_vec3_cross(p->omega, from_parent)),
                tr_vec3_cross(s->omega, from_child));
        }
        tr_vec3 com = tr_quat_rotate(s->rot, b->com);
        s->com_pos = tr_vec3_add(origin[i], com);
        s->com_vel = tr_vec3_add(origin_vel[i], tr_vec3_cross(s->omega, com));
    }
}

void tr_pose_forward(const tr_model *model, const tr_pose *pose, tr_body_state *out_bodies) {
    const tr_state state = tr_state_at_rest(model, pose);
    tr_state_forward(model, &state, out_bodies);
}

tr_vec3 tr_body_origin(const tr_model *model, int body, const tr_body_state *state) {
    return tr_vec3_sub(state->com_pos, tr_quat_rotate(state->rot, model->body[body].com));
}

tr_vec3 tr_body_point(const tr_model *model, int body, tr_vec3 point, const tr_body_state *state) {
    tr_vec3 from_com = tr_vec3_sub(point, model->body[body].com);
    return tr_vec3_add(state->com_pos, tr_quat_rotate(state->rot, from_com));
}

tr_state tr_state_at_rest(const tr_model *model, const tr_pose *pose) {
    (void)model;
    tr_state state;
    memset(&state, 0, sizeof state);
    state.pose = *pose;
    return state;
}

tr_pose tr_pose_rest(const tr_model *model) {
    tr_pose pose;
    pose.root_pos = (tr_vec3){0, 0, 0};
    pose.root_rot = model->body[0].rot;
    for (int i = 0; i < TR_BODY_MAX; i++)
        pose.joint[i] = tr_quat_identity();
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, &pose, bodies);
    pose.root_pos.z = -tr_body_lowest_point(model, -1, bodies);
    return pose;
}

tr_state tr_state_from_poses(const tr_model *model, const tr_pose *before, const tr_pose *at,
                             const tr_pose *after, double dt_s) {
    tr_state state = tr_state_at_rest(model, at);
    double span = 2 * dt_s;
    state.root_vel = tr_vec3_scale(tr_vec3_sub(after->root_pos, before->root_pos), 1.0 / span);
    state.root_omega = tr_quat_rate(before->root_rot, after->root_rot, span);
    for (int i = 1; i < model->body_count; i++) {
        tr_vec3 rate = tr_quat_rate(before->joint[i], after->joint[i], span);
        if (tr_body_has_axis(&model->body[i])) {
            tr_vec3 axis = model->body[i].axis;
            rate = tr_vec3_scale(axis, tr_vec3_dot(axis, rate));
        }
        state.joint_rate[i] = rate;
    }
    return state;
}

/* Reflection keeps body axes, so the mirrored rotation of a body is the mirrored rotation of its
 * other side; with body.rot mirrored in the model as well (M rot M), the joint quaternions mirror
 * alike. */
tr_pose tr_pose_between(const tr_pose *a, const tr_pose *b, int body_count, double t) {
    tr_pose pose = *a;
    pose.root_pos = tr_vec3_lerp(a->root_pos, b->root_pos, t);
    pose.root_rot = tr_quat_slerp(a->root_rot, b->root_rot, t);
    for (int i = 1; i < body_count; i++)
        pose.joint[i] = tr_quat_slerp(a->joint[i], b->joint[i], t);
    return pose;
}

tr_pose tr_pose_mirror(const tr_model *model, const tr_pose *pose) {
    tr_pose out = *pose;
    out.root_pos = tr_vec3_mirror(pose->root_pos);
    out.root_rot = tr_quat_mirror(pose->root_rot);
    for (int i = 1; i < model->body_count; i++)
        out.joint[i] = tr_body_mirror_joint(&model->body[i], pose->joint[model->body[i].mirror]);
    return out;
}

tr_state tr_state_mirror(const tr_model *model, const tr_state *state) {
    tr_state out = *state;
    out.pose = tr_pose_mirror(model, &state->pose);
    out.root_vel = tr_vec3_mirror(state->root_vel);
    out.root_omega = tr_vec3_mirror_axial(state->root_omega);
    for (int i = 1; i < model->body_count; i++)
        out.joint_rate[i] =
            tr_body_mirror_vector(&model->body[i], state->joint_rate[model->body[i].mirror]);
    return out;
}

tr_state tr_state_turn(const tr_state *state, tr_quat turn, tr_vec3 offset) {
    tr_state out = *state;
    out.pose.root_pos = tr_vec3_add(tr_quat_rotate(turn, state->pose.root_pos), offset);
    out.pose.root_rot = tr_quat_mul(turn, state->pose.root_rot);
    out.root_vel = tr_quat_rotate(turn, state->root_vel);
    out.root_omega = tr_quat_rotate(turn, state->root_omega);
    return out;
}

tr_state tr_state_place(const tr_state *state, double heading_rad, tr_vec3 offset) {
    return tr_state_turn(state, tr_quat_from_heading(heading_rad), offset);
}

/* Distance from the centre of a geom, turned by `rot` in the world, down to its lowest point. */
static double geom_drop(const tr_geom *geom, tr_quat rot) {
    tr_mat3 r = tr_quat_to_mat3(rot);
    return tr_geom_half_extent(geom, (tr_vec3){r.m[6], r.m[7], r.m[8]});
}

double tr_body_lowest_point(const tr_model *model, int body, const tr_body_state *bodies) {
    double lowest = INFINITY;
    for (int g = 0; g < model->geom_count; g++) {
        const tr_geom *geom = &model->geom[g];
        if (body >= 0 && geom->body != body)
            continue;
        const tr_body_state *s = &bodies[geom->body];
        tr_vec3 from_com = tr_vec3_sub(geom->pos, model->body[geom->body].com);
        tr_vec3 centre = tr_vec3_add(s->com_pos, tr_quat_rotate(s->rot, from_com));
        double z = centre.z - geom_drop(geom, tr_quat_mul(s->rot, geom->rot));
        if (z < lowest)
            lowest = z;
    }
    return isfinite(lowest) ? lowest : 0.0;
}

tr_momentum tr_body_momentum(const tr_model *model, const tr_body_state *bodies) {
    tr_momentum sum = {0};
    for (int i = 0; i < model->body_count; i++) {
        double m = model->body[i].mass;
        sum.mass += m;
        sum.com_pos = tr_vec3_add_scaled(sum.com_pos, m, bodies[i].com_pos);
        sum.com_vel = tr_vec3_add_scaled(sum.com_vel, m, bodies[i].com_vel);
    }
    sum.com_pos = tr_vec3_scale(sum.com_pos, 1.0 / sum.mass);
    sum.com_vel = tr_vec3_scale(sum.com_vel, 1.0 / sum.mass);
    for (int i = 0; i < model->body_count; i++) {
        const tr_body_state *b = &bodies[i];
        tr_vec3 local = tr_quat_rotate_inverse(b->rot, b->omega);
        tr_vec3 spin = tr_quat_rotate(b->rot, tr_mat3_apply(&model->body[i].inertia, local));
        tr_vec3 arm = tr_vec3_sub(b->com_pos, sum.com_pos);
        tr_vec3 vel = tr_vec3_sub(b->com_vel, sum.com_vel);
        tr_vec3 orbit = tr_vec3_scale(tr_vec3_cross(arm, vel), model->body[i].mass);
        sum.angular = tr_vec3_add(sum.angular, tr_vec3_add(spin, orbit));
    }
    return sum;
}
