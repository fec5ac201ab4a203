/* The good gaits that a search found: those that survived all of their trials, and the optimal
 * ones. An embedding is computed from them (Shum et al., section 3.5). */
#pragma once

#include "control/gait/gait_parameters.h"
#include "proto/status.h"

#include <stdint.h>

enum { TR_GAIT_SAMPLE_MAX = 50000 };

/* task: force, N, that it was found at; generation: of the training, which found it */
typedef struct tr_gait_sample {
    double task;
    int32_t generation, optimal;
    double value[TR_GAIT_SIZE];
} tr_gait_sample;

/* sample: [count], owned. All zero: empty. */
typedef struct tr_gait_samples {
    int count, capacity;
    tr_gait_sample *sample;
} tr_gait_samples;

/* TR_RESOURCE_EXHAUSTED: no memory, or past TR_GAIT_SAMPLE_MAX. */
tr_status tr_gait_samples_add(tr_gait_samples *samples, const tr_gait_sample *sample) TR_NODISCARD;

/* Keeps those of task values from low to high. */
void tr_gait_samples_cut(tr_gait_samples *samples, double low, double high);
void tr_gait_samples_deinit(tr_gait_samples *samples);
