/* The settings of a scheduling task by name: rewards, disturbances, and parameters of learning.
 * Task files (controllers/recipes/schedule) and --set give values; a record lists all. Defaults are
 * those that did best in trials; the page paper-scheduling of the site lists the published ones. */
#pragma once

#include "math/parameter_table.h"
#include "model/model.h"

enum { TR_SCHEDULE_BATCH_MAX = 1024, TR_ENVIRONMENT_BACK_MAX = 20 };

static const double TR_SCHEDULE_REWARD = 5;   /* R0 of Liu 2017, eq. 5: of each decision */
static const double TR_SCHEDULE_PUSH_S = 0.2; /* duration of a push */

typedef struct tr_schedule_settings {
    uint64_t seed;
    int transitions;
    /* What is scheduled and asked for. */
    char skills[TR_NAME_MAX]; /* between commas */
    int ways, asks, turns, objects, planned;
    double ask_every_low_s, ask_every_high_s;
    /* Reward. */
    char favoured[TR_NAME_MAX];
    double jump_penalty, other_penalty;
    double feedback_fail_rad;
    double aim_penalty, pace_least_mps, object_penalty, object_free_m, rock_rad;
    /* Disturbances and starts. */
    double push_low_n, push_high_n;
    double jostle_n, favoured_starts;
    /* Learning. */
    int hidden_units; /* of each layer of the network */
    double rate, copy_share;
    int bounded, batch, copy_every;
    double random_share, asked_share, order_first, order_last, order_until;
    int near_draws;
    /* Tests, by which the best network is chosen. */
    int test_every, test_trials, test_requests;
    double test_low_n, test_high_n, test_after_s, test_turn_s;
} tr_schedule_settings;

extern const tr_parameter_table tr_schedule_settings_table;

/* How much a training tries. All trainings use the same amounts but those of tests, which are small.
 * environments:      worlds that decide in lockstep
 * episode:           most decisions of one (T)
 * back:              decisions to return after a fall, at most TR_ENVIRONMENT_BACK_MAX
 * push_every_*_s:    shortest and longest time between pushes
 * scaling_decisions: in sequence; their features scale the inputs
 * warm:              transitions before the first update
 * replay:            latest transitions that are kept (N_D) */
typedef struct tr_schedule_amounts {
    int environments, episode, back;
    double push_every_low_s, push_every_high_s;
    int scaling_decisions, warm, replay;
} tr_schedule_amounts;

tr_schedule_amounts tr_schedule_amounts_usual(void);
