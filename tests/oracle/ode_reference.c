/* The reference stepper: everything as stock ODE bodies, moved by dWorldStep. The oracle.
 *
 * Maximal coordinates, and one linear complementarity problem for joints, servos, limits, pins and
 * contacts together. A servo is a motor row with constraint force mixing. ODE solves a row for the
 * speed w' at the end of the step such that
 *     w' + cfm tau = v,
 * which with cfm = 1 / (kd + h kp) and v = kp err / (kd + h kp) is the servo that is implicit in
 * both gains,
 *     tau = kp (err - h w') - kd w',
 * solved together with the contacts. A limited torque is the row's bound.
 *
 * ODE's results depend on history: the order of its lists is the order in which their items were
 * made, and its setters normalise what they get. So the state is kept here, as records of bodies
 * copied bit by bit, and the ODE world is rebuilt in the order of the scene whenever an entity
 * comes or goes. That makes a step a function of scene and records alone. */
#include "oracle/ode_reference.h"
#include "oracle/ode_puppet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reference {
    dWorldID world; /* NULL: to be rebuilt */
    dThreadingImplementationID threads;
    dJointGroupID contacts;
    dJointFeedback contact_feedback[TR_CONTACT_MAX];
} reference;

/* The ODE body of a mover; NULL for the static world and for frozen entities. *out_com: its centre
 * of mass in the frame of body points. */
static dBodyID find_body(const tr_world *world, int mover, int body, tr_vec3 *out_com) {
    *out_com = (tr_vec3){0, 0, 0};
    if (mover < 0)
        return NULL;
    if (mover >= world->character_count) {
        const tr_object *object = world->object[mover - world->character_count];
        const tr_puppet *p = object->stepper_data;
        return object->faulted ? NULL : p->body[0];
    }
    const tr_character *character = world->character[mover];
    const tr_puppet *p = character->stepper_data;
    *out_com = character->model->body[body].com;
    return character->faulted ? NULL : p->body[body];
}

/* --- pins: while a joint is made, the first body stands as the pin would have it in the frame of
 * the second, or in the world --- */

static dJointID build_guided(dWorldID ode, const tr_world *world, const tr_pin_def *def,
                             const dBodyID body[2], tr_vec3 anchor) {
    tr_vec3 axis = def->axis;
    double low = def->limited ? def->range[0] : -dInfinity;
    double high = def->limited ? def->range[1] : dInfinity;
    bool hinge = def->kind == TR_PIN_HINGE;
    dJointID joint = hinge ? dJointCreateHinge(ode, NULL) : dJointCreateSlider(ode, NULL);
    void (*set)(dJointID, int, dReal) = hinge ? dJointSetHingeParam : dJointSetSliderParam;
    dJointAttach(joint, body[0], body[1]);
    if (hinge) {
        dJointSetHingeAnchor(joint, anchor.x, anchor.y, anchor.z);
        dJointSetHingeAxis(joint, axis.x, axis.y, axis.z);
    } else {
        dJointSetSliderAxis(joint, axis.x, axis.y, axis.z);
    }
    set(joint, dParamLoStop, low);
    set(joint, dParamHiStop, high);
    set(joint, dParamStopERP, world->def.contact_erp);
    set(joint, dParamStopCFM, world->def.contact_cfm);
    if (def->damping > 0) { /* w' + cfm tau = 0 */
        set(joint, dParamFMax, dInfinity);
        set(joint, dParamCFM, 1 / def->damping);
    }
    return joint;
}

static tr_body_record standing(tr_vec3 pos, tr_quat rot) {
    tr_body_state state = {pos, rot, {0, 0, 0}, {0, 0, 0}};
    return tr_body_record_of(&state);
}

/* ODE requires the world as the second body, and accepts NULL for it. */
static void build_pin(const tr_world *world, tr_pin *pin) {
    const reference *r = world->stepper_data;
    const tr_pin_def *def = &pin->def;
    dBodyID body[2];
    tr_vec3 com[2], point[2];
    tr_body_record kept[2];
    for (int s = 0; s < 2; s++) {
        body[s] = find_body(world, tr_scene_mover(world, def->entity[s]), def->body[s], &com[s]);
        if (!body[s] && def->entity[s] != 0)
            return; /* frozen: bodies pinned to it are released */
        point[s] = tr_vec3_sub(def->point[s], com[s]);
        if (body[s])
            tr_body_record_read(&kept[s], body[s]);
    }
    tr_quat rest = def->kind == TR_PIN_POINT ? tr_quat_identity() : def->rest;
    tr_vec3 first = tr_vec3_sub(point[1], tr_quat_rotate(rest, point[0]));
    tr_body_record place[2] = {standing(first, rest),
                               standing((tr_vec3){0, 0, 0}, tr_quat_identity())};
    for (int s = 0; s < 2; s++)
        if (body[s])
            tr_body_record_write(&place[s], body[s]);
    dJointID joint;
    if (def->kind == TR_PIN_POINT) {
        joint = dJointCreateBall(r->world, NULL);
        dJointAttach(joint, body[0], body[1]);
        dJointSetBallAnchor(joint, point[1].x, point[1].y, point[1].z);
    } else {
        joint = build_guided(r->world, world, def, body, point[1]);
    }
    dJointSetFeedback(joint, pin->stepper_data);
    for (int s = 0; s < 2; s++)
        if (body[s])
            tr_body_record_write(&kept[s], body[s]);
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
    /* Worlds share one global job list unless each has its own, and then crash on several
     * threads. */
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
        tr_puppet_build_character(world->character[i]->stepper_data, r->world, def,
                                  world->character[i]);
    for (int i = 0; i < world->object_count; i++)
        tr_puppet_build_object(world->object[i]->stepper_data, r->world, def, world->object[i]);
    for (int i = 0; i < world->pin_count; i++)
        build_pin(world, world->pin[i]);
}

/* --- before the step --- */

static void prepare_character(const tr_world *world, const tr_character *character) {
    tr_puppet *p = character->stepper_data;
    if (character->kinematic)
        tr_puppet_sweep(p, character->sweep);
    tr_puppet_write(p, character->faulted);
    for (int i = 1; i < p->count && !character->kinematic; i++) {
        tr_puppet_aim_servo(p, &world->def, character, i);
        tr_puppet_aim_stop(p, character->model, i);
    }
}

static void prepare_object(const tr_object *object) {
    tr_puppet *p = object->stepper_data;
    if (object->kinematic)
        tr_puppet_sweep(p, &object->sweep);
    tr_puppet_write(p, object->faulted);
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

static void add_turning(const tr_contact_link *link, dContact *row) {
    if (!(link->torsional > 0 || link->rolling > 0))
        return;
    row->surface.mode |= dContactRolling;
    row->surface.rhoN = link->torsional;
    row->surface.rho = row->surface.rho2 = link->rolling;
}

/* ODE bounds the two tangents one by one: with the first along the slip its pyramid does there what
 * a cone does. */
static void set_slip(const dBodyID body[2], const tr_contact *contact, dContact *row) {
    tr_vec3 slip = {0, 0, 0}, n = contact->normal, p = contact->pos;
    for (int side = 0; side < 2; side++) {
        dVector3 v;
        if (!body[side])
            continue;
        dBodyGetPointVel(body[side], p.x, p.y, p.z, v);
        slip = tr_vec3_add_scaled(slip, side ? -1 : 1, tr_vec3_of_ode(v));
    }
    slip = tr_vec3_add_scaled(slip, -tr_vec3_dot(slip, n), n);
    double speed = tr_vec3_length(slip);
    if (speed < 1e-3)
        return;
    row->surface.mode |= dContactFDir1;
    row->fdir1[0] = slip.x / speed;
    row->fdir1[1] = slip.y / speed;
    row->fdir1[2] = slip.z / speed;
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
                                .mu = contact->friction,
                                .soft_erp = world->def.contact_erp,
                                .soft_cfm = world->def.contact_cfm + link->softness},
                    .geom = {.pos = {contact->pos.x, contact->pos.y, contact->pos.z},
                             .normal = {contact->normal.x, contact->normal.y, contact->normal.z},
                             .depth = contact->depth}};
    add_turning(link, &row);
    set_slip(body, contact, &row);
    dJointID joint = dJointCreateContact(r->world, r->contacts, &row);
    dJointAttach(joint, body[0], body[1]);
    dJointSetFeedback(joint, &r->contact_feedback[index]);
}

/* --- after the step --- */

static bool finish_character(tr_character *character) {
    tr_puppet *p = character->stepper_data;
    tr_quat frame[TR_BODY_MAX];
    for (int i = 1; i < p->count; i++)
        frame[i] = tr_puppet_joint_frame(p, &character->model->body[i]);
    if (!tr_puppet_read(p))
        return false;
    for (int i = 1; i < p->count; i++)
        character->torque[i] =
            tr_quat_rotate_inverse(frame[i], tr_vec3_of_ode(p->servo_feedback[i].t1));
    tr_puppet_state(p, character->model, &character->state);
    tr_puppet_frames(p, character->frame);
    character->bodies_current = false;
    return true;
}

static void object_moved(tr_world *world, tr_object *object) {
    (void)world;
    tr_puppet *p = object->stepper_data;
    tr_body_state body = {object->state.pos, object->state.rot, object->state.vel,
                          object->state.omega};
    p->record[0] = tr_body_record_of(&body);
    p->written = false;
    tr_puppet_frames(p, &object->frame);
}

/* An object has no record in snapshots: its state says everything, and its record follows from
 * that. */
static bool finish_object(tr_world *world, tr_object *object) {
    tr_puppet *p = object->stepper_data;
    if (!tr_puppet_read(p))
        return false;
    object->state =
        (tr_object_state){tr_vec3_of_ode(p->record[0].pos), tr_quat_of_ode(p->record[0].q),
                          tr_vec3_of_ode(p->record[0].vel), tr_vec3_of_ode(p->record[0].omega)};
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
        world->contact[i].impulse = tr_vec3_scale(tr_vec3_of_ode(r->contact_feedback[i].f1), h);
    }
}

static void read_pins(tr_world *world) {
    for (int i = 0; i < world->pin_count; i++) {
        const dJointFeedback *feedback = world->pin[i]->stepper_data;
        world->pin[i]->force_n = tr_vec3_length(tr_vec3_of_ode(feedback->f1));
    }
}

/* Takes over what ODE computed. False: something had to be frozen. */
static bool finish(tr_world *world) {
    bool all_finite = true;
    for (int i = 0; i < world->character_count; i++) {
        tr_character *character = world->character[i];
        if (character->kinematic || character->faulted || finish_character(character))
            continue;
        character->faulted = true;
        tr_puppet_halt(character->stepper_data);
        tr_puppet_state(character->stepper_data, character->model, &character->state);
        all_finite = false;
    }
    for (int i = 0; i < world->object_count; i++) {
        tr_object *object = world->object[i];
        if (object->kinematic || object->faulted || finish_object(world, object))
            continue;
        object->faulted = true;
        tr_puppet_halt(object->stepper_data);
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
        prepare_object(world->object[i]);
    dJointGroupEmpty(r->contacts);
    for (int i = 0; i < world->contact_count; i++)
        add_contact(world, i);
    apply_pushes(world);
    dWorldStep(r->world, world->def.step_s);
    read_impulses(world);
    read_pins(world);
    if (!finish(world))
        tear_down(r); /* to be built again without the frozen entities */
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
    tr_puppet *p = character->stepper_data;
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(character->model, &character->state, bodies);
    for (int i = 0; i < p->count; i++)
        p->record[i] = tr_body_record_of(&bodies[i]);
    p->written = false;
    tr_puppet_frames(p, character->frame);
    character->bodies_current = false;
}

static tr_puppet *puppet_create(tr_world *world, int count) {
    tr_puppet *p = calloc(1, sizeof *p);
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

static void kinematic_changed(tr_world *world) {
    tear_down(world->stepper_data);
}

static tr_status attach_pin(tr_world *world, tr_pin *pin) {
    if (pin->def.kind == TR_PIN_TRACK || pin->def.spring > 0)
        return TR_UNIMPLEMENTED;
    pin->stepper_data = calloc(1, sizeof(dJointFeedback));
    if (!pin->stepper_data)
        return TR_RESOURCE_EXHAUSTED;
    tear_down(world->stepper_data);
    return TR_OK;
}

static void detach_pin(tr_world *world, tr_pin *pin) {
    tear_down(world->stepper_data);
    free(pin->stepper_data);
}

static const void *extra(const tr_world *world, const tr_character *character, size_t *out_size) {
    const tr_puppet *p = character->stepper_data;
    (void)world;
    *out_size = sizeof(tr_body_record) * (size_t)character->model->body_count;
    return p ? p->record : NULL;
}

static tr_status extra_load(tr_world *world, tr_character *character, const void *in) {
    tr_puppet *p = character->stepper_data;
    tr_body_record record[TR_BODY_MAX];
    (void)world;
    memcpy(record, in, sizeof record[0] * (size_t)p->count);
    for (int i = 0; i < p->count; i++)
        if (!tr_body_record_is_finite(&record[i]))
            return TR_INVALID_ARGUMENT;
    memcpy(p->record, record, sizeof record[0] * (size_t)p->count);
    p->written = false;
    tr_puppet_frames(p, character->frame);
    return TR_OK;
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
    .kinematic_changed = kinematic_changed,
    .attach_pin = attach_pin,
    .detach_pin = detach_pin,
    .step = step,
    .extra = extra,
    .extra_load = extra_load,
};
