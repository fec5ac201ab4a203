/* Rigid objects and their shapes, and pushes, which act on objects and on characters alike. */
#ifndef TROUPE_OBJECT_H
#define TROUPE_OBJECT_H

#include "troupe/request.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum tr_client_geom_kind {
    TR_CLIENT_SPHERE = 1,
    TR_CLIENT_CAPSULE = 2,
    TR_CLIENT_BOX = 3,
    TR_CLIENT_CYLINDER = 4
} tr_client_geom_kind;

typedef struct tr_client_geom {
    tr_client_geom_kind kind;
    /* Sphere {radius}; capsule and cylinder {radius, half length}; box {half extents}; m. */
    double size[3];
    double pos[3];
    double rot[4]; /* all zero: none */
    double friction;
} tr_client_geom;

/* A straight way of a kinematic object, with a gentle start and stop. */
typedef struct tr_client_travel {
    double duration_s; /* of one way; 0: none */
    double pos[3];     /* where the centre of mass goes */
    bool shuttle;      /* then back, and so on */
} tr_client_travel;

typedef struct tr_client_object_def {
    const char *name;
    int geom_count; /* 1 to 8 */
    const tr_client_geom *geoms;
    double density, mass; /* kg/m3, kg; mass 0: by density; density 0: 1000 */
    double pos[3], rot[4], vel[3], omega[3];
    double linear_damping, angular_damping; /* 1/s */
    bool kinematic;          /* a platform: it moves others, nothing moves it; keeps its velocity */
    tr_client_travel travel; /* kinematic objects only */
} tr_client_object_def;

typedef struct tr_client_push_def {
    uint32_t entity;
    const char *body; /* NULL: the trunk */
    double point[3];  /* body frame, from its centre of mass, m */
    double force[3];  /* world, N */
    double duration_s;
} tr_client_push_def;

typedef struct tr_client_throw_def {
    uint32_t entity;
    bool move; /* to pos; else it starts where it is */
    double pos[3], vel[3], omega[3];
} tr_client_throw_def;

typedef struct tr_client_hold_def {
    uint32_t entity, object;
    const char *body; /* NULL: the right hand; with `off`: every body */
    double break_n;   /* a force above which it ends; 0: it does not break */
    bool off;         /* let go */
} tr_client_hold_def;

/* Adds a rigid object of 1 to 8 shapes; the reply has its entity. TR_RESOURCE_EXHAUSTED: the world is
 * full. */
TR_API uint64_t tr_client_spawn_object(tr_client *client, tr_client_at at,
                                       const tr_client_object_def *def);

/* Removes a character or an object. */
TR_API uint64_t tr_client_despawn(tr_client *client, tr_client_at at, uint32_t entity);

/* Pushes a body of a character, or an object, with a constant force for duration_s. TR_NOT_FOUND:
 * the model has no such body; TR_RESOURCE_EXHAUSTED: too many pushes act in this world. */
TR_API uint64_t tr_client_push(tr_client *client, tr_client_at at, const tr_client_push_def *def);

/* Gives an object a velocity (m/s, rad/s, world), and a position if `move` is set. */
TR_API uint64_t tr_client_throw(tr_client *client, tr_client_at at, const tr_client_throw_def *def);

/* A body of a character takes an object within 0.15 m, or lets it go. TR_FAILED_PRECONDITION: it is
 * too far away; TR_NOT_FOUND: no such body, or nothing to let go. */
TR_API uint64_t tr_client_hold(tr_client *client, tr_client_at at, const tr_client_hold_def *def);

/* Carries a kinematic object from where it is. TR_FAILED_PRECONDITION: it is not kinematic. */
TR_API uint64_t tr_client_carry(tr_client *client, tr_client_at at, uint32_t entity,
                                const tr_client_travel *travel);

#if defined(__cplusplus)
}
#endif

#endif
