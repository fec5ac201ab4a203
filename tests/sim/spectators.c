/* Spectators behind a relay. The line between the relay and its daemon falls silent or ends, and
 * either of them is killed and starts again. A reader on a line without faults shows what the daemon
 * has sent: every state behind the relay must be one of these, in order; a silent daemon must be
 * noticed; and in the end everyone reads again. */
#include "fleet.h"

#include <stdio.h>
#include <string.h>

relay_counts relays;

enum {
    READERS = 4, /* the first reads from the daemon */
    TICKS = 1 << 14,
    HEARD_S = 5,  /* upstream.h: a shorter silence is none */
    NOTICE_S = 9, /* upstream.h: 8 s, and a second in which an answer is kept */
    BACK_S = 14   /* a silence is noticed, 5 s between two attempts, and the answer */
};

typedef struct reader {
    int port, every_ticks;
    tr_client *client;
    uint32_t world, epoch;
    uint64_t life; /* the seed of its world */
    int64_t tick, heard_ns;
    uint64_t dropped;
    bool seen, ended;
} reader;

static struct {
    reader reader[READERS];
    uint64_t sent[TICKS][2]; /* hashes of the last two states of a tick that the daemon has sent */
    uint64_t life;
    bool made, counted, again;      /* counted: what is left out; again: another world */
    int64_t silent_ns, answered_ns; /* since when it is silent; 0: it is not */
    bool noticed;
} show;

/* --- readers --- */

static uint64_t hash_of(const tr_client_state *state) {
    uint64_t hash = state->hash;
    for (int i = 0; i < state->character_count; i++) {
        const tr_client_character *c = &state->characters[i];
        const uint8_t *bytes = (const uint8_t *)c->joint_rot;
        for (size_t k = 0; bytes && k < sizeof(float) * 4 * (size_t)c->body_count; k++)
            hash = (hash ^ bytes[k]) * 0x100000001b3ULL;
    }
    return hash | 1;
}

static void check_order(const reader *r, const tr_client_state *state) {
    if (!r->seen || state->epoch != r->epoch)
        return;
    if (state->tick < r->tick)
        sim_fail("spectator %d gets tick %lld after %lld", (int)(r - show.reader),
                 (long long)state->tick, (long long)r->tick);
    int64_t due = state->tick / r->every_ticks - r->tick / r->every_ticks;
    if (show.counted && (int64_t)(state->dropped_states - r->dropped) < due - 1)
        sim_fail("%lld states are left out to tick %lld, and %lld counted", (long long)due - 1,
                 (long long)state->tick, (long long)(state->dropped_states - r->dropped));
}

static void on_state(void *user, tr_client *client, const tr_client_state *state) {
    reader *r = user;
    (void)client;
    if (state->tick >= TICKS)
        sim_fail("the world has made %lld ticks", (long long)state->tick);
    check_order(r, state);
    uint64_t hash = hash_of(state), *sent = show.sent[state->tick];
    sim_note(&hash, sizeof hash);
    if (r == show.reader && sent[0] != hash) {
        sent[1] = sent[0];
        sent[0] = hash;
    } else if (r != show.reader && r->life == show.life && sent[0] != 0) {
        if (sent[0] != hash && sent[1] != hash)
            sim_fail("the relay shows another tick %lld than the daemon", (long long)state->tick);
        relays.compared++;
    }
    r->seen = true;
    r->epoch = state->epoch;
    r->tick = state->tick;
    r->dropped = state->dropped_states;
    r->heard_ns = sim_now_ns();
}

static void on_event(void *user, tr_client *client, const tr_client_event *event) {
    reader *r = user;
    (void)client;
    if (event->kind == TR_CLIENT_DESTROYED)
        r->ended = true;
}

/* A subscription ends with the world or the connection; then it looks for the world again. */
static void begin_reading(reader *r) {
    const tr_client_reply *reply = NULL;
    if (fleet_ask(&r->client, tr_client_list_worlds(r->client), &reply))
        return;
    const tr_client_world *world = fleet_find(reply, "arena");
    if (!world)
        return;
    uint32_t id = world->id;
    uint64_t life = world->seed;
    const tr_client_subscribe_def def = {.world = id,
                                         .rate_hz = 200.0 / r->every_ticks,
                                         .fields = TR_CLIENT_JOINTS | TR_CLIENT_HASH,
                                         .events = true};
    r->seen = r->ended = false;
    r->life = life;
    if (!fleet_ask(&r->client, tr_client_subscribe(r->client, &def), NULL))
        r->world = id;
}

static void read_states(void *context) {
    reader *r = context;
    tr_client_def def = tr_client_def_default();
    tr_error error;
    def.user = r;
    def.on_state = on_state;
    def.on_event = on_event;
    while (!fleet.over) {
        if (!r->client || !tr_client_is_open(r->client) || r->ended)
            r->world = 0;
        if (!fleet_connect(&r->client, r->port, &def)) {
            fleet_pause(50);
            continue;
        }
        if (r->world == 0)
            begin_reading(r);
        if (r->client)
            (void)!tr_client_run(r->client, 50, &error);
    }
    fleet_hang_up(&r->client);
}

/* --- who asks the relay, and whoever makes the world --- */

static void ask_relay(void *context) {
    tr_client *client = NULL;
    (void)context;
    while (!fleet.over) {
        if (!fleet_connect(&client, SECOND_PORT, NULL)) {
            fleet_pause(50);
            continue;
        }
        tr_status status = fleet_ask(&client, tr_client_list_worlds(client), NULL);
        if (!status)
            show.answered_ns = sim_now_ns();
        show.noticed = show.noticed || (status == TR_UNAVAILABLE && client);
        fleet_pause(200);
    }
    fleet_hang_up(&client);
}

/* Each life of the daemon has a world of another seed. */
static bool make_world(tr_client **client, uint32_t *out_world, uint32_t *out_entity) {
    const tr_client_reply *reply = NULL;
    tr_client_world_def def = tr_client_world_def_default();
    const tr_client_spawn_def spawn = {.controller = "sway"};
    memset(show.sent, 0, sizeof show.sent);
    def.name = "arena";
    def.seed = ++show.life;
    if (fleet_ask(client, tr_client_create_world(*client, &def), &reply))
        return false;
    *out_world = reply->world.id;
    const tr_client_at at = {.world = *out_world};
    if (fleet_ask(client, tr_client_spawn_character(*client, at, &spawn), &reply))
        return false;
    *out_entity = reply->applied.entity;
    return true;
}

static void direct(void *context) {
    tr_client *client = NULL;
    uint32_t world = 0, entity = 0;
    (void)context;
    while (!fleet.over) {
        bool same = client && tr_client_is_open(client);
        if (!fleet_connect(&client, FIRST_PORT, NULL) ||
            (!same && !make_world(&client, &world, &entity))) {
            fleet_pause(50);
            continue;
        }
        show.made = true;
        if (show.again) {
            show.again = false;
            (void)fleet_ask(&client, tr_client_destroy_world(client, world), NULL);
            fleet_hang_up(&client);
            continue;
        }
        const tr_client_at at = {.world = world};
        const tr_client_push_def push = {
            .entity = entity, .force = {sim_below(200) - 100, 0, 0}, .duration_s = 0.05};
        (void)fleet_ask(&client, tr_client_push(client, at, &push), NULL);
        fleet_pause(50 + sim_below(300));
    }
    fleet_hang_up(&client);
}

/* --- the run --- */

/* One fault, and the time in which it must be noticed and be over. */
static void disturb(void) {
    int64_t lasts_ns = (1 + sim_below(sim_one_in(2) ? 15 : HEARD_S)) * SECOND_NS;
    int64_t until_ns = sim_now_ns() + lasts_ns;
    int kind = sim_below(6);
    show.noticed = false;
    show.counted = show.counted && (kind == 5 || (kind < 2 && lasts_ns <= HEARD_S * SECOND_NS));
    switch (kind) {
    case 0:
    case 1:
        lines_silence(FIRST_DAEMON, SECOND_DAEMON, until_ns);
        fleet_turn_for(lasts_ns);
        if (lasts_ns > NOTICE_S * SECOND_NS && !show.noticed)
            sim_fail("the relay does not notice that its daemon is silent");
        relays.noticed += show.noticed;
        break;
    case 2:
        lines_reset(FIRST_DAEMON, SECOND_DAEMON);
        break;
    case 3:
        fleet_kill_daemon(FIRST_DAEMON, until_ns);
        fleet_turn_for(lasts_ns);
        break;
    case 5:
        show.again = true;
        break;
    default:
        fleet_kill_daemon(SECOND_DAEMON, until_ns);
        fleet_turn_for(lasts_ns);
    }
    relays.faults++;
    fleet_turn_for(BACK_S * SECOND_NS);
    for (int i = 0; i < READERS; i++)
        if (sim_now_ns() - show.reader[i].heard_ns > SECOND_NS)
            sim_fail("spectator %d has heard nothing for %.1f s", i,
                     (double)(sim_now_ns() - show.reader[i].heard_ns) * 1e-9);
    if (sim_now_ns() - show.answered_ns > SECOND_NS)
        sim_fail("the relay does not answer after a fault");
}

uint64_t run_relay(uint64_t seed) {
    static const int every_ticks[READERS] = {1, 1, 4, 10};
    fleet_begin(seed);
    memset(&show, 0, sizeof show);
    fleet.daemon[1].relay = "127.0.0.1:7400";
    show.counted = true;
    lines_set_faulty(SECOND_DAEMON);
    lines_set_faults((int)(seed % 3));
    fleet_start_daemon(FIRST_DAEMON);
    fleet_start_daemon(SECOND_DAEMON);
    fleet_start(CLIENTS_ALONE, direct, NULL);
    while (!show.made)
        fleet_turn();
    for (int i = 0; i < READERS; i++) {
        show.reader[i] =
            (reader){.port = i == 0 ? FIRST_PORT : SECOND_PORT, .every_ticks = every_ticks[i]};
        fleet_start(CLIENTS_ALONE, read_states, &show.reader[i]);
    }
    fleet_start(CLIENTS_ALONE, ask_relay, NULL);
    fleet_turn_for(3 * SECOND_NS);
    for (int faults = 1 + sim_below(2); faults > 0; faults--)
        disturb();
    fleet_end();
    return sim_hash();
}
