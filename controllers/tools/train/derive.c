/* troupe-train graph take, mirror: controllers that are derived from one of the catalogue without a
 * training: a skill of a graph, and one that does on the right what another does on the left. */
#include "db/store/catalogue.h"
#include "learn/graph/graph_bank.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>

/* skill: of a graph; NULL: the mirror image */
typedef struct options {
    const char *controller, *catalogue, *skill, *name;
} options;

static const tr_argument of_take[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, controller), "the graph"},
    {"--catalogue FILE", TR_OPTION_TEXT, offsetof(options, catalogue),
     "holds NAME, and gets the controller", .needed = true},
    {"--skill SKILL", TR_OPTION_TEXT, offsetof(options, skill), "skill to take, not a transition",
     .needed = true},
    {"--as NEW", TR_OPTION_TEXT, offsetof(options, name), "name of the controller", 1,
     TR_NAME_MAX - 1, .needed = true},
    {0}};

static const tr_argument of_mirror[] = {
    {"CONTROLLER", TR_OPTION_TEXT, offsetof(options, controller), "of the catalogue"},
    {"--catalogue FILE", TR_OPTION_TEXT, offsetof(options, catalogue),
     "holds the controller, and is written", .needed = true},
    {"--name NAME", TR_OPTION_TEXT, offsetof(options, name),
     "of the mirror image, and of its skill", 1, TR_NAME_MAX - 1, .needed = true},
    {0}};

static tr_status take(const options *o, const tr_subject *s, tr_controller **out, tr_error *error) {
    const tr_control_graph *graph = tr_graph_of(s->controller);
    int node = graph ? tr_control_graph_find(graph, o->skill) : -1;
    if (node < 0 || !(graph->node[node].cyclic || tr_control_graph_rises(graph, node)))
        return tr_fail(error, TR_NOT_FOUND,
                       "controller '%s': no graph with a cyclic or rising skill '%s'",
                       o->controller, o->skill);
    return tr_fail_if(error, tr_graph_bank_take(s->model, s->controller, node, out), "take");
}

static tr_status mirror(const tr_subject *s, tr_controller **out, tr_error *error) {
    return tr_fail_if(error, tr_controller_mirror(s->controller, s->model, out), "controller '%s'",
                      s->row.name);
}

/* Stores it with the run of the controller that it comes from, an image with the clip too. */
static tr_status put(tr_catalogue *catalogue, const options *o, const tr_controller_row *from,
                     tr_controller *made, tr_error *error) {
    tr_controller_entry entry = {made, from->model_id, from->run_id, o->skill ? 0 : from->clip_id};
    tr_row_id id = 0;
    snprintf(made->name, sizeof made->name, "%s", o->name);
    snprintf(made->skill, sizeof made->skill, "%s", o->name);
    tr_status status = tr_controllers_put(catalogue, &entry, &id, error);
    if (!status && o->skill)
        printf("controller '%s', '%s' of '%s', is in %s\n", made->name, o->skill, o->controller,
               o->catalogue);
    else if (!status)
        printf("controller '%s', the mirror image of '%s', is in %s\n", made->name, from->name,
               o->catalogue);
    return status;
}

static tr_status derive(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const options *o = context;
    tr_subject s = {0};
    tr_controller *made = NULL;
    tr_status status = tr_subject_load(catalogue, o->controller, &s, error);
    if (!status)
        status = o->skill ? take(o, &s, &made, error) : mirror(&s, &made, error);
    if (!status)
        status = put(catalogue, o, &s.row, made, error);
    tr_controller_destroy(made);
    tr_subject_deinit(&s);
    return status;
}

const tr_tool_command tr_tool_graph_take = {
    .name = "graph take",
    .summary = "make a skill of a graph a controller again, to be joined to others",
    .shares = true,
    .options = sizeof(options),
    .argument = of_take,
    .on = {offsetof(options, catalogue), TR_CATALOGUE_WRITE, derive},
};

const tr_tool_command tr_tool_mirror = {
    .name = "mirror",
    .summary = "mirror a controller: make a right turn from a left turn",
    .help =
        "Exchanges left and right in targets, policies, reference states and steering. The new\n"
        "controller keeps the clip and the training run of the old one.\n",
    .example = "  troupe-train mirror turn-left --name turn-right --catalogue mine.troupe\n",
    .options = sizeof(options),
    .argument = of_mirror,
    .on = {offsetof(options, catalogue), TR_CATALOGUE_WRITE, derive},
};
