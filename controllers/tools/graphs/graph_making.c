#include "tools/graphs/graph_making.h"

#include "control/recovery/recovery.h"
#include "control/scheduler/scheduler.h"
#include "db/tables/models.h"
#include "learn/graph/graph_harden.h"
#include "learn/graph/graph_loosen.h"
#include "learn/graph/graph_refit.h"
#include "learn/graph/graph_settle.h"
#include "learn/graph/graph_shorten.h"
#include "learn/graph/graph_slopes.h"
#include "learn/rehearsal/names.h"
#include "learn/train/warm_start.h"
#include "model/mjcf.h"
#include "tools/frame/progress.h"
#include "tools/graphs/part_list.h"

#include <stdio.h>
#include <string.h>

tr_graph_recipe tr_graph_recipe_default(void) {
    tr_graph_build_def build = tr_graph_build_default();
    tr_transition_def learn = tr_transition_default();
    return (tr_graph_recipe){.candidates = build.candidates,
                             .trials = build.trials,
                             .edges = build.edges,
                             .windows = learn.windows,
                             .shortest = learn.low,
                             .longest = learn.high,
                             .rounds = learn.rounds,
                             .draws = learn.harden.candidates,
                             .seed = 20150815};
}

tr_graph_recipe tr_graph_recipe_unrecorded(void) {
    tr_graph_recipe out = tr_graph_recipe_default();
    out.short_loss = true;
    return out;
}

void tr_graph_recipe_options(tr_graph_recipe *recipe, tr_option out[TR_GRAPH_RECIPE_OPTIONS]) {
    const tr_option table[TR_GRAPH_RECIPE_OPTIONS] = {
        {"extend", TR_OPTION_TEXT, &recipe->extends, 0, 0},
        {"candidates", TR_OPTION_COUNT, &recipe->candidates, 1, TR_GRAPH_CANDIDATE_MAX},
        {"trials", TR_OPTION_COUNT, &recipe->trials, 1, 1000},
        {"edges", TR_OPTION_COUNT, &recipe->edges, 1, 100},
        {"learn", TR_OPTION_FLAG, &recipe->learns, 0, 0},
        {"windows", TR_OPTION_COUNT, &recipe->windows, 1, 10000},
        {"longest", TR_OPTION_COUNT, &recipe->longest, 1, TR_BLEND_FRAGMENT_MAX},
        {"rounds", TR_OPTION_COUNT, &recipe->rounds, 0, 100},
        {"hold", TR_OPTION_NUMBER, &recipe->hold_s, 0.1, 600},
        {"seed", TR_OPTION_SEED, &recipe->seed, 0, 0},
        {"draws", TR_OPTION_COUNT, &recipe->draws, 1, 1000},
        {"shortest", TR_OPTION_COUNT, &recipe->shortest, 1, TR_BLEND_FRAGMENT_MAX},
        {"rate", TR_OPTION_NUMBER, &recipe->rate, 0.01, 10},
        {"skills", TR_OPTION_TEXT, &recipe->skills, 0, 0},
        {"after", TR_OPTION_TEXT, &recipe->after, 0, 0},
        {"stay", TR_OPTION_NUMBER, &recipe->dwell_s, 0.1, 60},
        {"slope", TR_OPTION_NUMBER, &recipe->slope_deg, 0.1, 30},
        {"with", TR_OPTION_TEXT, &recipe->with, 0, 0},
        {"without", TR_OPTION_TEXT, &recipe->without, 0, 0},
        {"limits", TR_OPTION_TEXT, &recipe->limits, 0, 0},
        {"short-loss", TR_OPTION_FLAG, &recipe->short_loss, 0, 0},
        {"failing", TR_OPTION_COUNT, &recipe->failing, 0, 100},
        {"links", TR_OPTION_TEXT, &recipe->links, 0, 0},
        {"spread", TR_OPTION_FLAG, &recipe->spread, 0, 0},
    };
    memcpy(out, table, sizeof table);
}

/* --- parts --- */

static tr_status find_part(tr_catalogue *catalogue, const char *name, const char *kept,
                           tr_controller_row *out, tr_error *error) {
    tr_graph_part part;
    tr_status status = tr_controllers_find(catalogue, name, out, error);
    if (!tr_part_list_find(kept, name, &part) ||
        (!status && tr_digest_equal(&part.digest, &out->digest)))
        return status;
    tr_controller_row other;
    tr_error ignored;
    if (tr_controllers_find_content(catalogue, &part.digest, &other, &ignored))
        return status;
    *out = other;
    snprintf(out->name, sizeof out->name, "%s", name);
    return TR_OK;
}

static tr_status load_part(tr_catalogue *catalogue, const char *name, tr_graph_parts *parts,
                           tr_error *error) {
    tr_controller_row *row = &parts->row[parts->count];
    tr_status status = find_part(catalogue, name, parts->kept, row, error);
    if (!status && !parts->model)
        status = tr_models_load(catalogue, row->model_id, &parts->model, error);
    if (!status)
        status = tr_controllers_load(catalogue, row->id, parts->model,
                                     &parts->controller[parts->count], error);
    parts->count += !status;
    return status;
}

static tr_status load_graph(tr_catalogue *catalogue, const char *name, tr_graph_parts *parts,
                            tr_error *error) {
    tr_status status = load_part(catalogue, name, parts, error);
    const tr_controller *controller = status ? NULL : parts->controller[parts->count - 1];
    if (!status && !tr_graph_of(controller))
        status = tr_fail(error, TR_INVALID_ARGUMENT, "controller '%s': not a graph", name);
    if (!status && tr_scheduler_of(controller))
        status =
            tr_fail(error, TR_INVALID_ARGUMENT,
                    "controller '%s': a network chooses in it; expected the graph itself", name);
    return status;
}

/* The graphs that are extended, names between commas. */
static tr_status load_known(tr_catalogue *catalogue, const char *names, tr_graph_parts *parts,
                            tr_error *error) {
    char name[TR_NAME_MAX];
    tr_status status = TR_OK;
    for (int i = 0; !status && tr_names_next(&names, name); i++)
        status = i < TR_GRAPH_KNOWN_MAX
                     ? load_graph(catalogue, name, parts, error)
                     : tr_fail(error, TR_INVALID_ARGUMENT, "--extend: at most %d graphs",
                               TR_GRAPH_KNOWN_MAX);
    return status;
}

static tr_status load_skills(tr_catalogue *catalogue, const tr_graph_recipe *recipe,
                             tr_graph_parts *parts, tr_error *error) {
    const tr_connectivity *c = &parts->connectivity;
    tr_status status = TR_OK;
    for (int i = 0; !status && i < c->skill_count; i++) {
        status = load_part(catalogue, c->skill[i], parts, error);
        if (!status)
            memcpy(parts->controller[i]->skill, c->skill[i], TR_NAME_MAX);
    }
    if (!status && recipe->extends)
        status = load_known(catalogue, recipe->extends, parts, error);
    return status;
}

/* The controllers that have the names of the graph's skills and existed when it was first made. */
static tr_status load_trained(tr_catalogue *catalogue, tr_graph_parts *parts, tr_error *error) {
    const tr_control_graph *graph = tr_graph_of(parts->controller[0]);
    tr_status status = TR_OK;
    for (int n = 0; !status && n < graph->node_count; n++) {
        tr_graph_part part;
        if (parts->kept && !tr_part_list_find(parts->kept, graph->node[n].skill, &part))
            continue;
        status = load_part(catalogue, graph->node[n].skill, parts, error);
        if (status == TR_NOT_FOUND && !parts->kept)
            status = TR_OK; /* transitions, and skills that no catalogue keeps */
    }
    return status;
}

/* One skill of --with, and the controller that takes its place. */
typedef struct skill_swap {
    char skill[TR_NAME_MAX], controller[TR_NAME_MAX];
} skill_swap;

/* Takes the first SKILL=CONTROLLER off a list between commas, which then is the rest. */
static tr_status take_swap(const char **list, skill_swap *out, tr_error *error) {
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

static tr_status load_with(tr_catalogue *catalogue, const char *with, tr_graph_parts *parts,
                           tr_error *error) {
    skill_swap one;
    tr_status status = TR_OK;
    do {
        if (parts->count == TR_GRAPH_NODE_MAX)
            return tr_fail(error, TR_INVALID_ARGUMENT, "--with: at most %d skills",
                           TR_GRAPH_NODE_MAX);
        status = take_swap(&with, &one, error);
        if (!status)
            status = load_part(catalogue, one.controller, parts, error);
    } while (!status && *with);
    return status;
}

/* The graph, whose model may be another one than that of the parts. */
static tr_status load_refitted(tr_catalogue *catalogue, const tr_graph_recipe *recipe,
                               tr_graph_parts *parts, tr_error *error) {
    tr_status status = load_with(catalogue, recipe->with, parts, error);
    if (status)
        return status;
    tr_model *model = parts->model;
    parts->model = NULL;
    status = load_graph(catalogue, recipe->of, parts, error);
    if (!status && !tr_warm_start_same_limbs(parts->model, model))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "--with: '%s' and '%s' have different bodies; expected models that differ "
                         "in limits of torque and softness alone",
                         recipe->of, parts->row[0].name);
    tr_model_destroy(parts->model);
    parts->model = model;
    return status;
}

static tr_status load_of(tr_catalogue *catalogue, const tr_graph_recipe *recipe,
                         tr_graph_parts *parts, tr_error *error) {
    if (!recipe->of)
        return load_skills(catalogue, recipe, parts, error);
    if (recipe->change == TR_GRAPH_REFITTED)
        return load_refitted(catalogue, recipe, parts, error);
    tr_status status = load_graph(catalogue, recipe->of, parts, error);
    return !status && recipe->change == TR_GRAPH_SLOPED ? load_trained(catalogue, parts, error)
                                                        : status;
}

tr_status tr_graph_parts_load(tr_catalogue *catalogue, const tr_graph_recipe *recipe, int threads,
                              tr_graph_parts *out, tr_error *error) {
    tr_status status = load_of(catalogue, recipe, out, error);
    return !status ? tr_ensemble_create_for(out->model, out->controller[0], threads, &out->ensemble,
                                            error)
                   : status;
}

void tr_graph_parts_deinit(tr_graph_parts *parts) {
    tr_ensemble_destroy(parts->ensemble);
    for (int i = 0; i < parts->count; i++)
        tr_controller_destroy(parts->controller[i]);
    tr_model_destroy(parts->model);
    memset(parts, 0, sizeof *parts);
}

/* --- building --- */

typedef struct telling {
    const tr_graph_recipe *recipe;
    const tr_graph_parts *parts;
} telling;

static void tell_jumps(void *context, const char *from, const char *to,
                       const tr_graph_candidate *candidates, int count) {
    const telling *t = context;
    int held = 0, kept = 0;
    for (int i = 0; i < count; i++) {
        const tr_graph_candidate *c = &candidates[i];
        held += c->held == t->recipe->trials;
        kept += c->kept;
        printf("  %s fragment %d -> %s fragment %d%s  distance %.2f  held %d of %d%s\n", from,
               c->edge.from, to, c->edge.to, c->edge.flips ? ", mirrored" : "", c->distance,
               c->held, c->trials, c->kept ? "  kept" : "");
    }
    printf("%s -> %s: %d candidates, %d hold, %d kept\n", from, to, count, held, kept);
    (void)fflush(stdout);
}

static void tell_link(void *context, tr_graph_link link, const tr_graph_candidate *candidates,
                      int count) {
    const telling *t = context;
    tell_jumps(context, t->parts->controller[link.from]->skill,
               t->parts->controller[link.to]->skill, candidates, count);
}

static void tell_window(void *context, const char *skill, const tr_transition_window *w) {
    (void)context;
    printf(
        "  %s: learned over %d fragments after fragment %d to %d%s  distance %.2f  stays at %.3f  "
        "turn %.0f deg  %d rounds  held %d of %d of %d trials\n",
        skill, w->window.count, w->window.from, w->window.to, w->window.flips ? ", mirrored" : "",
        w->window.distance, w->count.distance, w->count.turn_rad * 180 / TR_PI, w->rounds,
        w->count.held, w->count.came, w->trials);
    (void)fflush(stdout);
}

/* Copies the options of hardening; a trial is watched for as long as the skill must hold. */
static void take_harden(const tr_graph_recipe *recipe, tr_harden_def *harden) {
    harden->candidates = recipe->draws;
    harden->after_s = recipe->hold_s > 0 ? recipe->hold_s : harden->after_s;
    harden->rate = recipe->rate > 0 ? recipe->rate : harden->rate;
    harden->short_loss = recipe->short_loss;
}

static tr_status build(const tr_graph_recipe *recipe, const char *name, const tr_graph_parts *parts,
                       tr_controller **out, tr_error *error) {
    const tr_connectivity *c = &parts->connectivity;
    tr_transition_def learn = tr_transition_default();
    learn.windows = recipe->windows;
    learn.low = recipe->shortest;
    learn.high = recipe->longest;
    learn.rounds = recipe->rounds;
    take_harden(recipe, &learn.harden);
    tr_graph_build_def def = tr_graph_build_default();
    def.name = name;
    def.controllers = (const tr_controller *const *)parts->controller;
    def.count = c->skill_count;
    def.turns = c->turns;
    def.dwell = c->dwell;
    def.links = c->link;
    def.link_count = c->link_count;
    def.candidates = recipe->candidates;
    def.trials = recipe->trials;
    def.edges = recipe->edges;
    def.failing = recipe->failing;
    def.seed = recipe->seed;
    def.after_s = recipe->hold_s > 0 ? recipe->hold_s : def.after_s;
    def.learn = recipe->learns ? &learn : NULL;
    def.known = def.controllers + def.count;
    def.known_count = parts->count - def.count;
    telling t = {recipe, parts};
    const tr_graph_listener listener = {&t, tell_link, tell_window};
    return tr_graph_build(parts->ensemble, &def, &listener, out, error);
}

/* --- hardening --- */

static void print_hardening(void *context, const tr_graph_harden_row *row) {
    (void)context;
    const tr_graph_transition *t = &row->transition;
    const bool chain = t->learns == t->first && t->learns_count == t->count;
    const char *learner = chain ? "" : ", which learns";
    printf("  round %d  %s to %s%s: held %d of %d trials", row->round, row->transition.from,
           row->transition.to, learner, row->before.held, row->before.came);
    if (row->after.came > 0)
        printf(", then %d of %d", row->after.held, row->after.came);
    printf("  (%.0f core-s in all)\n", tr_processor_seconds());
    (void)fflush(stdout);
}

static tr_status check_names(const char *option, const char *names, bool cyclic,
                             const tr_controller *graph, tr_error *error) {
    char name[TR_NAME_MAX];
    if (!names || !tr_graph_harden_misses(tr_graph_of(graph), names, cyclic, name))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "--%s: graph '%s' has no %s '%s'", option,
                   graph->name, cyclic ? "cyclic skill" : "skill or chain", name);
}

/* A copy of the first part under the name. */
static tr_status copy_whole(const tr_graph_parts *parts, const char *name, tr_controller **out,
                            tr_error *error) {
    tr_status status = tr_controller_copy(parts->controller[0], parts->model, out);
    if (status)
        return tr_fail(error, status, "graph '%s': %s", name, tr_status_text(status));
    snprintf((*out)->name, sizeof(*out)->name, "%s", name);
    return TR_OK;
}

/* A copy that does not get up. */
static tr_status copy_graph(const tr_graph_parts *parts, const char *name, tr_controller **out,
                            tr_error *error) {
    tr_status status = copy_whole(parts, name, out, error);
    if (!status)
        tr_recovery_remove(*out);
    return status;
}

static tr_status harden(const tr_graph_recipe *recipe, const char *name,
                        const tr_graph_parts *parts, tr_controller **out, tr_error *error) {
    tr_controller *graph = NULL;
    tr_graph_harden_def def = tr_graph_harden_default();
    def.rounds = recipe->rounds;
    def.learns = recipe->skills;
    def.walk = (tr_random_walk_def){recipe->dwell_s, recipe->after};
    take_harden(recipe, &def.harden);
    def.test.slope_deg = recipe->slope_deg;
    def.test.seed = recipe->seed;
    def.test.trials = recipe->trials;
    def.test.after_s = recipe->hold_s > 0 ? recipe->hold_s : def.test.after_s;
    tr_status status = check_names("skills", recipe->skills, false, parts->controller[0], error);
    if (!status)
        status = check_names("after", recipe->after, true, parts->controller[0], error);
    if (!status) /* without getting up: in training a fall ends the trial */
        status = copy_graph(parts, name, &graph, error);
    if (status)
        return status;
    status = tr_graph_harden(parts->ensemble, &def, print_hardening, NULL, graph);
    if (!status) {
        *out = graph;
        return TR_OK;
    }
    tr_controller_destroy(graph);
    return tr_fail(error, status, "harden: %s", tr_status_text(status));
}

/* --- slope terms --- */

static void print_slopes(const tr_control_graph *graph,
                         const tr_graph_slopes_source source[TR_GRAPH_NODE_MAX]) {
    static const char *const text[] = {
        [TR_GRAPH_SLOPES_LEVEL] = "sees what it would see on level ground",
        [TR_GRAPH_SLOPES_TRAINED] = "trained, of the controller of its name",
        [TR_GRAPH_SLOPES_FADED] = "faded between its skills"};
    for (int n = 0; n < graph->node_count; n++)
        printf("  %-30s %s\n", graph->node[n].skill, text[source[n]]);
}

static tr_status give_slopes(const char *name, const tr_graph_parts *parts, tr_controller **out,
                             tr_error *error) {
    const tr_controller *const *trained = (const tr_controller *const *)parts->controller + 1;
    tr_graph_slopes_source source[TR_GRAPH_NODE_MAX];
    tr_controller *graph = NULL;
    tr_status status = copy_graph(parts, name, &graph, error);
    if (status)
        return status;
    status = tr_graph_slopes(parts->model, trained, parts->count - 1, graph, source);
    if (!status) {
        print_slopes(tr_graph_of(graph), source);
        *out = graph;
        return TR_OK;
    }
    tr_controller_destroy(graph);
    return tr_fail(error, status, "slopes: %s", tr_status_text(status));
}

/* --- limits for leaving skills --- */

static tr_status loosen(const tr_graph_recipe *recipe, const char *name,
                        const tr_graph_parts *parts, tr_controller **out, tr_error *error) {
    tr_controller *graph = NULL;
    tr_status status = copy_whole(parts, name, &graph, error);
    if (!status)
        status = tr_graph_loosen(tr_graph_of(graph), recipe->limits, error);
    if (status)
        tr_controller_destroy(graph);
    else
        *out = graph;
    return status;
}

/* --- shorter ways --- */

static tr_status shorten(const tr_graph_recipe *recipe, const char *name,
                         const tr_graph_parts *parts, tr_controller **out, tr_error *error) {
    const tr_graph_build_def build = tr_graph_build_default();
    const tr_graph_shorten_def def = {.links = recipe->links,
                                      .candidates = recipe->candidates,
                                      .trials = recipe->trials,
                                      .edges = recipe->edges,
                                      .after_s =
                                          recipe->hold_s > 0 ? recipe->hold_s : build.after_s,
                                      .seed = recipe->seed,
                                      .spread = recipe->spread};
    telling t = {recipe, parts};
    tr_controller *graph = NULL;
    tr_status status = copy_whole(parts, name, &graph, error);
    if (!status)
        status = tr_graph_shorten(parts->ensemble, &def, tell_jumps, &t, graph, error);
    if (status)
        tr_controller_destroy(graph);
    else
        *out = graph;
    return status;
}

/* --- another model --- */

static void print_settling(const tr_control_graph *graph,
                           const tr_graph_settle_row row[TR_GRAPH_NODE_MAX]) {
    for (int n = 0; n < graph->node_count; n++)
        if (graph->node[n].cyclic && row[n].holds)
            printf("  %-30s %.3f from its reference, then %.3f\n", graph->node[n].skill,
                   row[n].before, row[n].after);
        else if (graph->node[n].cyclic)
            printf("  %-30s does not hold its motion\n", graph->node[n].skill);
}

static tr_status settle(const char *name, const tr_graph_parts *parts, tr_controller *graph,
                        tr_error *error) {
    tr_graph_settle_row row[TR_GRAPH_NODE_MAX];
    tr_status status = tr_graph_settle(parts->ensemble, graph, row);
    if (status)
        return tr_fail(error, status, "graph '%s': %s", name, tr_status_text(status));
    print_settling(tr_graph_of(graph), row);
    return TR_OK;
}

static tr_status refit(const tr_graph_recipe *recipe, const char *name, const tr_graph_parts *parts,
                       tr_controller **out, tr_error *error) {
    char skill[TR_GRAPH_NODE_MAX][TR_NAME_MAX];
    const char *with = recipe->with;
    tr_graph_refit_def def = {.name = name,
                              .model = parts->model,
                              .graph = parts->controller[parts->count - 1],
                              .with = (const tr_controller *const *)parts->controller,
                              .as_skill = skill,
                              .with_count = parts->count - 1,
                              .without = recipe->without};
    tr_status status = TR_OK;
    for (int i = 0; !status && i < def.with_count; i++) {
        skill_swap one;
        status = take_swap(&with, &one, error);
        if (!status)
            memcpy(skill[i], one.skill, TR_NAME_MAX);
        for (int k = 0; !status && k < i; k++)
            if (strcmp(skill[k], skill[i]) == 0)
                status = tr_fail(error, TR_INVALID_ARGUMENT, "--with: '%s' twice", skill[i]);
    }
    tr_controller *graph = NULL;
    if (!status)
        status = tr_graph_refit(&def, &graph, error);
    if (!status && graph->model_hash != def.graph->model_hash)
        status = settle(name, parts, graph, error);
    if (status)
        tr_controller_destroy(graph);
    else
        *out = graph;
    return status;
}

tr_status tr_graph_make(const tr_graph_recipe *recipe, const char *name,
                        const tr_graph_parts *parts, tr_controller **out, tr_error *error) {
    if (!recipe->of)
        return build(recipe, name, parts, out, error);
    switch (recipe->change) {
    case TR_GRAPH_SLOPED:
        return give_slopes(name, parts, out, error);
    case TR_GRAPH_REFITTED:
        return refit(recipe, name, parts, out, error);
    case TR_GRAPH_LOOSENED:
        return loosen(recipe, name, parts, out, error);
    case TR_GRAPH_SHORTENED:
        return shorten(recipe, name, parts, out, error);
    case TR_GRAPH_HARDENED:
        break;
    }
    return harden(recipe, name, parts, out, error);
}
