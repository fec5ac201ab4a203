/* troupe-train latent compare: policies side by side, and beside controllers of a catalogue
 * (levine2012, figure 6). */
#include "learn/measure/heading_walk.h"
#include "physics/world/world.h"
#include "tools/frame/subject.h"
#include "tools/latent/compare_plot.h"
#include "tools/latent/latent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum kind { POLICY, CONTROLLER, KINDS } kind;

/* One row of the table. */
typedef struct entry {
    kind kind;
    const char *name; /* file, or of the catalogue */
} entry;

typedef struct options {
    entry entry[TR_COMPARE_MAX];
    int count;
    tr_words policies;
    const char *catalogue, *svg;
    tr_latent_check_options by;
} options;

/* --- the command line --- */

static tr_status add(options *o, kind of, const char *name, tr_error *error) {
    if (o->count == TR_COMPARE_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected at most %d rows; leave some out",
                       name, TR_COMPARE_MAX);
    o->entry[o->count++] = (entry){of, name};
    return TR_OK;
}

static tr_status take_controller(void *context, const tr_option_value *value, tr_error *error) {
    return add(context, CONTROLLER, value->text, error);
}

static void preset(void *out) {
    *(options *)out = (options){.by = tr_latent_check_options_default()};
}

static const tr_argument words[] = {
    {"[FILE ...]", TR_OPTION_TEXT, offsetof(options, policies),
     "what 'troupe-train latent task' wrote for a heading task", 1, TR_COMPARE_MAX},
    {"--controller NAME", TR_OPTION_CALL, 0, "of the catalogue: a graph, a chain; may be repeated",
     .take = take_controller},
    {"--catalogue F", TR_OPTION_TEXT, offsetof(options, catalogue), "holds the controllers"},
    {"--svg X.svg", TR_OPTION_TEXT, offsetof(options, svg),
     "draw rewards, and deviations after a new direction"},
    TR_LATENT_CHECK_ROWS(options),
    {0}};

static tr_status check(void *given, tr_error *error) {
    options *o = given;
    bool controllers = false;
    tr_status status = tr_latent_check_options_check(&o->by, error);
    for (int i = 0; i < o->count; i++)
        controllers |= o->entry[i].kind == CONTROLLER;
    for (int i = 0; !status && i < o->policies.count; i++)
        status = add(o, POLICY, o->policies.word[i], error);
    if (!status && (o->count < 1 || controllers != (o->catalogue != NULL)))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "expected FILEs or --controller; --catalogue with --controller");
    return status;
}

/* --- the table --- */

/* The length of the longest name, at least of its heading. */
static int widest(const options *o) {
    int most = 6;
    for (int i = 0; i < o->count; i++) {
        int length = (int)strlen(o->entry[i].name);
        most = length > most ? length : most;
    }
    return most;
}

static void print_heading(const options *o) {
    printf("%d characters, %d steps, a goal every %d, seed %llu; median (middle half)\n",
           o->by.characters, o->by.steps, o->by.goal_steps, (unsigned long long)o->by.seed);
    printf("%-*s  %22s  %9s  %9s  %9s  %9s  %9s  %9s\n", widest(o), "policy", "reward of 1000",
           "late deg", "to 20deg", ">90deg", "m/s", "slip m/s", "jerk/clip");
}

/* Of a controller slip and jerk are not measured: its clips are not known. */
static void print_row(const options *o, const entry *e, const tr_latent_check_result *r) {
    printf("%-*s  %6.0f (%5.0f to %5.0f)  %9.1f  %8.2fs  %8.2fs  %9.2f", widest(o), e->name,
           r->heading.reward.median, r->heading.reward.low, r->heading.reward.high,
           r->heading.deviation_deg.median, r->heading.reach_s.median, r->heading.turn_s.median,
           r->speed_mps.median);
    if (e->kind == CONTROLLER)
        printf("  %9s  %9s\n", "-", "-");
    else
        printf("  %9.2f  %9.2f\n", r->slip_mps.median, r->jerk.median / r->clip_jerk);
    fflush(stdout);
}

/* --- measuring --- */

static tr_status measure_file(const options *o, const entry *e, tr_pool *pool,
                              tr_latent_check_result *out, tr_error *error) {
    tr_latent_subject subject = {0};
    tr_latent_policy *policy = NULL;
    tr_status status = tr_latent_subject_load(o->by.model, e->name, &subject, error);
    if (!status)
        status =
            tr_latent_policy_load(&subject.sections, subject.space, subject.model, &policy, error);
    const tr_latent_check check = tr_latent_check_of(&o->by, &subject, policy, pool);
    if (!status && (status = tr_latent_check_run(&check, out)))
        status = tr_fail(error, status, "%s: %s: expected a policy of a heading task", e->name,
                         tr_status_text(status));
    tr_latent_policy_destroy(policy);
    tr_latent_subject_deinit(&subject);
    return status;
}

/* In the same times as policies, whose steps are of 1/30 s. */
static tr_status measure_controller(const options *o, const entry *e, tr_latent_check_result *out,
                                    tr_error *error) {
    tr_subject subject = {0};
    tr_heading_walk_result result = {0};
    const tr_heading_walk walk = {.trials = o->by.characters,
                                  .seconds = o->by.steps / 30.0,
                                  .goal_s = o->by.goal_steps / 30.0,
                                  .seed = o->by.seed};
    tr_status status = tr_subject_read(o->catalogue, e->name, &subject, error);
    if (!status)
        status = tr_subject_make_worlds(&subject, o->by.threads, error);
    if (!status)
        status = tr_heading_walk_run(subject.ensemble, subject.controller, &walk, &result, error);
    tr_subject_deinit(&subject);
    *out = (tr_latent_check_result){.heading = result.heading, .speed_mps = result.speed_mps};
    return status;
}

/* Policies first, as they are the baseline of the others. */
static tr_status compare(const options *o, tr_pool *pool, tr_compared *out, tr_error *error) {
    int at = 0;
    for (int i = 0; i < KINDS * o->count; i++) {
        const entry *e = &o->entry[i % o->count];
        if (e->kind != (kind)(i / o->count))
            continue;
        tr_latent_check_result result;
        tr_status status = e->kind == CONTROLLER ? measure_controller(o, e, &result, error)
                                                 : measure_file(o, e, pool, &result, error);
        if (status)
            return status;
        print_row(o, e, &result);
        out[at++] = (tr_compared){e->name, result.heading};
    }
    return TR_OK;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_compared compared[TR_COMPARE_MAX];
    tr_pool *pool = NULL;
    tr_status status = tr_pool_create(o->by.threads, &pool);
    if (status)
        return tr_fail(error, status, "--threads %d: %s", o->by.threads, tr_status_text(status));
    tr_physics_init();
    print_heading(o);
    status = compare(o, pool, compared, error);
    tr_pool_destroy(pool);
    return status || !o->svg
               ? status
               : tr_compare_plot(o->svg, compared, o->count, o->by.goal_steps / 30.0, error);
}

const tr_tool_command tr_tool_latent_compare = {
    .name = "compare",
    .summary = "measure policies side by side, as the paper's figure 6 does",
    .shares = true,
    .help = "Each FILE is what 'troupe-train latent task' wrote for a heading task, such as\n"
            "from other clips, or without the connectivity prior. All get the same starts and "
            "directions.\n"
            "Columns: reward, deviation in the second half of the time to each direction, time to\n"
            "within 20 degrees, the same from more than 90, speed, the slowest point of the lower\n"
            "foot, and the third difference over that of the clips. 'check' explains them.\n"
            "Controllers of a catalogue are measured as by 'headings', in as much time.\n",
    .example = "  troupe-train latent compare with-prior.latent without-prior.latent\n",
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .check = check,
    .run = run};
