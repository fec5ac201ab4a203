/* troupe-train latent compare: policies side by side (levine2012, figure 6). */
#include "learn/latent/latent_check.h"
#include "tools/frame/options.h"
#include "tools/latent/latent.h"

#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 16 };

typedef struct options {
    const char *path[FILE_MAX], *model;
    int count, threads, characters, steps, goal_steps;
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
    o->count = argc - first;
    if (o->count < 1 || o->count > FILE_MAX || o->goal_steps > o->steps) {
        fprintf(stderr,
                "troupe-train latent compare: expected 1 to %d FILEs, and --goal-steps of at most "
                "--steps\n",
                FILE_MAX);
        return false;
    }
    for (int i = 0; i < o->count; i++)
        o->path[i] = argv[first + i];
    return true;
}

/* The lengths of the longest path, at least of its heading. */
static int widest(const options *o) {
    int most = 6;
    for (int i = 0; i < o->count; i++) {
        int length = (int)strlen(o->path[i]);
        most = length > most ? length : most;
    }
    return most;
}

static void print_heading(const options *o) {
    printf("%d characters, %d steps, a goal every %d, seed %llu; median (middle half)\n",
           o->characters, o->steps, o->goal_steps, (unsigned long long)o->seed);
    printf("%-*s  %22s  %9s  %9s  %9s  %9s  %9s  %9s\n", widest(o), "policy", "reward of 1000",
           "late deg", "to 20deg", ">90deg", "m/s", "slip m/s", "jerk/clip");
}

static void print_row(const options *o, const char *path, const tr_latent_check_result *r) {
    printf("%-*s  %6.0f (%5.0f to %5.0f)  %9.1f  %8.2fs  %8.2fs  %9.2f  %9.2f  %9.2f\n", widest(o),
           path, r->reward.median, r->reward.low, r->reward.high, r->deviation_deg.median,
           r->reach_s.median, r->turn_s.median, r->speed_mps.median, r->slip_mps.median,
           r->jerk.median / r->clip_jerk);
    fflush(stdout);
}

static tr_status measure(const options *o, const char *path, tr_pool *pool,
                         const tr_latent_subject *subject, tr_error *error) {
    tr_latent_policy *policy = NULL;
    tr_latent_check_result result;
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
    tr_latent_policy_destroy(policy);
    if (status)
        return tr_fail(error, status, "%s: %s: expected a policy of a heading task", path,
                       tr_status_text(status));
    print_row(o, path, &result);
    return TR_OK;
}

static tr_status run(const options *o, tr_error *error) {
    tr_pool *pool = NULL;
    tr_status status = tr_pool_create(o->threads, &pool);
    if (status)
        return tr_fail(error, status, "--threads %d: %s", o->threads, tr_status_text(status));
    print_heading(o);
    for (int i = 0; !status && i < o->count; i++) {
        tr_latent_subject subject = {0};
        status = tr_latent_subject_load(o->model, o->path[i], &subject, error);
        if (!status)
            status = measure(o, o->path[i], pool, &subject, error);
        tr_latent_subject_deinit(&subject);
    }
    tr_pool_destroy(pool);
    return status;
}

static int exec(int argc, char **argv) {
    options o;
    tr_error error = {0};
    if (!parse(argc, argv, &o))
        return TR_TOOL_USAGE;
    return tr_tool_end(argv[0], run(&o, &error), &error);
}

const tr_tool_command tr_tool_latent_compare = {
    .name = "compare",
    .arguments = "FILE... [options]",
    .summary = "measure policies side by side, as the paper's figure 6 does",
    .help =
        "Each FILE is what 'troupe-train latent task' wrote for a heading task: of other clips,\n"
        "without the connectivity prior, sparse. All get the same starts and directions.\n"
        "Columns: reward, deviation in the second half of the time to each direction, time to\n"
        "within 20 degrees, the same from more than 90, speed, the slowest point of the lower\n"
        "foot, and the third difference over that of the clips. 'check' explains them.\n"
        "\n"
        "  --model MJCF      the character's model (the shipped humanoid.xml)\n"
        "  --characters N    (32)\n"
        "  --steps N         decisions of each (1000)\n"
        "  --goal-steps N    until a character is given another direction (100)\n"
        "  --decisions       the policies' points alone, as in the paper\n"
        "  --seed S          of starts and directions (1)\n"
        "  --threads N       all cores; does not change the result\n"
        "\n"
        "  troupe-train latent compare with-prior.latent without-prior.latent\n",
    .exec = exec};
