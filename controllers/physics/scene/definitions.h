/* The terms of a world, of which callers and the inside of physics/ speak: ids, kinds, bounds, definitions
 * and reports. world/world.h has the functions. */
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "physics/terrain/surface.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tr_world tr_world;
typedef uint32_t tr_entity_id;

enum {
    TR_CHARACTER_MAX = 64,
    TR_OBJECT_MAX = 256,
    TR_SCENERY_MAX = 256,
    TR_PIN_MAX = 128,
    TR_PUSH_MAX = 128,
    TR_CONTACT_MAX = 2048,
    TR_OBJECT_GEOM_MAX = 8
};

struct tr_stepper;

typedef struct tr_world_def {
    const struct tr_stepper *stepper; /* NULL: articulated bodies; else the tests' oracle */
    double step_s;                    /* h; 0.0005 to 0.02 */
    tr_vec3 gravity;                  /* m/s2 */
    bool ground;                      /* the plane z = 0 */
    double ground_friction;
    bool self_collision;
    double contact_erp;      /* share of the penetration corrected per step */
    double contact_cfm;      /* of normal forces, limits, pins: cfm / h m/s give way to 1 N s */
    double contact_max_vel;  /* largest correcting velocity, m/s */
    int solver_iterations;   /* sweeps of the contact solver, at most */
    double solver_tolerance; /* its end: no contact's velocity changes by more in a sweep, m/s */
    /* N m s/rad on every joint when the servos are off; at least 0.2 at 10 ms. */
    double ragdoll_damping;
} tr_world_def;

/* In place of a gain set: no servo, damping only; the values of tr_world_set_gains. */
enum { TR_SERVO_RAGDOLL = -1, TR_SERVO_VALUES = -2 };

/* --- free objects: spheres, boxes, capsules, and compounds of them (boards) --- */

typedef struct tr_object_def {
    char name[TR_NAME_MAX];
    int geom_count;
    tr_geom geom[TR_OBJECT_GEOM_MAX]; /* body and name unused; pos and rot in the object's frame */
    double density;                   /* kg/m3; ignored when mass > 0 */
    double mass;                      /* kg, spread over the geoms by volume */
    double linear_damping, angular_damping; /* 1/s */
} tr_object_def;

typedef struct tr_object_state {
    tr_vec3 pos; /* centre of mass, world */
    tr_quat rot;
    tr_vec3 vel, omega;
} tr_object_state;

/* --- static scenery: solids, and patches of ground with their own friction --- */

typedef enum tr_scenery_kind {
    TR_SCENERY_BOX,    /* a solid: bumps, platforms; turned, a ramp */
    TR_SCENERY_PATCH,  /* no shape: changes the friction of the plane inside a rectangle */
    TR_SCENERY_SURFACE /* a height field or a triangle mesh */
} tr_scenery_kind;

typedef struct tr_scenery_def {
    tr_scenery_kind kind;
    tr_vec3 size;              /* half extents; z unused for a patch; all unused for a surface */
    tr_vec3 pos;               /* centre, of a surface its origin, world */
    tr_quat rot;               /* of a patch and of a height field only the heading counts */
    double friction;           /* of a patch: replaces the plane's */
    const tr_surface *surface; /* held by the world as long as the scenery stays */
} tr_scenery_def;

typedef struct tr_ground {
    double height;  /* world z, m */
    tr_vec3 normal; /* unit, upwards */
} tr_ground;

/* --- pins: a point of one body held to a point or a line of another, or of the world --- */

typedef enum tr_pin_kind {
    TR_PIN_POINT, /* the points stay together */
    TR_PIN_HINGE, /* and the bodies turn about the axis alone */
    TR_PIN_TRACK, /* the first point stays on the line along the axis through the second */
    TR_PIN_SLIDER /* and the bodies do not turn against each other */
} tr_pin_kind;

typedef struct tr_pin_def {
    tr_pin_kind kind;
    tr_entity_id entity[2]; /* [1] may be 0: pinned to the world */
    int body[2];            /* body index for characters, 0 for objects */
    tr_vec3 point[2];       /* body frame (objects: from the centre of mass); world for entity 0 */
    tr_vec3 axis;           /* of all but points: in the second's frame, any length */
    tr_quat rest;           /* the first's frame in the second's at angle zero; all zero: as now */
    bool limited;
    double
        range[2]; /* least and most, of the angle about the axis, rad, or of the way along it, m */
    double damping; /* of that angle, N m s/rad, or way, N s/m */
    double spring;  /* towards angle or way 0, N m/rad or N/m, such as a bushing; 0: none */
    double break_n; /* a force above which it breaks; 0: never */
} tr_pin_def;

/* A pin that ended in the last step, because its force exceeded its break_n. */
typedef struct tr_broken_pin {
    tr_entity_id entity[2]; /* as in its definition */
    int body[2];
    double force_n;
} tr_broken_pin;

/* --- disturbances and reports --- */

/* A force on a body for a number of steps, from the coming step on. */
typedef struct tr_push {
    tr_entity_id entity;
    int body;      /* 0 for objects */
    tr_vec3 point; /* body frame, relative to the centre of mass */
    tr_vec3 force; /* world, N */
    int steps;
} tr_push;

/* A contact of the last step. normal points from side 1 to side 0; impulse acts on side 0, N s. */
typedef struct tr_contact {
    tr_entity_id entity[2]; /* [1] is 0 for the static world */
    int body[2];            /* 0 for objects, -1 for the static world */
    tr_vec3 pos, normal;    /* world */
    double depth;           /* m */
    tr_vec3 impulse;
    double friction; /* coefficient of the pair */
} tr_contact;

/* A report on the contacts of the last step: the most sweeps of an island, and whether all reached the
 * tolerance. The tests' stepper solves directly: 0 and true. Then what the bounds on the cost of a
 * step left out: contacts beyond those of a pair or of the world, the shallowest, and searches for the
 * contacts of a mover or of two that ended early. Both are 0 in all but piles and hostile scenery. */
typedef struct tr_solver_report {
    int sweeps;
    bool converged;
    int contacts_dropped, searches_cut;
} tr_solver_report;
