/* troupe-train schedule nest: a scheduler as one action of another. */
#include "control/graph/control_graph.h"
#include "control/hierarchy/hierarchy.h"
#include "control/recovery/recovery.h"
#include "db/tables/controllers.h"
#include "tools/frame/lead.h"
#include "tools/frame/subject.h"
#include "tools/schedule/schedule.h"

#include <stdio.h>
#include <string.h>

typedef struct options {
    const char *name, *catalogue, *in, *as;
    bool alone;
} options;

static const tr_argument words[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "the scheduler"},
    {"--catalogue F", TR_OPTION_TEXT, offsetof(options, catalogue),
     "read both from here, and store NEW", .needed = true},
    {"--in GRAPH", TR_OPTION_TEXT, offsetof(options, in), "control graph that has the rising skill",
     .needed = true},
    {"--as NEW", TR_OPTION_TEXT, offsetof(options, as), "name of the new controller", 1,
     TR_NAME_MAX - 1, .needed = true},
    {"--alone", TR_OPTION_FLAG, offsetof(options, alone),
     "make no hierarchy: NEW is GRAPH, scheduled by the network of NAME"},
    {0}};

/* The entry of a graph that an entry of the scheduler's driver is, by skill and place in it; -1: the
 * graph has no such skill, or one of another length. */
static int entry_in(const tr_driver_sheet *from, int entry, const tr_control_graph *graph) {
    const tr_driver_skill *skill = &from->skill[from->entry[entry].skill];
    const int node = tr_control_graph_find(graph, skill->name);
    return node >= 0 && graph->node[node].count == skill->count
               ? graph->node[node].first + entry - skill->first
               : -1;
}

/* Schedules the graph by the network of `from`, which finds its skills there in the same order. */
static tr_status move(const tr_scheduler *from, tr_controller *graph, tr_error *error) {
    int entry[TR_SCHEDULER_ENTRY_MAX];
    const tr_network *network = &from->network;
    tr_scheduler *made = NULL;
    for (int i = 0; i < from->entry_count; i++) {
        entry[i] = entry_in(&from->sheet, from->entry[i], tr_graph_of(graph));
        if (entry[i] < 0)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "--in: '%s' has no skill '%s' of the same length", graph->name,
                           from->sheet.skill[from->sheet.entry[from->entry[i]].skill].name);
    }
    const tr_scheduler_def def = {.entry_count = from->entry_count,
                                  .hidden_count = network->layers - 1,
                                  .entry = entry,
                                  .hidden = network->width + 1,
                                  .step_s = graph->step_s,
                                  .forgets = from->forgets};
    tr_status status = tr_scheduler_add(graph, &def, &made, error);
    if (status)
        return status;
    if (tr_scheduler_action_count(made) != tr_scheduler_action_count(from))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--in: '%s' has %d actions of these skills and the network %d: one of the "
                       "two has a mirrored half",
                       graph->name, tr_scheduler_action_count(made),
                       tr_scheduler_action_count(from));
    memcpy(made->mean, from->mean, sizeof made->mean);
    memcpy(made->spread, from->spread, sizeof made->spread);
    memcpy(made->network.weight, network->weight,
           tr_network_weight_count(network) * sizeof *network->weight);
    return TR_OK;
}

static tr_status check(const options *o, const tr_subject *scheduled, const tr_subject *graph,
                       tr_error *error) {
    const tr_scheduler *from = tr_scheduler_of(scheduled->controller);
    if (!from || from->request_count > 0 || from->sees_object || from->steers || from->reflected)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "'%s': expected a scheduler without requests, objects and headings",
                       o->name);
    if (!tr_graph_of(graph->controller) || tr_scheduler_of(graph->controller))
        return tr_fail(error, TR_INVALID_ARGUMENT, "--in: '%s': expected a control graph", o->in);
    return TR_OK;
}

static tr_status nest(const options *o, tr_catalogue *catalogue, tr_subject *scheduled,
                      tr_subject *graph, tr_error *error) {
    tr_row_id id = 0;
    tr_status status = tr_subject_load(catalogue, o->name, scheduled, error);
    if (!status)
        status = tr_subject_load(catalogue, o->in, graph, error);
    if (!status)
        status = check(o, scheduled, graph, error);
    if (status)
        return status;
    tr_recovery_remove(graph->controller); /* loading adds it again, unless it is a hierarchy */
    status = move(tr_scheduler_of(scheduled->controller), graph->controller, error);
    if (!status && !o->alone)
        status = tr_hierarchy_add(graph->controller, graph->model, error);
    if (status)
        return status;
    snprintf(graph->controller->name, sizeof graph->controller->name, "%s", o->as);
    const tr_controller_entry entry = {graph->controller, graph->row.model_id,
                                       scheduled->row.run_id, 0};
    status = tr_controllers_put(catalogue, &entry, &id, error);
    if (!status)
        printf("controller '%s', '%s' in '%s', is in %s\n", o->as, o->name, o->in, o->catalogue);
    return status;
}

static tr_status load_and_nest(tr_catalogue *catalogue, const void *context, tr_error *error) {
    tr_subject scheduled = {0}, graph = {0};
    tr_status status = nest(context, catalogue, &scheduled, &graph, error);
    tr_subject_deinit(&graph);
    tr_subject_deinit(&scheduled);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    return tr_lead_change_catalogue(o->catalogue, TR_CATALOGUE_WRITE, load_and_nest, o, error);
}

const tr_tool_command tr_tool_schedule_nest = {
    .name = "nest",
    .summary = "make a scheduler one action of another, beside getting up",
    .help =
        "NAME is a scheduled control graph, and GRAPH has its skills and one that rises. NEW is a\n"
        "hierarchy. Its entries are one in which the network of NAME decides, those of GRAPH, and\n"
        "four for a lying character, of 0.1 s each. Without a scheduler NEW gets up after falls\n"
        "in a fixed order; 'schedule learn' with falls = 1 learns a scheduler that chooses among\n"
        "the entries.\n",
    .example = "  troupe-train schedule nest steady --in riser --as steady-nested --catalogue "
               "mine.troupe\n",
    .options = sizeof(options),
    .argument = words,
    .run = run,
};
