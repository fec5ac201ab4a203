/* The publisher: a part of a world loop that notes which states are due, so that each is encoded
 * once for all sessions that want it.
 *
 * Subscriptions with the same rate and the same fields form a class. The event loop assigns classes
 * to slots and hands the table to the world's thread, which notes after each step which classes are
 * due and encodes the newest state for them. `sequence` counts the states due in a class, encoded
 * or replaced by newer ones: a gap tells a session how many it missed. */
#pragma once

#include "proto/limits.h"
#include "server/world/world_part.h"

enum { TR_STATE_CLASS_MAX = TR_SUBSCRIPTION_KINDS_MAX };

typedef struct tr_state_class {
    uint32_t generation;  /* changes when the slot is reused; 0: unused */
    uint32_t refresh;     /* changes for a new subscriber: it needs a state */
    uint32_t every_ticks; /* 0: only for new subscribers */
    uint32_t fields;
} tr_state_class;

/* An encoded state on its way: the bytes of a WorldState. */
typedef struct tr_state_post {
    tr_packet *packet; /* NULL: none */
    uint32_t generation;
    uint64_t sequence;
} tr_state_post;

/* Which events: all, or those alone that one needs who steps the world itself. */
enum { TR_EVENTS_ALL, TR_EVENTS_INPUTS, TR_EVENT_STREAMS };

/* New events on their way: frames with an EventBatch each, and the number of events lost before. */
typedef struct tr_event_post {
    tr_packet *packet[2]; /* NULL: none */
    int count[2];
    int64_t dropped;
} tr_event_post;

/* The world thread's half. */
typedef struct tr_publisher {
    tr_world_part part; /* first */
    struct {
        tr_state_class class;
        uint64_t sequence;
    } slot[TR_STATE_CLASS_MAX];
    uint32_t owed; /* bit i: a state of slot i is due */
} tr_publisher;

/* Creates a publisher without classes for tr_world_loop_add_part; it frees it, and
 * else free() does. NULL: no memory. */
tr_publisher *tr_publisher_create(void);

/* Does a class want this bit of StateField? */
bool tr_publisher_wants(const tr_publisher *publisher, uint32_t field);

/* Copies the event loop's table: [TR_STATE_CLASS_MAX]. */
void tr_publisher_assign(tr_publisher *publisher, const tr_state_class *classes);
