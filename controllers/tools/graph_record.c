#include "tools/graph_record.h"

#include "db/catalogue.h"
#include "tools/controller_difference.h"
#include "tools/run_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS "parts" /* role of the list of parts, a line "NAME DIGEST" each */

static const char head[] = "graph = ", head_build[] = "graph = build\n";

bool tr_graph_record_is(const tr_run_row *run) {
    return strncmp(run->parameters, head, sizeof head - 1) == 0;
}

/* --- writing --- */

tr_status tr_graph_record_check_name(tr_catalogue *catalogue, const char *name, tr_error *error) {
    tr_controller_row controller;
    tr_run_row run;
    tr_error ignored;
    tr_status status = tr_controllers_find(catalogue, name, &controller, &ignored);
    if (status == TR_NOT_FOUND)
        status = tr_runs_find(catalogue, name, &run, &ignored);
    if (status == TR_NOT_FOUND)
        return TR_OK;
    return status == TR_OK
               ? tr_fail(error, TR_ALREADY_EXISTS, "'%s': is in the catalogue already", name)
               : tr_fail(error, status, "%s", ignored.message);
}

/* Skills come under the names of the connectivity file, by which they are found again. */
static char *list_parts(const tr_graph_parts *parts) {
    enum { LINE_MAX_BYTES = TR_NAME_MAX + TR_DIGEST_TEXT_MAX + 2 };
    char *text = calloc((size_t)parts->count + 1, LINE_MAX_BYTES), *at = text;
    for (int i = 0; text && i < parts->count; i++) {
        char digest[TR_DIGEST_TEXT_MAX];
        tr_digest_format(&parts->row[i].digest, digest);
        at += snprintf(at, LINE_MAX_BYTES, "%s %s\n", parts->row[i].name, digest);
    }
    return text;
}

/* The runs that the parts came out of, each once. */
static tr_status note_parents(const tr_graph_parts *parts, tr_run_row *run, tr_error *error) {
    run->parent_count = 0;
    for (int i = 0; i < parts->count; i++) {
        tr_row_id parent = parts->row[i].run_id;
        int known = 0;
        while (known < run->parent_count && run->parent[known] != parent)
            known++;
        if (parent == 0 || known < run->parent_count)
            continue;
        if (run->parent_count == TR_RUN_PARENT_MAX)
            return tr_fail(error, TR_RESOURCE_EXHAUSTED, "graph: made of more than %d runs",
                           TR_RUN_PARENT_MAX);
        run->parent[run->parent_count++] = parent;
    }
    return TR_OK;
}

static tr_status note_recipe(const tr_graph_recipe *recipe, tr_run_row *run, tr_error *error) {
    tr_graph_recipe copy = *recipe;
    tr_option table[TR_GRAPH_RECIPE_OPTIONS];
    tr_graph_recipe_options(&copy, table);
    int used = recipe->seasons
                   ? snprintf(run->parameters, sizeof run->parameters, "%sseason\nof = %s\n", head,
                              recipe->seasons)
                   : snprintf(run->parameters, sizeof run->parameters, "%s", head_build);
    run->seed = recipe->seed;
    return tr_options_print(table, TR_GRAPH_RECIPE_OPTIONS, run->parameters + used,
                            sizeof run->parameters - (size_t)used)
               ? TR_OK
               : tr_fail(error, TR_RESOURCE_EXHAUSTED, "graph: its options do not fit a record");
}

static tr_status put_run(tr_catalogue *catalogue, const tr_graph_made *made, tr_row_id *out_id,
                         tr_error *error) {
    const tr_run_metric core = {"core_s", 1, made->core_s};
    tr_run_row run = made->run;
    tr_run_inputs inputs = *made->inputs;
    tr_run_input *parts = &inputs.input[inputs.count++];
    tr_status status = note_recipe(made->recipe, &run, error);
    if (status == TR_OK)
        status = note_parents(made->parts, &run, error);
    if (status != TR_OK)
        return status;
    snprintf(run.name, sizeof run.name, "%s", made->graph->name);
    *parts = (tr_run_input){.role = PARTS, .content = list_parts(made->parts)};
    if (!parts->content)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the record");
    parts->size = strlen(parts->content);
    status = tr_runs_put(catalogue, &run, &(tr_run_content){&core, 1, &inputs}, out_id, error);
    free(parts->content);
    return status;
}

tr_status tr_graph_record_put(tr_catalogue *catalogue, const tr_graph_made *made, tr_error *error) {
    tr_controller_entry entry = {made->graph, made->parts->row[0].model_id, 0, 0};
    tr_row_id id = 0;
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status != TR_OK)
        return status;
    status = put_run(catalogue, made, &entry.run_id, error);
    if (status == TR_OK)
        status = tr_controllers_put(catalogue, &entry, &id, error);
    return tr_catalogue_end(catalogue, status, error);
}

/* --- reading --- */

/* What is read of a record; the recipe's texts lie in `text`. */
typedef struct record {
    const tr_run_row *run;
    tr_run_inputs inputs;
    tr_graph_recipe recipe;
    char text[TR_RUN_PARAMETERS_MAX];
} record;

static tr_status read_recipe(record *r, tr_error *error) {
    char *rest = r->text, name[TR_NAME_MAX];
    const char *value;
    tr_option table[TR_GRAPH_RECIPE_OPTIONS];
    r->recipe = tr_graph_recipe_default();
    tr_graph_recipe_options(&r->recipe, table);
    memcpy(r->text, r->run->parameters, sizeof r->text);
    while (tr_run_next_parameter(&rest, name, &value)) {
        if (strcmp(name, "of") == 0)
            r->recipe.seasons = value;
        else if (strcmp(name, "graph") != 0 &&
                 !tr_options_set("reproduce", table, TR_GRAPH_RECIPE_OPTIONS, name, value))
            return tr_fail(error, TR_DATA_LOSS, "run '%s': parameters: '%.60s'", r->run->name,
                           name);
    }
    return TR_OK;
}

static tr_status read_connectivity(const record *r, tr_connectivity *out, tr_error *error) {
    const tr_run_input *file = tr_run_inputs_find(&r->inputs, TR_GRAPH_CONNECTIVITY);
    if (!file)
        return tr_fail(error, TR_DATA_LOSS, "run '%s': keeps no connectivity", r->run->name);
    return tr_connectivity_parse(file->content, file->size, file->role, out, error);
}

/* Are they still what the graph was made of? */
static tr_status check_parts(const record *r, const tr_graph_parts *parts, tr_error *error) {
    const tr_run_input *kept = tr_run_inputs_find(&r->inputs, PARTS);
    char *text = list_parts(parts);
    tr_status status =
        text ? TR_OK : tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the record");
    if (status == TR_OK && (!kept || strcmp(kept->content, text) != 0))
        status = tr_fail(error, TR_FAILED_PRECONDITION,
                         "run '%s': a skill or graph it was made of is another one by now; it "
                         "was made of\n%.3000s",
                         r->run->name, kept ? kept->content : "");
    free(text);
    return status;
}

static tr_status compare(tr_catalogue *catalogue, const tr_run_row *run,
                         const tr_graph_parts *parts, const tr_controller *again, tr_error *error) {
    tr_controller *graph = NULL;
    tr_controller_row row;
    tr_status status = tr_run_find_controller(catalogue, run, &row, error);
    if (status == TR_OK)
        status = tr_controllers_load(catalogue, row.id, parts->model, &graph, error);
    if (status == TR_OK && !tr_controller_difference_print(graph, again, parts->model))
        status = tr_fail(error, TR_ABORTED, "run '%s': not the same", run->name);
    tr_controller_destroy(graph);
    return status;
}

static tr_status repeat(tr_catalogue *catalogue, const record *r, tr_graph_parts *parts,
                        int threads, tr_error *error) {
    tr_controller *again = NULL;
    tr_status status =
        r->recipe.seasons ? TR_OK : read_connectivity(r, &parts->connectivity, error);
    const tr_run_input *kept = tr_run_inputs_find(&r->inputs, PARTS);
    parts->kept = kept ? kept->content : NULL;
    if (status == TR_OK)
        status = tr_graph_parts_load(catalogue, &r->recipe, threads, parts, error);
    if (status == TR_OK)
        status = check_parts(r, parts, error);
    if (status == TR_OK)
        status = tr_graph_make(&r->recipe, r->run->name, parts, &again, error);
    if (status == TR_OK)
        status = compare(catalogue, r->run, parts, again, error);
    tr_controller_destroy(again);
    return status;
}

tr_status tr_graph_record_repeat(tr_catalogue *catalogue, const tr_run_row *run, int threads,
                                 tr_error *error) {
    record *r = calloc(1, sizeof *r);
    tr_graph_parts *parts = calloc(1, sizeof *parts);
    tr_status status = TR_RESOURCE_EXHAUSTED;
    if (!r || !parts) {
        status = tr_fail(error, status, "no memory for the record");
        goto done;
    }
    r->run = run;
    status = tr_runs_inputs(catalogue, run->id, &r->inputs, error);
    if (status == TR_OK)
        status = read_recipe(r, error);
    if (status == TR_OK)
        status = repeat(catalogue, r, parts, threads, error);
    tr_run_inputs_deinit(&r->inputs);
    tr_graph_parts_deinit(parts);
done:
    free(parts);
    free(r);
    return status;
}
