/* Commands for one character: spawn it, choose what drives it, steer it. Pushes are in object.h. */
#ifndef TROUPE_CHARACTER_H
#define TROUPE_CHARACTER_H

#include "troupe/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct tr_client_spawn_def {
    const char *model;      /* NULL: the controller's */
    const char *controller; /* NULL: it stands in its rest pose */
    double pos[3];
    double heading_rad;
    uint32_t fragment; /* to start with */
    const char *label;
} tr_client_spawn_def;

/* Where to go: see Steer in proto/troupe/character.proto. With the entity only: stop, and stand. */
typedef enum tr_client_aim {
    TR_CLIENT_AIM_NONE,
    TR_CLIENT_AIM_HEADING,
    TR_CLIENT_AIM_TARGET,
    TR_CLIENT_AIM_CHARACTER
} tr_client_aim;

typedef struct tr_client_steer_def {
    uint32_t entity;
    tr_client_aim aim;
    double heading_rad; /* in the world; aim HEADING */
    double target[3];   /* world, m; aim TARGET */
    uint32_t toward;    /* aim CHARACTER */
    double speed_mps;   /* 0: as fast as it goes now, at least at a walk */
    const char *skill;  /* of a control graph; NULL: any */
    double radius;      /* aims TARGET, CHARACTER: how near is there, m; 0: 0.3 */
    bool faces;         /* aims TARGET, CHARACTER: it stands there in the heading facing_rad */
    double facing_rad;
} tr_client_steer_def;

/* Adds a character; the reply has its entity. TR_NOT_FOUND: the catalogue does not have the model or
 * controller; TR_FAILED_PRECONDITION: the controller is for another model or another step;
 * TR_RESOURCE_EXHAUSTED: the world is full. */
TR_API uint64_t tr_client_spawn_character(tr_client *client, tr_client_at at,
                                          const tr_client_spawn_def *spawn);

/* Gives a character another controller, which begins when the current fragment ends. NULL or "":
 * none, and it holds its last pose. TR_NOT_FOUND; TR_FAILED_PRECONDITION: it does not fit. */
TR_API uint64_t tr_client_set_controller(tr_client *client, tr_client_at at, uint32_t entity,
                                         const char *controller);

/* Chooses the next fragment. mirrored: in the mirrored half of its controller's cycle.
 * TR_FAILED_PRECONDITION: the character has no controller. */
TR_API uint64_t tr_client_set_fragment(tr_client *client, tr_client_at at, uint32_t entity,
                                       uint32_t fragment, bool mirrored);

/* Turns a character's servos off (limp) or on again. */
TR_API uint64_t tr_client_set_limp(tr_client *client, tr_client_at at, uint32_t entity, bool limp);

/* Adds an offset to the controller's actions until the next one is set. offset: [size], rad, where
 * size is the controller's action_size, or 0 for no offset. */
TR_API uint64_t tr_client_set_offset(tr_client *client, tr_client_at at, uint32_t entity,
                                     const double *offset, size_t size);

/* Values of one parameter: [count], as in tr_client_parameter; count 0: the initial value. */
typedef struct tr_client_parameter_values {
    const char *name;
    const double *values;
    size_t count;
} tr_client_parameter_values;

/* Sets all of `parameters` ([count], 1 to 32) or none; other parameters keep their values. They
 * last until the controller changes. */
TR_API uint64_t tr_client_set_parameters(tr_client *client, tr_client_at at, uint32_t entity,
                                         const tr_client_parameter_values *parameters,
                                         size_t count);

/* Says where a character goes, at what speed and in which skill, until the next steer. At a place it
 * stops, and the event TR_CLIENT_ARRIVED says so; TR_CLIENT_BLOCKED says that it stops before a wall
 * or an edge, in a world that looks ahead.
 * TR_FAILED_PRECONDITION: it has no controller, or one that cannot be steered. */
TR_API uint64_t tr_client_steer(tr_client *client, tr_client_at at, const tr_client_steer_def *def);

#if defined(__cplusplus)
}
#endif

#endif
