#include "learn/graph/graph_making.h"

#include "control/recovery/recovery.h"
#include "learn/graph/graph_build.h"
#include "learn/graph/graph_catch.h"
#include "learn/graph/graph_loosen.h"
#include "learn/graph/graph_refit.h"
#include "learn/graph/graph_settle.h"
#include "learn/graph/graph_shorten.h"
#include "learn/graph/graph_slopes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 512 };

/* --- building --- */

static void TR_PRINTF(2, 3) say(const tr_graph_making *m, const char *format, ...) {
    char line[LINE_BYTES];
    va_list values;
    if (!m->say)
        return;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    m->say(line);
}

static const char *list_or_none(const char *text) {
    return *text ? text : NULL;
}

static void say_jumps(void *context, const char *from, const char *to,
                      const tr_graph_candidate *candidates, int count) {
    const tr_graph_making *m = context;
    int held = 0, kept = 0;
    for (int i = 0; i < count; i++) {
        const tr_graph_candidate *c = &candidates[i];
        held += c->held == m->settings.trials;
        kept += c->kept;
        say(m, "  %s fragment %d -> %s fragment %d%s  distance %.2f  held %d of %d%s", from,
            c->edge.from, to, c->edge.to, c->edge.flips ? ", mirrored" : "", c->distance, c->held,
            c->trials, c->kept ? "  kept" : "");
    }
    say(m, "%s -> %s: %d candidates, %d hold, %d kept", from, to, count, held, kept);
}

static void say_link(void *context, tr_graph_link link, const tr_graph_candidate *candidates,
                     int count) {
    const tr_graph_making *m = context;
    say_jumps(context, m->connectivity.skill[link.from], m->connectivity.skill[link.to], candidates,
              count);
}

static void say_window(void *context, const char *skill, const tr_transition_window *w) {
    say(context,
        "  %s: learned over %d fragments after fragment %d to %d%s  distance %.2f  stays at %.3f  "
        "turn %.0f deg  %d rounds  held %d of %d of %d trials",
        skill, w->window.count, w->window.from, w->window.to, w->window.flips ? ", mirrored" : "",
        w->window.distance, w->count.distance, w->count.turn_rad * 180 / TR_PI, w->rounds,
        w->count.held, w->count.came, w->trials);
}

/* Copies the settings of hardening; a trial is watched for as long as the skill must hold. */
static void take_harden(const tr_graph_settings *s, tr_harden_def *harden) {
    harden->candidates = s->draws;
    harden->after_s = s->hold_s > 0 ? s->hold_s : harden->after_s;
    harden->rate = s->rate > 0 ? s->rate : harden->rate;
    harden->short_loss = s->short_loss;
}

/* The skills, known by the names of the connectivity file, and the graphs that are extended; shallow
 * copies. */
static void show_parts(const tr_graph_making *m, tr_controller *shown, const tr_controller **out) {
    for (int i = 0; i < m->part_count; i++) {
        shown[i] = *m->part[i].controller;
        if (i < m->connectivity.skill_count)
            memcpy(shown[i].skill, m->connectivity.skill[i], TR_NAME_MAX);
        out[i] = &shown[i];
    }
}

static tr_status build(const tr_graph_making *m, tr_controller **out, tr_error *error) {
    const tr_connectivity *c = &m->connectivity;
    const tr_graph_settings *s = &m->settings;
    const tr_controller *parts[TR_METHOD_PART_MAX];
    tr_controller *shown = calloc((size_t)m->part_count, sizeof *shown);
    if (!shown)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "graph '%s': no memory", m->name);
    show_parts(m, shown, parts);
    tr_transition_def learn = tr_transition_default();
    learn.windows = s->windows;
    learn.low = s->shortest;
    learn.high = s->longest;
    learn.rounds = s->rounds;
    learn.failing = s->failing;
    take_harden(s, &learn.harden);
    tr_graph_build_def def = tr_graph_build_default();
    def.name = m->name;
    def.controllers = parts;
    def.count = c->skill_count;
    def.turns = c->turns;
    def.dwell = c->dwell;
    def.links = c->link;
    def.link_count = c->link_count;
    def.candidates = s->candidates;
    def.trials = s->trials;
    def.edges = s->edges;
    def.failing = s->failing;
    def.seed = s->seed;
    def.after_s = s->hold_s > 0 ? s->hold_s : def.after_s;
    def.learn = s->learns ? &learn : NULL;
    def.known = parts + def.count;
    def.known_count = m->part_count - def.count;
    const tr_graph_listener listener = {(void *)m, say_link, say_window};
    tr_status status = tr_graph_build(m->ensemble, &def, &listener, out, error);
    free(shown);
    return status;
}

/* --- hardening --- */

void tr_graph_making_say_hardened(const tr_graph_making *m, const tr_graph_harden_row *row) {
    const tr_graph_transition *t = &row->transition;
    const bool chain = t->learns == t->first && t->learns_count == t->count;
    char then[TR_NAME_MAX] = "";
    if (row->after.came > 0)
        snprintf(then, sizeof then, ", then %d of %d", row->after.held, row->after.came);
    say(m, "  round %d  %s to %s%s: held %d of %d trials%s", row->round, t->from, t->to,
        chain ? "" : ", which learns", row->before.held, row->before.came, then);
}

static tr_status check_names(const char *option, const char *names, bool cyclic,
                             const tr_controller *graph, tr_error *error) {
    char name[TR_NAME_MAX];
    if (!*names || !tr_graph_harden_misses(tr_graph_of(graph), names, cyclic, name))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "--%s: graph '%s' has no %s '%s'", option,
                   graph->name, cyclic ? "cyclic skill" : "skill or chain", name);
}

tr_graph_harden_def tr_graph_making_hardening(const tr_graph_making *m) {
    const tr_graph_settings *s = &m->settings;
    tr_graph_harden_def def = tr_graph_harden_default();
    def.rounds = s->rounds;
    def.learns = list_or_none(s->skills);
    def.walk = (tr_random_walk_def){.dwell_s = s->dwell_s, .after = list_or_none(s->after)};
    take_harden(s, &def.harden);
    def.test.slope_deg = s->slope_deg;
    def.test.seed = s->seed;
    def.test.trials = s->trials;
    def.test.after_s = s->hold_s > 0 ? s->hold_s : def.test.after_s;
    return def;
}

/* In training a fall ends the trial. */
static tr_status begin_hardening(const tr_graph_making *m, tr_controller *graph, tr_error *error) {
    const tr_controller *of = m->part[0].controller;
    tr_recovery_remove(graph);
    if (m->settings.rounds < 1)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "rounds: '0': expected a whole number from 1 to 100");
    tr_status status = check_names("skills", m->settings.skills, false, of, error);
    if (!status)
        status = check_names("after", m->settings.after, true, of, error);
    return status;
}

/* --- slope terms --- */

static void say_slopes(const tr_graph_making *m, const tr_control_graph *graph,
                       const tr_graph_slopes_source source[TR_GRAPH_NODE_MAX]) {
    static const char *const text[] = {
        [TR_GRAPH_SLOPES_LEVEL] = "sees what it would see on level ground",
        [TR_GRAPH_SLOPES_TRAINED] = "trained, of the controller of its name",
        [TR_GRAPH_SLOPES_FADED] = "faded between its skills"};
    for (int n = 0; n < graph->node_count; n++)
        say(m, "  %-30s %s", graph->node[n].skill, text[source[n]]);
}

static tr_status give_slopes(const tr_graph_making *m, tr_controller *graph, tr_error *error) {
    const tr_controller *trained[TR_METHOD_PART_MAX];
    tr_graph_slopes_source source[TR_GRAPH_NODE_MAX];
    tr_recovery_remove(graph);
    for (int i = 1; i < m->part_count; i++)
        trained[i - 1] = m->part[i].controller;
    tr_status status = tr_graph_slopes(m->model, trained, m->part_count - 1, graph, source);
    if (status)
        return tr_fail(error, status, "slopes: %s", tr_status_text(status));
    say_slopes(m, tr_graph_of(graph), source);
    return TR_OK;
}

/* --- limits, and shorter ways --- */

static tr_status loosen(const tr_graph_making *m, tr_controller *graph, tr_error *error) {
    return *m->settings.limits
               ? tr_graph_loosen(tr_graph_of(graph), m->settings.limits, error)
               : tr_fail(error, TR_INVALID_ARGUMENT, "graph loosen: expected --limits");
}

static tr_status shorten(const tr_graph_making *m, tr_controller *graph, tr_error *error) {
    const tr_graph_settings *s = &m->settings;
    const tr_graph_shorten_def def = {
        .links = list_or_none(s->links),
        .skills = list_or_none(s->skills),
        .without = list_or_none(s->without),
        .jump = {.candidates = s->candidates,
                 .trials = s->trials,
                 .enough = s->edges,
                 .after_s = s->hold_s > 0 ? s->hold_s : tr_graph_build_default().after_s,
                 .seed = s->seed,
                 .straight_rad = s->straight_deg * TR_PI / 180,
                 .spread = s->spread,
                 .walk = {.dwell_s = s->dwell_s},
                 .settled = s->settled}};
    tr_status status = check_names("skills", s->skills, true, m->part[0].controller, error);
    if (!status)
        status = check_names("without", s->without, true, m->part[0].controller, error);
    return status ? status
                  : tr_graph_shorten(m->ensemble, &def, say_jumps, (void *)m, graph, error);
}

static tr_status give_catch_steps(const tr_graph_making *m, tr_controller *graph, tr_error *error) {
    const tr_graph_catch_def def = {list_or_none(m->settings.skills), m->settings.trials,
                                    m->settings.seed};
    tr_graph_catch_report report;
    tr_status status = tr_graph_catch(m->ensemble, &def, graph, &report, error);
    if (!status)
        say(m, "  rows for %d states after a push; in %d of them it stays up", report.states,
            report.saved);
    return status;
}

/* --- other controllers --- */

static void say_settling(const tr_graph_making *m, const tr_control_graph *graph,
                         const tr_graph_settle_row row[TR_GRAPH_NODE_MAX]) {
    for (int n = 0; n < graph->node_count; n++)
        if (graph->node[n].cyclic && row[n].holds)
            say(m, "  %-30s %.3f from its reference, then %.3f", graph->node[n].skill,
                row[n].before, row[n].after);
        else if (graph->node[n].cyclic)
            say(m, "  %-30s does not hold its motion", graph->node[n].skill);
}

static tr_status settle(const tr_graph_making *m, tr_controller *graph, tr_error *error) {
    tr_graph_settle_row row[TR_GRAPH_NODE_MAX];
    tr_status status = tr_graph_settle(m->ensemble, graph, row);
    if (status)
        return tr_fail(error, status, "graph '%s': %s", m->name, tr_status_text(status));
    say_settling(m, tr_graph_of(graph), row);
    return TR_OK;
}

static tr_status refit(const tr_graph_making *m, tr_controller **out, tr_error *error) {
    char skill[TR_GRAPH_NODE_MAX][TR_NAME_MAX];
    const tr_controller *by[TR_METHOD_PART_MAX];
    const char *with = m->settings.with;
    const tr_graph_refit_def def = {.name = m->name,
                                    .model = m->model,
                                    .graph = m->part[m->part_count - 1].controller,
                                    .with = by,
                                    .as_skill = skill,
                                    .with_count = m->part_count - 1,
                                    .without = list_or_none(m->settings.without)};
    tr_status status =
        def.with_count <= TR_GRAPH_NODE_MAX
            ? TR_OK
            : tr_fail(error, TR_INVALID_ARGUMENT, "--with: at most %d skills", TR_GRAPH_NODE_MAX);
    for (int i = 0; !status && i < def.with_count; i++) {
        tr_graph_swap one;
        by[i] = m->part[i].controller;
        status = tr_graph_swap_take(&with, &one, error);
        if (!status)
            memcpy(skill[i], one.skill, TR_NAME_MAX);
        for (int k = 0; !status && k < i; k++)
            if (strcmp(skill[k], skill[i]) == 0)
                status = tr_fail(error, TR_INVALID_ARGUMENT, "--with: '%s' twice", skill[i]);
    }
    if (!status)
        status = tr_graph_refit(&def, out, error);
    return !status && (*out)->model_hash != def.graph->model_hash ? settle(m, *out, error) : status;
}

/* Makes a graph anew, or else changes a copy of the first part. */
static const struct {
    const char *change;
    tr_status (*make)(const tr_graph_making *m, tr_controller **out, tr_error *error);
    tr_status (*alter)(const tr_graph_making *m, tr_controller *graph, tr_error *error);
} makings[] = {
    {"build", build, NULL},           {"refit", refit, NULL},   {"season", NULL, begin_hardening},
    {"slopes", NULL, give_slopes},    {"loosen", NULL, loosen}, {"shorten", NULL, shorten},
    {"catch", NULL, give_catch_steps}};

static tr_status copy_first(const tr_graph_making *m, tr_controller **out, tr_error *error) {
    tr_status status = tr_controller_copy(m->part[0].controller, m->model, out);
    if (status)
        return tr_fail(error, status, "graph '%s': %s", m->name, tr_status_text(status));
    snprintf((*out)->name, sizeof(*out)->name, "%s", m->name);
    return TR_OK;
}

tr_status tr_graph_make(const tr_graph_making *m, tr_controller **out, tr_error *error) {
    tr_controller *graph = NULL;
    size_t i = 0;
    while (i < sizeof makings / sizeof *makings &&
           strcmp(makings[i].change, m->settings.change) != 0)
        i++;
    if (i == sizeof makings / sizeof *makings)
        return tr_fail(error, TR_INVALID_ARGUMENT, "graph: '%s': no such making",
                       m->settings.change);
    tr_status status =
        makings[i].make ? makings[i].make(m, &graph, error) : copy_first(m, &graph, error);
    if (!status && makings[i].alter)
        status = makings[i].alter(m, graph, error);
    return TR_GIVE(status, graph, tr_controller_destroy, out);
}
