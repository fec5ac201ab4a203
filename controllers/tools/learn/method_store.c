#include "tools/learn/method_store.h"

#include "db/tables/controllers.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/lead.h"
#include "tools/train/training_store.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- the run --- */

static void note_given(const tr_method_sources *s, tr_run_row *run) {
    size_t used = 0;
    for (int i = 0; i < s->method->input_count; i++)
        if (!s->method->input[i].needed && tr_method_is_given(s, i))
            used += (size_t)snprintf(run->given + used, sizeof run->given - used, "%s ",
                                     s->method->input[i].role);
}

/* Its seed is the parameter of that name. */
static uint64_t seed_of(const tr_method *method, const void *settings) {
    for (size_t i = 0; i < method->settings->count; i++) {
        const tr_parameter *p = &method->settings->row[i];
        if (p->kind == TR_SEED && strcmp(p->name, "seed") == 0)
            return *(const uint64_t *)(const void *)((const char *)settings + p->offset);
    }
    return 0;
}

static tr_status add_parent(tr_row_id parent, tr_run_row *run, tr_error *error) {
    for (int i = 0; i < run->parent_count; i++)
        if (run->parent[i] == parent)
            return TR_OK;
    if (run->parent_count == TR_RUN_PARENT_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "'%s': made of more than %d runs", run->name,
                       TR_RUN_PARENT_MAX);
    run->parent[run->parent_count++] = parent;
    return TR_OK;
}

/* The run that is continued, and those that made the parts, each once. */
static tr_status note_parents(const tr_method_sources *s, tr_run_row *run, tr_error *error) {
    tr_status status = s->parent_id ? add_parent(s->parent_id, run, error) : TR_OK;
    for (int i = 0; i < s->method->input_count; i++)
        for (int k = 0; !status && k < s->given[i].part_count; k++) {
            const tr_row_id parent = s->source[i].parts->subject[k].row.run_id;
            status = parent ? add_parent(parent, run, error) : TR_OK;
        }
    return status;
}

static tr_status describe(const tr_method_result *r, tr_run_row *out, tr_error *error) {
    const tr_method_options *o = r->options;
    *out = (tr_run_row){.seed = seed_of(o->method, r->sources->settings),
                        .threads = o->threads,
                        .started_ns = r->log->started_ns,
                        .ended_ns = tr_now_ns()};
    snprintf(out->name, sizeof out->name, "%s", o->name);
    snprintf(out->method, sizeof out->method, "%s", o->method->name);
    snprintf(out->command, sizeof out->command, "%s", o->command.text);
    snprintf(out->code_version, sizeof out->code_version, "%s", TR_CODE_VERSION);
    tr_describe_host(out->host, sizeof out->host);
    note_given(r->sources, out);
    tr_status status = tr_parameter_print(o->method->settings, r->sources->settings,
                                          out->parameters, sizeof out->parameters);
    return !status ? note_parents(r->sources, out, error)
                   : tr_fail(error, status, "the settings exceed a record");
}

static tr_status put_run(tr_catalogue *catalogue, const tr_method_result *r, tr_row_id *out_id,
                         tr_error *error) {
    tr_run_row run;
    tr_run_inputs inputs = {0};
    tr_status status = describe(r, &run, error);
    for (int i = 0; !status && i < r->sources->method->input_count; i++)
        if (r->sources->given[i].motion)
            tr_training_note_motion(r->sources->given[i].motion, &run);
    if (!status)
        status = tr_method_sources_keep(r->sources, &inputs, error);
    const tr_run_content content = {r->log->metric, r->log->count, &inputs};
    if (!status)
        status = tr_runs_put(catalogue, &run, &content, out_id, error);
    tr_run_inputs_deinit(&inputs);
    return status;
}

/* --- all --- */

static tr_status put_inputs(tr_catalogue *catalogue, const tr_method_result *r,
                            tr_controller_entry *entry, tr_error *error) {
    const tr_method_sources *s = r->sources;
    tr_status status = TR_OK;
    entry->model_id = s->model_id;
    entry->clip_id = s->clip_id;
    if (!s->model_id)
        status =
            tr_training_put_model(catalogue, r->options->model, s->model, &entry->model_id, error);
    for (int i = 0; !status && i < s->method->input_count; i++)
        if (s->given[i].motion)
            status = tr_training_put_clip(
                catalogue, s->given[i].motion, tr_method_motion_path(r->options, s),
                s->is_planned ? NULL : r->options->lesson.clip, &entry->clip_id, error);
    return status;
}

static tr_status put_all(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const tr_method_result *r = context;
    tr_controller named = *r->controller; /* a shallow copy */
    tr_controller_entry entry = {.controller = &named};
    tr_row_id id = 0;
    snprintf(named.name, sizeof named.name, "%s", r->options->name);
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status)
        return status;
    if (r->replaces)
        status = tr_training_remove_earlier(catalogue, r->options->name, error);
    if (!status)
        status = put_inputs(catalogue, r, &entry, error);
    if (!status)
        status = put_run(catalogue, r, &entry.run_id, error);
    if (!status)
        status = tr_controllers_put(catalogue, &entry, &id, error);
    return tr_catalogue_end(catalogue, status, error);
}

tr_status tr_method_store(const tr_method_result *result, tr_error *error) {
    return tr_lead_change_catalogue(result->options->catalogue, TR_CATALOGUE_CREATE, put_all,
                                    result, error);
}

/* Puts them and takes them back. */
static tr_status try_inputs(tr_catalogue *catalogue, const void *context, tr_error *error) {
    tr_controller_entry entry = {0};
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status)
        return status;
    status = put_inputs(catalogue, context, &entry, error);
    tr_catalogue_rollback(catalogue);
    return status;
}

tr_status tr_method_store_check(const tr_method_result *result, tr_error *error) {
    if (access(result->options->catalogue, F_OK) != 0)
        return TR_OK;
    return tr_lead_change_catalogue(result->options->catalogue, TR_CATALOGUE_WRITE, try_inputs,
                                    result, error);
}
