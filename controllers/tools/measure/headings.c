/* troupe-train headings: how controllers follow headings that change, side by side. */
#include "learn/measure/evaluate.h"
#include "learn/measure/heading_walk.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MAX = 16 };

typedef struct options {
    tr_words names;
    const char *catalogue;
    double turn_deg, near_deg;
    int threads;
    tr_heading_walk walk;
    char setting[TR_HEADING_SETTING_MAX][TR_NAME_MAX];
} options;

/* --- the command line --- */

/* NAME=VALUE, once for each parameter. */
static tr_status take_parameter(void *context, const tr_option_value *value, tr_error *error) {
    options *o = context;
    const int i = o->walk.setting_count;
    double parsed;
    const size_t length = strcspn(value->text, "=");
    const char *number = value->text + length + (value->text[length] == '=');
    if (length == 0 || length >= TR_NAME_MAX || !tr_option_real(number, &parsed) ||
        i == TR_HEADING_SETTING_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--parameter %s: expected NAME=VALUE, a number, and at most %d of them",
                       value->text, TR_HEADING_SETTING_MAX);
    memcpy(o->setting[i], value->text, length);
    o->walk.setting[i] = (tr_heading_setting){o->setting[i], parsed};
    o->walk.setting_count++;
    return TR_OK;
}

static const options defaults = {
    .walk = {.trials = 100, .seconds = 60, .goal_s = 10.0 / 3, .seed = 1}};

static const tr_argument words[] = {
    {"NAME ...", TR_OPTION_TEXT, offsetof(options, names), "controllers that can be steered", 1,
     NAME_MAX},
    {"--catalogue F", TR_OPTION_TEXT, offsetof(options, catalogue), "holds the controllers",
     .needed = true},
    {"--trials N", TR_OPTION_COUNT, offsetof(options, walk.trials), "of each (100)", 1,
     TR_HEADING_WALK_MAX},
    {"--seconds S", TR_OPTION_NUMBER, offsetof(options, walk.seconds), "of each trial (60)", 0.1,
     36000},
    {"--every S", TR_OPTION_NUMBER, offsetof(options, walk.goal_s), "another heading (3.33)", 0.1,
     36000},
    {"--push N", TR_OPTION_NUMBER, offsetof(options, walk.push_n),
     "force on the trunk for 0.2 s, once a heading (0)", 0, 10000},
    {"--turn DEG", TR_OPTION_NUMBER, offsetof(options, turn_deg),
     "each heading is DEG to a side (drawn evenly, up to 180)", 1, 180},
    {"--rise", TR_OPTION_FLAG, offsetof(options, walk.rises),
     "a trial continues after a fall, for characters that get up; falls are counted, and only the "
     "time down earns nothing"},
    {"--near DEG", TR_OPTION_NUMBER, offsetof(options, near_deg),
     "a heading is reached within this (20)", 1, 180},
    {"--parameter NAME=VALUE", TR_OPTION_CALL, 0, "of the drivers; may be repeated",
     .take = take_parameter},
    {"--seed S", TR_OPTION_SEED, offsetof(options, walk.seed),
     "of starts, headings and pushes (1)"},
    TR_TOOL_THREADS(options, threads),
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    o->walk.turn_rad = o->turn_deg * TR_PI / 180;
    o->walk.near_rad = o->near_deg * TR_PI / 180;
    if (o->walk.goal_s > o->walk.seconds)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--every: expected at most --seconds");
    return TR_OK;
}

/* --- the table --- */

/* The length of the longest name, at least of its heading. */
static int widest(const options *o) {
    size_t most = strlen("controller");
    for (int i = 0; i < o->names.count; i++)
        most = strlen(o->names.word[i]) > most ? strlen(o->names.word[i]) : most;
    return (int)most;
}

static void print_row(const options *o, const char *name, const tr_heading_walk_result *r) {
    const tr_heading_summary *h = &r->heading;
    double low, high, least, most;
    tr_evaluate_wilson(r->held, r->trials, &low, &high);
    tr_evaluate_wilson(h->reached, h->goals, &least, &most);
    printf("%-*s  %4d/%-4d (%.3f to %.3f)  %6.1f  %6.1f  %6.0f (%5.0f to %5.0f)  %8.1f  %7.2fs  "
           "%7.2fs  %6.2f  %5.2f  %5d/%-5d (%.3f to %.3f)\n",
           widest(o), name, r->held, r->trials, low, high, r->mean_s, r->shortest_s,
           h->reward.median, h->reward.low, h->reward.high, h->deviation_deg.median,
           h->reach_s.median, h->turn_s.median, h->missed, r->speed_mps.median, h->reached,
           h->goals, least, most);
    if (o->walk.rises)
        printf("%-*s  %d falls, up again after %d\n", widest(o), "", r->falls, r->risen);
    fflush(stdout);
}

typedef struct row {
    const options *o;
    const char *name;
} row;

static tr_status measure(const void *given, const tr_subject *s, tr_error *error) {
    const row *r = given;
    tr_heading_walk_result result;
    tr_status status = tr_heading_walk_run(s->ensemble, s->controller, &r->o->walk, &result, error);
    if (!status)
        print_row(r->o, r->name, &result);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_status status = TR_OK;
    printf("%d trials of %g s, a heading every %.3g s, pushes of %g N, seed %llu; median (middle "
           "half)\n",
           o->walk.trials, o->walk.seconds, o->walk.goal_s, o->walk.push_n,
           (unsigned long long)o->walk.seed);
    printf("%-*s  %24s  %6s  %6s  %22s  %8s  %8s  %8s  %6s  %5s  %26s\n", widest(o), "controller",
           "held (95 %)", "mean s", "least", "reward of 1000", "late deg", "reached", ">90deg",
           "missed", "m/s", "reached (95 %)");
    for (int i = 0; !status && i < o->names.count; i++) {
        const row r = {o, o->names.word[i]};
        status = tr_subject_measure(&(tr_subject_use){o->catalogue, r.name, o->threads}, measure,
                                    &r, error);
    }
    return status;
}

const tr_tool_command tr_tool_headings = {
    .name = "headings",
    .summary = "measure how controllers follow headings that change, side by side",
    .help =
        "Each NAME is a controller that can be steered: a puppet, a chain, a graph or a\n"
        "scheduler. Trials begin in disturbed spawn states; every few seconds a character is "
        "given\n"
        "another heading, drawn evenly about its own. Columns: trials without a loss of the "
        "motion,\n"
        "their mean and least time, reward (exp(-3 |angle|) of the travel, at random about 106),\n"
        "deviation in the second half of the time to each heading, time to reach it, the same\n"
        "from more than 90 degrees, share never reached, speed, and headings reached. After a\n"
        "loss a trial earns nothing and reaches nothing.\n",
    .example = "  troupe-train headings walker turning --catalogue catalogue.sqlite\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .check = check,
    .run = run,
};
