/* troupe-train certify: measures what a controller holds and survives, and keeps it in the
 * catalogue. */
#include "learn/certify.h"
#include "db/catalogue.h"
#include "db/certificates.h"
#include "db/controllers.h"
#include "db/models.h"
#include "model/mjcf.h"
#include "motion/motion.h"
#include "physics/world.h"
#include "tools/certificate_list.h"
#include "tools/circumstances.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/tool.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct options {
    const char *name, *catalogue, *motion;
    int threads;
    tr_certify_def def;
} options;

/* --- the command line --- */

enum { OPTION_HOLD_TRIALS = 256, OPTION_HOLD_SECONDS, OPTION_RESIST_TRIALS, OPTION_DIRECTIONS };
enum { OPTION_STARTS = OPTION_DIRECTIONS + 1, OPTION_GRID, OPTION_LIMIT, OPTION_TRACK };

static const struct option long_options[] = {
    {"catalogue", required_argument, NULL, 'c'},
    {"motion", required_argument, NULL, 'm'},
    {"seed", required_argument, NULL, 'r'},
    {"threads", required_argument, NULL, 't'},
    {"hold-trials", required_argument, NULL, OPTION_HOLD_TRIALS},
    {"hold-seconds", required_argument, NULL, OPTION_HOLD_SECONDS},
    {"resist-trials", required_argument, NULL, OPTION_RESIST_TRIALS},
    {"directions", required_argument, NULL, OPTION_DIRECTIONS},
    {"starts", required_argument, NULL, OPTION_STARTS},
    {"grid", required_argument, NULL, OPTION_GRID},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"track-seconds", required_argument, NULL, OPTION_TRACK},
    {NULL, 0, NULL, 0}};

static bool take_option(options *o, const struct option *option) {
    tr_option_value value = {"certify", option->name, optarg};
    tr_certify_def *def = &o->def;
    double seed = 0;
    switch (option->val) {
    case 'c':
        o->catalogue = optarg;
        return true;
    case 'm':
        o->motion = optarg;
        return true;
    case 'r':
        if (!tr_option_number(&value, 0, 1e15, &seed))
            return false;
        def->seed = (uint64_t)seed;
        return true;
    case 't':
        return tr_option_count(&value, TR_POOL_THREAD_MAX, &o->threads);
    case OPTION_HOLD_TRIALS:
        return tr_option_count(&value, TR_CERTIFY_TRIAL_MAX, &def->hold_trials);
    case OPTION_HOLD_SECONDS:
        return tr_option_number(&value, 0.1, 1e5, &def->hold_s);
    case OPTION_RESIST_TRIALS:
        return tr_option_count(&value, TR_CERTIFY_TRIAL_MAX, &def->resist_trials);
    case OPTION_DIRECTIONS:
        return tr_option_count(&value, TR_PUSH_DIRECTION_MAX, &def->push.directions);
    case OPTION_STARTS:
        return tr_option_count(&value, 100, &def->push.starts);
    case OPTION_GRID:
        return tr_option_number(&value, 1, 1e3, &def->force_grid_n);
    case OPTION_LIMIT:
        return tr_option_number(&value, 1, 1e4, &def->force_limit_n);
    case OPTION_TRACK:
        return tr_option_number(&value, 0.1, 1e4, &def->tracking_s);
    default:
        return false;
    }
}

static bool parse(int argc, char **argv, options *o) {
    *o = (options){.def = tr_certify_def_default(), .threads = tr_option_default_threads()};
    optind = 1;
    for (int index, option; (option = getopt_long(argc, argv, "", long_options, &index)) != -1;)
        if (option == '?' || !take_option(o, &long_options[index]))
            return false;
    if (optind + 1 != argc || !o->catalogue) {
        fputs("troupe-train certify: expected CONTROLLER and --catalogue\n", stderr);
        return false;
    }
    o->name = argv[optind];
    return true;
}

/* --- measuring --- */

typedef struct subject {
    tr_digest digest; /* of the controller's row */
    tr_model *model;
    tr_controller *controller;
    tr_motion *motion; /* NULL: none given */
} subject;

static void close_subject(subject *s) {
    tr_motion_destroy(s->motion);
    tr_controller_destroy(s->controller);
    tr_model_destroy(s->model);
}

static tr_status load_subject(tr_catalogue *catalogue, const options *o, subject *s,
                              tr_error *error) {
    tr_controller_row row;
    tr_status status = tr_controllers_find(catalogue, o->name, &row, error);
    if (status == TR_OK)
        status = tr_models_load(catalogue, row.model_id, &s->model, error);
    if (status == TR_OK)
        status = tr_controllers_load(catalogue, row.id, s->model, &s->controller, error);
    if (status == TR_OK && o->motion)
        status = tr_motion_load(o->motion, s->model, &s->motion, error);
    if (status == TR_OK)
        s->digest = row.digest;
    return status;
}

/* The catalogue is not kept from others while the trials run. */
static tr_status open_subject(const options *o, subject *s, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_READ, &catalogue, error);
    if (status == TR_OK)
        status = load_subject(catalogue, o, s, error);
    tr_catalogue_close(catalogue);
    return status;
}

/* Tells what comes out of each part, with the time left. */
static tr_status measure(tr_certifier *certifier, tr_error *error) {
    double begin = tr_wall_seconds();
    while (!tr_certifier_is_done(certifier)) {
        char line[160];
        tr_status status = tr_certifier_advance(certifier, line, sizeof line, error);
        if (status != TR_OK)
            return status;
        printf("%s", line);
        tr_print_share(tr_certifier_share(certifier), 0, tr_wall_seconds() - begin);
    }
    return TR_OK;
}

static tr_status put(tr_catalogue *catalogue, const subject *s, tr_certificate_row *row,
                     const tr_certificate_content *content, tr_error *error) {
    tr_controller_row controller;
    tr_status status = tr_controllers_find(catalogue, s->controller->name, &controller, error);
    if (status != TR_OK)
        return status;
    if (!tr_digest_equal(&controller.digest, &s->digest))
        return tr_fail(error, TR_ABORTED, "controller '%s': another one by now", controller.name);
    tr_row_id id;
    row->controller_id = controller.id;
    return tr_certificates_put(catalogue, row, content, &id, error);
}

static tr_status store(const options *o, const subject *s, const tr_certificate *certificate,
                       tr_certificate_row *row, tr_error *error) {
    tr_certificate_content content = {0};
    tr_catalogue *catalogue = NULL;
    row->method = TR_CERTIFY_METHOD;
    row->seed = certificate->def.seed;
    row->ended_ns = tr_now_ns();
    tr_status status = tr_certificate_list(certificate, s->model, s->motion, &content, error);
    if (status == TR_OK)
        status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_WRITE, &catalogue, error);
    if (status == TR_OK)
        status = put(catalogue, s, row, &content, error);
    if (status == TR_OK)
        tr_certificate_print(stdout, s->controller->name, row, &content);
    tr_catalogue_close(catalogue);
    tr_certificate_content_deinit(&content);
    return status;
}

static tr_status certify(const options *o, tr_certificate_row *row, tr_error *error) {
    subject s = {0};
    tr_ensemble *ensemble = NULL;
    tr_certifier *certifier = NULL;
    tr_status status = open_subject(o, &s, error);
    if (status == TR_OK) {
        tr_ensemble_def def = {s.model, s.controller->gain_set, s.controller->step_s, o->threads};
        status = tr_ensemble_create(&def, &ensemble);
        if (status != TR_OK)
            tr_fail(error, status, "worlds: %s", tr_status_text(status));
    }
    if (status == TR_OK)
        status = tr_certifier_create(ensemble, s.controller, &o->def, &certifier, error);
    if (status == TR_OK)
        status = measure(certifier, error);
    if (status == TR_OK)
        status = store(o, &s, tr_certifier_result(certifier), row, error);
    tr_certifier_destroy(certifier);
    tr_ensemble_destroy(ensemble);
    close_subject(&s);
    return status;
}

static int exec(int argc, char **argv) {
    options o;
    tr_error error = {0};
    if (!parse(argc, argv, &o))
        return TR_TOOL_USAGE;
    tr_physics_init();
    tr_certificate_row row = {.threads = o.threads, .started_ns = tr_now_ns()};
    tr_describe_host(row.host, sizeof row.host);
    tr_describe_command(argc, argv, row.command, sizeof row.command);
    snprintf(row.code_version, sizeof row.code_version, "%s", TR_CODE_VERSION);
    if (certify(&o, &row, &error) == TR_OK)
        return TR_TOOL_OK;
    fprintf(stderr, "troupe-train certify: %s\n", error.message);
    return TR_TOOL_FAILED;
}

const tr_tool_command tr_tool_certify = {
    .name = "certify",
    .arguments = "CONTROLLER --catalogue FILE [--motion M] [--seed S] [--threads N] [options]",
    .summary = "measures what a controller holds and survives, and keeps it in the catalogue",
    .help =
        "A certificate by method 1 (learn/certify.h): undisturbed hours; the time resisted under\n"
        "random pushes of growing magnitude, at 1 N/s and 0.25 N/s; the pushes of 0.2 s survived\n"
        "in 16 directions over all phases; errors against the reference, and how the feet meet "
        "the\n"
        "ground. It is kept with its controller and goes with it into bundles;\n"
        "'troupe-train certificate' prints and draws it. Takes some 10 core-minutes.\n"
        "\n"
        "  --motion M         the imported motion: its speed and height are kept for comparison\n"
        "  --seed S           of everything drawn (1)\n"
        "  --threads N        all cores; does not change the result\n"
        "  --hold-trials N    undisturbed trials (100), of --hold-seconds each (600)\n"
        "  --resist-trials N  for each growth of the pushes (100)\n"
        "  --directions N     of pushes (16), from --starts disturbed starts (16) at 12 phases\n"
        "  --grid N           pushes grow by this (20), to --limit at most (1000)\n"
        "  --track-seconds S  watched for errors, of each of 10 trials (20)\n"
        "\n"
        "  troupe-train certify run --catalogue c.troupe --motion run.json\n",
    .exec = exec};
