#include "learn/graph/blend_window.h"
#include "learn/rehearsal/graph_transition.h"
#include "tools/character/character.h"

#include <stdio.h>
#include <string.h>

/* The skill of this name in the base, or in a graph of the character; -1: none. */
static int find_skill(const tr_character_work *c, const char *name, bool base) {
    for (int i = 0; i < c->count; i++)
        if (strcmp(base ? c->skill[i].of : c->skill[i].name, name) == 0)
            return i;
    return -1;
}

static void note_way(tr_character_work *c, const char *one, const char *other, bool base,
                     bool learned) {
    const int from = find_skill(c, one, base), to = find_skill(c, other, base);
    if (from >= 0 && to >= 0)
        (learned ? c->skill[from].chain : c->skill[from].jump)[to] = true;
}

void tr_character_note_ways(tr_character_work *c, const tr_control_graph *graph, bool base) {
    tr_graph_transition t;
    for (int e = 0; e < graph->edge_count; e++) {
        const tr_graph_edge *edge = &graph->edge[e];
        const int from = tr_control_graph_node_of(graph, edge->from);
        const int to = tr_control_graph_node_of(graph, edge->to);
        if (tr_graph_edge_jumps(edge, &graph->node[from], &graph->node[to]))
            note_way(c, graph->node[from].skill,
                     tr_graph_transition_over(graph, to, &t) ? t.to : graph->node[to].skill, base,
                     false);
    }
    for (int n = 0; n < graph->node_count; n++)
        if (tr_graph_transition_over(graph, n, &t))
            note_way(c, t.from, t.to, base, true);
}

bool tr_character_uses(const tr_character_skill *skill) {
    return !skill->refused[0];
}

tr_status tr_character_list_ways(const tr_character_work *c, const char *limit,
                                 char out[static TR_PARAMETER_TEXT_MAX], tr_error *error) {
    char way[TR_NAME_MAX];
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->count; k++) {
            const tr_character_skill *from = &c->skill[i], *to = &c->skill[k];
            tr_blend_window_name(from->name, to->name, way);
            if (tr_character_uses(from) && tr_character_uses(to) && from->chain[k] &&
                (to->clip[0] || (from->clip[0] && !limit[0])))
                used +=
                    (size_t)snprintf(out + used, TR_PARAMETER_TEXT_MAX - used, ",%s%s", way, limit);
            if (used >= TR_PARAMETER_TEXT_MAX)
                return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                               "--%s: the list is too long at '%s%s': expected at most %d bytes; "
                               "name skills shorter by 'names' or leave some out by 'without', in "
                               "the file character.task",
                               limit[0] ? "limits" : "skills", way, limit,
                               TR_PARAMETER_TEXT_MAX - 1);
        }
    return TR_OK;
}

/* Do ways lead from one skill to the other, over skills that are used? */
static bool leads(const tr_character_work *c, int from, int to) {
    bool reached[TR_CHARACTER_SKILL_MAX] = {0};
    reached[from] = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < c->count; i++)
            for (int k = 0; reached[i] && k < c->count; k++)
                if (!reached[k] && tr_character_uses(&c->skill[k]) &&
                    (c->skill[i].chain[k] || c->skill[i].jump[k]))
                    reached[k] = more = true;
    }
    return reached[to];
}

bool tr_character_misses_way(const tr_character_work *c, int k, bool in) {
    if (in)
        return !leads(c, TR_CHARACTER_STAND, k);
    return !leads(c, k, TR_CHARACTER_STAND) ||
           (!tr_character_goes(&c->skill[k]) && !c->skill[k].chain[TR_CHARACTER_SLOW]);
}

/* What leads to a skill and back is itself entered and left, so that no skill that is refused takes
 * another with it. */
bool tr_character_refuse_apart(tr_character_work *c) {
    bool any = false;
    for (int k = 0; k < c->count; k++) {
        const bool in = leads(c, TR_CHARACTER_STAND, k);
        if (!tr_character_uses(&c->skill[k]) || k == TR_CHARACTER_RISE ||
            (in && leads(c, k, TR_CHARACTER_STAND)))
            continue;
        tr_character_refuse(&c->skill[k], "learned, but no way %s was found",
                            in ? "out of it" : "into it");
        any = true;
    }
    return any;
}
