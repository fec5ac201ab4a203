/* Worlds: their creation, and the commands that act on a world as a whole. */
#ifndef TROUPE_WORLD_H
#define TROUPE_WORLD_H

#include "troupe/object.h"
#include "troupe/request.h"
#include "troupe/scenery.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum tr_client_mode {
    TR_CLIENT_REAL_TIME = 1,
    TR_CLIENT_STEPPED = 2,
    TR_CLIENT_FAST = 3
} tr_client_mode;

/* What happens to a character or object that becomes non-finite in a step. */
typedef enum tr_client_fault_rule {
    TR_CLIENT_FAULT_RULE_DEFAULT, /* reset */
    TR_CLIENT_FAULT_RESET,        /* it stands up where it was */
    TR_CLIENT_FAULT_REMOVE,       /* it is despawned */
    TR_CLIENT_FAULT_FREEZE        /* it stays where it was */
} tr_client_fault_rule;

/* What happens to a world when its owner's session ends. The owner is the client that made it, or
 * the last one that claimed it. */
typedef enum tr_client_owner_leaves {
    TR_CLIENT_OWNER_LEAVES_DEFAULT, /* keep */
    TR_CLIENT_OWNER_LEAVES_KEEP,
    TR_CLIENT_OWNER_LEAVES_DESTROY /* after the lease, unless another client claims it before */
} tr_client_owner_leaves;

/* How far a real-time world's ticks were behind their deadlines, since its creation. */
typedef struct tr_client_lateness {
    uint64_t ticks;
    double p50_s, p99_s, max_s;
} tr_client_lateness;

typedef struct tr_client_world {
    uint32_t id;
    const char *name;
    tr_client_mode mode;
    uint64_t seed;
    double step_s, rate;
    bool paused, look_ahead;
    int64_t tick;
    double time_s;
    uint32_t epoch, character_count, object_count, subscriber_count, stepper_count;
    uint32_t pending_commands;
    uint64_t dropped_ticks;
    tr_client_fault_rule fault_rule;
    tr_client_lateness lateness; /* zeros in other modes */
    const char *recorded_as;     /* name of the recording being made of it; "": none */
    const char *replay_of;       /* name of the recording it replays; "": not a replay */
    tr_client_owner_leaves owner_leaves;
    double lease_s, step_timeout_s; /* 0: none */
    const char *moved_from; /* names the hold on the daemon that it is from; "": made here */
    bool arriving;          /* it stands still until tr_client_start_world */
    double processor_s;     /* processor time that it has used */
    bool over_budget;       /* real time: it comes after all worlds that use less processor time */
    uint64_t contacts_dropped, searches_cut; /* left out because a step would have cost too much */
} tr_client_world;

/* A world that has moved to another daemon. */
typedef struct tr_client_moved_world {
    const char *name, *moved_to, *moved_from;
} tr_client_moved_world;

typedef struct tr_client_world_def {
    const char *name;
    uint64_t seed;
    double step_s; /* 0.0005 to 0.02 */
    tr_client_mode mode;
    double rate;       /* real time only: 0.01 to 100 */
    uint32_t steppers; /* stepped only: the number it waits for; 0: 1 */
    bool paused;
    bool look_ahead; /* steered characters stop before walls and edges, and pass each other */
    tr_client_fault_rule fault_rule;
    double gravity[3];
    double ground_friction;
    bool no_ground, no_self_collision;
    int scenery_count;
    const tr_client_scenery *scenery;
    int object_count; /* in it from the beginning; at most 64 */
    const tr_client_object_def *objects;
    tr_client_owner_leaves owner_leaves;
    double lease_s;         /* from the end of the owner's session, 0 to 86400 */
    double step_timeout_s;  /* stepped only: removes a stepper that holds up others; 0: never */
    const char *moved_from; /* the world arrives: of tr_client_hold_world; NULL: made here */
} tr_client_world_def;

/* The defaults: real time, earth's gravity, friction 1. The caller sets the name. */
TR_API tr_client_world_def tr_client_world_def_default(void);

/* Makes a world; this client is its owner. The reply (WORLD) has its id. TR_ALREADY_EXISTS: the name is
 * taken; TR_INVALID_ARGUMENT: a field is out of range, and the message names it;
 * TR_RESOURCE_EXHAUSTED: the daemon, or this client's role, may have no more worlds;
 * TR_PERMISSION_DENIED: the role is lower than director. */
TR_API uint64_t tr_client_create_world(tr_client *client, const tr_client_world_def *def);

/* Lists all worlds, by id (reply WORLDS). */
TR_API uint64_t tr_client_list_worlds(tr_client *client);

/* Shows a world as of its last turn (reply WORLD). TR_NOT_FOUND. */
TR_API uint64_t tr_client_get_world(tr_client *client, uint32_t world);

/* Ends a world: its waiting commands are answered TR_ABORTED, and its subscribers get the event
 * TR_CLIENT_DESTROYED. TR_NOT_FOUND; TR_PERMISSION_DENIED: the role is lower than director. */
TR_API uint64_t tr_client_destroy_world(tr_client *client, uint32_t world);

/* Moving a world to another daemon ('troupe move-world' does all of it). tr_client_hold_world is as
 * tr_client_snapshot, and the world then stands still and refuses commands with TR_UNAVAILABLE,
 * until it is destroyed, this client closes or `hold_s` has passed (0.1 to 3600). Its reply names the
 * hold, for a world made with `moved_from` on the other daemon, which takes the snapshot. Then
 * tr_client_move_world destroys the world here, and its subscribers get TR_CLIENT_DESTROYED with
 * `moved_to`, "host:port" in at most 47 bytes, as text; TR_FAILED_PRECONDITION: the hold has ended.
 * tr_client_start_world starts the one there, which stays when its owner leaves; it may be
 * repeated. */
TR_API uint64_t tr_client_hold_world(tr_client *client, tr_client_at at, double hold_s);
TR_API uint64_t tr_client_move_world(tr_client *client, uint32_t world, const char *moved_to);
TR_API uint64_t tr_client_start_world(tr_client *client, uint32_t world, const char *moved_from);

/* Makes this client the owner of a world, which must not belong to a match (reply WORLD). */
TR_API uint64_t tr_client_claim_world(tr_client *client, uint32_t world,
                                      tr_client_owner_leaves owner_leaves, double lease_s);

/* Stops a world's time; in a paused world tr_client_step makes single ticks.
 * TR_FAILED_PRECONDITION: a stepped world. */
TR_API uint64_t tr_client_pause(tr_client *client, tr_client_at at);

/* Lets a paused world continue. TR_FAILED_PRECONDITION: a stepped world. */
TR_API uint64_t tr_client_resume(tr_client *client, tr_client_at at);

/* Sets how many simulated seconds pass per second. TR_FAILED_PRECONDITION: not a real-time
 * world. */
TR_API uint64_t tr_client_set_rate(tr_client *client, tr_client_at at, double rate);

/* Makes this client a stepper of a stepped world, which then waits for its steps. order: its place
 * among the steppers; 0: the lowest free one. The reply has it. TR_ALREADY_EXISTS: the order is
 * taken, or this client has joined; TR_FAILED_PRECONDITION: not a stepped world;
 * TR_RESOURCE_EXHAUSTED: too many have joined. */
TR_API uint64_t tr_client_join(tr_client *client, tr_client_at at, uint32_t order);

/* Removes this client from the steppers: the world no longer waits for it. TR_FAILED_PRECONDITION:
 * it has not joined. */
TR_API uint64_t tr_client_leave(tr_client *client, tr_client_at at);

/* For directors: removes the stepper with this order number, so that it no longer holds up its
 * world; 0: the one that the world waits for. The reply has its order number. */
TR_API uint64_t tr_client_remove_stepper(tr_client *client, tr_client_at at, uint32_t order);

/* Lets a stepped or a paused world move by `count` ticks (from 1); answered when it has reached the
 * tick. The reply has the tick and the hash of the state. A client that has not joined a stepped
 * world joins it. TR_FAILED_PRECONDITION: the world is running. */
TR_API uint64_t tr_client_step(tr_client *client, tr_client_at at, uint32_t count);

/* Makes the present state the reset point, to which tr_client_reset returns. */
TR_API uint64_t tr_client_mark(tr_client *client, tr_client_at at);

/* Returns the world to its reset point, which at first is its initial state with everything spawned
 * since. Waiting commands are answered TR_ABORTED. The reply has the tick and the hash of the
 * state. */
TR_API uint64_t tr_client_reset(tr_client *client, tr_client_at at);

/* Takes the complete state with the waiting commands. The reply has the bytes, which are valid as
 * long as the reply. TR_RESOURCE_EXHAUSTED: they do not fit into a frame. */
TR_API uint64_t tr_client_snapshot(tr_client *client, tr_client_at at);

/* Restores a snapshot of this world or of another. data: [size], copied. TR_INVALID_ARGUMENT: the
 * bytes are not a snapshot, or damaged; TR_NOT_FOUND, TR_FAILED_PRECONDITION: a model or controller
 * is not in the catalogue, or differs; TR_OUT_OF_RANGE: too large. */
TR_API uint64_t tr_client_restore(tr_client *client, tr_client_at at, const uint8_t *data,
                                  size_t size);

#if defined(__cplusplus)
}
#endif

#endif
