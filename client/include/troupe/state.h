/* States of worlds, as the daemon sends them to those who subscribe or ask once. */
#ifndef TROUPE_STATE_H
#define TROUPE_STATE_H

#include "troupe/catalogue.h"
#include "troupe/request.h"
#include "troupe/scenery.h"
#include "troupe/status.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* The contents of a state: a set of the bits below; 0 means joints and objects. */
typedef uint32_t tr_client_fields;
enum {
    TR_CLIENT_JOINTS = 1,
    TR_CLIENT_VELOCITIES = 2,
    TR_CLIENT_BODIES = 4,
    TR_CLIENT_OBJECTS = 8,
    TR_CLIENT_CONTACTS = 16,
    TR_CLIENT_HASH = 32,
    TR_CLIENT_SHAPES = 64, /* scenery */
    TR_CLIENT_SURFACES =
        1024, /* with SHAPES: data of height fields and meshes; not in subscriptions */
    TR_CLIENT_COMPACT =
        16384 /* of characters the pose, within 1 cm, and conditions alone, in some 60 bytes */
};

/* A fragment that a scheduler considered when it chose the next one. value: rewards that the
 * scheduler expects; comparable within one decision */
typedef struct tr_client_choice {
    uint32_t fragment;
    bool mirrored;
    float value;
} tr_client_choice;

/* A value that the kind of the controller shows of itself; unit "": a plain number. */
typedef struct tr_client_shown {
    const char *name, *unit;
    int count;
    const float *value; /* [count] */
} tr_client_shown;

/* A character. Arrays run over the bodies of its model, in the model's order; NULL if the field was
 * not requested. */
typedef struct tr_client_character {
    uint32_t entity;
    const char *label, *model;
    const char *controller;      /* the current one; "": none */
    const char *next_controller; /* requested, not yet begun; "": none */
    uint32_t fragment;           /* the current one */
    uint64_t fragments_done;
    bool mirrored, ended, fallen, limp;
    bool frozen;                     /* became non-finite and was stopped */
    float root_pos[3];               /* origin of the root body, world, m */
    float root_rot[4];               /* root body to world */
    float root_vel[3];               /* m/s; zero unless velocities were requested */
    float root_omega[3];             /* rad/s; same */
    int body_count;                  /* rows of the arrays below; 0 when all are NULL */
    const float *joint_rot;          /* [body_count][4] joint quaternions; row 0 is the identity */
    const float *joint_rate;         /* [body_count][3] rad/s, joint frame */
    const float *body_pos;           /* [body_count][3] body origins, world, m */
    const float *body_rot;           /* [body_count][4] body to world */
    const char *doing;               /* what the controller does at present, for people */
    float phase;                     /* of the current fragment: 0 at its start to 1 */
    int choice_count;                /* 0: no scheduler decides */
    const tr_client_choice *choices; /* [choice_count], best first; the first was begun */
    bool out_of_sequence;            /* skills and edges do not lead to the fragment it began */
    float felt_force[2];    /* N that a gait feels and answers: along its heading, to the left */
    float learned_force[2]; /* N along the heading, least and most that it learned to answer; both
                               zero where no gait drives */
    float map_at[3];  /* where a puppet is on its map (tr_client_controller_detail.map); zeros where
                               no puppet drives */
    float skill_in_s; /* expected time until the skill that steering named begins; 0: it has begun,
                         or the time is not known */
    int way_count;
    const char *const *way; /* [way_count] the skills until then; the last is the one named */
    int shown_count;
    const tr_client_shown *shown; /* [shown_count] what else the controller's kind shows */
    size_t pose_size;             /* bytes; 0 without COMPACT */
    const uint8_t *pose; /* for tr_client_unpack_pose; root_pos and root_rot are zeros then */
} tr_client_character;

enum { TR_CLIENT_BODY_MAX = 64 };

/* What arrays of a state have for one character; rows as there. */
typedef struct tr_client_pose {
    float joint_rot[TR_CLIENT_BODY_MAX][4];
    float body_pos[TR_CLIENT_BODY_MAX][3], body_rot[TR_CLIENT_BODY_MAX][4]; /* row 0: the root's */
} tr_client_pose;

typedef struct tr_client_object {
    uint32_t entity;
    const char *name;
    float pos[3], rot[4]; /* centre of mass, world */
    float vel[3], omega[3];
    bool frozen;
    uint32_t rig_of; /* the character that brought it; 0: none */
} tr_client_object;

/* normal points from side 1 to side 0; impulse acts on side 0, N s. */
typedef struct tr_client_contact {
    uint32_t entity[2]; /* [1] is 0 for ground and scenery */
    int body[2];        /* index; 0 for objects, -1 for ground and scenery */
    float pos[3], normal[3];
    float depth; /* m */
    float impulse[3];
} tr_client_contact;

typedef struct tr_client_state {
    uint32_t world, epoch; /* epoch counts resets and restores */
    int64_t tick;
    double time_s;
    uint64_t hash; /* of the complete state; 0 unless requested */
    /* of this subscription: replaced by newer ones before they were sent */
    uint64_t dropped_states;
    uint64_t dropped_ticks; /* real time that the daemon had to drop */
    double lateness_s;      /* how far this tick was behind its deadline */
    int character_count, object_count, contact_count;
    const tr_client_character *characters;
    const tr_client_object *objects;
    const tr_client_contact *contacts;
    bool no_ground; /* nothing at z = 0; with SHAPES, as the scenery */
    int scenery_count;
    const tr_client_scenery *scenery; /* without SURFACES height fields and meshes have no data */
} tr_client_state;

typedef struct tr_client_subscription {
    uint32_t world, every_ticks; /* 0: no states */
    int64_t tick;
} tr_client_subscription;

/* States at rate_hz of the world's time (0: none) with the given fields, and events. */
typedef struct tr_client_subscribe_def {
    uint32_t world;
    double rate_hz;
    tr_client_fields fields;
    bool events;
} tr_client_subscribe_def;

/* Subscribes to states and events of a world, which go to on_state and on_event until the world or
 * the connection ends. Replaces an earlier subscription to the same world. The reply (SUBSCRIPTION)
 * has the rate in ticks. TR_NOT_FOUND; TR_OUT_OF_RANGE: the rate is higher than the world's ticks;
 * TR_RESOURCE_EXHAUSTED: too many subscriptions. */
TR_API uint64_t tr_client_subscribe(tr_client *client, const tr_client_subscribe_def *def);

/* Ends this client's subscription to a world. TR_NOT_FOUND: it has none. */
TR_API uint64_t tr_client_unsubscribe(tr_client *client, uint32_t world);

/* Shows the present state of a world once (reply STATE). TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_state(tr_client *client, uint32_t world, tr_client_fields fields);

/* Unpacks the pose of a state with COMPACT. bodies: [body_count] of the character's model, as
 * tr_client_model_detail has them. TR_DATA_LOSS: the pose is of another model. Deterministic, for any
 * thread. */
TR_API tr_status tr_client_unpack_pose(const tr_client_character *character,
                                       const tr_client_body *bodies, int body_count,
                                       tr_client_pose *out);

#if defined(__cplusplus)
}
#endif

#endif
