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
    const char *name = tr_mjcf_attribute(node, "name");
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

static bool is_default(const xmlNode *node) {
    return node && node->type == XML_ELEMENT_NODE && strcmp(node_name(node), "default") == 0;
}

static const char *text_of(const xmlAttr *attr) {
    return attr->children && attr->children->content ? (const char *)attr->children->content : "";
}

/* --- defaults --- */

/* The element <default class=NAME> under a parent, at any depth; NULL: none. */
static const xmlNode *find_class(const xmlNode *parent, const char *name) {
    for (const xmlNode *node = parent->children; node; node = node->next) {
        const xmlAttr *class = is_default(node) ? find_attribute(node, "class") : NULL;
        if (class && strcmp(text_of(class), name) == 0)
            return node;
        const xmlNode *inner = is_default(node) ? find_class(node, name) : NULL;
        if (inner)
            return inner;
    }
    return NULL;
}

/* The class of an element: its own, or the childclass of the nearest body around it. */
static const xmlAttr *class_of(const xmlNode *node) {
    const xmlAttr *class = find_attribute(node, "class");
    for (const xmlNode *around = node->parent; !class && around && around->type == XML_ELEMENT_NODE;
         around = around->parent)
        class = find_attribute(around, "childclass");
    return class;
}

/* What <default> gives elements like this one: the last value wins. */
static const xmlAttr *find_given(const xmlNode *defaults, const xmlNode *node, const char *name) {
    const xmlAttr *attr = NULL;
    for (const xmlNode *each = defaults->last; !attr && each; each = each->prev)
        if (each->type == XML_ELEMENT_NODE && strcmp(node_name(each), node_name(node)) == 0)
            attr = find_attribute(each, name);
    return attr;
}

/* From the class of the element, then from those around that class, then from all at the top. */
static const xmlAttr *find_default(const xmlNode *node, const char *name) {
    const xmlNode *root = xmlDocGetRootElement(node->doc);
    const xmlAttr *class = class_of(node), *attr = NULL;
    for (const xmlNode *each = class ? find_class(root, text_of(class)) : NULL;
         !attr && is_default(each); each = each->parent)
        attr = find_given(each, node, name);
    for (const xmlNode *each = root->last; !attr && each; each = each->prev)
        if (is_default(each))
            attr = find_given(each, node, name);
    return attr;
}

const char *tr_mjcf_attribute(const xmlNode *node, const char *name) {
    const xmlAttr *attr = find_attribute(node, name);
    if (!attr)
        attr = find_default(node, name);
    return attr ? text_of(attr) : NULL;
}

static tr_status check_class(const tr_mjcf_reader *reader, const xmlNode *node) {
    const xmlAttr *attr = find_attribute(node, "class");
    if (!attr)
        attr = find_attribute(node, "childclass");
    /* The values at the top are of the class "main", which need not be declared. */
    return !attr || strcmp(text_of(attr), "main") == 0 ||
                   find_class(xmlDocGetRootElement(node->doc), text_of(attr))
               ? TR_OK
               : tr_mjcf_fail(reader, node, "%s: there is no <default class=\"%.40s\">",
                              (const char *)attr->name, text_of(attr));
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
    if (!status && entry->attributes)
        status = check_class(reader, node);
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

tr_status tr_mjcf_read_numbers(const tr_mjcf_reader *reader, const xmlNode *node,
                               const tr_mjcf_numbers *spec, double *out, int *out_count) {
    const char *text = tr_mjcf_attribute(node, spec->name);
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
    const char *text = tr_mjcf_attribute(node, name);
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
    const char *text = tr_mjcf_attribute(node, "name");
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
