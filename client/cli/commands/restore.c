#include "cli/failure.h"
#include "proto/text_file.h"

#include <stdlib.h>

typedef struct values {
    tr_cli_target target;
    const char *file;
    char *data; /* [size], its content */
    size_t size;
} values;

enum {
    SNAPSHOT_FILE_MAX = 4 * 1024 * 1024
}; /* the daemon's limit is lower and has its own error */

TR_CLI_SEND(values, tr_client_restore(client, at, (const uint8_t *)v->data, v->size))

static int run(tr_cli *cli, const void *given) {
    values v = *(const values *)given;
    tr_error error;
    if (tr_bytes_file_read(v.file, SNAPSHOT_FILE_MAX, &v.data, &v.size, &error))
        return tr_cli_fail_in_file(&error);
    int code = tr_cli_act(cli, &v, send, "restored");
    free(v.data);
    return code;
}

const tr_cli_command tr_cli_command_restore = {
    .name = "restore",
    .summary = "replace a world's state by a snapshot",
    .help = "The models and controllers in it must be in the daemon's catalogue. A failure leaves\n"
            "the world unchanged.\n\n"
            "  troupe restore arena before.snapshot",
    .argument = {TR_CLI_WORLD,
                 {"FILE", TR_OPTION_TEXT, offsetof(values, file), "from 'troupe snapshot'"},
                 TR_CLI_AT},
    .values_size = sizeof(values),
    .run = run,
};
