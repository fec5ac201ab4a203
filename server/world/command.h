/* Commands: the changes that clients request of a world.
 *
 * A command is the client's message, decoded and checked. The daemon adds a stamp that says when it
 * applies, its owner, and the items that its names mean. Its kind is a row of constants and
 * functions (tr_command_kind) with everything about commands of that name. The rows are in
 * server/requests/commands; the world loop knows none of them.
 *
 *     event loop     frame -> tr_command_decode -> names fetched -> tr_command_bind -> posted
 *     world thread   -> tr_world_loop_admit -> waits for its tick -> apply -> reply
 *     event loop     -> reply -> client
 *
 * One thread at a time owns a command. */
#pragma once

#include "client/command/fields.h"
#include "control/stage/stage.h"
#include "server/access/permission.h"
#include "server/catalogue/cast.h"
#include "server/catalogue/library.h"
#include "server/net/packet.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_command tr_command;
typedef struct tr_command_kind tr_command_kind;
typedef struct tr_reply tr_reply;
struct tr_hosted;
struct tr_request; /* requests/dispatch.h */
struct tr_server;  /* requests/server.h */
struct tr_world_loop;

/* The place of a command among all others: they apply in the order of (tick, order, request), which
 * does not depend on when they arrived. `session` separates two clients with the same order, and
 * receives the reply. */
typedef struct tr_stamp {
    int64_t tick;
    /* stepped world: the order joined with, or TR_ORDER_UNJOINED + session; else the session */
    uint64_t order;
    uint64_t request;
    uint64_t session;
} tr_stamp;

#define TR_ORDER_UNJOINED 1000000u

/* The part of an applied command that a recording keeps. */
typedef enum tr_command_keep {
    TR_KEEP_NOTHING, /* nothing: it changes time, the reset point or recordings only */
    TR_KEEP_MESSAGE, /* the message, from which its changes follow */
    TR_KEEP_STATE    /* the state after it */
} tr_command_keep;

/* All kinds that a client can send; the daemon's table is in requests/commands/commands.h. */
typedef struct tr_command_table {
    const tr_command_kind *const *kind; /* [count] */
    int count;
} tr_command_table;

/* --- the row of a kind --- */

/* Acts on a world. Fills `result`: entity, hash, data, error, whose status it returns. With
 * result->waits it has taken the command, which is answered later. */
typedef tr_status tr_command_act(struct tr_world_loop *loop, tr_command *command, tr_reply *result);

struct tr_command_kind {
    const char *name;      /* on the wire */
    unsigned number;       /* number of its field in Command; 0: no client can send it */
    bool at_once;          /* acts when the world's thread sees it; has no at_tick */
    bool always_fits;      /* posted even if the world's inbox is full */
    bool unsaved;          /* left out of snapshots while it waits */
    bool fills;            /* the only command that an arriving world takes: move.h */
    bool quiet;            /* no event when it has applied */
    bool for_teams;        /* in a match: allowed for characters of the sender's team */
    bool for_spectators;   /* in a match: allowed for every client with the right */
    tr_command_keep keeps; /* in a recording */
    tr_command_right right;

    /* --- on the event loop; each may be NULL --- */
    const tr_field *fields; /* of its message */
    size_t entity;          /* offset of the entity it acts on in its message; 0: none */
    size_t data_size;       /* size of its data, which starts zeroed */
    /* Checks what `fields` cannot express; decodes commands inside the message. */
    tr_status (*check)(tr_command *command, const tr_command_table *table, tr_error *error);
    /* Adds the names of models and controllers that it needs. */
    tr_status (*names)(const tr_command *command, tr_library_needs *needs);
    /* Finds them in `cast`, which holds those that the catalogue has. Replays call it on the
     * world's thread. TR_NOT_FOUND: one is missing. */
    tr_status (*bind)(tr_command *command, const tr_cast *cast, tr_error *error);
    /* Last step before it is bound and posted. If it is not posted after this, `abandon` is called;
     * otherwise `answered`, with its reply. */
    tr_status (*prepare)(const struct tr_request *request, struct tr_hosted *hosted,
                         tr_command *command, tr_error *error);
    void (*abandon)(struct tr_server *server, const tr_command *command);
    void (*answered)(struct tr_server *server, const tr_reply *reply);
    /* Encodes the answer as a frame; NULL: a CommandResult made from the reply. */
    tr_status (*encode)(const tr_reply *reply, tr_packet **out);

    /* --- on the world's thread; each may be NULL --- */
    /* Acts on arrival. NULL: it waits for its tick. A kind that also has `apply` acts on arrival in
     * stepped worlds only, or if `acts_now`. A kind with neither is for replays. */
    tr_command_act *admit;
    bool (*acts_now)(const tr_command *command); /* whatever the mode; NULL: see above */
    tr_command_act *apply;                       /* acts at its tick */
    /* The world has reached the tick that it waits for (tr_world_loop_await). Fills `result`. */
    void (*reached)(struct tr_world_loop *loop, const tr_command *command, tr_reply *result);
    /* Acts in a world that shows a recording. NULL: refused there, but for a kind of the daemon,
     * which has `admit`. */
    tr_command_act *replay;

    /* --- on any thread; each may be NULL --- */
    const tr_command *(*orders)(const tr_command *command); /* list of commands inside it */
    size_t (*memory)(const tr_command *command);            /* bytes that its data points to */
    void (*destroy)(tr_command *command);                   /* frees what its data points to */
};

/* The entity of a command that names it until it reaches its world. */
#define TR_ENTITY_NAMED UINT32_MAX

const tr_command_kind *tr_command_find(const tr_command_table *table,
                                       unsigned number); /* or NULL */

/* --- a command --- */

/* Refused orders of an advance: their number, the first one, and its reason. */
typedef struct tr_refusal {
    int count, index;
    tr_error error;
} tr_refusal;

struct tr_command {
    const tr_command_kind *kind;
    Troupe__Command *message; /* checked; owned; NULL: the daemon made the command */
    tr_stamp stamp;           /* the handler sets session and request, the world the rest */
    bool silent;              /* from a snapshot, or an order: no client waits for an answer */
    bool own_only;            /* it may act on characters of `account` only */
    int order; /* its position in the advance with the same session and request, from 1; else 0 */
    uint64_t account;       /* the owner of what it spawns; 0: no owner */
    struct tr_reply *reply; /* for the answer, allocated early so that it cannot fail; owned */
    tr_refusal *refusal;    /* of its orders; owned; NULL without orders */
    size_t message_memory;  /* bytes that `message` takes */
    tr_command *next;
    _Alignas(16) unsigned char data[]; /* [kind->data_size]: plain data of the kind */
};

/* A command that the daemon makes: without a message, its data zeroed. NULL: no memory. */
tr_command *tr_command_create(const tr_command_kind *kind);

/* Checks a message and makes a command of it, without a stamp. Takes the message, on failure too.
 * TR_UNIMPLEMENTED: the daemon does not know this command; TR_INVALID_ARGUMENT: the error names the
 * field; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_command_decode(const tr_command_table *table, Troupe__Command *take_message,
                            tr_command **out, tr_error *error) TR_NODISCARD;

/* The same from packed bytes of a recording or a snapshot. */
tr_status tr_command_unpack(const tr_command_table *table, const uint8_t *bytes, size_t size,
                            tr_command **out, tr_error *error) TR_NODISCARD;

/* The message as bytes; NULL: no message, or no memory. */
tr_packet *tr_command_pack(const tr_command *command);

/* Finds the items that it names; tr_command_kind.bind. */
tr_status tr_command_bind(tr_command *command, const tr_cast *cast, tr_error *error) TR_NODISCARD;

void tr_command_destroy(tr_command *command);   /* NULL is allowed */
void tr_command_destroy_all(tr_command *first); /* a whole list */

/* The character or object it acts on; 0: no single one. */
tr_entity_id tr_command_entity(const tr_command *command);
/* Sets the entity of a command that named it. */
void tr_command_set_entity(tr_command *command, tr_entity_id entity);

/* The tick that the client requested; 0: as soon as possible. */
int64_t tr_command_at_tick(const tr_command *command);

/* Memory that the command takes, bytes. */
size_t tr_command_size(const tr_command *command);

/* --- the command queue --- */

/* < 0: a applies before b. 0 only for orders of the same advance, because request ids rise within a
 * session: such orders apply in the order of insertion. */
int tr_stamp_compare(const tr_stamp *a, const tr_stamp *b);

/* Commands, sorted in the order in which they apply. */
typedef struct tr_command_queue {
    tr_command *first;
    int count;
    size_t bytes; /* sum of their tr_command_size */
} tr_command_queue;

void tr_command_queue_insert(tr_command_queue *queue, tr_command *command); /* takes it */
tr_command *tr_command_queue_take(tr_command_queue *queue);                 /* NULL: empty */

void tr_command_queue_must_hold(const tr_command_queue *queue, tr_invariant *broken);

/* --- replies --- */

/* The outcome of a command. */
struct tr_reply {
    const tr_command_kind *kind;
    uint64_t session, request, account;
    uint64_t ticket; /* set by `prepare` for `answered` */
    tr_error error;  /* status TR_OK on success */
    int64_t tick;
    tr_entity_id entity;
    uint32_t scenery; /* add_scenery: its id */
    uint64_t hash;    /* of the state */
    uint32_t order;
    char moved_from[TR_NAME_MAX]; /* snapshot with hold: its name */
    bool paused;                  /* the same: the world was paused before */
    bool waits;                   /* the command waits again, and is answered later */
    tr_packet *data;     /* snapshot: its bytes; get_state, advance: an encoded WorldState; owned */
    tr_refusal *refusal; /* advance: NULL: none; owned */
    tr_reply *next;
};

void tr_reply_destroy(tr_reply *reply); /* NULL is allowed */
void tr_reply_destroy_all(tr_reply *first);
