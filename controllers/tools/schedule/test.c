/* troupe-train schedule test: what a scheduled controller survives, or any other beside it. */
#include "learn/measure/evaluate.h"
#include "learn/schedule/push_trial.h"
#include "tools/frame/force_list.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>

typedef struct options {
    tr_subject_use of;
    tr_force_list push;
    tr_push_trials test;
} options;

static const options defaults = {.push = {5, {100, 150, 200, 250, 300}},
                                 .test = {.trials = 384,
                                          .directions = TR_PUSH_TRIAL_DIRECTIONS,
                                          .push_s = 0.2,
                                          .settle_s = 3,
                                          .after_s = 10,
                                          .favoured = "any",
                                          .seed = 7}};

static const tr_argument words[] = {
    TR_TOOL_SUBJECT("the controller"),
    {"--push FORCES", TR_OPTION_CALL, offsetof(options, push),
     "N: 100,140 or FROM:TO:STEP (100:300:50); 0: no push", .take = tr_force_list_take},
    {"--duration S", TR_OPTION_NUMBER, offsetof(options, test.push_s), "of a push (0.2)", 0.005,
     100},
    {"--after S", TR_OPTION_NUMBER, offsetof(options, test.after_s),
     "seconds to survive after it (10)", 0.1, 1000},
    {"--favoured SKILL", TR_OPTION_TEXT, offsetof(options, test.favoured),
     "skill to perform again at the end (any)"},
    {"--directions N", TR_OPTION_COUNT, offsetof(options, test.directions),
     "from which pushes come in turn, the first from behind (16); 2: from behind and from the "
     "front",
     1, 360},
    {"--trials N", TR_OPTION_COUNT, offsetof(options, test.trials), "at each force (384)", 1,
     TR_PUSH_TRIAL_MAX},
    {"--seed S", TR_OPTION_SEED, offsetof(options, test.seed), "of starts and times (7)"},
    TR_TOOL_THREADS(options, of.threads),
    {0}};

static void print_count(double force_n, const tr_push_trial_count *c) {
    double low, high;
    tr_evaluate_wilson(c->survived, c->trials, &low, &high);
    printf(
        "%4.0f N  %4d of %4d  %.3f (%.3f to %.3f)  back %4d  stood %4d  moved %.2f m  feet %.2f m  "
        "jumps %.1f %%\n",
        force_n, c->survived, c->trials, (double)c->survived / c->trials, low, high, c->back,
        c->stood, c->moved_m, c->feet_m,
        c->decisions ? 100.0 * (double)c->jumps / (double)c->decisions : 0);
    (void)fflush(stdout);
}

static tr_status measure(const void *given, const tr_subject *subject, tr_error *error) {
    const options *o = given;
    tr_status status = TR_OK;
    for (int i = 0; !status && i < o->push.count; i++) {
        tr_push_trials test = o->test;
        tr_push_trial_count counted;
        test.force_n = o->push.force_n[i];
        status = tr_push_trials_run(subject->ensemble, subject->controller, &test, &counted);
        if (!status)
            print_count(test.force_n, &counted);
        else
            status = tr_fail_if(error, status, "%s", o->of.name);
    }
    return status;
}

const tr_tool_command tr_tool_schedule_test = {
    .name = "schedule test",
    .summary = "count survivors of pushes, and decisions out of sequence",
    .help =
        "Trials begin in disturbed spawn states and are pushed on the trunk from 16 directions\n"
        "in turn. A line per force: survivors with their 95 % interval, the survivors that are\n"
        "back in the favoured skill at the end, the survivors that stood (no foot moved by 5 cm,\n"
        "and the root is not much lower), how far the root moved, how far a foot moved at most,\n"
        "and the share of decisions out of sequence. Controllers without a scheduler work too.\n",
    .example = "  troupe-train schedule test steady --catalogue mine.troupe --push 80:320:60\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .measure = measure,
};
