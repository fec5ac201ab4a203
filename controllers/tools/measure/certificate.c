/* troupe-train certificate: prints and draws what the catalogue knows of a controller's trials. */
#include "tools/frame/options.h"
#include "tools/frame/tool.h"
#include "tools/measure/certificate_list.h"
#include "tools/measure/certificate_plot.h"
#include "tools/measure/certificate_table.h"

#include "db/store/catalogue.h"
#include "db/tables/controllers.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct options {
    const char *name, *catalogue, *svg, *skill;
    int which; /* 1: the one measured last */
    bool walks, table;
} options;

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    *o = (options){.which = 1, .skill = ""};
    const tr_option table[] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
        {"skill", TR_OPTION_TEXT, &o->skill, 0, 0},
        {"walks", TR_OPTION_FLAG, &o->walks, 0, 0},
        {"table", TR_OPTION_FLAG, &o->table, 0, 0},
        {"svg", TR_OPTION_TEXT, &o->svg, 0, 0},
        {"which", TR_OPTION_COUNT, &o->which, 1, TR_PAGE_MAX},
    };
    int first = tr_options_take("certificate", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (first + (o->table ? 0 : 1) != argc || !o->catalogue) {
        fputs("troupe-train certificate: expected CONTROLLER or --table, and --catalogue\n",
              stderr);
        return false;
    }
    if (o->table && (o->walks || o->skill[0] || o->svg || o->which != 1)) {
        fputs("troupe-train certificate: --table lists all; expected no --skill, --walks, --svg, "
              "--which\n",
              stderr);
        return false;
    }
    if (o->walks)
        o->skill = TR_CERTIFICATE_ALL_SKILLS;
    o->name = argv[first];
    return true;
}

static tr_status find(tr_catalogue *catalogue, const options *o, tr_certificate_row *out,
                      tr_error *error) {
    static tr_certificate_row rows[TR_PAGE_MAX];
    tr_controller_row controller;
    int count = o->which;
    tr_status status = tr_controllers_resolve(catalogue, o->name, &controller, error);
    if (!status)
        status = tr_certificates_list(catalogue, controller.id, o->skill, rows, &count, error);
    if (!status && count < o->which)
        status = tr_fail(error, TR_NOT_FOUND, "controller '%s': has %d certificates%s%s", o->name,
                         count, o->skill[0] ? " of skill " : "", o->skill);
    if (!status)
        *out = rows[o->which - 1];
    return status;
}

static tr_status show(tr_catalogue *catalogue, const options *o, tr_error *error) {
    tr_certificate_row row;
    tr_certificate_content content = {0};
    tr_status status = find(catalogue, o, &row, error);
    if (!status)
        status = tr_certificates_load(catalogue, row.id, &content, error);
    if (!status && o->svg && o->walks)
        status =
            tr_fail(error, TR_INVALID_ARGUMENT, "--svg: walks have no plot; expected no --walks");
    else if (!status && o->svg && content.push_count == 0)
        status = tr_fail(error, TR_FAILED_PRECONDITION,
                         "--svg: '%s' was not pushed; its certificate has no plot", o->name);
    else if (!status && o->svg)
        status = tr_certificate_plot(o->svg, o->name, &row, &content, error);
    else if (!status)
        tr_certificate_print(stdout, o->name, &row, &content);
    tr_certificate_content_deinit(&content);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_READ, &catalogue, error);
    if (!status)
        status =
            o->table ? tr_certificate_table(stdout, catalogue, error) : show(catalogue, o, error);
    tr_catalogue_close(catalogue);
    return status;
}

const tr_tool_command tr_tool_certificate = {
    .name = "certificate",
    .arguments =
        "(CONTROLLER [--skill NAME | --walks] [--svg SVG] [--which N] | --table) --catalogue FILE",
    .summary = "print or draw the certificate of a controller",
    .help = "Print the result of 'troupe-train certify' in a catalogue or a bundle.\n"
            "\n"
            "  --skill NAME  the certificate of this skill of a graph\n"
            "  --walks       that of random walks over all its skills\n"
            "  --svg SVG     draw it: pushes survived by direction, trials that resist, errors\n"
            "  --which N     the N-th from the last measured (1: the last)\n"
            "  --table       the newest certificates of all controllers, a row each, as Markdown\n"
            "\n"
            "  troupe-train certificate run --catalogue db/shipped.troupe --svg run.svg\n"
            "  troupe-train certificate --table --catalogue db/shipped.troupe\n",
    .options = sizeof(options),
    .parse = parse,
    .run = run};
