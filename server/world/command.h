/* Commands: what clients ask of a world.
 *
 * A command is the message that the client sent, decoded and checked, with what the daemon adds: a
 * stamp that says when it applies, whose it is, and what its names stand for. Its kind is a row of
 * constants and functions (tr_command_kind) that says everything about commands of that name; the
 * rows are in server/requests/commands, one file each, and the world loop knows none of them.
 *
 *     event loop     frame -> tr_command_decode -> names fetched -> tr_command_bind -> posted
 *     world thread   -> tr_world_loop_admit -> waits for its tick -> apply -> reply
 *     event loop     -> reply -> client
 *
 * One thread at a time owns a command. */
#ifndef TROUPE_SERVER_COMMAND_H
#define TROUPE_SERVER_COMMAND_H

#include "control/stage.h"
#include "server/access/permission.h"
#include "server/catalogue/cast.h"
#include "server/catalogue/library.h"
#include "server/net/packet.h"
#include "server/world/fields.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_command tr_command;
typedef struct tr_command_kind tr_command_kind;
typedef struct tr_reply tr_reply;
struct tr_command_source;
struct tr_hosted;
struct tr_request; /* requests/dispatch.h */
struct tr_server;  /* requests/server.h */
struct tr_world_loop;

/* Where a command stands among all others: they apply in the order of (tick, order, request), which
 * does not depend on when they arrived. `session` separates two clients of one order and receives
 * the reply. */
typedef struct tr_stamp {
    int64_t tick;
    /* Stepped: the one joined with, or TR_ORDER_UNJOINED + session; else the session. */
    uint64_t order;
    uint64_t request;
    uint64_t session;
} tr_stamp;

#define TR_ORDER_UNJOINED 1000000u

/* What a recording keeps of a command that has applied. */
typedef enum tr_command_keep {
    TR_KEEP_NOTHING, /* it changes no state that a replay has: time, the reset point, recordings */
    TR_KEEP_MESSAGE, /* the message: what it changes follows from that */
    TR_KEEP_STATE    /* the state that it led to */
} tr_command_keep;

/* Every kind that a client can send; requests/commands/commands.h has the daemon's table. */
typedef struct tr_command_table {
    const tr_command_kind *const *kind; /* [count] */
    int count;
} tr_command_table;

/* --- the row of a kind --- */

struct tr_command_kind {
    const char *name;      /* on the wire */
    unsigned number;       /* of its field in Command; 0: no client can send it */
    bool at_once;          /* acts when the world's thread sees it, and has no at_tick */
    bool always_fits;      /* is posted however full the world's inbox is */
    bool unsaved;          /* a snapshot does not hold it while it waits */
    bool quiet;            /* no event reports that it has applied */
    bool for_teams;        /* in a match: may be sent to characters of the sender's team */
    bool for_spectators;   /* in a match: may be sent by anybody with the right */
    tr_command_keep keeps; /* in a recording */
    tr_command_right right;

    /* --- on the event loop; each may be NULL --- */
    const tr_field *fields; /* of its message */
    size_t entity;          /* offset in its message of the entity that it acts on; 0: none */
    size_t data_size;       /* of its data, zeroed at first */
    /* What `fields` cannot say; reads other commands out of the message. */
    tr_status (*check)(tr_command *command, const tr_command_table *table, tr_error *error);
    /* Adds the names of models and controllers that it needs. */
    tr_status (*names)(const tr_command *command, tr_library_wish *wish);
    /* Finds them in `cast`, where all are that the catalogue has. Also called by replays, on the
     * world's thread. TR_NOT_FOUND: names one that is not there. */
    tr_status (*bind)(tr_command *command, const tr_cast *cast, tr_error *error);
    /* Last, before it is bound and posted. When it is not posted after that, `abandon` is called;
     * else `answered`, with its reply. */
    tr_status (*prepare)(const struct tr_request *request, struct tr_hosted *hosted,
                         tr_command *command, tr_error *error);
    void (*abandon)(struct tr_server *server, const tr_command *command);
    void (*answered)(struct tr_server *server, const tr_reply *reply);
    /* The answer as a frame; NULL: a CommandResult of what the reply has. */
    tr_status (*encode)(const tr_reply *reply, tr_packet **out);

    /* --- on the world's thread; each may be NULL --- */
    /* As it comes; takes it. NULL: it waits for its tick. A kind that has `apply` too acts as it
     * comes in a stepped world alone. One that has neither is for replays. */
    void (*admit)(struct tr_world_loop *loop, tr_command *command);
    /* At its tick. Fills `result`: entity, hash, data, error. */
    tr_status (*apply)(struct tr_world_loop *loop, tr_command *command, tr_reply *result,
                       int64_t now_ns);
    /* The world has reached the tick that it waits for (tr_world_loop_await). Fills `result`. */
    void (*reached)(struct tr_world_loop *loop, const tr_command *command, tr_reply *result);
    /* In a world that shows a recording; takes it. NULL: refused there. */
    void (*replay)(struct tr_command_source *replay, struct tr_world_loop *loop,
                   tr_command *command, int64_t now_ns);

    /* --- wherever it is; each may be NULL --- */
    const tr_command *(*orders)(const tr_command *command); /* that it brings: a list */
    size_t (*memory)(const tr_command *command);            /* that its data points to */
    void (*destroy)(tr_command *command);                   /* what its data points to */
};

const tr_command_kind *tr_command_find(const tr_command_table *table,
                                       unsigned number); /* or NULL */

/* --- a command --- */

/* Orders of an advance that were refused: how many, which was the first, and why. */
typedef struct tr_refusal {
    int count, index;
    tr_error error;
} tr_refusal;

struct tr_command {
    const tr_command_kind *kind;
    Troupe__Command *message; /* checked; owned; NULL: the daemon made the command itself */
    tr_stamp stamp;           /* session and request are the handler's, the rest the world's */
    bool silent;              /* from a snapshot, or an order: nobody waits for an answer */
    bool own_only;            /* it may act on characters of `account` alone */
    int order; /* its place in the advance that has its stamp's session and request, from 1; else 0 */
    uint64_t account;       /* whose sessions own what it spawns; 0: nobody's */
    struct tr_reply *reply; /* for the answer, which no lack of memory can lose; owned */
    tr_refusal *refusal;    /* of its orders; owned; NULL without orders */
    size_t message_memory;  /* bytes that `message` takes */
    tr_command *next;
    _Alignas(16) unsigned char data[]; /* [kind->data_size]: plain data of the kind */
};

/* A command of the daemon's own: without a message, its data zeroed. NULL: no memory. */
tr_command *tr_command_create(const tr_command_kind *kind);

/* Checks a message and makes a command of it, without stamp. Takes the message, on failure too.
 * TR_UNIMPLEMENTED: a command that the daemon does not know; TR_INVALID_ARGUMENT: names the field;
 * TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_command_decode(const tr_command_table *table, Troupe__Command *take_message,
                            tr_command **out, tr_error *error) TR_NODISCARD;

/* The same of packed bytes, out of a recording or a snapshot. */
tr_status tr_command_unpack(const tr_command_table *table, const uint8_t *bytes, size_t size,
                            tr_command **out, tr_error *error) TR_NODISCARD;

/* The message as bytes; NULL: there is none, or no memory. */
tr_packet *tr_command_pack(const tr_command *command);

/* Finds what it names; tr_command_kind.bind. */
tr_status tr_command_bind(tr_command *command, const tr_cast *cast, tr_error *error) TR_NODISCARD;

void tr_command_destroy(tr_command *command);   /* NULL is fine */
void tr_command_destroy_all(tr_command *first); /* a whole list */

/* The character or object it acts on; 0: none in particular. */
tr_entity_id tr_command_entity(const tr_command *command);

/* The tick that the client asked for; 0: as soon as possible. */
int64_t tr_command_at_tick(const tr_command *command);

/* Bytes of memory that it takes. */
size_t tr_command_size(const tr_command *command);

/* --- the command queue --- */

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

/* --- replies --- */

/* What became of a command. */
struct tr_reply {
    const tr_command_kind *kind;
    uint64_t session, request, account;
    uint64_t ticket; /* what `prepare` noted for `answered` */
    tr_error error;  /* status TR_OK on success */
    int64_t tick;
    tr_entity_id entity;
    uint32_t scenery; /* add_scenery: its id */
    uint64_t hash;    /* of the state */
    uint32_t order;
    bool waits;          /* from `apply`: it was put back to wait, and is answered later */
    tr_packet *data;     /* snapshot: its bytes; get_state, advance: an encoded WorldState; owned */
    tr_refusal *refusal; /* advance: NULL: none; owned */
    tr_reply *next;
};

void tr_reply_destroy(tr_reply *reply); /* NULL is fine */
void tr_reply_destroy_all(tr_reply *first);

#endif
