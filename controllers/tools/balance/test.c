/* troupe-train balance test: how long a controller stays on its object while it is pushed. */
#include "learn/balance/balance_trial.h"
#include "learn/measure/evaluate.h"
#include "tools/frame/force_list.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <string.h>

typedef struct options {
    tr_subject_use of;
    const char *skill;
    tr_force_list push;
    tr_balance_test test;
    double turn_deg;
    bool still;
} options;

static const options defaults = {.push = {3, {0, 5, 10}},
                                 .test = {.trials = 100, .cap_s = 60, .seed = 7}};

static const tr_argument words[] = {
    TR_TOOL_SUBJECT("the controller"),
    {"--push FORCES", TR_OPTION_CALL, offsetof(options, push),
     "standard deviations, N: 5,10 or FROM:TO:STEP (0:10:5)", .take = tr_force_list_take},
    {"--duration S", TR_OPTION_NUMBER, offsetof(options, test.push_s), "of a push (0.1)", 0.005,
     100},
    {"--every S", TR_OPTION_NUMBER, offsetof(options, test.push_every_s),
     "from one push to the next (0.1)", 0.1, 100},
    {"--hold S", TR_OPTION_NUMBER, offsetof(options, test.cap_s), "length of a trial (60)", 0.1,
     36000},
    {"--trials N", TR_OPTION_COUNT, offsetof(options, test.trials), "at each force (100)", 1,
     TR_BALANCE_TRIAL_MAX},
    {"--turn DEG", TR_OPTION_NUMBER, offsetof(options, turn_deg),
     "request a heading DEG to a side, and count the trials that end within 20 degrees of it", 0,
     180},
    {"--skill NAME", TR_OPTION_TEXT, offsetof(options, skill),
     "begin in this skill, such as rocking"},
    {"--seed S", TR_OPTION_SEED, offsetof(options, test.seed), "of starts and pushes (7)"},
    {"--still", TR_OPTION_FLAG, offsetof(options, still),
     "without feedback: stance and postures held by the servos alone"},
    TR_TOOL_THREADS(options, of.threads),
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    (void)error;
    o->test.turn_rad = o->turn_deg * TR_PI / 180;
    return TR_OK;
}

/* What is left without feedback: the stance, held by the servos. */
static tr_status take_feedback_away(tr_controller *controller, tr_error *error) {
    tr_balance *balance = tr_balance_of(controller);
    if (!balance)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--still: '%s' has no gains to take away",
                       controller->name);
    memset(balance->gain, 0, sizeof balance->gain);
    memset(balance->offset, 0, sizeof balance->offset);
    return TR_OK;
}

static tr_status check_turn(const options *o, const tr_controller *controller, tr_error *error) {
    if (o->turn_deg > 0 && !tr_balance_trial_turns(controller))
        return tr_fail(error, TR_INVALID_ARGUMENT, "--turn %g: '%s' does not turn", o->turn_deg,
                       o->of.name);
    return TR_OK;
}

static void print_turned(const tr_balance_count *c) {
    double low, high;
    tr_evaluate_wilson(c->turned, c->trials, &low, &high);
    printf("        %4d of %4d end within %g degrees of the heading  %.3f (%.3f to %.3f)\n",
           c->turned, c->trials, tr_balance_near_rad * 180 / TR_PI, (double)c->turned / c->trials,
           low, high);
}

static void print_count(double push_n, const tr_balance_count *c) {
    double low, high;
    tr_evaluate_wilson(c->held, c->trials, &low, &high);
    printf("%4g N  %4d of %4d held  %.3f (%.3f to %.3f)  mean %.1f s  shortest %.1f s  drift %.2f "
           "m  way %.1f m  on one foot %.2f  upright %.3f",
           push_n, c->held, c->trials, (double)c->held / c->trials, low, high, c->mean_s,
           c->shortest_s, c->drift_m, c->way_m, c->one_foot, c->upright);
    if (c->rocks_rad > 0)
        printf("  board rocks by %.3f rad", c->rocks_rad);
    printf("\n");
}

static tr_status measure(const void *given, const tr_subject *subject, tr_error *error) {
    const options *o = given;
    if (!tr_balance_trial_suits(subject->controller))
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected a controller that balances",
                       o->of.name);
    tr_controller begun = *subject->controller;
    tr_status status = check_turn(o, subject->controller, error);
    if (!status && o->skill)
        status = tr_controller_in_skill(subject->controller, o->skill, &begun, error);
    if (!status && o->still)
        status = take_feedback_away(subject->controller, error);
    for (int i = 0; !status && i < o->push.count; i++) {
        tr_balance_test test = o->test;
        tr_balance_count counted;
        test.push_n = o->push.force_n[i];
        status = tr_balance_test_run(subject->ensemble, &begun, &test, &counted);
        if (status)
            return tr_fail_if(error, status, "%s", o->of.name);
        print_count(test.push_n, &counted);
        if (test.turn_rad > 0)
            print_turned(&counted);
        (void)fflush(stdout);
    }
    return status;
}

const tr_tool_command tr_tool_balance_test = {
    .name = "balance test",
    .summary = "measure how long a controller stays on its object under pushes",
    .help =
        "Trials begin in disturbed spawn states. The trunk gets a new push every 0.1 s, whose two\n"
        "horizontal components are normal with the given standard deviation. A line per force:\n"
        "trials that held to the end with their 95 % interval, the mean and the shortest time,\n"
        "how far the object or the character is from its place (drift), the length of its way,\n"
        "and the share of the time in which one foot stood alone: twice the lesser share of both\n"
        "feet, so a character that stands on one leg scores 0. 'upright' is the share of the time\n"
        "in which the trunk is within 25 degrees of upright. Of a board also how far it rolls to\n"
        "the sides, root mean square.\n",
    .example = "  troupe-train balance test bongo --catalogue mine.troupe --push 0:10:5\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .check = check,
    .measure = measure,
};
