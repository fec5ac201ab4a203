#include "model/mjcf_reader.h"

#include "proto/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double largest_number = 1e6;

static const char *node_name(const xmlNode *node) {
    return (const char *)node->name;
}

tr_status tr_mjcf_fail(const tr_mjcf_reader *reader, const xmlNode *node, const char *format, ...) {
    char what[TR_ERROR_MESSAGE_MAX / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *name = tr_mjcf_attribute(node, NULL, "name");
    return tr_fail(reader->error, TR_INVALID_ARGUMENT, "%s:%ld: <%.40s%s%.40s%s>: %s", reader->file,
                   xmlGetLineNo(node), node_name(node), name ? " name=\"" : "", name ? name : "",
                   name ? "\"" : "", what);
}

static const xmlAttr *find_attribute(const xmlNode *node, const char *name) {
    for (const xmlAttr *attr = node->properties; attr; attr = attr->next)
        if (strcmp((const char *)attr->name, name) == 0)
            return attr;
    return NULL;
}

const char *tr_mjcf_attribute(const xmlNode *node, const xmlNode *defaults, const char *name) {
    const xmlAttr *attr = find_attribute(node, name);
    if (!attr && defaults)
        attr = find_attribute(defaults, name);
    if (!attr)
        return NULL;
    return attr->children && attr->children->content ? (const char *)attr->children->content : "";
}

/* --- what may stand where --- */

static tr_status check_attributes(const tr_mjcf_reader *reader, const xmlNode *node,
                                  const char *allowed) {
    for (const xmlAttr *attr = node->properties; attr; attr = attr->next)
        if (allowed &&
            !tr_text_lists(allowed, (const char *)attr->name, strlen((const char *)attr->name)))
            return tr_mjcf_fail(reader, node, "unsupported attribute '%.40s', expected one of: %s",
                                (const char *)attr->name, *allowed ? allowed : "none");
    return TR_OK;
}

static tr_status fail_unexpected(const tr_mjcf_reader *reader, const xmlNode *node,
                                 const tr_mjcf_element *table) {
    char names[TR_ERROR_MESSAGE_MAX / 4] = "";
    size_t used = 0;
    for (const tr_mjcf_element *entry = table; entry->name && used < sizeof names; entry++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                 entry->name);
    return tr_mjcf_fail(reader, node, "unsupported element inside <%.40s>, expected one of: %s",
                        node_name(node->parent), used ? names : "none");
}

static tr_status read_child(tr_mjcf_reader *reader, const xmlNode *node,
                            const tr_mjcf_element *table) {
    const tr_mjcf_element *entry = table;
    while (entry->name && strcmp(entry->name, node_name(node)) != 0)
        entry++;
    if (!entry->name)
        return fail_unexpected(reader, node, table);
    tr_status status = check_attributes(reader, node, entry->attributes);
    return status || !entry->read ? status : entry->read(reader, node);
}

tr_status tr_mjcf_read_children(tr_mjcf_reader *reader, const xmlNode *parent,
                                const tr_mjcf_element *table) {
    for (const xmlNode *node = parent->children; node; node = node->next) {
        if (node->type == XML_COMMENT_NODE || xmlIsBlankNode(node))
            continue;
        if (node->type != XML_ELEMENT_NODE)
            return tr_mjcf_fail(reader, parent, "expected elements only, found text");
        tr_status status = read_child(reader, node, table);
        if (status)
            return status;
    }
    return TR_OK;
}

/* --- typed attributes --- */

bool tr_mjcf_scan_number(const char **cursor, double *out) {
    const char *start = *cursor + strspn(*cursor, " \t\r\n");
    double value;
    const char *end = tr_text_number(start, &value);
    if (!end || strspn(end, "+-.0123456789eE") > 0 || !(fabs(value) <= largest_number))
        return false;
    *out = value;
    *cursor = end;
    return true;
}

static const xmlNode *defaults_for(const tr_mjcf_reader *reader, const xmlNode *node) {
    if (strcmp(node_name(node), "geom") == 0)
        return reader->geom_defaults;
    return strcmp(node_name(node), "joint") == 0 ? reader->joint_defaults : NULL;
}

tr_status tr_mjcf_read_numbers(const tr_mjcf_reader *reader, const xmlNode *node,
                               const tr_mjcf_numbers *spec, double *out, int *out_count) {
    const char *text = tr_mjcf_attribute(node, defaults_for(reader, node), spec->name);
    double value[TR_MJCF_NUMBERS_MAX] = {0};
    int count = 0;
    *out_count = 0;
    if (!text)
        return TR_OK;
    const char *at = text;
    while (count < spec->most && tr_mjcf_scan_number(&at, &value[count]))
        count++;
    bool all_read = at[strspn(at, " \t\r\n")] == '\0';
    if (!all_read || count < spec->least) {
        char range[16] = "";
        if (spec->most > spec->least)
            snprintf(range, sizeof range, " to %d", spec->most);
        return tr_mjcf_fail(reader, node, "%s: expected %d%s numbers up to 1e6, found '%.60s'",
                            spec->name, spec->least, range, text);
    }
    memcpy(out, value, sizeof value[0] * (size_t)count);
    *out_count = count;
    return TR_OK;
}

tr_status tr_mjcf_read_vec3(const tr_mjcf_reader *reader, const xmlNode *node, const char *name,
                            tr_vec3 *out) {
    double value[3];
    int count;
    tr_status status =
        tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){name, 3, 3}, value, &count);
    if (!status && count == 3)
        *out = (tr_vec3){value[0], value[1], value[2]};
    return status;
}

tr_status tr_mjcf_read_quat(const tr_mjcf_reader *reader, const xmlNode *node, const char *name,
                            tr_quat *out) {
    double value[4];
    int count;
    tr_status status =
        tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){name, 4, 4}, value, &count);
    if (status || count == 0)
        return status;
    tr_quat q = {value[0], value[1], value[2], value[3]};
    if (tr_quat_dot(q, q) < 1e-12)
        return tr_mjcf_fail(reader, node, "%s: expected a quaternion w x y z longer than zero",
                            name);
    *out = tr_quat_normalize(q);
    return TR_OK;
}

tr_status tr_mjcf_read_bool(const tr_mjcf_reader *reader, const xmlNode *node, const char *name,
                            bool *out) {
    const char *text = tr_mjcf_attribute(node, defaults_for(reader, node), name);
    if (!text)
        return TR_OK;
    bool value = strcmp(text, "true") == 0;
    if (!value && strcmp(text, "false") != 0)
        return tr_mjcf_fail(reader, node, "%s: expected true or false, found '%.40s'", name, text);
    *out = value;
    return TR_OK;
}

tr_status tr_mjcf_read_name(const tr_mjcf_reader *reader, const xmlNode *node,
                            char out[TR_NAME_MAX]) {
    const char *text = tr_mjcf_attribute(node, NULL, "name");
    size_t length = text ? strlen(text) : 0;
    if (length == 0 || length >= TR_NAME_MAX)
        return tr_mjcf_fail(reader, node, "name: expected 1 to %d characters", TR_NAME_MAX - 1);
    memcpy(out, text, length + 1);
    return TR_OK;
}

tr_status tr_mjcf_find_body(const tr_mjcf_reader *reader, const xmlNode *node, const char *field,
                            const char *name, int *out) {
    int body = tr_model_find_body(reader->model, name);
    if (body < 0)
        return tr_mjcf_fail(reader, node, "%s: there is no body named '%.40s'", field, name);
    *out = body;
    return TR_OK;
}
