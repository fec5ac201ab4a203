#include "cli/world_rows.h"

typedef struct values {
    const char *world;
} values;

static int show(tr_cli *cli, const char *text) {
    uint32_t id = 0;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_world(cli, text, &id);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_get_world(cli->client, id), &reply);
    return code ? code : tr_output_object(cli, tr_cli_world_object(&reply->world));
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    if (v->world)
        return show(cli, v->world);
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_list_worlds(cli->client), &reply);
    if (code)
        return code;
    json_t *rows = json_array();
    for (int i = 0; i < reply->count; i++)
        json_array_append_new(rows, tr_cli_world_object(&reply->worlds[i]));
    return tr_output_list(
        cli, rows, "id name mode paused tick time_s characters objects subscribers dropped_ticks",
        "no worlds; 'troupe create-world NAME' makes one");
}

const tr_cli_command tr_cli_command_worlds = {
    .name = "worlds",
    .summary = "list the worlds, or show one",
    .help = "Commands name a world by its id or its name.\n\n"
            "  troupe worlds\n"
            "  troupe worlds arena",
    .argument = {{"[WORLD]", TR_OPTION_TEXT, offsetof(values, world), "show this one"}},
    .values_size = sizeof(values),
    .run = run,
};
