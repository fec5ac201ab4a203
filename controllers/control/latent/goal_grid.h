/* A grid over the goals of a task, on which values are kept, and its multilinear interpolation
 * (levine2012, section 5.4).
 *
 * An axis has its cells at equal distances from low to high; of a periodic one high is low again
 * and has no cell. Between cells values are interpolated; outside an axis that is not periodic they
 * are those at its end. */
#pragma once

#include <stdbool.h>

enum { TR_GOAL_AXIS_MAX = 2, TR_GOAL_CELL_MAX = 1024, TR_GOAL_CORNERS = 1 << TR_GOAL_AXIS_MAX };

typedef struct tr_goal_axis {
    double low, high;
    int cells;
    bool periodic;
} tr_goal_axis;

typedef struct tr_goal_grid {
    int axis_count;
    tr_goal_axis axis[TR_GOAL_AXIS_MAX];
} tr_goal_grid;

typedef struct tr_goal {
    double value[TR_GOAL_AXIS_MAX];
} tr_goal;

/* The cells about a goal and their weights, which sum to one. */
typedef struct tr_goal_corners {
    int cell[TR_GOAL_CORNERS];
    double weight[TR_GOAL_CORNERS];
} tr_goal_corners;

/* Are counts and bounds in range, and the cells at most TR_GOAL_CELL_MAX? */
bool tr_goal_grid_fits(const tr_goal_grid *grid);

int tr_goal_grid_cells(const tr_goal_grid *grid);

/* The goal of a cell; of the first axis neighbours lie side by side. */
tr_goal tr_goal_grid_goal(const tr_goal_grid *grid, int cell);

tr_goal_corners tr_goal_grid_corners(const tr_goal_grid *grid, const tr_goal *goal);
