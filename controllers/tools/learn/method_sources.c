#include "tools/learn/method_sources.h"

#include "learn/method/whole_file.h"
#include "model/mjcf.h"

#include <stdlib.h>
#include <string.h>

void tr_method_sources_deinit(tr_method_sources *s) {
    for (int i = 0; i < TR_METHOD_INPUT_MAX; i++) {
        tr_method_source *source = &s->source[i];
        if (source->driver.kind)
            source->driver.kind->destroy(source->driver.content);
        tr_motion_destroy(source->motion);
        tr_subject_deinit(&source->subject);
        free(source->content);
    }
    tr_model_destroy(s->own_model);
    *s = (tr_method_sources){0};
}

bool tr_method_is_given(const tr_method_sources *s, int input) {
    const tr_method_given *given = &s->given[input];
    return given->motion || given->controller || given->content;
}

/* --- opening --- */

static tr_status open_controller(const tr_method_options *o, int i, tr_method_sources *out,
                                 tr_error *error) {
    const tr_method_input *input = &o->method->input[i];
    tr_subject *subject = &out->source[i].subject;
    tr_status status = tr_subject_read(o->catalogue, o->input[i], subject, error);
    if (status)
        return status;
    out->given[i].controller = subject->controller;
    out->given[i].controller_model = subject->model;
    if (input->gives_model) {
        out->model = subject->model;
        out->model_id = subject->row.model_id;
    }
    if (input->continued) {
        out->parent_id = subject->row.run_id;
        out->clip_id = subject->row.clip_id;
    }
    return TR_OK;
}

static tr_status open_motion(const tr_method_options *o, int i, tr_method_sources *out,
                             tr_error *error) {
    tr_status status = tr_motion_load(o->input[i], out->model, &out->source[i].motion, error);
    out->given[i].motion = out->source[i].motion;
    return status;
}

static tr_status open_file(const tr_method_options *o, int i, tr_method_sources *out,
                           tr_error *error) {
    tr_method_given *given = &out->given[i];
    tr_status status = tr_whole_file_read(o->input[i], 1, TR_RUN_INPUT_BYTES_MAX,
                                          &out->source[i].content, &given->size, error);
    given->content = out->source[i].content;
    return status;
}

static tr_status open_input(const tr_method_options *o, int i, tr_method_sources *out,
                            tr_error *error) {
    static tr_status (*const open[])(const tr_method_options *o, int i, tr_method_sources *out,
                                     tr_error *error) = {[TR_INPUT_MOTION] = open_motion,
                                                         [TR_INPUT_CONTROLLER] = open_controller,
                                                         [TR_INPUT_FILE] = open_file};
    if (!o->input[i])
        return TR_OK;
    snprintf(out->given[i].name, sizeof out->given[i].name, "%.*s", TR_NAME_MAX - 1, o->input[i]);
    return open[o->method->input[i].kind](o, i, out, error);
}

tr_status tr_method_sources_open(const tr_method_options *o, tr_method_sources *out,
                                 tr_error *error) {
    tr_status status = TR_OK;
    *out = (tr_method_sources){.method = o->method};
    if (!tr_method_takes_model(o->method)) {
        status = tr_mjcf_load(o->model, &out->own_model, error);
        out->model = out->own_model;
    }
    for (int i = 0; !status && i < o->method->input_count; i++)
        status = open_input(o, i, out, error);
    return status;
}

/* --- keeping --- */

/* Inputs of a record are in order of their roles. */
static tr_status keep(const char *role, const void *content, size_t size, tr_run_inputs *out,
                      tr_error *error) {
    int at = out->count;
    char *copy = malloc(size + 1);
    if (!copy)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", role);
    memcpy(copy, content, size);
    copy[size] = 0;
    for (; at > 0 && strcmp(out->input[at - 1].role, role) > 0; at--)
        out->input[at] = out->input[at - 1];
    out->input[at] = (tr_run_input){.content = copy, .size = size};
    snprintf(out->input[at].role, sizeof out->input[at].role, "%s", role);
    out->count++;
    return TR_OK;
}

static tr_status keep_controller(const tr_method_input *input, const tr_controller *controller,
                                 tr_run_inputs *out, tr_error *error) {
    tr_sections sections = {0};
    tr_status status = controller->driver.kind->save(controller->driver.content, &sections, error);
    for (int k = 0; !status && k < TR_METHOD_KEPT_MAX && input->kept[k].role; k++) {
        const tr_section *section = tr_sections_find(&sections, input->kept[k].section);
        if (section)
            status = keep(input->kept[k].role, section->bytes, section->size, out, error);
    }
    tr_sections_deinit(&sections);
    return status;
}

tr_status tr_method_sources_keep(const tr_method_sources *s, tr_run_inputs *out, tr_error *error) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < s->method->input_count; i++) {
        const tr_method_input *input = &s->method->input[i];
        const tr_method_given *given = &s->given[i];
        if (given->content)
            status = keep(input->role, given->content, given->size, out, error);
        if (given->controller && input->kept[0].role)
            status = keep_controller(input, given->controller, out, error);
    }
    return status;
}
