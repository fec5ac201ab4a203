/* What a scheduler chose, one choice after the other, as a picture (figure 8 of Liu 2017): a band for
 * each sequence with a row for each fragment, time to the right. The same choices give the same
 * bytes. */
#ifndef TROUPE_TOOLS_SEQUENCE_PLOT_H
#define TROUPE_TOOLS_SEQUENCE_PLOT_H

#include "control/scheduler/scheduler.h"

/* at_s: when the entry began */
typedef struct tr_sequence_choice {
    double at_s;
    int entry;
    bool out_of_sequence;
} tr_sequence_choice;

/* choice: [count]; seconds: until the end, or the fall where it is not held */
typedef struct tr_sequence {
    char title[64];
    tr_sequence_choice *choice;
    int count;
    double seconds;
    bool held;
} tr_sequence;

/* Writes an SVG to `path`, whole or not at all. sequence: [count] */
tr_status tr_sequence_plot(const char *path, const char *title, const tr_scheduler *scheduler,
                           const tr_sequence *sequence, int count, tr_error *error) TR_NODISCARD;

#endif
