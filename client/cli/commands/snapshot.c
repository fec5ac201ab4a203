#include "cli/output.h"

typedef struct values {
    const char *world, *file;
    int64_t at;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_at at;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_snapshot(cli->client, at), &reply);
    if (code == TR_EXIT_OK)
        code = tr_cli_write_file(v->file, reply->applied.data, reply->applied.size);
    return code ? code : tr_output_applied(cli, "snapshot taken", &reply->applied);
}

const tr_cli_command tr_cli_command_snapshot = {
    .name = "snapshot",
    .summary = "save a world to a file, to continue it later to the bit",
    .help = "'troupe restore' restores it, to the bit, into this world or another one of the same\n"
            "daemon version.\n\n"
            "  troupe snapshot arena before.snapshot",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"FILE", TR_OPTION_TEXT, offsetof(values, file),
                  "is replaced; - is standard output"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
