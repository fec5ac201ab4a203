/* A replay: a source of commands for a world loop that does what a recording says instead of what
 * clients ask.
 *
 * It starts from the recording's first state, applies the recorded commands at their places, steps,
 * and compares every step's trace with the recorded one, so that what it shows is what was, to the
 * bit, or it stops and says where it is not. Clients may pause, resume, step, change the rate, seek,
 * loop, verify, and take snapshots (of a moment, to continue from in another world); whatever would
 * change the world is refused.
 *
 * Places are positions: steps since the recording's beginning. Seeking starts from the nearest state
 * before: of the key frames that the file has and those that the replay has kept in passing, bounded
 * by TR_REPLAY_KEYS_BYTES_MAX; the rest is simulated without being seen, in slices, so that other
 * worlds are not held up.
 *
 *     SHOWING --- seek, the end of a loop ---> SEEKING ----- there, or it differs ---> SHOWING
 *        |                                                                               ^  ^
 *        +------ verify ---> VERIFYING --- the end, or nothing can be named --------------+  |
 *                              |   ^                                                        |
 *            a character differs   its body is named                                        |
 *                              v   |                                                        |
 *                            LOCATING --- the end -----------------------------------------+
 *
 * Verifying runs from the start without key frames, compares each key frame of the file with the
 * state there, and names the first step that differs, the character or object, and its body as the
 * next check or key frame shows it (divergence.h). */
#ifndef TROUPE_SERVER_REPLAY_H
#define TROUPE_SERVER_REPLAY_H

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
    tr_recording *recording;          /* shared */
    const tr_cast *cast;              /* holds all that it names; copied, items borrowed */
    const tr_command_table *commands; /* that the recording may hold; outlives the replay */
    bool loop;
} tr_replay_def;

/* TR_FAILED_PRECONDITION: another simulation has made it; TR_NOT_FOUND: the cast lacks a model or
 * controller, or has another of its name. */
tr_status tr_replay_create(const tr_replay_def *def, tr_replay **out, tr_error *error) TR_NODISCARD;

/* One that no world loop has taken; NULL is fine. */
void tr_replay_destroy(tr_replay *replay);

/* For tr_world_loop_def.source. */
tr_command_source *tr_replay_source(tr_replay *replay);

/* As of its last turn. Any thread, as long as its world is there. */
tr_replay_info tr_replay_describe(tr_replay *replay);

/* --- for kinds of commands: tr_command_kind.replay, and what it is made of; on the world's thread.
 * They take the command --- */

/* Applies it as in any other world. */
void tr_replay_apply(tr_command_source *source, tr_world_loop *loop, tr_command *command,
                     int64_t now_ns);
void tr_replay_resume(tr_command_source *source, tr_world_loop *loop, tr_command *command,
                      int64_t now_ns);
void tr_replay_verify(tr_command_source *source, tr_world_loop *loop, tr_command *command,
                      int64_t now_ns);
void tr_replay_seek(tr_command_source *source, tr_world_loop *loop, tr_command *command,
                    int64_t position, int64_t now_ns);
void tr_replay_step(tr_command_source *source, tr_world_loop *loop, tr_command *command,
                    int64_t count);
void tr_replay_set_loop(tr_command_source *source, bool loop);

#endif
