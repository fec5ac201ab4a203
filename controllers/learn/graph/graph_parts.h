/* What a control graph is made of: its skills, followed by the graphs that it extends; or the graph
 * that is changed; or this, followed by the controllers that have the names of its skills, where it
 * gets slope terms; or the controllers that a graph is refitted with, followed by the graph, which
 * may be on another model. */
#ifndef TROUPE_LEARN_GRAPH_PARTS_H
#define TROUPE_LEARN_GRAPH_PARTS_H

#include "learn/graph/graph_settings.h"
#include "learn/method/method.h"

/* `part` of the method. */
tr_status tr_graph_parts_name(const tr_method_def *def, int k, char out[static TR_NAME_MAX],
                              bool *optional, tr_error *error) TR_NODISCARD;

/* The parts as given. */
const tr_method_given *tr_graph_parts_of(const tr_method_def *def);

/* Are they of one model where they must be, and graphs where they must be? skills: number of the parts
 * before the graphs */
tr_status tr_graph_parts_check(const tr_graph_settings *settings, const tr_method_given *parts,
                               int skills, tr_error *error) TR_NODISCARD;

/* One skill of a refit, and the controller that takes its place. */
typedef struct tr_graph_swap {
    char skill[TR_NAME_MAX], controller[TR_NAME_MAX];
} tr_graph_swap;

/* Takes the first SKILL=CONTROLLER off a list between commas, which then is the rest. */
tr_status tr_graph_swap_take(const char **list, tr_graph_swap *out, tr_error *error) TR_NODISCARD;

#endif
