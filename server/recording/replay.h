/* A replay: a source of commands for a world loop that takes them from a recording instead of
 * clients.
 *
 * It starts from the recording's first state, applies the recorded commands at their positions,
 * steps, and compares every step's trace with the recorded one. So it shows the recorded states to
 * the bit, or stops and reports the first difference. Clients may pause, resume, step, change the
 * rate, seek, loop, verify, and take snapshots (to continue from there in another world). Commands
 * that would change the world are refused.
 *
 * Positions count steps since the recording's start. Seeking starts from the nearest earlier state,
 * either a key frame of the file or a state that the replay has kept (at most
 * TR_REPLAY_KEYS_BYTES_MAX). The remaining steps are simulated unseen, in slices, so that other
 * worlds are not delayed.
 *
 *     SHOWING --- seek, the end of a loop ---> SEEKING ----- there, or it differs ---> SHOWING
 *        |                                                                               ^  ^
 *        +------ verify ---> VERIFYING --- the end, or no body can be named --------------+  |
 *                              |   ^                                                        |
 *            a character differs   its body is named                                        |
 *                              v   |                                                        |
 *                            LOCATING --- the end -----------------------------------------+
 *
 * Verifying runs from the start without key frames, compares each key frame of the file with the
 * simulated state, and reports the first step that differs, the character or object, and its body
 * as the next check or key frame shows it (divergence.h). */
#pragma once

#include "server/recording/divergence.h"
#include "server/recording/recording.h"
#include "server/world/world_loop.h"

typedef struct tr_replay tr_replay;

typedef struct tr_replay_info {
    bool loop, working, verified;
    int64_t position;
    tr_divergence divergence;
} tr_replay_info;

typedef struct tr_replay_def {
    tr_recording *recording; /* shared */
    const tr_cast *cast;     /* has everything that the recording names; copied, items borrowed */
    /* commands that the recording may hold; must outlive the replay */
    const tr_command_table *commands;
    bool loop;
} tr_replay_def;

/* TR_FAILED_PRECONDITION: made by a simulation with another fingerprint; TR_NOT_FOUND: the cast
 * lacks a model or controller, or has a different one with its name. */
tr_status tr_replay_create(const tr_replay_def *def, tr_replay **out, tr_error *error) TR_NODISCARD;

/* For a replay that no world loop has taken; NULL is allowed. */
void tr_replay_destroy(tr_replay *replay);

/* For tr_world_loop_def.source. */
tr_command_source *tr_replay_source(tr_replay *replay);

/* The replay's description after its last turn. Any thread, while its world exists. */
tr_replay_info tr_replay_describe(tr_replay *replay);

/* --- for kinds of commands: values of tr_command_kind.replay, on the world's thread --- */

tr_command_act tr_replay_apply; /* as in any other world */
tr_command_act tr_replay_resume, tr_replay_verify, tr_replay_seek, tr_replay_set_loop;
tr_status tr_replay_step(tr_world_loop *loop, tr_command *command, int64_t count,
                         tr_reply *result) TR_NODISCARD;
