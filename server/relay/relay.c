#include "server/relay/relay.h"

#include "proto/mapping.h"
#include "proto/message.h"
#include "server/config/log.h"
#include "server/relay/inquiries.h"
#include "server/relay/relayed_world.h"
#include "server/world/encode.h"
#include "server/world/every_ticks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERVE_NEW_MS = 100, RETRY_MS = 1000 };

struct tr_relay {
    tr_relay_def def;
    char upstream[TR_RELAY_HOST_MAX + 8];
    tr_key key;
    tr_tls *tls;
    tr_links links;
    tr_inquiries inquiries;
    tr_relayed_world *worlds;
    uv_timer_t timer;
    uint64_t instance; /* of the daemon upstream; 0: it is older, or not known yet */
    uint64_t retry_ms; /* when failed subscriptions are tried again */
    bool was_welcomed; /* at least once */
    tr_error refusal;  /* to be told; status 0: none */
    int open_handles;  /* of the timer and the links */
    void (*closed)(void *context);
    void *closed_context;
};

static tr_relayed_world *find_world(const tr_relay *relay, uint32_t id) {
    tr_relayed_world *world = relay->worlds;
    while (world && (world->id != id || world->gone))
        world = world->next;
    return world;
}

/* Forgets worlds without readers: their ends would not be noticed. */
static void prune(tr_relay *relay) {
    for (tr_relayed_world **at = &relay->worlds; *at;) {
        tr_relayed_world *world = *at;
        if (world->subscriptions.count > 0) {
            at = &world->next;
            continue;
        }
        *at = world->next;
        tr_relayed_world_destroy(world);
    }
}

/* --- answers to readers --- */

static void respond_subscribed(tr_session *session, uint64_t request, const tr_relayed_world *world,
                               uint32_t every_ticks) {
    Troupe__SubscribeResult result = {TR_MESSAGE_BASE(subscribe_result), .world = world->id,
                                      .every_ticks = every_ticks, .tick = world->tick};
    Troupe__Response response =
        tr_response_of(request, TROUPE__RESPONSE__RESULT_SUBSCRIBE, &result);
    tr_session_respond(session, &response);
}

static void subscribe_to(tr_relayed_world *world, tr_session *session, uint64_t request,
                         const Troupe__Subscribe *m) {
    tr_error error = {0};
    uint32_t every_ticks = 0;
    tr_status status = tr_every_ticks(m, world->step_s, &every_ticks, &error);
    if (!status)
        status = tr_session_subscribe(session, &world->subscriptions, every_ticks, m->fields,
                                      m->events, &error);
    if (status)
        tr_session_refuse(session, request, &error);
    else
        respond_subscribed(session, request, world, every_ticks);
}

/* The world of a GetWorld that a Subscribe waited for. */
static void on_world_known(tr_relay *relay, tr_session *session, const tr_inquirer *who,
                           const Troupe__WorldInfo *info) {
    tr_relayed_world *world = find_world(relay, info->id);
    if (!world) {
        prune(relay);
        world = tr_relayed_world_create(&relay->links, relay->def.tally, info);
        if (!world) {
            const tr_error error = {TR_RESOURCE_EXHAUSTED, "out of memory"};
            tr_session_refuse(session, who->request, &error);
            return;
        }
        world->next = relay->worlds;
        relay->worlds = world;
    }
    subscribe_to(world, session, who->request, &who->subscribe);
}

static void on_answered(void *context, const tr_inquirer *who, Troupe__Response *response) {
    tr_relay *relay = context;
    tr_session *session = tr_sessions_find(relay->def.sessions, who->session);
    if (!session)
        return;
    if (response->code != TROUPE__STATUS_CODE__STATUS_CODE_OK) {
        tr_error error = {0};
        (void)tr_fail(&error, tr_mapping_status(response->code), "%s", response->message);
        tr_session_refuse(session, who->request, &error);
    } else if (who->subscribe.world != 0 &&
               response->result_case == TROUPE__RESPONSE__RESULT_WORLD) {
        on_world_known(relay, session, who, response->world);
    } else {
        response->request_id = who->request;
        tr_session_respond(session, response);
    }
}

static void on_failed(void *context, const tr_inquirer *who, const tr_error *error) {
    const tr_relay *relay = context;
    tr_session *session = tr_sessions_find(relay->def.sessions, who->session);
    if (session)
        tr_session_refuse(session, who->request, error);
}

/* --- requests of readers --- */

static void ask(tr_relay *relay, tr_session *session, Troupe__ClientMessage *question,
                const tr_inquirer *who) {
    tr_error error = {0};
    if (tr_inquiries_ask(&relay->inquiries, relay->links.link[0]->upstream, question, who,
                         uv_now(relay->def.loop), &error))
        tr_session_refuse(session, who->request, &error);
}

void tr_relay_ask(tr_relay *relay, tr_session *session, Troupe__ClientMessage *question) {
    const tr_inquirer who = {.session = tr_session_id(session), .request = question->request_id};
    ask(relay, session, question, &who);
}

/* A world with readers is known, and its end would have been noticed. */
void tr_relay_subscribe(tr_relay *relay, tr_session *session, uint64_t request,
                        const Troupe__Subscribe *subscribe) {
    tr_relayed_world *world = find_world(relay, subscribe->world);
    if (world && tr_relayed_world_is_watched(world)) {
        subscribe_to(world, session, request, subscribe);
        return;
    }
    const tr_inquirer who = {
        .session = tr_session_id(session), .request = request, .subscribe = *subscribe};
    Troupe__GetWorld get = {TR_MESSAGE_BASE(get_world), .world = subscribe->world};
    Troupe__ClientMessage question = TROUPE__CLIENT_MESSAGE__INIT;
    tr_message_choose(&question.base, &get.base);
    ask(relay, session, &question, &who);
}

/* --- messages of the daemon upstream --- */

/* What a relay needs of a WorldState. `size`: its bytes without dropped_states, which comes last
 * and is each reader's own. */
typedef struct state_parts {
    uint64_t world, epoch, tick, dropped;
    size_t size;
} state_parts;

static bool split_state(const uint8_t *data, const uint8_t *end, state_parts *out) {
    enum { WORLD = 1, EPOCH = 2, TICK = 3, DROPPED = 9 };
    *out = (state_parts){.size = (size_t)(end - data)};
    for (const uint8_t *at = data; at < end;) {
        const uint8_t *begin = at;
        tr_message_field field;
        if (!tr_message_next_field(&at, end, &field))
            return false;
        uint64_t *kept = field.tag == WORLD << 3     ? &out->world
                         : field.tag == EPOCH << 3   ? &out->epoch
                         : field.tag == TICK << 3    ? &out->tick
                         : field.tag == DROPPED << 3 ? &out->dropped
                                                     : NULL;
        if (kept)
            *kept = field.value;
        if (field.tag == DROPPED << 3 && at == end)
            out->size = (size_t)(begin - data);
    }
    return out->world != 0;
}

static void on_state(tr_relay *relay, const tr_link *link, const uint8_t *data, size_t size) {
    const uint8_t *end = data + size;
    tr_message_field whole;
    state_parts state;
    if (!tr_message_next_field(&data, end, &whole) || data != end ||
        !split_state(whole.content, end, &state))
        return;
    tr_relayed_world *world = find_world(relay, (uint32_t)state.world);
    if (!world)
        return;
    world->epoch = (uint32_t)state.epoch;
    world->tick = (int64_t)state.tick;
    (void)tr_relayed_world_state(world, link,
                                 &(tr_relayed_state){whole.content, state.size, state.dropped});
}

static void on_events(tr_relay *relay, const tr_link *link, const Troupe__EventBatch *batch,
                      const uint8_t *data, size_t size) {
    tr_relayed_world *world = find_world(relay, batch->world);
    if (world)
        (void)tr_relayed_world_events(world, link, batch, data, size);
}

/* Takes the message. */
static void on_response(tr_relay *relay, const tr_link *link, Troupe__ServerMessage *take_message,
                        size_t size) {
    bool is_first = link == relay->links.link[0];
    if (is_first &&
        tr_inquiries_take(&relay->inquiries, take_message, size, uv_now(relay->def.loop)))
        return;
    for (tr_relayed_world *world = relay->worlds; world; world = world->next)
        if (tr_relayed_world_response(world, link, take_message->response))
            break;
    tr_message_destroy(&take_message->base);
}

/* A state is passed on without decoding it: field 2 of ServerMessage, whose length follows. */
static void on_frame(void *context, const uint8_t *data, size_t size) {
    enum { STATE_TAG = 2 << 3 | 2 };
    const tr_link *link = context;
    tr_relay *relay = link->links->context;
    ProtobufCMessage *base = NULL;
    if (size > 0 && data[0] == STATE_TAG) {
        on_state(relay, link, data, size);
        return;
    }
    if (tr_message_decode(&troupe__server_message__descriptor, data, size, &base))
        return;
    Troupe__ServerMessage *message = (Troupe__ServerMessage *)base;
    if (message->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE) {
        on_response(relay, link, message, size);
        return;
    }
    if (message->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_EVENTS)
        on_events(relay, link, message->events, data, size);
    tr_message_destroy(base);
}

/* Several links report the same restart: it counts once, or the worlds made since would end too. */
static bool has_restarted(const tr_relay *relay, const tr_upstream_welcome *welcome) {
    return welcome->instance == 0 && relay->instance == 0 ? welcome->ids_fell
                                                          : welcome->instance != relay->instance;
}

/* Later, what the daemon refuses is logged instead (relayed_world.c): readers are served as far as
 * it goes. */
static void check_first_welcome(tr_relay *relay, const tr_upstream_welcome *welcome) {
    const tr_relay_def *def = &relay->def;
    uint32_t max = welcome->subscriptions_max;
    if (!relay->was_welcomed && max > 0 && max < (uint32_t)def->subscriptions)
        (void)tr_fail(&relay->refusal, TR_PERMISSION_DENIED,
                      "%s: allows %u subscriptions at %s; expected at least %d "
                      "(relay.subscriptions): raise 'subscriptions' of the %s there, or lower "
                      "relay.subscriptions here",
                      def->key_file[0] != '\0' ? "relay.key_file" : "relay: no key", max,
                      relay->upstream, def->subscriptions,
                      def->key_file[0] != '\0' ? "key or its role" : "role of 'anonymous'");
    relay->was_welcomed = true;
}

static void on_opened(void *context, const tr_upstream_welcome *welcome) {
    tr_link *link = context;
    tr_relay *relay = link->links->context;
    bool restarted = has_restarted(relay, welcome);
    relay->instance = welcome->instance;
    check_first_welcome(relay, welcome);
    for (tr_relayed_world *world = relay->worlds; world; world = world->next)
        if (restarted && !world->gone)
            tr_relayed_world_end(world);
        else if (!world->gone)
            tr_relayed_world_link_opened(world, link);
}

static void on_lost(void *context, const char *reason) {
    const tr_link *link = context;
    tr_relay *relay = link->links->context;
    tr_error error = {0};
    (void)tr_fail(&error, TR_UNAVAILABLE, "the relay lost its daemon %s: %s", relay->upstream,
                  reason);
    if (link == relay->links.link[0])
        tr_inquiries_fail(&relay->inquiries, &error);
}

static void on_timer(uv_timer_t *timer) {
    tr_relay *relay = timer->data;
    if (relay->refusal.status) {
        tr_error refusal = relay->refusal;
        relay->refusal.status = TR_OK;
        relay->def.refused(relay->def.context, &refusal);
        return;
    }
    bool retry = uv_now(timer->loop) >= relay->retry_ms;
    for (tr_relayed_world *world = relay->worlds; world; world = world->next) {
        (void)tr_relayed_world_serve_new(world);
        if (retry)
            tr_relayed_world_retry(world);
    }
    if (retry)
        relay->retry_ms = uv_now(timer->loop) + RETRY_MS;
}

/* --- life --- */

static tr_status read_key(const char *path, tr_key *out, tr_error *error) {
    char shown[TR_CONFIG_TEXT_MAX + 32];
    FILE *file = fopen(path, "re");
    snprintf(shown, sizeof shown, "relay.key_file %s", path);
    if (!file)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: %s", shown, strerror(errno));
    tr_status status = tr_key_read(file, shown, out, error);
    fclose(file);
    return status;
}

static void one_less(tr_relay *relay) {
    if (--relay->open_handles == 0 && relay->closed)
        relay->closed(relay->closed_context);
}

static void on_links_closed(void *context) {
    one_less(context);
}

static void on_timer_closed(uv_handle_t *handle) {
    one_less(handle->data);
}

static tr_status open_links(tr_relay *relay) {
    const tr_relay_def *def = &relay->def;
    relay->links = (tr_links){.def = {.loop = def->loop,
                                      .host = def->host,
                                      .port = def->port,
                                      .tls = relay->tls,
                                      .key = def->key_file[0] != '\0' ? &relay->key : NULL,
                                      .opened = on_opened,
                                      .frame = on_frame,
                                      .lost = on_lost},
                              .context = relay,
                              .closed = on_links_closed};
    return tr_links_open(&relay->links);
}

tr_status tr_relay_create(const tr_relay_def *def, tr_relay **out, tr_error *error) {
    tr_relay *relay = calloc(1, sizeof *relay);
    if (!relay)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    relay->def = *def;
    snprintf(relay->upstream, sizeof relay->upstream, "%s:%d", def->host, def->port);
    relay->inquiries =
        (tr_inquiries){.context = relay, .answered = on_answered, .failed = on_failed};
    tr_status status =
        def->key_file[0] != '\0' ? read_key(def->key_file, &relay->key, error) : TR_OK;
    if (!status && def->tls)
        status = tr_tls_connect(def->ca[0] != '\0' ? def->ca : NULL, &relay->tls, error);
    if (!status && open_links(relay))
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (status) {
        tr_relay_destroy(relay);
        return status;
    }
    uv_timer_init(def->loop, &relay->timer);
    relay->timer.data = relay;
    uv_timer_start(&relay->timer, on_timer, SERVE_NEW_MS, SERVE_NEW_MS);
    relay->open_handles = 2;
    *out = relay;
    return TR_OK;
}

void tr_relay_close(tr_relay *relay, void (*closed)(void *context), void *context) {
    relay->closed = closed;
    relay->closed_context = context;
    if (relay->links.closing)
        return;
    for (tr_relayed_world *world = relay->worlds; world; world = world->next) {
        world->gone = true;
        tr_subscriptions_end(&world->subscriptions);
    }
    prune(relay);
    uv_close((uv_handle_t *)&relay->timer, on_timer_closed);
    tr_links_close(&relay->links);
}

void tr_relay_destroy(tr_relay *relay) {
    if (!relay)
        return;
    prune(relay);
    tr_inquiries_deinit(&relay->inquiries);
    tr_tls_destroy(relay->tls);
    tr_key_forget(&relay->key);
    free(relay);
}

const char *tr_relay_upstream(const tr_relay *relay) {
    return relay->upstream;
}

int tr_relay_link_count(const tr_relay *relay) {
    int count = 0;
    for (int i = 0; i < relay->links.count && !relay->links.closing; i++)
        count += tr_upstream_is_open(relay->links.link[i]->upstream);
    return count;
}

bool tr_relay_is_linked(const tr_relay *relay) {
    const tr_link *first = relay->links.link[0];
    return first && tr_upstream_is_open(first->upstream);
}

double tr_relay_silent_s(const tr_relay *relay) {
    const tr_link *first = relay->links.link[0];
    return first ? (double)tr_upstream_silent_ms(first->upstream) * 1e-3 : 0;
}

void tr_relay_must_hold(const tr_relay *relay, uint64_t turn, tr_invariant *broken) {
    uint64_t count = 0, at = 0;
    tr_inquiries_must_hold(&relay->inquiries, broken);
    for (const tr_relayed_world *world = relay->worlds; world; world = world->next)
        count++;
    for (const tr_relayed_world *world = relay->worlds; world; world = world->next, at++)
        if (at == turn % count)
            tr_subscriptions_must_hold(&world->subscriptions, broken);
}
