/* troupe-train latent check: measures a policy in a latent space. */
#include "control/latent/puppet.h"
#include "learn/latent/latent_check.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/tool.h"

#include <stdio.h>

typedef struct options {
    tr_subject_use of;
    int targets, characters, steps, goal_steps;
    bool decisions;
    uint64_t seed;
} options;

static const options defaults = {
    .targets = 20, .characters = 32, .steps = 1000, .goal_steps = 100, .seed = 1};

static const tr_argument words[] = {
    TR_TOOL_SUBJECT("a puppet"),
    {"--targets N", TR_OPTION_COUNT, offsetof(options, targets), "target: points of each (20)", 1,
     10000},
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
    TR_TOOL_THREADS(options, of.threads),
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
        o->of.name, o->characters, o->steps, o->goal_steps, (unsigned long long)o->seed, seconds);
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

static tr_status measure_heading(const options *o, const tr_latent_check *check) {
    tr_latent_check_result result;
    double begin = tr_wall_seconds();
    tr_status status = tr_latent_check_run(check, &result);
    if (!status)
        print_result(o, &result, tr_wall_seconds() - begin);
    return status;
}

static tr_status measure_target(const options *o, const tr_latent_check *check) {
    tr_target_check_result r;
    double begin = tr_wall_seconds();
    tr_status status = tr_latent_check_targets(check, &r);
    if (status)
        return status;
    printf("%s: %d characters, %d targets each, seed %llu, %.1f s\n", o->of.name, o->characters,
           o->targets, (unsigned long long)o->seed, tr_wall_seconds() - begin);
    printf("  %-36s %5d of %d, %.3f (%.3f to %.3f)\n", "hit within 0.1 m in 2 s", r.hits, r.trials,
           (double)r.hits / r.trials, r.low, r.high);
    print_spread("least distance", &r.miss_m, "m");
    print_spread("time to a hit", &r.hit_s, "s");
    print_spread("slowest point of the lower foot", &r.slip_mps, "m/s");
    return TR_OK;
}

static tr_status measure(const void *given, const tr_subject *subject, tr_error *error) {
    const options *o = given;
    const tr_driver driver = subject->controller->driver;
    const tr_latent_puppet *puppet = driver.content;
    if (driver.kind != &tr_puppet_kind)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%s' is of kind %s: expected a puppet",
                       o->of.name, tr_driver_kind_name(driver));
    const tr_latent_check check = {.model = subject->model,
                                   .space = puppet->space,
                                   .policy = puppet->policy,
                                   .pool = subject->ensemble->pool,
                                   .characters = o->characters,
                                   .steps = o->steps,
                                   .goal_steps = o->goal_steps,
                                   .targets = o->targets,
                                   .decisions = o->decisions,
                                   .seed = o->seed};
    bool target = puppet->policy->task.kind == TR_LATENT_TARGET;
    tr_status status = (target ? measure_target : measure_heading)(o, &check);
    return tr_fail_if(error, status, "'%s'", o->of.name);
}

const tr_tool_command tr_tool_latent_check = {
    .name = "latent check",
    .summary = "measure a policy in a latent space",
    .shares = true,
    .help =
        "NAME is a puppet that 'troupe-train latent task' learned. In a heading task, characters\n"
        "walk from random frames and are given random directions. Rewards are those of directions\n"
        "alone, exp(-3 |angle|); a character that moves at random earns about 106 of 1000.\n"
        "In a target task, characters are given one point after the other at 0.6 to 1 m within\n"
        "60 degrees to either side, and have 2 s to bring the body to within 0.1 m of it.\n",
    .example = "  troupe-train latent check walker --catalogue mine.troupe\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .check = check,
    .measure = measure};
