#include "cli/output.h"

typedef struct values {
    const char *world, *name;
    int64_t check_every, key_every, at;
} values;

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_at at;
    const tr_client_reply *reply = NULL;
    if (v->check_every > UINT32_MAX || v->key_every > UINT32_MAX)
        return tr_cli_usage_error(
            "--check-every %lld, --key-every %lld: expected at most 1000000 each",
            (long long)v->check_every, (long long)v->key_every);
    tr_client_record_def def = {.name = v->name,
                                .check_every = (uint32_t)v->check_every,
                                .key_every = (uint32_t)v->key_every};
    int code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_start_recording(cli->client, at, &def), &reply);
    return code ? code : tr_output_applied(cli, "recording", &reply->applied);
}

const tr_cli_command tr_cli_command_record = {
    .name = "record",
    .summary = "record a world, from now until 'troupe stop-recording'",
    .help = "The daemon stores the initial state, every command, and a trace of every step: less\n"
            "than 1 MB an hour for a character. --key-every also stores whole states, for seeking\n"
            "without simulating; with --check-every 1 'troupe verify' can name the body that\n"
            "differs first.\n\n"
            "  troupe record arena monday\n"
            "  troupe stop-recording arena\n"
            "  troupe replay monday",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"NAME", TR_OPTION_TEXT, offsetof(values, name),
                  "name of the recording: letters, digits, . _ -"},
                 {"--check-every TICKS", TR_OPTION_INTEGER, offsetof(values, check_every),
                  "ticks between hashes of the whole state; default 200", 1, 0},
                 {"--key-every TICKS", TR_OPTION_INTEGER, offsetof(values, key_every),
                  "ticks between whole states; default: none", 1, 0},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
