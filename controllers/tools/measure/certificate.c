/* troupe-train certificate: prints and draws what the catalogue knows of a controller's trials. */
#include "tools/frame/tool.h"
#include "tools/measure/certificate_text.h"

#include "db/store/catalogue.h"
#include "db/tables/controllers.h"

#include <stdio.h>

typedef struct options {
    const char *name, *catalogue, *skill;
    bool walks, table;
} options;

static const options defaults = {.skill = ""};

static const tr_argument words[] = {
    {"[CONTROLLER]", TR_OPTION_TEXT, offsetof(options, name), "the certificate of this one"},
    {"--catalogue FILE", TR_OPTION_TEXT, offsetof(options, catalogue), "holds the certificates",
     .needed = true},
    {"--skill NAME", TR_OPTION_TEXT, offsetof(options, skill),
     "the certificate of this skill of a graph"},
    {"--walks", TR_OPTION_FLAG, offsetof(options, walks),
     "that of random walks over all its skills"},
    {"--table", TR_OPTION_FLAG, offsetof(options, table),
     "the newest certificates of all controllers, a row each, as Markdown"},
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    if (!o->name == !o->table)
        return tr_fail(error, TR_INVALID_ARGUMENT, "expected CONTROLLER or --table");
    if (o->table && (o->walks || o->skill[0]))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--table lists all: expected no --skill, --walks");
    if (o->walks)
        o->skill = TR_CERTIFICATE_ALL_SKILLS;
    return TR_OK;
}

/* The last that was measured. */
static tr_status find(tr_catalogue *catalogue, const options *o, tr_certificate_row *out,
                      tr_error *error) {
    tr_controller_row controller;
    int count = 1;
    tr_status status = tr_controllers_resolve(catalogue, o->name, &controller, error);
    if (!status)
        status = tr_certificates_list(catalogue, controller.id, o->skill, out, &count, error);
    if (!status && count == 0)
        status = tr_fail(error, TR_NOT_FOUND, "controller '%s': has no certificate%s%s", o->name,
                         o->skill[0] ? " of skill " : "", o->skill);
    return status;
}

static tr_status show(tr_catalogue *catalogue, const options *o, tr_error *error) {
    tr_certificate_row row;
    tr_certificate_content content = {0};
    tr_status status = find(catalogue, o, &row, error);
    if (!status)
        status = tr_certificates_load(catalogue, row.id, &content, error);
    if (!status)
        tr_certificate_print(stdout, o->name, &row, &content);
    tr_certificate_content_deinit(&content);
    return status;
}

static tr_status run(tr_catalogue *catalogue, const void *given, tr_error *error) {
    const options *o = given;
    return o->table ? tr_certificate_table_print(stdout, catalogue, error)
                    : show(catalogue, o, error);
}

const tr_tool_command tr_tool_certificate = {
    .name = "certificate",
    .summary = "print the certificate of a controller",
    .help =
        "Print the result of 'troupe-train certify' in a catalogue or a bundle. The viewer and\n"
        "client/python/examples/plot_certificate.py draw it.\n",
    .example = "  troupe-train certificate run --catalogue db/shipped.troupe\n"
               "  troupe-train certificate --table --catalogue db/shipped.troupe\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .check = check,
    .on = {offsetof(options, catalogue), TR_CATALOGUE_READ, run}};
