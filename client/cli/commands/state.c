#include "cli/state_rows.h"

typedef struct values {
    const char *world;
    bool velocities, bodies, contacts;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    uint32_t fields = TR_CLIENT_JOINTS | TR_CLIENT_OBJECTS | TR_CLIENT_HASH;
    fields |= v->velocities ? TR_CLIENT_VELOCITIES : 0u;
    fields |= v->bodies ? TR_CLIENT_BODIES : 0u;
    fields |= v->contacts ? TR_CLIENT_CONTACTS : 0u;
    uint32_t world = 0;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_world(cli, v->world, &world);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_get_state(cli->client, world, fields), &reply);
    if (code == TR_EXIT_OK)
        tr_cli_print_state(cli, &reply->state);
    return code;
}

const tr_cli_command tr_cli_command_state = {
    .name = "state",
    .summary = "print the present state of a world",
    .help = "One line for each character and object. --json has all numbers, and the hash of the "
            "complete state.\n\n"
            "  troupe state arena\n"
            "  troupe state arena --bodies --json",
    .argument = {TR_CLI_WORLD,
                 {"--velocities", TR_OPTION_FLAG, offsetof(values, velocities),
                  "with --json: velocities too"},
                 {"--bodies", TR_OPTION_FLAG, offsetof(values, bodies),
                  "with --json: every body too, in the world"},
                 {"--contacts", TR_OPTION_FLAG, offsetof(values, contacts),
                  "with --json: contacts too"}},
    .values_size = sizeof(values),
    .run = run,
};
