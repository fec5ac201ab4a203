/* troupe-train schedule sequence: what a scheduler chooses on its way over a ground, as a picture. */
#include "learn/measure/ground_test.h"
#include "tools/frame/ground_list.h"
#include "tools/frame/options.h"
#include "tools/frame/subject.h"
#include "tools/schedule/schedule.h"
#include "tools/schedule/sequence_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double ENTRY_LEAST_S = 0.02; /* of the entries that are drawn */

typedef struct options {
    const char *name, *catalogue, *svg;
    tr_ground_list ground;
    double seconds;
    uint64_t seed;
} options;

static const options defaults = {.seconds = 5, .seed = 7};

static const tr_argument words[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "the scheduler"},
    {"--catalogue F", TR_OPTION_TEXT, offsetof(options, catalogue),
     "holds NAME, which is scheduled", .needed = true},
    {"--ground KIND:AMOUNTS", TR_OPTION_CALL, offsetof(options, ground),
     "as of 'evaluate': bump:0.04,0.06, ice:0.1", .take = tr_ground_list_take},
    {"--seconds S", TR_OPTION_NUMBER, offsetof(options, seconds), "at most (5)", 0.1, 100},
    {"--svg FILE", TR_OPTION_TEXT, offsetof(options, svg), "the picture", .needed = true},
    {"--seed S", TR_OPTION_SEED, offsetof(options, seed), "of the start and the ground (7)"},
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    if (o->ground.amount.count == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "missing argument: --ground KIND:AMOUNTS");
    return TR_OK;
}

/* A decision shows in the step with which its entry begins.
 *   done: entries done when the last one was seen */
typedef struct follower {
    const tr_controller *controller;
    tr_sequence *sequence;
    int most;
    int64_t done;
} follower;

static void watch(void *context, int64_t step, const tr_runner *runner) {
    follower *f = context;
    tr_doing doing;
    tr_runner_look(runner, &doing);
    f->sequence->seconds = (double)(step + 1) * f->controller->step_s;
    if (doing.choice_count == 0 || doing.between || doing.entries_done == f->done ||
        f->sequence->count == f->most)
        return;
    f->done = doing.entries_done;
    f->sequence->choice[f->sequence->count++] =
        (tr_sequence_choice){f->sequence->seconds, doing.entry, doing.out_of_sequence};
}

static tr_status follow(const options *o, const tr_subject *subject, double amount,
                        tr_sequence *out) {
    const tr_ground_test test = {
        .kind = o->ground.kind, .amount = amount, .seconds = o->seconds, .seed = o->seed};
    follower f = {subject->controller, out, (int)ceil(o->seconds / ENTRY_LEAST_S), -1};
    const tr_ground_follower hears = {watch, &f};
    const tr_trial_ground_row *row = &tr_trial_ground_rows[o->ground.kind];
    snprintf(out->title, sizeof out->title, "%s %g %s", row->name, amount, row->unit);
    out->choice = calloc((size_t)f.most, sizeof *out->choice);
    if (!out->choice)
        return TR_RESOURCE_EXHAUSTED;
    return tr_ground_test_follow(subject->model, subject->controller, &test, 0, &hears, &out->held);
}

static void print(const tr_sequence *s) {
    int jumps = 0;
    for (int i = 0; i < s->count; i++)
        jumps += s->choice[i].out_of_sequence;
    printf("%-16s %s after %.2f s, %d choices, %d out of sequence\n", s->title,
           s->held ? "up" : "down", s->seconds, s->count, jumps);
}

static tr_status draw(const options *o, const tr_subject *subject, tr_error *error) {
    const tr_scheduler *scheduler = tr_scheduler_of(subject->controller);
    tr_sequence sequence[TR_FORCE_LIST_MAX] = {0};
    tr_status status = TR_OK;
    if (!scheduler)
        return tr_fail(error, TR_INVALID_ARGUMENT, "'%s' has no scheduler", o->name);
    for (int i = 0; !status && i < o->ground.amount.count; i++) {
        status = follow(o, subject, o->ground.amount.force_n[i], &sequence[i]);
        if (!status)
            print(&sequence[i]);
    }
    status = status ? tr_fail(error, status, "%s: %s", o->name, tr_status_text(status))
                    : tr_sequence_plot(o->svg, o->name, scheduler, sequence, o->ground.amount.count,
                                       error);
    for (int i = 0; i < o->ground.amount.count; i++)
        free(sequence[i].choice);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_subject subject = {0};
    tr_status status = tr_subject_read(o->catalogue, o->name, &subject, error);
    if (!status)
        status = draw(o, &subject, error);
    tr_subject_deinit(&subject);
    return status;
}

const tr_tool_command tr_tool_schedule_sequence = {
    .name = "sequence",
    .summary = "draw what a scheduler chooses on its way over a bump or ice",
    .help =
        "One character travels over each ground. A line per ground: whether it is still up, and\n"
        "its choices; in the picture a row for each fragment, time to the right, and a dot for\n"
        "each choice, orange out of sequence (figure 8 of Liu and Hodgins 2017).\n",
    .example = "  troupe-train schedule sequence run-steady --catalogue db/shipped.troupe \\\n"
               "    --ground bump:0.06,0.08 --svg over.svg\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .check = check,
    .run = run,
};
