/* Divergence: the first place where a repeated simulation differs from its recording.
 *
 * The contents of the recording limit what can be named. Each step has a byte of trace for every
 * character and one for all objects. They identify the step and the character, but miss a
 * difference in one of 256 cases. A check has a hash of the whole state, which misses nothing, and
 * a byte for every body. A key frame is the whole state. Between checks and key frames there is no
 * data about single bodies, and after one more step a difference has spread to all connected
 * bodies. So the body is named at the step itself if it has a check or key frame, otherwise at the
 * next one, with its position: by a key frame the body that differs most, by a check the first
 * differing body of the model. The result also holds the last position at which the whole state was
 * equal.
 *
 * Plain data; deterministic. */
#pragma once

#include "control/stage/stage.h"
#include "server/recording/recording.h"

struct tr_world_loop;

typedef struct tr_divergence {
    bool found;
    int64_t position, tick; /* after the step, or at the command */
    int64_t same_at;        /* last position where the whole state was equal */
    tr_entity_id entity;    /* 0: unknown */
    int body;               /* index in its model; -1: unknown */
    /* position where the body was compared; equal to `position`: at the step itself */
    int64_t body_at;
    char label[TR_NAME_MAX], body_name[TR_NAME_MAX];
    char what[64];
} tr_divergence;

/* The place of a replay in its recording. */
typedef struct tr_divergence_place {
    int64_t position, same_at;
} tr_divergence_place;

/* Notes the first difference; later calls have no effect. entity: 0: unknown. */
void tr_divergence_note(tr_divergence *d, const struct tr_world_loop *loop, tr_divergence_place at,
                        tr_entity_id entity, const char *what);

/* Compares the step just made with its trace, [width]. */
void tr_divergence_compare_step(tr_divergence *d, const struct tr_world_loop *loop,
                                tr_divergence_place at, const uint8_t *trace, uint32_t width);

/* Compares the state, of this `hash`, with a check. Before a difference was found: notes one, and
 * returns whether the state is equal. After it: names the body. */
bool tr_divergence_compare_check(tr_divergence *d, const struct tr_world_loop *loop,
                                 tr_divergence_place at, const tr_record *check, uint64_t hash);

/* Names the body of the character whose recorded and simulated states differ most, in rad, m and
 * their rates; none if they are equal. */
void tr_divergence_compare_states(tr_divergence *d, const struct tr_world_loop *loop,
                                  tr_divergence_place at, const tr_state *recorded,
                                  const tr_state *simulated);

/* Reports the difference as an event to subscribers, and as a failure: TR_DATA_LOSS. */
void tr_divergence_tell(const tr_divergence *d, struct tr_world_loop *loop);
void tr_divergence_print(const tr_divergence *d, tr_error *error);
