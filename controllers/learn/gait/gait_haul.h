/* A haul: several walkers side by side push one box (Shum et al., section 4).
 *
 * They start behind its face, hands forwards, and walk along x. The box slides without friction on
 * its base and is damped in proportion to its velocity, as in the paper.
 * Each walker is judged as in a trial (gait_walker.h); the box by how far it moves.
 * Deterministic. */
#pragma once

#include "learn/gait/gait_walker.h"

enum { TR_GAIT_HAUL_WALKERS_MAX = 8 };

/* gap_m: from the walkers' roots to its face at the start */
typedef struct tr_gait_haul_def {
    int walkers;
    double gap_m, mass_kg, duration_s;
    tr_gait_noise noise;
    uint64_t seed;
} tr_gait_haul_def;

/* Four characters at 400 kg, slightly damped, for 60 s. */
tr_gait_haul_def tr_gait_haul_default(void);

/* survived_s: until the first fell
 * way_m:      of the box along x
 * yaw_rad:    its largest turn */
typedef struct tr_gait_haul_outcome {
    bool fell;
    double survived_s, way_m, yaw_rad;
} tr_gait_haul_outcome;

/* TR_INVALID_ARGUMENT: too many walkers, or none; else as tr_world_create, tr_world_add_object. A
 * world that breaks counts as a fall. */
tr_status tr_gait_haul(const tr_gait *gait, const tr_model *model, const tr_gait_haul_def *def,
                       tr_gait_haul_outcome *out) TR_NODISCARD;
