#include "cli/world_rows.h"

#include <math.h>

typedef struct values {
    const char *world;
    double lease_s;
    bool start;
} values;

static const values defaults = {.lease_s = NAN}; /* not given */

static int start(tr_cli *cli, uint32_t id, const tr_client_reply **out) {
    int code = tr_cli_ask(cli, tr_client_get_world(cli->client, id), out);
    return code ? code
                : tr_cli_ask(cli, tr_client_start_world(cli->client, id, (*out)->world.moved_from),
                             out);
}

/* The owner is this command's session, so what is to happen at its end begins at once. */
static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_owner_leaves owner_leaves =
        isnan(v->lease_s) ? TR_CLIENT_OWNER_LEAVES_KEEP : TR_CLIENT_OWNER_LEAVES_DESTROY;
    double lease_s = isnan(v->lease_s) ? 0 : v->lease_s;
    const tr_client_reply *reply = NULL;
    uint32_t id = 0;
    if (v->start && !isnan(v->lease_s))
        return tr_cli_usage_error("claim-world: --start with --lease; expected one of them");
    int code = tr_cli_find_world(cli, v->world, &id);
    if (code == TR_EXIT_OK && v->start)
        code = start(cli, id, &reply);
    else if (code == TR_EXIT_OK)
        code =
            tr_cli_ask(cli, tr_client_claim_world(cli->client, id, owner_leaves, lease_s), &reply);
    return code ? code : tr_output_object(cli, tr_cli_world_object(&reply->world));
}

const tr_cli_command tr_cli_command_claim_world = {
    .name = "claim-world",
    .summary = "take a world over from its owner, to keep it or to end it later",
    .help =
        "A world can end with the client that owns it: the one that made it, or the last one "
        "that claimed it.\n"
        "This command takes it over and leaves. The world then stays until it is destroyed, or "
        "ends after\n"
        "--lease seconds, unless another client claims it before. A match's world cannot be "
        "claimed. With --start, a world that arrives by 'troupe move-world' starts, although its "
        "move was not\n"
        "finished: use it only if the daemon that the world is from has ended. For directors.\n\n"
        "  troupe claim-world arena\n"
        "  troupe claim-world arena --lease 600",
    .argument = {TR_CLI_WORLD,
                 {"--lease S", TR_OPTION_REAL, offsetof(values, lease_s),
                  "destroy it S seconds after this command, unless a client claims it"},
                 {"--start", TR_OPTION_FLAG, offsetof(values, start),
                  "start a world whose move was not finished"}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
