#include "server/net/inlet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tr_inlet_init(tr_inlet *inlet, const tr_inlet_def *def, size_t frame_max) {
    *inlet = (tr_inlet){.def = *def};
    tr_frame_decoder_init(&inlet->decoder, frame_max);
    uv_idle_init(def->loop, &inlet->turn);
    inlet->turn.data = inlet;
}

void tr_inlet_set_limit(tr_inlet *inlet, size_t frame_max) {
    tr_frame_decoder_set_limit(&inlet->decoder, frame_max);
}

/* --- frames --- */

static bool has_turn(const tr_inlet *inlet) {
    return inlet->turn_frames < TR_INLET_TURN_FRAMES_MAX;
}

static bool may_hand_over(const tr_inlet *inlet) {
    return has_turn(inlet) && inlet->def.takes(inlet->def.context);
}

static void tell_waiting(const tr_inlet *inlet, bool ended) {
    bool for_client = tr_frame_decoder_in_progress(&inlet->decoder) && inlet->reading;
    inlet->def.waits(inlet->def.context, for_client, ended);
}

static void tell_held(tr_inlet *inlet) {
    inlet->def.holds(inlet->def.context,
                     inlet->decoder.capacity + inlet->backlog_size + inlet->kept_below);
}

static void tell_broken(tr_inlet *inlet, tr_status status) {
    char why[128];
    if (status == TR_OUT_OF_RANGE)
        snprintf(why, sizeof why, "a frame of %llu bytes: expected at most %zu",
                 (unsigned long long)inlet->decoder.length, inlet->decoder.limit);
    else
        snprintf(why, sizeof why, "%s",
                 status == TR_INVALID_ARGUMENT ? "a length prefix is malformed" : "out of memory");
    inlet->def.broken(inlet->def.context,
                      status == TR_RESOURCE_EXHAUSTED ? status : TR_INVALID_ARGUMENT, why);
}

/* --- bytes that may not be handed over yet --- */

static void stop_reading(tr_inlet *inlet) {
    bool failed = inlet->reading && tr_channel_read(inlet->def.channel, false);
    inlet->reading = false;
    if (failed)
        inlet->def.failed(inlet->def.context);
}

static void on_turn(uv_idle_t *turn) {
    tr_inlet *inlet = turn->data;
    uv_idle_stop(turn);
    inlet->turn_frames = 0;
    tr_inlet_resume(inlet);
}

/* Keeps the bytes, and stops reading meanwhile. */
static void keep_rest(tr_inlet *inlet, const uint8_t *bytes, size_t size) {
    stop_reading(inlet);
    if (!has_turn(inlet) && !inlet->discarding)
        uv_idle_start(&inlet->turn, on_turn);
    if (size == 0)
        return;
    inlet->backlog = malloc(size);
    if (!inlet->backlog) {
        tell_broken(inlet, TR_RESOURCE_EXHAUSTED);
        return;
    }
    memcpy(inlet->backlog, bytes, size);
    inlet->backlog_size = size;
}

static void start_reading(tr_inlet *inlet) {
    if (inlet->reading)
        return;
    inlet->reading = true;
    if (tr_channel_read(inlet->def.channel, true))
        inlet->def.failed(inlet->def.context);
}

static void free_input(tr_inlet *inlet) {
    tr_frame_decoder_deinit(&inlet->decoder);
    free(inlet->backlog);
    inlet->backlog = NULL;
    inlet->backlog_size = 0;
}

/* Counts frames per turn of the loop. */
static void note_turn(tr_inlet *inlet) {
    uint64_t now_ms = uv_now(inlet->def.loop);
    if (now_ms != inlet->turn_ms)
        inlet->turn_frames = 0;
    inlet->turn_ms = now_ms;
}

/* --- the interface --- */

void tr_inlet_begin(tr_inlet *inlet) {
    start_reading(inlet);
}

void tr_inlet_take(void *context, const uint8_t *bytes, size_t size) {
    tr_inlet *inlet = context;
    tr_status status = TR_OK;
    bool ended = false;
    if (inlet->discarding)
        return;
    note_turn(inlet);
    inlet->taking = true;
    while (size > 0 && may_hand_over(inlet)) {
        tr_frame_view frame;
        status = tr_frame_decoder_take(&inlet->decoder, &bytes, &size, &frame);
        if (status || !frame.data)
            break;
        ended = true;
        inlet->turn_frames++;
        inlet->def.frame(inlet->def.context, frame.data, frame.size);
    }
    if (status)
        tell_broken(inlet, status);
    else
        tell_waiting(inlet, ended);
    if (!inlet->discarding && !may_hand_over(inlet))
        keep_rest(inlet, bytes, size);
    inlet->taking = false;
    if (inlet->discarding)
        free_input(inlet);
    else
        tr_frame_decoder_recall(&inlet->decoder);
    tell_held(inlet);
}

void tr_inlet_resume(tr_inlet *inlet) {
    if (inlet->taking || inlet->discarding || !may_hand_over(inlet))
        return;
    uint8_t *backlog = inlet->backlog;
    size_t size = inlet->backlog_size;
    inlet->backlog = NULL;
    inlet->backlog_size = 0;
    if (size > 0)
        tr_inlet_take(inlet, backlog, size);
    free(backlog);
    if (!inlet->discarding && may_hand_over(inlet)) {
        start_reading(inlet);
        tell_waiting(inlet, false);
    }
}

void tr_inlet_kept(void *context, size_t size) {
    tr_inlet *inlet = context;
    inlet->kept_below = size;
    if (!inlet->discarding)
        tell_held(inlet);
}

void tr_inlet_drop(tr_inlet *inlet) {
    inlet->discarding = true;
    if (!inlet->taking) /* otherwise one of its frames may be in use */
        free_input(inlet);
}

void tr_inlet_discard(tr_inlet *inlet) {
    tr_inlet_drop(inlet);
    start_reading(inlet);
}

static void on_turn_closed(uv_handle_t *handle) {
    const tr_inlet *inlet = handle->data;
    inlet->def.closed(inlet->def.context);
}

void tr_inlet_close(tr_inlet *inlet) {
    inlet->discarding = true;
    uv_close((uv_handle_t *)&inlet->turn, on_turn_closed);
}

void tr_inlet_deinit(tr_inlet *inlet) {
    free_input(inlet);
}

void tr_inlet_must_hold(const tr_inlet *inlet, tr_invariant *broken) {
    TR_MUST_BE(broken, inlet->backlog != NULL, ==, inlet->backlog_size > 0);
    TR_MUST_BE(broken, inlet->turn_frames, <=, TR_INLET_TURN_FRAMES_MAX);
    TR_MUST(broken, !inlet->reading || !inlet->backlog);
}
