#include "cli/output.h"

typedef struct values {
    tr_cli_target target;
    const char *file;
} values;

TR_CLI_SEND(values, tr_client_snapshot(client, at))

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask_about(cli, v, send, &reply);
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
    .argument = {TR_CLI_WORLD,
                 {"FILE", TR_OPTION_TEXT, offsetof(values, file),
                  "is replaced; - is standard output"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .run = run,
};
