/* troupe-train latent switch: measures the change from one space to another. */
#include "learn/latent/switch_check.h"
#include "tools/frame/progress.h"
#include "tools/latent/latent.h"

#include <stdio.h>

typedef struct options {
    const char *from, *to, *model;
    int threads, characters;
    bool jump;
    uint64_t seed;
} options;

static const options defaults = {
    .model = TR_MODEL_DIR "/humanoid.xml", .characters = 64, .seed = 1};

static const tr_argument words[] = {
    {"FROM", TR_OPTION_TEXT, offsetof(options, from), "a policy file"},
    {"TO", TR_OPTION_TEXT, offsetof(options, to), "another"},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, model),
     "the characters' model (the shipped humanoid.xml)"},
    TR_TOOL_THREADS(options, threads),
    {"--characters N", TR_OPTION_COUNT, offsetof(options, characters), "(64)", 1, 100000},
    {"--jump", TR_OPTION_FLAG, offsetof(options, jump),
     "as a control: begin the second at its own pose at once"},
    {"--seed S", TR_OPTION_SEED, offsetof(options, seed), "of starts, times and goals (1)"},
    {0}};

/* A space with its policy. */
typedef struct side {
    tr_latent_subject subject;
    tr_latent_policy *policy;
} side;

static tr_status load(const options *o, const char *path, side *out, tr_error *error) {
    tr_status status = tr_latent_subject_load(o->model, path, &out->subject, error);
    return status ? status
                  : tr_latent_policy_load(&out->subject.sections, out->subject.space,
                                          out->subject.model, &out->policy, error);
}

static void unload(side *s) {
    tr_latent_policy_destroy(s->policy);
    tr_latent_subject_deinit(&s->subject);
}

static tr_status measure(const options *o, const side *from, const side *to, tr_pool *pool,
                         tr_error *error) {
    const double degrees = 180 / TR_PI;
    tr_switch_check_result r;
    const tr_switch_check check = {.from = {from->subject.model, from->subject.space, from->policy},
                                   .to = {from->subject.model, to->subject.space, to->policy},
                                   .pool = pool,
                                   .characters = o->characters,
                                   .jump = o->jump,
                                   .before_s = 2,
                                   .after_s = 1,
                                   .seed = o->seed};
    tr_status status = tr_switch_check_run(&check, &r);
    if (status)
        return tr_fail(error, status, "%s, %s: expected clips of one frame rate", o->from, o->to);
    printf("%s to %s: %d characters, seed %llu; largest turn of a joint in a "
           "frame, deg; median "
           "(middle half)\n",
           o->from, o->to, o->characters, (unsigned long long)o->seed);
    printf("  %-36s %8.1f  (%.1f to %.1f)\n", "1 s after the change", degrees * r.after.median,
           degrees * r.after.low, degrees * r.after.high);
    printf("  %-36s %8.1f  (%.1f to %.1f)\n", "1 s before it", degrees * r.before.median,
           degrees * r.before.low, degrees * r.before.high);
    printf("  %-36s %8.1f\n", "in the clips of both", degrees * r.clips);
    return TR_OK;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    side from = {0}, to = {0};
    tr_pool *pool = NULL;
    tr_status status = load(o, o->from, &from, error);
    if (!status)
        status = load(o, o->to, &to, error);
    if (!status && (status = tr_pool_create(o->threads, &pool)))
        status = tr_fail(error, status, "--threads %d: %s", o->threads, tr_status_text(status));
    if (!status)
        status = measure(o, &from, &to, pool, error);
    tr_pool_destroy(pool);
    unload(&from);
    unload(&to);
    return status;
}

const tr_tool_command tr_tool_latent_switch = {
    .name = "switch",
    .summary = "measure the change from one space to another",
    .shares = true,
    .help =
        "FILEs are what 'troupe-train latent task' wrote, for one model. Characters move in the\n"
        "space of the first and change to that of the second, as a puppet does when it gets\n"
        "another controller. Prints the largest turns of a joint from frame to frame.\n",
    .example = "  troupe-train latent switch walker.latent puncher.latent\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .run = run};
