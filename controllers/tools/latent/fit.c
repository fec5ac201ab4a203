/* troupe-train latent fit: learns a latent space from motions. */
#include "learn/latent/latent_file.h"
#include "learn/latent/latent_fit.h"
#include "math/hash.h"
#include "model/mjcf.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/command_line.h"
#include "tools/frame/options.h"
#include "tools/frame/progress.h"
#include "tools/latent/latent.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOTION_MAX = TR_LATENT_CLIP_MAX, PARAMETER_TEXT_MAX = 4096 };

typedef struct options {
    const char *model, *out, *checkpoint, *supports;
    bool resume, list;
    int threads;
    tr_words motions;
    tr_latent_fit_parameters parameters;
    tr_command_line command;
} options;

/* --- the command line --- */

static void preset(void *out) {
    options *o = out;
    *o = (options){.model = TR_MODEL_DIR "/humanoid.xml",
                   .parameters = tr_latent_fit_parameters_default()};
}

static const tr_argument words[] = {
    {"[MOTION ...]", TR_OPTION_TEXT, offsetof(options, motions), "the motions of the space", 1,
     MOTION_MAX},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, model),
     "the character's model (the shipped humanoid.xml)"},
    {"--out FILE", TR_OPTION_TEXT, offsetof(options, out), "where the space is written"},
    {"--supports BODY,...", TR_OPTION_TEXT, offsetof(options, supports),
     "bodies that stand on the ground (the model's feet and toes)"},
    TR_OPTION_SETTING(options, parameters, tr_latent_fit_parameter_table, "any parameter"),
    TR_TOOL_THREADS(options, threads),
    {"--checkpoint FILE", TR_OPTION_TEXT, offsetof(options, checkpoint),
     "written after every round of iterations"},
    {"--resume", TR_OPTION_FLAG, offsetof(options, resume),
     "continue from the checkpoint if there is one"},
    {"--list", TR_OPTION_FLAG, offsetof(options, list),
     "print the parameters with their defaults and meanings"},
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    if (!o->list && (o->motions.count < 1 || !o->out))
        return tr_fail(error, TR_INVALID_ARGUMENT, "expected MOTION ... and --out");
    if (o->resume && !o->checkpoint)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--resume: expected with --checkpoint");
    return TR_OK;
}

/* --- the clips --- */

typedef struct lesson {
    tr_model *model;
    const tr_motion *motion[MOTION_MAX];
    tr_support support[TR_SUPPORT_MAX];
    int support_count;
    tr_latent_space_def examples;
    uint64_t hash; /* of motions and parameters: a checkpoint belongs to them */
} lesson;

/* Bodies between commas. */
static tr_status parse_supports(const char *text, lesson *l, tr_error *error) {
    int bodies[TR_SUPPORT_MAX], count = 0;
    while (*text) {
        size_t length = strcspn(text, ",");
        char name[TR_NAME_MAX];
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        int body = length < sizeof name ? tr_model_find_body(l->model, name) : -1;
        if (body < 0 || count == TR_SUPPORT_MAX)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "--supports %s: expected up to %d bodies of the model", name,
                           TR_SUPPORT_MAX);
        bodies[count++] = body;
        text += length + (text[length] == ',');
    }
    l->support_count = tr_support_find(l->model, bodies, count, l->support);
    return TR_OK;
}

static tr_status find_supports(const options *o, lesson *l, tr_error *error) {
    if (o->supports)
        return parse_supports(o->supports, l, error);
    int bodies[TR_SUPPORT_MAX];
    int count = tr_support_bodies(l->model, bodies);
    l->support_count = tr_support_find(l->model, bodies, count, l->support);
    return TR_OK;
}

static tr_status load_motions(const options *o, lesson *l, tr_error *error) {
    l->hash = tr_parameter_hash(&tr_latent_fit_parameter_table, &o->parameters);
    for (int i = 0; i < o->motions.count; i++) {
        tr_motion *motion = NULL;
        tr_status status = tr_motion_load(o->motions.word[i], l->model, &motion, error);
        if (status)
            return status;
        l->motion[i] = motion;
        uint64_t hash = tr_motion_hash(motion);
        l->hash = tr_hash_add(l->hash, &hash, sizeof hash);
    }
    return TR_OK;
}

static tr_status open_lesson(const options *o, lesson *l, tr_error *error) {
    tr_status status = tr_mjcf_load(o->model, &l->model, error);
    if (!status)
        status = load_motions(o, l, error);
    if (!status)
        status = find_supports(o, l, error);
    const tr_examples_def def = {.dt_s = o->parameters.frame_s,
                                 .motion = l->motion,
                                 .motion_count = o->motions.count,
                                 .mirrored = o->parameters.mirrored == 1,
                                 .support = l->support,
                                 .support_count = l->support_count,
                                 .standing_speed_mps = o->parameters.standing_speed_mps,
                                 .standing_height_m = o->parameters.standing_height_m};
    return status ? status : tr_examples_create(l->model, &def, &l->examples, error);
}

static void close_lesson(lesson *l) {
    tr_latent_space_def_deinit(&l->examples);
    for (int i = 0; i < MOTION_MAX; i++)
        tr_motion_destroy((tr_motion *)l->motion[i]);
    tr_model_destroy(l->model);
}

/* --- checkpoints --- */

typedef struct session {
    const options *options;
    const lesson *lesson;
    double begin_s;
} session;

static tr_status keep(void *context, const tr_latent_fit_progress *progress, const double *z,
                      int variable_count, tr_error *error) {
    const session *s = context;
    if (!s->options->checkpoint)
        return TR_OK;
    tr_sections sections = {0};
    tr_section_writer w = tr_section_begin(&sections, "checkpoint");
    tr_section_put_int(&w, (int64_t)s->lesson->hash);
    tr_section_put_int(&w, progress->attempt);
    tr_section_put_int(&w, progress->iterations);
    tr_section_put_int(&w, progress->evaluations);
    tr_section_put_int(&w, variable_count);
    tr_section_put_doubles(&w, z, (size_t)variable_count);
    tr_status status = tr_section_end(&w, error);
    if (!status)
        status = tr_latent_file_write(s->options->checkpoint, &sections, error);
    tr_sections_deinit(&sections);
    return status;
}

/* *out_z: [variables], the caller's to free; NULL when there is no checkpoint. */
static tr_status read_checkpoint(const options *o, const lesson *l,
                                 tr_latent_fit_progress *out_progress, double **out_z,
                                 tr_error *error) {
    tr_sections sections = {0};
    tr_status status = tr_latent_file_read(o->checkpoint, &sections, error);
    if (status)
        return status == TR_NOT_FOUND ? TR_OK : status;
    int variables = l->examples.frame_count * o->parameters.dimension + TR_GPLVM_HYPER_COUNT;
    double *z = calloc((size_t)variables, sizeof *z);
    if (!z) {
        tr_sections_deinit(&sections);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory", o->checkpoint);
    }
    tr_section_reader r = tr_section_open(&sections, "checkpoint");
    uint64_t hash = (uint64_t)tr_section_get_int(&r, INT64_MIN, INT64_MAX);
    out_progress->attempt = (int)tr_section_get_int(&r, 0, 1000);
    out_progress->iterations = (int)tr_section_get_int(&r, 0, 1000000);
    out_progress->evaluations = (int)tr_section_get_int(&r, 0, 100000000);
    tr_section_get_int(&r, variables, variables);
    tr_section_get_doubles(&r, z, (size_t)variables);
    status = tr_section_close(&r, NULL);
    if (!status && hash == l->hash)
        *out_z = z;
    else
        status = tr_fail(error, TR_FAILED_PRECONDITION,
                         "%s: a checkpoint of other motions or parameters", o->checkpoint);
    if (status)
        free(z);
    tr_sections_deinit(&sections);
    return status;
}

/* --- learning --- */

static void report(void *context, const tr_latent_fit_progress *p) {
    const session *s = context;
    if (p->iterations % 25)
        return;
    printf("attempt %d  iteration %4d  value %.0f  poses %.0f  velocities %.0f  dynamics %.0f  "
           "connectivity %.0f  %.0f s\n",
           p->attempt + 1, p->iterations, p->value, p->terms.pose, p->terms.velocity,
           p->terms.dynamics, p->terms.diffusion, tr_wall_seconds() - s->begin_s);
    (void)fflush(stdout);
}

static void print_report(const options *o, const tr_latent_space *space,
                         const tr_latent_fit_report *r, double seconds) {
    const tr_latent_space_def *def = &space->learned;
    const tr_gplvm_hyper *h = &r->end.hyper;
    printf("%s: %d frames of %d clips%s in %d dimensions, %d iterations, %.1f s, "
           "%.1f core-s\n",
           o->out, def->frame_count, def->clip_count, o->parameters.mirrored ? ", mirrored" : "",
           def->dimension, r->end.iterations, seconds, tr_processor_seconds());
    printf("  error of the bodies at the frames %.2f cm rms, %.2f cm at most\n", r->error_rms_cm,
           r->error_worst_cm);
    printf("  connected: %.2f of the frames reach each other with jumps of two steps; second "
           "eigenvalue %.5f\n",
           r->reach, r->gap);
    printf("  poses: scale %.3g noise %.2g; velocities: scales %.3g %.3g noise %.2g\n",
           h->pose_scale, h->pose_noise, h->step_scale, h->place_scale, h->velocity_noise);
}

/* How the space was learned, for people: parameters and command. */
static tr_status put_record(const options *o, const tr_latent_fit_report *r, tr_sections *out,
                            tr_error *error) {
    char parameters[PARAMETER_TEXT_MAX], host[256];
    const double figures[] = {r->error_rms_cm, r->error_worst_cm, r->reach, r->gap};
    tr_status status = tr_parameter_print(&tr_latent_fit_parameter_table, &o->parameters,
                                          parameters, sizeof parameters);
    if (status)
        return tr_fail(error, status, "fit: parameters: %s", tr_status_text(status));
    tr_describe_host(host, sizeof host);
    tr_section_writer w = tr_section_begin(out, "fit");
    tr_section_put_text(&w, o->command.text);
    tr_section_put_text(&w, parameters);
    tr_section_put_text(&w, TR_CODE_VERSION);
    tr_section_put_text(&w, host);
    tr_section_put_int(&w, tr_now_ns());
    tr_section_put_doubles(&w, figures, sizeof figures / sizeof *figures);
    return tr_section_end(&w, error);
}

static tr_status store(const options *o, const tr_latent_space *space,
                       const tr_latent_fit_report *r, tr_error *error) {
    tr_sections sections = {0};
    tr_status status = tr_latent_space_save(space, &sections, error);
    if (!status)
        status = put_record(o, r, &sections, error);
    if (!status)
        status = tr_latent_file_write(o->out, &sections, error);
    tr_sections_deinit(&sections);
    return status;
}

static tr_status learn(const options *o, const lesson *l, tr_pool *pool, tr_error *error) {
    session s = {o, l, tr_wall_seconds()};
    tr_latent_fit fit = {.model = l->model,
                         .parameters = &o->parameters,
                         .pool = pool,
                         .report = report,
                         .keep = keep,
                         .context = &s};
    tr_latent_fit_report r = {0};
    tr_latent_space *space = NULL;
    double *z = NULL;
    tr_status status = o->resume ? read_checkpoint(o, l, &fit.resumed, &z, error) : TR_OK;
    fit.resume = z;
    if (!status)
        status = tr_latent_fit_run(&fit, &l->examples, &space, &r, error);
    if (!status)
        status = store(o, space, &r, error);
    if (!status)
        print_report(o, space, &r, tr_wall_seconds() - s.begin_s);
    tr_latent_space_destroy(space);
    free(z);
    return status;
}

static tr_status fit(const options *o, tr_error *error) {
    lesson *l = calloc(1, sizeof *l);
    tr_pool *pool = NULL;
    if (!l)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory");
    tr_status status = open_lesson(o, l, error);
    if (!status && (status = tr_pool_create(o->threads, &pool)))
        status = tr_fail(error, status, "--threads %d: %s", o->threads, tr_status_text(status));
    if (!status)
        status = learn(o, l, pool, error);
    tr_pool_destroy(pool);
    close_lesson(l);
    free(l);
    return status;
}

static tr_status print_parameters(tr_error *error) {
    const tr_latent_fit_parameters defaults = tr_latent_fit_parameters_default();
    return tr_option_list_settings(&tr_latent_fit_parameter_table, &defaults, error);
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    if (o->list)
        return print_parameters(error);
    tr_status status = tr_command_line_check(&o->command, error);
    return status ? status : fit(o, error);
}

const tr_tool_command tr_tool_latent_fit = {
    .name = "fit",
    .summary = "learn a latent space from motions",
    .shares = true,
    .help =
        "MOTIONs are what 'troupe-train import' wrote. Each is sampled at 30 Hz and taken twice,\n"
        "unchanged and mirrored. All frames become points of a space of few dimensions, in which\n"
        "poses, movements of the root and the next points are Gaussian processes, and in which\n"
        "random walks connect the clips.\n",
    .example =
        "  troupe-train latent fit walk.json turn.json --out walk.latent --set dimension=4\n",
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .check = check,
    .line = offsetof(options, command),
    .run = run,
};
