#include "learn/graph/graph_build.h"

#include "learn/graph/graph_bank.h"

#include <stdlib.h>
#include <string.h>

tr_graph_build_def tr_graph_build_default(void) {
    return (tr_graph_build_def){
        .candidates = 60, .trials = 200, .edges = 6, .after_s = 6, .seed = 20150815};
}

/* The parts of the graph, collected link by link: the requested skills, the learned chains, and the
 * transitions. */
typedef struct gathering {
    const tr_graph_build_def *def;
    tr_ensemble *ensemble;
    const tr_controller *skill[TR_GRAPH_NODE_MAX];
    tr_controller *chain[TR_GRAPH_NODE_MAX]; /* [chain_count], owned; the last of the skills */
    tr_graph_link chain_link[TR_GRAPH_NODE_MAX];
    tr_blend_window chain_window[TR_GRAPH_NODE_MAX];
    bool turns[TR_GRAPH_NODE_MAX];
    int skill_count, chain_count;
    tr_graph_edge *edge; /* [edge_count], owned */
    int edge_count;
} gathering;

/* Returns where a skill's fragments begin in the bank. */
static int offset_of(const gathering *g, int skill) {
    int offset = 0;
    for (int i = 0; i < skill; i++)
        offset += tr_controller_bank(g->skill[i])->fragment_count;
    return offset;
}

static tr_status add_edge(gathering *g, tr_graph_edge edge) {
    size_t room = (size_t)g->edge_count + 1;
    tr_graph_edge *edges = realloc(g->edge, room * sizeof *edges);
    if (!edges)
        return TR_RESOURCE_EXHAUSTED;
    g->edge = edges;
    g->edge[g->edge_count++] = edge;
    return TR_OK;
}

/* --- direct transitions --- */

/* Is the skill a chain that no link leads to (tr_control_graph_rises)? */
static bool rises(const gathering *g, int skill) {
    bool entered = false;
    for (int i = 0; i < g->def->link_count; i++)
        entered |= g->def->links[i].to == skill;
    return !tr_controller_bank(g->skill[skill])->cyclic && !entered;
}

static tr_status add_kept(gathering *g, const tr_graph_candidate *candidates, int count) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < count; i++)
        if (candidates[i].kept)
            status = add_edge(g, candidates[i].edge);
    return status;
}

/* Keeps the nearest that held; if there are none, those of the others that held most often. */
static void mark_kept(const gathering *g, tr_graph_link link, tr_graph_candidate *candidates,
                      int count) {
    const tr_graph_build_def *def = g->def;
    if (rises(g, link.from))
        tr_jumps_keep_best(candidates, count, 1);
    else if (tr_jumps_keep_held(candidates, count, def->trials, def->edges) == 0)
        tr_jumps_keep_best(candidates, count, def->failing);
}

static tr_status try_link(gathering *g, tr_graph_link link, const tr_graph_listener *listener) {
    const tr_jump_def jump = {.from = g->skill[link.from],
                              .to = g->skill[link.to],
                              .from_first = offset_of(g, link.from),
                              .to_first = offset_of(g, link.to),
                              .candidates = g->def->candidates,
                              .trials = g->def->trials,
                              .after_s = g->def->after_s,
                              .seed = g->def->seed};
    tr_graph_candidate *candidates = NULL;
    int count = 0;
    tr_status status = tr_jumps_try(g->ensemble, &jump, &candidates, &count);
    if (status)
        return status;
    mark_kept(g, link, candidates, count);
    status = add_kept(g, candidates, count);
    if (!status && listener->link)
        listener->link(listener->context, link, candidates, count);
    free(candidates);
    return status;
}

/* --- learned ways --- */

/* Adds a chain as a separate skill, with one way in and one way out. */
static tr_status add_chain(gathering *g, tr_graph_link link, const tr_blend_window *window,
                           tr_controller *take_chain) {
    int first = offset_of(g, g->skill_count);
    /* The way in leads to the chain's start, in the half of the first skill; the way out leaves its
     * end, and flips if the window does. */
    tr_graph_edge in = {offset_of(g, link.from) + window->from, first, false};
    tr_graph_edge out = {first + tr_controller_bank(take_chain)->fragment_count - 1,
                         offset_of(g, link.to) + window->to, window->flips};
    g->chain_link[g->chain_count] = link;
    g->chain_window[g->chain_count] = *window;
    g->chain[g->chain_count++] = take_chain;
    g->skill[g->skill_count++] = take_chain;
    tr_status status = add_edge(g, in);
    return status ? status : add_edge(g, out);
}

/* Is a known graph's skill `name` this one, to the bit? It may have another name here. */
static tr_status compare_known(const gathering *g, const tr_controller *known, const char *name,
                               const tr_controller *skill, bool *out_same) {
    const tr_model *model = g->ensemble->model;
    const int node = tr_control_graph_find(tr_graph_of(known), name);
    tr_controller *old = NULL;
    *out_same = false;
    if (tr_graph_of(known)->node[node].count != tr_controller_bank(skill)->fragment_count)
        return TR_OK;
    tr_status status = tr_graph_bank_take(model, known, node, &old);
    if (status)
        return status;
    /* Skills taken out of a bank have another spawn state, which does not count. */
    old->spawn = skill->spawn;
    *out_same = tr_controller_hash(old, model) == tr_controller_hash(skill, model);
    tr_controller_destroy(old);
    return TR_OK;
}

/* Takes the chain of a link out of a known graph; *out stays NULL where it has none. */
static tr_status take_from(const gathering *g, const tr_controller *known, tr_graph_link link,
                           tr_controller **out, tr_blend_window *window) {
    const tr_control_graph *graph = tr_graph_of(known);
    tr_status status = TR_OK;
    for (int n = 0; !status && !*out && n < graph->node_count; n++) {
        tr_graph_transition p;
        bool same = false;
        if (!tr_graph_transition_over(graph, n, &p))
            continue;
        status = compare_known(g, known, p.from, g->skill[link.from], &same);
        if (!status && same)
            status = compare_known(g, known, p.to, g->skill[link.to], &same);
        if (status || !same)
            continue;
        /* Fragments of the known graph's bank become fragments of its skills. */
        window->from = p.leave - graph->node[tr_control_graph_find(graph, p.from)].first;
        window->to = p.enter - graph->node[tr_control_graph_find(graph, p.to)].first;
        window->flips = p.flips;
        status = tr_graph_bank_take(g->ensemble->model, known, n, out);
        if (!status && (strcmp(p.from, g->skill[link.from]->skill) != 0 ||
                        strcmp(p.to, g->skill[link.to]->skill) != 0))
            tr_blend_window_name(g->skill[link.from]->skill, g->skill[link.to]->skill,
                                 (*out)->skill);
    }
    return status;
}

static tr_status take_known(const gathering *g, tr_graph_link link, tr_controller **out,
                            tr_blend_window *window) {
    tr_status status = TR_OK;
    for (int i = 0; !status && !*out && i < g->def->known_count; i++)
        status = take_from(g, g->def->known[i], link, out, window);
    return status;
}

/* Is a skill the mirror image of another, to the bit? */
static tr_status compare_image(const gathering *g, int one, int other, bool *out_same) {
    const tr_model *model = g->ensemble->model;
    tr_controller *image = NULL;
    tr_status status = tr_controller_mirror(g->skill[one], model, &image);
    if (status)
        return status;
    *out_same = tr_controller_hash(image, model) == tr_controller_hash(g->skill[other], model);
    tr_controller_destroy(image);
    return TR_OK;
}

static bool is_mirrored(const gathering *g, int skill) {
    return tr_controller_bank(g->skill[skill])->mirrored;
}

/* Is the link the mirror image of the link of chain `c`? One end is the same skill, which has both
 * halves, and the other end is the image of the chain's. *out_to: the link leads to the image, so
 * that the chain itself leads there out of the other half. *out_from: it comes from the image, so
 * that the image of the chain does. */
static tr_status is_image(const gathering *g, int c, tr_graph_link link, bool *out_to,
                          bool *out_from) {
    tr_graph_link known = g->chain_link[c];
    tr_status status = TR_OK;
    *out_to = *out_from = false;
    if (known.from == link.from && is_mirrored(g, link.from))
        status = compare_image(g, known.to, link.to, out_to);
    if (!status && known.to == link.to && is_mirrored(g, link.to))
        status = compare_image(g, known.from, link.from, out_from);
    return status;
}

/* Takes the chain of a link that is the mirror image of another link; *out stays NULL if no other
 * is. */
static tr_status take_image(const gathering *g, tr_graph_link link, tr_controller **out,
                            tr_blend_window *window) {
    const tr_model *model = g->ensemble->model;
    tr_status status = TR_OK;
    for (int c = 0; !status && !*out && c < g->chain_count; c++) {
        bool to = false, from = false;
        status = is_image(g, c, link, &to, &from);
        if (status || !(to || from))
            continue;
        *window = g->chain_window[c];
        /* The image of one end changes the half in which the second skill begins. */
        window->flips = !window->flips;
        status = to ? tr_controller_copy(g->chain[c], model, out)
                    : tr_controller_mirror(g->chain[c], model, out);
        if (!status)
            tr_blend_window_name(g->skill[link.from]->skill, g->skill[link.to]->skill,
                                 (*out)->skill);
    }
    return status;
}

/* Reuses a known chain, or the image of one, or else learns it. If no chain is found, that is not
 * an error: the link stays open. */
static tr_status learn_link(gathering *g, tr_graph_link link, const tr_graph_listener *listener,
                            tr_error *error) {
    tr_transition_def def = *g->def->learn;
    tr_transition_window window = {0};
    tr_controller *chain = NULL;
    def.from = g->skill[link.from];
    def.to = g->skill[link.to];
    def.trials = g->def->trials;
    def.after_s = g->def->after_s;
    def.seed = g->def->seed;
    if (g->skill_count == TR_GRAPH_NODE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph '%s': expected at most %d skills",
                       g->def->name, TR_GRAPH_NODE_MAX);
    tr_status status = take_known(g, link, &chain, &window.window);
    if (!status && !chain)
        status = take_image(g, link, &chain, &window.window);
    if (!status && !chain)
        status = tr_transition_learn(g->ensemble, &def, listener->window, listener->context, &chain,
                                     &window, error);
    if (status == TR_NOT_FOUND)
        return TR_OK;
    /* A character that has just reached a skill is not yet fit to leave it (graph_build.h). */
    if (!status && g->def->dwell)
        status = tr_blend_window_append(g->ensemble->model, g->skill[link.to],
                                        g->def->dwell[link.to], &window.window, &chain);
    if (!status)
        return add_chain(g, link, &window.window, chain);
    tr_controller_destroy(chain);
    return status;
}

/* --- the whole --- */

static tr_status gather_link(gathering *g, tr_graph_link link, const tr_graph_listener *listener,
                             tr_error *error) {
    if (link.from < 0 || link.from >= g->def->count || link.to < 0 || link.to >= g->def->count ||
        link.from == link.to)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph '%s': a link must name two of its skills",
                       g->def->name);
    /* Blend windows need cyclic skills at both ends; other links are jumps. */
    bool cyclic = tr_controller_bank(g->skill[link.from])->cyclic &&
                  tr_controller_bank(g->skill[link.to])->cyclic;
    if (g->def->learn && cyclic)
        return learn_link(g, link, listener, error);
    tr_status status = try_link(g, link, listener);
    return status ? tr_fail(error, status, "graph '%s': %s to %s: %s", g->def->name,
                            g->skill[link.from]->skill, g->skill[link.to]->skill,
                            tr_status_text(status))
                  : TR_OK;
}

static bool sound_counts(const tr_graph_build_def *def) {
    return def->count >= 1 && def->count <= TR_GRAPH_NODE_MAX && def->link_count >= 0 &&
           def->candidates >= 1 && def->candidates <= TR_GRAPH_CANDIDATE_MAX && def->trials >= 1 &&
           def->trials <= 1000 && def->edges >= 1 && def->failing >= 0 &&
           def->failing <= def->edges && def->link_count <= TR_GRAPH_EDGE_MAX / (def->edges + 2) &&
           def->after_s > 0 && def->after_s <= 600;
}

static tr_status gather(gathering *g, const tr_graph_listener *listener, tr_error *error) {
    const tr_graph_build_def *def = g->def;
    tr_status status = TR_OK;
    for (int i = 0; !status && i < def->count; i++) {
        g->turns[g->skill_count] = def->turns && def->turns[i];
        g->skill[g->skill_count++] = def->controllers[i];
        status = tr_graph_bank_check(g->ensemble->model, g->skill[0], g->skill[i], error);
    }
    for (int i = 0; !status && i < def->link_count; i++)
        status = gather_link(g, def->links[i], listener, error);
    return status;
}

tr_status tr_graph_build(tr_ensemble *ensemble, const tr_graph_build_def *def,
                         const tr_graph_listener *listener, tr_controller **out, tr_error *error) {
    static const tr_graph_listener nobody = {0};
    if (!sound_counts(def))
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "graph '%s': expected 1 to %d candidates, 1 to 1000 trials, a positive time to "
            "hold, and at most as many failing edges as edges",
            def->name, TR_GRAPH_CANDIDATE_MAX);
    gathering g = {.def = def, .ensemble = ensemble};
    tr_status status = gather(&g, listener ? listener : &nobody, error);
    tr_graph_bank_def bank = {def->name, g.skill, g.edge, g.skill_count, g.edge_count, g.turns};
    if (!status)
        status = tr_graph_bank_create(ensemble->model, &bank, out, error);
    for (int i = 0; i < g.chain_count; i++)
        tr_controller_destroy(g.chain[i]);
    free(g.edge);
    return status;
}
