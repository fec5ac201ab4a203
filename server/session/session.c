#include "server/session/session.h"

#include "proto/invariant.h"
#include "server/access/gate.h"
#include "server/config/log.h"
#include "server/net/inlet.h"
#include "server/net/outlet.h"
#include "server/session/parting.h"
#include "server/world/encode.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINGER_MS = 2000, /* time for the Goodbye to be written and the client to close */
    NONCE_SIZE = 32   /* bytes of the challenge's nonce, for older clients */
};

typedef enum session_state { GREETING, READY, LEAVING, CLOSING } session_state;

struct tr_session {
    uint64_t id;
    tr_sessions *sessions;
    tr_invariant invariant;
    session_state state;
    bool busy; /* READY: another thread works on the current request */
    bool frame_timed;
    bool gives_way;   /* must free shared memory; it ends in the next turn of the loop */
    int open_handles; /* of the channel, the timer, the inlet and the respite */
    tr_channel *channel;
    uv_timer_t timer;
    uv_timer_t respite; /* runs until its role's bytes per second allow sending more */
    bool finished;      /* writing has ended */
    tr_inlet inlet;
    tr_greeting *greeting; /* between Hello and Authenticate; else NULL */
    tr_member *member;     /* NULL until the handshake is complete */
    uint64_t last_request;
    int unanswered;
    unsigned in_hand;        /* field number of the current request */
    tr_holder input, unread; /* its share of the memory of all sessions */
    tr_outlet outlet;
    tr_parting *partings;
    int subscription_count, next_subscription;
    tr_subscription *subscription[TR_SUBSCRIPTIONS_MAX];
};

static const tr_sessions_def *daemon_of(const tr_session *session) {
    return tr_sessions_definition(session->sessions);
}

static tr_tally *tally_of(const tr_session *session) {
    return daemon_of(session)->tally;
}

/* --- end of a session --- */

static void on_part_closed(void *context) {
    tr_session *session = context;
    if (--session->open_handles > 0)
        return;
    tr_outlet_deinit(&session->outlet);
    tr_inlet_deinit(&session->inlet);
    tr_ledger_leave(tr_sessions_input(session->sessions), &session->input);
    tr_ledger_leave(tr_sessions_unread(session->sessions), &session->unread);
    if (session->member)
        tr_gate_release(daemon_of(session)->gate, session->member);
    tr_sessions_remove(session->sessions, session);
    free(session->greeting);
    free(session);
}

static void on_handle_closed(uv_handle_t *handle) {
    on_part_closed(handle->data);
}

/* Removes the session from all worlds: its subscriptions, its ownership, its holds, and its
 * place as a stepper. Drops what it was uploading. */
static void part(tr_session *session) {
    while (session->subscription_count > 0)
        tr_subscription_end(session->subscription[0]);
    tr_partings_send(&session->partings, daemon_of(session)->worlds);
    tr_worlds_session_left(daemon_of(session)->worlds, session->id);
    tr_recordings_session_left(daemon_of(session)->recordings, session->id);
}

tr_status tr_session_will_part(tr_session *session, uint32_t world) {
    return tr_partings_add(&session->partings, daemon_of(session)->worlds, world, session->id);
}

static void close_session(tr_session *session) {
    if (session->state == CLOSING)
        return;
    if (session->state == READY)
        part(session);
    tr_log_line(TR_LOG_INFO, "session.close", "session=%llu", (unsigned long long)session->id);
    session->state = CLOSING;
    tr_inlet_close(&session->inlet);
    tr_outlet_close(&session->outlet);
    tr_channel_close(session->channel);
    uv_close((uv_handle_t *)&session->timer, on_handle_closed);
    uv_close((uv_handle_t *)&session->respite, on_handle_closed);
}

static void on_lingered(uv_timer_t *timer) {
    close_session(timer->data);
}

static void finish_when_idle(tr_session *session) {
    if (session->state != LEAVING || session->finished || !tr_outlet_is_idle(&session->outlet))
        return;
    session->finished = true;
    if (tr_channel_finish(session->channel))
        close_session(session);
}

void tr_session_leave(tr_session *session, tr_status code, const char *reason) {
    if (session->state >= LEAVING)
        return;
    if (session->state == READY)
        part(session);
    tr_log_line(TR_LOG_INFO, "session.leave", "session=%llu code=%s reason=\"%s\"",
                (unsigned long long)session->id, tr_status_name(code), reason);
    session->state = LEAVING;
    uv_timer_start(&session->timer, on_lingered, LINGER_MS, 0);
    tr_inlet_discard(&session->inlet);
    tr_packet *packet = NULL;
    if (tr_encode_goodbye(code, reason, &packet) || tr_outlet_send(&session->outlet, packet)) {
        close_session(session);
        return;
    }
    finish_when_idle(session);
}

/* --- what must hold at every request and answer --- */

static void on_broken_invariant(uv_timer_t *timer) {
    tr_session_leave(timer->data, TR_INTERNAL, "the daemon has made a mistake in this session");
}

/* A session that fails ends from the loop: the caller may be in the middle of an operation. */
static void check(tr_session *session) {
    tr_invariant *broken = &session->invariant;
    const tr_member *member = session->member;
    TR_MUST_BE(broken, session->unanswered, >=, 0);
    TR_MUST_BE(broken, session->unanswered, <=, TR_REQUESTS_MAX + 1);
    TR_MUST_BE(broken, session->subscription_count, >=, 0);
    TR_MUST_BE(broken, session->subscription_count, <=, TR_SUBSCRIPTIONS_MAX);
    TR_MUST(broken, session->subscription_count == 0 || session->state == READY);
    TR_MUST(broken, session->state != READY || member);
    TR_MUST(broken, !session->greeting || !member);
    TR_MUST(broken, session->open_handles > 0 && session->open_handles <= 4);
    TR_MUST(broken, !member || (member->sessions > 0 && member->spawning >= 0 &&
                                member->subscriptions >= session->subscription_count));
    tr_outlet_must_hold(&session->outlet, broken);
    tr_inlet_must_hold(&session->inlet, broken);
    if (!broken->what || session->gives_way || session->state >= LEAVING)
        return;
    char why[128];
    tr_invariant_print(broken, why, sizeof why);
    tr_log_line(TR_LOG_ERROR, "session.failed", "session=%llu why=\"%s\"",
                (unsigned long long)session->id, why);
    session->gives_way = true;
    uv_timer_start(&session->timer, on_broken_invariant, 0, 0);
}

/* The ledgers take as long as there are sessions of its party: too long for each request. */
void tr_session_must_hold(tr_session *session) {
    tr_invariant *broken = &session->invariant;
    tr_ledger_must_hold(tr_sessions_input(session->sessions), &session->input, broken);
    tr_ledger_must_hold(tr_sessions_unread(session->sessions), &session->unread, broken);
    check(session);
}

/* --- its share of the memory of all sessions --- */

static void on_input_given_up(uv_timer_t *timer) {
    tr_session_leave(
        timer->data, TR_RESOURCE_EXHAUSTED,
        "the daemon holds too much unfinished input, and this client has sent the most");
}

static void on_unread_given_up(uv_timer_t *timer) {
    close_session(timer->data);
}

/* Ends from the loop, because the caller may be in the middle of an operation. */
static void give_way(tr_session *session, const char *what, size_t bytes, uv_timer_cb end) {
    tr_log_line(TR_LOG_WARN, "session.cut", "session=%llu peer=%s what=%s bytes=%zu",
                (unsigned long long)session->id, session->channel->peer, what, bytes);
    session->gives_way = true;
    uv_timer_start(&session->timer, end, 0, 0);
}

static void hold_input(void *context, size_t bytes) {
    tr_session *session = context;
    tr_ledger *ledger = tr_sessions_input(session->sessions);
    for (tr_holder *largest; (largest = tr_ledger_hold(ledger, &session->input, bytes));) {
        tr_session *other = largest->owner;
        tally_of(session)->input_cut++;
        give_way(other, "input", largest->bytes, on_input_given_up);
        tr_inlet_drop(&other->inlet);
        tr_ledger_release(ledger, largest);
        bytes = session->input.bytes;
    }
}

static void hold_unread(void *context, size_t bytes) {
    tr_session *session = context;
    tr_ledger *ledger = tr_sessions_unread(session->sessions);
    for (tr_holder *largest; (largest = tr_ledger_hold(ledger, &session->unread, bytes));) {
        tr_session *other = largest->owner;
        tally_of(session)->unread_cut++;
        give_way(other, "unread", largest->bytes, on_unread_given_up);
        tr_outlet_close(&other->outlet);
        tr_ledger_release(ledger, largest);
        bytes = session->unread.bytes;
    }
}

/* --- limit of bytes sent per role --- */

static void on_respite(uv_timer_t *timer);

/* Answers and events are always sent, and may leave a debt. During a debt no states are sent, so
 * that answers have the whole allowance; above one second's bytes of debt no requests are read
 * either. */
enum { READING_DEBT_MS = 1000 };

static bool owes(tr_session *session, uint64_t tolerated_ms) {
    uint64_t now_ms = uv_now(daemon_of(session)->loop);
    uint64_t debt_ms = session->member ? tr_member_owes_ms(session->member, now_ms) : 0;
    if (debt_ms <= tolerated_ms)
        return false;
    if (!uv_is_active((uv_handle_t *)&session->respite)) {
        tally_of(session)->held++;
        uv_timer_start(&session->respite, on_respite, debt_ms - tolerated_ms, 0);
    }
    return true;
}

static void count_out(tr_session *session, size_t bytes) {
    tally_of(session)->frames_out++;
    tally_of(session)->bytes_out += bytes;
    if (session->member)
        tr_member_send(session->member, bytes, uv_now(daemon_of(session)->loop));
}

/* --- reading --- */

static bool takes_frames(void *context) {
    tr_session *session = context;
    return session->state <= READY && !session->busy && !session->gives_way &&
           session->outlet.bytes <= TR_OUTLET_PAUSE_BYTES && !owes(session, READING_DEBT_MS);
}

static void on_broken_frame(void *context, tr_status status, const char *why) {
    tr_session_leave(context, status, why);
}

static void on_frame_late(uv_timer_t *timer) {
    tr_session_leave(timer->data, TR_DEADLINE_EXCEEDED, "a frame took too long to arrive");
}

/* The frame timer runs while an incomplete frame waits for the client. */
static void time_frame(void *context, bool for_client, bool ended) {
    tr_session *session = context;
    if (session->state != READY || session->gives_way)
        return;
    if (session->frame_timed && (ended || !for_client)) {
        uv_timer_stop(&session->timer);
        session->frame_timed = false;
    }
    if (for_client && !session->frame_timed) {
        session->frame_timed = true;
        uv_timer_start(&session->timer, on_frame_late, TR_FRAME_TIMEOUT_MS, 0);
    }
}

static void on_respite(uv_timer_t *timer) {
    tr_session *session = timer->data;
    tr_outlet_pump(&session->outlet);
    tr_inlet_resume(&session->inlet);
}

/* --- callbacks of the outlet --- */

/* The subscriptions take turns, so that one fast world does not hide another. */
static bool next_state(void *context, tr_outlet_state *out) {
    tr_session *session = context;
    if (session->subscription_count == 0 || owes(session, 0))
        return false;
    for (int i = 0; i < session->subscription_count; i++) {
        int at = (session->next_subscription + i) % session->subscription_count;
        tr_subscription *s = session->subscription[at];
        if (!s->pending)
            continue;
        out->packet = s->pending;
        out->frame = tr_state_frame_around(s->pending, s->pending_sequence - s->base - s->sent);
        s->pending = NULL;
        s->sent++;
        session->next_subscription = at + 1;
        tally_of(session)->states_sent++;
        count_out(session, out->frame.head_size + out->packet->size + out->frame.tail_size);
        return true;
    }
    return false;
}

static void on_drained(void *context) {
    tr_session *session = context;
    finish_when_idle(session);
    tr_inlet_resume(&session->inlet);
}

static void on_events_dropped(void *context, uint32_t world, int events) {
    tr_subscription *subscription = tr_session_subscription(context, world);
    tally_of(context)->events_dropped += (uint64_t)events;
    if (subscription)
        subscription->events_lost += events;
}

static void on_broken(void *context) {
    close_session(context);
}

/* --- callbacks of the channel --- */

static void on_written(void *context) {
    tr_outlet_written(&((tr_session *)context)->outlet);
}

static const tr_channel_listener channel_listener = {.bytes = tr_inlet_take,
                                                     .kept = tr_inlet_kept,
                                                     .written = on_written,
                                                     .ended = on_broken,
                                                     .closed = on_part_closed};

/* --- start of a session --- */

static void on_greeting_late(uv_timer_t *timer) {
    tr_session_leave(timer->data, TR_DEADLINE_EXCEEDED, "no Hello within 3 seconds");
}

/* Until it has logged in, it shares the limits of its address. */
static tr_status join_ledgers(tr_session *session, tr_sessions *sessions, uint64_t party) {
    tr_status status = tr_ledger_join(tr_sessions_input(sessions), &session->input, party);
    return status ? status : tr_ledger_join(tr_sessions_unread(sessions), &session->unread, party);
}

static tr_session *new_session(tr_sessions *sessions, tr_channel *channel) {
    tr_session *session = calloc(1, sizeof *session);
    if (!session || join_ledgers(session, sessions, tr_peer_key(channel->peer))) {
        if (session)
            tr_ledger_leave(tr_sessions_input(sessions), &session->input);
        free(session);
        return NULL;
    }
    session->input.owner = session->unread.owner = session;
    uv_loop_t *loop = tr_sessions_definition(sessions)->loop;
    session->sessions = sessions;
    session->id = tr_sessions_add(sessions, session);
    session->open_handles = 4;
    session->channel = channel;
    uv_timer_init(loop, &session->timer);
    uv_timer_init(loop, &session->respite);
    session->timer.data = session->respite.data = session;
    tr_inlet_init(&session->inlet,
                  &(tr_inlet_def){.loop = loop,
                                  .channel = channel,
                                  .context = session,
                                  .takes = takes_frames,
                                  .frame = tr_sessions_definition(sessions)->frame,
                                  .broken = on_broken_frame,
                                  .waits = time_frame,
                                  .holds = hold_input,
                                  .failed = on_broken,
                                  .closed = on_part_closed},
                  TR_FRAME_BEFORE_HELLO_MAX);
    tr_outlet_init(&session->outlet, &(tr_outlet_def){.channel = channel,
                                                      .context = session,
                                                      .next_state = next_state,
                                                      .drained = on_drained,
                                                      .dropped = on_events_dropped,
                                                      .holds = hold_unread,
                                                      .failed = on_broken});
    tally_of(session)->sessions++;
    return session;
}

/* Sends the first message, which offers logins. */
static void challenge(tr_session *session) {
    const tr_config *config = tr_gate_config(daemon_of(session)->gate);
    bool key_needed = tr_config_anonymous(config) == TR_ROLE_NONE;
    bool tls = session->channel->kind->binding != NULL;
    uint8_t nonce[NONCE_SIZE];
    tr_packet *packet = NULL;
    if (session->state == GREETING &&
        (tr_key_random(nonce, sizeof nonce) ||
         tr_encode_challenge(nonce, sizeof nonce, key_needed, tls, &packet) ||
         tr_outlet_send(&session->outlet, packet)))
        close_session(session);
}

void tr_session_open(tr_sessions *sessions, tr_channel *channel) {
    tr_session *session = tr_sessions_has_place(sessions) ? new_session(sessions, channel) : NULL;
    if (!session) {
        tr_channel_close(channel);
        return;
    }
    tr_channel_listen(channel, &channel_listener, session, &session->inlet);
    tr_log_line(TR_LOG_INFO, "session.open", "session=%llu peer=%s channel=%s",
                (unsigned long long)session->id, channel->peer, channel->kind->name);
    if (!daemon_of(session)->worlds) {
        tr_session_leave(session, TR_UNAVAILABLE,
                         "the daemon is starting; try again in a few seconds");
        return;
    }
    if (tr_sessions_is_crowded(sessions)) {
        tr_session_leave(session, TR_RESOURCE_EXHAUSTED, "too many clients are connected");
        return;
    }
    if (channel->crowded) {
        tr_session_leave(session, TR_RESOURCE_EXHAUSTED, "too many connections from your address");
        return;
    }
    uv_timer_start(&session->timer, on_greeting_late, TR_HELLO_TIMEOUT_MS, 0);
    tr_inlet_begin(&session->inlet);
    challenge(session);
}

/* --- for handlers --- */

void *tr_session_daemon(const tr_session *session) {
    return daemon_of(session)->daemon;
}

uint64_t tr_session_id(const tr_session *session) {
    return session->id;
}

void tr_session_greeted(tr_session *session, tr_greeting *take_greeting) {
    session->greeting = take_greeting;
}

const tr_greeting *tr_session_greeting(const tr_session *session) {
    return session->greeting;
}

/* The kind of login, for the logs. */
static const char *login_of(const tr_session *session) {
    const tr_greeting *greeting = session->greeting;
    return !greeting                                  ? "none"
           : greeting->scram.header == TR_SCRAM_BOUND ? TR_SCRAM_PLUS_MECHANISM
                                                      : TR_SCRAM_MECHANISM;
}

void tr_session_welcome(tr_session *session, const char *name, tr_member *take_member) {
    char quoted[TR_CLIENT_NAME_MAX + 1];
    tr_log_quote(name, quoted, sizeof quoted);
    TR_MUST(&session->invariant, session->state == GREETING && !session->member);
    session->state = READY;
    session->member = take_member;
    uv_timer_stop(&session->timer);
    tr_inlet_set_limit(&session->inlet, tr_member_frame_max(take_member));
    if (take_member->name[0] != '\0')
        (void)!join_ledgers(session, session->sessions, take_member->account);
    tr_log_line(TR_LOG_INFO, "session.welcome",
                "session=%llu client=\"%s\" key=%s role=%s login=%s",
                (unsigned long long)session->id, quoted,
                take_member->name[0] != '\0' ? take_member->name : "none",
                tr_role_name(take_member->role), login_of(session));
    free(session->greeting);
    session->greeting = NULL;
}

void tr_session_review(tr_session *session, int64_t now_s) {
    tr_error error;
    if (session->state != READY)
        return;
    tr_inlet_set_limit(&session->inlet, tr_member_frame_max(session->member));
    if (tr_member_check(session->member, now_s, &error))
        tr_session_leave(session, TR_UNAUTHENTICATED, error.message);
}

tr_member *tr_session_member(const tr_session *session) {
    return session->member;
}

const tr_channel *tr_session_channel(const tr_session *session) {
    return session->channel;
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
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%d requests are unanswered", TR_REQUESTS_MAX);
    return TR_OK;
}

void tr_session_count_request(tr_session *session, unsigned field_number) {
    session->unanswered++;
    session->in_hand = field_number;
    check(session);
}

static void send_answer(tr_session *session, tr_packet *packet) {
    session->unanswered--;
    check(session);
    count_out(session, packet->size);
    if (!tr_outlet_send(&session->outlet, packet))
        return;
    tr_log_line(TR_LOG_WARN, "session.overflow", "session=%llu", (unsigned long long)session->id);
    close_session(session);
}

void tr_session_respond_packet(tr_session *session, tr_packet *packet) {
    tr_tally_request(tally_of(session), session->in_hand, TR_OK);
    send_answer(session, packet);
}

void tr_session_refuse(tr_session *session, uint64_t request_id, const tr_error *error) {
    tr_packet *packet = NULL;
    tr_tally_request(tally_of(session), session->in_hand, error->status);
    if (!tr_encode_failure(request_id, error, &packet))
        send_answer(session, packet);
    else
        close_session(session);
}

/* Answers with the reason why an answer could not be encoded. */
static void refuse_answer(tr_session *session, uint64_t request_id) {
    tr_error error;
    (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "the answer is too large, or memory ran out");
    tr_session_refuse(session, request_id, &error);
}

void tr_session_respond(tr_session *session, Troupe__Response *response) {
    tr_packet *packet = NULL;
    if (!tr_encode_response(response, &packet))
        tr_session_respond_packet(session, packet);
    else
        refuse_answer(session, response->request_id);
}

void tr_session_answer(tr_session *session, const tr_reply *reply) {
    tr_packet *packet = NULL;
    if (tr_encode_reply(reply, &packet)) {
        refuse_answer(session, reply->request);
        return;
    }
    if (reply->kind->number != 0)
        tr_tally_command(tally_of(session), reply->kind->number, reply->error.status);
    else /* the only answered kind that is not a command of the wire */
        tr_tally_request(tally_of(session), TROUPE__CLIENT_MESSAGE__REQUEST_GET_STATE,
                         reply->error.status);
    send_answer(session, packet);
}

void tr_session_pause(tr_session *session) {
    TR_MUST(&session->invariant, !session->busy && session->state == READY);
    session->busy = true;
}

void tr_session_resume(tr_session *session) {
    TR_MUST(&session->invariant, session->busy);
    session->busy = false;
    tr_inlet_resume(&session->inlet);
}

/* --- subscriptions --- */

tr_subscription *tr_session_subscription(tr_session *session, uint32_t world) {
    for (int i = 0; i < session->subscription_count; i++)
        if (session->subscription[i]->all->id == world)
            return session->subscription[i];
    return NULL;
}

static void on_events(void *subscriber, tr_packet *packet, uint32_t world, int count) {
    tr_session *session = subscriber;
    tally_of(session)->events_sent += (uint64_t)count;
    count_out(session, packet->size);
    tr_outlet_send_events(&session->outlet, packet, world, count);
}

static void on_subscription_ended(void *subscriber, const tr_subscription *subscription) {
    tr_session *session = subscriber;
    for (int i = 0; i < session->subscription_count; i++)
        if (session->subscription[i] == subscription) {
            session->subscription[i] = session->subscription[--session->subscription_count];
            session->member->subscriptions--;
            return;
        }
}

static const tr_subscriber_kind subscriber_kind = {
    .state = tr_outlet_pump, .events = on_events, .ended = on_subscription_ended};

static tr_status may_subscribe(const tr_session *session, tr_error *error) {
    const tr_member *member = session->member;
    if (session->subscription_count == TR_SUBSCRIPTIONS_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "there are already %d subscriptions",
                       TR_SUBSCRIPTIONS_MAX);
    return tr_member_may_have(member, member->subscriptions, member->limits.subscriptions,
                              "subscriptions", error);
}

tr_status tr_session_subscribe(tr_session *session, tr_subscriptions *all, uint32_t every_ticks,
                               uint32_t fields, bool events, tr_error *error) {
    tr_subscription *before = tr_session_subscription(session, all->id);
    tr_subscription *subscription = NULL;
    tr_status status = before ? TR_OK : may_subscribe(session, error);
    if (status)
        return status;
    tr_subscription_def def = {.kind = &subscriber_kind,
                               .subscriber = session,
                               .reader = &session->outlet,
                               .every_ticks = every_ticks,
                               .fields = fields,
                               .events = events};
    status = tr_subscribe(all, &def, before, &subscription);
    if (status)
        return tr_fail(error, status,
                       "this world has %d different kinds of subscription: choose a rate and "
                       "fields in use",
                       TR_STATE_CLASS_MAX);
    session->subscription[session->subscription_count++] = subscription;
    session->member->subscriptions++;
    check(session);
    return TR_OK;
}

void tr_session_tell(tr_session *session, tr_packet *packet, bool needed) {
    if (!needed && (session->outlet.bytes > TR_OUTLET_PAUSE_BYTES || owes(session, 0)))
        return;
    count_out(session, packet->size);
    if (tr_outlet_send(&session->outlet, tr_packet_share(packet)))
        close_session(session);
}
