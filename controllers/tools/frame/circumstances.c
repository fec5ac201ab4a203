#include "tools/frame/circumstances.h"

#include "learn/ranks/ranks.h"
#include "math/linalg.h"
#include "proto/clock.h"
#include "proto/progress.h"

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

/* --- the command line --- */

void tr_command_line_read(tr_command_line *line, int argc, char **argv) {
    const size_t capacity = sizeof line->text;
    size_t used = (size_t)snprintf(line->text, capacity, "troupe-train");
    for (int i = 0; i < argc && used < capacity; i++)
        used += (size_t)snprintf(line->text + used, capacity - used, " %s", argv[i]);
    line->unfit = (tr_error){0};
    if (used >= capacity)
        tr_fail(&line->unfit, TR_INVALID_ARGUMENT,
                "the command has more than %zu bytes, too long for its record; use shorter paths",
                capacity - 1);
}

tr_status tr_command_line_check(const tr_command_line *line, tr_error *error) {
    if (line->unfit.status)
        *error = line->unfit;
    return line->unfit.status;
}

/* --- times --- */

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
