#include "learn/schedule/replay_memory.h"

#include <stdlib.h>
#include <string.h>

tr_status tr_replay_memory_init(tr_replay_memory *out, int capacity) {
    if (capacity < 1 || capacity > TR_REPLAY_MEMORY_MAX)
        return TR_INVALID_ARGUMENT;
    tr_transition *transition = calloc((size_t)capacity, sizeof *transition);
    if (!transition)
        return TR_RESOURCE_EXHAUSTED;
    *out = (tr_replay_memory){.transition = transition, .capacity = capacity};
    return TR_OK;
}

void tr_replay_memory_deinit(tr_replay_memory *replay) {
    free(replay->transition);
    *replay = (tr_replay_memory){0};
}

void tr_replay_memory_add(tr_replay_memory *replay, const tr_transition *transition) {
    replay->transition[replay->at] = *transition;
    replay->at = (replay->at + 1) % replay->capacity;
    if (replay->count < replay->capacity)
        replay->count++;
}

const tr_transition *tr_replay_memory_draw(const tr_replay_memory *replay, tr_random *random) {
    int index = (int)(tr_random_uniform(random) * replay->count);
    return &replay->transition[index];
}

/* Returns the place of the 1 among zeros; -1: only zeros. */
static int16_t find_one(const float *input, int count) {
    int16_t found = -1;
    for (int i = 0; i < count; i++)
        if (input[i] > 0)
            found = (int16_t)i;
    return found;
}

static void put_one(int at, int count, float *out) {
    for (int i = 0; i < count; i++)
        out[i] = i == at;
}

tr_glance tr_glance_of(const tr_scheduler *scheduler, const float *input) {
    const int numbers = tr_scheduler_number_count(scheduler);
    const float *entries = input + numbers, *requests = entries + scheduler->entry_count;
    tr_glance glance = {.previous = find_one(entries, scheduler->entry_count),
                        .request = find_one(requests, scheduler->request_count)};
    memcpy(glance.number, input, (size_t)numbers * sizeof *input);
    return glance;
}

void tr_glance_unfold(const tr_scheduler *scheduler, const tr_glance *glance, float *out_input) {
    const int numbers = tr_scheduler_number_count(scheduler);
    memcpy(out_input, glance->number, (size_t)numbers * sizeof *out_input);
    float *entries = out_input + numbers;
    put_one(glance->previous, scheduler->entry_count, entries);
    put_one(glance->request, scheduler->request_count, entries + scheduler->entry_count);
}
