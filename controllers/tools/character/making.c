#include "tools/character/making.h"

#include "control/chain/chain.h"
#include "control/graph/control_graph.h"
#include "db/bundles/bundle.h"
#include "db/tables/certificates.h"
#include "db/tables/controllers.h"
#include "learn/rehearsal/graph_transition.h"
#include "tools/character/step.h"
#include "tools/frame/subject.h"
#include "tools/graphs/graph_tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Core-minutes of the steps, for the time left: measured on five clips. */
static const double GAIT_MIN = 3, OTHER_MIN = 6, STEER_MIN = 1.5, JUMP_MIN = 0.02, WAY_MIN = 2,
                    HARDEN_MIN = 1, CERTIFY_MIN = 3, MAKE_MIN = 0.1;

/* Full turn of the steering that is searched for, rad/s. */
static const double STEER_RAD_S = 0.6;

typedef struct job {
    tr_character_work *c;
    tr_work_step step;
    tr_error *error;
} job;

static bool is_used(const tr_character_skill *skill) {
    return !skill->refused[0];
}

static bool has_controller(const tr_character_work *c, const char *name) {
    tr_controller_row row;
    return !tr_character_find(c, name, &row, NULL);
}

/* --- bundles, and the base --- */

static tr_status export_one(const char *bundle, const char *base, const char *out,
                            tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_controller_row row;
    tr_status status = tr_catalogue_open(bundle, TR_CATALOGUE_READ, &catalogue, error);
    if (!status)
        status = tr_controllers_resolve(catalogue, base, &row, error);
    if (!status)
        status = tr_bundle_export(catalogue, &row.id, 1, out, error);
    tr_catalogue_close(catalogue);
    return status;
}

/* The base with all that it was made of comes into the catalogue, so that its records stay whole. Its
 * clips and runs step back, because skills of the character may have their names. */
static tr_status take_base(job *j) {
    static const char parts[] = "base.troupe";
    tr_catalogue *catalogue = NULL;
    tr_character_work *c = j->c;
    if (has_controller(c, c->settings.base))
        return TR_OK;
    tr_status status = export_one(c->bundle, c->settings.base, parts, j->error);
    if (!status)
        status = tr_catalogue_open(c->catalogue, TR_CATALOGUE_CREATE, &catalogue, j->error);
    if (!status)
        status = tr_bundle_import(catalogue, parts, TR_BUNDLE_STEP_BACK, NULL, j->error);
    tr_catalogue_close(catalogue);
    (void)unlink(parts);
    return status;
}

static tr_status take_skill(job *j, int skill) {
    tr_character_work *c = j->c;
    const char *name = c->skill[skill].name;
    tr_work_step_begin(&j->step, MAKE_MIN, name, "take %s --catalogue %s --skill %s --as %s",
                       c->settings.base, c->catalogue, name, name);
    return tr_work_step_do(c, &tr_tool_graph_take, &j->step, has_controller(c, name), j->error);
}

/* --- skills --- */

static void add_provenance(job *j) {
    const tr_character_settings *s = &j->c->settings;
    if (s->licence[0]) {
        tr_work_step_add(&j->step, "--licence");
        tr_work_step_add(&j->step, s->licence);
    }
    if (s->origin[0]) {
        tr_work_step_add(&j->step, "--origin");
        tr_work_step_add(&j->step, s->origin);
    }
}

static tr_status learn(job *j, int k) {
    tr_character_work *c = j->c;
    tr_character_skill *skill = &c->skill[k];
    tr_work_step_begin(&j->step, tr_character_goes(skill) ? GAIT_MIN : OTHER_MIN, skill->name,
                       "learn");
    char path[TR_NAME_MAX + 3];
    snprintf(path, sizeof path, "../%s", skill->clip);
    tr_work_step_add(&j->step, path);
    if (skill->part[0])
        tr_work_step_words(&j->step, "--from %d --to %d", skill->first, skill->last);
    tr_work_step_words(&j->step, "--name %s --catalogue %s --effort %s", skill->name, c->catalogue,
                       c->settings.effort);
    add_provenance(j);
    tr_work_step_set(&j->step, c->settings.learn);
    tr_work_step_reads(&j->step, &skill->hash, sizeof skill->hash);
    tr_status status = tr_work_step_learn(c, &j->step, j->error);
    if (!status && !has_controller(c, skill->name))
        tr_character_refuse(skill, "the training ended without a result");
    if (status == TR_ABORTED)
        tr_character_refuse(skill, "the training failed; its message is above");
    return status == TR_ABORTED ? TR_OK : status;
}

static bool is_steered(const tr_character_work *c, const char *name) {
    tr_subject s = {0};
    bool is = !tr_subject_read(c->catalogue, name, &s, NULL) && tr_chain_of(s.controller) &&
              tr_steering_is_given(&tr_chain_of(s.controller)->steering);
    tr_subject_deinit(&s);
    return is;
}

/* A gait that cannot be steered is turned by turning skills alone. */
static tr_status steer(job *j, int k) {
    tr_character_work *c = j->c;
    const tr_character_skill *skill = &c->skill[k];
    if (!tr_character_goes(skill) || skill->kind == TR_PLAN_TURN || c->settings.steering == 0)
        return TR_OK;
    tr_work_step_begin(&j->step, STEER_MIN, skill->name,
                       "steer %s --catalogue %s --turn %g --generations %d --threads %d",
                       skill->name, c->catalogue, STEER_RAD_S, c->settings.steering, c->threads);
    tr_status status =
        tr_work_step_do(c, &tr_tool_steer, &j->step, is_steered(c, skill->name), j->error);
    return status == TR_ABORTED ? TR_OK : status;
}

/* --- graphs --- */

/* Do the two that join all others, or does one, lead into the skill, or out of it? */
static bool is_joined(const tr_character_work *c, int k, bool in) {
    const tr_character_skill *all = c->skill;
    const int by[] = {c->stand, c->hub};
    bool joined = false;
    for (int i = 0; i < 2; i++) {
        const int from = in ? by[i] : k, to = in ? k : by[i];
        joined |= all[from].chain[to] || all[from].jump[to];
    }
    return joined;
}

typedef bool (*link_rule)(const tr_character_work *c, int from, int to, int of);

static void print_skill(const tr_character_work *c, int i, FILE *file) {
    const tr_character_skill *skill = &c->skill[i];
    fprintf(file, "%s %s\n", skill->kind == TR_PLAN_TURN ? "turn" : "skill", skill->name);
}

static bool is_named(const tr_character_work *c, link_rule rule, int of, int i) {
    bool named = false;
    for (int k = 0; rule && k < c->count; k++)
        named |= rule(c, i, k, of) || rule(c, k, i, of);
    return named;
}

/* Writes the connectivity file PATH of the links by the rule, of all skills or those that the links name,
 * and adds its content to the step's key. Returns how many links. */
static int write_links(job *j, const char *path, link_rule rule, int of, bool all) {
    tr_character_work *c = j->c;
    char *text = NULL;
    size_t size = 0;
    int links = 0;
    FILE *memory = open_memstream(&text, &size), *file = NULL;
    if (!memory)
        return 0;
    for (int i = 0; i < c->count; i++)
        if (is_used(&c->skill[i]) && (all || is_named(c, rule, of, i)))
            print_skill(c, i, memory);
    if (all && c->rise >= 0)
        fprintf(memory, "edge %s %s\n", c->skill[c->rise].name, c->skill[c->stand].name);
    for (int i = 0; i < c->count; i++)
        for (int k = 0; rule && k < c->count; k++)
            if (is_used(&c->skill[i]) && is_used(&c->skill[k]) && rule(c, i, k, of)) {
                fprintf(memory, "edge %s %s\n", c->skill[i].name, c->skill[k].name);
                links++;
            }
    (void)fclose(memory);
    file = fopen(path, "w");
    if (file) {
        (void)fwrite(text, 1, size, file);
        (void)fclose(file);
    }
    tr_work_step_reads(&j->step, text, size);
    free(text);
    return links;
}

static tr_status read_skills(job *j, link_rule rule, int of) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < j->c->count; i++)
        if (is_used(&j->c->skill[i]) && (!rule || is_named(j->c, rule, of, i)))
            status = tr_work_step_reads_controller(j->c, &j->step, j->c->skill[i].name, j->error);
    return status;
}

/* The graph NAME-SUFFIX. */
static void name_graph(const tr_character_work *c, const char *suffix,
                       char out[static TR_NAME_MAX]) {
    snprintf(out, TR_NAME_MAX, "%.20s-%.26s", c->name, suffix);
}

/* Notes the ways of a graph: direct edges between two cyclic skills, and chains over a node. */
static tr_status note_ways(job *j, const char *name) {
    tr_subject s = {0};
    tr_character_work *c = j->c;
    tr_status status = tr_subject_read(c->catalogue, name, &s, j->error);
    const tr_control_graph *graph = status ? NULL : tr_graph_of(s.controller);
    for (int i = 0; graph && i < c->count; i++)
        for (int k = 0; k < c->count; k++) {
            for (int e = 0; e < graph->edge_count; e++) {
                const int from = tr_control_graph_node_of(graph, graph->edge[e].from);
                const int to = tr_control_graph_node_of(graph, graph->edge[e].to);
                c->skill[i].jump[k] |= strcmp(graph->node[from].skill, c->skill[i].name) == 0 &&
                                       strcmp(graph->node[to].skill, c->skill[k].name) == 0;
            }
            for (int n = 0; n < graph->node_count; n++) {
                tr_graph_transition t;
                c->skill[i].chain[k] |= tr_graph_transition_over(graph, n, &t) &&
                                        strcmp(t.from, c->skill[i].name) == 0 &&
                                        strcmp(t.to, c->skill[k].name) == 0;
            }
        }
    tr_subject_deinit(&s);
    return status;
}

/* All skills, and the way from getting up to standing. */
static tr_status build_base(job *j, char out[static TR_NAME_MAX]) {
    tr_character_work *c = j->c;
    name_graph(c, "base", out);
    tr_work_step_begin(&j->step, MAKE_MIN, out,
                       "graph build %s --connectivity base.txt --catalogue %s --learn", out,
                       c->catalogue);
    tr_work_step_set(&j->step, c->settings.graph);
    (void)write_links(j, "base.txt", NULL, 0, true);
    tr_status status = read_skills(j, NULL, 0);
    return !status ? tr_work_step_learn(c, &j->step, j->error) : status;
}

static tr_status shorten(job *j, const char *graph, const char *suffix,
                         char out[static TR_NAME_MAX]) {
    tr_character_work *c = j->c;
    name_graph(c, suffix, out);
    tr_work_step_begin(
        &j->step, JUMP_MIN * c->count * c->count, out,
        "graph shorten %s --as %s --catalogue %s --spread --candidates 24 --trials 60 "
        "--edges 1",
        graph, out, c->catalogue);
    tr_work_step_set(&j->step, c->settings.graph);
    tr_status status = tr_work_step_reads_controller(c, &j->step, graph, j->error);
    return !status ? tr_work_step_learn(c, &j->step, j->error) : status;
}

/* Without a way that search found, all between the skill and those two are learned. */
static bool is_missing(const tr_character_work *c, int from, int to, int of) {
    const int other = from == of ? to : from;
    return from != to && (from == of || to == of) &&
           (other == c->stand || (other == c->hub && of != c->hub)) && !is_joined(c, of, to == of);
}

/* Learns the ways of a skill that are missing, and adds their graph to the list `known`. */
static tr_status learn_ways(job *j, int k, char known[static TR_PARAMETER_TEXT_MAX]) {
    tr_character_work *c = j->c;
    char suffix[TR_NAME_MAX], name[TR_NAME_MAX], path[TR_NAME_MAX + 4];
    const size_t used = strlen(known);
    snprintf(suffix, sizeof suffix, "to-%.22s", c->skill[k].name);
    name_graph(c, suffix, name);
    snprintf(path, sizeof path, "%s.txt", suffix);
    tr_work_step_begin(&j->step, WAY_MIN, name,
                       "graph build %s --connectivity %s --catalogue %s --learn --trials 60", name,
                       path, c->catalogue);
    tr_work_step_set(&j->step, c->settings.graph);
    if (!write_links(j, path, is_missing, k, false))
        return TR_OK;
    snprintf(known + used, TR_PARAMETER_TEXT_MAX - used, "%s%s", used ? "," : "", name);
    tr_status status = read_skills(j, is_missing, k);
    if (!status)
        status = tr_work_step_learn(c, &j->step, j->error);
    return !status ? note_ways(j, name) : status;
}

static bool is_learned(const tr_character_work *c, int from, int to, int of) {
    (void)of;
    return c->skill[from].chain[to];
}

/* The skills that can be entered and left, with all learned ways. */
static tr_status join(job *j, const char *known, char out[static TR_NAME_MAX]) {
    tr_character_work *c = j->c;
    name_graph(c, "joined", out);
    tr_work_step_begin(&j->step, MAKE_MIN, out,
                       "graph build %s --connectivity joined.txt --catalogue %s --learn", out,
                       c->catalogue);
    if (known[0])
        tr_work_step_words(&j->step, "--extend %s", known);
    tr_work_step_set(&j->step, c->settings.graph);
    (void)write_links(j, "joined.txt", is_learned, 0, true);
    tr_status status = read_skills(j, NULL, 0);
    return !status ? tr_work_step_learn(c, &j->step, j->error) : status;
}

/* Refuses what cannot be entered and left; any: there was such a skill. */
static bool refuse_apart(tr_character_work *c) {
    bool any = false;
    for (int k = 0; k < c->count; k++) {
        const bool in = is_joined(c, k, true), out = is_joined(c, k, false);
        if (!is_used(&c->skill[k]) || k == c->stand || k == c->rise || (in && out))
            continue;
        tr_character_refuse(&c->skill[k], "learned, but no way %s was found",
                            in ? "out of it" : "into it");
        any = true;
    }
    return any;
}

/* Trains the learned ways on random walks; a graph without any keeps its bits under the name. */
static tr_status harden(job *j, const char *graph) {
    tr_character_work *c = j->c;
    tr_work_step_begin(&j->step, HARDEN_MIN * c->count, c->name,
                       "graph harden %s --as %s --catalogue %s --rounds 1 --trials 60", graph,
                       c->name, c->catalogue);
    tr_work_step_set(&j->step, c->settings.graph);
    tr_status status = tr_work_step_reads_controller(c, &j->step, graph, j->error);
    return !status ? tr_work_step_learn(c, &j->step, j->error) : status;
}

static tr_status make_graph(job *j) {
    tr_character_work *c = j->c;
    char base[TR_NAME_MAX], graph[TR_NAME_MAX], known[TR_PARAMETER_TEXT_MAX] = "";
    /* Search comes first. What it does not find is learned, and then all is searched again. */
    tr_status status = build_base(j, base);
    if (!status)
        status = shorten(j, base, "jumps", graph);
    if (!status)
        status = note_ways(j, graph);
    for (int k = 0; !status && k < c->count; k++)
        if (is_used(&c->skill[k]) && k != c->stand && k != c->rise)
            status = learn_ways(j, k, known);
    if (!status && (refuse_apart(c) || known[0])) {
        status = join(j, known, base);
        if (!status)
            status = shorten(j, base, "short", graph);
    }
    return !status ? harden(j, graph) : status;
}

/* --- the end --- */

static bool is_certified(const tr_character_work *c) {
    static tr_certificate_row row[TR_PAGE_MAX];
    tr_catalogue *catalogue = NULL;
    tr_controller_row controller;
    int count = TR_PAGE_MAX;
    bool is = !tr_character_find(c, c->name, &controller, NULL) &&
              !tr_catalogue_open(c->catalogue, TR_CATALOGUE_READ, &catalogue, NULL) &&
              !tr_certificates_list(catalogue, controller.id, NULL, row, &count, NULL);
    tr_catalogue_close(catalogue);
    return is && count > 0;
}

static tr_status certify(job *j) {
    tr_character_work *c = j->c;
    tr_work_step_begin(&j->step, CERTIFY_MIN, c->name,
                       "certify %s --catalogue %s --walks %d --threads %d", c->name, c->catalogue,
                       c->settings.walks, c->threads);
    const bool done = c->settings.walks == 0 || is_certified(c);
    return tr_work_step_do(c, &tr_tool_certify, &j->step, done, j->error);
}

static double estimate(const tr_character_work *c) {
    double sum = MAKE_MIN * (c->count + 2) + 2 * JUMP_MIN * c->count * c->count +
                 HARDEN_MIN * c->count + CERTIFY_MIN;
    for (int k = 0; k < c->count; k++) {
        const tr_character_skill *skill = &c->skill[k];
        const bool goes = tr_character_goes(skill);
        if (is_used(skill) && skill->clip[0])
            sum +=
                (goes ? GAIT_MIN : OTHER_MIN) + WAY_MIN +
                (goes && skill->kind != TR_PLAN_TURN && c->settings.steering > 0 ? STEER_MIN : 0);
    }
    return sum;
}

tr_status tr_character_make(tr_character_work *c, tr_error *error) {
    job *j = calloc(1, sizeof *j);
    if (!j)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory");
    j->c = c;
    j->error = error;
    c->work_min = estimate(c);
    tr_status status = take_base(j);
    if (!status)
        status = take_skill(j, c->stand);
    if (!status)
        status = take_skill(j, c->rise);
    for (int k = 0; !status && k < c->count; k++) {
        if (!is_used(&c->skill[k]) || !c->skill[k].clip[0])
            continue;
        status = learn(j, k);
        if (!status && is_used(&c->skill[k]))
            status = steer(j, k);
    }
    if (!status)
        status = make_graph(j);
    if (!status)
        status = certify(j);
    if (!status)
        status = export_one(c->catalogue, c->name, c->out, error);
    free(j);
    return status;
}
