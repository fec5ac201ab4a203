#include "client.h"

#include "audit.h"
#include "scheduler.h"
#include "server/requests/commands/commands.h"
#include "server/requests/request_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_S = 30 };

#define SECOND_NS 1000000000LL
#define REQUEST(name) TROUPE__CLIENT_MESSAGE__REQUEST_##name
#define COMMAND(name) TROUPE__COMMAND__COMMAND_##name

sim_model model;
client_count client_counts[ROWS_MAX];
long clients_restored;

static client all[CLIENTS], storm[STORM];
static bool auditing, resting;
static uint64_t connections; /* so that no two requests have one id */

/* --- promises --- */

int number_of(const char *name) {
    return name && strlen(name) == 2 && name[1] >= '0' && name[1] < '0' + NAMES ? name[1] - '0'
                                                                                : -1;
}

static promise *item_of(const asked *a) {
    bool match = a->request == REQUEST(START_MATCH) || a->request == REQUEST(GET_MATCH) ||
                 a->request == REQUEST(REMOVE_MATCH) || a->request == REQUEST(WATCH_MATCH) ||
                 a->request == REQUEST(CANCEL_MATCH);
    return a->item < 0 ? NULL : match ? &model.match[a->item] : &model.recording[a->item];
}

static bool adds(const asked *a) {
    return a->request == REQUEST(START_MATCH) || a->request == REQUEST(UPLOAD_RECORDING) ||
           a->request == REQUEST(RECORD_BOUT) || a->command == COMMAND(START_RECORDING);
}

static bool removes(const asked *a) {
    return a->request == REQUEST(REMOVE_MATCH) || a->request == REQUEST(DELETE_RECORDING);
}

static void begin_change(promise *item, const asked *a) {
    if (adds(a)) {
        item->additions++;
        item->size = 0;
        item->added_ns = sim_now_ns();
        if (item->presence == GONE)
            item->presence = UNKNOWN;
    }
    if (removes(a)) {
        item->removals++;
        item->removed_ns = sim_now_ns();
        item->presence = UNKNOWN;
    }
}

/* A removal that overlaps with the request may have come after it. */
static void keep(promise *item, int64_t sent_ns) {
    if (item->removals == 0 && item->removed_ns < sent_ns)
        item->presence = KEPT;
}

static void end_change(promise *item, const asked *a, bool ok) {
    if (adds(a)) {
        item->additions--;
        item->added_ns = sim_now_ns();
    }
    if (removes(a)) {
        item->removals--;
        item->removed_ns = sim_now_ns();
        if (ok && item->additions == 0 && item->added_ns < a->sent_ns)
            item->presence = GONE;
    }
    /* A recording is kept when it was stopped. */
    if (ok && adds(a) && a->request != REQUEST(COMMAND))
        keep(item, a->sent_ns);
}

/* What is stored is found, and what was removed is not. */
static void check_presence(const asked *a, const Troupe__Response *r) {
    const promise *item = item_of(a);
    bool asks = a->request == REQUEST(GET_MATCH) || a->request == REQUEST(GET_RECORDING) ||
                a->request == REQUEST(DOWNLOAD_RECORDING);
    if (!item || !asks || a->was != item->presence || item->removed_ns >= a->sent_ns)
        return;
    bool missing = r->code == TROUPE__STATUS_CODE__STATUS_CODE_NOT_FOUND;
    if (item->presence == KEPT && missing)
        sim_fail("a request was acknowledged and is lost: %s", r->message);
    bool match = a->request == REQUEST(GET_MATCH) && r->code == TROUPE__STATUS_CODE__STATUS_CODE_OK;
    if (item->presence == GONE && match && item->added_ns < a->sent_ns)
        sim_fail("match %d was removed, and is there", a->item);
}

/* --- matches --- */

/* asked_ns: when detail was asked for. An answer may arrive after news that is later. */
static void note_match(const Troupe__MatchInfo *info, const Troupe__MatchDetail *detail,
                       int64_t asked_ns) {
    int at = number_of(info->name);
    promise *item = at < 0 ? NULL : &model.match[at];
    if (!item || info->created_unix_ns < item->created_ns)
        return;
    bool ended = info->state != TROUPE__MATCH_STATE__MATCH_STATE_RUNNING;
    bool same = info->created_unix_ns == item->created_ns;
    bool had_ended = same && item->state > TROUPE__MATCH_STATE__MATCH_STATE_RUNNING;
    if (had_ended && detail && (int)info->state != item->state && asked_ns > item->heard_ns)
        sim_fail("match %d had ended as %d, and is now %d", at, item->state, (int)info->state);
    uint64_t hash = detail && ended ? detail->results_hash : 0;
    if (had_ended && hash != 0 && item->results_hash != 0 && hash != item->results_hash)
        sim_fail("match %d has other results than before", at);
    item->created_ns = info->created_unix_ns;
    item->bouts_done =
        same && item->bouts_done > info->bouts_done ? item->bouts_done : info->bouts_done;
    item->results_hash = !same ? hash : hash != 0 ? hash : item->results_hash;
    if (!same || ended)
        item->state = (int)info->state;
    item->heard_ns = sim_now_ns();
}

static void note_detail(const asked *a, const Troupe__MatchDetail *detail) {
    const promise *item = &model.match[a->item];
    uint32_t counted = detail->draws + detail->voids;
    for (size_t i = 0; i < detail->n_teams; i++)
        counted += detail->teams[i]->wins;
    if (counted != detail->info->bouts_done)
        sim_fail("match %d: %u bouts are done, and %u counted", a->item, detail->info->bouts_done,
                 counted);
    if (detail->info->created_unix_ns == item->created_ns && a->sent_ns > item->heard_ns &&
        a->step != 0 && detail->info->bouts_done < item->bouts_done)
        sim_fail("match %d: %u bouts were stored, and %u are there", a->item, item->bouts_done,
                 detail->info->bouts_done);
    note_match(detail->info, detail, a->sent_ns);
}

/* --- requests --- */

static uint64_t hash_of(const ProtobufCBinaryData *snapshot) {
    bool whole = model.snapshot && snapshot->len == model.snapshot_size &&
                 memcmp(snapshot->data, model.snapshot, snapshot->len) == 0;
    return whole ? model.snapshot_hash : 0;
}

static int item_in(const Troupe__ClientMessage *m) {
    switch (m->request_case) {
    case REQUEST(REMOVE_MATCH):
        return number_of(m->remove_match->name);
    case REQUEST(START_MATCH):
        return number_of(m->start_match->match->name);
    case REQUEST(GET_MATCH):
        return number_of(m->get_match->name);
    case REQUEST(WATCH_MATCH):
        return number_of(m->watch_match->name);
    case REQUEST(CANCEL_MATCH):
        return number_of(m->cancel_match->name);
    case REQUEST(DELETE_RECORDING):
        return number_of(m->delete_recording->name);
    case REQUEST(GET_RECORDING):
        return number_of(m->get_recording->name);
    case REQUEST(DOWNLOAD_RECORDING):
        return number_of(m->download_recording->name);
    case REQUEST(UPLOAD_RECORDING):
        return m->upload_recording->last ? number_of(m->upload_recording->name) : -1;
    case REQUEST(RECORD_BOUT):
        return number_of(m->record_bout->recording);
    case REQUEST(COMMAND):
        return m->command->command_case == TROUPE__COMMAND__COMMAND_START_RECORDING
                   ? number_of(m->command->start_recording->name)
                   : -1;
    default:
        return -1;
    }
}

static void remember(client *c, const Troupe__ClientMessage *m, int step) {
    asked *a = &c->asked[c->asked_count++];
    *a = (asked){.id = m->request_id, .sent_ns = sim_now_ns(), .request = m->request_case};
    a->step = step;
    a->item = item_in(m);
    if (m->request_case == REQUEST(GET_WORLD))
        a->world = m->get_world->world;
    if (m->request_case == REQUEST(SUBSCRIBE))
        a->world = m->subscribe->world, a->events = m->subscribe->events,
        a->inputs = (m->subscribe->fields & TROUPE__STATE_FIELD__STATE_FIELD_INPUTS) != 0;
    if (m->request_case == REQUEST(UNSUBSCRIBE))
        a->world = m->unsubscribe->world;
    if (m->request_case == REQUEST(COMMAND)) {
        a->command = m->command->command_case;
        a->world = m->command->world;
        if (a->command == COMMAND(RESTORE))
            a->hash = hash_of(&m->command->restore->data);
    }
    promise *item = item_of(a);
    if (!item)
        return;
    begin_change(item, a);
    a->was = item->presence;
}

static void send_message(client *c, Troupe__ClientMessage *m, int step) {
    static uint8_t bytes[1 << 22];
    size_t size = troupe__client_message__get_packed_size(m), at = 0;
    if (size > sizeof bytes - 16 || c->asked_count == ASKED_MAX)
        return;
    m->request_id = ++c->last_id;
    uint8_t id[8];
    memcpy(id, &c->last_id, sizeof id);
    if (m->request_case == REQUEST(PING)) /* to be returned */
        m->ping->payload = (ProtobufCBinaryData){sizeof id, id};
    size = troupe__client_message__get_packed_size(m);
    for (size_t rest = size; at == 0 || rest > 0; rest >>= 7)
        bytes[at++] = (uint8_t)((rest & 127) | (rest > 127 ? 128 : 0));
    at += troupe__client_message__pack(m, bytes + at);
    remember(c, m, step);
    client_counts[m->request_case].sent++;
    sim_note(bytes, at);
    line_send(c->line, bytes, at);
}

void client_ask(client *c, Troupe__ClientMessage__RequestCase request, void *body, int step) {
    Troupe__ClientMessage m = TROUPE__CLIENT_MESSAGE__INIT;
    m.request_case = request;
    m.hello = body;
    send_message(c, &m, step);
}

static void send_hello(client *c) {
    static const tr_scram_binding unbound = {.header = TR_SCRAM_UNBOUND};
    Troupe__Hello hello = TROUPE__HELLO__INIT;
    char nonce[TR_SCRAM_NONCE_MAX], first[TR_SCRAM_MESSAGE_MAX];
    hello.protocol_major = TR_PROTOCOL_MAJOR;
    hello.client_name = "sim";
    if (c->key) {
        const char *name = strcmp(c->key, SIM_PLAYER_KEY) == 0 ? "player" : "director";
        if (tr_scram_nonce(nonce) ||
            tr_scram_client_first(&c->scram, name, c->key, nonce, &unbound, first))
            abort();
        hello.scram_first = first;
    }
    client_ask(c, REQUEST(HELLO), &hello, 0);
}

static void authenticate(client *c, const char *server_first) {
    Troupe__Authenticate proof = TROUPE__AUTHENTICATE__INIT;
    char final[TR_SCRAM_MESSAGE_MAX];
    if (tr_scram_client_final(&c->scram, server_first, final))
        sim_fail("the daemon's login challenge is none");
    proof.scram_final = final;
    client_ask(c, REQUEST(AUTHENTICATE), &proof, 0);
}

/* A recording is sent in two parts at times, with bytes behind it that do not belong to it. */
static void send_drawn(client *c) {
    static uint8_t rest[4 << 20];
    Troupe__ClientMessage m = TROUPE__CLIENT_MESSAGE__INIT;
    draw_request(&m);
    if (m.request_case == REQUEST(UPLOAD_RECORDING) && model.record_size > 1 && sim_one_in(2)) {
        Troupe__UploadRecording *part = m.upload_recording;
        part->data.len = model.record_size / 2;
        part->last = false;
        send_message(c, &m, 0);
        part->offset = part->data.len;
        size_t size = model.record_size - part->data.len, more = (size_t)sim_below(40);
        if (size + more <= sizeof rest) {
            memset(mempcpy(rest, model.record + part->data.len, size), 0, more);
            part->data = (ProtobufCBinaryData){size + more, rest};
        }
        part->last = true;
    }
    send_message(c, &m, 0);
}

/* --- subscriptions --- */

static watched *find_watched(client *c, uint32_t world) {
    for (int i = 0; i < c->watched_count; i++)
        if (c->watched[i].world == world)
            return &c->watched[i];
    return NULL;
}

static void forget_watched(client *c, uint32_t world) {
    watched *w = find_watched(c, world);
    if (w)
        *w = c->watched[--c->watched_count];
}

/* A subscription that replaces another continues its events without a gap. */
static void begin_watching(client *c, const asked *a, const Troupe__SubscribeResult *result) {
    const watched *before = find_watched(c, a->world);
    watched now = {.world = a->world, .since = a->id};
    if (before && before->events && a->events)
        now = *before;
    now.every_ticks = result->every_ticks;
    now.events = a->events;
    now.inputs = a->inputs;
    now.seen = false;
    forget_watched(c, a->world);
    if (c->watched_count < WATCHED_MAX)
        c->watched[c->watched_count++] = now;
}

/* Commands, each with a subscription before it that replaces the last one: of events, or of inputs
 * as a mirror has. */
static void send_resubscriptions(client *c) {
    if (model.world_count == 0)
        return;
    uint32_t world = model.world[sim_below(model.world_count)];
    bool mirrors = sim_one_in(3);
    for (int i = 0; i < 8 && c->asked_count < ASKED_MAX - 2; i++) {
        Troupe__Subscribe subscribe = TROUPE__SUBSCRIBE__INIT;
        Troupe__SetRate rate = TROUPE__SET_RATE__INIT;
        Troupe__Command change = TROUPE__COMMAND__INIT;
        subscribe.world = change.world = world;
        subscribe.events = !mirrors;
        subscribe.fields = mirrors ? TROUPE__STATE_FIELD__STATE_FIELD_INPUTS : 0;
        subscribe.rate_hz = mirrors ? 100 : 0;
        client_ask(c, REQUEST(SUBSCRIBE), &subscribe, 0);
        rate.rate = 1;
        change.command_case = COMMAND(SET_RATE);
        change.set_rate = &rate;
        client_ask(c, REQUEST(COMMAND), &change, 0);
    }
}

/* Does a second of two moments come before the first? */
static bool goes_back(uint32_t epoch, int64_t tick, uint32_t next_epoch, int64_t next_tick) {
    return next_epoch < epoch || (next_epoch == epoch && next_tick < tick);
}

static bool is_replay(uint32_t world) {
    for (int i = 0; i < 4 * WORLDS; i++)
        if (model.replay[i] == world)
            return true;
    return false;
}

/* States come in order, and those that are left out are counted; a replay that seeks makes steps
 * that no one is to see. */
static void take_state(client *c, const Troupe__WorldState *s) {
    watched *w = find_watched(c, s->world);
    if (!w || w->every_ticks == 0)
        sim_fail("a state of world %u, which is not subscribed", s->world);
    if (w->seen && goes_back(w->epoch, w->tick, s->epoch, s->tick))
        sim_fail("world %u goes back from tick %lld to %lld", s->world, (long long)w->tick,
                 (long long)s->tick);
    int64_t due = s->tick / w->every_ticks - w->tick / w->every_ticks;
    if (w->seen && w->epoch == s->epoch && !is_replay(s->world) &&
        (int64_t)(s->dropped_states - w->dropped) < due - 1)
        sim_fail("world %u: %lld states are left out to tick %lld, and %lld counted", s->world,
                 (long long)due - 1, (long long)s->tick,
                 (long long)(s->dropped_states - w->dropped));
    w->seen = true;
    w->epoch = s->epoch;
    w->tick = s->tick;
    w->dropped = s->dropped_states;
}

static void take_applied(client *c, watched *w, const Troupe__Event *e) {
    if (e->session != c->session)
        return;
    for (int i = 0; i < w->owed_count; i++)
        if (w->owed[i] == e->request_id)
            w->owed[i--] = w->owed[--w->owed_count];
    for (int i = 0; i < c->asked_count; i++)
        if (c->asked[i].id == e->request_id)
            c->asked[i].applied = true;
}

static void take_events(client *c, const Troupe__EventBatch *batch) {
    for (size_t i = 0; i < batch->n_events; i++) {
        const Troupe__Event *e = batch->events[i];
        watched *w = find_watched(c, batch->world);
        if (!w || !(w->events || w->inputs))
            sim_fail("an event of world %u, which is not subscribed", batch->world);
        if (e->kind == TROUPE__EVENT_KIND__EVENT_KIND_DROPPED) {
            w->lost = true;
            continue;
        }
        if (goes_back(w->event_epoch, w->event_tick, e->epoch, e->tick))
            sim_fail("events of world %u go back to tick %lld", batch->world, (long long)e->tick);
        if (e->kind == TROUPE__EVENT_KIND__EVENT_KIND_SOUGHT && e->epoch == w->event_epoch)
            sim_fail("world %u has sought, and its epoch is the old one", batch->world);
        w->event_epoch = e->epoch;
        w->event_tick = e->tick;
        if (e->kind == TROUPE__EVENT_KIND__EVENT_KIND_APPLIED)
            take_applied(c, w, e);
        if (e->kind == TROUPE__EVENT_KIND__EVENT_KIND_DESTROYED)
            forget_watched(c, batch->world);
    }
}

static void expect_event(client *c, const asked *a) {
    watched *w = find_watched(c, a->world);
    const tr_command_kind *kind = tr_command_find(&tr_commands, a->command);
    bool owes = w && w->events && a->id > w->since && kind && !kind->quiet && !a->applied;
    if (owes && w->owed_count < OWED_MAX)
        w->owed[w->owed_count++] = a->id;
}

void clients_check_events(void) {
    for (int i = 0; i < CLIENTS; i++)
        for (int k = 0; all[i].line && k < all[i].watched_count; k++) {
            const watched *w = &all[i].watched[k];
            if (w->owed_count > 0 && !w->lost)
                sim_fail("a subscriber of world %u has not heard of request %llu", w->world,
                         (unsigned long long)w->owed[0]);
        }
}

/* --- answers --- */

static void meet_world(const Troupe__WorldInfo *info) {
    uint32_t id = info->id;
    if (info->replay_of[0] != '\0')
        model.replay[model.replay_count++ % (4 * WORLDS)] = id;
    for (int i = 0; i < model.world_count; i++)
        if (model.world[i] == id)
            return;
    if (model.world_count == WORLDS)
        memmove(model.world, model.world + 1, sizeof(uint32_t) * (size_t)--model.world_count);
    model.world[model.world_count++] = id;
}

static void keep_bytes(uint8_t **out, size_t *out_size, const ProtobufCBinaryData *data) {
    free(*out);
    *out = malloc(data->len);
    if (!*out)
        abort();
    memcpy(*out, data->data, data->len);
    *out_size = data->len;
}

static void learn_command(client *c, const asked *a, const Troupe__CommandResult *result) {
    expect_event(c, a);
    if (a->command == COMMAND(SNAPSHOT) && result->data.len > 0) {
        keep_bytes(&model.snapshot, &model.snapshot_size, &result->data);
        model.snapshot_hash = result->hash;
    }
    if (a->hash != 0 && result->hash != a->hash)
        sim_fail("a restored world has another hash than its snapshot");
    clients_restored += a->hash != 0;
    if (a->command == COMMAND(START_RECORDING) && a->item >= 0) {
        int at = model.made_count < WORLDS ? model.made_count++ : sim_below(WORLDS);
        model.made[at].world = a->world;
        model.made[at].recording = a->item;
    }
    for (int i = 0; a->command == COMMAND(STOP_RECORDING) && i < model.made_count; i++)
        if (model.made[i].world == a->world && model.made[i].recording >= 0) {
            keep(&model.recording[model.made[i].recording], a->sent_ns);
            model.made[i].recording = -1;
        }
}

static void learn_session(client *c, const Troupe__Response *r) {
    if (r->result_case == TROUPE__RESPONSE__RESULT_LOGIN_CHALLENGE) {
        authenticate(c, r->login_challenge->scram_first);
        return;
    }
    if (c->key && !tr_scram_client_trusts(&c->scram, r->hello->scram_final))
        sim_fail("the daemon does not prove that it knows the key");
    c->admitted = true;
    c->session = r->hello->session_id;
    c->next_ns = sim_now_ns();
}

/* Where the field of a result is not that of its request. */
static unsigned result_of(const asked *a) {
    static const uint8_t other[ROWS_MAX] = {
        [REQUEST(COMMAND)] = TROUPE__RESPONSE__RESULT_COMMAND,
        [REQUEST(AUTHENTICATE)] = TROUPE__RESPONSE__RESULT_HELLO,
        [REQUEST(GET_WORLD)] = TROUPE__RESPONSE__RESULT_WORLD,
        [REQUEST(CLAIM_WORLD)] = TROUPE__RESPONSE__RESULT_WORLD,
        [REQUEST(REPLAY)] = TROUPE__RESPONSE__RESULT_WORLD,
        [REQUEST(LIST_RECORDINGS)] = TROUPE__RESPONSE__RESULT_RECORDING_LIST,
        [REQUEST(GET_RECORDING)] = TROUPE__RESPONSE__RESULT_RECORDING,
        [REQUEST(RECORD_BOUT)] = TROUPE__RESPONSE__RESULT_RECORDING,
        [REQUEST(WATCH_MATCH)] = TROUPE__RESPONSE__RESULT_MATCH,
        [REQUEST(CANCEL_MATCH)] = TROUPE__RESPONSE__RESULT_MATCH,
        [REQUEST(STOP_TRAINING)] = TROUPE__RESPONSE__RESULT_TRAINING,
        [REQUEST(ADD_BUNDLE)] = TROUPE__RESPONSE__RESULT_CONTROLLER_LIST,
    };
    return other[a->request] ? other[a->request] : a->request;
}

/* Is it the answer to this request, and to no other? */
static void check_result(const client *c, const asked *a, const Troupe__Response *r) {
    static const unsigned without[] = {REQUEST(DESTROY_WORLD),    REQUEST(UNSUBSCRIBE),
                                       REQUEST(DELETE_RECORDING), REQUEST(UNWATCH_MATCH),
                                       REQUEST(REMOVE_MATCH),     REQUEST(ADD_BUNDLE)};
    bool fits = r->result_case == result_of(a);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        fits = fits || (a->request == without[i] && r->result_case == 0);
    if (a->request == REQUEST(HELLO))
        fits = fits || (c->key && r->result_case == TROUPE__RESPONSE__RESULT_LOGIN_CHALLENGE);
    if (a->request == REQUEST(UPLOAD_RECORDING))
        fits = r->result_case == (a->item < 0 ? 0 : TROUPE__RESPONSE__RESULT_RECORDING);
    if (a->request == REQUEST(PING))
        fits = r->pong->payload.len == 8 && memcmp(r->pong->payload.data, &a->id, 8) == 0;
    if (a->request == REQUEST(GET_WORLD))
        fits = fits && r->world->id == a->world;
    if (a->request == REQUEST(GET_MATCH) && fits)
        fits = number_of(r->match_detail->info->name) == a->item;
    if (r->result_case == TROUPE__RESPONSE__RESULT_RECORDING)
        fits = fits && number_of(r->recording->name) == a->item;
    if (!fits)
        sim_fail("request %llu, field %u, was answered with %u", (unsigned long long)a->id,
                 a->request, (unsigned)r->result_case);
    const tr_request_row *row = tr_request_row_find((Troupe__ClientMessage__RequestCase)a->request);
    tr_role role = !c->key                               ? TR_ROLE_ADMIN
                   : strcmp(c->key, SIM_PLAYER_KEY) == 0 ? TR_ROLE_PLAYER
                                                         : TR_ROLE_DIRECTOR;
    if (row->role > role)
        sim_fail("field %u was served to a %s", a->request, tr_role_name(role));
}

static void learn_result(client *c, const asked *a, Troupe__Response *r) {
    client_counts[a->request].ok++;
    check_result(c, a, r);
    if (a->request == REQUEST(HELLO) || a->request == REQUEST(AUTHENTICATE))
        learn_session(c, r);
    if (a->request == REQUEST(SUBSCRIBE))
        begin_watching(c, a, r->subscribe);
    if (a->request == REQUEST(UNSUBSCRIBE))
        forget_watched(c, a->world);
    if (r->result_case == TROUPE__RESPONSE__RESULT_WORLD)
        meet_world(r->world);
    if (r->result_case == TROUPE__RESPONSE__RESULT_COMMAND)
        learn_command(c, a, r->command);
    if (r->result_case == TROUPE__RESPONSE__RESULT_MATCH)
        note_match(r->match, NULL, 0);
    if (r->result_case == TROUPE__RESPONSE__RESULT_MATCH_DETAIL && a->item >= 0)
        note_detail(a, r->match_detail);
    if (r->result_case == TROUPE__RESPONSE__RESULT_RECORDING_PART) {
        const Troupe__RecordingPart *part = r->recording_part;
        if (part->data.len > 0 && part->data.len == part->size_bytes)
            keep_bytes(&model.record, &model.record_size, &part->data);
    }
}

static void check_size(const asked *a, promise *item, const Troupe__Recording *recording) {
    if (a->request == REQUEST(UPLOAD_RECORDING) && item->additions == 0 && item->presence == KEPT)
        item->size = recording->size_bytes;
    bool same = a->was == KEPT && item->presence == KEPT && item->removed_ns < a->sent_ns;
    if (a->request == REQUEST(GET_RECORDING) && same && item->size != 0 &&
        item->size != recording->size_bytes)
        sim_fail("recording %d had %llu bytes, and has %llu", a->item,
                 (unsigned long long)item->size, (unsigned long long)recording->size_bytes);
}

static void take_response(client *c, Troupe__Response *r) {
    int at = 0;
    while (at < c->asked_count && c->asked[at].id != r->request_id)
        at++;
    if (at == c->asked_count)
        sim_fail("an answer to %llu, which this connection has not asked, or not again",
                 (unsigned long long)r->request_id);
    asked a = c->asked[at];
    bool ok = r->code == TROUPE__STATUS_CODE__STATUS_CODE_OK;
    c->asked[at] = c->asked[--c->asked_count];
    promise *item = item_of(&a);
    check_presence(&a, r);
    if (c->asked_count < ASKED_MAX / 2 && strstr(r->message, "requests are unanswered"))
        sim_fail("%d requests wait, and: %s", c->asked_count + 1, r->message);
    if (item)
        end_change(item, &a, ok);
    if (ok)
        learn_result(c, &a, r);
    if (ok && item && r->result_case == TROUPE__RESPONSE__RESULT_RECORDING)
        check_size(&a, item, r->recording);
    if (c >= &all[PLAYERS])
        audit_answer(c, &a, r);
}

static void take_frame(client *c, const tr_frame_view *frame) {
    Troupe__ServerMessage *m = troupe__server_message__unpack(NULL, frame->size, frame->data);
    if (!m)
        sim_fail("the daemon sent a frame that is not a ServerMessage");
    if (m->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_CHALLENGE && !c->admitted)
        send_hello(c);
    if (m->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE)
        take_response(c, m->response);
    if (m->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_STATE)
        take_state(c, m->state);
    if (m->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_EVENTS)
        take_events(c, m->events);
    if (m->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_MATCH_PROGRESS)
        note_match(m->match_progress->info, NULL, 0);
    if (m->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_GOODBYE)
        c->refused = !c->admitted;
    troupe__server_message__free_unpacked(m, NULL);
}

static void on_bytes(void *context, const uint8_t *bytes, size_t size) {
    client *c = context;
    sim_note(bytes, size);
    while (size > 0) {
        tr_frame_view frame = {0};
        if (tr_frame_decoder_take(&c->decoder, &bytes, &size, &frame))
            sim_fail("the daemon sent a frame that is no frame");
        if (!frame.data)
            break;
        take_frame(c, &frame);
    }
}

static void end_session(client *c) {
    c->line = NULL;
    c->admitted = false;
    c->asked_count = c->watched_count = 0;
    tr_frame_decoder_deinit(&c->decoder);
    c->next_ns = sim_now_ns() + SECOND_NS / 4;
}

static void on_ended(void *context) {
    end_session(context);
}

static const line_client listener = {on_bytes, on_ended};

/* --- many that connect at once, and leave when they hear something --- */

static void on_storm_bytes(void *context, const uint8_t *bytes, size_t size) {
    (void)bytes, (void)size;
    ((client *)context)->refused = true;
}

static void on_storm_ended(void *context) {
    ((client *)context)->line = NULL;
}

static void begin_storm(void) {
    static const line_client silent = {on_storm_bytes, on_storm_ended};
    for (int i = 0; i < STORM; i++)
        storm[i] = (client){.line = line_connect(SIM_PORT, &silent, &storm[i], false)};
}

static void end_storm(bool all_of_it) {
    for (int i = 0; i < STORM; i++)
        if (storm[i].line && (storm[i].refused || all_of_it)) {
            line_close(storm[i].line);
            storm[i].line = NULL;
        }
}

/* --- all of them --- */

void clients_begin(void) {
    free(model.snapshot);
    free(model.record);
    memset(&model, 0, sizeof model);
    memset(all, 0, sizeof all);
    memset(storm, 0, sizeof storm);
    all[PLAYERS - 2].key = all[PLAYERS + 1].key = SIM_DIRECTOR_KEY;
    all[PLAYERS - 1].key = all[PLAYERS].key = SIM_PLAYER_KEY;
    auditing = resting = false;
    connections = 0;
}

/* Nothing that was sent happens any more. */
static void forget_changes(promise *item) {
    item->additions = item->removals = 0;
    item->added_ns = item->removed_ns = sim_now_ns();
}

void clients_leave(void) {
    for (int i = 0; i < CLIENTS; i++)
        if (all[i].line) {
            line_close(all[i].line);
            end_session(&all[i]);
        }
    for (int i = 0; i < NAMES; i++) {
        forget_changes(&model.match[i]);
        forget_changes(&model.recording[i]);
    }
    model.world_count = model.made_count = 0;
    end_storm(true);
}

static void connect_client(client *c) {
    bool remote = c >= &all[PLAYERS] && c < &all[PLAYERS + PROBES_REMOTE];
    c->line = line_connect(SIM_PORT, &listener, c, remote);
    c->last_id = ++connections << 24;
    c->refused = false;
    c->next_ns = c->line ? INT64_MAX : sim_now_ns() + SECOND_NS / 4;
    if (c->line)
        tr_frame_decoder_init(&c->decoder, TR_FRAME_SERVER_MAX);
}

static void expect_answers(const client *c) {
    for (int i = 0; i < c->asked_count; i++) {
        const asked *a = &c->asked[i];
        if (a->request != REQUEST(COMMAND) && sim_now_ns() - a->sent_ns > ANSWER_S * SECOND_NS)
            sim_fail("request %llu, field %u, has no answer", (unsigned long long)a->id,
                     a->request);
    }
}

static void act(client *c) {
    if (!c->line) {
        connect_client(c);
        return;
    }
    if (!c->admitted) {
        c->next_ns = INT64_MAX;
        return;
    }
    expect_answers(c);
    if (c >= &all[PLAYERS]) {
        c->next_ns = audit_act(c);
        return;
    }
    for (int i = 1 + sim_below(3); i > 0 && c->line && c->asked_count < ASKED_MAX - 2; i--)
        send_drawn(c);
    if (sim_one_in(16) && c->line)
        send_resubscriptions(c);
    c->next_ns = sim_now_ns() + (1 + sim_below(200)) * (model.light ? 50 : 1) * 1000000LL;
}

static bool takes_part(int i) {
    return !resting && (auditing ? i >= PLAYERS && audit_needs(&all[i]) : i < PLAYERS);
}

void clients_rest(bool rest) {
    resting = rest;
}

unsigned clients_owed(void) {
    for (int i = 0; i < CLIENTS; i++)
        for (int k = 0; all[i].line && k < all[i].asked_count; k++)
            if (all[i].asked[k].request != REQUEST(COMMAND))
                return all[i].asked[k].request;
    return 0;
}

void clients_act(void) {
    end_storm(false);
    for (int i = 0; i < CLIENTS; i++)
        if (takes_part(i) && all[i].next_ns <= sim_now_ns())
            act(&all[i]);
}

int64_t clients_next_ns(void) {
    int64_t first = INT64_MAX;
    for (int i = 0; i < CLIENTS; i++)
        if (takes_part(i) && all[i].next_ns < first)
            first = all[i].next_ns;
    return first;
}

void clients_begin_audit(void) {
    auditing = true;
    audit_begin(&all[AUDITOR], &all[PLAYERS]);
    begin_storm();
    all[AUDITOR].next_ns = sim_now_ns();
}

void clients_end_audit(void) {
    auditing = false;
    for (int i = 0; i < PLAYERS; i++)
        all[i].next_ns = sim_now_ns();
}

bool clients_have_audited(void) {
    return audit_is_done();
}
