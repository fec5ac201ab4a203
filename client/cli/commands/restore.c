#include "cli/failure.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct values {
    tr_cli_target target;
    const char *file;
    uint8_t *data; /* [size], its content */
    size_t size;
} values;

enum {
    SNAPSHOT_FILE_MAX = 4 * 1024 * 1024
}; /* the daemon's limit is lower and has its own error */

static int read_file(const char *path, uint8_t **out, size_t *out_size) {
    FILE *file = fopen(path, "rbe");
    uint8_t *data = malloc(SNAPSHOT_FILE_MAX);
    size_t size = file && data ? fread(data, 1, SNAPSHOT_FILE_MAX, file) : 0;
    bool whole = file && data && !ferror(file) && fgetc(file) == EOF;
    if (!file || (data && ferror(file)))
        (void)tr_cli_fail_on_file(path);
    else if (!whole)
        fprintf(stderr, "troupe: %s: longer than a snapshot can be\n", path);
    if (file)
        fclose(file);
    if (!whole) {
        free(data);
        return TR_EXIT_FILE;
    }
    *out = data;
    *out_size = size;
    return TR_EXIT_OK;
}

TR_CLI_SEND(values, tr_client_restore(client, at, v->data, v->size))

static int run(tr_cli *cli, const void *given) {
    values v = *(const values *)given;
    int code = read_file(v.file, &v.data, &v.size);
    if (code == TR_EXIT_OK)
        code = tr_cli_act(cli, &v, send, "restored");
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
