#include "tools/learn/method_sources.h"

#include "learn/method/whole_file.h"
#include "learn/train/parameters.h"
#include "model/mjcf.h"
#include "tools/learn/part_list.h"
#include "tools/train/run_record.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 28 }; /* of a file that no record keeps */

void tr_method_sources_deinit(tr_method_sources *s) {
    for (int i = 0; i < TR_METHOD_INPUT_MAX; i++) {
        tr_method_source *source = &s->source[i];
        tr_motion_destroy(source->motion);
        for (int k = 0; k < s->given[i].motion_count; k++)
            tr_motion_destroy(source->motions[k]);
        for (int k = 0; source->parts && k < source->parts->count; k++)
            tr_subject_deinit(&source->parts->subject[k]);
        tr_subject_deinit(&source->subject);
        free(source->parts);
        free(source->content);
    }
    tr_lesson_deinit(&s->lesson);
    tr_model_destroy(s->own_model);
    *s = (tr_method_sources){0};
}

bool tr_method_is_given(const tr_method_sources *s, int input) {
    const tr_method_given *given = &s->given[input];
    return given->motion || given->motion_count > 0 || given->part_count > 0 || given->controller ||
           given->content;
}

/* --- opening --- */

/* The hash of the motion that a run noted among its parameters; 0: none. */
static uint64_t motion_hash_of(const tr_run_row *run) {
    char text[TR_RUN_PARAMETERS_MAX], *rest = text, name[TR_NAME_MAX];
    const char *value;
    memcpy(text, run->parameters, sizeof text);
    while (tr_run_next_parameter(&rest, name, &value))
        if (strcmp(name, "motion_hash") == 0)
            return strtoull(value, NULL, 16);
    return 0;
}

/* Files that the run of a continued controller was given, where this one is given no others. */
static tr_status inherit(tr_catalogue *catalogue, const tr_run_row *run, tr_method_sources *out,
                         tr_error *error) {
    tr_sections old = {0};
    tr_status status = tr_runs_inputs(catalogue, run->id, &old, error);
    for (int i = 0; !status && i < out->method->input_count; i++) {
        const tr_method_input *input = &out->method->input[i];
        for (int k = 0; k < old.count && input->inherits && !out->given[i].content; k++) {
            tr_section *file = &old.section[k];
            char *content = (char *)file->bytes;
            if (strcmp(file->name, input->role) != 0 || !input->inherits(content, file->size))
                continue;
            out->source[i].content = content;
            out->given[i].content = content;
            out->given[i].size = file->size;
            snprintf(out->given[i].name, sizeof out->given[i].name, "%s", input->role);
            file->bytes = NULL;
        }
    }
    tr_sections_deinit(&old);
    return status;
}

static tr_status read_parent(tr_catalogue *catalogue, int i, tr_method_sources *out,
                             tr_error *error) {
    tr_run_row run;
    const tr_controller_row *row = &out->source[i].subject.row;
    out->clip_id = row->clip_id;
    if (!row->run_name[0])
        return TR_OK;
    tr_status status = tr_runs_find(catalogue, row->run_name, &run, error);
    if (status)
        return status;
    out->parent_id = run.id;
    out->given[i].motion_hash = motion_hash_of(&run);
    return inherit(catalogue, &run, out, error);
}

static tr_status open_controller(const tr_method_options *o, int i, tr_method_sources *out,
                                 tr_error *error) {
    const tr_method_input *input = &o->method->input[i];
    tr_subject *subject = &out->source[i].subject;
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_READ, &catalogue, error);
    if (!status)
        status = tr_subject_load(catalogue, o->input[i], subject, error);
    if (!status && input->continued)
        status = read_parent(catalogue, i, out, error);
    tr_catalogue_close(catalogue);
    if (status)
        return status;
    out->given[i].controller = subject->controller;
    out->given[i].controller_model = subject->model;
    if (input->gives_model) {
        out->model = subject->model;
        out->model_id = subject->row.model_id;
    }
    return TR_OK;
}

/* The first part gives the model. */
tr_status tr_method_sources_add_part(tr_method_sources *s, int input, tr_catalogue *catalogue,
                                     const char *controller, const char *name, tr_error *error) {
    tr_method_source *source = &s->source[input];
    if (!source->parts)
        source->parts = calloc(1, sizeof *source->parts);
    if (!source->parts || source->parts->count == TR_METHOD_PART_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "'%s': more than %d parts, or no memory", name,
                       TR_METHOD_PART_MAX);
    const int at = source->parts->count;
    tr_subject *subject = &source->parts->subject[at];
    tr_method_part *shown = &source->parts->shown[at];
    tr_status status = tr_subject_load(catalogue, controller, subject, error);
    if (status) {
        tr_subject_deinit(subject);
        return status;
    }
    *shown = (tr_method_part){.controller = subject->controller, .model = subject->model};
    snprintf(shown->name, sizeof shown->name, "%s", name);
    if (at == 0 && s->method->input[input].gives_model) {
        s->model = subject->model;
        s->model_id = subject->row.model_id;
    }
    s->given[input].part = source->parts->shown;
    s->given[input].part_count = ++source->parts->count;
    return TR_OK;
}

static tr_status name_part(const tr_method_options *o, const tr_method_sources *s, int k,
                           char out[static TR_NAME_MAX], bool *optional, tr_error *error) {
    const tr_method_def def = {s->model, s->settings, s->given, o->name, o->threads, NULL};
    return o->method->part(&def, k, out, optional, error);
}

static tr_status open_parts(const tr_method_options *o, int i, tr_method_sources *out,
                            tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_READ, &catalogue, error);
    for (int k = 0; !status; k++) {
        char name[TR_NAME_MAX] = "";
        bool optional = false;
        status = name_part(o, out, k, name, &optional, error);
        if (status || !name[0])
            break;
        status = tr_method_sources_add_part(out, i, catalogue, name, name, error);
        if (status == TR_NOT_FOUND && optional)
            status = TR_OK;
    }
    tr_catalogue_close(catalogue);
    return status;
}

static tr_status open_file(const tr_method_options *o, int i, tr_method_sources *out,
                           tr_error *error) {
    tr_method_given *given = &out->given[i];
    const size_t most = o->method->write ? FILE_BYTES_MAX : TR_RUN_INPUT_BYTES_MAX;
    tr_status status =
        tr_whole_file_read(o->input[i], 1, most, &out->source[i].content, &given->size, error);
    given->content = out->source[i].content;
    return status;
}

static tr_status open_motions(const tr_method_options *o, int i, tr_method_sources *out,
                              tr_error *error) {
    tr_method_given *given = &out->given[i];
    tr_status status = TR_OK;
    given->motions = (const tr_motion *const *)out->source[i].motions;
    for (int k = 0; !status && k < o->motions.count; k++, given->motion_count += !status)
        status = tr_motion_load(o->motions.word[k], out->model, &out->source[i].motions[k], error);
    return status;
}

static tr_status open_input(const tr_method_options *o, int i, tr_method_sources *out,
                            tr_error *error) {
    const tr_method_input *input = &o->method->input[i];
    if (input->kind == TR_INPUT_PARTS)
        return open_parts(o, i, out, error);
    if (!o->input[i])
        return TR_OK;
    snprintf(out->given[i].name, sizeof out->given[i].name, "%.*s", TR_NAME_MAX - 1, o->input[i]);
    if (input->kind == TR_INPUT_TEXT) {
        out->given[i].content = o->input[i];
        out->given[i].size = strlen(o->input[i]);
    }
    return input->kind == TR_INPUT_CONTROLLER ? open_controller(o, i, out, error)
           : input->kind == TR_INPUT_FILE     ? open_file(o, i, out, error)
           : input->kind == TR_INPUT_MOTIONS  ? open_motions(o, i, out, error)
                                              : TR_OK;
}

/* --- the motion --- */

static tr_status change(const void *options, void *settings, tr_error *error) {
    return tr_method_options_change(options, settings, error);
}

/* The input of that role; the methods that plan have it. */
static int index_of(const tr_method *method, const char *role) {
    for (int i = 0; i < method->input_count; i++)
        if (strcmp(method->input[i].role, role) == 0)
            return i;
    return -1;
}

static tr_status open_clip(const tr_method_options *o, int i, int harder, tr_method_sources *out,
                           tr_error *error) {
    const int control = index_of(o->method, "control"), from = index_of(o->method, "from");
    const tr_learn_parameters *given = (const void *)o->settings;
    const tr_lesson_def def = {.options = &o->lesson,
                               .source = o->input[i],
                               .name = o->name,
                               .catalogue = o->catalogue,
                               .model = out->model,
                               .has_loop = tr_method_is_given(out, control) ||
                                           tr_method_is_given(out, from),
                               .harder = harder,
                               .threads = o->threads,
                               .seed = given->seed,
                               .change = change,
                               .context = o};
    out->is_planned = true;
    tr_status status = tr_lesson_open(&def, &out->lesson, error);
    out->given[i].motion = out->lesson.motion;
    if (status)
        return status;
    memcpy(out->settings, &out->lesson.plan.parameters, sizeof out->lesson.plan.parameters);
    if (out->lesson.control) {
        out->given[control].content = out->lesson.control;
        out->given[control].size = out->lesson.control_size;
        snprintf(out->given[control].name, sizeof out->given[control].name, "control");
    }
    return TR_OK;
}

tr_status tr_method_sources_parts(const tr_method_options *o, tr_plan_part *out, int *out_count,
                                  tr_error *error) {
    tr_model *model = NULL;
    tr_status status = tr_mjcf_load(o->model, &model, error);
    const tr_lesson_def def = {
        .options = &o->lesson, .source = tr_method_options_motion(o), .model = model};
    if (!status)
        status = tr_lesson_parts(&def, out, out_count, error);
    tr_model_destroy(model);
    return status;
}

static tr_status open_motion(const tr_method_options *o, int i, int harder, tr_method_sources *out,
                             tr_error *error) {
    if (tr_method_options_plan(o))
        return open_clip(o, i, harder, out, error);
    tr_status status = tr_motion_load(o->input[i], out->model, &out->source[i].motion, error);
    out->given[i].motion = out->source[i].motion;
    return status;
}

const char *tr_method_motion_path(const tr_method_options *o, const tr_method_sources *s) {
    const char *path = NULL;
    for (int i = 0; i < o->method->input_count; i++)
        if (o->method->input[i].kind == TR_INPUT_MOTION)
            path = s->is_planned ? s->lesson.motion_path : o->input[i];
    return path;
}

/* The motion last, because plans depend on the other inputs. */
tr_status tr_method_sources_open(const tr_method_options *o, int harder, tr_method_sources *out,
                                 tr_error *error) {
    tr_status status = TR_OK;
    *out = (tr_method_sources){.method = o->method};
    memcpy(out->settings, o->settings, sizeof out->settings);
    if (!tr_method_takes_model(o->method)) {
        status = tr_mjcf_load(o->model, &out->own_model, error);
        out->model = out->own_model;
    }
    for (int i = 0; !status && i < o->method->input_count; i++)
        status = open_input(o, i, out, error);
    for (int i = 0; !status && i < o->method->input_count; i++)
        if (o->method->input[i].kind == TR_INPUT_MOTION && o->input[i])
            status = open_motion(o, i, harder, out, error);
    return status;
}

/* --- keeping --- */

static tr_status keep(const char *role, const void *content, size_t size, tr_sections *out,
                      tr_error *error) {
    tr_section_writer writer = tr_section_begin(out, role);
    tr_section_put_bytes(&writer, content, size);
    return tr_section_end(&writer, error);
}

static tr_status keep_parts(const char *role, const tr_method_parts *parts, tr_sections *out,
                            tr_error *error) {
    char *list = tr_part_list_write(parts);
    if (!list)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", role);
    tr_status status = keep(role, list, strlen(list), out, error);
    free(list);
    return status;
}

tr_status tr_method_sources_keep(const tr_method_sources *s, tr_sections *out, tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < s->method->input_count; i++) {
        const tr_method_input *input = &s->method->input[i];
        const tr_method_given *given = &s->given[i];
        if (given->content)
            status = keep(input->role, given->content, given->size, out, error);
        if (!status && given->part_count > 0)
            status = keep_parts(input->role, s->source[i].parts, out, error);
    }
    return status;
}
