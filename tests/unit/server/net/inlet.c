#include "cmocka_test.h"

#include "server/net/inlet.h"

#include <stdlib.h>
#include <string.h>

enum { FRAME_MAX_BYTES = 100 };

/* An inlet of a channel that only notes whether it may bring bytes. */
typedef struct fixture {
    tr_channel channel;
    uv_loop_t loop;
    tr_inlet inlet;
    bool reading, busy, waits;
    int frames_until_busy; /* 0: as many as come */
    tr_status read_status, broken;
    int frames, ended, failed, closed;
    size_t held;
    uint8_t last; /* byte of the frame that came last */
} fixture;

static bool takes(void *context) {
    return !((fixture *)context)->busy;
}

static void on_frame(void *context, const uint8_t *data, size_t size) {
    fixture *f = context;
    assert_true(size > 0);
    f->last = data[0];
    f->frames++;
    if (f->frames_until_busy > 0 && --f->frames_until_busy == 0)
        f->busy = true;
}

static void on_broken(void *context, tr_status status, const char *why) {
    fixture *f = context;
    assert_non_null(why);
    f->broken = status;
    tr_inlet_discard(&f->inlet);
}

static void on_waits(void *context, bool for_client, bool ended) {
    fixture *f = context;
    f->waits = for_client;
    f->ended += ended;
}

static void on_holds(void *context, size_t bytes) {
    ((fixture *)context)->held = bytes;
}

static void on_failed(void *context) {
    ((fixture *)context)->failed++;
}

static void on_closed(void *context) {
    ((fixture *)context)->closed++;
}

static tr_status note_reading(tr_channel *channel, bool on) {
    fixture *f = (fixture *)channel;
    f->reading = on;
    return f->read_status;
}

static const tr_channel_kind kind = {.name = "noted", .read = note_reading};

FIXTURE(set_up) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    tr_channel_init(&f->channel, &kind, NULL);
    tr_inlet_init(&f->inlet,
                  &(tr_inlet_def){.loop = &f->loop,
                                  .channel = &f->channel,
                                  .context = f,
                                  .takes = takes,
                                  .frame = on_frame,
                                  .broken = on_broken,
                                  .waits = on_waits,
                                  .holds = on_holds,
                                  .failed = on_failed,
                                  .closed = on_closed},
                  FRAME_MAX_BYTES);
    tr_inlet_begin(&f->inlet);
    assert_true(f->reading);
    *given = f;
}

FIXTURE(tear_down) {
    OWN_MEMORY fixture *f = *given;
    tr_inlet_close(&f->inlet);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(f->closed, 1);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    tr_inlet_deinit(&f->inlet);
}

/* `count` frames of one byte each, numbered from 1. */
static size_t put_frames(uint8_t *out, int count) {
    for (int i = 0; i < count; i++) {
        out[2 * i] = 1;
        out[2 * i + 1] = (uint8_t)(i + 1);
    }
    return 2 * (size_t)count;
}

TEST(test_frames_in_pieces) {
    fixture *f = *given;
    const uint8_t bytes[] = {2, 'a', 'b', 1, 'c'};
    tr_inlet_take(&f->inlet, bytes, 2);
    assert_int_equal(f->frames, 0);
    assert_true(f->waits);
    tr_inlet_take(&f->inlet, bytes + 2, 3);
    assert_int_equal(f->frames, 2);
    assert_int_equal(f->last, 'c');
    assert_int_equal(f->ended, 1);
    assert_false(f->waits);
}

TEST(test_frames_not_taken_are_kept_in_order) {
    fixture *f = *given;
    uint8_t bytes[20];
    size_t size = put_frames(bytes, 10);
    f->frames_until_busy = 3;
    tr_inlet_take(&f->inlet, bytes, size);
    assert_int_equal(f->last, 3);
    assert_false(f->reading);
    tr_inlet_resume(&f->inlet); /* it is still busy */
    assert_int_equal(f->frames, 3);
    f->busy = false;
    f->frames_until_busy = 2;
    tr_inlet_resume(&f->inlet);
    assert_int_equal(f->last, 5);
    assert_false(f->reading);
    f->busy = false;
    tr_inlet_resume(&f->inlet);
    assert_int_equal(f->frames, 10);
    assert_int_equal(f->last, 10);
    assert_true(f->reading);
}

/* A frame of a client that is not read holds up no other client. */
TEST(test_half_a_kept_frame_holds_up_no_client) {
    fixture *f = *given;
    const uint8_t bytes[] = {1, 'a', 3, 'b'};
    f->frames_until_busy = 1;
    tr_inlet_take(&f->inlet, bytes, sizeof bytes);
    assert_false(f->waits);
    f->busy = false;
    tr_inlet_resume(&f->inlet);
    assert_true(f->waits);
}

TEST(test_a_turn_of_the_loop_hands_over_a_limited_number) {
    enum { COUNT = 2 * TR_INLET_TURN_FRAMES_MAX + 10 };
    fixture *f = *given;
    uint8_t bytes[2 * COUNT];
    tr_inlet_take(&f->inlet, bytes, put_frames(bytes, COUNT));
    assert_int_equal(f->frames, TR_INLET_TURN_FRAMES_MAX);
    assert_false(f->reading);
    uv_run(&f->loop, UV_RUN_NOWAIT);
    assert_int_equal(f->frames, 2 * TR_INLET_TURN_FRAMES_MAX);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(f->frames, COUNT);
    assert_true(f->reading);
}

TEST(test_bytes_that_are_no_frames) {
    fixture *f = *given;
    const uint8_t long_frame[] = {1, 'a', FRAME_MAX_BYTES + 1, 'b', 1, 'c'};
    tr_inlet_take(&f->inlet, long_frame, sizeof long_frame);
    assert_int_equal(f->broken, TR_INVALID_ARGUMENT);
    assert_int_equal(f->frames, 1);
    tr_inlet_take(&f->inlet, long_frame, 2); /* thrown away */
    assert_int_equal(f->frames, 1);
    assert_true(f->reading);
}

TEST(test_the_limit_changes) {
    fixture *f = *given;
    uint8_t bytes[FRAME_MAX_BYTES + 2] = {FRAME_MAX_BYTES + 1};
    tr_inlet_set_limit(&f->inlet, FRAME_MAX_BYTES + 1);
    tr_inlet_take(&f->inlet, bytes, sizeof bytes);
    assert_int_equal(f->frames, 1);
}

/* What was kept goes with it. */
TEST(test_reading_continues_after_a_discard) {
    fixture *f = *given;
    uint8_t bytes[20];
    f->frames_until_busy = 1;
    tr_inlet_take(&f->inlet, bytes, put_frames(bytes, 10));
    assert_false(f->reading);
    tr_inlet_discard(&f->inlet);
    assert_true(f->reading);
    f->busy = false;
    tr_inlet_resume(&f->inlet);
    tr_inlet_take(&f->inlet, bytes, 2);
    assert_int_equal(f->frames, 1);
}

TEST(test_a_channel_that_breaks) {
    fixture *f = *given;
    const uint8_t bytes[] = {1, 'a', 1, 'b'};
    f->frames_until_busy = 1;
    f->read_status = TR_UNAVAILABLE;
    tr_inlet_take(&f->inlet, bytes, sizeof bytes);
    assert_int_equal(f->failed, 1);
}

TEST(test_answers_to_a_frame_count_until_it_is_handled) {
    fixture *f = *given;
    const uint8_t bytes[] = {60};
    uint8_t body[60] = {0};
    tr_inlet_take(&f->inlet, bytes, 1);
    tr_inlet_take(&f->inlet, body, 40);
    assert_in_range(f->held, 40, 60);
    tr_inlet_kept(&f->inlet, 1000);
    assert_in_range(f->held, 1040, 1060);
    tr_inlet_kept(&f->inlet, 0);
    f->busy = true;
    tr_inlet_take(&f->inlet, body + 40, 20);
    assert_in_range(f->held, 60, 80);
    f->busy = false;
    tr_inlet_resume(&f->inlet);
    assert_int_equal(f->frames, 1);
    assert_in_range(f->held, 0, 60); /* a small buffer is kept for the next frame */
}

TEST(test_a_dropped_inlet_holds_nothing) {
    fixture *f = *given;
    uint8_t bytes[41] = {60};
    tr_inlet_take(&f->inlet, bytes, sizeof bytes);
    assert_true(f->inlet.decoder.capacity > 0);
    tr_inlet_drop(&f->inlet);
    assert_int_equal(f->inlet.decoder.capacity, 0);
    tr_inlet_take(&f->inlet, bytes, sizeof bytes);
    assert_int_equal(f->inlet.decoder.capacity, 0);
}

TEST_FIXTURE(set_up, tear_down);
