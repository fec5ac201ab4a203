#include "server/session.h"

#include "proto/frame.h"
#include "server/dispatch.h"
#include "server/log.h"
#include "server/outlet.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    READ_SIZE = 64 << 10,
    LINGER_MS = 2000,       /* for a Goodbye to be written and the client to close */
    SEND_BUFFER = 32 << 10, /* else the kernel hides slow readers for minutes */
    NOTSENT_LOWAT = 8 << 10,
    KEEPALIVE_S = 60,
    /* Connections past the cap that are told so at once; the rest are just closed. */
    REFUSED_MAX = 16
};

typedef enum session_state { GREETING, READY, LEAVING, CLOSING } session_state;

struct tr_session {
    uint64_t id;
    tr_sessions *sessions;
    session_state state;
    bool busy; /* READY: the request in hand is being worked on elsewhere */
    bool reading, frame_timed, consuming;
    int open_handles; /* of tcp and timer */
    uv_tcp_t tcp;
    uv_timer_t timer;
    uv_shutdown_t shutdown;
    bool shutting_down;
    tr_frame_decoder decoder;
    uint8_t *backlog; /* [backlog_size]: read, not yet dispatched */
    size_t backlog_size;
    uint64_t last_request;
    int unanswered;
    tr_outlet outlet;
    int subscription_count, next_subscription;
    tr_subscription *subscription[TR_SUBSCRIPTIONS_MAX];
};

struct tr_sessions {
    tr_server *server;
    int max, count, capacity;
    tr_session **session; /* [count], ids rising */
    uint64_t next_id;
    void (*closed)(void *context);
    void *closed_context;
    size_t queued_bytes;    /* of all outlets */
    char buffer[READ_SIZE]; /* of the read in hand: one at a time */
};

/* --- all of them --- */

tr_status tr_sessions_create(tr_server *server, int max, tr_sessions **out) {
    tr_sessions *sessions = calloc(1, sizeof *sessions);
    if (sessions == NULL)
        return TR_RESOURCE_EXHAUSTED;
    sessions->server = server;
    sessions->max = max;
    sessions->capacity = max + REFUSED_MAX;
    sessions->session = calloc((size_t)sessions->capacity, sizeof(tr_session *));
    if (sessions->session == NULL) {
        free(sessions);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = sessions;
    return TR_OK;
}

void tr_sessions_destroy(tr_sessions *sessions) {
    if (sessions == NULL)
        return;
    free(sessions->session);
    free(sessions);
}

/* Index of the first session with an id not below `id`. */
static int lower_bound(const tr_sessions *sessions, uint64_t id) {
    int low = 0, high = sessions->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sessions->session[middle]->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

tr_session *tr_sessions_find(tr_sessions *sessions, uint64_t id) {
    int at = lower_bound(sessions, id);
    if (at == sessions->count || sessions->session[at]->id != id)
        return NULL;
    tr_session *session = sessions->session[at];
    return session->state == READY ? session : NULL;
}

int tr_sessions_count(const tr_sessions *sessions) {
    return sessions->count;
}

tr_server *tr_sessions_server(const tr_sessions *sessions) {
    return sessions->server;
}

static void remove_session(tr_sessions *sessions, const tr_session *session) {
    int at = lower_bound(sessions, session->id);
    sessions->count--;
    memmove(&sessions->session[at], &sessions->session[at + 1],
            (size_t)(sessions->count - at) * sizeof(tr_session *));
    if (sessions->count == 0 && sessions->closed != NULL) {
        void (*closed)(void *) = sessions->closed;
        sessions->closed = NULL;
        closed(sessions->closed_context);
    }
}

void tr_sessions_close(tr_sessions *sessions, void (*closed)(void *context), void *context) {
    sessions->closed = closed;
    sessions->closed_context = context;
    for (int i = 0; i < sessions->count; i++)
        tr_session_leave(sessions->session[i], TR_UNAVAILABLE, "the daemon is shutting down");
    if (sessions->count == 0) {
        sessions->closed = NULL;
        closed(context);
    }
}

/* --- the end --- */

static void on_handle_closed(uv_handle_t *handle) {
    tr_session *session = handle->data;
    if (--session->open_handles > 0)
        return;
    tr_outlet_deinit(&session->outlet);
    tr_frame_decoder_deinit(&session->decoder);
    free(session->backlog);
    remove_session(session->sessions, session);
    free(session);
}

/* The worlds forget the session: it no longer watches, and nobody waits for its next step. */
static void part(tr_session *session) {
    while (session->subscription_count > 0)
        tr_subscription_end(session->subscription[0]);
    tr_worlds *worlds = session->sessions->server->worlds;
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        if (hosted == NULL || tr_hosted_mode(hosted) != TR_MODE_STEPPED)
            continue;
        tr_command *command = tr_command_create(TR_COMMAND_PART);
        if (command == NULL)
            continue;
        command->stamp.session = session->id;
        if (tr_hosted_post(hosted, command) != TR_OK)
            tr_command_destroy(command);
    }
}

static void close_session(tr_session *session) {
    if (session->state == CLOSING)
        return;
    if (session->state == READY)
        part(session);
    tr_log_line(TR_LOG_INFO, "session.close", "session=%llu", (unsigned long long)session->id);
    session->state = CLOSING;
    tr_outlet_close(&session->outlet);
    uv_close((uv_handle_t *)&session->tcp, on_handle_closed);
    uv_close((uv_handle_t *)&session->timer, on_handle_closed);
}

static void on_lingered(uv_timer_t *timer) {
    close_session(timer->data);
}

static void on_shut_down(uv_shutdown_t *request, int status) {
    (void)request, (void)status; /* now the client closes, or the timer ends it */
}

static void shut_down_when_idle(tr_session *session) {
    if (session->state != LEAVING || session->shutting_down || !tr_outlet_is_idle(&session->outlet))
        return;
    session->shutting_down = true;
    if (uv_shutdown(&session->shutdown, (uv_stream_t *)&session->tcp, on_shut_down) != 0)
        close_session(session);
}

static void start_reading(tr_session *session);

void tr_session_leave(tr_session *session, tr_status code, const char *reason) {
    if (session->state >= LEAVING)
        return;
    if (session->state == READY)
        part(session);
    tr_log_line(TR_LOG_INFO, "session.leave", "session=%llu code=%s reason=\"%s\"",
                (unsigned long long)session->id, tr_status_name(code), reason);
    session->state = LEAVING;
    uv_timer_start(&session->timer, on_lingered, LINGER_MS, 0);
    start_reading(session); /* what still comes is thrown away, so that the Goodbye is not reset */
    tr_packet *packet = NULL;
    if (tr_encode_goodbye(code, reason, &packet) != TR_OK ||
        tr_outlet_send(&session->outlet, packet) != TR_OK) {
        close_session(session);
        return;
    }
    shut_down_when_idle(session);
}

/* --- reading --- */

static void on_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    (void)suggested;
    tr_session *session = handle->data;
    *out = uv_buf_init(session->sessions->buffer, READ_SIZE);
}

static bool may_dispatch(const tr_session *session) {
    return session->state <= READY && !session->busy &&
           session->outlet.bytes <= TR_OUTLET_PAUSE_BYTES;
}

static void on_frame_late(uv_timer_t *timer) {
    tr_session_leave(timer->data, TR_DEADLINE_EXCEEDED, "a frame took too long to arrive");
}

/* The frame timer runs while a frame is coming in and we are the ones who wait. */
static void time_frame(tr_session *session, bool frame_ended) {
    if (session->state != READY)
        return;
    bool waits = tr_frame_decoder_in_progress(&session->decoder) && session->reading;
    if (session->frame_timed && (frame_ended || !waits)) {
        uv_timer_stop(&session->timer);
        session->frame_timed = false;
    }
    if (waits && !session->frame_timed) {
        session->frame_timed = true;
        uv_timer_start(&session->timer, on_frame_late, TR_FRAME_TIMEOUT_MS, 0);
    }
}

static const char *broken_frame(tr_status status) {
    return status == TR_OUT_OF_RANGE       ? "a frame is longer than the limit"
           : status == TR_INVALID_ARGUMENT ? "a length prefix is broken"
                                           : "out of memory";
}

/* Dispatches whole frames as long as the session may; moves past what it took. */
static void dispatch_frames(tr_session *session, const uint8_t **bytes, size_t *size) {
    bool frame_ended = false;
    while (*size > 0 && may_dispatch(session)) {
        tr_frame frame;
        tr_status status = tr_frame_decoder_take(&session->decoder, bytes, size, &frame);
        if (status != TR_OK) {
            tr_session_leave(session,
                             status == TR_RESOURCE_EXHAUSTED ? status : TR_INVALID_ARGUMENT,
                             broken_frame(status));
            return;
        }
        if (frame.data == NULL)
            break;
        frame_ended = true;
        tr_dispatch(session, frame.data, frame.size);
    }
    time_frame(session, frame_ended);
}

static void stop_reading(tr_session *session) {
    if (session->reading)
        uv_read_stop((uv_stream_t *)&session->tcp);
    session->reading = false;
}

/* Keeps what may not be dispatched yet, and stops reading meanwhile. */
static void keep_rest(tr_session *session, const uint8_t *bytes, size_t size) {
    if (session->state > READY || may_dispatch(session))
        return;
    stop_reading(session);
    if (size == 0)
        return;
    session->backlog = malloc(size);
    if (session->backlog == NULL) {
        tr_session_leave(session, TR_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    memcpy(session->backlog, bytes, size);
    session->backlog_size = size;
}

static void consume(tr_session *session, const uint8_t *bytes, size_t size) {
    session->consuming = true;
    dispatch_frames(session, &bytes, &size);
    keep_rest(session, bytes, size);
    session->consuming = false;
}

/* The session may go on: first with what was read already. */
static void go_on(tr_session *session) {
    if (session->consuming || !may_dispatch(session))
        return;
    uint8_t *backlog = session->backlog;
    size_t size = session->backlog_size;
    session->backlog = NULL;
    session->backlog_size = 0;
    if (size > 0)
        consume(session, backlog, size);
    free(backlog);
    if (may_dispatch(session)) {
        start_reading(session);
        time_frame(session, false);
    }
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    tr_session *session = stream->data;
    if (count < 0)
        close_session(session);
    else if (count > 0 && session->state <= READY)
        consume(session, (const uint8_t *)buffer->base, (size_t)count);
}

static void start_reading(tr_session *session) {
    if (session->reading)
        return;
    session->reading = true;
    if (uv_read_start((uv_stream_t *)&session->tcp, on_allocate, on_read) != 0)
        close_session(session);
}

/* --- what the outlet asks and tells --- */

/* The subscriptions take turns, so that one fast world does not hide another. */
static bool next_state(void *context, tr_outlet_state *out) {
    tr_session *session = context;
    for (int i = 0; i < session->subscription_count; i++) {
        int at = (session->next_subscription + i) % session->subscription_count;
        uint64_t dropped = 0;
        if (!tr_subscription_take(session->subscription[at], &out->packet, &dropped))
            continue;
        out->frame = tr_state_frame_around(out->packet, dropped);
        session->next_subscription = at + 1;
        return true;
    }
    return false;
}

static void on_drained(void *context) {
    tr_session *session = context;
    shut_down_when_idle(session);
    if (session->state <= READY)
        go_on(session);
}

static void on_events_dropped(void *context, uint32_t world, int events) {
    tr_subscription *subscription = tr_session_subscription(context, world);
    if (subscription != NULL)
        tr_subscription_lost(subscription, events);
}

static void on_broken(void *context) {
    close_session(context);
}

/* --- the beginning --- */

static void on_greeting_late(uv_timer_t *timer) {
    tr_session_leave(timer->data, TR_DEADLINE_EXCEEDED, "no Hello within 3 seconds");
}

static void set_socket_options(tr_session *session) {
    uv_os_fd_t fd;
    int size = SEND_BUFFER, lowat = NOTSENT_LOWAT;
    uv_tcp_nodelay(&session->tcp, 1);
    uv_tcp_keepalive(&session->tcp, 1, KEEPALIVE_S);
    uv_send_buffer_size((uv_handle_t *)&session->tcp, &size);
    if (uv_fileno((uv_handle_t *)&session->tcp, &fd) == 0)
        setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &lowat, sizeof lowat);
}

static void log_opened(tr_session *session) {
    struct sockaddr_storage address = {0};
    int size = sizeof address;
    char text[INET6_ADDRSTRLEN] = "?";
    uv_tcp_getpeername(&session->tcp, (struct sockaddr *)&address, &size);
    uv_ip_name((const struct sockaddr *)&address, text, sizeof text);
    tr_log_line(TR_LOG_INFO, "session.open", "session=%llu peer=%s",
                (unsigned long long)session->id, text);
}

static tr_session *new_session(tr_sessions *sessions) {
    tr_session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->sessions = sessions;
    session->id = ++sessions->next_id;
    session->open_handles = 2;
    uv_tcp_init(sessions->server->loop, &session->tcp);
    uv_timer_init(sessions->server->loop, &session->timer);
    session->tcp.data = session->timer.data = session;
    tr_frame_decoder_init(&session->decoder, TR_FRAME_BEFORE_HELLO_MAX);
    tr_outlet_init(&session->outlet, &(tr_outlet_def){.stream = (uv_stream_t *)&session->tcp,
                                                      .context = session,
                                                      .total_bytes = &sessions->queued_bytes,
                                                      .next_state = next_state,
                                                      .drained = on_drained,
                                                      .dropped = on_events_dropped,
                                                      .failed = on_broken});
    sessions->session[sessions->count++] = session;
    return session;
}

static void on_turned_away(uv_handle_t *handle) {
    free(handle);
}

/* Takes the connection off the backlog only to drop it. */
static void turn_away(tr_sessions *sessions, uv_stream_t *listener) {
    uv_tcp_t *tcp = malloc(sizeof *tcp);
    if (tcp == NULL)
        return;
    uv_tcp_init(sessions->server->loop, tcp);
    (void)!uv_accept(listener, (uv_stream_t *)tcp);
    uv_close((uv_handle_t *)tcp, on_turned_away);
}

void tr_sessions_accept(tr_sessions *sessions, uv_stream_t *listener) {
    tr_session *session = sessions->count < sessions->capacity ? new_session(sessions) : NULL;
    if (session == NULL) {
        turn_away(sessions, listener);
        return;
    }
    if (uv_accept(listener, (uv_stream_t *)&session->tcp) != 0) {
        close_session(session);
        return;
    }
    set_socket_options(session);
    log_opened(session);
    if (sessions->count > sessions->max) {
        tr_session_leave(session, TR_RESOURCE_EXHAUSTED, "too many clients are connected");
        return;
    }
    uv_timer_start(&session->timer, on_greeting_late, TR_HELLO_TIMEOUT_MS, 0);
    start_reading(session);
}

/* --- for handlers --- */

uint64_t tr_session_id(const tr_session *session) {
    return session->id;
}

tr_server *tr_session_server(const tr_session *session) {
    return session->sessions->server;
}

void tr_session_welcome(tr_session *session, const char *name) {
    char quoted[TR_CLIENT_NAME_MAX + 1];
    tr_log_quote(name, quoted, sizeof quoted);
    session->state = READY;
    uv_timer_stop(&session->timer);
    tr_frame_decoder_set_limit(&session->decoder, TR_FRAME_CLIENT_MAX);
    tr_log_line(TR_LOG_INFO, "session.welcome", "session=%llu client=\"%s\"",
                (unsigned long long)session->id, quoted);
}

bool tr_session_is_welcome(const tr_session *session) {
    return session->state == READY;
}

tr_status tr_session_begin_request(tr_session *session, uint64_t request_id, tr_error *error) {
    if (request_id == 0 || request_id <= session->last_request)
        return tr_fail(error, TR_INVALID_ARGUMENT, "request_id %llu: expected more than %llu",
                       (unsigned long long)request_id, (unsigned long long)session->last_request);
    session->last_request = request_id;
    if (session->unanswered > TR_REQUESTS_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%d requests are without an answer",
                       TR_REQUESTS_MAX);
    return TR_OK;
}

void tr_session_count_request(tr_session *session) {
    session->unanswered++;
}

void tr_session_respond_packet(tr_session *session, tr_packet *packet) {
    session->unanswered--;
    if (tr_outlet_send(&session->outlet, packet) == TR_OK)
        return;
    tr_log_line(TR_LOG_WARN, "session.overflow", "session=%llu", (unsigned long long)session->id);
    close_session(session);
}

void tr_session_refuse(tr_session *session, uint64_t request_id, const tr_error *error) {
    tr_packet *packet = NULL;
    if (tr_encode_failure(request_id, error, &packet) == TR_OK)
        tr_session_respond_packet(session, packet);
    else
        close_session(session);
}

/* An answer that cannot be encoded is answered by why. */
static void respond_or_refuse(tr_session *session, uint64_t request_id, tr_status status,
                              tr_packet *packet) {
    if (status == TR_OK) {
        tr_session_respond_packet(session, packet);
        return;
    }
    tr_error error;
    (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "the answer is too large, or memory is short");
    tr_session_refuse(session, request_id, &error);
}

void tr_session_respond(tr_session *session, Troupe__Response *response) {
    tr_packet *packet = NULL;
    tr_status status = tr_encode_response(response, &packet);
    respond_or_refuse(session, response->request_id, status, packet);
}

void tr_session_answer(tr_session *session, const tr_reply *reply) {
    tr_packet *packet = NULL;
    tr_status status = tr_encode_reply(reply, &packet);
    respond_or_refuse(session, reply->request, status, packet);
}

void tr_session_pause(tr_session *session) {
    session->busy = true;
}

void tr_session_resume(tr_session *session) {
    session->busy = false;
    go_on(session);
}

tr_subscription *tr_session_subscription(tr_session *session, uint32_t world) {
    for (int i = 0; i < session->subscription_count; i++)
        if (tr_subscription_world(session->subscription[i]) == world)
            return session->subscription[i];
    return NULL;
}

bool tr_session_may_subscribe(const tr_session *session) {
    return session->subscription_count < TR_SUBSCRIPTIONS_MAX;
}

void tr_session_remember(tr_session *session, tr_subscription *subscription) {
    session->subscription[session->subscription_count++] = subscription;
}

void tr_session_forget(tr_session *session, const tr_subscription *subscription) {
    for (int i = 0; i < session->subscription_count; i++)
        if (session->subscription[i] == subscription) {
            session->subscription[i] = session->subscription[--session->subscription_count];
            return;
        }
}

void tr_session_pump(tr_session *session) {
    tr_outlet_pump(&session->outlet);
}

void tr_session_send_events(tr_session *session, tr_packet *packet, uint32_t world, int count) {
    tr_outlet_send_events(&session->outlet, packet, world, count);
}
