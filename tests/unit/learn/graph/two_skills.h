/* Two skills of the swaying body and control graphs of them, for the tests of learning graphs. */
#pragma once

#include "learn/graph/graph_build.h"

/* Between load and unload: cmocka's setup and teardown of a group. */
extern tr_model *two_skills_model;
extern tr_controller *two_skills[2]; /* stand: holds the rest pose; nod: so, with its head bent */
extern const tr_graph_link two_skills_links[2]; /* from each to the other */

int two_skills_load(void **state);
int two_skills_unload(void **state);

/* A skill that holds the rest pose with its head bent. */
tr_controller *two_skills_make(const char *name, double bent_rad);

/* What was heard of a graph's building. */
typedef struct two_skills_tale {
    int links, kept;
} two_skills_tale;

/* Quick definitions, and graphs built by them: by jumps alone, and by chains that are learned once. */
tr_graph_build_def two_skills_quick(void);
tr_transition_def two_skills_quick_learning(void);
tr_controller *two_skills_build(int threads, two_skills_tale *t);
tr_controller *two_skills_build_learned(int threads);

/* Swings a leg up for as long as a node lasts, so that every character falls. */
void two_skills_spoil(tr_controller *graph, const tr_graph_node *node);
