#include "cli/hosts.h"
#include "cli/world_rows.h"

#include <stdio.h>

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

/* Appends the worlds of one of several daemons to an array. */
static int append_worlds(tr_cli *cli, void *rows) {
    const tr_client_reply *reply = NULL;
    char host[300];
    int code = tr_cli_ask(cli, tr_client_list_worlds(cli->client), &reply);
    snprintf(host, sizeof host, "%s:%d", cli->host, cli->port);
    for (int i = 0; code == TR_EXIT_OK && i < reply->count; i++) {
        json_t *row = json_pack("{s:s}", "host", host);
        json_object_update_new(row, tr_cli_world_object(&reply->worlds[i]));
        json_array_append_new(rows, row);
    }
    return code;
}

static int list_everywhere(tr_cli *cli) {
    json_t *rows = json_array();
    int code = tr_cli_hosts_each(cli, append_worlds, rows);
    if (code) {
        json_decref(rows);
        return code;
    }
    return tr_output_list(
        cli, rows,
        "host id name mode paused tick time_s characters objects subscribers dropped_ticks",
        "no worlds; 'troupe create-world NAME' makes one");
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    if (v->world)
        return show(cli, v->world);
    if (cli->hosts)
        return list_everywhere(cli);
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
    .help =
        "Commands name a world by its id or its name. "
        "With several daemons (--hosts), all their worlds are listed; daemons that do not answer "
        "are reported.\n\n"
        "  troupe worlds\n"
        "  troupe --hosts one:7400,two:7400 worlds\n"
        "  troupe worlds arena",
    .argument = {{"[WORLD]", TR_OPTION_TEXT, offsetof(values, world), "show this one"}},
    .values_size = sizeof(values),
    .everywhere = true,
    .run = run,
};
