#include "cli/output.h"

typedef struct values {
    const char *world;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    uint32_t id = 0;
    int code = tr_cli_find_world(cli, v->world, &id);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_destroy_world(cli->client, id), NULL);
    return code ? code : tr_output_object(cli, json_pack("{s:I}", "destroyed", (json_int_t)id));
}

const tr_cli_command tr_cli_command_destroy_world = {
    .name = "destroy-world",
    .summary = "destroy a world; subscribers are notified",
    .help = "Its subscribers are notified.\n\n"
            "  troupe destroy-world arena",
    .argument = {TR_CLI_WORLD},
    .values_size = sizeof(values),
    .run = run,
};
