/* What the requests of all headers share.
 *
 * Every request function sends one request and returns its number, or 0 if it could not be made
 * (client.h). Strings passed in may be NULL for empty and are copied; strings and arrays received
 * are valid as long as the reply, state or event that holds them.
 *
 * Requests that take a tr_client_at are commands: they change a world. Commands are refused with
 * TR_NOT_FOUND when the world or the entity does not exist, TR_PERMISSION_DENIED when the role may
 * not send them or the entity belongs to another account, TR_INVALID_ARGUMENT when a field is out
 * of range, TR_OUT_OF_RANGE when the tick has passed or is too far ahead, and TR_ABORTED when a
 * reset, a restore or the end of the world came first. Each function lists its further statuses. */
#ifndef TROUPE_REQUEST_H
#define TROUPE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR_API __attribute__((visibility("default")))

typedef struct tr_client tr_client;

/* The world and the tick of a command; tick 0 means as soon as possible. The reply (kind APPLIED)
 * is sent when the command has applied. Names may stand instead of ids, so that a command needs no
 * other request before it. An unknown name: TR_NOT_FOUND, also from daemons that take ids alone. */
typedef struct tr_client_at {
    uint32_t world;
    int64_t tick;
    const char *world_name;  /* with world 0 */
    const char *entity_name; /* with the command's entity 0: a label, or the name of an object */
} tr_client_at;

/* The effect of a command. */
typedef struct tr_client_applied {
    int64_t tick;        /* when it applied; step: reached; reset, restore: returned to */
    uint32_t entity;     /* spawned */
    uint32_t order;      /* join: order number */
    uint32_t scenery;    /* add_scenery: its id */
    uint64_t hash;       /* step, snapshot, reset, restore: of the complete state at `tick` */
    const uint8_t *data; /* snapshot: [size] */
    size_t size;
    const char *moved_from; /* tr_client_hold_world: names the hold; else "" */
    bool paused;            /* tr_client_hold_world: the world was paused before */
} tr_client_applied;

/* Rows to list; NULL or empty texts do not filter. Every list uses prefix; skeleton is for clips,
 * skill and model are for controllers, running is for matches. */
typedef struct tr_client_query {
    const char *prefix, *skeleton, *skill, *model;
    uint32_t page_size;     /* 0: 100; at most 256 */
    const char *page_token; /* NULL: the first page */
    bool running;           /* only matches that have not ended */
} tr_client_query;

#endif
