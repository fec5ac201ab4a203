/* A world moves between two daemons while its clients push it. The mover is the command of
 * client/cli, on lines that are bad; it, a daemon, or a line between them breaks at a drawn message,
 * and the command is run again. What must hold is what server/world/move.h says. */
#include "cli/failure.h"
#include "cli/output.h"
#include "fleet.h"
#include "scheduler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICKS = 1 << 14,
    PUSHES = 1024,
    EARLY = 3,         /* pushes that wait in the world for their tick */
    BEFORE_CLAIM = 18, /* of them, before step 4: the copy ends by its lease */
    MESSAGES = 25,     /* of a move in both directions, its connections included */
    HOLD_S = 2,        /* as in the words below */
    SETTLE_S = 5,      /* of leases and holds */
    SLACK_S = 3,       /* connections, attempts and answers */
    ATTEMPTS = 4
};

extern const tr_cli_command tr_cli_command_move_world;

typedef enum fault {
    NOTHING,
    KILL_MOVER,
    KILL_SOURCE,
    KILL_TARGET,
    CUT_SOURCE,
    CUT_TARGET,
    SILENT_SOURCE,
    SILENT_TARGET,
    SILENT_MOVER,
    FAULTS
} fault;

/* One daemon, as who reads its states and asks for its worlds sees it. */
typedef struct watcher {
    int port;
    uint32_t world;
    bool seen;
    uint32_t epoch; /* of the last state, as is the next */
    int64_t tick;
    tr_client *client;
} watcher;

typedef struct push {
    int64_t tick; /* at which it acted */
    double force;
} push;

static struct {
    watcher watcher[2];
    uint8_t ran[TICKS]; /* bits of the watchers that saw the tick being made */
    int64_t last_ns, gap_ns;
    bool ready, quiet, checked;
    uint32_t entity;
    push push[PUSHES];
    int push_count;
    bool unsure; /* a push may or may not have acted */
    fault fault;
    int at_message;
    int64_t broke_ns, lasts_ns;
    int code[2];         /* of the movers; -1: it runs */
    bool moved_at_fault; /* the mover had reported success */
    char text[256];
} arena;

move_counts moves;

/* --- what the command prints --- */

int tr_cli_fail(tr_status status, const char *message, const char *advice) {
    (void)advice;
    snprintf(arena.text, sizeof arena.text, "%s", message);
    return status == TR_UNAVAILABLE ? TR_EXIT_NO_SERVER : TR_EXIT_REFUSED;
}

int tr_cli_fail_missing(tr_cli *cli, const char *message) {
    (void)cli;
    return tr_cli_fail(TR_NOT_FOUND, message, NULL);
}

int tr_cli_fail_to_connect(const tr_cli *cli, tr_status status, const char *message) {
    (void)cli;
    return tr_cli_fail(status, message, NULL);
}

int tr_cli_usage_error(const char *format, ...) {
    sim_fail("the command line of the move is wrong: %s", format);
}

bool tr_cli_fails_in_json(void) {
    return true;
}

int tr_output_object(const tr_cli *cli, json_t *object) {
    (void)cli;
    json_decref(object);
    return TR_EXIT_OK;
}

int tr_output_applied(const tr_cli *cli, const char *what, const tr_client_applied *applied) {
    (void)cli, (void)what, (void)applied;
    return TR_EXIT_OK;
}

static void run_mover(void *context) {
    int *out_code = context;
    char *words[] = {"arena", "127.0.0.1:7401", "--hold", "2"};
    const tr_cli_command *command = &tr_cli_command_move_world;
    _Alignas(16) uint8_t values[TR_CLI_VALUES_MAX];
    tr_cli cli = {.host = "127.0.0.1", .port = FIRST_PORT, .timeout_ms = 1000};
    tr_error error;
    memcpy(values, command->defaults, command->values_size);
    if (tr_argument_take(command->argument, 4, words, values, &error))
        sim_fail("the command line of the move is wrong: %s", error.message);
    int code = tr_cli_connect(&cli);
    if (code == TR_EXIT_OK)
        code = command->run(&cli, values);
    tr_client_close(cli.client);
    *out_code = code;
}

/* --- the watchers --- */

/* The first state, and that after a restore, may be of a tick that it has not made. */
static void on_state(void *user, tr_client *client, const tr_client_state *state) {
    watcher *w = user;
    int self = w == &arena.watcher[1] ? 2 : 1;
    (void)client;
    w->seen = w->seen && state->epoch == w->epoch;
    for (int64_t t = w->tick + 1; w->seen && t <= state->tick; t++) {
        if (t >= TICKS)
            sim_fail("the world has made %lld ticks", (long long)t);
        arena.ran[t] |= (uint8_t)self;
        if (arena.ran[t] == 3)
            sim_fail("both daemons have made tick %lld", (long long)t);
        int64_t gap_ns = arena.last_ns > 0 ? sim_now_ns() - arena.last_ns : 0;
        arena.gap_ns = gap_ns > arena.gap_ns ? gap_ns : arena.gap_ns;
        arena.last_ns = sim_now_ns();
    }
    w->seen = true;
    w->epoch = state->epoch;
    w->tick = state->tick;
}

static void watch(void *context) {
    watcher *w = context;
    tr_client_def def = tr_client_def_default();
    const tr_client_reply *reply = NULL;
    tr_error error;
    def.user = w;
    def.on_state = on_state;
    while (!fleet.over) {
        if (!w->client || !tr_client_is_open(w->client))
            w->world = 0;
        if (!fleet_connect(&w->client, w->port, &def) ||
            fleet_ask(&w->client, tr_client_list_worlds(w->client), &reply)) {
            fleet_pause(20);
            continue;
        }
        const tr_client_world *found = fleet_find(reply, "arena");
        uint32_t id = found ? found->id : 0;
        if (id != w->world && id != 0) {
            w->seen = false;
            (void)fleet_ask(
                &w->client,
                tr_client_subscribe(w->client,
                                    &(tr_client_subscribe_def){
                                        .world = id, .rate_hz = 200, .fields = TR_CLIENT_HASH}),
                NULL);
        }
        w->world = id;
        if (w->client)
            (void)!tr_client_run(w->client, 30, &error);
    }
    fleet_hang_up(&w->client);
}

/* --- the client that pushes --- */

static uint64_t send_push(tr_client *client, uint32_t world, int64_t at_tick, double force) {
    const tr_client_at at = {.world = world, .tick = at_tick};
    const tr_client_push_def def = {
        .entity = arena.entity, .force = {force, 0.5 * force, 0}, .duration_s = 0.05};
    return tr_client_push(client, at, &def);
}

static void note_push(int64_t tick, double force) {
    if (arena.push_count == PUSHES)
        sim_fail("too many pushes");
    for (int i = 0; i < arena.push_count; i++)
        arena.unsure = arena.unsure || arena.push[i].tick == tick;
    arena.push[arena.push_count++] = (push){tick, force};
}

/* It looks for the world on both daemons, as a game does that follows it. */
static void steer(void *context) {
    tr_client *client = NULL;
    const tr_client_reply *reply = NULL;
    int port = FIRST_PORT;
    (void)context;
    while (!arena.quiet && !fleet.over) {
        const tr_client_world *world = NULL;
        if (fleet_connect(&client, port, NULL) &&
            !fleet_ask(&client, tr_client_list_worlds(client), &reply))
            world = fleet_find(reply, "arena");
        if (!world || world->arriving) {
            port = port == FIRST_PORT ? SECOND_PORT : FIRST_PORT;
            fleet_hang_up(&client);
            fleet_pause(20);
            continue;
        }
        double force = sim_below(200) - 100;
        tr_status status = fleet_ask(&client, send_push(client, world->id, 0, force), &reply);
        if (!status)
            note_push(reply->applied.tick, force);
        else if (!client || status == TR_ABORTED) /* it may wait in the snapshot */
            arena.unsure = true;
        fleet_pause(20 + sim_below(200));
    }
    fleet_hang_up(&client);
}

/* --- who makes the world, and looks at it in the end --- */

static void make_arena(tr_client **client, const char *name, tr_client_mode mode, uint32_t *out) {
    tr_client_world_def def = tr_client_world_def_default();
    const tr_client_spawn_def spawn = {.controller = "sway", .label = "ada"};
    def.name = name;
    def.seed = 7;
    def.mode = mode;
    def.paused = mode == TR_CLIENT_REAL_TIME;
    *out = fleet_must(client, tr_client_create_world(*client, &def), name)->world.id;
    uint64_t request = tr_client_spawn_character(*client, (tr_client_at){.world = *out}, &spawn);
    arena.entity = fleet_must(client, request, "spawn")->applied.entity;
}

static void begin_arena(void *context) {
    tr_client *client = NULL;
    uint32_t world = 0;
    (void)context;
    while (!fleet_connect(&client, FIRST_PORT, NULL))
        fleet_pause(20);
    make_arena(&client, "arena", TR_CLIENT_REAL_TIME, &world);
    for (int i = 0; i < EARLY; i++) {
        int64_t tick = 100 + 250 * i + sim_below(250);
        double force = sim_below(200) - 100;
        (void)send_push(client, world, tick, force);
        note_push(tick, force);
    }
    fleet_must(&client, tr_client_resume(client, (tr_client_at){.world = world}), "resume");
    arena.ready = true;
    while (!arena.quiet && !fleet.over) /* it awaits nothing, and stays */
        fleet_pause(50);
    fleet_hang_up(&client);
}

static int by_tick(const void *a, const void *b) {
    int64_t x = ((const push *)a)->tick, y = ((const push *)b)->tick;
    return (x > y) - (x < y);
}

static void step_to(tr_client **client, uint32_t world, int64_t tick, int64_t *now,
                    uint64_t *out_hash) {
    if (tick <= *now)
        return;
    const tr_client_at at = {.world = world};
    const tr_client_reply *reply =
        fleet_must(client, tr_client_step(*client, at, (uint32_t)(tick - *now)), "step");
    *now = reply->applied.tick;
    *out_hash = reply->applied.hash;
}

/* A world that stays, with the same pushes at the same ticks. */
static uint64_t hash_of_stayed(tr_client **client, int64_t tick) {
    uint32_t world = 0;
    uint64_t hash = 0;
    int64_t now = 0;
    make_arena(client, "stayed", TR_CLIENT_STEPPED, &world);
    qsort(arena.push, (size_t)arena.push_count, sizeof *arena.push, by_tick);
    for (int i = 0; i < arena.push_count && arena.push[i].tick < tick; i++) {
        step_to(client, world, arena.push[i].tick, &now, &hash);
        (void)send_push(*client, world, arena.push[i].tick, arena.push[i].force);
    }
    step_to(client, world, tick, &now, &hash);
    return hash;
}

/* The world may be lost only with a daemon that was killed. */
static bool may_be_lost(bool has_left) {
    return (arena.fault == KILL_SOURCE && !arena.moved_at_fault) ||
           (arena.fault == KILL_TARGET && has_left);
}

static void compare(tr_client **client, uint32_t world) {
    const tr_client_at at = {.world = world};
    const tr_client_reply *reply = NULL;
    if (sim_now_ns() - arena.last_ns > SECOND_NS / 4)
        sim_fail("the world stands");
    fleet_must(client, tr_client_pause(*client, at), "pause");
    reply = fleet_must(client, tr_client_get_state(*client, world, TR_CLIENT_HASH), "state");
    int64_t tick = reply->state.tick;
    uint64_t hash = reply->state.hash;
    sim_note(&hash, sizeof hash);
    if (!arena.unsure && hash_of_stayed(client, tick) != hash)
        sim_fail("the world differs at tick %lld from one that stayed", (long long)tick);
    moves.compared += !arena.unsure;
}

/* Starts a copy whose source was killed, as 'troupe claim-world --start' does. */
static void start_orphan(tr_client **client, const tr_client_world *copy) {
    char from[64];
    uint32_t id = copy->id;
    snprintf(from, sizeof from, "%s", copy->moved_from);
    (void)fleet_ask(client, tr_client_start_world(*client, id, from), NULL);
    moves.started++;
}

static void check_arena(void *context) {
    tr_client *client[2] = {NULL, NULL};
    uint32_t world[2] = {0, 0};
    bool has_left = false;
    (void)context;
    for (int i = 0; i < 2; i++) {
        while (!fleet_connect(&client[i], FIRST_PORT + i, NULL))
            fleet_pause(20);
        const tr_client_reply *reply =
            fleet_must(&client[i], tr_client_list_worlds(client[i]), "list of worlds");
        has_left = has_left || (i == 0 && reply->moved_count > 0);
        const tr_client_world *found = fleet_find(reply, "arena");
        world[i] = found ? found->id : 0;
        if (!found || !found->arriving)
            continue;
        if (arena.fault != KILL_SOURCE)
            sim_fail("a copy stands for ever: %s", arena.text);
        start_orphan(&client[i], found);
        fleet_pause(500);
    }
    if (world[0] != 0 && world[1] != 0)
        sim_fail("both daemons have the world");
    if (world[0] == 0 && world[1] == 0 && !may_be_lost(has_left))
        sim_fail("no daemon has the world: %s", arena.text);
    moves.lost += world[0] == 0 && world[1] == 0;
    moves.moved += world[1] != 0;
    for (int i = 0; i < 2; i++) {
        if (world[i] != 0)
            compare(&client[i], world[i]);
        fleet_hang_up(&client[i]);
    }
    arena.checked = true;
}

/* --- the run --- */

static void strike(void) {
    const int64_t until_ns = sim_now_ns() + arena.lasts_ns;
    arena.broke_ns = sim_now_ns();
    arena.moved_at_fault = arena.code[0] == TR_EXIT_OK;
    for (int i = 0; i < 2; i++) {
        int daemon = FIRST_DAEMON + i;
        if (arena.fault == (i == 0 ? KILL_SOURCE : KILL_TARGET))
            fleet_kill_daemon(daemon, until_ns);
        if (arena.fault == (i == 0 ? CUT_SOURCE : CUT_TARGET))
            lines_reset(MOVER, daemon);
        if (arena.fault == SILENT_MOVER || arena.fault == (i == 0 ? SILENT_SOURCE : SILENT_TARGET))
            lines_silence(MOVER, daemon, until_ns);
    }
    if (arena.fault == KILL_MOVER)
        lines_set_dead(MOVER, true);
}

/* A mover that was killed is replaced, unless it leaves nothing; one that has failed is run again. */
static void move(void) {
    fleet_start(MOVER, run_mover, &arena.code[0]);
    while (arena.code[0] < 0 && !(arena.broke_ns > 0 && arena.fault == KILL_MOVER)) {
        if (arena.fault != NOTHING && arena.broke_ns == 0 &&
            lines_passed(MOVER) >= (uint64_t)arena.at_message)
            strike();
        fleet_turn();
    }
    bool moved = arena.code[0] == TR_EXIT_OK;
    bool leaves_nothing = arena.fault == KILL_MOVER && arena.at_message <= BEFORE_CLAIM;
    lines_set_faults(0);
    if (leaves_nothing && sim_one_in(2))
        return;
    if (arena.broke_ns > 0 && sim_now_ns() < arena.broke_ns + arena.lasts_ns)
        fleet_turn_for(arena.broke_ns + arena.lasts_ns - sim_now_ns());
    for (int i = 0; i < ATTEMPTS && !moved; i++) {
        arena.code[1] = -1;
        fleet_start(NEXT_MOVER, run_mover, &arena.code[1]);
        while (arena.code[1] < 0)
            fleet_turn();
        moved = arena.code[1] == TR_EXIT_OK;
        fleet_turn_for(SECOND_NS / 2);
    }
    if (!moved && arena.fault != KILL_SOURCE && arena.fault != KILL_TARGET)
        sim_fail("the move does not end: %s", arena.text);
}

uint64_t run_move(uint64_t seed) {
    static const int lasts_ms[] = {100, 500, 5000};
    fleet_begin(seed);
    memset(&arena, 0, sizeof arena);
    arena.code[0] = arena.code[1] = -1;
    arena.fault = (fault)(seed % FAULTS);
    int a = sim_below(MESSAGES), b = sim_below(MESSAGES);
    arena.at_message = 1 + (a > b ? a : b); /* more of the late ones */
    arena.lasts_ns = lasts_ms[sim_below(3)] * MS_NS;
    lines_set_faulty(MOVER);
    for (int i = 0; i < 2; i++) {
        arena.watcher[i].port = FIRST_PORT + i;
        fleet_start_daemon(FIRST_DAEMON + i);
        fleet_start(CLIENTS_ALONE, watch, &arena.watcher[i]);
    }
    fleet_start(CLIENTS_ALONE, begin_arena, NULL);
    while (!arena.ready)
        fleet_turn();
    fleet_start(CLIENTS_ALONE, steer, NULL);
    fleet_turn_for((100 + sim_below(400)) * MS_NS);
    lines_set_faults(sim_below(3));
    move();
    moves.struck += arena.broke_ns > 0;
    fleet_turn_for(SETTLE_S * SECOND_NS);
    arena.quiet = true;
    fleet_turn_for(SECOND_NS);
    fleet_start(CLIENTS_ALONE, check_arena, NULL);
    while (!arena.checked)
        fleet_turn();
    double gap_s = (double)arena.gap_ns * 1e-9, limit_s = HOLD_S + SLACK_S;
    if (arena.broke_ns > 0)
        limit_s += (double)arena.lasts_ns * 1e-9;
    if (gap_s > limit_s && arena.fault != KILL_SOURCE)
        sim_fail("no daemon ran the world for %.2f s", gap_s);
    moves.gap_s = gap_s > moves.gap_s ? gap_s : moves.gap_s;
    fleet_end();
    return sim_hash();
}
