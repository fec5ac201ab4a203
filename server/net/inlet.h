/* An inlet: the reading half of a session. It makes frames of the channel's bytes and hands them over
 * one by one, as long as the session takes them.
 *
 *     bytes --> tr_inlet_take --> decoder --> frame --> the session's dispatch
 *                    |                ^
 *                    v  not now       | tr_inlet_go_on
 *                 backlog ------------+
 *
 * While the session takes none nothing is read, so a client cannot make work faster than it is done:
 * what was read already is kept, and the rest stays with the peer. At most TR_INLET_TURN_FRAMES_MAX
 * frames are handed over in one turn of the loop: the other sessions want their states meanwhile.
 * The loop's thread alone. */
#ifndef TROUPE_SERVER_INLET_H
#define TROUPE_SERVER_INLET_H

#include "proto/frame.h"
#include "server/net/channel.h"

#include <stdbool.h>
#include <uv.h>

enum { TR_INLET_TURN_FRAMES_MAX = 64 };

typedef struct tr_inlet_def {
    uv_loop_t *loop;
    tr_channel *channel;
    void *context;
    bool (*takes)(void *context); /* another frame now? */
    void (*frame)(void *context, const uint8_t *data, size_t size);
    /* The bytes are no frames, or memory is short: no more of them is to be taken. `why` lives
     * during the call. */
    void (*broken)(void *context, tr_status status, const char *why);
    /* Whether a frame is coming in and it is the client that is waited for; `ended`: one has come in
     * whole since it was told last. */
    void (*waits)(void *context, bool for_client, bool ended);
    void (*holds)(void *context, size_t bytes); /* how much it holds now; may drop it */
    void (*failed)(void *context);              /* the channel is broken */
    void (*closed)(void *context);              /* after tr_inlet_close: the last call */
} tr_inlet_def;

typedef struct tr_inlet {
    tr_inlet_def def;
    tr_frame_decoder decoder;
    bool reading, taking, discarding;
    uint8_t *backlog; /* [backlog_size]: read, not yet handed over */
    size_t backlog_size;
    size_t kept_below; /* by the channel, of what came */
    uv_idle_t turn;    /* runs when there is more to hand over in the next turn of the loop */
    uint64_t turn_ms;
    int turn_frames;
} tr_inlet;

/* `frame_max`: bytes of a frame. Nothing is read before tr_inlet_begin. */
void tr_inlet_init(tr_inlet *inlet, const tr_inlet_def *def, size_t frame_max);

/* Of the frames that come from now on. */
void tr_inlet_set_limit(tr_inlet *inlet, size_t frame_max);

/* The channel may bring bytes. */
void tr_inlet_begin(tr_inlet *inlet);

/* Bytes came from the channel, and how much it keeps of what came: tr_channel_listener.bytes and
 * .kept, for a tr_inlet. */
void tr_inlet_take(void *inlet, const uint8_t *bytes, size_t size);
void tr_inlet_kept(void *inlet, size_t size);

/* The session may take frames again: first those that were read already. */
void tr_inlet_go_on(tr_inlet *inlet);

/* No more frames: frees what has come. Calls nobody. */
void tr_inlet_drop(tr_inlet *inlet);

/* The same, and what still comes is read and thrown away, so that what was written is not lost to
 * a reset. */
void tr_inlet_discard(tr_inlet *inlet);

void tr_inlet_close(tr_inlet *inlet);  /* once; the channel is not used any more */
void tr_inlet_deinit(tr_inlet *inlet); /* after `closed` */

#endif
