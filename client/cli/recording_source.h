/* The recording of a command: a local file, or one that the daemon keeps.
 *
 * If a file with the path FILE exists, it is uploaded under a unique name, replayed, and removed
 * from the daemon again, which keeps it in memory as long as the replay lasts. Otherwise FILE is
 * the name of a recording of the daemon. */
#pragma once

#include "cli/cli.h"

typedef struct tr_cli_replay_def {
    const char *source; /* path or name */
    const char *world;  /* name of the world; NULL: a unique one */
    double rate;        /* 0.01 to 100 */
    bool paused, loop;
} tr_cli_replay_def;

/* Makes the world. Returns an exit code. */
int tr_cli_open_replay(tr_cli *cli, const tr_cli_replay_def *def, uint32_t *out_world);
int tr_cli_close_replay(tr_cli *cli, uint32_t world);

/* Downloads the whole file of a recording to `path`. */
int tr_cli_download_recording(tr_cli *cli, const char *name, const char *path);

/* Uploads a local file in parts. send: what sends a part; name: of a recording, NULL: it has none;
 * out_reply: to the last part, may be NULL. Returns an exit code. */
typedef uint64_t (*tr_cli_send_part)(tr_client *client, const tr_client_upload_def *part);
int tr_cli_upload(tr_cli *cli, const char *path, const char *name, tr_cli_send_part send,
                  const tr_client_reply **out_reply);
