/* The parameters of a training, all in one place: their names, defaults, bounds and meaning.
 *
 * The names are what the command line sets (--set name=value) and what a training record lists, so
 * that a row of the catalogue can be trained again. */
#pragma once

#include "learn/rehearsal/cost.h"
#include "math/parameter_table.h"
#include "model/model.h"
#include "proto/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct tr_learn_parameters {
    char gain_set[TR_NAME_MAX];
    int ankles;             /* 1: 17-D action, 0: 11-D */
    double weight_velocity; /* the other weights are the published ones */
    int rollback;
    int spawn_mean; /* 1: spawn in the mean state before the first fragment, its reference start;
                        0: in a typical state in which the walk reached it */
    /* Refinement of the open loop. */
    int refine_rounds, refine_visits, refine_samples, refine_skipped;
    double refine_sigma_deg;
    /* Guided learning. */
    int iterations, visits, first_samples, samples;
    double first_sigma_deg, sigma_floor_deg, noise_deg, blend;
    double push_n;
    int push_ramp;
    /* Hardening: rounds, each of harden_updates updates (harden.h). */
    int harden_rounds, harden_updates, harden_directions, harden_best, harden_trials;
    int harden_candidates, harden_spacing, harden_averaged, harden_first;
    double harden_sigma_deg, harden_push_n, harden_after_s;
    double harden_ground, harden_slope_deg, harden_kerb_m, harden_uneven_m;
    double harden_strike, harden_vary, harden_extra;
    int harden_short_loss;
    int harden_blend;
    /* The test that chooses the best iteration. */
    int test_trials, test_resist_trials;
    double test_cap_s, test_grid_n, test_settle_s, test_after_s;
    int paired; /* 1: a row is kept when it beats the best so far on the same fresh seeds */
    /* When it ends early (timetable.h). */
    int stop_after;
    double stop_at_n;
    /* Hardening that adapts (timetable.h). */
    int adapt;
    double adapt_push_n;
    uint64_t seed;
} tr_learn_parameters;

extern const tr_parameter_table tr_learn_parameter_table;
