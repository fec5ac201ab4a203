#include "tools/learn/method_store.h"

#include "db/store/catalogue.h"
#include "db/tables/clips.h"
#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "learn/method/whole_file.h"
#include "math/hash.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/lead.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- model and clip --- */

enum { FILE_BYTES_MAX = 1 << 28 };

tr_status tr_method_store_model(tr_catalogue *catalogue, const char *path, const tr_model *model,
                                tr_row_id *out_id, tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_whole_file_read(path, 0, FILE_BYTES_MAX, &text, &size, error);
    if (!status)
        status = tr_models_put(catalogue, model->name, text, size, out_id, error);
    free(text);
    return status;
}

/* The files of a motion. */
typedef struct files {
    const tr_motion *motion;
    const char *motion_path, *clip_path;
} files;

/* A clip that is given must be the one the motion was made from; a motion that notes no digest has
 * a hash, which an .asf beside the clip is part of. */
static tr_status check_hash(const files *f, bool *out_same, tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_whole_file_read(f->clip_path, 0, FILE_BYTES_MAX, &text, &size, error);
    *out_same = !status && tr_hash_add(TR_HASH_START, text, size) == f->motion->source.hash;
    free(text);
    return status;
}

static tr_status digest_clip(const files *f, tr_digest *out, tr_error *error) {
    tr_digest noted;
    bool is_noted = tr_digest_parse(f->motion->source.digest, &noted), same = false;
    if (!f->clip_path && is_noted) {
        *out = noted;
        return TR_OK;
    }
    if (!f->clip_path)
        return tr_clips_digest_file(f->motion_path, out, error);
    tr_status status = tr_clips_digest_file(f->clip_path, out, error);
    if (!status && is_noted)
        same = tr_digest_equal(out, &noted);
    else if (!status)
        status = check_hash(f, &same, error);
    if (!status && !same)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "%s: not the file that %s was made from",
                         f->clip_path, f->motion_path);
    return status;
}

static tr_status put_clip(tr_catalogue *catalogue, const tr_motion *motion, const char *motion_path,
                          const char *clip_path, tr_row_id *out_id, tr_error *error) {
    const tr_motion_source *source = &motion->source;
    tr_clip_row clip = {.frame_count = source->last_frame + 1,
                        .frames_per_s = 1 / motion->dt_s,
                        .first_frame = source->first_frame,
                        .last_frame = source->last_frame,
                        .cyclic = motion->cyclic};
    snprintf(clip.name, sizeof clip.name, "%.*s", (int)sizeof clip.name - 1, motion->name);
    snprintf(clip.source, sizeof clip.source, "%.63s, %.180s", source->clip, source->origin);
    snprintf(clip.licence, sizeof clip.licence, "%.*s", (int)sizeof clip.licence - 1,
             source->licence);
    snprintf(clip.skeleton, sizeof clip.skeleton, "%.*s", (int)sizeof clip.skeleton - 1,
             source->skeleton);
    const files f = {motion, motion_path, clip_path};
    tr_status status = digest_clip(&f, &clip.file_digest, error);
    return !status ? tr_clips_put(catalogue, &clip, out_id, error) : status;
}

static void note_motion(const tr_motion *motion, tr_run_row *run) {
    size_t used = strlen(run->parameters);
    snprintf(run->parameters + used, sizeof run->parameters - used,
             "motion_hash = %016" PRIx64 "\nmotion_options = %s\n", tr_motion_hash(motion),
             motion->source.options);
}

static tr_status remove_earlier(tr_catalogue *catalogue, const char *name, tr_error *error) {
    tr_controller_row controller;
    tr_run_row run;
    tr_status status = tr_controllers_find(catalogue, name, &controller, error);
    if (!status)
        status = tr_controllers_remove(catalogue, controller.id, error);
    if (!status || status == TR_NOT_FOUND)
        status = tr_runs_find(catalogue, name, &run, error);
    if (!status)
        status = tr_runs_remove(catalogue, run.id, error);
    return status == TR_NOT_FOUND ? TR_OK : status;
}

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
    tr_sections inputs = {0};
    tr_status status = describe(r, &run, error);
    for (int i = 0; !status && i < r->sources->method->input_count; i++)
        if (r->sources->given[i].motion)
            note_motion(r->sources->given[i].motion, &run);
    if (!status)
        status = tr_method_sources_keep(r->sources, &inputs, error);
    const tr_run_content content = {r->log->metric, r->log->count, &inputs};
    if (!status)
        status = tr_runs_put(catalogue, &run, &content, out_id, error);
    tr_sections_deinit(&inputs);
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
            tr_method_store_model(catalogue, r->options->model, s->model, &entry->model_id, error);
    for (int i = 0; !status && i < s->method->input_count; i++)
        if (s->given[i].motion)
            status =
                put_clip(catalogue, s->given[i].motion, tr_method_motion_path(r->options, s),
                         s->is_planned ? NULL : r->options->lesson.clip, &entry->clip_id, error);
    if (!status && r->source)
        status = put_clip(catalogue, r->source, NULL, NULL, &entry->clip_id, error);
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
        status = remove_earlier(catalogue, r->options->name, error);
    if (!status)
        status = put_inputs(catalogue, r, &entry, error);
    if (!status && !r->preview)
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

static bool has_name(tr_catalogue *catalogue, const char *name) {
    tr_controller_row controller;
    tr_run_row run;
    return !tr_controllers_find(catalogue, name, &controller, NULL) ||
           !tr_runs_find(catalogue, name, &run, NULL);
}

tr_status tr_method_store_check_name(const char *path, const char *name, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = access(path, F_OK) == 0
                           ? tr_catalogue_open(path, TR_CATALOGUE_READ, &catalogue, error)
                           : TR_OK;
    if (catalogue && has_name(catalogue, name))
        status = tr_fail(error, TR_ALREADY_EXISTS,
                         "--name: '%s' is in %s already: give another name", name, path);
    tr_catalogue_close(catalogue);
    return status;
}
