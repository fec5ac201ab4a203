/* An outlet: the writing half of a session. Its memory is bounded, whatever the client does.
 *
 *   responses   in order, never dropped; a client that leaves TR_UNREAD_MAX bytes of them unread is
 *               cut off
 *   events      in order with the responses; past TR_OUTLET_EVENT_BYTES_MAX the oldest are dropped
 *               and counted
 *   states      not queued at all: when the channel has taken everything else, the outlet asks for
 *               the newest
 *
 * There is one write at a time, and the kernel's buffer is kept small (channel_tcp.h), so that at
 * most a few kilobytes wait before the newest state. For the loop's thread only. */
#pragma once

#include "proto/invariant.h"
#include "proto/limits.h"
#include "server/net/channel.h"
#include "server/net/frame_out.h"

#include <stdbool.h>
#include <uv.h>

enum {
    TR_OUTLET_EVENT_BYTES_MAX = 256 << 10,     /* share of TR_UNREAD_MAX that events may take */
    TR_OUTLET_PAUSE_BYTES = 256 << 10,         /* the session stops reading requests above this */
    TR_OUTLET_BATCH_MAX = TR_CHANNEL_BATCH_MAX /* packets of one write */
};

/* A state ready to be written: see frame_out.h. */
typedef struct tr_outlet_state {
    tr_packet *packet; /* the outlet takes it */
    tr_state_frame frame;
} tr_outlet_state;

typedef struct tr_outlet_def {
    tr_channel *channel;
    void *context;
    bool (*next_state)(void *context, tr_outlet_state *out); /* false: none */
    void (*drained)(void *context);                          /* everything has been written */
    void (*dropped)(void *context, uint32_t world, int events);
    void (*holds)(void *context, size_t bytes); /* the callee may close the outlet */
    void (*failed)(void *context);              /* the connection is broken */
} tr_outlet_def;

typedef struct tr_outlet_node tr_outlet_node;

typedef struct tr_outlet {
    tr_outlet_def def;
    tr_outlet_node *first, **end;
    size_t bytes, event_bytes; /* queued, not yet handed to the channel */
    size_t batch_bytes;        /* responses and events handed to the channel and not yet written */
    bool writing, closed;
    int batch_count;
    tr_packet *batch[TR_OUTLET_BATCH_MAX]; /* being written */
    tr_state_frame frame;                  /* of a state being written */
} tr_outlet;

void tr_outlet_must_hold(const tr_outlet *outlet, tr_invariant *broken); /* between calls */

void tr_outlet_init(tr_outlet *outlet, const tr_outlet_def *def);

/* Queues a frame and takes it. TR_RESOURCE_EXHAUSTED: the client does not read; the packet is
 * released, and the session should be cut off. */
tr_status tr_outlet_send(tr_outlet *outlet, tr_packet *packet) TR_NODISCARD;

/* Queues a frame of `count` events of a world and shares it. */
void tr_outlet_send_events(tr_outlet *outlet, tr_packet *packet, uint32_t world, int count);

/* Writes if it can. Call when a new state may exist: tr_subscriber_kind.state for a tr_outlet. */
void tr_outlet_pump(void *outlet);

/* The channel has taken the batch that was being written. */
void tr_outlet_written(tr_outlet *outlet);

/* Ends writing and releases the queue. A write in progress ends with the channel. */
void tr_outlet_close(tr_outlet *outlet);

/* Call after the channel has closed. */
void tr_outlet_deinit(tr_outlet *outlet);

bool tr_outlet_is_idle(const tr_outlet *outlet);
