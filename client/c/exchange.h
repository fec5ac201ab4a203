/* The internals of the client: the connection, the unanswered requests, and the unclaimed replies.
 *
 * A request occupies a slot until its reply has been claimed (awaited, or passed to its callback).
 * Until the handshake is complete, frames wait in `held`, so that Hello is the first. */
#pragma once

#include "client/c/connection.h"
#include "client/c/key_login.h"
#include "client/c/reply.h"
#include "proto/limits.h"
#include "proto/mapping.h"
#include "proto/message.h"
#include "proto/tls.h"
#include "troupe/client.h"
#include "troupe/envelope.pb-c.h"

enum { TR_EXCHANGE_SLOT_MAX = 256, TR_CLIENT_NAME_SIZE = 64 };

typedef struct tr_pending {
    uint64_t request;     /* 0: free */
    tr_reply_box *box;    /* the reply; NULL: not received */
    bool dropped;         /* the reply is not wanted */
    tr_client_done *done; /* NULL: awaited */
    void *user;
} tr_pending;

typedef struct tr_held_frame {
    struct tr_held_frame *next;
    uint8_t *frame;
    size_t size;
} tr_held_frame;

struct tr_client {
    tr_client_def def;
    char name[TR_CLIENT_NAME_SIZE];
    tr_key_login login;
    tr_tls *tls; /* owned; NULL: plain */
    uint32_t role;
    uv_loop_t *loop, own_loop;
    tr_connection *connection;
    uv_timer_t timer; /* of await and run */
    bool timer_over;
    int pending;  /* connection and timer: freed when both are released */
    int running;  /* depth of await and run */
    bool closing; /* tr_client_close has been called */
    bool stopped; /* tr_client_stop has been called */
    bool challenged;
    bool open;  /* welcome received */
    bool ended; /* connection over; `end` says why */
    tr_error end;
    uint64_t next_request, session;
    char server_version[64];
    tr_held_frame *held, **held_tail;
    tr_pending slot[TR_EXCHANGE_SLOT_MAX];
    tr_error refused;         /* the reason why the last request could not be made */
    tr_reply_box *awaited;    /* returned by the last await or ask */
    tr_error unanswered;      /* the reason why the last ask got no reply, ... */
    tr_client_reply no_reply; /* ... and the reply it returned instead */
};

/* The slot of a request, or a free one for request 0. NULL: none. */
tr_pending *tr_exchange_find(tr_client *client, uint64_t request);

/* Frees the slot and returns its reply; NULL: none received. */
tr_reply_box *tr_exchange_claim(tr_pending *slot);

/* Delivers a slot's reply: passes it to the callback, drops it, or keeps it until it is awaited.
 * Takes the box. */
void tr_exchange_deliver(tr_client *client, tr_pending *slot, tr_reply_box *take_box);

/* Fails every unanswered request. */
void tr_exchange_fail_all(tr_client *client, tr_status status, const char *message);

/* Sends or drops the frames held until the handshake was complete. */
void tr_exchange_send_held(tr_client *client);
void tr_exchange_drop_held(tr_client *client);

/* Messages on the stack of a request function. Fields that are not set are empty:
 *
 *     return TR_REQUEST(client, GetWorld, get_world, .world = world); */
#define TR_REQUEST(client, Message, name, ...)                                                     \
    tr_request_send(client, &(Troupe__##Message){TR_MESSAGE_BASE(name), __VA_ARGS__}.base)
#define TR_REQUEST_EMPTY(client, Message, name)                                                    \
    tr_request_send(client, &(Troupe__##Message){TR_MESSAGE_BASE(name)}.base)

/* The functions of requests that have nothing but a name, or a world, a row each:
 *
 *     TR_REQUEST_BY_NAME(GetModel, get_model) // uint64_t tr_client_get_model(client, name) */
#define TR_REQUEST_BY_NAME(Message, request)                                                       \
    uint64_t tr_client_##request(tr_client *client, const char *name) {                            \
        return TR_REQUEST(client, Message, request, .name = tr_request_text(name));                \
    }
#define TR_REQUEST_OF_WORLD(Message, request)                                                      \
    uint64_t tr_client_##request(tr_client *client, uint32_t world) {                              \
        return TR_REQUEST(client, Message, request, .world = world);                               \
    }

/* The functions of requests that have the members of a definition, or of a query, by rows of a
 * mapping:
 *
 *     TR_REQUEST_OF_DEF(Subscribe, subscribe, subscribe_def, TR_COPY(world, rate_hz, fields))
 *     TR_REQUEST_OF_QUERY(ListRuns, list_runs, TR_COPY(prefix)) */
#define TR_REQUEST_OF_DEF(Message, request, Def, ...)                                              \
    static const tr_mapping request##_mapping =                                                    \
        TR_MAPPING(tr_client_##Def, Message, request, __VA_ARGS__);                                \
    uint64_t tr_client_##request(tr_client *client, const tr_client_##Def *def) {                  \
        return tr_request_send_struct(client, &request##_mapping, def);                            \
    }
#define TR_REQUEST_OF_QUERY(Message, request, ...)                                                 \
    static const tr_mapping request##_mapping = TR_MAPPING(                                        \
        tr_client_query, Message, request, TR_COPY_SELF(page, tr_request_page), __VA_ARGS__);      \
    uint64_t tr_client_##request(tr_client *client, const tr_client_query *query) {                \
        static const tr_client_query everything = {0};                                             \
        return tr_request_send_struct(client, &request##_mapping, query ? query : &everything);    \
    }
extern const tr_mapping tr_request_page; /* of a query */

/* What TR_COMMAND_OF makes of its arguments. */
#define TR_ARGUMENT(unused, same, argument) TR_ARGUMENT_OF argument
#define TR_ARGUMENT_OF(type, name) type name
#define TR_ARGUMENT_SET(unused, same, argument) TR_ARGUMENT_SET_OF argument
#define TR_ARGUMENT_SET_OF(type, name) .name = (name)

#define TR_VEC3(v) (&(Troupe__Vec3){TR_MESSAGE_BASE(vec3), .x = (v)[0], .y = (v)[1], .z = (v)[2]})

/* Gives the request a number and a slot, encodes and sends it. body: a message that ClientMessage
 * has as a request. 0: refused, client->refused says why. The
 * second makes the message from a struct of the mapping. */
uint64_t tr_request_send(tr_client *client, ProtobufCMessage *body);
uint64_t tr_request_send_struct(tr_client *client, const tr_mapping *mapping, const void *from);

/* Refuses a request because of its arguments. Returns 0. */
uint64_t tr_exchange_refuse(tr_client *client, tr_status status, const char *message);

/* An array for protobuf-c, which does not change it. A text is never NULL. */
void *tr_request_array(const void *array);
char *tr_request_text(const char *text);
ProtobufCBinaryData tr_request_bytes(const uint8_t *data, size_t size);
