/* troupe-train graph walk: how many random walks over a graph end without a fall. */
#include "learn/measure/graph_walk.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>

typedef struct options {
    tr_subject_use of;
    tr_graph_walk_test test;
} options;

static const options defaults = {
    .test = {.walks = 20, .seconds = 600, .dwell_low_s = 2, .dwell_high_s = 6, .seed = 20150815}};

static const tr_argument words[] = {
    TR_TOOL_SUBJECT("the graph"),
    {"--walks N", TR_OPTION_COUNT, offsetof(options, test.walks), "number of walks (20)", 1, 10000},
    {"--seconds S", TR_OPTION_NUMBER, offsetof(options, test.seconds), "length of each walk (600)",
     1, 1e6},
    {"--hills DEG", TR_OPTION_NUMBER, offsetof(options, test.hills_deg),
     "on hills of at most DEG degrees, others in each walk (level ground)", 0, 30},
    {"--recover", TR_OPTION_FLAG, offsetof(options, test.recovers),
     "continue after falls that the character gets up from within 30 s"},
    {"--seed S", TR_OPTION_SEED, offsetof(options, test.seed), "seed of everything drawn"},
    TR_TOOL_THREADS(options, of.threads),
    {0}};

static void print_fall(void *context, const tr_graph_walk_fall *fall) {
    const tr_control_graph *graph = context;
    printf("  walk %d fell after %.1f s:", fall->walk + 1, fall->at_s);
    for (int i = 0; i < fall->count; i++)
        printf("%s %s %.1f s", i > 0 ? "," : "", graph->node[fall->stage[i].node].skill,
               fall->stage[i].seconds);
    printf("\n");
}

static void print_walks(const options *o, const tr_control_graph *graph,
                        const tr_graph_walk_result *result) {
    printf(
        "%s: %d of %d walks of %g s without a fall, the shortest %.1f s; %lld edges taken, %.1f s "
        "the longest from a request to its skill\n",
        o->of.name, result->upright, result->walks, o->test.seconds, result->shortest_s,
        (long long)result->crossings, result->longest_way_s);
    if (o->test.recovers)
        printf("  %d walks had no fall, or each fall followed by getting up within %d s; up again "
               "after %d falls\n",
               result->ended, TR_GRAPH_WALK_RISE_S, result->risen);
    for (int n = 0; n < graph->node_count; n++)
        printf("  %-30s %lld visits, %d falls\n", graph->node[n].skill,
               (long long)result->visits[n], result->falls[n]);
}

static tr_status measure(const void *given, const tr_subject *s, tr_error *error) {
    const options *o = given;
    tr_control_graph *graph = tr_graph_of(s->controller);
    tr_graph_walk_result result;
    if (!graph)
        return tr_fail(error, TR_INVALID_ARGUMENT, "controller '%s': not a graph", o->of.name);
    tr_status status =
        tr_graph_walk(s->ensemble, s->controller, &o->test, print_fall, graph, &result);
    if (status)
        return tr_fail_if(error, status, "walk");
    print_walks(o, graph, &result);
    return TR_OK;
}

const tr_tool_command tr_tool_graph_walk = {
    .name = "graph walk",
    .summary = "count the random walks without a fall; they visit all skills evenly",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .measure = measure,
};
