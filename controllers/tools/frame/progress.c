#include "tools/frame/progress.h"

#include "learn/ranks/ranks.h"
#include "proto/clock.h"
#include "proto/progress.h"

#include <stdio.h>

double tr_wall_seconds(void) {
    return tr_clock_s(CLOCK_MONOTONIC);
}

double tr_processor_seconds(void) {
    return tr_ranks_sum(tr_clock_s(CLOCK_PROCESS_CPUTIME_ID));
}

void tr_print_share(double share, double share_before, double elapsed_s) {
    double gained = share - share_before;
    printf(TR_PROGRESS_SHARE "%.0f %%", 100 * share);
    if (gained > 0) {
        double left_s = elapsed_s * (1 - share) / gained;
        printf(left_s >= 90 ? ", %.0f min left" : ", %.0f s left",
               left_s >= 90 ? left_s / 60 : left_s);
    }
    printf("\n");
    fflush(stdout);
}
