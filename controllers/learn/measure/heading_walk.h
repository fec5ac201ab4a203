/* Headings that change: how a controller that can be steered follows them, and whether it stays up.
 *
 * Trials begin in disturbed spawn states (trial.h). Every goal_s a character is given another
 * heading, drawn evenly about its present one, or one so far to the left or right, drawn evenly
 * too. A trial in which the motion is lost counts, for the rest of its time, as travel opposite to
 * the heading. Where characters may get up, a trial continues after a fall, and only the time in
 * which the character is down counts so; the trial ends when it is down for TR_HEADING_RISE_S. The
 * measures are those of latent policies (learn/measure/heading_record.h), so that puppets,
 * chains and graphs are compared on the same axes. Deterministic, whatever the number of
 * threads. */
#pragma once

#include "learn/measure/heading_record.h"
#include "learn/rehearsal/ensemble.h"

enum { TR_HEADING_WALK_MAX = 10000, TR_HEADING_SETTING_MAX = 8, TR_HEADING_RISE_S = 30 };

/* A parameter of the driver with one value. */
typedef struct tr_heading_setting {
    const char *name;
    double value;
} tr_heading_setting;

/*   push_n   N, horizontal, on the trunk, for 0.2 s at a drawn time of each heading, in a drawn
 *            direction; 0: none
 *   turn_rad of each heading, to a drawn side; 0: drawn evenly
 *   near_rad as in heading_record.h; 0: the usual
 *   rises    a fall does not end a trial
 *   setting  [setting_count], borrowed */
typedef struct tr_heading_walk {
    int trials;
    bool rises;
    double seconds, goal_s, push_n, turn_rad, near_rad;
    uint64_t seed;
    int setting_count;
    tr_heading_setting setting[TR_HEADING_SETTING_MAX];
} tr_heading_walk;

/* held: trials without a loss, or, where characters may get up, without a fall
 * falls, risen: the falls, and after how many of them it was up again before the trial ended
 * speed_mps: of the root, while the motion is held */
typedef struct tr_heading_walk_result {
    int trials, held, falls, risen;
    double mean_s, shortest_s;
    tr_spread speed_mps;
    tr_heading_summary heading;
} tr_heading_walk_result;

/* TR_INVALID_ARGUMENT: a number out of range; TR_FAILED_PRECONDITION: the controller does not
 * follow headings; TR_NOT_FOUND: no such parameter; TR_RESOURCE_EXHAUSTED. */
tr_status tr_heading_walk_run(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_heading_walk *walk, tr_heading_walk_result *out,
                              tr_error *error) TR_NODISCARD;
