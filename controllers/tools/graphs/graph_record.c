#include "tools/graphs/graph_record.h"

#include "db/store/catalogue.h"
#include "tools/graphs/part_list.h"
#include "tools/train/run_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METHOD "graph"
#define PARTS "parts" /* role of the part list */

/* Of tr_graph_change; records call hardening "season". */
static const char *const changes[] = {[TR_GRAPH_HARDENED] = "season",
                                      [TR_GRAPH_SLOPED] = "slopes",
                                      [TR_GRAPH_REFITTED] = "refit",
                                      [TR_GRAPH_LOOSENED] = "loosen",
                                      [TR_GRAPH_SHORTENED] = "shorten"};

static const char head[] = "graph = ", head_build[] = "graph = build\n";

bool tr_graph_record_is(const tr_run_row *run) {
    return strcmp(run->method, METHOD) == 0;
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
    return !status ? tr_fail(error, TR_ALREADY_EXISTS, "'%s': is in the catalogue already", name)
                   : tr_fail(error, status, "%s", ignored.message);
}

/* The runs that made the parts, each once. */
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
    int used = recipe->of ? snprintf(run->parameters, sizeof run->parameters, "%s%s\nof = %s\n",
                                     head, changes[recipe->change], recipe->of)
                          : snprintf(run->parameters, sizeof run->parameters, "%s", head_build);
    run->seed = recipe->seed;
    snprintf(run->method, sizeof run->method, METHOD);
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
    if (!status)
        status = note_parents(made->parts, &run, error);
    if (status)
        return status;
    snprintf(run.name, sizeof run.name, "%s", made->graph->name);
    *parts = (tr_run_input){.role = PARTS,
                            .content = tr_part_list_write(made->parts->row, made->parts->count)};
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
    if (status)
        return status;
    status = put_run(catalogue, made, &entry.run_id, error);
    if (!status)
        status = tr_controllers_put(catalogue, &entry, &id, error);
    return tr_catalogue_end(catalogue, status, error);
}

/* --- reading --- */

/* "build" is none of them; its `of` is NULL. */
static tr_graph_change change_of(const char *name) {
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (strcmp(name, changes[i]) == 0)
            return (tr_graph_change)i;
    return TR_GRAPH_HARDENED;
}

static tr_status read_recipe(tr_graph_record *r, tr_error *error) {
    char *rest = r->text, name[TR_NAME_MAX];
    const char *value;
    tr_option table[TR_GRAPH_RECIPE_OPTIONS];
    r->recipe = tr_graph_recipe_unrecorded();
    tr_graph_recipe_options(&r->recipe, table);
    memcpy(r->text, r->run->parameters, sizeof r->text);
    while (tr_run_next_parameter(&rest, name, &value)) {
        if (strcmp(name, "of") == 0)
            r->recipe.of = value;
        else if (strcmp(name, "graph") == 0)
            r->recipe.change = change_of(value);
        else if (!tr_options_set("reproduce", table, TR_GRAPH_RECIPE_OPTIONS, name, value))
            return tr_fail(error, TR_DATA_LOSS, "run '%s': parameters: '%.60s'", r->run->name,
                           name);
    }
    return TR_OK;
}

tr_status tr_graph_record_read(tr_catalogue *catalogue, const tr_run_row *run, tr_graph_record *out,
                               tr_error *error) {
    out->run = run;
    tr_status status = tr_runs_inputs(catalogue, run->id, &out->inputs, error);
    const tr_run_input *parts = tr_run_inputs_find(&out->inputs, PARTS);
    if (!status && !parts)
        status =
            tr_fail(error, TR_DATA_LOSS, "run '%s': its record does not name its parts", run->name);
    if (status)
        return status;
    out->parts = parts->content;
    return read_recipe(out, error);
}

void tr_graph_record_deinit(tr_graph_record *record) {
    tr_run_inputs_deinit(&record->inputs);
}

tr_status tr_graph_record_connectivity(const tr_graph_record *record, tr_connectivity *out,
                                       tr_error *error) {
    const tr_run_input *file = tr_run_inputs_find(&record->inputs, TR_GRAPH_CONNECTIVITY);
    if (record->recipe.of)
        return TR_OK;
    if (!file)
        return tr_fail(error, TR_DATA_LOSS, "run '%s': keeps no connectivity", record->run->name);
    return tr_connectivity_parse(file->content, file->size, file->role, out, error);
}
