#include "bench/crowd.h"

#include "bench/hosted.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    WATCHER_MAX = 16384,
    WORLD_MAX = 64,
    BUFFER_SIZE = 1 << 18,
    READY_MAX = 512,
    /* Latencies are counted in buckets of 10 us up to a second. */
    BUCKET_COUNT = 100000
};
#define BUCKET_S 10e-6

/* A connection, and the frame that is coming in. */
typedef struct watcher {
    int socket, world;
    bool closed;
    uint8_t *frame; /* what has come of it */
    size_t size;
    uint64_t dropped; /* as of the last state */
} watcher;

/* When tick 0 of a world would have been read at the earliest. */
typedef struct world_clock {
    uint32_t id;
    double origin_s;
} world_clock;

struct tr_bench_crowd {
    int epoll, port, count, world_count, closed;
    double step_s;
    watcher watcher[WATCHER_MAX];
    world_clock world[WORLD_MAX];
    bool counting;
    long states, dropped, bytes, bucket[BUCKET_COUNT];
    double max_s;
    uint8_t buffer[BUFFER_SIZE];
};

tr_bench_crowd *tr_bench_crowd_create(int port, double step_s) {
    tr_bench_crowd *crowd = calloc(1, sizeof *crowd);
    if (!crowd)
        tr_bench_give_up("out of memory");
    crowd->port = port;
    crowd->step_s = step_s;
    crowd->epoll = epoll_create1(EPOLL_CLOEXEC);
    return crowd;
}

static int find_world(tr_bench_crowd *crowd, uint32_t id) {
    for (int i = 0; i < crowd->world_count; i++)
        if (crowd->world[i].id == id)
            return i;
    if (crowd->world_count == WORLD_MAX)
        tr_bench_give_up("too many worlds");
    crowd->world[crowd->world_count] = (world_clock){id, (double)INFINITY};
    return crowd->world_count++;
}

void tr_bench_crowd_add(tr_bench_crowd *crowd, const tr_bench_watch *watch) {
    if (crowd->count == WATCHER_MAX)
        tr_bench_give_up("too many subscribers");
    watcher *w = &crowd->watcher[crowd->count];
    *w = (watcher){.socket = tr_bench_connect(watch->port ? watch->port : crowd->port),
                   .world = find_world(crowd, watch->world)};
    Troupe__Subscribe subscribe = TROUPE__SUBSCRIBE__INIT;
    subscribe.world = watch->world;
    subscribe.rate_hz = watch->rate_hz;
    subscribe.fields = watch->fields;
    Troupe__ClientMessage request = TROUPE__CLIENT_MESSAGE__INIT;
    request.request_id = 2;
    request.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_SUBSCRIBE;
    request.subscribe = &subscribe;
    tr_bench_send(w->socket, &request);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)crowd->count++};
    fcntl(w->socket, F_SETFL, O_NONBLOCK);
    if (epoll_ctl(crowd->epoll, EPOLL_CTL_ADD, w->socket, &event) != 0)
        tr_bench_give_up("epoll: %s", strerror(errno));
}

/* --- a frame --- */

/* Reads a varint; 0 bytes: it does not end here. */
static size_t varint(const uint8_t *data, size_t size, uint64_t *out) {
    *out = 0;
    for (size_t i = 0; i < size && i < 10; i++) {
        *out |= (uint64_t)(data[i] & 0x7f) << (7 * i);
        if (data[i] < 0x80)
            return i + 1;
    }
    return 0;
}

/* Tick and dropped_states of a WorldState, passing over all the rest. */
static bool look_into(const uint8_t *data, size_t size, uint64_t *tick, uint64_t *dropped) {
    enum { TICK = 3, DROPPED = 9, VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };
    for (size_t at = 0; at < size;) {
        uint64_t key = 0, value = 0;
        size_t n = varint(data + at, size - at, &key);
        at += n;
        if (n == 0)
            return false;
        if ((key & 7) == FIXED64 || (key & 7) == FIXED32) {
            at += (key & 7) == FIXED64 ? 8 : 4;
            continue;
        }
        n = varint(data + at, size - at, &value);
        if (n == 0 || ((key & 7) != VARINT && (key & 7) != BYTES))
            return false;
        at += n + ((key & 7) == BYTES ? (size_t)value : 0);
        if (key == (TICK << 3 | VARINT))
            *tick = value;
        if (key == (DROPPED << 3 | VARINT))
            *dropped = value;
    }
    return true;
}

static void count_state(tr_bench_crowd *crowd, watcher *w, uint64_t tick, uint64_t dropped,
                        size_t size) {
    world_clock *clock = &crowd->world[w->world];
    double origin_s = tr_bench_clock_s() - (double)tick * crowd->step_s;
    if (origin_s < clock->origin_s)
        clock->origin_s = origin_s;
    double latency_s = origin_s - clock->origin_s;
    int bucket = (int)(latency_s / BUCKET_S);
    if (crowd->counting) {
        crowd->states++;
        crowd->bytes += (long)size;
        crowd->dropped += (long)(dropped - w->dropped);
        crowd->bucket[bucket < BUCKET_COUNT ? bucket : BUCKET_COUNT - 1]++;
        crowd->max_s = fmax(crowd->max_s, latency_s);
    }
    w->dropped = dropped;
}

/* Takes a whole frame without its prefix: counts states and skips the rest. */
static void take_frame(tr_bench_crowd *crowd, watcher *w, const uint8_t *data, size_t size) {
    enum { STATE_KEY = 2 << 3 | 2 };
    uint64_t length = 0, tick = 0, dropped = 0;
    if (size == 0 || data[0] != STATE_KEY)
        return;
    size_t n = varint(data + 1, size - 1, &length);
    if (n == 0 || !look_into(data + 1 + n, size - 1 - n, &tick, &dropped))
        tr_bench_give_up("the daemon sent nonsense");
    count_state(crowd, w, tick, dropped, size);
}

/* --- reading --- */

/* Takes the whole frames at the front; returns the bytes that they took. */
static size_t take_frames(tr_bench_crowd *crowd, watcher *w, const uint8_t *data, size_t size) {
    size_t at = 0;
    for (;;) {
        uint64_t length = 0;
        size_t n = varint(data + at, size - at, &length);
        if (n == 0 || size - at - n < length)
            return at;
        take_frame(crowd, w, data + at + n, (size_t)length);
        at += n + (size_t)length;
    }
}

static void keep_rest(watcher *w, const uint8_t *data, size_t size) {
    free(w->frame);
    w->frame = NULL;
    w->size = size;
    if (size == 0)
        return;
    w->frame = malloc(size);
    if (!w->frame)
        tr_bench_give_up("out of memory");
    memcpy(w->frame, data, size);
}

static void read_one(tr_bench_crowd *crowd, watcher *w) {
    size_t kept = w->size;
    if (kept > 0)
        memcpy(crowd->buffer, w->frame, kept);
    ssize_t n = recv(w->socket, crowd->buffer + kept, BUFFER_SIZE - kept, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        w->closed = true;
        crowd->closed++;
        epoll_ctl(crowd->epoll, EPOLL_CTL_DEL, w->socket, NULL);
        return;
    }
    size_t size = kept + (size_t)n;
    size_t taken = take_frames(crowd, w, crowd->buffer, size);
    keep_rest(w, crowd->buffer + taken, size - taken);
}

void tr_bench_crowd_read(tr_bench_crowd *crowd, double seconds) {
    struct epoll_event ready[READY_MAX];
    double end_s = tr_bench_clock_s() + seconds;
    crowd->counting = true;
    crowd->states = crowd->dropped = crowd->bytes = 0;
    crowd->max_s = 0;
    memset(crowd->bucket, 0, sizeof crowd->bucket);
    for (double left_s; (left_s = end_s - tr_bench_clock_s()) > 0;) {
        int count = epoll_wait(crowd->epoll, ready, READY_MAX, 1 + (int)(left_s * 1000));
        for (int i = 0; i < count; i++)
            read_one(crowd, &crowd->watcher[ready[i].data.u32]);
    }
}

static double quantile_s(const tr_bench_crowd *crowd, double q) {
    long seen = 0;
    for (int i = 0; i < BUCKET_COUNT; i++) {
        seen += crowd->bucket[i];
        if ((double)seen >= q * (double)crowd->states)
            return (i + 1) * BUCKET_S;
    }
    return crowd->max_s;
}

tr_bench_delivery tr_bench_crowd_delivery(const tr_bench_crowd *crowd) {
    double due = (double)(crowd->states + crowd->dropped);
    return (tr_bench_delivery){
        .states = crowd->states,
        .dropped = crowd->dropped,
        .share = due > 0 ? (double)crowd->states / due : 0,
        .p50_s = quantile_s(crowd, 0.5),
        .p99_s = quantile_s(crowd, 0.99),
        .max_s = crowd->max_s,
        .bytes_per_state = crowd->states > 0 ? (double)crowd->bytes / (double)crowd->states : 0,
        .closed = crowd->closed};
}

void tr_bench_crowd_destroy(tr_bench_crowd *crowd) {
    for (int i = 0; i < crowd->count; i++) {
        close(crowd->watcher[i].socket);
        free(crowd->watcher[i].frame);
    }
    close(crowd->epoll);
    free(crowd);
}
