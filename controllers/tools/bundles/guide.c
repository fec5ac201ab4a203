/* troupe-train bundle guide: names, sections and summaries of controllers. */
#include "db/store/catalogue.h"
#include "db/tables/certificates.h"
#include "db/tables/controllers.h"
#include "tools/frame/tool.h"
#include "tools/measure/certificate_list.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct arguments {
    const char *list, *catalogue;
} arguments;

/* One entry of the list, as its JSON says it. */
typedef struct listed {
    const char *section, *name, *from, *summary; /* from: its name in the catalogue; NULL: `name` */
    json_t *formerly;                            /* names; NULL: none */
} listed;

static tr_status read_entry(const char *path, json_t *entry, size_t index, listed *out,
                            tr_error *error) {
    json_error_t where;
    listed e = {0};
    if (json_unpack_ex(entry, &where, JSON_STRICT, "{s:s, s:s, s?s, s:s, s?o}", "section",
                       &e.section, "name", &e.name, "from", &e.from, "summary", &e.summary,
                       "formerly", &e.formerly))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: controllers[%zu]: %s", path, index,
                       where.text);
    if (json_array_size(e.formerly) > TR_GUIDE_FORMER_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%.200s: controllers[%zu]: formerly: expected at most %d names", path, index,
                       TR_GUIDE_FORMER_MAX);
    *out = e;
    return TR_OK;
}

static bool copy(char *out, size_t capacity, const char *text) {
    return text && snprintf(out, capacity, "%s", text) < (int)capacity;
}

/* " Survives 120 N ..." by the newest certificate of the whole controller; nothing without one. */
static tr_status add_survival(tr_catalogue *catalogue, tr_row_id controller, tr_guide *guide,
                              tr_error *error) {
    tr_certificate_row row;
    tr_certificate_content content = {0};
    int count = 1;
    tr_status status = tr_certificates_list(catalogue, controller, "", &row, &count, error);
    if (status || count == 0)
        return status;
    status = tr_certificates_load(catalogue, row.id, &content, error);
    double force_n = status ? 0 : tr_certificate_value(&content, "push95_n", "all");
    tr_certificate_content_deinit(&content);
    size_t used = strlen(guide->summary);
    if (force_n > 0 && used + 40 < sizeof guide->summary)
        snprintf(guide->summary + used, sizeof guide->summary - used, "; survives pushes of %.0f N",
                 force_n);
    return status;
}

static tr_status fill(const arguments *a, const listed *entry, tr_guide *out, tr_error *error) {
    bool fits = copy(out->section, sizeof out->section, entry->section) &&
                copy(out->summary, sizeof out->summary, entry->summary);
    size_t count = json_array_size(entry->formerly);
    for (size_t i = 0; i < count && fits; i++)
        fits = copy(out->former[i], sizeof out->former[i],
                    json_string_value(json_array_get(entry->formerly, i)));
    out->former_count = (int)count;
    if (fits && entry->from && out->former_count < TR_GUIDE_FORMER_MAX)
        fits = copy(out->former[out->former_count++], sizeof out->former[0], entry->from);
    return fits ? TR_OK
                : tr_fail(error, TR_INVALID_ARGUMENT,
                          "%.200s: '%s': a text is too long, or a former name is not a text",
                          a->list, entry->name);
}

static tr_status apply(const arguments *a, tr_catalogue *catalogue, const listed *entry,
                       tr_error *error) {
    tr_controller_row row;
    tr_guide guide = {0};
    tr_status status =
        tr_controllers_resolve(catalogue, entry->from ? entry->from : entry->name, &row, error);
    if (!status)
        status = fill(a, entry, &guide, error);
    if (!status)
        status = add_survival(catalogue, row.id, &guide, error);
    if (!status)
        status = tr_controllers_rename(catalogue, row.id, entry->name, error);
    return status ? status : tr_guides_put(catalogue, row.id, &guide, error);
}

static tr_status apply_all(const arguments *a, json_t *list, tr_catalogue *catalogue,
                           tr_error *error) {
    json_error_t where;
    json_t *controllers = NULL, *entry;
    size_t i;
    if (json_unpack_ex(list, &where, JSON_STRICT, "{s:o}", "controllers", &controllers))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s: %s", a->list, where.text);
    json_array_foreach(controllers, i, entry) {
        listed e = {0};
        tr_status status = read_entry(a->list, entry, i, &e, error);
        if (!status)
            status = apply(a, catalogue, &e, error);
        if (status)
            return status;
    }
    printf("%s: the guide has %zu controllers\n", a->catalogue, json_array_size(controllers));
    return TR_OK;
}

static tr_status run(tr_catalogue *catalogue, const void *given, tr_error *error) {
    const arguments *a = given;
    json_error_t where;
    json_t *list = json_load_file(a->list, JSON_REJECT_DUPLICATES, &where);
    if (!list)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%.200s:%d: %s", a->list, where.line,
                       where.text);
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (!status)
        status = tr_catalogue_end(catalogue, apply_all(a, list, catalogue, error), error);
    json_decref(list);
    return status;
}

static const tr_argument words[] = {
    {"LIST", TR_OPTION_TEXT, offsetof(arguments, list), "the list of the guide"},
    {"--catalogue FILE", TR_OPTION_TEXT, offsetof(arguments, catalogue), "holds the controllers",
     .needed = true},
    {0}};

const tr_tool_command tr_tool_bundle_guide = {
    .name = "bundle guide",
    .summary = "give controllers the names, sections and summaries of a list in JSON",
    .help =
        "A name that changes still leads to the controller, as do those under \"formerly\". The\n"
        "summary ends with the force that the newest certificate shows.\n"
        "\n"
        "  troupe-train bundle guide controllers/recipes/shipped.json --catalogue all.sqlite\n"
        "  troupe-train bundle export all.sqlite --guided -o db/shipped.troupe\n",
    .options = sizeof(arguments),
    .argument = words,
    .on = {offsetof(arguments, catalogue), TR_CATALOGUE_WRITE, run},
};
