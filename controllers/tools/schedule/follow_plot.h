/* Which fragment a scheduler chose after which, as a picture (figure 5 of Liu 2017): a row for each
 * fragment, and a dot where another, or the same, was chosen after it. The same counts give the
 * same bytes. */
#ifndef TROUPE_TOOLS_FOLLOW_PLOT_H
#define TROUPE_TOOLS_FOLLOW_PLOT_H

#include "control/scheduler/scheduler.h"

/* Writes an SVG to `path`, whole or not at all. follows: [entries][entries] of the scheduled driver
 * (learn/schedule/push_trial.h). */
tr_status tr_follow_plot(const char *path, const char *title, const tr_scheduler *scheduler,
                         const int64_t *follows, tr_error *error) TR_NODISCARD;

#endif
