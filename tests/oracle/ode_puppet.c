#include "oracle/ode_puppet.h"

#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* A motor's speed, rad/s, that no joint reaches: the motor then pushes with all its force. */
static const double UNREACHED = 1e9;

_Static_assert(sizeof(dReal) == sizeof(double), "the reference needs ODE in double precision");

/* --- records --- */

/* ODE's setter normalises the quaternion and rebuilds the matrix from it, which changes last bits;
 * the copies over its own storage put them back. The position is set last, because its setter marks
 * the body as moved. */
void tr_body_record_write(const tr_body_record *record, dBodyID body) {
    dBodySetQuaternion(body, record->q);
    memcpy((void *)dBodyGetQuaternion(body), record->q, sizeof record->q);
    memcpy((void *)dBodyGetRotation(body), record->rot, sizeof record->rot);
    dBodySetPosition(body, record->pos[0], record->pos[1], record->pos[2]);
    dBodySetLinearVel(body, record->vel[0], record->vel[1], record->vel[2]);
    dBodySetAngularVel(body, record->omega[0], record->omega[1], record->omega[2]);
}

void tr_body_record_read(tr_body_record *record, dBodyID body) {
    memcpy(record->pos, dBodyGetPosition(body), sizeof record->pos);
    memcpy(record->q, dBodyGetQuaternion(body), sizeof record->q);
    memcpy(record->rot, dBodyGetRotation(body), sizeof record->rot);
    memcpy(record->vel, dBodyGetLinearVel(body), sizeof record->vel);
    memcpy(record->omega, dBodyGetAngularVel(body), sizeof record->omega);
}

/* A unit quaternion is copied to the bit. */
tr_body_record tr_body_record_of(const tr_body_state *state) {
    bool unit = fabs(tr_quat_dot(state->rot, state->rot) - 1.0) < 1e-9;
    tr_quat q = unit ? state->rot : tr_quat_normalize(state->rot);
    tr_mat3 r = tr_quat_to_mat3(q);
    tr_body_record record = {{state->com_pos.x, state->com_pos.y, state->com_pos.z},
                             {q.w, q.x, q.y, q.z},
                             {0},
                             {state->com_vel.x, state->com_vel.y, state->com_vel.z},
                             {state->omega.x, state->omega.y, state->omega.z}};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            record.rot[4 * row + column] = r.m[3 * row + column];
    return record;
}

bool tr_body_record_is_finite(const tr_body_record *record) {
    double sum = 0.0; /* 0 times anything finite is 0 */
    for (int i = 0; i < 3; i++)
        sum += 0.0 * (record->pos[i] + record->vel[i] + record->omega[i]);
    for (int i = 0; i < 4; i++)
        sum += 0.0 * record->q[i];
    return sum == 0.0;
}

static tr_frame frame_of(const tr_body_record *record) {
    const dReal *r = record->rot;
    return (tr_frame){
        {tr_v4_make(r[0], r[4], r[8]), tr_v4_make(r[1], r[5], r[9]), tr_v4_make(r[2], r[6], r[10])},
        tr_v4_from(tr_vec3_of_ode(record->pos))};
}

/* --- building: a character stands at rest at the world origin while its joints are made, so that
 * what ODE derives from the bodies' places is the same whenever it is built --- */

static dBodyID build_body(dWorldID world, double mass, const tr_mat3 *inertia) {
    const double *i = inertia->m;
    dMass properties;
    dMassSetParameters(&properties, mass, 0, 0, 0, i[0], i[4], i[8], i[1], i[2], i[5]);
    dBodyID body = dBodyCreate(world);
    dBodySetMass(body, &properties);
    dBodySetAutoDisableFlag(body, 0);
    return body;
}

static dJointID build_motor(dWorldID world, dBodyID child, dBodyID parent, int axes) {
    dJointID motor = dJointCreateAMotor(world, NULL);
    dJointAttach(motor, child, parent);
    dJointSetAMotorMode(motor, dAMotorUser);
    dJointSetAMotorNumAxes(motor, axes);
    return motor;
}

static void set_motor(dJointID motor, int axis, int parameter, double value) {
    dJointSetAMotorParam(motor, parameter + axis * dParamGroup, value);
}

/* Axes that ride on the parent: those of the joint frame, or the hinge's alone. */
static void build_servo(dWorldID world, tr_puppet *p, int i, const tr_body *body) {
    tr_quat rest = tr_quat_of_ode(dBodyGetQuaternion(p->body[i]));
    bool hinge = body->joint == TR_JOINT_HINGE;
    p->servo[i] = build_motor(world, p->body[i], p->body[body->parent], hinge ? 1 : 3);
    for (int k = 0; k < (hinge ? 1 : 3); k++) {
        tr_vec3 local = hinge ? body->axis : tr_vec3_make(k == 0, k == 1, k == 2);
        tr_vec3 axis = tr_quat_rotate(rest, local);
        dJointSetAMotorAxis(p->servo[i], k, 2, axis.x, axis.y, axis.z);
    }
    dJointSetFeedback(p->servo[i], &p->servo_feedback[i]);
}

static void build_stop(dWorldID world, const tr_world_def *def, tr_puppet *p, int i,
                       const tr_body *body) {
    p->stop[i] = NULL;
    if (!body->limited)
        return;
    p->stop[i] = build_motor(world, p->body[i], p->body[body->parent], 1);
    if (body->joint == TR_JOINT_HINGE)
        dJointSetAMotorParam(p->stop[i], dParamLoStop, body->range[0]);
    dJointSetAMotorParam(p->stop[i], dParamHiStop, body->range[1]);
    dJointSetAMotorParam(p->stop[i], dParamStopERP, def->contact_erp);
    dJointSetAMotorParam(p->stop[i], dParamStopCFM, def->contact_cfm);
}

static void build_joint(dWorldID world, tr_puppet *p, int i, const tr_body *body) {
    dBodyID child = p->body[i], parent = p->body[body->parent];
    tr_quat rest = tr_quat_of_ode(dBodyGetQuaternion(child));
    tr_vec3 from_com = tr_quat_rotate(rest, tr_vec3_sub(body->anchor, body->com));
    tr_vec3 anchor = tr_vec3_add(tr_vec3_of_ode(dBodyGetPosition(child)), from_com);
    if (body->joint == TR_JOINT_HINGE) {
        tr_vec3 axis = tr_quat_rotate(rest, body->axis);
        p->joint[i] = dJointCreateHinge(world, NULL);
        dJointAttach(p->joint[i], child, parent);
        dJointSetHingeAnchor(p->joint[i], anchor.x, anchor.y, anchor.z);
        dJointSetHingeAxis(p->joint[i], axis.x, axis.y, axis.z);
    } else {
        p->joint[i] = dJointCreateBall(world, NULL);
        dJointAttach(p->joint[i], child, parent);
        dJointSetBallAnchor(p->joint[i], anchor.x, anchor.y, anchor.z);
    }
}

void tr_puppet_build_character(tr_puppet *p, dWorldID ode, const tr_world_def *def,
                               const tr_character *character) {
    const tr_model *model = character->model;
    tr_state rest = {.pose.root_rot = tr_quat_identity()};
    for (int i = 0; i < model->body_count; i++)
        rest.pose.joint[i] = tr_quat_identity();
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &rest, bodies);
    for (int i = 0; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        tr_body_record at_rest = tr_body_record_of(&bodies[i]);
        p->body[i] = build_body(ode, body->mass, &body->inertia);
        tr_body_record_write(&at_rest, p->body[i]);
        if (character->kinematic)
            dBodySetKinematic(p->body[i]);
        if (i == 0 || character->kinematic)
            continue;
        build_joint(ode, p, i, body);
        build_servo(ode, p, i, body);
        build_stop(ode, def, p, i, body);
    }
    p->written = false;
}

/* ODE multiplies the speed by one minus this. */
static double damping_share(double rate, double h) {
    return rate * h / (1.0 + rate * h);
}

void tr_puppet_build_object(tr_puppet *p, dWorldID ode, const tr_world_def *def,
                            const tr_object *object) {
    p->body[0] = build_body(ode, object->mass, &object->inertia);
    dBodySetLinearDampingThreshold(p->body[0], 0);
    dBodySetAngularDampingThreshold(p->body[0], 0);
    dBodySetLinearDamping(p->body[0], damping_share(object->def.linear_damping, def->step_s));
    dBodySetAngularDamping(p->body[0], damping_share(object->def.angular_damping, def->step_s));
    if (object->kinematic)
        dBodySetKinematic(p->body[0]);
    p->written = false;
}

/* --- aiming and reading --- */

void tr_puppet_write(tr_puppet *p, bool frozen) {
    for (int i = 0; i < p->count; i++) {
        if (!p->written)
            tr_body_record_write(&p->record[i], p->body[i]);
        if (frozen)
            dBodyDisable(p->body[i]);
        dBodySetForce(p->body[i], 0, 0, 0);
        dBodySetTorque(p->body[i], 0, 0, 0);
    }
    /* ODE does not write the feedback of a motor without force. */
    memset(p->servo_feedback, 0, sizeof p->servo_feedback);
    p->written = true;
}

/* Rotation vector from the joint's rotation q to its target, joint frame; on a hinge along its
 * axis. */
static tr_vec3 servo_error(const tr_body *body, tr_quat q, tr_quat target) {
    if (body->joint == TR_JOINT_BALL)
        return tr_quat_log(tr_quat_mul(target, tr_quat_conj(q)));
    tr_quat turn = tr_quat_mul(target, tr_quat_conj(q));
    double sine = turn.x * body->axis.x + turn.y * body->axis.y + turn.z * body->axis.z;
    return tr_vec3_make(tr_angle_wrap(2.0 * tr_atan2(sine, turn.w)), 0, 0);
}

tr_quat tr_puppet_joint_frame(const tr_puppet *p, const tr_body *body) {
    return tr_quat_mul(tr_quat_of_ode(p->record[body->parent].q), body->rot);
}

/* One axis of a servo's motor: tau = kp err + forward - stiff w', or `forward` alone when there are
 * no gains. */
static void aim_axis(dJointID motor, int axis, double aim, double stiff, double most) {
    bool law = stiff > 0.0;
    set_motor(motor, axis, dParamFMax, law ? most : fmin(fabs(aim), most));
    set_motor(motor, axis, dParamVel, law ? aim / stiff : aim > 0.0 ? UNREACHED : -UNREACHED);
    set_motor(motor, axis, dParamCFM, law ? 1.0 / stiff : 0.0);
}

void tr_puppet_aim_servo(const tr_puppet *p, const tr_world_def *def, const tr_character *character,
                         int i) {
    const tr_body *body = &character->model->body[i];
    bool limp = character->servo == TR_SERVO_RAGDOLL;
    double kp = character->kp[i], stiff = character->kd[i] + def->step_s * kp;
    tr_quat q =
        tr_quat_mul(tr_quat_conj(tr_puppet_joint_frame(p, body)), tr_quat_of_ode(p->record[i].q));
    tr_vec3 aim = tr_vec3_scale(servo_error(body, q, character->target[i]), kp);
    if (!limp && character->feedforward_steps > 0) {
        tr_vec3 forward = character->feedforward[i];
        bool hinge = body->joint == TR_JOINT_HINGE;
        aim = tr_vec3_add(aim, hinge ? (tr_vec3){tr_vec3_dot(forward, body->axis), 0, 0} : forward);
    }
    double axis[3] = {aim.x, aim.y, aim.z};
    for (int k = 0; k < (body->joint == TR_JOINT_HINGE ? 1 : 3); k++) {
        double most = tr_body_torque_bound(body, k, axis[k] > 0); /* both ways: ODE has one */
        aim_axis(p->servo[i], k, axis[k], stiff, isinf(most) ? dInfinity : most);
    }
}

void tr_puppet_aim_stop(const tr_puppet *p, const tr_model *model, int i) {
    const tr_body *body = &model->body[i];
    if (!p->stop[i])
        return;
    tr_quat frame = tr_puppet_joint_frame(p, body);
    tr_vec3 turn = tr_quat_log(tr_quat_mul(tr_quat_conj(frame), tr_quat_of_ode(p->record[i].q)));
    bool hinge = body->joint == TR_JOINT_HINGE;
    double angle = hinge ? tr_vec3_dot(turn, body->axis) : tr_vec3_length(turn);
    tr_vec3 local = hinge ? body->axis : tr_vec3_normalize_or(turn, tr_vec3_make(0, 0, 1));
    tr_vec3 axis = tr_quat_rotate(frame, local);
    dJointSetAMotorAxis(p->stop[i], 0, 0, axis.x, axis.y, axis.z);
    dJointSetAMotorAngle(p->stop[i], 0, angle);
}

void tr_puppet_sweep(tr_puppet *p, const tr_sweep *sweep) {
    for (int i = 0; i < p->count; i++) {
        tr_vec3 v = sweep[i].vel, w = sweep[i].omega;
        memcpy(p->record[i].vel, (dReal[3]){v.x, v.y, v.z}, 3 * sizeof(dReal));
        memcpy(p->record[i].omega, (dReal[3]){w.x, w.y, w.z}, 3 * sizeof(dReal));
    }
    p->written = false;
}

bool tr_puppet_read(tr_puppet *p) {
    tr_body_record after[TR_BODY_MAX];
    bool finite = true;
    for (int i = 0; i < p->count; i++) {
        tr_body_record_read(&after[i], p->body[i]);
        finite = finite && tr_body_record_is_finite(&after[i]);
    }
    if (finite)
        memcpy(p->record, after, sizeof after[0] * (size_t)p->count);
    return finite;
}

void tr_puppet_state(const tr_puppet *p, const tr_model *model, tr_state *state) {
    tr_quat root = tr_quat_of_ode(p->record[0].q);
    tr_vec3 from_com = tr_quat_rotate(root, tr_vec3_negate(model->body[0].com));
    state->pose.root_rot = root;
    state->pose.root_pos = tr_vec3_add(tr_vec3_of_ode(p->record[0].pos), from_com);
    state->root_omega = tr_vec3_of_ode(p->record[0].omega);
    state->root_vel =
        tr_vec3_add(tr_vec3_of_ode(p->record[0].vel), tr_vec3_cross(state->root_omega, from_com));
    for (int i = 1; i < p->count; i++) {
        const tr_body *body = &model->body[i];
        tr_quat frame = tr_puppet_joint_frame(p, body);
        tr_vec3 relative = tr_vec3_sub(tr_vec3_of_ode(p->record[i].omega),
                                       tr_vec3_of_ode(p->record[body->parent].omega));
        tr_quat q = tr_quat_mul(tr_quat_conj(frame), tr_quat_of_ode(p->record[i].q));
        tr_vec3 rate = tr_quat_rotate_inverse(frame, relative);
        if (body->joint == TR_JOINT_HINGE) {
            double sine = q.x * body->axis.x + q.y * body->axis.y + q.z * body->axis.z;
            q = tr_quat_from_axis_angle(body->axis, tr_angle_wrap(2.0 * tr_atan2(sine, q.w)));
            rate = tr_vec3_scale(body->axis, tr_vec3_dot(body->axis, rate));
        }
        state->pose.joint[i] = tr_quat_normalize(q);
        state->joint_rate[i] = rate;
    }
}

void tr_puppet_frames(const tr_puppet *p, tr_frame *frame) {
    for (int i = 0; i < p->count; i++)
        frame[i] = frame_of(&p->record[i]);
}

void tr_puppet_halt(tr_puppet *p) {
    for (int i = 0; i < p->count; i++) {
        memset(p->record[i].vel, 0, sizeof p->record[i].vel);
        memset(p->record[i].omega, 0, sizeof p->record[i].omega);
    }
}
