#include "learn/graph/graph_parts.h"

#include "control/graph/control_graph.h"
#include "control/scheduler/scheduler.h"
#include "learn/graph/connectivity.h"
#include "learn/rehearsal/names.h"
#include "learn/train/warm_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_MAX = 48 };

static bool is(const tr_graph_settings *settings, const char *change) {
    return strcmp(settings->change, change) == 0;
}

const tr_method_given *tr_graph_parts_of(const tr_method_def *def) {
    return is(def->settings, "build") ? &def->given[1] : &def->given[0];
}

/* --- names --- */

static void copy_name(const char *name, char out[static TR_NAME_MAX]) {
    snprintf(out, TR_NAME_MAX, "%.*s", TR_NAME_MAX - 1, name);
}

/* The k-th of the graphs that are extended. */
static tr_status name_known(const char *names, int k, char out[static TR_NAME_MAX],
                            tr_error *error) {
    char name[TR_NAME_MAX];
    for (int i = 0; tr_names_next(&names, name); i++) {
        if (i == KNOWN_MAX)
            return tr_fail(error, TR_INVALID_ARGUMENT, "--extend: at most %d graphs", KNOWN_MAX);
        if (i == k)
            copy_name(name, out);
    }
    return TR_OK;
}

static tr_status name_built(const tr_method_def *def, int k, char out[static TR_NAME_MAX],
                            tr_error *error) {
    const tr_graph_settings *settings = def->settings;
    const tr_method_given *file = &def->given[0];
    tr_connectivity *c = malloc(sizeof *c);
    if (!c)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the connectivity");
    tr_status status = tr_connectivity_parse(file->content, file->size, file->name, c, error);
    if (!status && k < c->skill_count)
        copy_name(c->skill[k], out);
    else if (!status)
        status = name_known(settings->extends, k - c->skill_count, out, error);
    free(c);
    return status;
}

tr_status tr_graph_swap_take(const char **list, tr_graph_swap *out, tr_error *error) {
    const char *pair = *list;
    const size_t size = strcspn(pair, ","), skill = strcspn(pair, "=,"),
                 controller = size > skill ? size - skill - 1 : 0;
    if (skill == 0 || controller == 0 || skill >= TR_NAME_MAX || controller >= TR_NAME_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--with '%.96s': expected SKILL=CONTROLLER, as walk=walk-limited", pair);
    snprintf(out->skill, sizeof out->skill, "%.*s", (int)skill, pair);
    snprintf(out->controller, sizeof out->controller, "%.*s", (int)controller, pair + skill + 1);
    *list = pair + size + (pair[size] == ',');
    return TR_OK;
}

static tr_status name_refitted(const tr_graph_settings *settings, int k,
                               char out[static TR_NAME_MAX], tr_error *error) {
    const char *with = settings->with;
    tr_graph_swap swap;
    int count = 0;
    tr_status status = TR_OK;
    do {
        status = tr_graph_swap_take(&with, &swap, error);
        if (!status && count++ == k)
            copy_name(swap.controller, out);
    } while (!status && *with);
    if (!status && count == k)
        copy_name(settings->of, out);
    return status;
}

/* Transitions, and skills that no catalogue keeps, have no controller. */
static void name_trained(const tr_method_given *parts, int k, char out[static TR_NAME_MAX],
                         bool *optional) {
    const tr_control_graph *graph = tr_graph_of(parts->part[0].controller);
    *optional = true;
    if (graph && k < graph->node_count)
        copy_name(graph->node[k].skill, out);
}

tr_status tr_graph_parts_name(const tr_method_def *def, int k, char out[static TR_NAME_MAX],
                              bool *optional, tr_error *error) {
    const tr_graph_settings *settings = def->settings;
    if (is(settings, "build"))
        return name_built(def, k, out, error);
    if (is(settings, "refit"))
        return name_refitted(settings, k, out, error);
    if (k == 0)
        copy_name(settings->of, out);
    else if (is(settings, "slopes"))
        name_trained(tr_graph_parts_of(def), k - 1, out, optional);
    return TR_OK;
}

/* --- checks --- */

static tr_status check_graph(const tr_method_part *part, tr_error *error) {
    if (!tr_graph_of(part->controller))
        return tr_fail(error, TR_INVALID_ARGUMENT, "controller '%s': not a graph", part->name);
    return !tr_scheduler_of(part->controller)
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "controller '%s': a network chooses in it; expected the graph itself",
                         part->name);
}

/* A graph that is refitted may be on a model of other limits. */
static tr_status check_model(bool refitted, const tr_method_part *part, const tr_method_part *first,
                             tr_error *error) {
    if (part->model->hash == first->model->hash ||
        (refitted && tr_warm_start_same_limbs(part->model, first->model)))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   refitted ? "--with: '%s' and '%s' have different bodies; expected models that "
                              "differ in limits of torque and softness alone"
                            : "'%s' and '%s': of different models; expected one",
                   part->name, first->name);
}

tr_status tr_graph_parts_check(const tr_graph_settings *settings, const tr_method_given *parts,
                               int skills, tr_error *error) {
    tr_status status = parts->part_count > 0 && (parts->part_count > skills || skills > 0)
                           ? TR_OK
                           : tr_fail(error, TR_INVALID_ARGUMENT, "a graph of no controllers");
    for (int k = 0; !status && k < parts->part_count; k++) {
        const bool graph = k >= skills && (k == 0 || !is(settings, "slopes"));
        status =
            check_model(graph && is(settings, "refit"), &parts->part[k], &parts->part[0], error);
        if (!status && graph)
            status = check_graph(&parts->part[k], error);
    }
    return status;
}
