/* troupe-train latent check: measures a policy in a latent space. */
#include "learn/latent/latent_check.h"
#include "learn/latent/target_check.h"
#include "tools/frame/progress.h"
#include "tools/latent/latent.h"

#include <stdio.h>

typedef struct options {
    const char *path, *model;
    int targets, threads, characters, steps, goal_steps;
    bool decisions;
    uint64_t seed;
} options;

static const options defaults = {.model = TR_MODEL_DIR "/humanoid.xml",
                                 .targets = 20,
                                 .characters = 32,
                                 .steps = 1000,
                                 .goal_steps = 100,
                                 .seed = 1};

static const tr_argument words[] = {
    {"FILE", TR_OPTION_TEXT, offsetof(options, path), "what 'troupe-train latent task' wrote"},
    {"--targets N", TR_OPTION_COUNT, offsetof(options, targets), "target: points of each (20)", 1,
     10000},
    {"--model MJCF", TR_OPTION_TEXT, offsetof(options, model),
     "the character's model (the shipped humanoid.xml)"},
    {"--characters N", TR_OPTION_COUNT, offsetof(options, characters), "(32)", 1, 100000},
    {"--steps N", TR_OPTION_COUNT, offsetof(options, steps), "heading: decisions of each (1000)", 2,
     100000},
    {"--goal-steps N", TR_OPTION_COUNT, offsetof(options, goal_steps),
     "heading: until a character is given another direction (100)", 2, 100000},
    {"--decisions", TR_OPTION_FLAG, offsetof(options, decisions),
     "measure the policy alone. Heading: its points as in the paper, without the spline between "
     "them and without planted feet. Target: without the constraint that brings the body to the "
     "point"},
    {"--seed S", TR_OPTION_SEED, offsetof(options, seed), "of starts, directions and points (1)"},
    TR_TOOL_THREADS(options, threads),
    {0}};

static tr_status check(void *given, tr_error *error) {
    const options *o = given;
    return o->goal_steps <= o->steps
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT, "--goal-steps: expected at most --steps");
}

static void print_spread(const char *label, const tr_spread *s, const char *unit) {
    printf("  %-36s %8.2f  (%.2f to %.2f) %s\n", label, s->median, s->low, s->high, unit);
}

static void print_result(const options *o, const tr_latent_check_result *r, double seconds) {
    printf(
        "%s: %d characters, %d steps, a goal every %d, seed %llu, %.1f s; median (middle half)\n",
        o->path, o->characters, o->steps, o->goal_steps, (unsigned long long)o->seed, seconds);
    print_spread("reward of 1000", &r->heading.reward, "");
    print_spread("deviation, second half of a goal", &r->heading.deviation_deg, "deg");
    printf("  %-36s %8.2f  deg\n", "its mean", r->heading.deviation_mean_deg);
    print_spread("time to within 20 deg", &r->heading.reach_s, "s");
    print_spread("the same from more than 90 deg", &r->heading.turn_s, "s");
    printf("  %-36s %8.2f\n", "goals never within 20 deg", r->heading.missed);
    print_spread("speed", &r->speed_mps, "m/s");
    print_spread("pose variance, times the clips'", &r->variance, "");
    print_spread("slowest point of the lower foot", &r->slip_mps, "m/s");
    printf("  %-36s %8.2f  m/s\n", "  in the clips", r->clip_slip_mps);
    print_spread("third difference", &r->jerk, "m/s3");
    printf("  %-36s %8.2f  m/s3\n", "  in the clips", r->clip_jerk);
}

static tr_status measure_heading(const options *o, const tr_latent_subject *subject,
                                 const tr_latent_policy *policy, tr_pool *pool) {
    tr_latent_check_result result;
    double begin = tr_wall_seconds();
    const tr_latent_check check = {.model = subject->model,
                                   .space = subject->space,
                                   .policy = policy,
                                   .pool = pool,
                                   .characters = o->characters,
                                   .steps = o->steps,
                                   .goal_steps = o->goal_steps,
                                   .decisions = o->decisions,
                                   .seed = o->seed};
    tr_status status = tr_latent_check_run(&check, &result);
    if (!status)
        print_result(o, &result, tr_wall_seconds() - begin);
    return status;
}

static tr_status measure_target(const options *o, const tr_latent_subject *subject,
                                const tr_latent_policy *policy, tr_pool *pool) {
    tr_target_check_result r;
    tr_target_check check = tr_target_check_default();
    double begin = tr_wall_seconds();
    check.model = subject->model;
    check.space = subject->space;
    check.policy = policy;
    check.pool = pool;
    check.characters = o->characters;
    check.targets = o->targets;
    check.policy_alone = o->decisions;
    check.seed = o->seed;
    tr_status status = tr_target_check_run(&check, &r);
    if (status)
        return status;
    printf("%s: %d characters, %d targets each, seed %llu, %.1f s\n", o->path, o->characters,
           o->targets, (unsigned long long)o->seed, tr_wall_seconds() - begin);
    printf("  %-36s %5d of %d, %.3f (%.3f to %.3f)\n", "hit within 0.1 m in 2 s", r.hits, r.trials,
           (double)r.hits / r.trials, r.low, r.high);
    print_spread("least distance", &r.miss_m, "m");
    print_spread("time to a hit", &r.hit_s, "s");
    print_spread("slowest point of the lower foot", &r.slip_mps, "m/s");
    return TR_OK;
}

static tr_status measure(const options *o, const tr_latent_subject *subject, tr_pool *pool,
                         tr_error *error) {
    tr_latent_policy *policy = NULL;
    tr_status status =
        tr_latent_policy_load(&subject->sections, subject->space, subject->model, &policy, error);
    if (status)
        return status;
    bool target = policy->task.kind == TR_LATENT_TARGET;
    status = (target ? measure_target : measure_heading)(o, subject, policy, pool);
    tr_latent_policy_destroy(policy);
    return status ? tr_fail(error, status, "%s: %s", o->path, tr_status_text(status)) : TR_OK;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_latent_subject subject = {0};
    tr_pool *pool = NULL;
    tr_status status = tr_latent_subject_load(o->model, o->path, &subject, error);
    if (!status && (status = tr_pool_create(o->threads, &pool)))
        status = tr_fail(error, status, "--threads %d: %s", o->threads, tr_status_text(status));
    if (!status)
        status = measure(o, &subject, pool, error);
    tr_pool_destroy(pool);
    tr_latent_subject_deinit(&subject);
    return status;
}

const tr_tool_command tr_tool_latent_check = {
    .name = "latent check",
    .summary = "measure a policy in a latent space",
    .shares = true,
    .help =
        "FILE is what 'troupe-train latent task' wrote. In a heading task, characters walk from\n"
        "random frames and are given random directions. Rewards are those of directions\n"
        "alone, exp(-3 |angle|); a character that moves at random earns about 106 of 1000.\n"
        "In a target task, characters are given one point after the other at 0.6 to 1 m within\n"
        "60 degrees to either side, and have 2 s to bring the body to within 0.1 m of it.\n",
    .example = "  troupe-train latent check walker.latent\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .check = check,
    .run = run};
