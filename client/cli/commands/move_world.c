/* Moves a world by the steps of server/world/move.h. A line that breaks is made again, to learn
 * what became of a step; only a mover that is killed, or cut off for longer than the hold, leaves
 * something to finish, which the same command does when it is run again. */
#include "cli/failure.h"
#include "cli/output.h"
#include "proto/limits.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct values {
    const char *world, *to, *as;
    double hold_s;
} values;

static const values defaults = {.hold_s = 30};

enum {
    ADDRESS_MAX = 47,  /* bytes that the event has for it */
    AGAIN_MS = 100,    /* between two attempts */
    FATE_SECONDS = 5,  /* after the hold, in which the source is still asked */
    START_SECONDS = 30 /* in which the target is asked to start its copy */
};

/* A world on its way, and the connection to the daemon to which it goes. */
typedef struct move {
    tr_cli *from, to;
    const char *address; /* for the clients */
    double hold_s;
    char name[64], hold[64];
    tr_client_world info; /* its texts are not kept */
    uint32_t target;      /* its id there; 0: not made yet */
} move;

/* --- lines --- */

static void wait_a_moment(void) {
    nanosleep(&(struct timespec){.tv_nsec = AGAIN_MS * 1000000L}, NULL);
}

static void hang_up(tr_cli *cli) {
    tr_client_close(cli->client);
    cli->client = NULL;
}

/* Connects again, unless the line holds. */
static tr_status mend(tr_cli *cli, tr_error *error) {
    if (cli->client && tr_client_is_open(cli->client))
        return TR_OK;
    hang_up(cli);
    return tr_cli_try_to_connect(cli, error);
}

/* As tr_cli_ask, without showing a failure. */
static tr_status ask(tr_cli *cli, uint64_t request, const tr_client_reply **out, tr_error *error) {
    return tr_client_await(cli->client, request, cli->timeout_ms, out, error);
}

/* Did the daemon refuse? Else the request has no answer, and its effect is unknown. */
static bool was_answered(const tr_cli *cli, tr_status status) {
    return status != TR_DEADLINE_EXCEEDED && tr_client_is_open(cli->client);
}

/* --- what is there --- */

static const tr_client_world *find_named(const tr_client_reply *reply, const char *name) {
    for (int i = 0; i < reply->count; i++)
        if (strcmp(reply->worlds[i].name, name) == 0)
            return &reply->worlds[i];
    return NULL;
}

static bool has_moved(const tr_client_reply *reply, const char *hold) {
    for (int i = 0; i < reply->moved_count; i++)
        if (strcmp(reply->moved[i].moved_from, hold) == 0)
            return true;
    return false;
}

/* Were both holds of the same world? Their names are equal up to the second dash. */
static bool are_of_one_world(const char *a, const char *b) {
    const char *dash = strchr(b, '-');
    dash = dash ? strchr(dash + 1, '-') : NULL;
    return dash && strncmp(a, b, (size_t)(dash + 1 - b)) == 0;
}

/* --- 1: hold --- */

static int look_up(move *m, const char *text) {
    const tr_client_reply *reply = NULL;
    uint32_t id = 0;
    int code = tr_cli_find_world(m->from, text, &id);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(m->from, tr_client_get_world(m->from->client, id), &reply);
    if (code)
        return code;
    m->info = reply->world;
    snprintf(m->name, sizeof m->name, "%s", reply->world.name);
    if (reply->world.arriving)
        return tr_cli_fail(TR_FAILED_PRECONDITION, "the world has not arrived here yet",
                           "Finish its move first: run 'troupe move-world' from the daemon that it "
                           "is from again.");
    if (reply->world.replay_of[0] != '\0')
        return tr_cli_fail(TR_FAILED_PRECONDITION, "a replay cannot move",
                           "Replay the recording on the other daemon.");
    if (reply->world.recorded_as[0] != '\0')
        return tr_cli_fail(TR_FAILED_PRECONDITION, "the world is being recorded",
                           "End the recording first: 'troupe stop-recording'.");
    return TR_EXIT_OK;
}

static uint64_t send_hold(const move *m) {
    const tr_client_at here = {.world = m->info.id};
    return tr_client_hold_world(m->from->client, here, m->hold_s);
}

/* Its answer is valid until the source is asked again. */
static int hold_source(move *m, const tr_client_reply **out) {
    int code = tr_cli_ask(m->from, send_hold(m), out);
    if (code)
        return code;
    if ((*out)->applied.moved_from[0] == '\0')
        return tr_cli_fail(TR_UNIMPLEMENTED, "the daemon is too old to move a world",
                           "Update it, or use the client of its version.");
    snprintf(m->hold, sizeof m->hold, "%s", (*out)->applied.moved_from);
    m->info.paused = (*out)->applied.paused;
    return TR_EXIT_OK;
}

/* --- 2 to 4: a copy on the target --- */

static tr_status send_target(move *m, tr_error *error) {
    tr_client_world_def def = tr_client_world_def_default();
    const tr_client_reply *reply = NULL;
    def.name = m->name;
    def.seed = m->info.seed;
    def.step_s = m->info.step_s;
    def.mode = m->info.mode;
    if (m->info.mode == TR_CLIENT_REAL_TIME)
        def.rate = m->info.rate;
    def.paused = m->info.paused;
    def.look_ahead = m->info.look_ahead;
    def.fault_rule = m->info.fault_rule;
    def.step_timeout_s = m->info.step_timeout_s;
    def.moved_from = m->hold;
    def.owner_leaves = TR_CLIENT_OWNER_LEAVES_DESTROY;
    def.lease_s = m->hold_s;
    tr_status status = ask(&m->to, tr_client_create_world(m->to.client, &def), &reply, error);
    m->target = status ? 0 : reply->world.id;
    return status;
}

/* Destroys the copy that an earlier move of this world has left there: the world is held here, so
 * no earlier move of it has ended it. False: there is no such copy. */
static bool drop_stale(move *m) {
    const tr_client_reply *reply = NULL;
    tr_error error;
    if (ask(&m->to, tr_client_list_worlds(m->to.client), &reply, &error))
        return false;
    const tr_client_world *same = find_named(reply, m->name);
    if (!same || !same->arriving || !are_of_one_world(same->moved_from, m->hold))
        return false;
    return !ask(&m->to, tr_client_destroy_world(m->to.client, same->id), NULL, &error);
}

static int make_target(move *m) {
    tr_error error = {0};
    tr_status status = send_target(m, &error);
    if (status == TR_ALREADY_EXISTS && drop_stale(m))
        status = send_target(m, &error);
    return status ? tr_cli_fail(status, error.message, NULL) : TR_EXIT_OK;
}

/* The world there must be the world here, to the bit. */
static int fill_target(move *m, const tr_client_applied *held, tr_client_applied *out) {
    const tr_client_reply *reply = NULL;
    const tr_client_at there = {.world = m->target};
    tr_error error = {0};
    tr_status status =
        ask(&m->to, tr_client_restore(m->to.client, there, held->data, held->size), &reply, &error);
    if (status)
        return tr_cli_fail(status, error.message, NULL);
    *out = reply->applied;
    return out->hash == held->hash
               ? TR_EXIT_OK
               : tr_cli_fail(TR_DATA_LOSS, "the other daemon has another state after the move",
                             "Are both daemons of the same version?");
}

/* The last question to the target before the source ends: from its answer on the copy stays. */
static int keep_target(move *m) {
    tr_error error = {0};
    tr_status status =
        ask(&m->to, tr_client_claim_world(m->to.client, m->target, TR_CLIENT_OWNER_LEAVES_KEEP, 0),
            NULL, &error);
    return status ? tr_cli_fail(status, error.message, NULL) : TR_EXIT_OK;
}

/* A daemon that hangs finds the request when it continues, behind those before it. On another line
 * the copy is found by the name of its hold, because the daemon may have started again. */
static void drop_target(move *m) {
    const tr_client_reply *reply = NULL;
    tr_error error;
    if (m->target == 0)
        return;
    tr_status status = ask(&m->to, tr_client_destroy_world(m->to.client, m->target), NULL, &error);
    if (was_answered(&m->to, status))
        return;
    hang_up(&m->to);
    if (mend(&m->to, &error) || ask(&m->to, tr_client_list_worlds(m->to.client), &reply, &error))
        return;
    const tr_client_world *copy = find_named(reply, m->name);
    if (copy && copy->arriving && strcmp(copy->moved_from, m->hold) == 0)
        (void)ask(&m->to, tr_client_destroy_world(m->to.client, copy->id), NULL, &error);
}

/* --- 5: the end of the source --- */

typedef enum fate { HERE, GONE, UNKNOWN } fate;

/* What became of the source whose end was not answered. The world is here if another session gets a
 * hold of it, after which the first one can no longer end it. */
static fate ask_fate(const move *m) {
    const tr_client_reply *reply = NULL;
    tr_error error;
    if (mend(m->from, &error) ||
        ask(m->from, tr_client_list_worlds(m->from->client), &reply, &error))
        return UNKNOWN;
    if (has_moved(reply, m->hold))
        return GONE;
    if (ask(m->from, send_hold(m), &reply, &error))
        return UNKNOWN;
    if (are_of_one_world(reply->applied.moved_from, m->hold))
        return HERE;
    hang_up(m->from); /* another run of the daemon, and another world */
    return UNKNOWN;
}

static fate learn_fate(const move *m) {
    double end_s = tr_cli_clock_s() + m->hold_s + FATE_SECONDS;
    fate is = ask_fate(m);
    while (is == UNKNOWN && tr_cli_clock_s() < end_s) {
        wait_a_moment();
        is = ask_fate(m);
    }
    return is;
}

static int fail_unknown(const move *m) {
    tr_error error;
    (void)tr_fail(&error, TR_UNAVAILABLE,
                  "'%s' may have ended on %.128s:%d, which does not answer; its copy on %.128s:%d "
                  "has not started",
                  m->name, m->from->host, m->from->port, m->to.host, m->to.port);
    return tr_cli_fail(TR_UNAVAILABLE, error.message,
                       "Run the command again when the first daemon answers. If that daemon has "
                       "ended, 'troupe claim-world --start' there starts the copy.");
}

static int end_source(const move *m, bool *out_unknown) {
    tr_error error = {0};
    tr_status status =
        ask(m->from, tr_client_move_world(m->from->client, m->info.id, m->address), NULL, &error);
    fate is = GONE;
    if (status && was_answered(m->from, status))
        is = HERE;
    else if (status) {
        hang_up(m->from); /* which ends this hold */
        is = learn_fate(m);
    }
    if (is == HERE)
        return tr_cli_fail(status, error.message,
                           status == TR_NOT_FOUND ? NULL : "The world continues where it was.");
    *out_unknown = is == UNKNOWN;
    return is == GONE ? TR_EXIT_OK : fail_unknown(m);
}

/* --- 6: the start of the target --- */

static int start_target(move *m) {
    double end_s = tr_cli_clock_s() + START_SECONDS;
    tr_error error = {0};
    tr_status status = TR_UNAVAILABLE;
    do {
        status = mend(&m->to, &error);
        if (!status)
            status =
                ask(&m->to, tr_client_start_world(m->to.client, m->target, m->hold), NULL, &error);
        if (!status || (m->to.client && was_answered(&m->to, status)))
            break;
        hang_up(&m->to);
        wait_a_moment();
    } while (tr_cli_clock_s() < end_s);
    return status ? tr_cli_fail(status, error.message,
                                "The world has ended on the first daemon. If the other one still "
                                "has it, run the command again.")
                  : TR_EXIT_OK;
}

/* --- all of it --- */

static int move_it(move *m, tr_client_applied *out) {
    const tr_client_reply *held = NULL;
    int code = hold_source(m, &held);
    if (code == TR_EXIT_OK)
        code = make_target(m);
    if (code == TR_EXIT_OK)
        code = fill_target(m, &held->applied, out);
    if (code == TR_EXIT_OK)
        code = keep_target(m);
    bool unknown = false;
    if (code == TR_EXIT_OK)
        code = end_source(m, &unknown);
    if (code == TR_EXIT_OK)
        return start_target(m);
    hang_up(m->from); /* the world continues here */
    if (!unknown)
        drop_target(m);
    return code;
}

/* Starts the copy there, unless it has started, if the source says that it has moved. *out_done
 * false: there is nothing to finish. */
static int finish(move *m, const char *name, bool *out_done) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(&m->to, tr_client_list_worlds(m->to.client), &reply);
    const tr_client_world *copy = code ? NULL : find_named(reply, name);
    if (!copy || copy->moved_from[0] == '\0')
        return code;
    code = tr_cli_ask(m->from, tr_client_list_worlds(m->from->client), &reply);
    bool moved = !code && has_moved(reply, copy->moved_from);
    if (code || find_named(reply, name) || !(copy->arriving || moved))
        return code;
    m->info = *copy;
    m->target = copy->id;
    snprintf(m->name, sizeof m->name, "%s", copy->name);
    snprintf(m->hold, sizeof m->hold, "%s", copy->moved_from);
    *out_done = true;
    return moved ? start_target(m)
                 : tr_cli_fail(TR_FAILED_PRECONDITION,
                               "the first daemon does not know the world whose copy arrives on the "
                               "other one",
                               "Is it the daemon that the world is from? If that one has ended, "
                               "'troupe claim-world --start' there starts the copy.");
}

static int show(const move *m, const tr_client_applied *applied) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)applied->hash);
    json_t *row = json_pack("{s:s, s:s, s:I, s:I}", "moved", m->name, "to", m->address, "id",
                            (json_int_t)m->target, "tick", (json_int_t)applied->tick);
    if (applied->hash != 0)
        json_object_set_new(row, "hash", json_string(hash));
    return tr_output_object(m->from, row);
}

static int move_or_finish(move *m, const char *world) {
    tr_client_applied applied = {0};
    bool finished = false;
    int code = finish(m, world, &finished);
    if (code == TR_EXIT_OK && finished)
        applied.tick = m->info.tick;
    if (code == TR_EXIT_OK && !finished)
        code = look_up(m, world);
    if (code == TR_EXIT_OK && !finished)
        code = move_it(m, &applied);
    return code ? code : show(m, &applied);
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    move m = {.from = cli, .to = *cli, .address = v->as ? v->as : v->to, .hold_s = v->hold_s};
    m.to.client = NULL;
    m.to.hosts = NULL;
    if (!tr_cli_parse_address(v->to, &m.to))
        return tr_cli_usage_error("move-world: '%s': expected HOST or HOST:PORT", v->to);
    if (strlen(m.address) > ADDRESS_MAX)
        return tr_cli_usage_error("move-world: '%s': expected at most %d bytes", m.address,
                                  ADDRESS_MAX);
    if (!(v->hold_s >= 0.1 && v->hold_s <= 3600))
        return tr_cli_usage_error("move-world: --hold %g: expected 0.1 to 3600 seconds", v->hold_s);
    int code = tr_cli_connect(&m.to);
    if (code == TR_EXIT_OK)
        code = move_or_finish(&m, v->world);
    tr_client_close(m.to.client);
    return code;
}

const tr_cli_command tr_cli_command_move_world = {
    .name = "move-world",
    .summary = "move a world to another daemon; it continues there to the bit",
    .help =
        "The world stands still, is restored on the other daemon from its snapshot, ends here, and "
        "starts there;\n"
        "subscribers get the new address with the event that it is gone. Ids, labels, owners and "
        "commands that\n"
        "wait for their tick stay. Its clients connect there; steppers join again. The moved world "
        "is kept until\n"
        "it is destroyed, also if it was to end with its owner, unless a client claims it "
        "(claim-world). Its reset\n"
        "point is then the state at the move. The other daemon needs the same version, models and "
        "controllers,\n"
        "and accepts the same key. If anything fails before the world ends here, it continues "
        "here. If this\n"
        "command is killed, run it again: it finishes the move. For directors.\n\n"
        "  troupe move-world arena two.example.org:7400\n"
        "  troupe move-world arena 10.0.0.7:7400 --as play.example.org:7031",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"TO", TR_OPTION_TEXT, offsetof(values, to), "the other daemon, HOST[:PORT]"},
                 {"--as ADDRESS", TR_OPTION_TEXT, offsetof(values, as),
                  "the address for the clients; default: TO"},
                 {"--hold S", TR_OPTION_NUMBER, offsetof(values, hold_s),
                  "longest time that the world may stand still before it continues here; default "
                  "30",
                  0.1, TR_HOLD_SECONDS_MAX}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
