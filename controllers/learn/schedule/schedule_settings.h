/* The settings of a scheduling task by name: rewards, disturbances, and parameters of learning.
 * Task files (controllers/recipes/schedule) and --set give values; a record lists all. Defaults are
 * those that did best in trials; guide/scheduling.md lists the published ones. */
#pragma once

#include "math/parameter_table.h"
#include "model/model.h"

enum { TR_SCHEDULE_BATCH_MAX = 1024 };

static const double TR_SCHEDULE_REWARD = 5;   /* R0 of Liu 2017, eq. 5: of each decision */
static const double TR_SCHEDULE_PUSH_S = 0.2; /* duration of a push */

typedef struct tr_schedule_settings {
    uint64_t seed;
    int transitions;
    /* What is scheduled and asked for. */
    char skills[TR_NAME_MAX]; /* between commas */
    int ways, previous, asks, turns, objects, planned;
    double ask_every_low_s, ask_every_high_s;
    /* Reward. */
    char favoured[TR_NAME_MAX];
    double jump_penalty, other_penalty;
    double feedback_fail_rad;
    double aim_penalty, pace_least_mps, object_penalty, object_free_m, rock_rad;
    /* Disturbances and starts. */
    double push_low_n, push_high_n, push_every_low_s, push_every_high_s;
    int push_learned;
    double jostle_n, noise_nm;
    double favoured_starts;
    int episode, back;
    /* Network. */
    int scaling_decisions; /* their features scale the inputs */
    int hidden_units;
    /* Learning. */
    char rule[TR_NAME_MAX];
    double rate, shrink, clip, copy_share;
    int double_q, bounded, batch, replay, warm, copy_every, environments;
    double random_share, asked_share, order_first, order_last, order_until;
    int near_draws;
    /* Tests, by which the best network is chosen. */
    int test_every, test_trials, test_requests;
    double test_low_n, test_high_n, test_after_s;
} tr_schedule_settings;

extern const tr_parameter_table tr_schedule_settings_table;
