#include "audit.h"

#include "scheduler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 5, CHANGES = 6, CHANGE_SIZE = 4096, WAIT_S = 2, SLOW = 3, FLOOD = 200, MANY = 320 };

#define SECOND_NS 1000000000LL
#define REQUEST(name) TROUPE__CLIENT_MESSAGE__REQUEST_##name

/* The requests whose answers it follows. */
enum {
    LOOK = 1, /* the others are answers to nothing in particular */
    ENDED,
    MAKE_PLACE,
    VERIFY,
    MAKE,
    INFO,
    SNAPSHOT,
    RESTORE,
    REACH,
    STATE,
    MUST, /* anything else that has to be served */
    COME,
    GO,
    PLACE_MOVES
};

long audit_verified;

static struct {
    client *self, *probes;
    int stage, characters, worlds, subscriptions;
    bool done;
    Troupe__WorldList *before;
    int come;       /* worlds that come and go, one after the other */
    uint32_t place; /* a world for the probes */
    int64_t placed_ns;
    /* A world, and its twin from a snapshot: both make the same changes and steps. */
    struct {
        uint32_t world[2];
        uint8_t change[CHANGES][CHANGE_SIZE];
        size_t change_size[CHANGES];
        uint8_t *snapshot, *state;
        size_t snapshot_size, state_size;
        uint64_t snapshot_hash, hash, seed;
        int fault_rule, look_ahead;
        bool finished;
    } twin;
} audit;

static void forget(void) {
    if (audit.before)
        troupe__world_list__free_unpacked(audit.before, NULL);
    free(audit.twin.snapshot);
    free(audit.twin.state);
}

void audit_begin(client *auditor, client *probes) {
    forget();
    memset(&audit, 0, sizeof audit);
    audit.self = auditor;
    audit.probes = probes;
}

bool audit_is_done(void) {
    return audit.done;
}

/* --- recordings: every one that is there is replayed and verified --- */

static void ask_replay(client *c, const char *recording) {
    Troupe__Replay replay = TROUPE__REPLAY__INIT;
    char world[32];
    snprintf(world, sizeof world, "audit-%s", recording);
    replay.recording = (char *)recording;
    replay.world = world;
    replay.paused = true;
    client_ask(c, REQUEST(REPLAY), &replay, VERIFY);
}

static void command(client *c, uint32_t world, unsigned kind, void *body, int step) {
    Troupe__Command m = TROUPE__COMMAND__INIT;
    m.world = world;
    m.command_case = (Troupe__Command__CommandCase)kind;
    m.verify = body;
    client_ask(c, REQUEST(COMMAND), &m, step);
}

static void verify(client *c, const asked *a, const Troupe__Response *r) {
    Troupe__Verify verify = TROUPE__VERIFY__INIT;
    bool lost = r->code == TROUPE__STATUS_CODE__STATUS_CODE_DATA_LOSS;
    if (lost || (a->command && r->code != TROUPE__STATUS_CODE__STATUS_CODE_OK))
        sim_fail("a recording does not verify: %s", r->message);
    if (r->result_case == TROUPE__RESPONSE__RESULT_WORLD)
        command(c, r->world->id, TROUPE__COMMAND__COMMAND_VERIFY, &verify, VERIFY);
    audit_verified += a->command != 0;
}

/* --- motion: every running real-time world moves on --- */

static void expect_motion(const Troupe__WorldList *before, const Troupe__WorldList *after) {
    for (size_t i = 0; i < before->n_worlds; i++)
        for (size_t k = 0; k < after->n_worlds; k++) {
            const Troupe__WorldInfo *a = before->worlds[i], *b = after->worlds[k];
            bool runs = a->mode == TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME && !a->paused &&
                        !b->paused && !a->arriving && a->replay_of[0] == '\0';
            if (a->id != b->id || !runs || a->epoch != b->epoch)
                continue;
            double steps = (double)(b->tick - a->tick), due = a->rate / a->step_s;
            if (steps < 0.5 * due)
                sim_fail("world '%s' made %g of %g steps in a second", a->name, steps, due);
        }
}

static void compare_worlds(Troupe__Response *r) {
    if (audit.before) {
        expect_motion(audit.before, r->world_list);
        return;
    }
    audit.before = r->world_list;
    r->result_case = TROUPE__RESPONSE__RESULT__NOT_SET;
    r->world_list = NULL;
}

/* --- the twin of a world --- */

static void make_world(client *c, char *name, uint64_t seed, int mode, int fault_rule, int step) {
    Troupe__CreateWorld make = TROUPE__CREATE_WORLD__INIT;
    make.name = name;
    make.seed = seed;
    make.mode = (Troupe__WorldMode)mode;
    make.fault_rule = (Troupe__FaultRule)fault_rule;
    make.look_ahead = fault_rule > 1;
    client_ask(c, REQUEST(CREATE_WORLD), &make, step);
}

static void make_twin(client *c, bool second) {
    static char *const name[] = {"twin-a", "twin-b"};
    int rule = second ? 0 : 1 + sim_below(3);
    make_world(c, name[second], sim_draw(), TROUPE__WORLD_MODE__WORLD_MODE_STEPPED, rule, MAKE);
}

/* It waits for its subscriber after every step. */
static void join(client *c, uint32_t world) {
    Troupe__Join join = TROUPE__JOIN__INIT;
    Troupe__Subscribe subscribe = TROUPE__SUBSCRIBE__INIT;
    subscribe.world = world;
    subscribe.rate_hz = 200;
    subscribe.events = true;
    client_ask(c, REQUEST(SUBSCRIBE), &subscribe, MUST);
    command(c, world, TROUPE__COMMAND__COMMAND_JOIN, &join, 0);
}

static void reach(client *c, uint32_t world, unsigned ticks, int step) {
    Troupe__Step m = TROUPE__STEP__INIT;
    m.has_count_case = TROUPE__STEP__HAS_COUNT_COUNT;
    m.count = ticks;
    command(c, world, TROUPE__COMMAND__COMMAND_STEP, &m, step);
}

static void change(client *c, uint32_t world, int64_t at_tick) {
    Troupe__Command drawn;
    draw_change(&drawn);
    drawn.world = world;
    drawn.at_tick = at_tick;
    client_ask(c, REQUEST(COMMAND), &drawn, 0);
}

static void draw_changes(void) {
    for (int i = 0; i < CHANGES;) {
        Troupe__Command drawn;
        draw_change(&drawn);
        audit.twin.change_size[i] = troupe__command__get_packed_size(&drawn);
        if (audit.twin.change_size[i] <= CHANGE_SIZE)
            troupe__command__pack(&drawn, audit.twin.change[i++]);
    }
}

/* The part that both go through: the changes, steps, and then a look at the state. */
static void continue_twin(client *c, uint32_t world) {
    for (int i = 0; i < CHANGES; i++) {
        Troupe__Command *m =
            troupe__command__unpack(NULL, audit.twin.change_size[i], audit.twin.change[i]);
        if (!m)
            abort();
        m->world = world;
        client_ask(c, REQUEST(COMMAND), m, 0);
        troupe__command__free_unpacked(m, NULL);
    }
    reach(c, world, 40, REACH);
}

static void look_at_twin(client *c, uint32_t world) {
    Troupe__GetState look = TROUPE__GET_STATE__INIT;
    look.world = world;
    look.fields = 63;
    client_ask(c, REQUEST(GET_STATE), &look, STATE);
    Troupe__GetWorld info = TROUPE__GET_WORLD__INIT;
    info.world = world;
    client_ask(c, REQUEST(GET_WORLD), &info, INFO);
}

/* Some changes wait for a later tick in the snapshot. */
static void begin_first(client *c, uint32_t world) {
    Troupe__Snapshot snapshot = TROUPE__SNAPSHOT__INIT;
    join(c, world);
    for (int i = 0; i < 8; i++)
        change(c, world, 0);
    for (int i = 0; i < 4; i++)
        change(c, world, 30 + i);
    reach(c, world, 20, 0);
    command(c, world, TROUPE__COMMAND__COMMAND_SNAPSHOT, &snapshot, SNAPSHOT);
}

static void begin_second(client *c, uint32_t world) {
    Troupe__Restore restore = TROUPE__RESTORE__INIT;
    restore.data = (ProtobufCBinaryData){audit.twin.snapshot_size, audit.twin.snapshot};
    join(c, world);
    command(c, world, TROUPE__COMMAND__COMMAND_RESTORE, &restore, RESTORE);
}

static void take_snapshot(const Troupe__CommandResult *result) {
    audit.twin.snapshot = malloc(result->data.len + 1);
    if (!audit.twin.snapshot)
        abort();
    memcpy(audit.twin.snapshot, result->data.data, result->data.len);
    audit.twin.snapshot_size = result->data.len;
    audit.twin.snapshot_hash = result->hash;
}

static void compare_states(Troupe__WorldState *state) {
    state->world = state->epoch = 0;
    size_t size = troupe__world_state__get_packed_size(state);
    uint8_t *bytes = malloc(size + 1);
    if (!bytes)
        abort();
    troupe__world_state__pack(state, bytes);
    if (!audit.twin.state) {
        audit.twin.state = bytes;
        audit.twin.state_size = size;
        return;
    }
    if (size != audit.twin.state_size || memcmp(bytes, audit.twin.state, size) != 0)
        sim_fail("a restored world shows another state than its twin");
    free(bytes);
}

static void compare_infos(client *c, const Troupe__WorldInfo *info) {
    if (!audit.twin.world[1]) {
        audit.twin.seed = info->seed;
        audit.twin.fault_rule = (int)info->fault_rule;
        audit.twin.look_ahead = info->look_ahead;
        make_twin(c, true);
        return;
    }
    if (info->seed != audit.twin.seed || (int)info->fault_rule != audit.twin.fault_rule ||
        info->look_ahead != audit.twin.look_ahead)
        sim_fail("a restored world has another seed, fault rule or look-ahead than its twin");
    audit.twin.finished = true;
}

static void follow_twin(client *c, const asked *a, Troupe__Response *r) {
    bool second = audit.twin.world[1] != 0;
    if (r->code != TROUPE__STATUS_CODE__STATUS_CODE_OK)
        sim_fail("step %d of a world's twin: %s", a->step, r->message);
    switch (a->step) {
    case MAKE:
        second = audit.twin.world[0] != 0;
        audit.twin.world[second] = r->world->id;
        (second ? begin_second : begin_first)(c, r->world->id);
        break;
    case SNAPSHOT:
        take_snapshot(r->command);
        draw_changes();
        continue_twin(c, a->world);
        break;
    case RESTORE:
        if (r->command->hash != audit.twin.snapshot_hash)
            sim_fail("a twin has another hash than its snapshot");
        continue_twin(c, a->world);
        break;
    case REACH:
        if (second && r->command->hash != audit.twin.hash)
            sim_fail("a world and its twin differ 40 ticks after the snapshot");
        audit.twin.hash = r->command->hash;
        look_at_twin(c, a->world);
        break;
    case STATE:
        compare_states(r->state);
        break;
    default:
        compare_infos(c, r->world);
    }
}

/* --- the limits of the configuration --- */

static bool has_begun(const client *c) {
    return c < audit.probes + PROBES_REMOTE ? audit.stage >= 2 : audit.stage >= 3;
}

bool audit_needs(const client *c) {
    return !audit.done && (c == audit.self || (has_begun(c) && !c->refused));
}

/* What has ended does not count: the limit allows it again and again. */
static void subscribe_and_end(client *c) {
    Troupe__Subscribe subscribe = TROUPE__SUBSCRIBE__INIT;
    Troupe__Unsubscribe unsubscribe = TROUPE__UNSUBSCRIBE__INIT;
    subscribe.world = unsubscribe.world = audit.place;
    for (int i = 0; i <= PLAYER_SUBSCRIPTIONS; i++) {
        client_ask(c, REQUEST(SUBSCRIBE), &subscribe, MUST);
        client_ask(c, REQUEST(UNSUBSCRIBE), &unsubscribe, MUST);
    }
}

/* One more of everything than its key may have. */
static void probe(client *c) {
    if (c == &audit.probes[0])
        subscribe_and_end(c);
    for (int i = 0; c == &audit.probes[0] && i <= PLAYER_CHARACTERS; i++) {
        Troupe__SpawnCharacter spawn = TROUPE__SPAWN_CHARACTER__INIT;
        Troupe__Vec3 apart = TROUPE__VEC3__INIT;
        spawn.controller = "sway";
        apart.x = 2.0 * i;
        spawn.pos = &apart;
        command(c, audit.place, TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER, &spawn, 0);
    }
    for (size_t i = 0; c == &audit.probes[0] && i < audit.before->n_worlds; i++) {
        Troupe__Subscribe subscribe = TROUPE__SUBSCRIBE__INIT;
        subscribe.world = audit.before->worlds[i]->id;
        client_ask(c, REQUEST(SUBSCRIBE), &subscribe, 0);
    }
    for (int i = 0; c == &audit.probes[1] && i <= DIRECTOR_WORLDS; i++) {
        char name[] = "probe-0";
        name[6] = (char)('0' + i);
        make_world(c, name, 1, TROUPE__WORLD_MODE__WORLD_MODE_STEPPED, 0, 0);
    }
}

static void count_served(const asked *a) {
    audit.characters += a->request == REQUEST(COMMAND);
    audit.subscriptions += a->request == REQUEST(SUBSCRIBE);
    audit.worlds += a->request == REQUEST(CREATE_WORLD);
    if (audit.characters > PLAYER_CHARACTERS || audit.subscriptions > PLAYER_SUBSCRIPTIONS ||
        audit.worlds > DIRECTOR_WORLDS)
        sim_fail("more was served than the configuration allows: %d characters, %d subscriptions, "
                 "%d worlds",
                 audit.characters, audit.subscriptions, audit.worlds);
}

static void check_connections(void) {
    int remote = 0, count = 1;
    for (int i = 0; i < PROBES; i++) {
        remote += i < PROBES_REMOTE && audit.probes[i].admitted;
        count += audit.probes[i].admitted;
    }
    if (remote != REMOTE_MAX || count != CONNECTIONS_MAX)
        sim_fail("%d clients are admitted, %d of one address; expected %d and %d", count, remote,
                 CONNECTIONS_MAX, REMOTE_MAX);
    if (!audit.twin.finished)
        sim_fail("a world's twin has not finished");
}

/* --- what is served after any fault --- */

static void start_match(client *c) {
    static unsigned number;
    Troupe__StartMatch start = TROUPE__START_MATCH__INIT;
    char name[24];
    draw_match(&start);
    snprintf(name, sizeof name, "audit-%u", number++);
    start.match->name = name;
    client_ask(c, REQUEST(START_MATCH), &start, MUST);
}

/* Beside worlds that wait long for their next step, and a look at it later. */
static void make_slow_worlds(client *c) {
    for (int i = 0; i < SLOW; i++) {
        Troupe__CreateWorld make = TROUPE__CREATE_WORLD__INIT;
        char name[] = "slow-0";
        name[5] = (char)('0' + i);
        make.name = name;
        make.mode = TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME;
        make.has_rate_case = TROUPE__CREATE_WORLD__HAS_RATE_RATE;
        make.rate = 0.01;
        client_ask(c, REQUEST(CREATE_WORLD), &make, MUST);
    }
}

/* The next of many worlds, each of which goes again: more than there is room for at once. */
static void follow_one(client *c, const asked *a, const Troupe__Response *r) {
    Troupe__DestroyWorld destroy = TROUPE__DESTROY_WORLD__INIT;
    if (a->step == COME) {
        destroy.world = r->world->id;
        client_ask(c, REQUEST(DESTROY_WORLD), &destroy, GO);
    } else if (++audit.come < MANY && audit.stage < STAGES) { /* the last second is for answers */
        make_world(c, "passing", 1, TROUPE__WORLD_MODE__WORLD_MODE_STEPPED, 0, COME);
    }
}

static void look_at_place(client *c) {
    Troupe__GetWorld info = TROUPE__GET_WORLD__INIT;
    info.world = audit.place;
    client_ask(c, REQUEST(GET_WORLD), &info, PLACE_MOVES);
}

static void expect_pace(const Troupe__WorldInfo *place) {
    double due = (double)(sim_now_ns() - audit.placed_ns) * 1e-9 * place->rate / place->step_s;
    if ((double)place->tick < 0.8 * due - 4)
        sim_fail("world '%s' made %lld of %g steps", place->name, (long long)place->tick, due);
}

/* More answers than a connection takes at once, while nothing reads them. */
static void flood(client *c) {
    line_stall(c->line, sim_now_ns() + SECOND_NS / 4);
    for (int i = 0; i < FLOOD && c->asked_count < ASKED_MAX - 16; i++) {
        Troupe__GetState look = TROUPE__GET_STATE__INIT;
        look.world = audit.twin.world[0];
        look.fields = 63;
        client_ask(c, REQUEST(GET_STATE), &look, MUST);
    }
}

/* --- its stages, a second apart --- */

static void look_for_all(client *c, int step) {
    char name[3] = "m0";
    for (int i = 0; i < NAMES; i++) {
        Troupe__GetMatch match = TROUPE__GET_MATCH__INIT;
        Troupe__GetRecording recording = TROUPE__GET_RECORDING__INIT;
        match.name = recording.name = name;
        name[0] = 'm', name[1] = (char)('0' + i);
        client_ask(c, REQUEST(GET_MATCH), &match, step);
        name[0] = 'r';
        client_ask(c, REQUEST(GET_RECORDING), &recording, step);
    }
}

int64_t audit_act(client *c) {
    Troupe__ListWorlds list = TROUPE__LIST_WORLDS__INIT;
    if (c != audit.self) {
        probe(c);
        return INT64_MAX;
    }
    switch (audit.stage++) {
    case 0:
        look_for_all(c, LOOK);
        client_ask(c, REQUEST(LIST_WORLDS), &list, LOOK);
        break;
    case 1:
        client_ask(c, REQUEST(LIST_WORLDS), &list, LOOK);
        make_world(c, "place", 1, TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME, 0, MAKE_PLACE);
        make_twin(c, false);
        make_slow_worlds(c);
        start_match(c);
        if (sim_one_in(10))
            make_world(c, "passing", 1, TROUPE__WORLD_MODE__WORLD_MODE_STEPPED, 0, COME);
        break;
    case 2:
    case 3:
        flood(c);
        break;
    case STAGES - 1:
        look_at_place(c);
        check_connections();
        look_for_all(c, ENDED);
        break;
    case STAGES:
        if (c->asked_count > 0 &&
            c->asked[0].step == VERIFY) { /* a long recording takes its time */
            audit.stage = STAGES;
            break;
        }
        if (c->asked_count > 0)
            sim_fail("request %llu of an audit, field %u, has no answer",
                     (unsigned long long)c->asked[0].id, c->asked[0].request);
        audit.done = true;
        break;
    default:
        break;
    }
    return sim_now_ns() + SECOND_NS;
}

void audit_answer(client *c, const asked *a, Troupe__Response *r) {
    bool ok = r->code == TROUPE__STATUS_CODE__STATUS_CODE_OK;
    if (a->step >= MUST && !ok)
        sim_fail("field %u was refused in an audit: %s", a->request, r->message);
    if (c != audit.self) {
        if (ok && a->step == 0)
            count_served(a);
        return;
    }
    if (a->step != VERIFY && sim_now_ns() - a->sent_ns > WAIT_S * SECOND_NS)
        sim_fail("field %u was answered after %lld ms", a->request,
                 (long long)(sim_now_ns() - a->sent_ns) / 1000000);
    if (a->step == LOOK && r->result_case == TROUPE__RESPONSE__RESULT_RECORDING)
        ask_replay(c, r->recording->name);
    if (a->step == LOOK && r->result_case == TROUPE__RESPONSE__RESULT_WORLD_LIST)
        compare_worlds(r);
    if (a->step == ENDED && r->result_case == TROUPE__RESPONSE__RESULT_MATCH_DETAIL &&
        r->match_detail->info->state == TROUPE__MATCH_STATE__MATCH_STATE_RUNNING)
        sim_fail("match %d does not end", a->item);
    if (a->step == MAKE_PLACE && ok) {
        audit.place = r->world->id;
        audit.placed_ns = sim_now_ns();
    }
    if (a->step == PLACE_MOVES)
        expect_pace(r->world);
    if (a->step == COME || a->step == GO)
        follow_one(c, a, r);
    if (a->step == VERIFY)
        verify(c, a, r);
    if (a->step >= MAKE && a->step <= STATE)
        follow_twin(c, a, r);
}
