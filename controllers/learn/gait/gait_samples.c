#include "learn/gait/gait_samples.h"

#include <stdlib.h>

tr_status tr_gait_samples_add(tr_gait_samples *samples, const tr_gait_sample *sample) {
    if (samples->count == samples->capacity) {
        int capacity = samples->capacity ? 2 * samples->capacity : 256;
        if (samples->count >= TR_GAIT_SAMPLE_MAX)
            return TR_RESOURCE_EXHAUSTED;
        tr_gait_sample *grown = realloc(samples->sample, (size_t)capacity * sizeof *grown);
        if (!grown)
            return TR_RESOURCE_EXHAUSTED;
        samples->sample = grown;
        samples->capacity = capacity;
    }
    samples->sample[samples->count++] = *sample;
    return TR_OK;
}

void tr_gait_samples_cut(tr_gait_samples *samples, double low, double high) {
    int kept = 0;
    for (int i = 0; i < samples->count; i++)
        if (samples->sample[i].task >= low && samples->sample[i].task <= high)
            samples->sample[kept++] = samples->sample[i];
    samples->count = kept;
}

void tr_gait_samples_deinit(tr_gait_samples *samples) {
    free(samples->sample);
    *samples = (tr_gait_samples){0};
}
