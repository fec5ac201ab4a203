/* troupe-train latent compare: policies side by side (levine2012, figure 6). */
#include "tools/latent/latent.h"

#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 16 };

typedef struct options {
    const char *path[FILE_MAX];
    int count;
    tr_latent_check_options by;
} options;

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    tr_option table[TR_LATENT_CHECK_OPTIONS];
    *o = (options){.by = tr_latent_check_options_default()};
    tr_latent_check_options_list(&o->by, table);
    int first = tr_options_take(argv[0], argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    o->count = argc - first;
    if (o->count < 1 || o->count > FILE_MAX || o->by.goal_steps > o->by.steps) {
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
           o->by.characters, o->by.steps, o->by.goal_steps, (unsigned long long)o->by.seed);
    printf("%-*s  %22s  %9s  %9s  %9s  %9s  %9s  %9s\n", widest(o), "policy", "reward of 1000",
           "late deg", "to 20deg", ">90deg", "m/s", "slip m/s", "jerk/clip");
}

static void print_row(const options *o, const char *path, const tr_latent_check_result *r) {
    printf("%-*s  %6.0f (%5.0f to %5.0f)  %9.1f  %8.2fs  %8.2fs  %9.2f  %9.2f  %9.2f\n", widest(o),
           path, r->heading.reward.median, r->heading.reward.low, r->heading.reward.high,
           r->heading.deviation_deg.median, r->heading.reach_s.median, r->heading.turn_s.median,
           r->speed_mps.median, r->slip_mps.median, r->jerk.median / r->clip_jerk);
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
    const tr_latent_check check = tr_latent_check_of(&o->by, subject, policy, pool);
    status = tr_latent_check_run(&check, &result);
    tr_latent_policy_destroy(policy);
    if (status)
        return tr_fail(error, status, "%s: %s: expected a policy of a heading task", path,
                       tr_status_text(status));
    print_row(o, path, &result);
    return TR_OK;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_pool *pool = NULL;
    tr_status status = tr_pool_create(o->by.threads, &pool);
    if (status)
        return tr_fail(error, status, "--threads %d: %s", o->by.threads, tr_status_text(status));
    print_heading(o);
    for (int i = 0; !status && i < o->count; i++) {
        tr_latent_subject subject = {0};
        status = tr_latent_subject_load(o->by.model, o->path[i], &subject, error);
        if (!status)
            status = measure(o, o->path[i], pool, &subject, error);
        tr_latent_subject_deinit(&subject);
    }
    tr_pool_destroy(pool);
    return status;
}

const tr_tool_command tr_tool_latent_compare = {
    .name = "compare",
    .arguments = "FILE... [options]",
    .summary = "measure policies side by side, as the paper's figure 6 does",
    .shares = true,
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
    .options = sizeof(options),
    .parse = parse,
    .run = run};
