/* troupe-train latent check: measures a policy in a latent space. */
#include "learn/latent/latent_check.h"
#include "tools/frame/options.h"
#include "tools/frame/progress.h"
#include "tools/latent/latent.h"

#include <stdio.h>

typedef struct options {
    const char *path, *model;
    int threads, characters, steps, goal_steps;
    bool decisions;
    uint64_t seed;
} options;

static bool parse(int argc, char **argv, options *o) {
    *o = (options){.model = TR_MODEL_DIR "/humanoid.xml",
                   .characters = 32,
                   .steps = 1000,
                   .goal_steps = 100,
                   .seed = 1};
    o->threads = tr_option_default_threads();
    const tr_option table[] = {
        {"model", TR_OPTION_TEXT, &o->model, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->threads, 1, TR_POOL_THREAD_MAX},
        {"characters", TR_OPTION_COUNT, &o->characters, 1, 100000},
        {"steps", TR_OPTION_COUNT, &o->steps, 2, 100000},
        {"goal-steps", TR_OPTION_COUNT, &o->goal_steps, 2, 100000},
        {"decisions", TR_OPTION_FLAG, &o->decisions, 0, 0},
        {"seed", TR_OPTION_SEED, &o->seed, 0, 0},
    };
    int first = tr_options_take(argv[0], argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (first + 1 != argc || o->goal_steps > o->steps) {
        fputs("troupe-train latent check: expected a FILE, and --goal-steps of at most --steps\n",
              stderr);
        return false;
    }
    o->path = argv[first];
    return true;
}

static void print_spread(const char *label, const tr_spread *s, const char *unit) {
    printf("  %-36s %8.2f  (%.2f to %.2f) %s\n", label, s->median, s->low, s->high, unit);
}

static void print_result(const options *o, const tr_latent_check_result *r, double seconds) {
    printf(
        "%s: %d characters, %d steps, a goal every %d, seed %llu, %.1f s; median (middle half)\n",
        o->path, o->characters, o->steps, o->goal_steps, (unsigned long long)o->seed, seconds);
    print_spread("reward of 1000", &r->reward, "");
    print_spread("deviation, second half of a goal", &r->deviation_deg, "deg");
    printf("  %-36s %8.2f  deg\n", "its mean", r->deviation_mean_deg);
    print_spread("time to within 20 deg", &r->reach_s, "s");
    print_spread("the same from more than 90 deg", &r->turn_s, "s");
    printf("  %-36s %8.2f\n", "goals never within 20 deg", r->missed);
    print_spread("speed", &r->speed_mps, "m/s");
    print_spread("pose variance, times the clips'", &r->variance, "");
    print_spread("slowest point of the lower foot", &r->slip_mps, "m/s");
    printf("  %-36s %8.2f  m/s\n", "  in the clips", r->clip_slip_mps);
    print_spread("third difference", &r->jerk, "m/s3");
    printf("  %-36s %8.2f  m/s3\n", "  in the clips", r->clip_jerk);
}

static tr_status measure(const options *o, const tr_latent_subject *subject, tr_pool *pool,
                         tr_error *error) {
    tr_latent_policy *policy = NULL;
    tr_latent_check_result result;
    double begin = tr_wall_seconds();
    tr_status status =
        tr_latent_policy_load(&subject->sections, subject->space, subject->model, &policy, error);
    if (status)
        return status;
    const tr_latent_check check = {.model = subject->model,
                                   .space = subject->space,
                                   .policy = policy,
                                   .pool = pool,
                                   .characters = o->characters,
                                   .steps = o->steps,
                                   .goal_steps = o->goal_steps,
                                   .decisions = o->decisions,
                                   .seed = o->seed};
    status = tr_latent_check_run(&check, &result);
    if (!status)
        print_result(o, &result, tr_wall_seconds() - begin);
    tr_latent_policy_destroy(policy);
    return status ? tr_fail(error, status, "%s: %s", o->path, tr_status_text(status)) : TR_OK;
}

static tr_status run(const options *o, tr_error *error) {
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

static int exec(int argc, char **argv) {
    options o;
    tr_error error = {0};
    if (!parse(argc, argv, &o))
        return TR_TOOL_USAGE;
    return tr_tool_end(argv[0], run(&o, &error), &error);
}

const tr_tool_command tr_tool_latent_check = {
    .name = "check",
    .arguments = "FILE [options]",
    .summary = "measure a policy in a latent space",
    .help =
        "FILE is what 'troupe-train latent task' wrote for a heading task. Characters walk from\n"
        "random frames and are given random directions. Rewards are those of directions\n"
        "alone, exp(-3 |angle|); a character that moves at random earns about 106 of 1000.\n"
        "\n"
        "  --model MJCF      the character's model (the shipped humanoid.xml)\n"
        "  --characters N    (32)\n"
        "  --steps N         decisions of each (1000)\n"
        "  --goal-steps N    until a character is given another direction (100)\n"
        "  --decisions       measure the policy's points as in the paper, without the spline "
        "between\n"
        "                    them and without planted feet\n"
        "  --seed S          of starts and directions (1)\n"
        "  --threads N       all cores; does not change the result\n"
        "\n"
        "  troupe-train latent check walker.latent\n",
    .exec = exec};
