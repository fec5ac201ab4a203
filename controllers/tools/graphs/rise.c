/* troupe-train rise: pushes a control graph's character over, and counts the falls after which it
 * gets up. */
#include "control/graph/control_graph.h"
#include "learn/measure/evaluate.h"
#include "learn/measure/rising.h"
#include "math/quantile.h"
#include "motion/poses/motion.h"
#include "tools/frame/lead.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    tr_subject_use of;
    const char *starts, *skill;
    tr_rising_test test;
} options;

static void preset(void *out) {
    options *o = out;
    *o = (options){.test = tr_rising_test_default()};
}

static const tr_argument words[] = {
    TR_TOOL_SUBJECT("a control graph that gets up"),
    {"--falls N", TR_OPTION_COUNT, offsetof(options, test.trials), "trials (200)", 1,
     TR_RISING_TRIAL_MAX},
    {"--again SKILL", TR_OPTION_TEXT, offsetof(options, test.again),
     "begin in this cyclic skill, request it throughout, and count the falls after which it is "
     "performed again"},
    {"--seed S", TR_OPTION_SEED, offsetof(options, test.seed), "seed of everything drawn"},
    TR_TOOL_THREADS(options, of.threads),
    {"--starts FILE", TR_OPTION_TEXT, offsetof(options, starts),
     "write the states in which the rising skill NAME began, as a motion of one frame a trial; "
     "'troupe-train learn --starts' learns from it"},
    {"--skill NAME", TR_OPTION_TEXT, offsetof(options, skill), "rising skill"},
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    if ((o->starts != NULL) != (o->skill != NULL))
        return tr_fail(error, TR_INVALID_ARGUMENT, "--starts, --skill: expected together");
    return TR_OK;
}

/* --- the falls --- */

typedef struct falls {
    const tr_subject *of;
    tr_rising_trial *trial; /* [trials] */
    double *value;          /* [trials], scratch */
} falls;

static tr_status make_falls(const options *o, falls *f, tr_error *error) {
    f->trial = calloc((size_t)o->test.trials, sizeof *f->trial);
    f->value = calloc((size_t)o->test.trials, sizeof *f->value);
    tr_status status = TR_RESOURCE_EXHAUSTED;
    if (f->trial && f->value)
        status = tr_rising_measure(f->of->model, f->of->controller, &o->test, f->of->ensemble->pool,
                                   f->trial);
    return !status ? TR_OK
                   : tr_fail(error, status, "%s: %s", o->of.name,
                             status == TR_INVALID_ARGUMENT
                                 ? "expected a graph with a rising skill, cyclic skills and the "
                                   "requested one"
                                 : tr_status_text(status));
}

/* --- the report --- */

typedef struct count {
    int falls, stands;
} count;

static void add(count *c, const tr_rising_trial *trial) {
    c->falls++;
    c->stands += trial->stands;
}

static void print_count(const char *label, const char *name, const count *c) {
    if (c->falls > 0)
        printf("  %-12s %-20s %d of %d\n", label, name, c->stands, c->falls);
}

/* Mean and 90th percentile of the hardest blows to the head. */
static void print_blows(const options *o, const falls *f, double *blow) {
    double sum = 0;
    int fallen = 0;
    for (int i = 0; i < o->test.trials; i++)
        if (f->trial[i].fell)
            sum += blow[fallen++] = f->trial[i].blow_ns;
    if (fallen > 0)
        printf("  blows to head: %.1f N s on average, 9 in 10 below %.1f N s\n", sum / fallen,
               tr_quantile(blow, fallen, 0.9));
}

/* Up on end, and in a skill that does not rise, or again in the requested one. */
static void print_steady(const options *o, const falls *f, double *time_s) {
    double low = 0, high = 0;
    int steady = 0, fell = 0;
    for (int i = 0; i < o->test.trials; i++) {
        fell += f->trial[i].fell;
        if (f->trial[i].steady)
            time_s[steady++] = f->trial[i].steady_s;
    }
    if (steady == 0)
        return;
    tr_evaluate_wilson(steady, fell, &low, &high);
    printf("  %d of %d ", steady, fell);
    if (o->test.again)
        printf("perform '%s' again within %g s, and for %g s on end", o->test.again,
               o->test.within_s, o->test.stays_s);
    else
        printf("stand for %g s on end, in a skill that does not rise, within %g s", o->test.stays_s,
               o->test.within_s);
    printf(" (%.3f to %.3f); this begins after %.1f s (median), longest %.1f s\n", low, high,
           tr_quantile(time_s, steady, 0.5), tr_quantile(time_s, steady, 1));
}

static void print_times(const options *o, const falls *f, double *time_s) {
    int stood = 0, tries = 0;
    for (int i = 0; i < o->test.trials; i++)
        if (f->trial[i].stands) {
            time_s[stood++] = f->trial[i].stands_s;
            tries += f->trial[i].tries;
        }
    if (stood > 0)
        printf("  median %.1f s from the fall until up, longest %.1f s; %.2f tries on average\n",
               tr_quantile(time_s, stood, 0.5), tr_quantile(time_s, stood, 1),
               (double)tries / stood);
}

/* Means over the falls that end standing. */
static void print_phases(const options *o, const falls *f) {
    static const struct {
        tr_recovery_phase phase;
        const char *name;
    } row[] = {{TR_RECOVERY_FALL, "falling"},     {TR_RECOVERY_LIMP, "limp"},
               {TR_RECOVERY_GATHER, "gathering"}, {TR_RECOVERY_TURN, "turning over"},
               {TR_RECOVERY_RISE, "rising"},      {TR_RECOVERY_NONE, "up"}};
    int stood = 0;
    double sum_s[TR_RECOVERY_PHASES] = {0};
    for (int i = 0; i < o->test.trials; i++) {
        stood += f->trial[i].stands;
        for (int p = 0; f->trial[i].stands && p < TR_RECOVERY_PHASES; p++)
            sum_s[p] += f->trial[i].phase_s[p];
    }
    for (size_t r = 0; stood > 0 && r < sizeof row / sizeof *row; r++)
        printf("%s %s %.2f", r == 0 ? "  seconds, mean:" : ",", row[r].name,
               sum_s[row[r].phase] / stood);
    if (stood > 0)
        putchar('\n');
}

/* All falls; by the skill they began in, by how one lay, by the rising skill tried first. */
typedef struct counts {
    count all, from[TR_GRAPH_NODE_MAX], lay[TR_RISING_POSTURES];
    count with[TR_GRAPH_NODE_MAX], never;
} counts;

static void add_trial(counts *c, const tr_rising_trial *trial) {
    if (!trial->fell)
        return;
    add(&c->all, trial);
    add(&c->from[trial->from], trial);
    add(&c->lay[trial->posture], trial);
    add(trial->tries > 0 ? &c->with[trial->node] : &c->never, trial);
}

static void report(const options *o, const falls *f) {
    static const char *const posture[] = {"supine", "prone", "side"};
    const tr_control_graph *graph = tr_graph_of(f->of->controller);
    counts c = {0};
    for (int i = 0; i < o->test.trials; i++)
        add_trial(&c, &f->trial[i]);
    double low = 0, high = 0;
    if (c.all.falls > 0)
        tr_evaluate_wilson(c.all.stands, c.all.falls, &low, &high);
    printf("%s: %d of %d falls end standing within %g s (95 %% interval %.3f to %.3f); %d of %d "
           "trials fell\n",
           o->of.name, c.all.stands, c.all.falls, o->test.within_s, low, high, c.all.falls,
           o->test.trials);
    print_times(o, f, f->value);
    print_steady(o, f, f->value);
    print_phases(o, f);
    print_blows(o, f, f->value);
    for (int n = 0; n < graph->node_count; n++)
        print_count("falling in", graph->node[n].skill, &c.from[n]);
    for (int p = 0; p < TR_RISING_POSTURES; p++)
        print_count("lying", posture[p], &c.lay[p]);
    for (int n = 0; n < graph->node_count; n++)
        print_count("first tried", graph->node[n].skill, &c.with[n]);
    print_count("first tried", "nothing", &c.never);
}

/* The states at the end of gathering as a motion: at rest, except their small remaining rates. */
static tr_status save_starts(const options *o, const falls *f, tr_error *error) {
    int node = tr_control_graph_find(tr_graph_of(f->of->controller), o->skill), frames = 0;
    if (node < 0)
        return tr_fail(error, TR_NOT_FOUND, "%s: no skill '%s'", o->of.name, o->skill);
    tr_motion *motion = NULL;
    tr_status status =
        tr_motion_create(f->of->model, o->test.trials, f->of->controller->step_s, &motion);
    if (status)
        return tr_fail_if(error, status, "%s", o->starts);
    for (int i = 0; i < o->test.trials; i++)
        if (f->trial[i].tries > 0 && f->trial[i].node == node)
            motion->poses[frames++] = f->trial[i].start.pose;
    motion->frame_count = frames;
    snprintf(motion->name, sizeof motion->name, "%s", o->skill);
    status = frames > 0 ? tr_lead_save_motion(motion, o->starts, error)
                        : tr_fail(error, TR_NOT_FOUND, "%s: never begun", o->skill);
    if (!status)
        printf("%d starts of %s are in %s\n", frames, o->skill, o->starts);
    tr_motion_destroy(motion);
    return status;
}

static tr_status measure(const void *given, const tr_subject *of, tr_error *error) {
    const options *o = given;
    falls f = {.of = of};
    tr_status status = make_falls(o, &f, error);
    if (!status)
        report(o, &f);
    if (!status && o->starts)
        status = save_starts(o, &f, error);
    free(f.value);
    free(f.trial);
    return status;
}

const tr_tool_command tr_tool_rise = {
    .name = "rise",
    .summary = "push a control graph's character over, and count the falls that it gets up from",
    .help =
        "Each trial begins in a cyclic skill and fragment, drawn evenly, and is pushed with 300\n"
        "to 800 N for 0.2 s, once a second, until the character falls. The trial succeeds when\n"
        "the character is up in time and still up 2 s later. A blow is the largest impulse of\n"
        "contacts within 25 ms, from the first push until 1.5 s after the fall. NAME is a control\n"
        "graph with a rising skill, with or without a scheduler.\n",
    .example = "  troupe-train rise riser --catalogue c.troupe --falls 200\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .check = check,
    .measure = measure,
};
