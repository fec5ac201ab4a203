#include "tools/frame/circumstances.h"

#include "learn/ranks/ranks.h"
#include "math/linalg.h"
#include "proto/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int64_t tr_now_ns(void) {
    return tr_clock_ns(CLOCK_REALTIME);
}

static void describe_processor(char *out, size_t capacity) {
    char line[512];
    snprintf(out, capacity, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, capacity, "%s", colon + 2);
        break;
    }
    if (file)
        (void)fclose(file);
}

/* "; Slurm job 12 on node1", "; ranks: node1 x4, node2 x4". */
static void describe_job(char *out, size_t capacity) {
    const char *job = getenv("SLURM_JOB_ID"), *node = getenv("SLURMD_NODENAME");
    char ranks[128];
    tr_ranks_describe(ranks, sizeof ranks);
    int used =
        job ? snprintf(out, capacity, "; Slurm job %.20s on %.63s", job, node ? node : "?") : 0;
    if (ranks[0] && (size_t)used < capacity)
        snprintf(out + used, capacity - (size_t)used, "; ranks: %s", ranks);
}

void tr_describe_host(char *out, size_t capacity) {
    char processor[128];
    struct utsname system;
    describe_processor(processor, sizeof processor);
    if (uname(&system) != 0)
        snprintf(system.sysname, sizeof system.sysname, "unknown system");
    int used = snprintf(out, capacity, "%s, %ld cores, %.31s %.31s, OpenBLAS %s", processor,
                        sysconf(_SC_NPROCESSORS_ONLN), system.sysname, system.machine,
                        tr_linalg_kernels());
    if (used > 0 && (size_t)used < capacity)
        describe_job(out + used, capacity - (size_t)used);
}
