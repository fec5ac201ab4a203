#include "cmocka_test.h"

#include "server/net/outlet.h"

#include <signal.h>

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* An outlet whose channel is one end of a socket pair; the test reads the other. */
typedef struct fixture {
    tr_channel channel;
    uv_loop_t loop;
    uv_pipe_t pipe;
    uv_write_t write;
    int peer;
    tr_outlet outlet;
    size_t held;
    int drained, failed, dropped;
    uint32_t dropped_world;
    tr_packet *state; /* the newest, or NULL */
} fixture;

static bool next_state(void *context, tr_outlet_state *out) {
    fixture *f = context;
    if (!f->state)
        return false;
    out->packet = f->state;
    out->frame = tr_state_frame_around(f->state, 3);
    f->state = NULL;
    return true;
}

static void on_drained(void *context) {
    ((fixture *)context)->drained++;
}

static void on_dropped(void *context, uint32_t world, int events) {
    ((fixture *)context)->dropped += events;
    ((fixture *)context)->dropped_world = world;
}

static void on_holds(void *context, size_t bytes) {
    ((fixture *)context)->held = bytes;
}

static void on_failed(void *context) {
    fixture *f = context;
    f->failed++;
    tr_outlet_close(&f->outlet);
}

static void on_pipe_written(uv_write_t *request, int status) {
    tr_channel *channel = request->data;
    if (channel->closing)
        return;
    if (status == 0)
        channel->listener->written(channel->context);
    else
        channel->listener->ended(channel->context);
}

static tr_status pipe_write(tr_channel *channel, const uv_buf_t *buffers, int count) {
    fixture *f = (fixture *)channel;
    int status =
        uv_write(&f->write, (uv_stream_t *)&f->pipe, buffers, (unsigned)count, on_pipe_written);
    return status == 0 ? TR_OK : TR_UNAVAILABLE;
}

static void pipe_close(tr_channel *channel) {
    uv_close((uv_handle_t *)&((fixture *)channel)->pipe, NULL);
}

static void on_written(void *context) {
    tr_outlet_written(&((fixture *)context)->outlet);
}

static const tr_channel_kind pipe_kind = {.name = "pipe", .write = pipe_write, .close = pipe_close};
static const tr_channel_listener listener = {.written = on_written, .ended = on_failed};

static tr_packet *packet(size_t size, uint8_t fill) {
    tr_packet *out = tr_packet_create(size);
    assert_non_null(out);
    memset(out->bytes, fill, size);
    return out;
}

FIXTURE(set_up) {
    static fixture f;
    int ends[2], room = 16384;
    memset(&f, 0, sizeof f);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    assert_int_equal(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room), 0);
    assert_int_equal(uv_loop_init(&f.loop), 0);
    assert_int_equal(uv_pipe_init(&f.loop, &f.pipe, 0), 0);
    assert_int_equal(uv_pipe_open(&f.pipe, ends[0]), 0);
    f.peer = ends[1];
    tr_channel_init(&f.channel, &pipe_kind, NULL);
    tr_channel_listen(&f.channel, &listener, &f, &f);
    f.write.data = &f.channel;
    tr_outlet_init(&f.outlet, &(tr_outlet_def){.channel = &f.channel,
                                               .context = &f,
                                               .next_state = next_state,
                                               .drained = on_drained,
                                               .dropped = on_dropped,
                                               .holds = on_holds,
                                               .failed = on_failed});
    *given = &f;
}

FIXTURE(tear_down) {
    fixture *f = *given;
    tr_outlet_close(&f->outlet);
    tr_channel_close(&f->channel);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    tr_outlet_deinit(&f->outlet);
    tr_packet_release(f->state);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    if (f->peer >= 0)
        close(f->peer);
}

/* Reads the waiting bytes, up to `size`. */
static size_t drain(fixture *f, uint8_t *out, size_t size) {
    size_t got = 0;
    for (int idle = 0; idle < 3 && got < size;) {
        uv_run(&f->loop, UV_RUN_NOWAIT);
        ssize_t n = read(f->peer, out + got, size - got);
        idle = n > 0 ? 0 : idle + 1;
        got += n > 0 ? (size_t)n : 0;
    }
    return got;
}

TEST(test_responses_keep_their_order) {
    fixture *f = *given;
    static uint8_t got[600000];
    for (int i = 0; i < 100; i++)
        assert_int_equal(tr_outlet_send(&f->outlet, packet(5000, (uint8_t)i)), TR_OK);
    assert_int_equal(drain(f, got, sizeof got), 100 * 5000);
    for (int i = 0; i < 100 * 5000; i++)
        assert_int_equal(got[i], i / 5000);
    assert_true(f->drained > 0);
    assert_true(tr_outlet_is_idle(&f->outlet));
    assert_int_equal(f->outlet.bytes, 0);
    assert_int_equal(f->held, 0);
}

TEST(test_the_newest_state_goes_when_the_rest_is_written) {
    fixture *f = *given;
    static uint8_t got[300000];
    assert_int_equal(tr_outlet_send(&f->outlet, packet(200000, 1)), TR_OK);
    for (int i = 0; i < 10; i++) { /* overtaken before the socket has room */
        tr_packet_release(f->state);
        f->state = packet(1000, (uint8_t)(50 + i));
        tr_outlet_pump(&f->outlet);
    }
    size_t size = drain(f, got, sizeof got);
    tr_packet *like = packet(1000, 59);
    tr_state_frame frame = tr_state_frame_around(like, 3);
    tr_packet_release(like);
    assert_int_equal(size, 200000 + frame.head_size + 1000 + frame.tail_size);
    assert_memory_equal(got + 200000, frame.head, frame.head_size);
    assert_int_equal(got[200000 + frame.head_size], 59);
    assert_memory_equal(got + size - frame.tail_size, frame.tail, frame.tail_size);
}

TEST(test_a_client_that_does_not_read_is_cut_off) {
    fixture *f = *given;
    tr_status status = TR_OK;
    int sent = 0;
    while (sent < 1000 && !(status = tr_outlet_send(&f->outlet, packet(1 << 20, 1))))
        sent++;
    assert_int_equal(status, TR_RESOURCE_EXHAUSTED);
    assert_in_range(sent, 8, 10);
    assert_true(f->outlet.bytes <= TR_UNREAD_MAX);
}

/* Bytes that are being written count as held, like waiting ones. */
TEST(test_everything_unwritten_is_held) {
    fixture *f = *given;
    static uint8_t got[600000];
    assert_int_equal(tr_outlet_send(&f->outlet, packet(300000, 1)), TR_OK);
    assert_int_equal(f->held, 300000);
    assert_int_equal(tr_outlet_send(&f->outlet, packet(200000, 1)), TR_OK);
    assert_int_equal(f->held, 500000);
    assert_int_equal(drain(f, got, sizeof got), 500000);
    assert_int_equal(f->held, 0);
}

TEST(test_the_oldest_events_are_dropped_and_counted) {
    fixture *f = *given;
    static uint8_t got[1000000];
    assert_int_equal(tr_outlet_send(&f->outlet, packet(100000, 9)), TR_OK); /* blocks the socket */
    for (int i = 0; i < 100; i++) {
        tr_packet *events = packet(10000, (uint8_t)(100 + i));
        tr_outlet_send_events(&f->outlet, events, 257, 7);
        tr_packet_release(events);
        assert_true(f->outlet.event_bytes <= TR_OUTLET_EVENT_BYTES_MAX);
    }
    int kept = TR_OUTLET_EVENT_BYTES_MAX / 10000;
    assert_int_equal(f->dropped, 7 * (100 - kept));
    assert_int_equal(f->dropped_world, 257);
    size_t size = drain(f, got, sizeof got);
    assert_int_equal(size, 100000 + (size_t)kept * 10000);
    assert_int_equal(got[100000], 200 - kept);
    assert_int_equal(got[size - 1], 199);
}

TEST(test_a_broken_connection_is_reported_once) {
    fixture *f = *given;
    close(f->peer);
    f->peer = -1;
    for (int i = 0; i < 3; i++) {
        (void)!tr_outlet_send(&f->outlet, packet(100, 1));
        uv_run(&f->loop, UV_RUN_NOWAIT);
    }
    assert_int_equal(f->failed, 1);
}

TEST(test_each_contradiction_is_noticed) {
    fixture *f = *given;
    assert_int_equal(tr_outlet_send(&f->outlet, packet(100000, 9)), TR_OK); /* blocks the socket */
    assert_int_equal(tr_outlet_send(&f->outlet, packet(100, 9)), TR_OK);
    for (int which = 0; which <= 4; which++) {
        tr_invariant broken = {0};
        tr_outlet wrong = f->outlet;
        wrong.event_bytes = which == 1 ? wrong.bytes + 1 : wrong.event_bytes;
        wrong.writing = which != 2;
        wrong.closed = which == 3;
        wrong.first = which == 4 ? NULL : wrong.first;
        tr_outlet_must_hold(&wrong, &broken);
        assert_int_equal(broken.what != NULL, which > 0);
    }
}

BEFORE_ALL() {
    signal(SIGPIPE, SIG_IGN);
}

TEST_FIXTURE(set_up, tear_down);
