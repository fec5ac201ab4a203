/* Making control graphs: of skills by a connectivity file, or from another graph, by hardening it,
 * giving it slope terms, refitting it to another model, loosening it, or shortening its ways.
 *
 * A recipe is plain data with a table of command line options; its record is written and read by
 * the same table (graph_record.h). Deterministic, whatever the number of threads. */
#ifndef TROUPE_TOOLS_GRAPH_MAKING_H
#define TROUPE_TOOLS_GRAPH_MAKING_H

#include "db/tables/controllers.h"
#include "tools/frame/options.h"
#include "tools/graphs/connectivity.h"

/* What becomes of a graph: it is hardened (graph_harden.h), gets slope terms (graph_slopes.h),
 * is refitted (graph_refit.h), loosened (graph_loosen.h), or shortened (graph_shorten.h). */
typedef enum tr_graph_change {
    TR_GRAPH_HARDENED,
    TR_GRAPH_SLOPED,
    TR_GRAPH_REFITTED,
    TR_GRAPH_LOOSENED,
    TR_GRAPH_SHORTENED
} tr_graph_change;

typedef struct tr_graph_recipe {
    const char *of; /* the graph that is changed; NULL: one is built */
    tr_graph_change change;
    const char *with;    /* refitted: pairs SKILL=CONTROLLER between commas */
    const char *without; /* refitted: skills that are left out, between commas; NULL: none */
    const char *limits;  /* loosened: pairs NAME=DISTANCE between commas */
    const char *links;   /* shortened: pairs FROM=TO between commas; NULL: all pairs */
    bool spread;         /* shortened: jumps out of every part of a skill */
    const char *extends; /* graphs whose chains are reused, between commas; NULL: none */
    const char *skills;  /* to be hardened, between commas; NULL: all chains */
    const char *after;   /* skills in which trials start, between commas; NULL: any */
    double dwell_s;      /* longest time in each skill before; 0: the default */
    int candidates, trials, edges, failing, windows, shortest, longest, rounds;
    int draws; /* scenes drawn for each trial, which uses the hardest */
    bool learns;
    double hold_s;   /* that the second skill must hold, also while hardening; 0: the defaults */
    double rate;     /* of hardening's steps; 0: the defaults */
    bool short_loss; /* of hardening (harden_course.h) */
    double
        slope_deg; /* hardening takes place on such slopes, and changes slope terms alone; 0: not */
    uint64_t seed;
} tr_graph_recipe;

tr_graph_recipe tr_graph_recipe_default(void);

/* The defaults for a record: options that it does not list have the values that repeat it. */
tr_graph_recipe tr_graph_recipe_unrecorded(void);

enum { TR_GRAPH_RECIPE_OPTIONS = 24 };

/* A table of all fields except `of` and `change`; its targets are in the recipe. */
void tr_graph_recipe_options(tr_graph_recipe *recipe, tr_option out[TR_GRAPH_RECIPE_OPTIONS]);

enum { TR_GRAPH_KNOWN_MAX = 8, TR_GRAPH_PART_MAX = TR_GRAPH_NODE_MAX + TR_GRAPH_KNOWN_MAX };

/* The parts of a graph: its skills, followed by the graphs that it extends; or the graph that is
 * hardened; or the graph that gets slope terms, followed by the controllers that have the names of
 * its skills; or the controllers that a graph is refitted with, which are on `model`, followed by
 * the graph, which need not be. Rows and controllers: [count]. */
typedef struct tr_graph_parts {
    tr_connectivity connectivity; /* to build a graph */
    const char *kept;             /* to make a graph again: its part list (part_list.h) */
    tr_model *model;
    tr_ensemble *ensemble;
    int count;
    tr_controller_row row[TR_GRAPH_PART_MAX];
    tr_controller *controller[TR_GRAPH_PART_MAX];
} tr_graph_parts;

/* Loads controllers and makes worlds. `out` is zero, except connectivity and `kept`; deinitialise
 * it whatever the status. A part in `kept` that has been renamed is found by its digest; its row
 * has the old name. TR_NOT_FOUND, TR_INVALID_ARGUMENT: a controller is missing, or is not a graph;
 * the message names it. */
tr_status tr_graph_parts_load(tr_catalogue *catalogue, const tr_graph_recipe *recipe, int threads,
                              tr_graph_parts *out, tr_error *error) TR_NODISCARD;
void tr_graph_parts_deinit(tr_graph_parts *parts);

/* Makes the graph and prints each attempt. Destroy it with tr_controller_destroy. */
tr_status tr_graph_make(const tr_graph_recipe *recipe, const char *name,
                        const tr_graph_parts *parts, tr_controller **out,
                        tr_error *error) TR_NODISCARD;

#endif
