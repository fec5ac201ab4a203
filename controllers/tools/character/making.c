#include "db/bundles/bundle.h"
#include "tools/character/step.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Core-minutes of the steps, for the time left: measured on five clips. */
static const double GAIT_MIN = 3, OTHER_MIN = 6, STEER_MIN = 1.5, JUMP_MIN = 0.02, WAY_MIN = 4,
                    HARDEN_MIN = 1, CERTIFY_MIN = 3, MAKE_MIN = 0.1;

/* Fragments of the slow walk that a way to it has at its end, as in the base. */
enum { STAY = 7 };

/* How far from the beginning of a way a character may take it (graph loosen). */
static const char LIMIT[] = "=0.06";

/* Full turn of the steering that is searched for, rad/s. */
static const double STEER_RAD_S = 0.6;

/* known: the graphs whose learned transitions are used again; the base, then those of the ways */
typedef struct job {
    tr_character_work *c;
    tr_work_step step;
    char known[TR_PARAMETER_TEXT_MAX];
    tr_error *error;
} job;

static bool is_steered(const tr_character_work *c, const tr_character_skill *skill) {
    return tr_character_goes(skill) && skill->kind != TR_PLAN_TURN && c->settings.steering > 0;
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
    tr_controller_row row;
    tr_character_work *c = j->c;
    if (!tr_character_find(c, c->settings.base, &row, NULL))
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

static tr_status take_skills(job *j) {
    tr_character_work *c = j->c;
    tr_status status = TR_OK;
    for (int k = 0; !status && k < c->count; k++) {
        const tr_character_skill *skill = &c->skill[k];
        tr_work_step_begin(&j->step, MAKE_MIN, skill->name, true);
        tr_work_step_words(&j->step, "take %s --catalogue %s --skill %s --as %s", c->settings.base,
                           c->catalogue, skill->of, skill->name);
        if (skill->of[0])
            status = tr_work_step_do(c, &tr_tool_graph_take, &j->step, j->error);
    }
    return status;
}

/* --- skills --- */

static void add_option(tr_work_step *s, const char *option, const char *value) {
    if (!value[0])
        return;
    tr_work_step_add(s, option);
    tr_work_step_add(s, value);
}

/* A character stays in a gait. Turns and what stands last a cycle or two, are entered and left settled,
 * and are trained again with their ways: less push is enough for them. */
static const char *effort_of(const tr_character_work *c, const tr_character_skill *skill) {
    const bool normal = strcmp(c->settings.effort, "normal") == 0;
    const bool gait = tr_character_goes(skill) && skill->kind != TR_PLAN_TURN;
    return normal && !gait ? "quick" : c->settings.effort;
}

static tr_status learn(job *j, int k) {
    tr_character_work *c = j->c;
    tr_work_step *s = &j->step;
    tr_character_skill *skill = &c->skill[k];
    tr_controller_row row;
    char path[TR_NAME_MAX + 3];
    snprintf(path, sizeof path, "../%s", skill->clip);
    tr_work_step_begin(s, tr_character_goes(skill) ? GAIT_MIN : OTHER_MIN, skill->name, true);
    add_option(s, "learn", path);
    if (skill->part[0])
        tr_work_step_words(s, "--from %d --to %d", skill->first, skill->last);
    tr_work_step_words(s, "--name %s --catalogue %s --effort %s", skill->name, c->catalogue,
                       effort_of(c, skill));
    add_option(s, "--licence", c->settings.licence);
    add_option(s, "--origin", c->settings.origin);
    tr_work_step_set(s, c->settings.learn);
    tr_work_step_reads(s, &skill->hash, sizeof skill->hash);
    tr_status status = tr_work_step_do(c, NULL, s, j->error);
    if (!status && tr_character_find(c, skill->name, &row, NULL))
        tr_character_refuse(skill, "the training ended without a result");
    if (status == TR_ABORTED)
        tr_character_refuse(skill, "the training failed; its message is above");
    if (!status && tr_character_uses(skill))
        status = tr_character_check_hold(c, skill, j->error);
    return status == TR_ABORTED ? TR_OK : status;
}

/* A gait that cannot be steered is turned by turning skills alone. */
static tr_status steer(job *j, int k) {
    tr_character_work *c = j->c;
    const char *name = c->skill[k].name;
    tr_work_step_begin(&j->step, STEER_MIN, name, false);
    tr_work_step_words(&j->step, "steer %s --catalogue %s --turn %g --generations %d", name,
                       c->catalogue, STEER_RAD_S, c->settings.steering);
    tr_status status = tr_work_step_do(c, &tr_tool_steer, &j->step, j->error);
    return status == TR_ABORTED ? TR_OK : status;
}

static tr_status learn_skill(job *j, int k) {
    const tr_character_skill *skill = &j->c->skill[k];
    tr_status status = learn(j, k);
    return !status && tr_character_uses(skill) && is_steered(j->c, skill) ? steer(j, k) : status;
}

/* Does the work for each skill of the clips that is used; gaits, without which no character goes, are
 * first. */
static tr_status do_in_order(job *j, tr_status (*work)(job *j, int k)) {
    tr_status status = TR_OK;
    for (int others = 0; others < 2; others++)
        for (int k = 0; !status && k < j->c->count; k++) {
            const tr_character_skill *skill = &j->c->skill[k];
            if (skill->clip[0] && tr_character_uses(skill) && tr_character_goes(skill) == !others)
                status = work(j, k);
        }
    return status;
}

/* --- ways --- */

/* Notes the ways of a graph of the catalogue. */
static tr_status note_ways(job *j, const char *name) {
    tr_subject s = {0};
    tr_status status = tr_subject_read(j->c->catalogue, name, &s, j->error);
    if (!status && tr_graph_of(s.controller))
        tr_character_note_ways(j->c, tr_graph_of(s.controller),
                               strcmp(name, j->c->settings.base) == 0);
    tr_subject_deinit(&s);
    return status;
}

/* Lists a skill with its digest, so that the text tells the content. */
static void print_skill(const tr_character_work *c, int i, FILE *file) {
    const tr_character_skill *skill = &c->skill[i];
    tr_controller_row row = {0};
    char digest[TR_DIGEST_TEXT_MAX];
    if (tr_character_find(c, skill->name, &row, NULL))
        return;
    tr_digest_format(&row.digest, digest);
    fprintf(file, "%s %s #%s\n", skill->kind == TR_PLAN_TURN ? "turn" : "skill", skill->name,
            digest);
}

static void print_edge(const tr_character_work *c, int from, int to, FILE *file) {
    fprintf(file, "edge %s %s\n", c->skill[from].name, c->skill[to].name);
}

/* All used skills, the way from getting up to standing, and all learned ways. */
static void print_all(const tr_character_work *c, FILE *file) {
    for (int i = 0; i < c->count; i++)
        if (tr_character_uses(&c->skill[i]))
            print_skill(c, i, file);
    print_edge(c, TR_CHARACTER_RISE, TR_CHARACTER_STAND, file);
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->count; k++)
            if (tr_character_uses(&c->skill[i]) && tr_character_uses(&c->skill[k]) &&
                c->skill[i].chain[k])
                print_edge(c, i, k, file);
}

/* Two skills, with the ways between that are to be learned. */
static void print_missing(const tr_character_work *c, int of, int by, FILE *file) {
    print_skill(c, of, file);
    print_skill(c, by, file);
    /* A character that has just begun to walk slowly is not yet fit to stop. */
    if (by == TR_CHARACTER_SLOW)
        fprintf(file, "stay %s %d\n", c->skill[by].name, STAY);
    if (tr_character_misses_way(c, of, true))
        print_edge(c, by, of, file);
    if (tr_character_misses_way(c, of, false))
        print_edge(c, of, by, file);
}

/* --- graphs --- */

/* Adds what all have, and does the step. */
static tr_status make_step(job *j) {
    tr_work_step_words(&j->step, "--catalogue %s", j->c->catalogue);
    tr_work_step_set(&j->step, j->c->settings.graph);
    return tr_work_step_do(j->c, NULL, &j->step, j->error);
}

/* Begins a step that makes the graph NAME-SUFFIX, or NAME if there is no suffix. */
static void begin_graph(job *j, double minutes, const char *suffix, char out[static TR_NAME_MAX]) {
    snprintf(out, TR_NAME_MAX, "%s", j->c->name);
    if (suffix)
        snprintf(out, TR_NAME_MAX, "%.20s-%.26s", j->c->name, suffix);
    tr_work_step_begin(&j->step, minutes, out, true);
}

/* Builds a graph of all skills (of: -1), or of the ways to and from `by` that the skill `of` misses. */
static tr_status build(job *j, const char *graph, int of, int by, const char *more) {
    char path[TR_NAME_MAX + 4], *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size), *file = NULL;
    if (!memory)
        return tr_fail(j->error, TR_RESOURCE_EXHAUSTED, "no memory");
    if (of < 0)
        print_all(j->c, memory);
    else
        print_missing(j->c, of, by, memory);
    (void)fclose(memory);
    snprintf(path, sizeof path, "%s.txt", graph);
    file = fopen(path, "w");
    tr_status status = file && fwrite(text, 1, size, file) == size && fclose(file) == 0
                           ? TR_OK
                           : tr_fail(j->error, TR_PERMISSION_DENIED, "%s: cannot be written", path);
    tr_work_step_reads(&j->step, text, size);
    free(text);
    tr_work_step_words(&j->step, "graph build %s --connectivity %s --learn %s", graph, path, more);
    return !status ? make_step(j) : status;
}

static tr_status build_all(job *j, const char *suffix, char out[static TR_NAME_MAX]) {
    char more[TR_PARAMETER_TEXT_MAX + 16];
    snprintf(more, sizeof more, "--extend %s", j->known);
    begin_graph(j, MAKE_MIN, suffix, out);
    return build(j, out, -1, -1, more);
}

static tr_status shorten(job *j, const char *graph, const char *suffix,
                         char out[static TR_NAME_MAX]) {
    begin_graph(j, JUMP_MIN * j->c->count * j->c->count, suffix, out);
    /* Feet that stand are never where a trial had them. One that limps leaves some moments alone. */
    tr_work_step_words(&j->step,
                       "graph shorten %s --as %s --spread --settled --candidates 24 --trials 60 "
                       "--edges 4",
                       graph, out);
    add_option(&j->step, "--without", j->c->skill[TR_CHARACTER_STAND].name);
    return make_step(j);
}

/* Learns the ways to and from a skill that it misses, and adds their graph to those that are
 * known. All but gaits begin and end in the slow walk: a way into the kick held 13 of 24 after 80 core-seconds
 * from standing, and 24 of 24 after 40 from there. */
static tr_status learn_ways(job *j, int k) {
    tr_character_work *c = j->c;
    const int by = tr_character_goes(&c->skill[k]) ? TR_CHARACTER_GAIT : TR_CHARACTER_SLOW;
    const size_t used = strlen(j->known);
    char suffix[TR_NAME_MAX], name[TR_NAME_MAX];
    if (!tr_character_misses_way(c, k, true) && !tr_character_misses_way(c, k, false))
        return TR_OK;
    snprintf(suffix, sizeof suffix, "%.12s-%.12s", c->skill[by].name, c->skill[k].name);
    begin_graph(j, WAY_MIN, suffix, name);
    snprintf(j->known + used, sizeof j->known - used, ",%s", name);
    /* Few trials, of which one may fail, because hardening trains the ways later. */
    tr_status status = build(j, name, k, by, "--trials 24 --failing 1");
    return !status ? note_ways(j, name) : status;
}

/* Trains the ways on random walks. Then a character waits in the skill before until it is near where a way
 * begins: of 228 kicks 64 ended in a fall without such a limit, and 2 of 216 with it. */
static tr_status harden(job *j, const char *graph) {
    char ways[TR_PARAMETER_TEXT_MAX], limits[TR_PARAMETER_TEXT_MAX], hard[TR_NAME_MAX];
    tr_status status = tr_character_list_ways(j->c, "", ways, j->error);
    if (!status)
        status = tr_character_list_ways(j->c, LIMIT, limits, j->error);
    if (status)
        return status;
    begin_graph(j, HARDEN_MIN * j->c->count, limits[0] ? "hard" : NULL, hard);
    tr_work_step_words(&j->step, "graph harden %s --as %s --rounds 1 --trials 60", graph, hard);
    add_option(&j->step, "--skills", ways + 1);
    status = make_step(j);
    if (status || !limits[0])
        return status;
    tr_work_step_begin(&j->step, MAKE_MIN, j->c->name, true);
    tr_work_step_words(&j->step, "graph loosen %s --as %s", hard, j->c->name);
    add_option(&j->step, "--limits", limits + 1);
    return make_step(j);
}

static tr_status make_graph(job *j) {
    tr_character_work *c = j->c;
    char base[TR_NAME_MAX], graph[TR_NAME_MAX], ways[TR_PARAMETER_TEXT_MAX] = "";
    /* Search comes first. What it does not find is learned, and then all is searched again. */
    snprintf(j->known, sizeof j->known, "%s", c->settings.base);
    tr_status status = note_ways(j, c->settings.base);
    if (!status)
        status = build_all(j, "base", base);
    if (!status)
        status = shorten(j, base, "jumps", graph);
    if (!status)
        status = note_ways(j, graph);
    if (!status)
        status = do_in_order(j, learn_ways);
    if (!status && (tr_character_refuse_apart(c) || strcmp(j->known, c->settings.base) != 0)) {
        status = build_all(j, "joined", base);
        if (!status)
            status = shorten(j, base, "short", graph);
    }
    if (!status)
        status = tr_character_list_ways(c, "", ways, j->error);
    if (!status)
        status = ways[0] ? harden(j, graph) : shorten(j, base, NULL, graph);
    return status;
}

/* --- all --- */

static tr_status certify(job *j) {
    const tr_character_work *c = j->c;
    tr_work_step_begin(&j->step, CERTIFY_MIN, c->name, false);
    tr_work_step_words(&j->step, "certify %s --catalogue %s --walks %d", c->name, c->catalogue,
                       c->settings.walks);
    return c->settings.walks > 0 ? tr_work_step_do(j->c, &tr_tool_certify, &j->step, j->error)
                                 : TR_OK;
}

static double estimate(const tr_character_work *c) {
    double sum = 2 * JUMP_MIN * c->count * c->count + CERTIFY_MIN;
    for (int k = 0; k < c->count; k++) {
        const tr_character_skill *skill = &c->skill[k];
        if (tr_character_uses(skill) && skill->clip[0])
            sum += (tr_character_goes(skill) ? GAIT_MIN : OTHER_MIN) + WAY_MIN + HARDEN_MIN +
                   (is_steered(c, skill) ? STEER_MIN : 0);
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
        status = take_skills(j);
    if (!status)
        status = do_in_order(j, learn_skill);
    if (!status)
        status = make_graph(j);
    if (!status)
        status = certify(j);
    if (!status)
        status = export_one(c->catalogue, c->name, c->out, error);
    free(j);
    return status;
}
