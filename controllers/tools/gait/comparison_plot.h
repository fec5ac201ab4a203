/* What ways of interpolation survive, as a picture: shares of the trials at constant and at varying
 * forces side by side, with Wilson's intervals; a line for each way, over the dimensions if cells differ
 * in them, else over the spacings. */
#ifndef TROUPE_TOOLS_COMPARISON_PLOT_H
#define TROUPE_TOOLS_COMPARISON_PLOT_H

#include "proto/status.h"

enum { TR_COMPARISON_CONSTANT, TR_COMPARISON_VARYING, TR_COMPARISON_KINDS };

/* dimension: 0 of ways that know none; they are drawn at every dimension. */
typedef struct tr_comparison_cell {
    double spacing_n;
    int dimension;
    const char *way; /* of tr_gait_interpolation_name */
    int trials, survived[TR_COMPARISON_KINDS];
} tr_comparison_cell;

tr_status tr_comparison_plot(const char *path, const tr_comparison_cell *cell, int count,
                             tr_error *error) TR_NODISCARD;

#endif
