/* The reference stepper: everything as stock ODE bodies, moved by dWorldStep. The oracle and the fallback.
 *
 * Maximal coordinates, and one linear complementarity problem for joints, servos, limits, pins and contacts together. A servo is
 * a motor row with constraint force mixing. ODE solves a row for the speed w' at the end of the step such that
 *     w' + cfm tau = v,
 * which with cfm = 1 / (kd + h kp) and v = kp err / (kd + h kp) is the servo that is implicit in both gains,
 *     tau = kp (err - h w') - kd w',
 * solved together with the contacts. A limited torque is the row's bound.
 *
 * ODE forgets nothing and promises nothing: the order of its lists is the history of their making, and its setters
 * normalise what they are given. So the truth is kept here, as records of bodies copied bit by bit, and the
 * ODE world is rebuilt in the order of the scene whenever an entity comes or goes. That makes a step a function of
 * scene and records alone. */
#include "physics/stepper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(dReal) == sizeof(double), "the reference needs ODE in double precision");

/* All that ODE knows about the motion of a body. */
typedef struct body_record {
    dReal pos[3], q[4], rot[12], vel[3], omega[3];
} body_record;

/* A character or object in ODE. Joint i ties body i to its parent. */
typedef struct puppet {
    bool written; /* the ODE bodies hold the records */
    int count;
    body_record record[TR_BODY_MAX];
    dBodyID body[TR_BODY_MAX];
    dJointID joint[TR_BODY_MAX];
    dJointID servo[TR_BODY_MAX]; /* motor on 1 or 3 axes of the joint frame */
    dJointID stop[TR_BODY_MAX];  /* motor whose stops are the joint's limits; NULL without */
    dJointFeedback servo_feedback[TR_BODY_MAX];
} puppet;

typedef struct reference {
    dWorldID world; /* NULL: to be rebuilt */
    dThreadingImplementationID threads;
    dJointGroupID contacts;
    dJointFeedback contact_feedback[TR_CONTACT_MAX];
} reference;

static tr_vec3 vec3_of(const dReal *v) {
    return (tr_vec3){v[0], v[1], v[2]};
}

static tr_quat quat_of(const dReal *q) {
    return (tr_quat){q[0], q[1], q[2], q[3]};
}

/* --- records --- */

/* ODE's setter normalises the quaternion and rebuilds the matrix from it, which changes last bits; the copies over its own
 * storage put them back. Position last, because its setter tells ODE that the body moved. */
static void write_body(dBodyID body, const body_record *record) {
    dBodySetQuaternion(body, record->q);
    memcpy((void *)dBodyGetQuaternion(body), record->q, sizeof record->q);
    memcpy((void *)dBodyGetRotation(body), record->rot, sizeof record->rot);
    dBodySetPosition(body, record->pos[0], record->pos[1], record->pos[2]);
    dBodySetLinearVel(body, record->vel[0], record->vel[1], record->vel[2]);
    dBodySetAngularVel(body, record->omega[0], record->omega[1], record->omega[2]);
}

static void read_body(dBodyID body, body_record *record) {
    memcpy(record->pos, dBodyGetPosition(body), sizeof record->pos);
    memcpy(record->q, dBodyGetQuaternion(body), sizeof record->q);
    memcpy(record->rot, dBodyGetRotation(body), sizeof record->rot);
    memcpy(record->vel, dBodyGetLinearVel(body), sizeof record->vel);
    memcpy(record->omega, dBodyGetAngularVel(body), sizeof record->omega);
}

/* A function of the state's bits alone, so that a restored state gives the same record: what is a unit quaternion is left as
 * it is. */
static body_record record_of(const tr_body_state *state) {
    bool unit = fabs(tr_quat_dot(state->rot, state->rot) - 1.0) < 1e-9;
    tr_quat q = unit ? state->rot : tr_quat_normalize(state->rot);
    tr_mat3 r = tr_quat_to_mat3(q);
    body_record record = {{state->com_pos.x, state->com_pos.y, state->com_pos.z},
                          {q.w, q.x, q.y, q.z},
                          {0},
                          {state->com_vel.x, state->com_vel.y, state->com_vel.z},
                          {state->omega.x, state->omega.y, state->omega.z}};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            record.rot[4 * row + column] = r.m[3 * row + column];
    return record;
}

static bool record_is_finite(const body_record *record) {
    double sum = 0.0; /* 0 times anything finite is 0 */
    for (int i = 0; i < 3; i++)
        sum += 0.0 * (record->pos[i] + record->vel[i] + record->omega[i]);
    for (int i = 0; i < 4; i++)
        sum += 0.0 * record->q[i];
    return sum == 0.0;
}

static tr_frame frame_of(const body_record *record) {
    const dReal *r = record->rot;
    return (tr_frame){
        {tr_v4_make(r[0], r[4], r[8]), tr_v4_make(r[1], r[5], r[9]), tr_v4_make(r[2], r[6], r[10])},
        tr_v4_from(vec3_of(record->pos))};
}

/* --- building: a character stands at rest at the world origin while its joints are made, so that what ODE derives from
 * the bodies' places is the same whenever it is built --- */

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
static void build_servo(dWorldID world, puppet *p, int i, const tr_body *body) {
    tr_quat rest = quat_of(dBodyGetQuaternion(p->body[i]));
    bool hinge = body->joint == TR_JOINT_HINGE;
    p->servo[i] = build_motor(world, p->body[i], p->body[body->parent], hinge ? 1 : 3);
    for (int k = 0; k < (hinge ? 1 : 3); k++) {
        tr_vec3 local = hinge ? body->axis : tr_vec3_make(k == 0, k == 1, k == 2);
        tr_vec3 axis = tr_quat_rotate(rest, local);
        dJointSetAMotorAxis(p->servo[i], k, 2, axis.x, axis.y, axis.z);
    }
    dJointSetFeedback(p->servo[i], &p->servo_feedback[i]);
}

static void build_stop(const tr_world *world, puppet *p, int i, const tr_body *body) {
    const reference *r = world->stepper_data;
    p->stop[i] = NULL;
    if (!body->limited)
        return;
    p->stop[i] = build_motor(r->world, p->body[i], p->body[body->parent], 1);
    if (body->joint == TR_JOINT_HINGE)
        dJointSetAMotorParam(p->stop[i], dParamLoStop, body->range[0]);
    dJointSetAMotorParam(p->stop[i], dParamHiStop, body->range[1]);
    dJointSetAMotorParam(p->stop[i], dParamStopERP, world->def.contact_erp);
    dJointSetAMotorParam(p->stop[i], dParamStopCFM, world->def.contact_cfm);
}

static void build_joint(dWorldID world, puppet *p, int i, const tr_body *body) {
    dBodyID child = p->body[i], parent = p->body[body->parent];
    tr_quat rest = quat_of(dBodyGetQuaternion(child));
    tr_vec3 from_com = tr_quat_rotate(rest, tr_vec3_sub(body->anchor, body->com));
    tr_vec3 anchor = tr_vec3_add(vec3_of(dBodyGetPosition(child)), from_com);
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

static void build_character(const tr_world *world, const tr_character *character) {
    const reference *r = world->stepper_data;
    const tr_model *model = character->model;
    puppet *p = character->stepper_data;
    tr_state rest = {.pose.root_rot = tr_quat_identity()};
    for (int i = 0; i < model->body_count; i++)
        rest.pose.joint[i] = tr_quat_identity();
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &rest, bodies);
    for (int i = 0; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        body_record at_rest = record_of(&bodies[i]);
        p->body[i] = build_body(r->world, body->mass, &body->inertia);
        write_body(p->body[i], &at_rest);
        if (i == 0)
            continue;
        build_joint(r->world, p, i, body);
        build_servo(r->world, p, i, body);
        build_stop(world, p, i, body);
    }
    p->written = false;
}

/* ODE multiplies the speed by one minus this. */
static double damping_share(double rate, double h) {
    return rate * h / (1.0 + rate * h);
}

static void build_object(const tr_world *world, const tr_object *object) {
    const reference *r = world->stepper_data;
    puppet *p = object->stepper_data;
    p->body[0] = build_body(r->world, object->mass, &object->inertia);
    dBodySetLinearDampingThreshold(p->body[0], 0);
    dBodySetAngularDampingThreshold(p->body[0], 0);
    dBodySetLinearDamping(p->body[0], damping_share(object->def.linear_damping, world->def.step_s));
    dBodySetAngularDamping(p->body[0],
                           damping_share(object->def.angular_damping, world->def.step_s));
    p->written = false;
}

/* The ODE body of a mover, NULL for the static world and for what is frozen. *out_com: its centre of mass in
 * the frame that body points are given in. */
static dBodyID find_body(const tr_world *world, int mover, int body, tr_vec3 *out_com) {
    *out_com = (tr_vec3){0, 0, 0};
    if (mover < 0)
        return NULL;
    if (mover >= world->character_count) {
        const tr_object *object = world->object[mover - world->character_count];
        const puppet *p = object->stepper_data;
        return object->faulted ? NULL : p->body[0];
    }
    const tr_character *character = world->character[mover];
    const puppet *p = character->stepper_data;
    *out_com = character->model->body[body].com;
    return character->faulted ? NULL : p->body[body];
}

/* One end of a pin: a body, or the world when it is NULL, and the point from its centre of mass. */
typedef struct pin_end {
    dBodyID body;
    tr_vec3 point;
    body_record kept;
} pin_end;

/* While the anchors are set, each body stands where a point in its axes is its own world position. False: the entity
 * is frozen, and what is pinned to it goes free. */
static bool open_pin_end(const tr_world *world, const tr_pin *pin, int side, pin_end *out) {
    static const body_record origin = {.q = {1, 0, 0, 0}, .rot = {[0] = 1, [5] = 1, [10] = 1}};
    tr_entity_id entity = pin->def.entity[side];
    tr_vec3 com;
    out->body = find_body(world, tr_scene_mover(world, entity), pin->def.body[side], &com);
    out->point = tr_vec3_sub(pin->def.point[side], com);
    if (out->body) {
        read_body(out->body, &out->kept);
        write_body(out->body, &origin);
    }
    return out->body || entity == 0;
}

static void build_pin(const tr_world *world, const tr_pin *pin) {
    const reference *r = world->stepper_data;
    pin_end end[2];
    bool both = open_pin_end(world, pin, 0, &end[0]);
    both = open_pin_end(world, pin, 1, &end[1]) && both;
    if (both && (end[0].body || end[1].body)) {
        const pin_end *a = end[0].body ? &end[0] : &end[1]; /* ODE wants the world second */
        const pin_end *b = end[0].body ? &end[1] : &end[0];
        dJointID ball = dJointCreateBall(r->world, NULL);
        dJointAttach(ball, a->body, b->body);
        dJointSetBallAnchor(ball, a->point.x, a->point.y, a->point.z);
        dJointSetBallAnchor2(ball, b->point.x, b->point.y, b->point.z);
    }
    for (int side = 0; side < 2; side++)
        if (end[side].body)
            write_body(end[side].body, &end[side].kept);
}

static void tear_down(reference *r) {
    if (!r->world)
        return;
    dJointGroupDestroy(r->contacts);
    dWorldDestroy(r->world);
    dThreadingFreeImplementation(r->threads);
    r->world = NULL;
}

static void build_world(tr_world *world) {
    reference *r = world->stepper_data;
    const tr_world_def *def = &world->def;
    r->world = dWorldCreate();
    /* Worlds share one global job list unless each has its own, and then crash on several threads. */
    r->threads = dThreadingAllocateSelfThreadedImplementation();
    dWorldSetStepThreadingImplementation(r->world, dThreadingImplementationGetFunctions(r->threads),
                                         r->threads);
    r->contacts = dJointGroupCreate(0);
    dWorldSetGravity(r->world, def->gravity.x, def->gravity.y, def->gravity.z);
    dWorldSetERP(r->world, 0.2);
    dWorldSetCFM(r->world, 1e-10);
    dWorldSetContactMaxCorrectingVel(r->world, def->contact_max_vel);
    dWorldSetContactSurfaceLayer(r->world, 0.0);
    dWorldSetAutoDisableFlag(r->world, 0);
    for (int i = 0; i < world->character_count; i++)
        build_character(world, world->character[i]);
    for (int i = 0; i < world->object_count; i++)
        build_object(world, world->object[i]);
    for (int i = 0; i < world->pin_count; i++)
        build_pin(world, world->pin[i]);
}

/* --- before the step --- */

static void write_puppet(puppet *p, bool frozen) {
    for (int i = 0; i < p->count; i++) {
        if (!p->written)
            write_body(p->body[i], &p->record[i]);
        if (frozen)
            dBodyDisable(p->body[i]);
        dBodySetForce(p->body[i], 0, 0, 0);
        dBodySetTorque(p->body[i], 0, 0, 0);
    }
    p->written = true;
}

/* Rotation vector from the joint's rotation q to its target, joint frame; on a hinge along its axis. */
static tr_vec3 servo_error(const tr_body *body, tr_quat q, tr_quat target) {
    if (body->joint == TR_JOINT_BALL)
        return tr_quat_log(tr_quat_mul(target, tr_quat_conj(q)));
    tr_quat turn = tr_quat_mul(target, tr_quat_conj(q));
    double sine = turn.x * body->axis.x + turn.y * body->axis.y + turn.z * body->axis.z;
    return tr_vec3_make(tr_angle_wrap(2.0 * atan2(sine, turn.w)), 0, 0);
}

static tr_quat joint_frame(const tr_body *body, const puppet *p) {
    return tr_quat_mul(quat_of(p->record[body->parent].q), body->rot);
}

static void aim_servo(const tr_world *world, const tr_character *character, int i) {
    const tr_model *model = character->model;
    const tr_body *body = &model->body[i];
    const puppet *p = character->stepper_data;
    bool ragdoll = character->servo == TR_SERVO_RAGDOLL;
    double kp = ragdoll ? 0.0 : model->gain_set[character->servo].kp[i];
    double kd = ragdoll ? world->def.ragdoll_damping : model->gain_set[character->servo].kd[i];
    double stiff = kd + world->def.step_s * kp;
    double most = isinf(body->torque_limit) ? dInfinity : body->torque_limit;
    tr_quat q = tr_quat_mul(tr_quat_conj(joint_frame(body, p)), quat_of(p->record[i].q));
    tr_vec3 error = servo_error(body, q, character->target[i]);
    double speed[3] = {error.x, error.y, error.z};
    for (int k = 0; k < (body->joint == TR_JOINT_HINGE ? 1 : 3); k++) {
        set_motor(p->servo[i], k, dParamFMax, stiff > 0.0 ? most : 0.0);
        set_motor(p->servo[i], k, dParamVel, stiff > 0.0 ? kp / stiff * speed[k] : 0.0);
        set_motor(p->servo[i], k, dParamCFM, stiff > 0.0 ? 1.0 / stiff : 0.0);
    }
}

/* A ball's limit acts about the axis of its present turn away from rest. */
static void aim_stop(const tr_character *character, int i) {
    const tr_body *body = &character->model->body[i];
    const puppet *p = character->stepper_data;
    tr_quat frame = joint_frame(body, p);
    tr_vec3 turn = tr_quat_log(tr_quat_mul(tr_quat_conj(frame), quat_of(p->record[i].q)));
    bool hinge = body->joint == TR_JOINT_HINGE;
    double angle = hinge ? tr_vec3_dot(turn, body->axis) : tr_vec3_length(turn);
    tr_vec3 local = hinge ? body->axis : tr_vec3_normalize_or(turn, tr_vec3_make(0, 0, 1));
    tr_vec3 axis = tr_quat_rotate(frame, local);
    dJointSetAMotorAxis(p->stop[i], 0, 0, axis.x, axis.y, axis.z);
    dJointSetAMotorAngle(p->stop[i], 0, angle);
}

static void prepare_character(const tr_world *world, const tr_character *character) {
    puppet *p = character->stepper_data;
    write_puppet(p, character->faulted);
    for (int i = 1; i < p->count; i++) {
        aim_servo(world, character, i);
        if (p->stop[i])
            aim_stop(character, i);
    }
}

static void apply_pushes(const tr_world *world) {
    for (int i = 0; i < world->push_count; i++) {
        const tr_push *push = &world->push[i];
        tr_vec3 com;
        int mover = tr_scene_mover(world, push->entity);
        dBodyID body = find_body(world, mover, push->body, &com);
        if (body)
            dBodyAddForceAtRelPos(body, push->force.x, push->force.y, push->force.z, push->point.x,
                                  push->point.y, push->point.z);
    }
}

static void add_contact(tr_world *world, int index) {
    reference *r = world->stepper_data;
    const tr_contact *contact = &world->contact[index];
    const tr_contact_link *link = &world->link[index];
    tr_vec3 com;
    dBodyID body[2];
    for (int side = 0; side < 2; side++)
        body[side] = find_body(world, link->mover[side], contact->body[side], &com);
    memset(&r->contact_feedback[index], 0, sizeof r->contact_feedback[index]);
    if (!body[0] && !body[1])
        return;
    dContact row = {.surface = {.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM,
                                .mu = link->friction,
                                .soft_erp = world->def.contact_erp,
                                .soft_cfm = world->def.contact_cfm},
                    .geom = {.pos = {contact->pos.x, contact->pos.y, contact->pos.z},
                             .normal = {contact->normal.x, contact->normal.y, contact->normal.z},
                             .depth = contact->depth}};
    dJointID joint = dJointCreateContact(r->world, r->contacts, &row);
    dJointAttach(joint, body[0], body[1]);
    dJointSetFeedback(joint, &r->contact_feedback[index]);
}

/* --- after the step --- */

/* The state in reduced coordinates; hinges lose what drifted off their axis. */
static void read_state(const tr_model *model, const puppet *p, tr_state *state) {
    tr_quat root = quat_of(p->record[0].q);
    tr_vec3 from_com = tr_quat_rotate(root, tr_vec3_negate(model->body[0].com));
    state->pose.root_rot = root;
    state->pose.root_pos = tr_vec3_add(vec3_of(p->record[0].pos), from_com);
    state->root_omega = vec3_of(p->record[0].omega);
    state->root_vel =
        tr_vec3_add(vec3_of(p->record[0].vel), tr_vec3_cross(state->root_omega, from_com));
    for (int i = 1; i < p->count; i++) {
        const tr_body *body = &model->body[i];
        tr_quat frame = joint_frame(body, p);
        tr_vec3 relative =
            tr_vec3_sub(vec3_of(p->record[i].omega), vec3_of(p->record[body->parent].omega));
        tr_quat q = tr_quat_mul(tr_quat_conj(frame), quat_of(p->record[i].q));
        tr_vec3 rate = tr_quat_rotate_inverse(frame, relative);
        if (body->joint == TR_JOINT_HINGE) {
            double sine = q.x * body->axis.x + q.y * body->axis.y + q.z * body->axis.z;
            q = tr_quat_from_axis_angle(body->axis, tr_angle_wrap(2.0 * atan2(sine, q.w)));
            rate = tr_vec3_scale(body->axis, tr_vec3_dot(body->axis, rate));
        }
        state->pose.joint[i] = tr_quat_normalize(q);
        state->joint_rate[i] = rate;
    }
}

/* False: something is not finite; the records are then as before the step. */
static bool read_puppet(puppet *p) {
    body_record after[TR_BODY_MAX];
    bool finite = true;
    for (int i = 0; i < p->count; i++) {
        read_body(p->body[i], &after[i]);
        finite = finite && record_is_finite(&after[i]);
    }
    if (finite)
        memcpy(p->record, after, sizeof after[0] * (size_t)p->count);
    return finite;
}

/* Frozen: stands still from now on. */
static void freeze(puppet *p) {
    for (int i = 0; i < p->count; i++) {
        memset(p->record[i].vel, 0, sizeof p->record[i].vel);
        memset(p->record[i].omega, 0, sizeof p->record[i].omega);
    }
}

static void place_frames(const puppet *p, tr_frame *frame) {
    for (int i = 0; i < p->count; i++)
        frame[i] = frame_of(&p->record[i]);
}

static bool finish_character(tr_character *character) {
    puppet *p = character->stepper_data;
    tr_quat frame[TR_BODY_MAX];
    for (int i = 1; i < p->count; i++)
        frame[i] = joint_frame(&character->model->body[i], p);
    if (!read_puppet(p))
        return false;
    for (int i = 1; i < p->count; i++)
        character->torque[i] = tr_quat_rotate_inverse(frame[i], vec3_of(p->servo_feedback[i].t1));
    read_state(character->model, p, &character->state);
    place_frames(p, character->frame);
    character->bodies_current = false;
    return true;
}

static void object_moved(tr_world *world, tr_object *object) {
    (void)world;
    puppet *p = object->stepper_data;
    tr_body_state body = {object->state.pos, object->state.rot, object->state.vel,
                          object->state.omega};
    p->record[0] = record_of(&body);
    p->written = false;
    place_frames(p, &object->frame);
}

/* An object has no record in snapshots: its state says everything, and its record follows from that. */
static bool finish_object(tr_world *world, tr_object *object) {
    puppet *p = object->stepper_data;
    if (!read_puppet(p))
        return false;
    object->state = (tr_object_state){vec3_of(p->record[0].pos), quat_of(p->record[0].q),
                                      vec3_of(p->record[0].vel), vec3_of(p->record[0].omega)};
    object_moved(world, object);
    return true;
}

/* ODE reports the force on the body that it holds first; with side 0 static that is side 1. */
static void read_impulses(tr_world *world) {
    const reference *r = world->stepper_data;
    for (int i = 0; i < world->contact_count; i++) {
        tr_vec3 com;
        bool swapped = !find_body(world, world->link[i].mover[0], world->contact[i].body[0], &com);
        double h = swapped ? -world->def.step_s : world->def.step_s;
        world->contact[i].impulse = tr_vec3_scale(vec3_of(r->contact_feedback[i].f1), h);
    }
}

/* Takes over what ODE computed. False: something had to be frozen. */
static bool finish(tr_world *world) {
    bool all_finite = true;
    for (int i = 0; i < world->character_count; i++) {
        tr_character *character = world->character[i];
        if (character->faulted || finish_character(character))
            continue;
        character->faulted = true;
        freeze(character->stepper_data);
        read_state(character->model, character->stepper_data, &character->state);
        all_finite = false;
    }
    for (int i = 0; i < world->object_count; i++) {
        tr_object *object = world->object[i];
        if (object->faulted || finish_object(world, object))
            continue;
        object->faulted = true;
        freeze(object->stepper_data);
        object->state.vel = object->state.omega = (tr_vec3){0, 0, 0};
        all_finite = false;
    }
    return all_finite;
}

static void step(tr_world *world) {
    reference *r = world->stepper_data;
    if (!r->world)
        build_world(world);
    for (int i = 0; i < world->character_count; i++)
        prepare_character(world, world->character[i]);
    for (int i = 0; i < world->object_count; i++)
        write_puppet(world->object[i]->stepper_data, world->object[i]->faulted);
    dJointGroupEmpty(r->contacts);
    for (int i = 0; i < world->contact_count; i++)
        add_contact(world, i);
    apply_pushes(world);
    dWorldStep(r->world, world->def.step_s);
    read_impulses(world);
    if (!finish(world))
        tear_down(r); /* built anew without what is frozen */
}

/* --- the seam --- */

static tr_status create(tr_world *world) {
    reference *r = calloc(1, sizeof *r);
    if (!r)
        return TR_RESOURCE_EXHAUSTED;
    world->stepper_data = r;
    return TR_OK;
}

static void destroy(tr_world *world) {
    if (world->stepper_data)
        tear_down(world->stepper_data);
    free(world->stepper_data);
    world->stepper_data = NULL;
}

static void character_moved(tr_world *world, tr_character *character) {
    (void)world;
    puppet *p = character->stepper_data;
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(character->model, &character->state, bodies);
    for (int i = 0; i < p->count; i++)
        p->record[i] = record_of(&bodies[i]);
    p->written = false;
    place_frames(p, character->frame);
    character->bodies_current = false;
}

static puppet *puppet_create(tr_world *world, int count) {
    puppet *p = calloc(1, sizeof *p);
    if (p) {
        p->count = count;
        tear_down(world->stepper_data);
    }
    return p;
}

static tr_status attach_character(tr_world *world, tr_character *character) {
    character->stepper_data = puppet_create(world, character->model->body_count);
    if (!character->stepper_data)
        return TR_RESOURCE_EXHAUSTED;
    character_moved(world, character);
    return TR_OK;
}

static void detach_character(tr_world *world, tr_character *character) {
    tear_down(world->stepper_data);
    free(character->stepper_data);
    character->stepper_data = NULL;
}

static tr_status attach_object(tr_world *world, tr_object *object) {
    object->stepper_data = puppet_create(world, 1);
    if (!object->stepper_data)
        return TR_RESOURCE_EXHAUSTED;
    object_moved(world, object);
    return TR_OK;
}

static void detach_object(tr_world *world, tr_object *object) {
    tear_down(world->stepper_data);
    free(object->stepper_data);
    object->stepper_data = NULL;
}

static tr_status attach_pin(tr_world *world, tr_pin *pin) {
    (void)pin;
    tear_down(world->stepper_data);
    return TR_OK;
}

static void detach_pin(tr_world *world, tr_pin *pin) {
    (void)pin;
    tear_down(world->stepper_data);
}

static size_t extra_size(const tr_world *world, const tr_character *character) {
    (void)world;
    return sizeof(body_record) * (size_t)character->model->body_count;
}

static void extra_save(const tr_world *world, const tr_character *character, void *out) {
    const puppet *p = character->stepper_data;
    memcpy(out, p->record, extra_size(world, character));
}

static void extra_load(tr_world *world, tr_character *character, const void *in) {
    puppet *p = character->stepper_data;
    body_record record[TR_BODY_MAX];
    memcpy(record, in, extra_size(world, character));
    for (int i = 0; i < p->count; i++)
        if (!record_is_finite(&record[i]))
            return; /* not ours: what character_moved derived from the state stays */
    memcpy(p->record, record, sizeof record[0] * (size_t)p->count);
    p->written = false;
    place_frames(p, character->frame);
}

const tr_stepper tr_stepper_ode_reference = {
    .name = "ode_reference",
    .create = create,
    .destroy = destroy,
    .attach_character = attach_character,
    .detach_character = detach_character,
    .character_moved = character_moved,
    .attach_object = attach_object,
    .detach_object = detach_object,
    .object_moved = object_moved,
    .attach_pin = attach_pin,
    .detach_pin = detach_pin,
    .step = step,
    .extra_size = extra_size,
    .extra_save = extra_save,
    .extra_load = extra_load,
};
