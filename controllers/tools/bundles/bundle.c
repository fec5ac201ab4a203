/* troupe-train bundle: controllers with all they depend on as one file, to ship and to share. */
#include "db/bundles/bundle.h"
#include "db/store/catalogue.h"
#include "db/tables/certificates.h"
#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "tools/frame/tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONTROLLER_MAX = 1024 };

typedef struct arguments {
    const char *path, *catalogue, *out;
    tr_words names; /* controllers to export; none: all */
    bool renames;
    bool guided; /* those in the guide */
    bool compact;
} arguments;

static tr_status find_named(tr_catalogue *catalogue, const arguments *a, tr_row_id *out_ids,
                            tr_error *error) {
    for (int i = 0; i < a->names.count; i++) {
        tr_controller_row row;
        tr_status status = tr_controllers_resolve(catalogue, a->names.word[i], &row, error);
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

/* --- compact: rounded to zeros behind what is kept, which packing takes away (db/store/pack.h) --- */

static const double MOTION = 0x1p-20; /* packing's grid: within 0.001 degrees, 0.001 mm */
static const double RATE = 0x1p-14;   /* of velocities, m/s and rad/s */
enum { FEEDBACK_BITS = 13 };

/* No number becomes -0, which a grid does not have. */
static void round_vector(tr_vec3 *v, double grid) {
    *v = (tr_vec3){nearbyint(v->x / grid) * grid + 0.0, nearbyint(v->y / grid) * grid + 0.0,
                   nearbyint(v->z / grid) * grid + 0.0};
}

/* w is what is left of the unit length, in the order in which packing predicts it. */
static void round_turn(tr_quat *q) {
    tr_vec3 axis = {q->x, q->y, q->z};
    round_vector(&axis, MOTION);
    double left = 1;
    left -= axis.x * axis.x;
    left -= axis.y * axis.y;
    left -= axis.z * axis.z;
    *q = (tr_quat){copysign(sqrt(fmax(left, 0)), q->w), axis.x, axis.y, axis.z};
}

static void round_state(tr_state *state, int body_count) {
    round_vector(&state->pose.root_pos, MOTION);
    round_turn(&state->pose.root_rot);
    round_vector(&state->root_vel, RATE);
    round_vector(&state->root_omega, RATE);
    for (int b = 0; b < body_count; b++) { /* the root's is not used; zeros become a turn by 0 */
        round_turn(&state->pose.joint[b]);
        round_vector(&state->joint_rate[b], RATE);
    }
}

static void round_feedback(double *values, int count) {
    for (int i = 0; i < count; i++) {
        int exponent = 0;
        const double share = frexp(values[i], &exponent);
        values[i] = ldexp(nearbyint(ldexp(share, FEEDBACK_BITS)), exponent - FEEDBACK_BITS);
    }
}

static void round_fragment(tr_fragment *fragment, int body_count) {
    for (int i = 0; i < fragment->steps * body_count; i++)
        round_turn(&fragment->target[i]);
    round_feedback(tr_policy_numbers(&fragment->policy), TR_POLICY_NUMBERS);
    round_state(&fragment->start, body_count);
    round_state(&fragment->end, body_count);
}

/* Under the name and the guide of the one before. */
static tr_status replace(tr_catalogue *catalogue, const tr_controller_row *row,
                         const tr_controller *controller, tr_row_id *id, tr_error *error) {
    tr_guide guide;
    const tr_controller_entry entry = {.controller = controller, .model_id = row->model_id};
    tr_status status = tr_guides_get(catalogue, row->id, &guide, error);
    if (!status)
        status = tr_controllers_remove(catalogue, row->id, error);
    if (!status)
        status = tr_controllers_put(catalogue, &entry, id, error);
    return status ? status : tr_guides_put(catalogue, *id, &guide, error);
}

/* Replaces a controller of a scratch catalogue by one with rounded numbers (motions to 1e-6, feedback to
 * four digits), without run, clip and certificates. It moves alike and well within its certificate, but
 * not with the same bits. *id becomes the new row's. */
static tr_status compact(tr_catalogue *catalogue, tr_row_id *id, tr_error *error) {
    tr_controller_row row;
    const tr_model *model = NULL;
    tr_controller *controller = NULL;
    tr_status status = tr_controllers_get(catalogue, *id, &row, error);
    if (!status)
        status = tr_models_borrow(catalogue, row.model_id, &model, error);
    if (!status)
        status = tr_controllers_load(catalogue, row.id, model, &controller, error);
    if (status)
        return status;
    const tr_bank *bank = tr_controller_bank(controller);
    for (int i = 0; bank && i < bank->fragment_count; i++)
        round_fragment(&bank->fragment[i], model->body_count);
    status = replace(catalogue, &row, controller, id, error);
    tr_controller_destroy(controller);
    return status;
}

/* --- the commands --- */

static tr_status run_export(const void *given, tr_error *error) {
    const arguments *a = given;
    tr_catalogue *catalogue = NULL;
    tr_row_id ids[CONTROLLER_MAX];
    int count = a->names.count;
    const tr_catalogue_mode mode = a->compact ? TR_CATALOGUE_SCRATCH : TR_CATALOGUE_READ;
    tr_status status = tr_catalogue_open(a->path, mode, &catalogue, error);
    if (!status)
        status = count ? find_named(catalogue, a, ids, error)
                       : find_all(catalogue, a->guided, ids, &count, error);
    if (!status && count == 0)
        status = tr_fail(error, TR_NOT_FOUND, "%s: holds no controllers", a->path);
    for (int i = 0; !status && a->compact && i < count; i++)
        status = compact(catalogue, &ids[i], error);
    if (!status)
        status = tr_bundle_export(catalogue, ids, count, a->out, error);
    if (!status)
        printf("%s: %d controllers with their models%s\n", a->out, count,
               a->compact ? "" : ", clips and runs");
    tr_catalogue_close(catalogue);
    return status;
}

static void print_counts(const char *noun, tr_bundle_counts counts) {
    printf("  %-12s %d added, %d already there, %d renamed\n", noun, counts.added, counts.present,
           counts.renamed);
}

static tr_status run_import(tr_catalogue *catalogue, const void *given, tr_error *error) {
    const arguments *a = given;
    tr_bundle_report report;
    tr_status status = tr_bundle_import(
        catalogue, a->path, a->renames ? TR_BUNDLE_RENAME : TR_BUNDLE_REFUSE, &report, error);
    if (!status) {
        printf("%s into %s\n", a->path, a->catalogue);
        print_counts("models", report.models);
        print_counts("clips", report.clips);
        print_counts("runs", report.runs);
        print_counts("controllers", report.controllers);
        print_counts("certificates", report.certificates);
    }
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

static tr_status run_list(tr_catalogue *catalogue, const void *given, tr_error *error) {
    (void)given;
    tr_row_id ids[CONTROLLER_MAX];
    int count = 0;
    tr_status status = find_all(catalogue, false, ids, &count, error);
    for (int i = 0; !status && i < count; i++)
        status = print_controller(catalogue, ids[i], error);
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

static const tr_argument export_words[] = {
    {"CATALOGUE", TR_OPTION_TEXT, offsetof(arguments, path), "a catalogue, or a bundle"},
    {"[CONTROLLER ...]", TR_OPTION_TEXT, offsetof(arguments, names), "those to write (all)", 1,
     CONTROLLER_MAX},
    {"--out BUNDLE", TR_OPTION_TEXT, offsetof(arguments, out), "write the bundle here",
     .needed = true},
    {"--guided", TR_OPTION_FLAG, offsetof(arguments, guided), "those of its guide"},
    {"--compact", TR_OPTION_FLAG, offsetof(arguments, compact),
     "without clips, runs and certificates, and with rounded numbers: a third of the bytes"},
    {0}};

static tr_status check_export(void *given, tr_error *error) {
    const arguments *a = given;
    return a->guided && a->names.count > 0
               ? tr_fail(error, TR_INVALID_ARGUMENT, "expected either names or --guided")
               : TR_OK;
}

static const tr_argument import_words[] = {
    {"BUNDLE", TR_OPTION_TEXT, offsetof(arguments, path), "what 'export' wrote"},
    {"--catalogue CATALOGUE", TR_OPTION_TEXT, offsetof(arguments, catalogue),
     "gets the rows; made if missing", .needed = true},
    {"--rename", TR_OPTION_FLAG, offsetof(arguments, renames),
     "a newcomer whose name other content has gets a number"},
    {0}};

static const tr_argument file_words[] = {
    {"FILE", TR_OPTION_TEXT, offsetof(arguments, path), "a bundle, or a catalogue"}, {0}};

const tr_tool_command tr_tool_bundle_export = {
    .name = "bundle export",
    .argument = export_words,
    .check = check_export,
    .summary = "write the named controllers of a catalogue, those of its guide, or all",
    .help = "The same rows give the same bytes.\n",
    .options = sizeof(arguments),
    .run = run_export,
};

const tr_tool_command tr_tool_bundle_import = {
    .name = "bundle import",
    .argument = import_words,
    .summary = "read all of a bundle into a catalogue, or nothing; all of it is checked first",
    .help = "A name that other content has taken is an error; with --rename the newcomer gets a\n"
            "number.\n",
    .options = sizeof(arguments),
    .on = {offsetof(arguments, catalogue), TR_CATALOGUE_CREATE, run_import},
};

const tr_tool_command tr_tool_bundle_check = {
    .name = "bundle check",
    .argument = file_words,
    .summary = "check that a file is a sound bundle",
    .options = sizeof(arguments),
    .run = run_check,
};

const tr_tool_command tr_tool_bundle_list = {
    .name = "bundle list",
    .argument = file_words,
    .summary = "list the controllers of a bundle or catalogue",
    .help = "A line each between tabs: name, cyclic or chain, certificates, skill, run, kind of\n"
            "driver, model, section and summary of the guide.\n",
    .options = sizeof(arguments),
    .on = {offsetof(arguments, path), TR_CATALOGUE_READ, run_list},
};
