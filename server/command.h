/* Commands: what clients ask of a world, as plain structs without a trace of the wire.
 *
 * A handler makes a command and posts it to a host; the world's thread stamps it, applies it at its
 * tick and answers with a reply. One thread at a time owns a command. */
#ifndef TROUPE_SERVER_COMMAND_H
#define TROUPE_SERVER_COMMAND_H

#include "control/stage.h"
#include "server/packet.h"
#include "server/snapshot.h"

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
    X(PUSH, "push", IN_ORDER)                                                                      \
    X(THROW, "throw", IN_ORDER)                                                                    \
    X(PAUSE, "pause", IN_ORDER)                                                                    \
    X(RESUME, "resume", IN_ORDER)                                                                  \
    X(SET_RATE, "set_rate", IN_ORDER)                                                              \
    X(MARK, "mark", IN_ORDER)                                                                      \
    X(RESET, "reset", IN_ORDER)                                                                    \
    X(SNAPSHOT, "snapshot", IN_ORDER)                                                              \
    X(RESTORE, "restore", IN_ORDER)                                                                \
    X(JOIN, "join", AT_ONCE)                                                                       \
    X(LEAVE, "leave", AT_ONCE)                                                                     \
    X(STEP, "step", AT_ONCE)                                                                       \
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

typedef struct tr_command tr_command;

/* What a restore needs besides the bytes: everything they name, found by the handler. */
typedef struct tr_restore_order {
    tr_saved *saved;     /* owned */
    tr_cast *cast;       /* owned */
    tr_command *pending; /* commands waiting in the snapshot, in order; owned */
} tr_restore_order;

struct tr_command {
    tr_command_kind kind;
    int64_t at_tick; /* as asked; 0: as soon as possible */
    tr_stamp stamp;  /* session and request are the handler's, the rest the world's */
    bool silent;     /* out of a snapshot: nobody waits for an answer */
    tr_packet *wire; /* the message it came as, kept for snapshots; owned, may be NULL */
    union {
        tr_spawn_character spawn_character;
        tr_spawn_object spawn_object;
        tr_entity_id despawn;
        tr_set_controller set_controller;
        tr_set_limp set_limp;
        tr_set_offset set_offset;
        tr_push_order push;
        tr_throw_order throw_order;
        double rate;
        uint32_t join_order;
        int64_t step_count;
        uint32_t state_fields;
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

/* Memory it takes, for the budget of what waits. */
size_t tr_command_size(const tr_command *command);

/* < 0: a applies before b. Never 0 for two commands of one world, since requests rise within a
 * session. */
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
    uint64_t session, request;
    tr_command_kind kind;
    tr_error error; /* status TR_OK on success */
    int64_t tick;
    tr_entity_id entity;
    uint64_t hash;
    uint32_t order;
    tr_packet *data; /* snapshot: its bytes; get_state: an encoded WorldState; owned */
    struct tr_reply *next;
} tr_reply;

void tr_reply_destroy(tr_reply *reply); /* NULL is fine */

#endif
