/* troupe-train latent generate: motions that a policy walks, for other learners. */
#include "learn/latent/latent_generate.h"
#include "tools/latent/latent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RADIANS = TR_PI / 180;

typedef struct options {
    const char *path, *model, *out, *course;
    double turn_deg_s, seconds, settle_s, rate;
    int frame;
    bool cyclic;
    tr_generation generation;
} options;

/* "0:0,3:90,6:-45:1.2": from a time on a heading and, if given, a speed. */
static bool parse_course(const char *text, tr_generation *g) {
    while (*text) {
        tr_course_leg leg = {0};
        int used = 0;
        if (g->leg_count == TR_COURSE_LEG_MAX ||
            sscanf(text, "%lf:%lf%n", &leg.from_s, &leg.heading_rad, &used) < 2)
            return false;
        text += used;
        if (*text == ':' && sscanf(text, ":%lf%n", &leg.speed_mps, &used) == 1)
            text += used;
        if (*text && *text++ != ',')
            return false;
        leg.heading_rad *= RADIANS;
        if (!isfinite(leg.from_s) || !isfinite(leg.heading_rad) || !(leg.speed_mps >= 0) ||
            leg.speed_mps > 20)
            return false;
        g->leg[g->leg_count++] = leg;
    }
    return true;
}

static const options defaults = {
    .model = TR_MODEL_DIR "/humanoid.xml", .seconds = 10, .settle_s = 3, .rate = 60};

static const tr_argument words[] = {
    {"FILE", TR_OPTION_TEXT, offsetof(options, path), "the policy file"},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, model),
     "the character's model (the shipped humanoid.xml)"},
    {"--out FILE", TR_OPTION_TEXT, offsetof(options, out), "where the motion is written",
     .needed = true},
    {"--course LIST", TR_OPTION_TEXT, offsetof(options, course),
     "SECONDS:DEGREES[:M/S],...: headings in the world, each from its time on"},
    {"--turn DEG/S", TR_OPTION_NUMBER, offsetof(options, turn_deg_s),
     "let the headings turn: a circle (0)", -720, 720},
    {"--seconds S", TR_OPTION_NUMBER, offsetof(options, seconds), "length (10)", 0.1, 3600},
    {"--settle S", TR_OPTION_NUMBER, offsetof(options, settle_s),
     "walked before the motion begins (3)", 0, 60},
    {"--rate HZ", TR_OPTION_NUMBER, offsetof(options, rate),
     "frames a second, at least the space's (60)", 1, 1000},
    {"--frame N", TR_OPTION_COUNT, offsetof(options, frame), "of the space, at which to begin (0)",
     0, TR_LATENT_FRAME_MAX},
    {"--cyclic", TR_OPTION_FLAG, offsetof(options, cyclic), "keep one stride, closed to a cycle"},
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    if (o->course && !parse_course(o->course, &o->generation))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--course %s: expected up to %d SECONDS:DEGREES[:M/S] between commas",
                       o->course, TR_COURSE_LEG_MAX);
    return TR_OK;
}

static void describe(const options *o, const tr_latent_space *space, tr_motion *motion) {
    const tr_latent_clip *clip = &space->learned.clip[0];
    const char *slash = strrchr(o->out, '/');
    snprintf(motion->name, sizeof motion->name, "%.*s",
             (int)strcspn(slash ? slash + 1 : o->out, "."), slash ? slash + 1 : o->out);
    snprintf(motion->source.clip, sizeof motion->source.clip, "%.*s",
             (int)sizeof motion->source.clip - 1, clip->name);
    snprintf(motion->source.licence, sizeof motion->source.licence, "%s", clip->licence);
    snprintf(motion->source.origin, sizeof motion->source.origin, "%s", clip->origin);
    snprintf(motion->source.options, sizeof motion->source.options,
             "generated in a latent space: course %s, %g deg/s", o->course ? o->course : "straight",
             o->turn_deg_s);
}

static tr_status generate(const options *o, const tr_latent_subject *subject,
                          const tr_latent_policy *policy, tr_error *error) {
    tr_generation g = o->generation;
    g.mover = (tr_latent_mover){subject->model, subject->space, policy};
    g.turn_rad_s = o->turn_deg_s * RADIANS;
    g.settle_s = o->settle_s;
    g.seconds = o->seconds;
    g.frame_s = 1 / o->rate;
    g.frame = o->frame;
    g.cyclic = o->cyclic;
    tr_motion *motion = NULL;
    tr_status status = tr_latent_generate(&g, &motion);
    if (status == TR_NOT_FOUND)
        return tr_fail(error, status,
                       "--cyclic: no stride ends where it began; more --seconds or --settle may "
                       "help");
    if (status)
        return tr_fail(error, status,
                       "%s: %s: expected a heading policy, a --frame of its space and a --rate of "
                       "at least %g",
                       o->path, tr_status_text(status), 1 / subject->space->learned.dt_s);
    describe(o, subject->space, motion);
    status = tr_motion_save(motion, o->out, error);
    if (!status)
        printf("%s: %d frames, %.2f s%s\n", o->out, motion->frame_count, tr_motion_duration(motion),
               motion->cyclic ? ", cyclic" : "");
    tr_motion_destroy(motion);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_latent_subject subject = {0};
    tr_latent_policy *policy = NULL;
    tr_status status = tr_latent_subject_load(o->model, o->path, &subject, error);
    if (!status)
        status =
            tr_latent_policy_load(&subject.sections, subject.space, subject.model, &policy, error);
    if (!status)
        status = generate(o, &subject, policy, error);
    tr_latent_policy_destroy(policy);
    tr_latent_subject_deinit(&subject);
    return status;
}

const tr_tool_command tr_tool_latent_generate = {
    .name = "generate",
    .summary = "write a motion that a policy walks",
    .help =
        "FILE is what 'troupe-train latent task' wrote for a heading task. The motion is one that\n"
        "'learn', 'steer' and 'graph' take as they take imported clips.\n",
    .example =
        "  troupe-train latent generate walker.latent --out circle.json --turn 60 --cyclic\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .check = check,
    .run = run};
