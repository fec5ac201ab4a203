/* A character or object as bodies and joints of ODE, for the reference stepper.
 *
 * ODE's setters normalise what they get, and its getters are not exact inverses, so a body's motion
 * is kept in a record that is copied to and from ODE's storage bit by bit. */
#pragma once

#include "physics/scene/scene.h"

/* All that ODE knows about the motion of a body. */
typedef struct tr_body_record {
    dReal pos[3], q[4], rot[12], vel[3], omega[3];
} tr_body_record;

/* Joint i ties body i to its parent. An object has one body. */
typedef struct tr_puppet {
    bool written; /* the ODE bodies hold the records */
    int count;
    tr_body_record record[TR_BODY_MAX];
    dBodyID body[TR_BODY_MAX];
    dJointID joint[TR_BODY_MAX];
    dJointID servo[TR_BODY_MAX]; /* motor on 1 or 3 axes of the joint frame */
    dJointID stop[TR_BODY_MAX];  /* motor whose stops are the joint's limits; NULL without */
    dJointFeedback servo_feedback[TR_BODY_MAX];
} tr_puppet;

static inline tr_vec3 tr_vec3_of_ode(const dReal *v) {
    return (tr_vec3){v[0], v[1], v[2]};
}

static inline tr_quat tr_quat_of_ode(const dReal *q) {
    return (tr_quat){q[0], q[1], q[2], q[3]};
}

/* Records: to and from ODE, and from a state's bits alone, so that a restored state gives the same
 * record. */
void tr_body_record_write(const tr_body_record *record, dBodyID body);
void tr_body_record_read(tr_body_record *record, dBodyID body);
tr_body_record tr_body_record_of(const tr_body_state *state);
bool tr_body_record_is_finite(const tr_body_record *record);

/* Makes the bodies and joints in `ode`; a kinematic entity has no joints. The next tr_puppet_write puts the bodies where the records
 * say. */
void tr_puppet_build_character(tr_puppet *puppet, dWorldID ode, const tr_world_def *def,
                               const tr_character *character);
void tr_puppet_build_object(tr_puppet *puppet, dWorldID ode, const tr_world_def *def,
                            const tr_object *object);

/* Before a step: records into ODE where they are not, no forces; a frozen puppet's bodies are
 * disabled. */
void tr_puppet_write(tr_puppet *puppet, bool frozen);

/* Gives the bodies of a kinematic entity the velocities of the step: [count]. */
void tr_puppet_sweep(tr_puppet *puppet, const tr_sweep *sweep);

/* The servo of joint i aims at `target` (joint frame) with the character's gains, or damps when it
 * is limp. */
void tr_puppet_aim_servo(const tr_puppet *puppet, const tr_world_def *def,
                         const tr_character *character, int i);

/* Gives the stop of joint i, where there is one, the joint's angle. A ball's limit acts about the
 * axis of its present turn away from rest. */
void tr_puppet_aim_stop(const tr_puppet *puppet, const tr_model *model, int i);

/* Joint frame of body i in the world. */
tr_quat tr_puppet_joint_frame(const tr_puppet *puppet, const tr_body *body);

/* After a step: ODE into the records. False: something is not finite, and the records are as
 * before. */
bool tr_puppet_read(tr_puppet *puppet);

/* The records as a state in reduced coordinates; hinges lose what drifted off their axis. */
void tr_puppet_state(const tr_puppet *puppet, const tr_model *model, tr_state *state);

/* The records as frames: [count]. */
void tr_puppet_frames(const tr_puppet *puppet, tr_frame *frame);

/* Takes all speed out of the records. */
void tr_puppet_halt(tr_puppet *puppet);
