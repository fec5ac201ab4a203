#include "cli/recording_source.h"

#include "cli/failure.h"
#include "cli/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PART_SIZE = 1024 * 1024 };

/* Sends the file part by part; the last part, which may be empty, is flagged as last. */
static int upload_parts(tr_cli *cli, FILE *file, const char *path, tr_client_upload_def def,
                        tr_cli_send_part send, const tr_client_reply **out_reply) {
    uint8_t *part = malloc(PART_SIZE);
    def.data = part;
    int code = part ? TR_EXIT_OK : TR_EXIT_FILE;
    while (code == TR_EXIT_OK && !def.last) {
        def.size = fread(part, 1, PART_SIZE, file);
        def.last = def.size < PART_SIZE;
        if (ferror(file)) {
            code = tr_cli_fail_on_file(path);
        } else {
            code = tr_cli_ask(cli, send(cli->client, &def), def.last ? out_reply : NULL);
        }
        def.offset += def.size;
    }
    free(part);
    return code;
}

int tr_cli_upload(tr_cli *cli, const char *path, const char *name, tr_cli_send_part send,
                  const tr_client_reply **out_reply) {
    FILE *file = fopen(path, "rbe");
    if (!file)
        return tr_cli_fail_on_file(path);
    const tr_client_upload_def def = {.name = name};
    int code = upload_parts(cli, file, path, def, send, out_reply);
    fclose(file);
    return code;
}

int tr_cli_download_recording(tr_cli *cli, const char *name, const char *path) {
    tr_sink sink;
    const tr_client_reply *reply = NULL;
    uint64_t offset = 0;
    int code = tr_cli_open_file(&sink, path);
    if (code)
        return code;
    for (bool more = true; code == TR_EXIT_OK && more && !ferror(sink.file);) {
        code = tr_cli_ask(cli, tr_client_download_recording(cli->client, name, offset), &reply);
        if (code)
            break;
        more = reply->part.size > 0; /* a part after the end is empty */
        if (more)
            (void)fwrite(reply->part.data, 1, reply->part.size, sink.file);
        offset += reply->part.size;
    }
    return tr_cli_close_file(&sink, code);
}

/* Makes a unique name from the session's id. */
static void name_own(const tr_cli *cli, const char *kind, char out[48]) {
    snprintf(out, 48, "%s-%llu-%ld", kind, (unsigned long long)tr_client_session(cli->client),
             (long)getpid());
}

int tr_cli_open_replay(tr_cli *cli, const tr_cli_replay_def *def, uint32_t *out_world) {
    char name[48], world[48];
    const tr_client_reply *reply = NULL;
    name_own(cli, "upload", name);
    name_own(cli, "replay", world);
    bool is_file = access(def->source, F_OK) == 0;
    tr_client_replay_def replay = {.recording = is_file ? name : def->source,
                                   .world = def->world ? def->world : world,
                                   .rate = def->rate,
                                   .paused = def->paused,
                                   .loop = def->loop};
    int code = is_file ? tr_cli_upload(cli, def->source, name, tr_client_upload_recording, NULL)
                       : TR_EXIT_OK;
    if (code)
        return code;
    code = tr_cli_ask(cli, tr_client_replay(cli->client, &replay), &reply);
    if (code == TR_EXIT_OK)
        *out_world = reply->world.id;
    if (is_file) {
        int removed = tr_cli_ask(cli, tr_client_delete_recording(cli->client, name), NULL);
        code = code ? code : removed;
    }
    return code;
}

int tr_cli_close_replay(tr_cli *cli, uint32_t world) {
    return tr_cli_ask(cli, tr_client_destroy_world(cli->client, world), NULL);
}
