#include "learn/ranks/ranks.h"

#include "learn/ranks/ranks_link.h"
#include "math/hash.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NODE_MAX = 48, BLOCK_MAX = 1 << 26, RESULTS_MAX = 7, TEXT_MAX = 1024 };

#define NEEDS "all ranks need the same build, the same input files and one kind of processor"

/* What a rank is about to do; they must agree before they do it. */
typedef enum step_kind { SHARE = 1, FOLLOW, LET_LEAD, SUM, COMPARE, END } step_kind;

typedef struct step {
    int32_t kind;  /* step_kind */
    int32_t count; /* items; of END: the exit code */
    uint64_t size; /* bytes of an item; of COMPARE: the hash */
} step;

static struct {
    tr_ranks_link link;
    int output, report;                /* stderr of before; of other ranks: where they write now */
    char (*node)[NODE_MAX];            /* [count] */
    step *steps;                       /* [count] */
    char aborted[2 * NODE_MAX + 64];   /* the message about a rank that is aborted */
    int *taken;                        /* [count], items of each rank, scratch */
    char *own, *all;                   /* blocks of items; grow */
    size_t own_capacity, all_capacity; /* bytes */
    bool leading;                      /* the lead works while the others wait */
} job = {.link = {1, 0, 1}};

/* Is there no other rank to be asked? */
static bool is_alone(void) {
    return job.link.count == 1 || job.leading;
}

/* --- the end of a job that cannot continue --- */

_Noreturn static void cut(int code, const char *text) {
    char line[2 * TEXT_MAX];
    int length = snprintf(line, sizeof line, "%s: %s\n", program_invocation_short_name, text);
    if (write(job.output, line, (size_t)length) < 0)
        _exit(code);
    (void)fflush(stdout);
    tr_ranks_link_cut(code);
}

_Noreturn static void cut_for_memory(void) {
    cut(1, "no memory for the results of all ranks");
}

static void *grown(char **block, size_t *capacity, size_t size) {
    if (size > *capacity) {
        free(*block);
        *block = malloc(size);
        *capacity = *block ? size : 0;
    }
    if (!*block)
        cut_for_memory();
    return *block;
}

/* Reads what a rank wrote to stderr and no terminal showed. */
static void read_report(char *out, size_t capacity) {
    ssize_t size = job.report > 0 ? pread(job.report, out, capacity - 1, 0) : 0;
    out[size > 0 ? size : 0] = '\0';
}

static const char *describe_step(const step *s, char *out, size_t capacity) {
    static const char *const names[] = {"",       "share results", "follow the lead", "let it work",
                                        "sum up", "compare"};
    if (s->kind == END)
        snprintf(out, capacity, "ended with exit code %d", s->count);
    else
        snprintf(out, capacity, "is about to %s (%d items of %llu bytes)", names[s->kind], s->count,
                 (unsigned long long)s->size);
    return out;
}

/* Ends the job because a rank differs. The lead reports for all, unless a rank that ended can give
 * the reason. */
_Noreturn static void end_by_difference(int other) {
    char text[TEXT_MAX], report[TEXT_MAX / 2] = "", first[128], second[128];
    const step *a = &job.steps[0], *b = &job.steps[other];
    int reporter = a->kind == END ? 0 : b->kind == END ? other : 0;
    snprintf(text, sizeof text, "rank %d of %d on %s %s, but rank 0 %s: " NEEDS, other,
             job.link.count, job.node[other], describe_step(b, first, sizeof first),
             describe_step(a, second, sizeof second));
    if (job.link.own != reporter) {
        tr_ranks_link_close(); /* waits for the rank that ends the job */
        _exit(1);
    }
    read_report(report, sizeof report);
    size_t used = strlen(text);
    if (report[0])
        snprintf(text + used, sizeof text - used, "; it wrote: %s", report);
    cut(1, text);
}

/* Waits until all ranks are about to do the same. */
static void agree(step_kind kind, int count, uint64_t size) {
    step own = {(int32_t)kind, count, size};
    tr_ranks_link_gather(&own, sizeof own, job.steps);
    /* Hashes may differ; tr_ranks_compare names what they are of. */
    for (int i = 1; i < job.link.count; i++)
        if (memcmp(&job.steps[i], &job.steps[0], sizeof own) != 0 && kind != COMPARE)
            end_by_difference(i);
}

/* --- beginning and end --- */

static int number_of(const char *variable) {
    const char *text = getenv(variable);
    return text ? (int)strtol(text, NULL, 10) : 0;
}

/* Was this process started by a launcher that MPI can join: mpirun, or srun with PMIx? */
static bool is_launched(void) {
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK");
}

/* Fails if this is one of several processes that do not know of each other: all would write the
 * same files. */
static tr_status check_alone(tr_error *error) {
    int steps = number_of("SLURM_STEP_NUM_TASKS"), others = number_of("PMI_SIZE");
    int tasks = steps > others ? steps : others;
    if (tasks <= 1)
        return TR_OK;
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "started as one of %d processes that cannot find each other: start them by "
                   "Open MPI's 'mpirun', or by 'srun --mpi=pmix'",
                   tasks);
}

static tr_status refuse(tr_error *error) {
    if (number_of("OMPI_COMM_WORLD_SIZE") == 1)
        return TR_OK;
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "started as one of %d ranks, but built without MPI: install libopenmpi-dev and "
                   "configure with -DTROUPE_MPI=ON, or start one process",
                   number_of("OMPI_COMM_WORLD_SIZE"));
}

/* Shows what a rank that prints nothing wrote before it was aborted; a failed assertion would be
 * lost. The handler is gone when it runs. */
static void show_report(int signal) {
    char text[TEXT_MAX];
    read_report(text, sizeof text);
    bool shown = write(job.output, job.aborted, strlen(job.aborted)) >= 0 &&
                 write(job.output, text, strlen(text)) >= 0;
    if (shown)
        (void)raise(signal);
    _exit(1);
}

/* Keeps the stderr of this rank if it is not the lead, and drops its stdout. */
static void fall_silent(void) {
    if (job.link.own == 0)
        return;
    job.report = memfd_create("report", MFD_CLOEXEC);
    (void)fflush(stdout);
    if (!freopen("/dev/null", "w", stdout) || job.report < 0 || dup2(job.report, 2) < 0)
        cut(1, "this rank cannot redirect its output");
    struct sigaction action = {.sa_handler = show_report, .sa_flags = (int)SA_RESETHAND};
    snprintf(job.aborted, sizeof job.aborted,
             "%s: rank %d of %d on %s was aborted: ", program_invocation_short_name, job.link.own,
             job.link.count, job.node[job.link.own]);
    sigaction(SIGABRT, &action, NULL);
}

tr_status tr_ranks_begin(tr_error *error) {
    char node[NODE_MAX] = "";
    if (!is_launched())
        return check_alone(error);
    if (!tr_ranks_link_open(&job.link))
        return refuse(error);
    size_t count = (size_t)job.link.count;
    job.output = dup(2);
    job.node = calloc(count, sizeof *job.node);
    job.steps = calloc(count, sizeof *job.steps);
    job.taken = calloc(count, sizeof *job.taken);
    if (!job.node || !job.steps || !job.taken)
        cut_for_memory();
    gethostname(node, sizeof node - 1);
    /* Names of nodes are for messages; from here on only the lead prints. */
    tr_ranks_link_gather(node, sizeof node, job.node);
    fall_silent();
    return TR_OK;
}

int tr_ranks_end(int code) {
    if (job.node) {
        (void)fflush(NULL);
        agree(END, code, 0);
        tr_ranks_link_close();
        close(job.output);
    }
    free(job.node);
    free(job.steps);
    free(job.taken);
    free(job.own);
    free(job.all);
    job.node = NULL;
    return code;
}

int tr_ranks_count(void) {
    return job.leading ? 1 : job.link.count;
}

int tr_ranks_own(void) {
    return job.link.own;
}

bool tr_ranks_lead(void) {
    return job.link.own == 0;
}

int tr_ranks_beside(void) {
    return job.link.beside;
}

void tr_ranks_describe(char *out, size_t capacity) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0, same; job.link.count > 1 && i < job.link.count && used < capacity; i += same) {
        for (same = 1; i + same < job.link.count; same++)
            if (strcmp(job.node[i], job.node[i + same]) != 0)
                break;
        used += (size_t)snprintf(out + used, capacity - used, "%s%s x%d", i ? ", " : "",
                                 job.node[i], same);
    }
}

/* --- numbered items --- */

static size_t size_of(const tr_ranks_result *results) {
    size_t size = 0;
    for (int i = 0; results[i].size; i++) {
        assert(i < RESULTS_MAX);
        size += results[i].size;
    }
    return size;
}

static char *put_item(char *to, const tr_ranks_result *results, int item) {
    for (; results->size; results++) {
        memcpy(to, (char *)results->at + (size_t)item * results->size, results->size);
        to += results->size;
    }
    return to;
}

static void take_item(const char *from, const tr_ranks_result *results, int item) {
    for (; results->size; results++) {
        memcpy((char *)results->at + (size_t)item * results->size, from, results->size);
        from += results->size;
    }
}

/* Items to be exchanged: those of a list, or all numbers from 0 on. */
typedef struct selection {
    const int *list; /* NULL: all */
    int count;
} selection;

static int item_at(const selection *s, int i) {
    return s->list ? s->list[i] : i;
}

/* Counts the most items that one rank has of the selection. */
static int most_rows(const selection *s) {
    int most = 0;
    memset(job.taken, 0, (size_t)job.link.count * sizeof *job.taken);
    for (int i = 0; i < s->count; i++) {
        int rank = item_at(s, i) % job.link.count;
        most = ++job.taken[rank] > most ? job.taken[rank] : most;
    }
    return most;
}

/* Exchanges one block of each rank, with its items in the order of the selection. */
static void exchange(const selection *s, int rows, const tr_ranks_result *results) {
    int ranks = job.link.count, own = job.link.own;
    size_t size = size_of(results), block = (size_t)rows * size;
    char *to = grown(&job.own, &job.own_capacity, block);
    char *all = grown(&job.all, &job.all_capacity, block * (size_t)ranks);
    for (int i = 0; i < s->count; i++)
        if (item_at(s, i) % ranks == own)
            to = put_item(to, results, item_at(s, i));
    /* Ranks with fewer items fill up, because all blocks must be of one size. */
    memset(to, 0, block - (size_t)(to - job.own));
    tr_ranks_link_gather(job.own, block, all);
    memset(job.taken, 0, (size_t)ranks * sizeof *job.taken);
    /* Every rank walks the selection in the same order, so that numbers need not be sent. */
    for (int i = 0; i < s->count; i++) {
        int rank = item_at(s, i) % ranks;
        if (rank != own)
            take_item(all + (size_t)rank * block + (size_t)job.taken[rank]++ * size, results,
                      item_at(s, i));
    }
}

/* Exchanges all results of the items, a part at a time where they are many. */
static void exchange_all(int count, const tr_ranks_result *results) {
    int ranks = job.link.count, most = (int)(BLOCK_MAX / size_of(results) / (size_t)ranks);
    /* A part is a multiple of the ranks, so that item i of it belongs to the same rank as
     * before. */
    int part = (most > 1 ? most : 1) * ranks;
    tr_ranks_result at[RESULTS_MAX + 1] = {{0}};
    for (int i = 0; results[i].size; i++)
        at[i] = results[i];
    for (int first = 0; first < count; first += part) {
        selection s = {NULL, count - first < part ? count - first : part};
        exchange(&s, (s.count + ranks - 1) / ranks, at);
        for (int i = 0; at[i].size; i++)
            at[i].at = (char *)at[i].at + (size_t)part * at[i].size;
    }
}

static void share(const selection *s, const tr_ranks_result *results) {
    size_t size = size_of(results);
    if (is_alone() || s->count == 0)
        return;
    agree(SHARE, s->count, size);
    if (size == 0)
        return;
    if (s->list)
        exchange(s, most_rows(s), results);
    else
        exchange_all(s->count, results);
}

void tr_ranks_share(int count, const tr_ranks_result *results) {
    share(&(selection){NULL, count}, results);
}

void tr_ranks_share_some(const int *items, int count, const tr_ranks_result *results) {
    share(&(selection){items, count}, results);
}

/* --- the lead --- */

void tr_ranks_follow(void *data, size_t size) {
    if (is_alone() || size == 0)
        return;
    agree(FOLLOW, 0, size);
    tr_ranks_link_follow(data, size);
}

tr_status tr_ranks_let_lead(tr_ranks_work work, void *context, tr_error *error) {
    struct {
        tr_status status;
        tr_error error;
    } result = {0};
    if (is_alone())
        return work(context, error);
    agree(LET_LEAD, 0, 0);
    /* Calls within the work must not wait for ranks that wait for the lead. */
    job.leading = job.link.own == 0;
    if (job.leading)
        result.status = work(context, &result.error);
    job.leading = false;
    tr_ranks_link_follow(&result, sizeof result);
    if (error)
        *error = result.error;
    return result.status;
}

double tr_ranks_sum(double value) {
    double sum = value;
    double *all = NULL;
    if (is_alone())
        return value;
    agree(SUM, 0, 0);
    if (!(all = calloc((size_t)job.link.count, sizeof *all)))
        cut_for_memory();
    tr_ranks_link_gather(&value, sizeof value, all);
    /* All ranks add in the same order, so that all get the same bits. */
    sum = 0;
    for (int i = 0; i < job.link.count; i++)
        sum += all[i];
    free(all);
    return sum;
}

void tr_ranks_compare(const char *what, uint64_t hash) {
    char text[TEXT_MAX];
    if (is_alone())
        return;
    agree(COMPARE, 0, hash);
    for (int i = 1; i < job.link.count; i++) {
        if (job.steps[i].kind != COMPARE || job.steps[0].kind != COMPARE)
            end_by_difference(i);
        if (job.steps[i].size == job.steps[0].size)
            continue;
        snprintf(text, sizeof text, "rank %d of %d on %s differs from rank 0 in %s: " NEEDS, i,
                 job.link.count, job.node[i], what);
        if (job.link.own == 0)
            cut(1, text);
        tr_ranks_link_close();
        _exit(1);
    }
}
