/* troupe-train graph take: a skill of a graph as a controller of its own. */
#include "db/store/catalogue.h"
#include "learn/graph/graph_bank.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>

typedef struct options {
    const char *name, *catalogue, *skill, *becomes;
} options;

static const tr_argument words[] = {{"NAME", TR_OPTION_TEXT, offsetof(options, name), "the graph"},
                                    {"--catalogue FILE", TR_OPTION_TEXT,
                                     offsetof(options, catalogue),
                                     "holds NAME, and gets the controller", .needed = true},
                                    {"--skill SKILL", TR_OPTION_TEXT, offsetof(options, skill),
                                     "skill to take, not a transition", .needed = true},
                                    {"--as NEW", TR_OPTION_TEXT, offsetof(options, becomes),
                                     "name of the controller", 1, TR_NAME_MAX - 1, .needed = true},
                                    {0}};

/* Stores the skill with the run of the graph. */
static tr_status store(const options *o, tr_catalogue *catalogue, const tr_subject *s,
                       tr_controller *skill, tr_error *error) {
    tr_row_id id = 0;
    snprintf(skill->name, sizeof skill->name, "%s", o->becomes);
    snprintf(skill->skill, sizeof skill->skill, "%s", o->becomes);
    tr_controller_entry entry = {skill, s->row.model_id, s->row.run_id, 0};
    tr_status status = tr_controllers_put(catalogue, &entry, &id, error);
    if (!status)
        printf("controller '%s', '%s' of '%s', is in %s\n", skill->name, o->skill, o->name,
               o->catalogue);
    return status;
}

static tr_status take(const options *o, tr_catalogue *catalogue, const tr_subject *s,
                      tr_error *error) {
    tr_controller *skill = NULL;
    const tr_control_graph *graph = tr_graph_of(s->controller);
    int node = graph ? tr_control_graph_find(graph, o->skill) : -1;
    if (node < 0 || !(graph->node[node].cyclic || tr_control_graph_rises(graph, node)))
        return tr_fail(error, TR_NOT_FOUND,
                       "controller '%s': no graph with a cyclic or rising skill '%s'", o->name,
                       o->skill);
    tr_status status = tr_graph_bank_take(s->model, s->controller, node, &skill);
    if (status)
        return tr_fail(error, status, "take: %s", tr_status_text(status));
    status = store(o, catalogue, s, skill, error);
    tr_controller_destroy(skill);
    return status;
}

static tr_status load_and_take(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const options *o = context;
    tr_subject s = {0};
    tr_status status = tr_subject_load(catalogue, o->name, &s, error);
    if (!status)
        status = take(o, catalogue, &s, error);
    tr_subject_deinit(&s);
    return status;
}

const tr_tool_command tr_tool_graph_take = {
    .name = "graph take",
    .summary = "make a skill of a graph a controller again, to be joined to others",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .on = {offsetof(options, catalogue), TR_CATALOGUE_WRITE, load_and_take},
};
