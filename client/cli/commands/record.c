#include "cli/cli.h"

typedef struct values {
    tr_cli_target target;
    const char *name;
    int check_every, key_every;
} values;

TR_CLI_SEND(values, tr_client_start_recording(client, at,
                                              &(tr_client_record_def){
                                                  .name = v->name,
                                                  .check_every = (uint32_t)v->check_every,
                                                  .key_every = (uint32_t)v->key_every}))

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
    .argument = {TR_CLI_WORLD,
                 {"NAME", TR_OPTION_TEXT, offsetof(values, name),
                  "name of the recording: letters, digits, . _ -"},
                 {"--check-every TICKS", TR_OPTION_COUNT, offsetof(values, check_every),
                  "ticks between hashes of the whole state; default 200", 1, 1000000},
                 {"--key-every TICKS", TR_OPTION_COUNT, offsetof(values, key_every),
                  "ticks between whole states; default: none", 1, 1000000},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .send = send,
    .done = "recording",
};
