/* Replay memory: the latest transitions, from which batches are drawn evenly (Liu 2017, section
 * 4.4). Plain data; one thread at a time. */
#pragma once

#include "control/scheduler/scheduler.h"
#include "math/random.h"

/* What the network saw: the first [tr_scheduler_number_count] inputs, which listed entry was just
 * done and which request was asked for (-1: none). */
typedef struct tr_glance {
    float number[TR_SCHEDULER_NUMBER_MAX];
    int16_t previous, request;
} tr_glance;

/* In `before`, `action` was taken and earned `reward`. fails: the motion was lost; then no more
 * reward follows, and `after` is not read. */
typedef struct tr_transition {
    tr_glance before, after;
    int16_t action;
    bool fails;
    float reward;
} tr_transition;

/* transition: [capacity], of which `count` are used; the next is written at `at`. */
typedef struct tr_replay_memory {
    tr_transition *transition;
    int capacity, count, at;
} tr_replay_memory;

enum { TR_REPLAY_MEMORY_MAX = 4000000 };

/* TR_INVALID_ARGUMENT: a capacity outside 1 to TR_REPLAY_MEMORY_MAX; TR_RESOURCE_EXHAUSTED. */
tr_status tr_replay_memory_init(tr_replay_memory *out, int capacity) TR_NODISCARD;
void tr_replay_memory_deinit(tr_replay_memory *replay); /* of zeros is fine */

/* Adds a transition; a full memory drops the oldest. */
void tr_replay_memory_add(tr_replay_memory *replay, const tr_transition *transition);

/* Returns a kept transition; all are equally likely. count > 0. */
const tr_transition *tr_replay_memory_draw(const tr_replay_memory *replay, tr_random *random);

/* Converts what tr_scheduler_observe gave to a glance, and back. input:
 * [tr_scheduler_input_count] */
tr_glance tr_glance_of(const tr_scheduler *scheduler, const float *input);
void tr_glance_unfold(const tr_scheduler *scheduler, const tr_glance *glance, float *out_input);
