/* troupe-train graph requests: how soon a skill begins that a player asks for, by skill. */
#include "learn/graph/graph_harden.h"
#include "learn/measure/graph_requests.h"
#include "learn/rehearsal/names.h"
#include "math/quantile.h"
#include "tools/graphs/graph_tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* from, to: names of cyclic skills between commas; NULL: all that may be asked for. */
typedef struct options {
    const char *name, *catalogue, *from, *to;
    tr_graph_request_test test;
    int threads;
} options;

static const options defaults = {.test = {.trials = 20, .seed = 20150815}};

static const tr_argument words[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "the graph"},
    {"--catalogue FILE", TR_OPTION_TEXT, offsetof(options, catalogue), "holds NAME",
     .needed = true},
    {"--from SKILL,...", TR_OPTION_TEXT, offsetof(options, from),
     "ask only while in these skills (all)"},
    {"--to SKILL,...", TR_OPTION_TEXT, offsetof(options, to), "ask only for these skills (all)"},
    {"--after SKILL,...", TR_OPTION_TEXT, offsetof(options, test.after),
     "stay in one of these skills first, then in that of --from (none)"},
    {"--requests N", TR_OPTION_COUNT, offsetof(options, test.trials),
     "requests from each skill to each other (20)", 1, 1000},
    {"--hills DEG", TR_OPTION_NUMBER, offsetof(options, test.hills_deg),
     "on hills of at most DEG degrees, new ones in each trial (level ground)", 0, 30},
    {"--seed S", TR_OPTION_SEED, offsetof(options, test.seed), "seed of everything drawn"},
    TR_TOOL_THREADS(options, threads),
    {0}};

enum { PAIR_MAX = TR_GRAPH_NODE_MAX * TR_GRAPH_NODE_MAX };

typedef struct table {
    const tr_control_graph *graph;
    int trials, count;
    tr_graph_request_pair pair[PAIR_MAX];
    tr_graph_request *request; /* [count][trials] */
    double *seconds;           /* scratch: [count * trials] */
} table;

static bool is_asked_for(const tr_control_graph *graph, int node, const char *names) {
    return graph->node[node].cyclic && (!names || tr_names_have(names, graph->node[node].skill));
}

static void list_pairs(const options *o, table *t) {
    for (int from = 0; from < t->graph->node_count; from++)
        for (int to = 0; to < t->graph->node_count; to++)
            if (from != to && is_asked_for(t->graph, from, o->from) &&
                is_asked_for(t->graph, to, o->to))
                t->pair[t->count++] = (tr_graph_request_pair){from, to};
}

/* Sums over requests. */
typedef struct sum {
    int asked, began, fell;
    double waits_s, transitions_s, others_s;
    double off_s; /* how far the expected times were off */
} sum;

static void add(const table *t, int pair, sum *s) {
    for (int i = 0; i < t->trials; i++) {
        const tr_graph_request *r = &t->request[pair * t->trials + i];
        s->asked += r->asked;
        s->fell += r->fell;
        if (!r->began)
            continue;
        t->seconds[s->began++] = r->seconds;
        s->waits_s += r->waits_s;
        s->transitions_s += r->transitions_s;
        s->others_s += r->others_s;
        s->off_s += fabs(r->seconds - r->expected_s);
    }
}

static void print(const table *t, const char *from, const char *to, const sum *s) {
    printf("%-12s %-12s %3d of %3d began, %2d fell", from, to, s->began, s->asked, s->fell);
    if (s->began > 0)
        printf("; median %4.1f s, 9 in 10 within %4.1f s; mean: waits %.1f s, transitions %.1f s, "
               "skills between %.1f s; expected to %.2f s",
               tr_quantile(t->seconds, s->began, 0.5), tr_quantile(t->seconds, s->began, 0.9),
               s->waits_s / s->began, s->transitions_s / s->began, s->others_s / s->began,
               s->off_s / s->began);
    printf("\n");
}

/* Each pair; then all requests from each skill together. */
static void print_all(const table *t) {
    for (int p = 0; p < t->count; p++) {
        sum s = {0};
        add(t, p, &s);
        print(t, t->graph->node[t->pair[p].from].skill, t->graph->node[t->pair[p].to].skill, &s);
    }
    for (int n = 0; n < t->graph->node_count; n++) {
        sum s = {0};
        for (int p = 0; p < t->count; p++)
            if (t->pair[p].from == n)
                add(t, p, &s);
        if (s.asked > 0)
            print(t, t->graph->node[n].skill, "(all)", &s);
    }
}

static tr_status measure(const tr_subject *s, const options *o, table *t, tr_error *error) {
    size_t room = (size_t)t->count * (size_t)o->test.trials + 1;
    t->request = calloc(room, sizeof *t->request);
    t->seconds = calloc(room, sizeof *t->seconds);
    tr_status status = t->request && t->seconds ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status =
            tr_graph_requests(s->ensemble, s->controller, &o->test, t->pair, t->count, t->request);
    return status ? tr_fail(error, status, "requests: %s", tr_status_text(status)) : TR_OK;
}

static tr_status check_names(const char *option, const char *names, const tr_subject *s,
                             tr_error *error) {
    char name[TR_NAME_MAX];
    if (!names || !tr_graph_harden_misses(tr_graph_of(s->controller), names, true, name))
        return TR_OK;
    return tr_fail(error, TR_NOT_FOUND, "--%s: graph '%s' has no cyclic skill '%s'", option,
                   s->controller->name, name);
}

/* Measures all pairs and prints them. */
static tr_status report(const options *o, const tr_subject *s, tr_error *error) {
    tr_status status = check_names("from", o->from, s, error);
    if (!status)
        status = check_names("to", o->to, s, error);
    if (!status)
        status = check_names("after", o->test.after, s, error);
    if (status)
        return status;
    table *t = calloc(1, sizeof *t);
    if (!t)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "requests: no memory");
    t->graph = tr_graph_of(s->controller);
    t->trials = o->test.trials;
    list_pairs(o, t);
    status = measure(s, o, t, error);
    if (!status)
        print_all(t);
    free(t->request);
    free(t->seconds);
    free(t);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_subject s = {0};
    tr_status status = tr_tool_graph_read(o->catalogue, o->name, o->threads, &s, error);
    if (!status)
        status = report(o, &s, error);
    tr_subject_deinit(&s);
    return status;
}

const tr_tool_command tr_tool_graph_requests = {
    .name = "requests",
    .summary = "measure how soon a requested skill begins, and where the time goes",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .run = run,
};
