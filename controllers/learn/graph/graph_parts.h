/* The controllers that a command on graphs is given, in this order:
 *   build:  the skills, then the graphs that it extends
 *   slopes: the graph that is changed, then the controllers with the names of its skills
 *   refit:  the controllers that take places in it, then the graph, which may be on another model
 *   others: the graph that is changed */
#pragma once

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
