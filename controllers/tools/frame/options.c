#include "tools/frame/options.h"

#include "learn/ranks/ranks.h"
#include "learn/rehearsal/pool.h"
#include "tools/frame/tool.h"
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

tr_status tr_option_list_settings(const tr_parameter_table *table, const void *defaults,
                                  tr_error *error) {
    char text[16384];
    tr_status status = tr_parameter_explain(table, defaults, text, sizeof text);
    if (status)
        return tr_fail(error, status, "--list: %s", tr_status_text(status));
    fputs(text, stdout);
    return TR_OK;
}

static int default_threads(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN) / tr_ranks_beside();
    cpu_set_t bound;
    if (tr_ranks_count() > 1 && sched_getaffinity(0, sizeof bound, &bound) == 0)
        cores = CPU_COUNT(&bound) < cores ? CPU_COUNT(&bound) : cores;
    int threads = cores < 1 ? 1 : cores > TR_POOL_THREAD_MAX ? TR_POOL_THREAD_MAX : (int)cores;
    tr_ranks_follow(&threads, sizeof threads);
    return threads;
}

void tr_threads_preset(void *threads) {
    *(int *)threads = default_threads();
}
