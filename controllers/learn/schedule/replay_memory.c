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

tr_glance tr_glance_of(const tr_scheduler *scheduler, const float *input) {
    tr_glance glance = {.previous = -1};
    memcpy(glance.feature, input, sizeof glance.feature);
    for (int i = 0; i < scheduler->entry_count; i++)
        if (input[TR_FEATURE_COUNT + i] > 0)
            glance.previous = (int16_t)i;
    return glance;
}

void tr_glance_unfold(const tr_scheduler *scheduler, const tr_glance *glance, float *out_input) {
    memcpy(out_input, glance->feature, sizeof glance->feature);
    for (int i = 0; i < scheduler->entry_count; i++)
        out_input[TR_FEATURE_COUNT + i] = i == glance->previous;
}
