/* A replay: a play that does what a recording says instead of what clients ask.
 *
 * It starts from the recording's first state, applies the recorded commands at their places, steps,
 * and compares every step's trace with the recorded one, so that what it shows is what was, to the
 * bit, or it stops and says where it is not. Clients may pause, resume, step, change the rate, seek,
 * loop, verify, and take snapshots (of a moment, to go on from in another world); whatever would
 * change the world is refused.
 *
 * Places are positions: steps since the recording's beginning. Seeking starts from the nearest state
 * before: of the key frames that the file has and those that the replay has kept in passing, bounded
 * by TR_REPLAY_KEYS_BYTES_MAX; the rest is simulated without being seen, in slices, so that other
 * worlds go on.
 *
 *     showing --(seek, verify, the end of a loop)--> working --(there, or it differs)--> showing
 *
 * Verifying runs from the start without key frames, compares each key frame of the file with the
 * state there, and names the first step that differs, the character or object, and its body as the
 * next check or key frame tells it (divergence.h). */
#ifndef TROUPE_SERVER_REPLAY_H
#define TROUPE_SERVER_REPLAY_H

#include "server/catalogue/cast.h"
#include "server/recording/divergence.h"
#include "server/recording/recording.h"

struct tr_command;
struct tr_play;

typedef struct tr_replay tr_replay;

typedef struct tr_replay_info {
    bool active; /* false: the world lives, and the rest is zero */
    bool loop, working, verified;
    int64_t position;
    tr_divergence divergence;
} tr_replay_info;

/* Shares `recording`; `cast` holds all that it names, borrowed. TR_FAILED_PRECONDITION: another
 * simulation has made it; TR_NOT_FOUND: the cast lacks a model or controller, or has another of its
 * name. */
tr_status tr_replay_create(tr_recording *recording, const tr_cast *cast, bool loop, tr_replay **out,
                           tr_error *error) TR_NODISCARD;
void tr_replay_destroy(tr_replay *replay); /* NULL is fine */

/* --- of play.c, for a play that has one --- */

/* Puts the stage to the beginning. */
tr_status tr_replay_begin(struct tr_play *play, int64_t now_ns) TR_NODISCARD;
void tr_replay_admit(struct tr_play *play, struct tr_command *command);
int64_t tr_replay_advance(struct tr_play *play, int64_t now_ns);
void tr_replay_close(struct tr_play *play); /* answers what waits */
tr_replay_info tr_replay_describe(const struct tr_play *play);

#endif
