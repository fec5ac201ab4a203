#include "cli/failure.h"
#include "cli/output.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct values {
    const char *world, *file;
    int64_t at;
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

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    uint8_t *data = NULL;
    size_t size = 0;
    int code = read_file(v->file, &data, &size);
    if (code)
        return code;
    tr_client_at at;
    const tr_client_reply *reply = NULL;
    code = tr_cli_find_place(cli, v->world, v->at, &at);
    if (code == TR_EXIT_OK)
        code = tr_cli_ask(cli, tr_client_restore(cli->client, at, data, size), &reply);
    free(data);
    return code ? code : tr_output_applied(cli, "restored", &reply->applied);
}

const tr_cli_command tr_cli_command_restore = {
    .name = "restore",
    .summary = "replace a world's state by a snapshot",
    .help = "The models and controllers in it must be in the daemon's catalogue. A failure leaves\n"
            "the world unchanged.\n\n"
            "  troupe restore arena before.snapshot",
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "name or #ID"},
                 {"FILE", TR_OPTION_TEXT, offsetof(values, file), "from 'troupe snapshot'"},
                 {"--at TICK", TR_OPTION_INTEGER, offsetof(values, at),
                  "when; default: as soon as possible", 1, 0}},
    .values_size = sizeof(values),
    .run = run,
};
