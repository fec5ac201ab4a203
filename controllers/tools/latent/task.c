/* troupe-train latent task: learns a policy in a latent space. */
#include "learn/latent/latent_file.h"
#include "learn/latent/task_training.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/command_line.h"
#include "tools/frame/options.h"
#include "tools/frame/progress.h"
#include "tools/latent/latent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char *path, *model, *out;
    bool list;
    int threads;
    tr_task_parameters parameters;
    tr_command_line command;
} options;

static void preset(void *out) {
    options *o = out;
    *o = (options){.model = TR_MODEL_DIR "/humanoid.xml",
                   .parameters = tr_task_parameters_default()};
}

static const tr_argument words[] = {
    {"[FILE]", TR_OPTION_TEXT, offsetof(options, path), "the space"},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, model),
     "the character's model (the shipped humanoid.xml)"},
    {"--out FILE", TR_OPTION_TEXT, offsetof(options, out), "where space and policy are written"},
    TR_OPTION_SETTING(options, parameters, tr_task_parameter_table, "any parameter"),
    TR_TOOL_THREADS(options, threads),
    {"--list", TR_OPTION_FLAG, offsetof(options, list),
     "print the parameters with their defaults and meanings"},
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    if (!o->list && (!o->path || !o->out))
        return tr_fail(error, TR_INVALID_ARGUMENT, "expected FILE and --out");
    return TR_OK;
}

typedef struct session {
    double begin_s;
} session;

static void report(void *context, const tr_task_progress *p) {
    const session *s = context;
    printf("refinement %d: %d samples, %d sweeps", p->refinement, p->samples, p->sweeps);
    if (isfinite(p->bellman_error))
        printf(", Bellman error %.3f before", p->bellman_error);
    printf(", %.1f s\n", tr_wall_seconds() - s->begin_s);
    (void)fflush(stdout);
}

/* How the policy was learned, for people. */
static tr_status put_record(const options *o, tr_sections *out, tr_error *error) {
    char parameters[4096], host[256];
    tr_status status =
        tr_parameter_print(&tr_task_parameter_table, &o->parameters, parameters, sizeof parameters);
    if (status)
        return tr_fail(error, status, "task: parameters: %s", tr_status_text(status));
    tr_describe_host(host, sizeof host);
    tr_section_writer w = tr_section_begin(out, "task");
    tr_section_put_text(&w, o->command.text);
    tr_section_put_text(&w, parameters);
    tr_section_put_text(&w, TR_CODE_VERSION);
    tr_section_put_text(&w, host);
    tr_section_put_int(&w, tr_now_ns());
    return tr_section_end(&w, error);
}

/* The sections of the space with the policy's instead of one that was there. */
static tr_status store(const options *o, const tr_latent_subject *subject,
                       const tr_latent_policy *policy, tr_error *error) {
    tr_sections sections = {0};
    tr_status status = TR_OK;
    for (int i = 0; !status && i < subject->sections.count; i++) {
        const tr_section *s = &subject->sections.section[i];
        if (strcmp(s->name, "policy") == 0 || strcmp(s->name, "task") == 0)
            continue;
        tr_section_writer w = tr_section_begin(&sections, s->name);
        tr_section_put_bytes(&w, s->bytes, s->size);
        status = tr_section_end(&w, error);
    }
    if (!status)
        status = tr_latent_policy_save(policy, &sections, error);
    if (!status)
        status = put_record(o, &sections, error);
    if (!status)
        status = tr_latent_file_write(o->out, &sections, error);
    tr_sections_deinit(&sections);
    return status;
}

static tr_status learn(const options *o, const tr_latent_subject *subject, tr_pool *pool,
                       tr_error *error) {
    session s = {tr_wall_seconds()};
    const tr_task_training training = {.model = subject->model,
                                       .space = subject->space,
                                       .parameters = &o->parameters,
                                       .pool = pool,
                                       .report = report,
                                       .context = &s};
    tr_latent_policy *policy = NULL;
    tr_status status = tr_task_training_run(&training, &policy, error);
    if (!status)
        status = store(o, subject, policy, error);
    tr_latent_policy_destroy(policy);
    return status;
}

static tr_status train(const options *o, tr_error *error) {
    tr_latent_subject subject = {0};
    tr_pool *pool = NULL;
    tr_status status = tr_latent_subject_load(o->model, o->path, &subject, error);
    if (!status && (status = tr_pool_create(o->threads, &pool)))
        status = tr_fail(error, status, "--threads %d: %s", o->threads, tr_status_text(status));
    if (!status)
        status = learn(o, &subject, pool, error);
    tr_pool_destroy(pool);
    tr_latent_subject_deinit(&subject);
    return status;
}

static tr_status print_parameters(tr_error *error) {
    const tr_task_parameters defaults = tr_task_parameters_default();
    return tr_option_list_settings(&tr_task_parameter_table, &defaults, error);
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    if (o->list)
        return print_parameters(error);
    tr_status status = tr_command_line_check(&o->command, error);
    return status ? status : train(o, error);
}

const tr_tool_command tr_tool_latent_task = {
    .name = "task",
    .summary = "learn a policy for a task in a latent space",
    .shares = true,
    .help =
        "FILE is what 'troupe-train latent fit' wrote; --out is written with the space and the\n"
        "policy. Values are learned at the clips' frames, then where trajectories find them\n"
        "wrong.\n",
    .example = "  troupe-train latent task walk.latent --out walker.latent --set task=heading\n",
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .check = check,
    .line = offsetof(options, command),
    .run = run,
};
