/* What a world holds: internal to physics/, shared by the world, its contacts and its steppers.
 *
 * A mover is what has a velocity: mover m is character[m] for m < character_count, else
 * object[m - character_count]; -1 is the static world (ground and scenery). Arrays of entities are
 * dense and in order of creation, so that every loop over them is deterministic.
 *
 * A member is either visited by the walk of snapshot_walk.c, derived from visited ones, or made anew
 * by each step (`within a step`) and then poisoned after it in debug builds. */
#pragma once

#include "physics/scene/definitions.h"
#include "physics/spatial/spatial.h"
#include "proto/invariant.h"

#include <ode/ode.h>

enum {
    TR_STATIC_MOVER = -1,
    TR_PAIR_CONTACT_MAX = 128, /* of two movers, or of one with the scenery */
    TR_CONTACT_ROOM = 2 * TR_CONTACT_MAX,
    TR_ENTITY_SLOT_MAX = TR_CHARACTER_MAX + TR_OBJECT_MAX + TR_PIN_MAX + 1
};

/* Where a body is: columns of its rotation (body to world) and its centre of mass. Written by the
 * stepper. */
typedef struct tr_frame {
    tr_v4 column[3];
    tr_v4 com;
} tr_frame;

/* The way of a kinematic object that is carried: tr_world_carry_object. */
typedef struct tr_travel {
    tr_vec3 from, to;
    int64_t steps, made; /* in all, of this way; steps 0: it is not carried */
    bool shuttle;
} tr_travel;

/* What carries a kinematic body over the step, world: m/s of its centre of mass, rad/s. */
typedef struct tr_sweep {
    tr_vec3 vel, omega;
} tr_sweep;

/* A collision shape in the world, kept by contact.c. */
typedef struct tr_collider {
    dGeomID geom;
    int body;
    tr_geom_kind kind;
    tr_vec3 size;
    tr_vec3 offset; /* from the centre of mass, body axes */
    tr_mat3 rot;    /* geom to body */
    double friction, torsional, rolling, softness;
    double low[3], high[3]; /* world box of the present step */
    bool placed;            /* the ODE geom stands where the body is */
} tr_collider;

typedef struct tr_character {
    tr_entity_id id;
    const tr_model *model;
    tr_state state;
    tr_quat target[TR_BODY_MAX];
    int servo;                               /* gain set, TR_SERVO_RAGDOLL or TR_SERVO_VALUES */
    double kp[TR_BODY_MAX], kd[TR_BODY_MAX]; /* what `servo` stands for */
    tr_vec3 feedforward[TR_BODY_MAX];        /* N m, joint frame, while feedforward_steps > 0 */
    int feedforward_steps;
    tr_vec3 torque[TR_BODY_MAX];
    bool faulted;
    bool kinematic, follows_goal;
    tr_pose goal;  /* when follows_goal */
    tr_state next; /* of a kinematic one, within a step: see kinematic.h */
    tr_sweep sweep[TR_BODY_MAX];
    tr_ground ground; /* local */
    tr_frame frame[TR_BODY_MAX];
    tr_body_state body[TR_BODY_MAX]; /* tr_state_forward of state, when bodies_current */
    bool bodies_current;
    tr_collider collider[TR_GEOM_MAX];
    /* Bit g of partner[i]: geom i may touch geom g > i of the same character. */
    uint64_t partner[TR_GEOM_MAX];
    double low[3], high[3]; /* world box around all colliders */
    void *stepper_data;
} tr_character;

typedef struct tr_object {
    tr_entity_id id;
    tr_object_def def;
    double mass;
    tr_mat3 inertia; /* about the centre of mass, object axes */
    tr_vec3 com;     /* in the frame of def.geom */
    tr_object_state state;
    bool faulted;
    bool kinematic, follows_goal;
    tr_vec3 goal_pos; /* when follows_goal */
    tr_quat goal_rot;
    tr_travel travel;
    tr_object_state next; /* of a kinematic one, within a step: see kinematic.h */
    tr_sweep sweep;
    tr_frame frame;
    tr_collider collider[TR_OBJECT_GEOM_MAX];
    double low[3], high[3];
    void *stepper_data;
} tr_object;

typedef struct tr_scenery {
    uint32_t id;
    tr_scenery_def def;
    tr_collider collider;   /* of a box */
    tr_mat3 rot;            /* of a surface */
    double low[3], high[3]; /* world box of a solid */
} tr_scenery;

/* The frame of scenery: its colliders have world offsets. */
extern const tr_frame tr_scenery_frame;

typedef struct tr_pin {
    tr_entity_id id;
    tr_pin_def def;
    double force_n; /* that held the points in the last step */
    void *stepper_data;
} tr_pin;

/* What the solver needs of contact[i] besides the reported values. */
typedef struct tr_contact_link {
    int mover[2];              /* [0] is never static */
    double torsional, rolling; /* N m for each N: see tr_geom */
    double softness;           /* m/s for each N */
} tr_contact_link;

/* Slot of the entity table. id = generation << 12 | slot index; index 0 is the static world. */
typedef struct tr_entity_slot {
    uint32_t generation;
    uint32_t used;
} tr_entity_slot;

/* The character that the present step is checked on closely, and what it was before. */
typedef struct tr_watch {
    const tr_character *character; /* NULL: it is no character's turn */
    bool alone; /* nothing but gravity, its servos and what stands still acts on it */
    tr_state before;
    double kinetic, weight; /* its energies, J */
} tr_watch;

struct tr_stepper;
struct tr_kernel;

struct tr_world {
    tr_world_def def;
    tr_invariant invariant;
    tr_watch watch; /* within a step */
    int64_t tick;
    const struct tr_stepper *stepper;
    void *stepper_data;
    const struct tr_kernel *kernel; /* for this processor */

    int character_count, object_count, pin_count, push_count, scenery_count;
    tr_character *character[TR_CHARACTER_MAX];
    tr_entity_id character_id[TR_CHARACTER_MAX]; /* theirs, side by side for searches */
    tr_object *object[TR_OBJECT_MAX];
    tr_pin *pin[TR_PIN_MAX];
    tr_push push[TR_PUSH_MAX];
    tr_scenery *scenery[TR_SCENERY_MAX];
    uint32_t scenery_made; /* since creation; the last id given */
    dGeomID ground;        /* NULL without one */

    tr_entity_slot slot[TR_ENTITY_SLOT_MAX];

    tr_solver_report solver; /* of the last step */
    int broken_count;
    tr_broken_pin broken[TR_PIN_MAX];
    int contact_count;
    tr_contact *contact;   /* [TR_CONTACT_ROOM]; TR_CONTACT_MAX of them when all are found */
    tr_contact_link *link; /* [TR_CONTACT_ROOM] */
};

/* Mover index of an entity, TR_STATIC_MOVER for 0; -2: no entity has that id. */
int tr_scene_mover(const tr_world *world, tr_entity_id id);
tr_character *tr_scene_character(const tr_world *world, tr_entity_id id); /* NULL: none */
/* Adds one that has its id, if there is room; removes one without destroying it. */
void tr_scene_add_character(tr_world *world, tr_character *character);
void tr_scene_remove_character(tr_world *world, const tr_character *character);
tr_object *tr_scene_object(const tr_world *world, tr_entity_id id); /* NULL: none */
tr_pin *tr_scene_pin(const tr_world *world, tr_entity_id id);       /* NULL: none */
