/* Where a command's recording comes from: a file here, or one that the daemon keeps.
 *
 * FILE is taken as a file when there is one of that path: it is uploaded under a name of its own,
 * replayed, and removed from the daemon again, which keeps it in memory as long as the replay
 * lasts. Else it is the name of a recording of the daemon. */
#ifndef TROUPE_CLI_RECORDING_SOURCE_H
#define TROUPE_CLI_RECORDING_SOURCE_H

#include "cli/cli.h"

typedef struct tr_cli_replay_def {
    const char *source; /* path or name */
    const char *world;  /* name of the world; NULL: one of its own */
    double rate;        /* 0: 1 */
    bool paused, loop;
} tr_cli_replay_def;

/* Makes the world. Returns an exit code. */
int tr_cli_open_replay(tr_cli *cli, const tr_cli_replay_def *def, uint32_t *out_world);
int tr_cli_close_replay(tr_cli *cli, uint32_t world);

/* The whole file of a recording, to `path`. */
int tr_cli_download_recording(tr_cli *cli, const char *name, const char *path);

/* A file of this machine, to the daemon under `name`. */
int tr_cli_upload_recording(tr_cli *cli, const char *path, const char *name);

#endif
