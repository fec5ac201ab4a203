/* Divergence: where what is simulated again first differs from what was recorded.
 *
 * What a recording tells decides how much can be named. Each step has a byte of trace for every
 * character and one for all objects: they name the step and whose state it is, and miss a difference
 * in one of 256 cases. A check has a hash of the whole state, which misses nothing, and a byte for
 * every body; a key frame is the whole state. Between them nothing is known of single bodies, and
 * what differs in one differs a step later in all that hang together. So a body is named at the step
 * itself when a check or key frame is there, and else at the first that follows, with its place: by a
 * key frame the one that differs most, by a check the first of the model that differs. Beside the
 * step stands the last place at which the whole state was the recorded one.
 *
 * Plain data; deterministic. */
#ifndef TROUPE_SERVER_DIVERGENCE_H
#define TROUPE_SERVER_DIVERGENCE_H

#include "control/stage.h"
#include "server/recording/recording.h"

struct tr_world_loop;

typedef struct tr_divergence {
    bool found;
    int64_t position, tick; /* after the step, or where the command applied */
    int64_t same_at;        /* the last position where the whole state was the recorded one */
    tr_entity_id entity;    /* 0: none can be named */
    int body;               /* of its model; -1: none can be named */
    int64_t body_at;        /* the position where it was compared; `position`: at the step itself */
    char label[TR_NAME_MAX], body_name[TR_NAME_MAX];
    char what[64];
} tr_divergence;

/* Where a replay is in its recording. */
typedef struct tr_divergence_place {
    int64_t position, same_at;
} tr_divergence_place;

/* Notes the first difference; what comes after it is no news. entity: 0 for none. */
void tr_divergence_note(tr_divergence *d, const struct tr_world_loop *loop, tr_divergence_place at,
                        tr_entity_id entity, const char *what);

/* The step just made against its trace, [width]. */
void tr_divergence_compare_step(tr_divergence *d, const struct tr_world_loop *loop,
                                tr_divergence_place at, const uint8_t *trace, uint32_t width);

/* The state against a check. Before anything was found: notes a difference, and returns whether there
 * is none. After it: names the body. */
bool tr_divergence_compare_check(tr_divergence *d, const struct tr_world_loop *loop,
                                 tr_divergence_place at, const tr_record *check);

/* Names the body of the character in which its recorded state and the simulated one are furthest
 * apart, in rad, m and their rates; none when they are the same. */
void tr_divergence_compare_states(tr_divergence *d, const struct tr_world_loop *loop,
                                  tr_divergence_place at, const tr_state *recorded,
                                  const tr_state *simulated);

/* As an event to those who watch, and as a failure: TR_DATA_LOSS. */
void tr_divergence_tell(const tr_divergence *d, struct tr_world_loop *loop);
void tr_divergence_print(const tr_divergence *d, tr_error *error);

#endif
