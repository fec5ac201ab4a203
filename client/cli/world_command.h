/* Commands that only have a world and a tick: mark, pause, reset, resume. */
#ifndef TROUPE_CLI_WORLD_COMMAND_H
#define TROUPE_CLI_WORLD_COMMAND_H

#include "cli/output.h"

typedef struct tr_cli_world_values {
    const char *world; /* name or #ID */
    int64_t at;        /* tick; 0: as soon as possible */
} tr_cli_world_values;

/* The arguments of these commands. */
#define TR_CLI_WORLD_ARGUMENTS                                                                     \
    {                                                                                              \
        {"WORLD", TR_OPTION_TEXT, offsetof(tr_cli_world_values, world), "name or #ID"}, {          \
            "--at TICK", TR_OPTION_INTEGER, offsetof(tr_cli_world_values, at),                     \
                "when; default: as soon as possible", 1, 0                                         \
        }                                                                                          \
    }

/* Sends `command` to the world and prints what was `done`, e.g. "paused". Returns an exit code. */
int tr_cli_command_world(tr_cli *cli, const tr_cli_world_values *values,
                         uint64_t (*command)(tr_client *client, tr_client_at at), const char *done);

#endif
