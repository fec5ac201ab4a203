#include "tools/reproduce/recorded_parts.h"

#include "db/tables/models.h"
#include "learn/graph/graph_bank.h"
#include "model/mjcf.h"
#include "tools/learn/part_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a part that was derived without a run ---
 *
 * Taken out of a graph (`graph take`), mirrored (`mirror`), or both. It traces to the run of the controller
 * from which it was derived. Which of the run's controllers that was, and how, is not recorded, but the
 * digests show it. */

/* One controller of the run, and the digest sought among the skills derived from it. */
typedef struct derivation {
    tr_catalogue *catalogue;
    const tr_controller_row *of;
    const tr_listed_part *part;
    tr_model *model;
    tr_controller *controller;
    bool found;
    tr_error *error;
} derivation;

/* Keeps the skill if it is the one sought. Its row is named after the digest, a name that no other
 * row has. */
static tr_status try_skill(derivation *s, tr_controller *skill, tr_row_id clip) {
    tr_controller_entry entry = {skill, s->of->model_id, s->of->run_id, clip};
    tr_controller_row row;
    tr_row_id id = 0;
    char digest[TR_DIGEST_TEXT_MAX];
    tr_digest_format(&s->part->digest, digest);
    snprintf(skill->name, sizeof skill->name, "%.*s", TR_NAME_MAX - 1, digest);
    snprintf(skill->skill, sizeof skill->skill, "%s", s->part->name);
    tr_status status = tr_catalogue_begin(s->catalogue, s->error);
    if (status)
        return status;
    status = tr_controllers_put(s->catalogue, &entry, &id, s->error);
    if (!status)
        status = tr_controllers_get(s->catalogue, id, &row, s->error);
    s->found = !status && tr_digest_equal(&row.digest, &s->part->digest);
    if (s->found)
        return tr_catalogue_commit(s->catalogue, s->error);
    tr_catalogue_rollback(s->catalogue);
    return status;
}

static tr_status try_image(derivation *s, const tr_controller *of, tr_row_id clip) {
    tr_controller *image = NULL;
    const tr_bank *bank = tr_controller_bank(of);
    if (!bank || !tr_action_map_is_symmetric(s->model, &bank->action))
        return TR_OK;
    tr_status status = tr_controller_mirror(of, s->model, &image);
    if (status)
        return tr_fail_if(s->error, status, "mirror");
    status = try_skill(s, image, clip);
    tr_controller_destroy(image);
    return status;
}

static tr_status try_node(derivation *s, int node) {
    tr_controller *skill = NULL;
    tr_status status = tr_graph_bank_take(s->model, s->controller, node, &skill);
    if (status)
        return tr_fail_if(s->error, status, "take");
    status = try_skill(s, skill, 0);
    if (!status && !s->found)
        status = try_image(s, skill, 0);
    tr_controller_destroy(skill);
    return status;
}

static tr_status try_all(derivation *s) {
    const tr_control_graph *graph = tr_graph_of(s->controller);
    tr_status status = try_image(s, s->controller, s->of->clip_id);
    for (int n = 0; !status && !s->found && graph && n < graph->node_count; n++)
        if (graph->node[n].cyclic)
            status = try_node(s, n);
    return status;
}

static tr_status search_skills_of(derivation *s) {
    tr_status status = tr_models_load(s->catalogue, s->of->model_id, &s->model, s->error);
    if (!status)
        status = tr_controllers_load(s->catalogue, s->of->id, s->model, &s->controller, s->error);
    if (!status)
        status = try_all(s);
    tr_controller_destroy(s->controller);
    tr_model_destroy(s->model);
    return status;
}

/* Derives skills of the part's name from the controllers of a run until one has the part's digest, and puts
 * that one into the catalogue. *out_found: is it there now? */
static tr_status find_derived(tr_catalogue *catalogue, tr_row_id run, const tr_listed_part *part,
                              bool *out_found, tr_error *error) {
    tr_controller_filter filter = {.run = run};
    int count = TR_PAGE_MAX;
    tr_controller_row *row = calloc(TR_PAGE_MAX, sizeof *row);
    if (!row)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the controllers of a run");
    tr_status status = tr_controllers_list(catalogue, &filter, row, &count, error);
    bool found = false;
    for (int i = 0; !status && !found && i < count; i++) {
        derivation s = {.catalogue = catalogue, .of = &row[i], .part = part, .error = error};
        status = search_skills_of(&s);
        found = s.found;
    }
    free(row);
    if (!status)
        *out_found = found;
    return status;
}

/* --- a part that a run made --- */

/* The run whose parts are sought. list: of its parts */
typedef struct search {
    const tr_method_remake_def *of;
    const char *list;
    tr_error *error;
} search;

static bool is_of(const tr_run_row *run, const tr_listed_part *part) {
    return strcmp(run->name, part->name) == 0;
}

static tr_status fail_different(const search *s, const tr_run_row *run, const tr_listed_part *part,
                                const tr_digest *again) {
    char is[TR_DIGEST_TEXT_MAX], was[TR_DIGEST_TEXT_MAX];
    tr_digest_format(again, is);
    tr_digest_format(&part->digest, was);
    return tr_fail(s->error, TR_ABORTED,
                   "run '%s': differs from its record: made again '%s' has the digest %s, "
                   "but '%s' was made of %s; it was recorded by build %s on %s",
                   run->name, part->name, is, s->of->run->name, was, run->code_version, run->host);
}

/* Does the catalogue hold what the run made, original or made again? What was taken out of it belongs
 * to the run as well. */
static tr_status has_made(const search *s, const tr_run_row *run, bool *out) {
    tr_controller_filter filter = {.run = run->id};
    tr_controller_row row;
    int count = 1;
    const tr_method *method = tr_method_find(run->method, run->parameters);
    filter.skill = method ? method->skill : NULL;
    tr_status status =
        tr_controllers_list(s->of->given->catalogue, &filter, &row, &count, s->error);
    *out = !status && count > 0;
    return status;
}

/* Makes the controller of the run again if it is missing, and looks whether the part is that
 * controller or derives from it. A run with the part's name may have made another part, if skills
 * were renamed since. */
static tr_status find_by_making(const search *s, const tr_run_row *run, const tr_listed_part *part,
                                bool *out_found) {
    tr_controller_row again;
    bool there = false;
    tr_status status = has_made(s, run, &there);
    if (status || there)
        return status;
    fprintf(stderr, "%s was made of %s, which is missing or has changed: making %s again first\n",
            s->of->run->name, part->name, run->name);
    const tr_method_remake_def def = {s->of->given, run, s->of->model_id, 0, s->of->depth + 1};
    status = tr_method_remake(&def, &again, s->error);
    if (status)
        return status;
    *out_found = tr_digest_equal(&again.digest, &part->digest);
    if (*out_found)
        return TR_OK;
    return is_of(run, part) && !tr_part_list_has(s->list, &again.digest)
               ? fail_different(s, run, part, &again.digest)
               : find_derived(s->of->given->catalogue, run->id, part, out_found, s->error);
}

/* --- finding the run that made a part --- */

/* Parents have lower numbers than their runs (the catalogue refuses others), so that the search
 * ends. */
static tr_status get_parent(const search *s, int i, tr_run_row *out) {
    tr_error why;
    tr_status status = tr_runs_get(s->of->given->catalogue, s->of->run->parent[i], out, &why);
    return !status ? status
                   : tr_fail(s->error, status, "run '%s': an earlier run that made a part: %s",
                             s->of->run->name, why.message);
}

static tr_status fail_unmade(const search *s, const tr_listed_part *part) {
    char digest[TR_DIGEST_TEXT_MAX];
    tr_digest_format(&part->digest, digest);
    return tr_fail(s->error, TR_FAILED_PRECONDITION,
                   "run '%s': it was made of '%s' with the digest %s, which is not in the "
                   "catalogue, and none of its %d parent runs makes it again",
                   s->of->run->name, part->name, digest, s->of->run->parent_count);
}

static tr_status complete_part(const search *s, const tr_listed_part *part, bool of_everyone) {
    tr_controller_row row;
    bool found = false;
    tr_status status =
        tr_controllers_find_content(s->of->given->catalogue, &part->digest, &row, s->error);
    if (status != TR_NOT_FOUND)
        return status;
    /* First tries what exists or can be derived. */
    tr_run_row parent;
    int count = s->of->run->parent_count;
    status = TR_OK;
    for (int i = 0; !status && !found && i < count; i++)
        status =
            find_derived(s->of->given->catalogue, s->of->run->parent[i], part, &found, s->error);
    for (int i = 0; !status && !found && i < count; i++) {
        status = get_parent(s, i, &parent);
        if (!status && (of_everyone || is_of(&parent, part)))
            status = find_by_making(s, &parent, part, &found);
    }
    return status || found || !of_everyone ? status : fail_unmade(s, part);
}

static tr_status complete_parts_of(const search *s, bool of_everyone) {
    const char *rest = s->list;
    tr_listed_part part;
    tr_status status = TR_OK;
    while (!status && tr_part_list_next(&rest, &part))
        status = complete_part(s, &part, of_everyone);
    if (!status && *rest)
        status = tr_fail(s->error, TR_DATA_LOSS, "run '%s': parts: cannot parse '%.120s'",
                         s->of->run->name, rest);
    return status;
}

/* Parts that have the names of runs come before the others, so that none of these runs is asked for
 * what another made. */
static tr_status complete_parts(const search *s) {
    tr_status status = complete_parts_of(s, false);
    return !status ? complete_parts_of(s, true) : status;
}

/* --- loading --- */

tr_status tr_parts_find(const tr_method_remake_def *of, const char *list, int input,
                        tr_method_sources *out, tr_error *error) {
    const search s = {of, list, error};
    tr_listed_part part;
    tr_status status = complete_parts(&s);
    while (!status && tr_part_list_next(&list, &part)) {
        tr_controller_row row;
        status = tr_controllers_find_content(of->given->catalogue, &part.digest, &row, error);
        if (!status)
            status = tr_method_sources_add_part(out, input, of->given->catalogue, row.name,
                                                part.name, error);
    }
    return status;
}
