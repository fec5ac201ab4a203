/* Commands: what clients ask of a world, as plain structs without a trace of the wire.
 *
 * A handler makes a command and posts it to a host; the world's thread stamps it, applies it at its
 * tick and answers with a reply. One thread at a time owns a command. */
#ifndef TROUPE_SERVER_COMMAND_H
#define TROUPE_SERVER_COMMAND_H

#include "control/stage.h"
#include "server/net/packet.h"
#include "server/recording/recording.h"
#include "server/world/snapshot.h"

#include <stdbool.h>
#include <stdint.h>

/* kind, name on the wire, applies where: AT_ONCE when the world's thread sees it, IN_ORDER at its
 * stamp. A step acts at once on its stepper's frontier; in a world that moves by itself it waits
 * its turn among the others, since it is for the pause they may bring. */
#define TR_COMMAND_LIST(X)                                                                         \
    X(SPAWN_CHARACTER, "spawn_character", IN_ORDER)                                                \
    X(SPAWN_OBJECT, "spawn_object", IN_ORDER)                                                      \
    X(DESPAWN, "despawn", IN_ORDER)                                                                \
    X(SET_CONTROLLER, "set_controller", IN_ORDER)                                                  \
    X(SET_LIMP, "set_limp", IN_ORDER)                                                              \
    X(SET_OFFSET, "set_offset", IN_ORDER)                                                          \
    X(SET_FRAGMENT, "set_fragment", IN_ORDER)                                                      \
    X(STEER, "steer", IN_ORDER)                                                                    \
    X(PUSH, "push", IN_ORDER)                                                                      \
    X(THROW, "throw", IN_ORDER)                                                                    \
    X(PAUSE, "pause", IN_ORDER)                                                                    \
    X(RESUME, "resume", IN_ORDER)                                                                  \
    X(SET_RATE, "set_rate", IN_ORDER)                                                              \
    X(MARK, "mark", IN_ORDER)                                                                      \
    X(RESET, "reset", IN_ORDER)                                                                    \
    X(SNAPSHOT, "snapshot", IN_ORDER)                                                              \
    X(RESTORE, "restore", IN_ORDER)                                                                \
    X(START_RECORDING, "start_recording", IN_ORDER)                                                \
    X(STOP_RECORDING, "stop_recording", IN_ORDER)                                                  \
    X(SEEK, "seek", AT_ONCE)                                                                       \
    X(SET_LOOP, "set_loop", AT_ONCE)                                                               \
    X(VERIFY, "verify", AT_ONCE)                                                                   \
    X(JOIN, "join", AT_ONCE)                                                                       \
    X(LEAVE, "leave", AT_ONCE)                                                                     \
    X(STEP, "step", AT_ONCE)                                                                       \
    X(ADVANCE, "advance", AT_ONCE)                                                                 \
    X(GET_STATE, "get_state", AT_ONCE)                                                             \
    X(PART, "part", AT_ONCE) /* the session is gone: it no longer holds up the others */

typedef enum tr_command_kind {
#define X(name, text, when) TR_COMMAND_##name,
    TR_COMMAND_LIST(X)
#undef X
        TR_COMMAND_KIND_COUNT
} tr_command_kind;

/* Where a command stands among all others: they apply in the order of (tick, order, request), which
 * says nothing of when they arrived. `session` tells two clients of one order apart and receives
 * the reply. */
typedef struct tr_stamp {
    int64_t tick;
    /* Stepped: the one joined with, or TR_ORDER_UNJOINED + session; else the session. */
    uint64_t order;
    uint64_t request;
    uint64_t session;
} tr_stamp;

#define TR_ORDER_UNJOINED 1000000u

typedef struct tr_spawn_character {
    char model_name[TR_NAME_MAX]; /* empty: the controller's */
    char controller_name[TR_NAME_MAX];
    char label[TR_NAME_MAX];
    tr_vec3 pos;
    double heading_rad;
    int fragment;
    const tr_model *model;           /* found by the handler; held by the world */
    const tr_controller *controller; /* NULL: none asked for */
} tr_spawn_character;

typedef struct tr_spawn_object {
    tr_object_def def;
    tr_object_state state;
} tr_spawn_object;

typedef struct tr_set_controller {
    tr_entity_id entity;
    char controller_name[TR_NAME_MAX]; /* empty: none */
    const tr_controller *controller;
} tr_set_controller;

typedef struct tr_set_limp {
    tr_entity_id entity;
    bool limp;
} tr_set_limp;

typedef struct tr_set_offset {
    tr_entity_id entity;
    int count;
    double offset[TR_ACTION_MAX];
} tr_set_offset;

typedef struct tr_set_fragment {
    tr_entity_id entity;
    int fragment;
    bool mirrored;
} tr_set_fragment;

typedef struct tr_steer_order {
    tr_entity_id entity;
    tr_wish wish;
} tr_steer_order;

typedef struct tr_push_order {
    tr_entity_id entity;
    char body[TR_NAME_MAX]; /* empty: the trunk */
    tr_vec3 point, force;
    double duration_s;
} tr_push_order;

typedef struct tr_throw_order {
    tr_entity_id entity;
    bool moved; /* pos is given */
    tr_vec3 pos, vel, omega;
} tr_throw_order;

/* A recording of the world from here on. */
typedef struct tr_start_recording {
    char name[TR_NAME_MAX];
    uint64_t id; /* of the file that the loop has opened for it */
    char world[TR_NAME_MAX];
    int64_t created_unix;
    int check_every, key_every; /* ticks; as tr_recorder_def */
} tr_start_recording;

/* From a client with TR_OK; from the loop with why its file can no longer be written. */
typedef struct tr_stop_recording {
    tr_status status;
    char why[TR_RECORDING_TEXT_MAX];
} tr_stop_recording;

typedef struct tr_command tr_command;

/* What a restore needs besides the bytes: everything they name, found by the handler. */
typedef struct tr_restore_order {
    tr_saved *saved;     /* owned */
    tr_cast *cast;       /* owned */
    tr_command *pending; /* commands waiting in the snapshot, in order; owned */
} tr_restore_order;

/* Orders of an advance that were refused: how many, which was the first, and why. */
typedef struct tr_refusal {
    int count, index;
    tr_error error;
} tr_refusal;

/* Orders, a step, a look. */
typedef struct tr_advance {
    int64_t count; /* ticks */
    uint32_t fields;
    int order_count;
    tr_command *orders;  /* in their order until they are admitted; owned */
    tr_refusal *refusal; /* owned; NULL without orders */
} tr_advance;

struct tr_command {
    tr_command_kind kind;
    int64_t at_tick; /* as asked; 0: as soon as possible */
    tr_stamp stamp;  /* session and request are the handler's, the rest the world's */
    bool silent;     /* out of a snapshot, or an order: nobody waits for an answer */
    int order; /* its place in the advance that has its stamp's session and request, from 1; else 0 */
    uint64_t account;       /* whose sessions own what it spawns; 0: nobody's */
    bool own_only;          /* it may act on characters of `account` alone */
    tr_packet *wire;        /* the message it came as, kept for snapshots; owned, may be NULL */
    struct tr_reply *reply; /* for the answer, which no lack of memory can lose; owned */
    union {
        tr_spawn_character spawn_character;
        tr_spawn_object spawn_object;
        tr_entity_id despawn;
        tr_set_controller set_controller;
        tr_set_limp set_limp;
        tr_set_offset set_offset;
        tr_set_fragment set_fragment;
        tr_steer_order steer;
        tr_push_order push;
        tr_throw_order throw_order;
        double rate;
        uint32_t join_order;
        int64_t step_count;
        tr_advance advance;
        uint32_t state_fields;
        tr_start_recording start_recording;
        tr_stop_recording stop_recording;
        int64_t position; /* seek: steps from the recording's beginning */
        bool loop;
        tr_restore_order restore;
    } as;
    tr_command *next;
};

/* Zeroed; NULL without memory. */
tr_command *tr_command_create(tr_command_kind kind);
void tr_command_destroy(tr_command *command);   /* NULL is fine */
void tr_command_destroy_all(tr_command *first); /* a whole list */

const char *tr_command_name(tr_command_kind kind);
bool tr_command_is_at_once(tr_command_kind kind);

/* Is it of those that a recording keeps? They change the stage and follow from their message; what
 * is about time and marks is not kept, and a reset or restore is kept as the state it led to. */
bool tr_command_is_recorded(tr_command_kind kind);

/* The character or object it acts on; 0: none in particular. */
tr_entity_id tr_command_entity(const tr_command *command);

/* Memory it takes, for the budget of what waits. */
size_t tr_command_size(const tr_command *command);

/* < 0: a applies before b. 0 for the orders of one advance alone, since requests rise within a
 * session: they apply in the order in which they were inserted. */
int tr_stamp_compare(const tr_stamp *a, const tr_stamp *b);

/* Commands in the order in which they apply. */
typedef struct tr_command_queue {
    tr_command *first;
    int count;
    size_t bytes; /* that they take, tr_command_size */
} tr_command_queue;

void tr_command_queue_insert(tr_command_queue *queue, tr_command *command); /* takes it */
tr_command *tr_command_queue_take(tr_command_queue *queue);                 /* NULL: empty */

/* What became of a command. */
typedef struct tr_reply {
    uint64_t session, request, account;
    tr_command_kind kind;
    tr_error error; /* status TR_OK on success */
    int64_t tick;
    tr_entity_id entity;
    uint64_t hash; /* of the state; of a recording that did not start: the id of its file */
    uint32_t order;
    tr_packet *data;     /* snapshot: its bytes; get_state, advance: an encoded WorldState; owned */
    tr_refusal *refusal; /* advance: NULL: none; owned */
    struct tr_reply *next;
} tr_reply;

void tr_reply_destroy(tr_reply *reply); /* NULL is fine */

#endif
