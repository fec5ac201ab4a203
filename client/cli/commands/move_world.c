#include "cli/failure.h"
#include "cli/output.h"

#include <stdio.h>
#include <string.h>

typedef struct values {
    const char *world, *to, *as;
} values;

enum { ADDRESS_MAX = 47 }; /* bytes that the event has for it */

/* A world on its way, and the connection to the daemon to which it goes. */
typedef struct move {
    tr_cli *from, to;
    char name[64];
    tr_client_world info; /* its texts are not kept */
    uint32_t target;      /* its id there; 0: not made yet */
} move;

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
    if (reply->world.replay_of[0] != '\0')
        return tr_cli_fail(TR_FAILED_PRECONDITION, "a replay cannot move",
                           "Replay the recording on the other daemon.");
    if (reply->world.recorded_as[0] != '\0')
        return tr_cli_fail(TR_FAILED_PRECONDITION, "the world is being recorded",
                           "End the recording first: 'troupe stop-recording'.");
    return TR_EXIT_OK;
}

/* A stepped world waits for its first stepper; the others are paused until all is done. Its owner
 * is this command, so it is kept when the owner leaves. */
static int make_target(move *m) {
    tr_client_world_def def = tr_client_world_def_default();
    const tr_client_reply *reply = NULL;
    def.name = m->name;
    def.seed = m->info.seed;
    def.step_s = m->info.step_s;
    def.mode = m->info.mode;
    def.rate = m->info.mode == TR_CLIENT_REAL_TIME ? m->info.rate : 0;
    def.paused = m->info.mode != TR_CLIENT_STEPPED;
    def.fault_rule = m->info.fault_rule;
    def.owner_leaves = TR_CLIENT_OWNER_LEAVES_KEEP;
    def.step_timeout_s = m->info.step_timeout_s;
    int code = tr_cli_ask(&m->to, tr_client_create_world(m->to.client, &def), &reply);
    m->target = code ? 0 : reply->world.id;
    return code;
}

/* The world there must be the world here, to the bit. */
static int fill_target(const move *m, const tr_client_applied *held, tr_client_applied *out) {
    tr_cli *to = (tr_cli *)&m->to;
    const tr_client_reply *reply = NULL;
    const tr_client_at there = {.world = m->target};
    int code = tr_cli_ask(to, tr_client_restore(to->client, there, held->data, held->size), &reply);
    if (code)
        return code;
    *out = reply->applied;
    return out->hash == held->hash
               ? TR_EXIT_OK
               : tr_cli_fail(TR_DATA_LOSS, "the other daemon has another state after the move",
                             "Are both daemons of the same version?");
}

static void drop_target(const move *m) {
    if (m->target != 0)
        (void)tr_client_ask(m->to.client, tr_client_destroy_world(m->to.client, m->target));
}

/* The statuses of an answer that refuses; with all others the world may have ended. */
static bool is_refusal(tr_status status) {
    return status == TR_INVALID_ARGUMENT || status == TR_NOT_FOUND ||
           status == TR_FAILED_PRECONDITION || status == TR_PERMISSION_DENIED;
}

/* Without an answer both copies are left: the one there is paused. */
static int end_source(const move *m, const char *address) {
    tr_error error, both;
    tr_status status =
        tr_client_await(m->from->client, tr_client_move_world(m->from->client, m->info.id, address),
                        m->from->timeout_ms, NULL, &error);
    if (!status)
        return TR_EXIT_OK;
    if (is_refusal(status)) {
        drop_target(m);
        return tr_cli_fail(status, error.message, NULL);
    }
    (void)tr_fail(&both, status,
                  "%.120s: '%s' may have ended on %.128s:%d; its copy on %.128s:%d is kept",
                  error.message, m->name, m->from->host, m->from->port, m->to.host, m->to.port);
    return tr_cli_fail(status, both.message,
                       "If the first daemon's 'troupe worlds' still lists it, destroy the copy; "
                       "otherwise 'troupe resume' the copy, unless it is stepped.");
}

/* What was paused stays so. */
static int start_target(const move *m) {
    tr_cli *to = (tr_cli *)&m->to;
    const tr_client_at there = {.world = m->target};
    if (m->info.mode == TR_CLIENT_STEPPED || m->info.paused)
        return TR_EXIT_OK;
    return tr_cli_ask(to, tr_client_resume(to->client, there), NULL);
}

/* A failure leaves the world where it was: it is released when this connection ends. */
static int move_it(move *m, const char *address, tr_client_applied *out) {
    const tr_client_at here = {.world = m->info.id};
    const tr_client_reply *held = NULL;
    int code = tr_cli_ask(m->from, tr_client_hold_world(m->from->client, here), &held);
    if (code == TR_EXIT_OK)
        code = make_target(m);
    if (code == TR_EXIT_OK)
        code = fill_target(m, &held->applied, out);
    if (code) {
        drop_target(m);
        return code;
    }
    code = end_source(m, address);
    return code ? code : start_target(m);
}

static int show(const move *m, const char *address, const tr_client_applied *applied) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)applied->hash);
    return tr_output_object(m->from, json_pack("{s:s, s:s, s:I, s:I, s:s}", "moved", m->name, "to",
                                               address, "id", (json_int_t)m->target, "tick",
                                               (json_int_t)applied->tick, "hash", hash));
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    const char *address = v->as ? v->as : v->to;
    move m = {.from = cli, .to = *cli};
    tr_client_applied applied = {0};
    m.to.client = NULL;
    m.to.hosts = NULL;
    if (!tr_cli_parse_address(v->to, &m.to))
        return tr_cli_usage_error("move-world: '%s': expected HOST or HOST:PORT", v->to);
    if (strlen(address) > ADDRESS_MAX)
        return tr_cli_usage_error("move-world: '%s': expected at most %d bytes", address,
                                  ADDRESS_MAX);
    int code = look_up(&m, v->world);
    if (code == TR_EXIT_OK)
        code = tr_cli_connect(&m.to);
    if (code == TR_EXIT_OK)
        code = move_it(&m, address, &applied);
    tr_client_close(m.to.client);
    return code ? code : show(&m, address, &applied);
}

const tr_cli_command tr_cli_command_move_world = {
    .name = "move-world",
    .summary = "move a world to another daemon; it continues there to the bit",
    .help =
        "The world is paused, restored on the other daemon from its snapshot, and ended here; "
        "subscribers\n"
        "get the new address with the event that it is gone. Ids, labels, owners and commands that "
        "wait for\n"
        "their tick stay. Its clients connect there; steppers join again. The moved world is "
        "kept until it\n"
        "is destroyed, also if it was to end with its owner, unless a client claims it "
        "(claim-world). Its reset\n"
        "point is then the state at the move. The other daemon needs the same version, models and "
        "controllers,\n"
        "and accepts the same key. If anything fails, the world continues here; if the last answer "
        "is lost, its\n"
        "copy there is kept too, paused. For directors.\n\n"
        "  troupe move-world arena two.example.org:7400\n"
        "  troupe move-world arena 10.0.0.7:7400 --as play.example.org:7031",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "id or name"},
                 {"TO", TR_OPTION_TEXT, offsetof(values, to), "the other daemon, HOST[:PORT]"},
                 {"--as ADDRESS", TR_OPTION_TEXT, offsetof(values, as),
                  "the address for the clients; default: TO"}},
    .values_size = sizeof(values),
    .run = run,
};
