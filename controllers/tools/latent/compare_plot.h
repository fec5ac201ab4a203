/* The picture of 'troupe-train latent compare' (levine2012, figure 6). */
#ifndef TROUPE_TOOLS_LATENT_COMPARE_PLOT_H
#define TROUPE_TOOLS_LATENT_COMPARE_PLOT_H

#include "learn/measure/heading_record.h"

enum { TR_COMPARE_MAX = 16 };

/* What is compared, and how it follows headings. */
typedef struct tr_compared {
    const char *name;
    tr_heading_summary heading;
} tr_compared;

/* Bars of the reward with its middle half, and curves of the deviation over goal_s after a new
 * heading.
 * count: at most TR_COMPARE_MAX. */
tr_status tr_compare_plot(const char *path, const tr_compared *compared, int count, double goal_s,
                          tr_error *error) TR_NODISCARD;

#endif
