/* How characters follow headings that change: the measures of levine2012, figure 6, of whatever
 * moves the characters.
 *
 * Every goal_steps steps a character is given another heading. In each step the angle between the
 * root's travel and the heading is noted; the reward of a step is exp(-3 |angle|). */
#pragma once

#include "proto/status.h"

/* How a quantity spreads: its median, and the quartiles below and above. */
typedef struct tr_spread {
    double median, low, high;
} tr_spread;

/* values: [count], sorted in place. Without values, all three are NAN. Of an even count the median
 * is the larger of the two in the middle. */
tr_spread tr_spread_of(double *values, int count);

/* off: [characters][steps], rad, at least 0; borrowed
 * dt_s: of a step
 * near_rad: a goal is reached when the travel is less than this off */
typedef struct tr_heading_record {
    int characters, steps, goal_steps;
    double dt_s;
    const double *off;
    double near_rad;
} tr_heading_record;

extern const double tr_heading_near_rad; /* the usual one, 20 degrees */

/* Each is a spread over characters, unless its line says "over goals".
 *   reward              per step, of 1000
 *   deviation_deg       of the travel from the goal, in the second half of the time to each goal
 *   deviation_mean_deg  its mean over all
 *   reach_s             over goals: until the goal is reached
 *   turn_s              the same of goals that begin more than 90 deg off
 *   missed              share of the goals that were never reached
 *   goals, reached      their number, and the number of those that were */
typedef struct tr_heading_summary {
    tr_spread reward, deviation_deg, reach_s, turn_s;
    double deviation_mean_deg, missed;
    int goals, reached;
} tr_heading_summary;

/* TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_heading_summarise(const tr_heading_record *record,
                               tr_heading_summary *out) TR_NODISCARD;
