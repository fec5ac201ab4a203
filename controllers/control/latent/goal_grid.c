#include "control/latent/goal_grid.h"

#include <math.h>

bool tr_goal_grid_fits(const tr_goal_grid *grid) {
    int cells = 1;
    if (grid->axis_count < 1 || grid->axis_count > TR_GOAL_AXIS_MAX)
        return false;
    for (int a = 0; a < grid->axis_count; a++) {
        const tr_goal_axis *axis = &grid->axis[a];
        bool bounded = fabs(axis->low) < 1e6 && fabs(axis->high) < 1e6;
        if (!bounded || axis->cells < 1 || axis->cells > TR_GOAL_CELL_MAX / cells ||
            !(axis->high > axis->low))
            return false;
        cells *= axis->cells;
    }
    return true;
}

int tr_goal_grid_cells(const tr_goal_grid *grid) {
    int cells = 1;
    for (int a = 0; a < grid->axis_count; a++)
        cells *= grid->axis[a].cells;
    return cells;
}

/* Returns the distance between cells; of an axis with a single cell, its length. */
static double spacing(const tr_goal_axis *axis) {
    int gaps = axis->periodic ? axis->cells : axis->cells - 1;
    return (axis->high - axis->low) / (gaps > 0 ? gaps : 1);
}

tr_goal tr_goal_grid_goal(const tr_goal_grid *grid, int cell) {
    tr_goal goal = {{0}};
    for (int a = 0; a < grid->axis_count; a++) {
        const tr_goal_axis *axis = &grid->axis[a];
        goal.value[a] = axis->low + (cell % axis->cells) * spacing(axis);
        cell /= axis->cells;
    }
    return goal;
}

/* Finds the cell below a value and the share of the one above it. */
static int find_cell(const tr_goal_axis *axis, double value, int *out_next, double *out_share) {
    double at = (value - axis->low) / spacing(axis);
    if (axis->periodic)
        at -= axis->cells * floor(at / axis->cells);
    else
        at = fmin(fmax(at, 0), axis->cells - 1);
    int cell = (int)at;
    if (cell >= axis->cells) /* rounding, just below a whole period */
        cell = axis->cells - 1;
    *out_share = fmin(at - cell, 1);
    *out_next = cell + 1 < axis->cells ? cell + 1 : axis->periodic ? 0 : cell;
    return cell;
}

tr_goal_corners tr_goal_grid_corners(const tr_goal_grid *grid, const tr_goal *goal) {
    tr_goal_corners corners = {.weight = {1}};
    int count = 1, stride = 1;
    for (int a = 0; a < grid->axis_count; a++) {
        double share;
        int next, cell = find_cell(&grid->axis[a], goal->value[a], &next, &share);
        /* Each axis doubles the corners, with the shares of the cells below and above. */
        for (int i = 0; i < count; i++) {
            corners.cell[count + i] = corners.cell[i] + next * stride;
            corners.weight[count + i] = corners.weight[i] * share;
            corners.cell[i] += cell * stride;
            corners.weight[i] *= 1 - share;
        }
        count *= 2;
        stride *= grid->axis[a].cells;
    }
    return corners;
}
