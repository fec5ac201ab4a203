#include "tools/again/graph_remaking.h"

#include "learn/graph/graph_bank.h"
#include "tools/again/controller_difference.h"
#include "tools/again/derivation.h"
#include "tools/again/lineage_clip.h"
#include "tools/again/method_again.h"
#include "tools/graphs/graph_record.h"
#include "tools/graphs/part_list.h"
#include "tools/train/run_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 }; /* graphs, each made of the one before */

/* A graph that is made again, the requested one or a part of it. */
typedef struct step {
    const tr_reproduction *given;
    tr_run_row run;
    tr_row_id model_id; /* of the graph and all it is made of */
    int depth;
    tr_graph_record record;
    tr_graph_parts parts;
    tr_controller *graph;
    tr_error *error;
} step;

/* after: the step that needs it; NULL: it is the requested graph. */
static tr_status create_step(const tr_reproduction *given, const tr_run_row *run, const step *after,
                             step **out, tr_error *error) {
    int depth = after ? after->depth + 1 : 0;
    if (depth == DEPTH_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "run '%s': more than %d graphs were made of one another before it",
                       run->name, DEPTH_MAX);
    step *s = calloc(1, sizeof *s);
    if (!s)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "run '%s': no memory for its record",
                       run->name);
    s->given = given;
    s->run = *run;
    s->model_id = after ? after->model_id : 0;
    s->depth = depth;
    s->error = error;
    *out = s;
    return TR_OK;
}

static void destroy_step(step *s) {
    if (!s)
        return;
    tr_controller_destroy(s->graph);
    tr_graph_parts_deinit(&s->parts);
    tr_graph_record_deinit(&s->record);
    free(s);
}

/* --- the graph --- */

static tr_status complete_parts(const step *s); /* those that are not there are made first */

/* Are they the recorded parts of the graph? */
static tr_status check_parts(const step *s) {
    char *text = tr_part_list_write(s->parts.row, s->parts.count);
    tr_status status =
        text ? TR_OK : tr_fail(s->error, TR_RESOURCE_EXHAUSTED, "no memory for the record");
    const char *recorded = s->record.parts ? s->record.parts : "";
    if (!status && strcmp(recorded, text) != 0)
        status = tr_fail(s->error, TR_FAILED_PRECONDITION,
                         "run '%s': a skill or graph that it was made of has changed since; it "
                         "was made of\n%.3000s",
                         s->run.name, recorded);
    free(text);
    return status;
}

static tr_status make(step *s) {
    tr_catalogue *catalogue = s->given->catalogue;
    const tr_graph_recipe *recipe = &s->record.recipe;
    tr_status status = tr_graph_record_read(catalogue, &s->run, &s->record, s->error);
    s->parts.kept = s->record.parts;
    if (!status)
        status = complete_parts(s);
    if (!status)
        status = tr_graph_record_connectivity(&s->record, &s->parts.connectivity, s->error);
    if (!status)
        status = tr_graph_parts_load(catalogue, recipe, s->given->threads, &s->parts, s->error);
    if (!status)
        status = check_parts(s);
    if (!status)
        status = tr_graph_make(recipe, s->run.name, &s->parts, &s->graph, s->error);
    return status;
}

/* --- a part that a run made --- */

static bool is_of(const tr_run_row *run, const tr_graph_part *part) {
    return strcmp(run->name, part->name) == 0;
}

static tr_status make_graph(const step *s, const tr_run_row *run, tr_controller_row *out) {
    step *before = NULL;
    tr_status status = create_step(s->given, run, s, &before, s->error);
    if (!status)
        status = make(before);
    if (!status) {
        const tr_controller_entry entry = {before->graph, s->model_id, run->id, 0};
        status = tr_run_put_again(s->given->catalogue, run, &entry, out, s->error);
    }
    destroy_step(before);
    return status;
}

static tr_status train_skill(const step *s, const tr_run_row *run, tr_controller_row *out) {
    tr_method_remake_def def = {.given = s->given, .run = run, .model_id = s->model_id};
    tr_status status =
        tr_lineage_find_clip(s->given->catalogue, run, s->model_id, &def.clip_id, s->error);
    return !status ? tr_method_remake(&def, out, s->error) : status;
}

static tr_status fail_different(const step *s, const tr_run_row *run, const tr_graph_part *part,
                                const tr_digest *again) {
    char is[TR_DIGEST_TEXT_MAX], was[TR_DIGEST_TEXT_MAX];
    tr_digest_format(again, is);
    tr_digest_format(&part->digest, was);
    return tr_fail(s->error, TR_ABORTED,
                   "run '%s': differs from its record: made again '%s' has the digest %s, "
                   "but '%s' was made of %s; it was recorded by build %s on %s",
                   run->name, part->name, is, s->run.name, was, run->code_version, run->host);
}

/* Does the catalogue hold a controller of the run, original or made again? Skills that were taken
 * out of a graph belong to its run as well. */
static tr_status has_made(const step *s, const tr_run_row *run, bool *out) {
    tr_controller_filter filter = {.run = run->id};
    tr_controller_row row;
    int count = 1;
    filter.skill = tr_graph_record_is(run) ? TR_GRAPH_BANK_SKILL : NULL;
    tr_status status = tr_controllers_list(s->given->catalogue, &filter, &row, &count, s->error);
    *out = !status && count > 0;
    return status;
}

/* Makes the controller of the run again if it is missing, and looks whether the part is that
 * controller or derives from it. A run with the part's name may have made another part, if skills
 * were renamed since. */
static tr_status find_by_making(const step *s, const tr_run_row *run, const tr_graph_part *part,
                                bool *out_found) {
    tr_controller_row again;
    bool there = false;
    tr_status status = has_made(s, run, &there);
    if (status || there)
        return status;
    fprintf(stderr, "%s was made of %s, which is missing or has changed: making %s again first\n",
            s->run.name, part->name, run->name);
    status = tr_graph_record_is(run) ? make_graph(s, run, &again) : train_skill(s, run, &again);
    if (status)
        return status;
    *out_found = tr_digest_equal(&again.digest, &part->digest);
    if (*out_found)
        return TR_OK;
    return is_of(run, part) && !tr_part_list_has(s->record.parts, &again.digest)
               ? fail_different(s, run, part, &again.digest)
               : tr_derivation_find(s->given->catalogue, run->id, part, out_found, s->error);
}

/* --- finding the run that made a part --- */

/* Parents have lower numbers than their runs (the catalogue refuses others), so that the search
 * ends. */
static tr_status get_parent(const step *s, int i, tr_run_row *out) {
    tr_error why;
    tr_status status = tr_runs_get(s->given->catalogue, s->run.parent[i], out, &why);
    return !status ? status
                   : tr_fail(s->error, status, "run '%s': an earlier run that made a part: %s",
                             s->run.name, why.message);
}

/* First tries what exists or can be derived. Then the run with the part's name may make it, or, if
 * `of_everyone`, any run. */
static tr_status find_part(const step *s, const tr_graph_part *part, bool of_everyone,
                           bool *out_found) {
    tr_run_row parent;
    int count = s->run.parent_count;
    tr_status status = TR_OK;
    for (int i = 0; !status && !*out_found && i < count; i++)
        status =
            tr_derivation_find(s->given->catalogue, s->run.parent[i], part, out_found, s->error);
    for (int i = 0; !status && !*out_found && i < count; i++) {
        status = get_parent(s, i, &parent);
        if (!status && (of_everyone || is_of(&parent, part)))
            status = find_by_making(s, &parent, part, out_found);
    }
    return status;
}

static tr_status fail_unmade(const step *s, const tr_graph_part *part) {
    char digest[TR_DIGEST_TEXT_MAX];
    tr_digest_format(&part->digest, digest);
    return tr_fail(s->error, TR_FAILED_PRECONDITION,
                   "run '%s': it was made of '%s' with the digest %s, which is not in the "
                   "catalogue, and none of its %d parent runs makes it again",
                   s->run.name, part->name, digest, s->run.parent_count);
}

static tr_status complete_part(const step *s, const tr_graph_part *part, bool of_everyone) {
    tr_controller_row row;
    bool found = false;
    tr_status status =
        tr_controllers_find_content(s->given->catalogue, &part->digest, &row, s->error);
    if (status != TR_NOT_FOUND)
        return status;
    status = find_part(s, part, of_everyone, &found);
    return status || found || !of_everyone ? status : fail_unmade(s, part);
}

static tr_status complete_parts_of(const step *s, bool of_everyone) {
    const char *rest = s->record.parts;
    tr_graph_part part;
    tr_status status = TR_OK;
    while (!status && tr_part_list_next(&rest, &part))
        status = complete_part(s, &part, of_everyone);
    if (!status && *rest)
        status = tr_fail(s->error, TR_DATA_LOSS, "run '%s': parts: cannot parse '%.120s'",
                         s->run.name, rest);
    return status;
}

/* Parts that have the names of runs come before the others, so that none of these runs is asked for
 * what another made. */
static tr_status complete_parts(const step *s) {
    tr_status status = complete_parts_of(s, false);
    return !status ? complete_parts_of(s, true) : status;
}

/* --- the graph asked for --- */

static tr_status compare(const step *s, tr_row_id id) {
    tr_controller *graph = NULL;
    tr_status status =
        tr_controllers_load(s->given->catalogue, id, s->parts.model, &graph, s->error);
    if (!status && !tr_controller_difference_print(graph, s->graph, s->parts.model))
        status = tr_fail(s->error, TR_ABORTED, "run '%s': not the same", s->run.name);
    tr_controller_destroy(graph);
    return status;
}

tr_status tr_graph_remake(const tr_reproduction *given, const tr_run_row *run, tr_error *error) {
    step *s = NULL;
    tr_controller_row row;
    tr_status status = tr_run_find_controller(given->catalogue, run, &row, error);
    if (!status)
        status = create_step(given, run, NULL, &s, error);
    if (!status) {
        s->model_id = row.model_id;
        status = make(s);
    }
    if (!status)
        status = compare(s, row.id);
    destroy_step(s);
    return status;
}
