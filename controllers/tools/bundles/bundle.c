/* troupe-train bundle: controllers with all they depend on as one file, to ship and to share. */
#include "db/bundles/bundle.h"
#include "db/store/catalogue.h"
#include "db/tables/certificates.h"
#include "db/tables/controllers.h"
#include "tools/bundles/guide.h"
#include "tools/frame/options.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <string.h>

enum { CONTROLLER_MAX = 1024 };

typedef struct arguments {
    const char *path, *catalogue, *out;
    tr_bundle_conflict conflict;
    char **names; /* [name_count] controllers to export; none: all */
    int name_count;
    bool guided; /* those in the guide */
} arguments;

static tr_status find_named(tr_catalogue *catalogue, const arguments *a, tr_row_id *out_ids,
                            tr_error *error) {
    for (int i = 0; i < a->name_count; i++) {
        tr_controller_row row;
        tr_status status = tr_controllers_resolve(catalogue, a->names[i], &row, error);
        if (status)
            return status;
        out_ids[i] = row.id;
    }
    return TR_OK;
}

/* All controllers, or with `guided` those in the guide. */
static tr_status find_all(tr_catalogue *catalogue, bool guided, tr_row_id *out_ids, int *out_count,
                          tr_error *error) {
    static tr_controller_row page[TR_PAGE_MAX];
    char after[TR_NAME_MAX] = "";
    int count = TR_PAGE_MAX;
    *out_count = 0;
    while (count == TR_PAGE_MAX) {
        tr_controller_filter filter = {.after = after[0] ? after : NULL};
        tr_status status = tr_controllers_list(catalogue, &filter, page, &count, error);
        if (status)
            return status;
        if (*out_count + count > CONTROLLER_MAX)
            return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                           "more than %d controllers: name those to export", CONTROLLER_MAX);
        for (int i = 0; i < count; i++)
            if (!guided || page[i].section[0])
                out_ids[(*out_count)++] = page[i].id;
        if (count)
            memcpy(after, page[count - 1].name, sizeof after);
    }
    return TR_OK;
}

static tr_status run_export(const void *given, tr_error *error) {
    const arguments *a = given;
    tr_catalogue *catalogue = NULL;
    tr_row_id ids[CONTROLLER_MAX];
    int count = a->name_count;
    tr_status status = tr_catalogue_open(a->path, TR_CATALOGUE_READ, &catalogue, error);
    if (!status)
        status = count ? find_named(catalogue, a, ids, error)
                       : find_all(catalogue, a->guided, ids, &count, error);
    if (!status && count == 0)
        status = tr_fail(error, TR_NOT_FOUND, "%s: holds no controllers", a->path);
    if (!status)
        status = tr_bundle_export(catalogue, ids, count, a->out, error);
    if (!status)
        printf("%s: %d controllers with their models, clips and runs\n", a->out, count);
    tr_catalogue_close(catalogue);
    return status;
}

static void print_counts(const char *noun, tr_bundle_counts counts) {
    printf("  %-12s %d added, %d already there, %d renamed\n", noun, counts.added, counts.present,
           counts.renamed);
}

static tr_status run_import(const void *given, tr_error *error) {
    const arguments *a = given;
    tr_catalogue *catalogue = NULL;
    tr_bundle_report report;
    tr_status status = tr_catalogue_open(a->catalogue, TR_CATALOGUE_CREATE, &catalogue, error);
    if (!status)
        status = tr_bundle_import(catalogue, a->path, a->conflict, &report, error);
    if (!status) {
        printf("%s into %s\n", a->path, a->catalogue);
        print_counts("models", report.models);
        print_counts("clips", report.clips);
        print_counts("runs", report.runs);
        print_counts("controllers", report.controllers);
        print_counts("certificates", report.certificates);
    }
    tr_catalogue_close(catalogue);
    return status;
}

/* One line a controller, for scripts. */
static tr_status print_controller(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    static tr_certificate_row certificates[TR_PAGE_MAX];
    tr_controller_row row;
    int count = TR_PAGE_MAX;
    tr_status status = tr_controllers_get(catalogue, id, &row, error);
    if (!status)
        status = tr_certificates_list(catalogue, id, NULL, certificates, &count, error);
    if (!status)
        printf("%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", row.name, row.cyclic ? "cyclic" : "chain",
               count, row.skill, row.run_name, row.kind, row.model_name, row.section, row.summary);
    return status;
}

static tr_status run_list(const void *given, tr_error *error) {
    const arguments *a = given;
    tr_catalogue *catalogue = NULL;
    tr_row_id ids[CONTROLLER_MAX];
    int count = 0;
    tr_status status = tr_catalogue_open(a->path, TR_CATALOGUE_READ, &catalogue, error);
    if (!status)
        status = find_all(catalogue, false, ids, &count, error);
    for (int i = 0; !status && i < count; i++)
        status = print_controller(catalogue, ids[i], error);
    tr_catalogue_close(catalogue);
    return status;
}

static tr_status run_check(const void *given, tr_error *error) {
    const arguments *a = given;
    tr_status status = tr_bundle_check(a->path, error);
    if (!status)
        printf("%s: sound\n", a->path);
    return status;
}

/* --- what each takes --- */

static bool complain(const char *command, const char *expected) {
    fprintf(stderr, "troupe-train %s: expected %s\n", command, expected);
    return false;
}

static bool parse_export(int argc, char **argv, void *out) {
    arguments *a = out;
    const tr_option table[] = {{"out", TR_OPTION_TEXT, &a->out, 0, 0},
                               {"guided", TR_OPTION_FLAG, &a->guided, 0, 0}};
    int first = tr_options_take(argv[0], argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (first == argc || !a->out)
        return complain(argv[0], "CATALOGUE and -o BUNDLE");
    a->path = argv[first];
    a->names = argv + first + 1;
    a->name_count = argc - first - 1;
    if (a->guided && a->name_count > 0)
        return complain(argv[0], "either names or --guided");
    return a->name_count <= CONTROLLER_MAX || complain(argv[0], "at most 1024 controllers");
}

static bool parse_import(int argc, char **argv, void *out) {
    arguments *a = out;
    bool renames = false;
    const tr_option table[] = {{"catalogue", TR_OPTION_TEXT, &a->catalogue, 0, 0},
                               {"rename", TR_OPTION_FLAG, &renames, 0, 0}};
    int first = tr_options_take(argv[0], argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (first + 1 != argc || !a->catalogue)
        return complain(argv[0], "BUNDLE and --catalogue");
    a->path = argv[first];
    a->conflict = renames ? TR_BUNDLE_RENAME : TR_BUNDLE_REFUSE;
    return true;
}

static bool parse_file(int argc, char **argv, void *out) {
    int first = tr_options_take(argv[0], argc, argv, NULL, 0);
    if (!first)
        return false;
    if (first + 1 != argc)
        return complain(argv[0], "one file");
    ((arguments *)out)->path = argv[first];
    return true;
}

static const tr_tool_command export = {
    .name = "export",
    .arguments = "CATALOGUE [CONTROLLER ... | --guided] -o BUNDLE",
    .summary = "write the named controllers of a catalogue, those of its guide, or all",
    .help = "The same rows give the same bytes.\n",
    .options = sizeof(arguments),
    .parse = parse_export,
    .run = run_export,
};

static const tr_tool_command import = {
    .name = "import",
    .arguments = "BUNDLE --catalogue CATALOGUE [--rename]",
    .summary = "read all of a bundle into a catalogue, or nothing; all of it is checked first",
    .help = "A name that other content has taken is an error; with --rename the newcomer gets a\n"
            "number.\n",
    .options = sizeof(arguments),
    .parse = parse_import,
    .run = run_import,
};

static const tr_tool_command check = {
    .name = "check",
    .arguments = "BUNDLE",
    .summary = "check that a file is a sound bundle",
    .help = "",
    .options = sizeof(arguments),
    .parse = parse_file,
    .run = run_check,
};

static const tr_tool_command list = {
    .name = "list",
    .arguments = "FILE",
    .summary = "list the controllers of a bundle or catalogue",
    .help = "A line each between tabs: name, cyclic or chain, certificates, skill, run, kind of\n"
            "driver, model, section and summary of the guide.\n",
    .options = sizeof(arguments),
    .parse = parse_file,
    .run = run_list,
};

static const tr_tool_command *const parts[] = {
    &export, &import, &check, &list, &tr_tool_bundle_guide, NULL};

const tr_tool_command tr_tool_bundle = {
    .name = "bundle",
    .arguments = "export | import | check | list | guide [ARGUMENTS]",
    .summary = "pack controllers with all they depend on into one file, or unpack such a file",
    .help = "A bundle holds controllers with their control fragments, models, clips and training\n"
            "runs.\n\n"
            "  troupe-train bundle export catalogue.sqlite run walk -o gaits.troupe\n"
            "  troupe-train bundle import gaits.troupe --catalogue other.sqlite\n",
    .parts = parts,
};
