/* An inlet: the reading half of a session. It cuts the channel's bytes into frames and hands them
 * over one by one, as long as the session takes them.
 *
 *     bytes --> tr_inlet_take --> decoder --> frame --> the session's dispatch
 *                    |                ^
 *                    v  not now       | tr_inlet_resume
 *                 backlog ------------+
 *
 * While the session takes no frames, nothing is read: bytes already read are kept, and the rest
 * stays with the peer. So a client cannot send work faster than it is done. At most
 * TR_INLET_TURN_FRAMES_MAX frames are handed over in one turn of the loop, so that other sessions
 * get their states. For the loop's thread only. */
#pragma once

#include "proto/frame.h"
#include "proto/invariant.h"
#include "server/net/channel.h"

#include <stdbool.h>
#include <uv.h>

enum { TR_INLET_TURN_FRAMES_MAX = 64 };

typedef struct tr_inlet_def {
    uv_loop_t *loop;
    tr_channel *channel;
    void *context;
    bool (*takes)(void *context); /* whether it takes another frame now */
    void (*frame)(void *context, const uint8_t *data, size_t size);
    /* The bytes are not frames, or memory ran out: take no more of them. `why` is valid during the
     * call. */
    void (*broken)(void *context, tr_status status, const char *why);
    /* for_client: a frame has begun to arrive and the client must send its rest; `ended`: a whole
     * frame has arrived since the last call. */
    void (*waits)(void *context, bool for_client, bool ended);
    void (*holds)(void *context, size_t bytes); /* the callee may drop the inlet */
    void (*failed)(void *context);              /* the channel is broken */
    void (*closed)(void *context);              /* after tr_inlet_close: the last call */
} tr_inlet_def;

typedef struct tr_inlet {
    tr_inlet_def def;
    tr_frame_decoder decoder;
    bool reading, taking, discarding;
    uint8_t *backlog; /* [backlog_size]: read, not yet handed over */
    size_t backlog_size;
    size_t kept_below; /* bytes that the channel keeps */
    uv_idle_t turn;    /* runs when frames remain for the next turn of the loop */
    uint64_t turn_ms;
    int turn_frames;
} tr_inlet;

void tr_inlet_must_hold(const tr_inlet *inlet, tr_invariant *broken);

/* `frame_max`: largest frame, bytes. Nothing is read before tr_inlet_begin. */
void tr_inlet_init(tr_inlet *inlet, const tr_inlet_def *def, size_t frame_max);

/* Sets the limit for the frames that follow. */
void tr_inlet_set_limit(tr_inlet *inlet, size_t frame_max);

/* Starts reading from the channel. */
void tr_inlet_begin(tr_inlet *inlet);

/* The channel reports bytes that arrived, and how many it keeps: tr_channel_listener.bytes and
 * .kept for a tr_inlet. */
void tr_inlet_take(void *inlet, const uint8_t *bytes, size_t size);
void tr_inlet_kept(void *inlet, size_t size);

/* The session may take frames again: first those already read. */
void tr_inlet_resume(tr_inlet *inlet);

/* Ends the frames and frees the bytes that have arrived. Makes no callback. */
void tr_inlet_drop(tr_inlet *inlet);

/* The same, but reads and drops the bytes that still arrive, so that a reset does not lose what was
 * written. */
void tr_inlet_discard(tr_inlet *inlet);

void tr_inlet_close(tr_inlet *inlet);  /* call once; the channel is not used afterwards */
void tr_inlet_deinit(tr_inlet *inlet); /* after `closed` */
