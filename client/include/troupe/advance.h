/* Orders for many characters, a step, and the state after it in one request. */
#ifndef TROUPE_ADVANCE_H
#define TROUPE_ADVANCE_H

#include "troupe/character.h"
#include "troupe/object.h"
#include "troupe/state.h"
#include "troupe/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* The result of an advance. Orders are counted in parts: each member given in a tr_client_order is
 * one. */
typedef struct tr_client_advanced {
    int64_t tick;
    int refused_count;           /* parts that were refused when they should have applied */
    int refused_part;            /* index of the first, counted from 0 over all orders */
    tr_status refused_status;    /* its status */
    const char *refused_message; /* "" if none was */
    tr_client_state state;
} tr_client_advanced;

/* Commands for one character: the members that are set, in this order. The entities in `steer` and
 * `push` are ignored. */
typedef struct tr_client_order {
    uint32_t entity;
    const char *controller; /* NULL: the one it has; "": none */
    bool choose;            /* choose the next fragment */
    uint32_t fragment;
    bool mirrored;
    const double *offset; /* [offset_size], rad; NULL: unchanged */
    size_t offset_size;
    const tr_client_steer_def *steer; /* NULL: unchanged */
    const tr_client_push_def *push;   /* NULL: none; may push an object */
} tr_client_order;

typedef struct tr_client_advance_def {
    uint32_t ticks; /* 0: 1 */
    tr_client_fields fields;
    int order_count; /* at most 256 orders, and at most 256 parts in all */
    const tr_client_order *orders;
} tr_client_advance_def;

/* Sends orders, a step and a request for the state after it in one request, for a stepped world:
 * one round trip for each step of a learner (reply ADVANCED). */
TR_API uint64_t tr_client_advance(tr_client *client, uint32_t world,
                                  const tr_client_advance_def *def);

#if defined(__cplusplus)
}
#endif

#endif
