/* troupe-train certify: measures what a controller holds and survives, and keeps it in the
 * catalogue. */
#include "tools/measure/certify.h"

#include "db/store/catalogue.h"
#include "db/tables/certificates.h"
#include "db/tables/controllers.h"
#include "learn/measure/certify.h"
#include "motion/poses/motion.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/lead.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"
#include "tools/measure/certificate_list.h"
#include "tools/measure/certificate_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char *name, *catalogue, *motion, *skill;
    int threads;
    tr_certify_def def;
    double core_s; /* processor time at most; 0: no limit */
    tr_command_line command;
} options;

/* --- the command line --- */

static void preset(void *out) {
    options *o = out;
    *o = (options){.def = tr_certify_def_default()};
}

static const tr_argument words[] = {
    {"CONTROLLER", TR_OPTION_TEXT, offsetof(options, name), "of the catalogue"},
    {"--catalogue FILE", TR_OPTION_TEXT, offsetof(options, catalogue),
     "holds the controller, and gets the certificate", .needed = true},
    {"--motion M", TR_OPTION_TEXT, offsetof(options, motion),
     "the imported motion, to store its speed and height for comparison"},
    {"--skill NAME", TR_OPTION_TEXT, offsetof(options, skill), "certify this skill of a graph"},
    {"--walks N", TR_OPTION_COUNT, offsetof(options, def.walks),
     "only random walks over a graph, of --walk-seconds each (600)", 1, TR_CERTIFY_TRIAL_MAX},
    {"--walk-seconds S", TR_OPTION_NUMBER, offsetof(options, def.walk_s),
     "of each random walk (600)", 0.1, 1e5},
    {"--seed S", TR_OPTION_SEED, offsetof(options, def.seed), "seed of everything drawn (1)"},
    TR_TOOL_THREADS(options, threads),
    {"--hold-trials N", TR_OPTION_COUNT, offsetof(options, def.hold_trials),
     "undisturbed trials (100), of --hold-seconds each (600)", 1, TR_CERTIFY_TRIAL_MAX},
    {"--hold-seconds S", TR_OPTION_NUMBER, offsetof(options, def.hold_s),
     "of each undisturbed trial (600)", 0.1, 1e5},
    {"--resist-trials N", TR_OPTION_COUNT, offsetof(options, def.resist_trials),
     "trials for each growth of the pushes (100)", 1, TR_CERTIFY_TRIAL_MAX},
    {"--directions N", TR_OPTION_COUNT, offsetof(options, def.push.directions),
     "directions of pushes (16), from --starts disturbed starts (16) at 12 phases", 1,
     TR_PUSH_DIRECTION_MAX},
    {"--starts N", TR_OPTION_COUNT, offsetof(options, def.push.starts),
     "disturbed starts of pushes (16)", 1, 100},
    {"--grid N", TR_OPTION_NUMBER, offsetof(options, def.force_grid_n),
     "increase pushes by this (20), to at most --limit (1000)", 1, 1e3},
    {"--limit N", TR_OPTION_NUMBER, offsetof(options, def.force_limit_n), "largest push (1000)", 1,
     1e4},
    {"--ground-trials N", TR_OPTION_COUNT, offsetof(options, def.ground_trials),
     "trials on each slope, kerb and unevenness (96; 0: none), of --ground-seconds each (30)", 0,
     TR_CERTIFY_TRIAL_MAX},
    {"--ground-seconds S", TR_OPTION_NUMBER, offsetof(options, def.ground_s),
     "of each trial on a ground (30)", 0.1, 1e4},
    {"--lasting-trials N", TR_OPTION_COUNT, offsetof(options, def.lasting_trials),
     "trials of 20 s under each of six forces that last: constant, varying and sudden, of up to "
     "130 and up to 200 N (0)",
     0, TR_CERTIFY_TRIAL_MAX},
    {"--heading-trials N", TR_OPTION_COUNT, offsetof(options, def.heading_trials),
     "trials with a new heading every --heading-every seconds: falls, those got up from, and how "
     "well headings are followed (0); the only test of puppets",
     0, TR_CERTIFY_TRIAL_MAX},
    {"--heading-seconds S", TR_OPTION_NUMBER, offsetof(options, def.heading_s),
     "of each of these (60)", 0.2, 1e5},
    {"--heading-every S", TR_OPTION_NUMBER, offsetof(options, def.heading_goal_s),
     "another heading (3.33)", 0.2, 1e5},
    {"--fall-trials N", TR_OPTION_COUNT, offsetof(options, def.fall_trials),
     "characters that are pushed over as by 'troupe-train rise', and get up (0)", 0,
     TR_CERTIFY_TRIAL_MAX},
    {"--track-seconds S", TR_OPTION_NUMBER, offsetof(options, def.tracking_s),
     "measure errors in each of 10 trials for this time (20)", 0.1, 1e4},
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    if (o->skill && o->def.walks > 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--walks: visits all skills: expected no --skill");
    o->def.fall_skill = o->skill;
    return TR_OK;
}

/* --- measuring --- */

typedef struct trials {
    tr_subject of;
    tr_controller certified; /* the subject's controller, begun in the requested skill */
    tr_motion *motion;       /* NULL: none given */
} trials;

/* The catalogue is not locked while the trials run. */
static tr_status open_trials(const options *o, trials *t, tr_error *error) {
    tr_status status = tr_subject_read(o->catalogue, o->name, &t->of, error);
    if (!status && o->motion)
        status = tr_motion_load(o->motion, t->of.model, &t->motion, error);
    if (!status) {
        t->certified = *t->of.controller;
        if (o->skill)
            status = tr_controller_in_skill(t->of.controller, o->skill, &t->certified, error);
    }
    return !status ? tr_subject_make_worlds(&t->of, o->threads, error) : status;
}

/* Prints the result of each part. TR_DEADLINE_EXCEEDED: the processor time is up. */
static tr_status measure(const options *o, tr_certifier *certifier, tr_error *error) {
    const double begin_s = tr_processor_seconds();
    while (!tr_certifier_is_done(certifier)) {
        char line[160];
        if (o->core_s > 0 && tr_processor_seconds() - begin_s > o->core_s)
            return tr_fail(error, TR_DEADLINE_EXCEEDED, "%.3g core-seconds do not suffice",
                           o->core_s);
        tr_status status = tr_certifier_advance(certifier, line, sizeof line, error);
        if (status)
            return status;
        puts(line);
    }
    return TR_OK;
}

typedef struct storing {
    const trials *t;
    tr_certificate_row *row;
    const tr_certificate_content *content;
} storing;

static tr_status put(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const storing *s = context;
    const trials *t = s->t;
    tr_controller_row controller;
    tr_status status = tr_controllers_find(catalogue, t->of.controller->name, &controller, error);
    if (status)
        return status;
    if (!tr_digest_equal(&controller.digest, &t->of.row.digest))
        return tr_fail(error, TR_ABORTED, "controller '%s': it was replaced while it was certified",
                       controller.name);
    tr_row_id id;
    s->row->controller_id = controller.id;
    status = tr_certificates_put(catalogue, s->row, s->content, &id, error);
    if (!status)
        tr_certificate_print(stdout, controller.name, s->row, s->content);
    return status;
}

static tr_status store(const options *o, const trials *t, const tr_certificate *certificate,
                       tr_certificate_row *row, tr_error *error) {
    tr_certificate_content content = {0};
    row->method = TR_CERTIFY_METHOD;
    row->seed = certificate->def.seed;
    row->ended_ns = tr_now_ns();
    const tr_certificate_subject of = {t->of.model, t->of.controller, o->skill, t->motion};
    tr_status status = tr_certificate_list(certificate, &of, &content, error);
    if (!status) {
        const storing s = {t, row, &content};
        status = tr_lead_change_catalogue(o->catalogue, TR_CATALOGUE_WRITE, put, &s, error);
    }
    tr_certificate_content_deinit(&content);
    return status;
}

static tr_status certify(const options *o, tr_certificate_row *row, tr_error *error) {
    trials t = {0};
    tr_certifier *certifier = NULL;
    tr_status status = open_trials(o, &t, error);
    if (!status)
        status = tr_certifier_create(t.of.ensemble, &t.certified, &o->def, &certifier, error);
    if (!status)
        status = measure(o, certifier, error);
    if (!status)
        status = store(o, &t, tr_certifier_result(certifier), row, error);
    tr_certifier_destroy(certifier);
    tr_motion_destroy(t.motion);
    tr_subject_deinit(&t.of);
    return status;
}

static tr_status certify_from_now(const options *o, tr_error *error) {
    tr_certificate_row row = {.threads = o->threads, .started_ns = tr_now_ns()};
    tr_describe_host(row.host, sizeof row.host);
    snprintf(row.code_version, sizeof row.code_version, "%s", TR_CODE_VERSION);
    memcpy(row.command, o->command.text, sizeof row.command);
    return certify(o, &row, error);
}

tr_status tr_certify_briefly(const tr_brief_certificate *brief, tr_error *error) {
    options o = {.name = brief->controller,
                 .catalogue = brief->catalogue,
                 .motion = brief->motion,
                 .threads = brief->threads,
                 .def = tr_certify_def_default(),
                 .core_s = brief->core_s,
                 .command = *brief->command};
    o.def.hold_trials = 20;
    o.def.hold_s = 60;
    o.def.resist_trials = 2;
    o.def.push.directions = 8;
    o.def.push.starts = 1;
    o.def.force_grid_n = 40;
    o.def.ground_trials = 0;
    o.def.tracking.trials = 2;
    tr_status status = certify_from_now(&o, error);
    if (status != TR_DEADLINE_EXCEEDED)
        return status;
    printf("no certificate: %s; 'troupe-train certify %s --catalogue %s' makes one\n",
           error->message, brief->controller, brief->catalogue);
    *error = (tr_error){0};
    return TR_OK;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_status status = tr_command_line_check(&o->command, error);
    return !status ? certify_from_now(o, error) : status;
}

const tr_tool_command tr_tool_certify = {
    .name = "certify",
    .summary = "measure what a controller holds and survives, and store it in the catalogue",
    .help =
        "Make a certificate by method 1 (learn/measure/certify.h): undisturbed hours; the time\n"
        "resisted under random pushes of growing magnitude, at 1 N/s and 0.25 N/s; the survived\n"
        "pushes of 0.2 s in 16 directions over all phases; errors against the reference, and the\n"
        "contacts of the feet with the ground; the largest slopes, kerbs and unevenness on which\n"
        "95 % of the trials stay up. It is stored with its controller and copied into bundles;\n"
        "'troupe-train certificate' prints and draws it. Takes some 15 core-minutes.\n"
        "\n"
        "A graph is certified in the skill in which it begins. --skill begins in another one that\n"
        "repeats; --walks counts the falls of random walks over all skills instead. Each is a\n"
        "certificate of its own.\n",
    .example = "  troupe-train certify run --catalogue c.troupe --motion run.json\n"
               "  troupe-train certify gaits --catalogue c.troupe --skill run\n"
               "  troupe-train certify gaits --catalogue c.troupe --walks 20\n"
               "  troupe-train certify walker --catalogue c.troupe --heading-trials 32\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .check = check,
    .line = offsetof(options, command),
    .run = run,
};
