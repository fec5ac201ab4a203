/* troupe-train schedule requests: which skills a character begins and performs when it is asked for
 * them. */
#include "learn/measure/evaluate.h"
#include "learn/rehearsal/names.h"
#include "learn/schedule/request_trial.h"
#include "math/quantile.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct options {
    tr_subject_use of;
    const char *skills;
    tr_request_trials test;
} options;

static void preset(void *out) {
    options *o = out;
    *o = (options){.test = tr_request_trials_default()};
    o->test.trials = 20;
    o->test.requests = 10;
    o->test.seed = 7;
}

static const tr_argument words[] = {
    TR_TOOL_SUBJECT("the controller"),
    {"--skills NAME,...", TR_OPTION_TEXT, offsetof(options, skills), "to ask for, at least two",
     .needed = true},
    {"--trials N", TR_OPTION_COUNT, offsetof(options, test.trials), "trials (20)", 1, 10000},
    {"--requests N", TR_OPTION_COUNT, offsetof(options, test.requests), "of each trial (10)", 1,
     10000},
    {"--within S", TR_OPTION_NUMBER, offsetof(options, test.within_s),
     "most time for a request (10)", 0.1, 1000},
    {"--pause S", TR_OPTION_NUMBER, offsetof(options, test.pause_s),
     "most time after one is performed (1)", 0, 1000},
    {"--hills DEG", TR_OPTION_NUMBER, offsetof(options, test.hills_deg),
     "on hills of at most DEG degrees, others in each trial (level ground)", 0, 30},
    {"--seed S", TR_OPTION_SEED, offsetof(options, test.seed), "of everything drawn (7)"},
    TR_TOOL_THREADS(options, of.threads),
    {0}};

/* --- skills --- */

static tr_status take_skills(const options *o, const tr_driver_sheet *sheet,
                             tr_request_trials *test, tr_error *error) {
    const char *names = o->skills;
    char name[TR_NAME_MAX];
    while (test->skill_count < TR_DRIVER_SKILL_MAX && tr_names_next(&names, name)) {
        int skill = tr_driver_sheet_find_skill(sheet, name);
        if (skill < 0)
            return tr_fail(error, TR_NOT_FOUND, "--skills: '%s' has no skill '%s'", o->of.name,
                           name);
        test->skill[test->skill_count++] = skill;
    }
    return test->skill_count > 1
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "--skills: '%s'; expected two or more names between commas", o->skills);
}

/* --- the report --- */

typedef struct result {
    tr_request_trials test;
    tr_driver_sheet sheet;
    tr_skill_request *request; /* [trials][requests] */
} result;

static tr_status count_requests(const result *r, tr_request_choice which, tr_request_tally *out,
                                tr_error *error) {
    return tr_fail_if(error,
                      tr_request_count(r->request, r->test.trials * r->test.requests, which, out),
                      "requests");
}

static tr_status print_tally(const result *r, const char *name, tr_request_choice which,
                             tr_error *error) {
    double low = 0, high = 0;
    tr_request_tally tally;
    tr_status status = count_requests(r, which, &tally, error);
    if (status || tally.planned == 0)
        return status;
    tr_evaluate_wilson(tally.performed, tally.planned, &low, &high);
    printf("%-18s %4d of %4d performed, %.3f (%.3f to %.3f)  asked %4d  begun %4d, median %.1f s, "
           "9 in 10 within %.1f s  "
           "fell %d, rose %d\n",
           name, tally.performed, tally.planned, (double)tally.performed / tally.planned, low, high,
           tally.asked, tally.begun, tally.begun_median_s, tally.begun_most_s, tally.fell,
           tally.rose);
    return TR_OK;
}

/* Requests performed before the first fall or the first that was not performed. */
static int in_a_row(const result *r, int trial) {
    const tr_skill_request *request = r->request + (size_t)trial * (size_t)r->test.requests;
    int count = 0;
    while (count < r->test.requests && request[count].performed && !request[count].fell)
        count++;
    return count;
}

static tr_status print_rows(const result *r, tr_error *error) {
    double *row = calloc((size_t)r->test.trials, sizeof *row);
    int whole = 0;
    if (!row)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "trials: no memory");
    for (int i = 0; i < r->test.trials; i++) {
        row[i] = in_a_row(r, i);
        whole += in_a_row(r, i) == r->test.requests;
    }
    printf("%d of %d trials performed all %d in a row; median %.0f\n", whole, r->test.trials,
           r->test.requests, tr_quantile(row, r->test.trials, 0.5));
    free(row);
    return TR_OK;
}

static const char *name_of(const result *r, int i) {
    return r->sheet.skill[r->test.skill[i]].name;
}

/* A row for each skill requested before, a column for each requested then. */
static tr_status print_sequels(const result *r, tr_error *error) {
    tr_request_tally tally;
    tr_status status = TR_OK;
    printf("requested after: begun (median, s), performed and fell of asked\n%-12s", "");
    for (int to = 0; to < r->test.skill_count; to++)
        printf(" %25s", name_of(r, to));
    for (int from = 0; from < r->test.skill_count; from++) {
        printf("\n%-12s", name_of(r, from));
        for (int to = 0; !status && to < r->test.skill_count; to++) {
            status = count_requests(r, (tr_request_choice){r->test.skill[to], r->test.skill[from]},
                                    &tally, error);
            char median[16] = "   -";
            if (tally.begun > 0)
                snprintf(median, sizeof median, "%4.1f", tally.begun_median_s);
            printf("  %3d (%s) %3d %2d of %3d", tally.begun, median, tally.performed, tally.fell,
                   tally.asked);
        }
    }
    printf("\n");
    return status;
}

/* A line for each skill requested, then one for each requested before, and one for all. */
static tr_status print_tallies(const result *r, tr_error *error) {
    char name[TR_NAME_MAX + 8];
    tr_status status = TR_OK;
    for (int i = 0; !status && i < r->test.skill_count; i++)
        status = print_tally(r, name_of(r, i), (tr_request_choice){r->test.skill[i], -1}, error);
    for (int i = 0; !status && i < r->test.skill_count; i++) {
        snprintf(name, sizeof name, "after %s", name_of(r, i));
        status = print_tally(r, name, (tr_request_choice){-1, r->test.skill[i]}, error);
    }
    return status ? status : print_tally(r, "(all)", (tr_request_choice){-1, -1}, error);
}

static tr_status report(const result *r, tr_error *error) {
    tr_status status = print_tallies(r, error);
    if (!status)
        status = print_rows(r, error);
    return status ? status : print_sequels(r, error);
}

static tr_status request_all(const options *o, const tr_subject *s, result *r, tr_error *error) {
    tr_status status = tr_driver_describe(s->controller->driver, s->controller->step_s, &r->sheet);
    if (status)
        return tr_fail_if(error, status, "%s", o->of.name);
    r->test = o->test;
    status = take_skills(o, &r->sheet, &r->test, error);
    if (status)
        return status;
    r->request = calloc((size_t)r->test.trials * (size_t)r->test.requests, sizeof *r->request);
    status = r->request ? tr_request_trials_run(s->ensemble, s->controller, &r->test, r->request)
                        : TR_RESOURCE_EXHAUSTED;
    return status ? tr_fail_if(error, status, "%s: --trials times --requests", o->of.name)
                  : report(r, error);
}

static tr_status measure(const void *given, const tr_subject *s, tr_error *error) {
    result r = {0};
    tr_status status = request_all(given, s, &r, error);
    free(r.request);
    tr_driver_sheet_deinit(&r.sheet);
    return status;
}

const tr_tool_command tr_tool_schedule_requests = {
    .name = "schedule requests",
    .summary = "ask for one skill after another, and count those performed",
    .help =
        "A trial lets the first skill settle, and then asks for another of the skills each time,\n"
        "drawn evenly. A request counts as performed after a whole pass of the skill, entry after\n"
        "entry, and at least 1 s of it. The next request comes after it, or after --within S. A\n"
        "fall ends the trial, unless the character gets up within 10 s. A line for each skill\n"
        "requested, and for each requested before: the share performed with its 95 % interval,\n"
        "the times from the request until the skill began, and the falls; then a table by both.\n"
        "Works for control graphs without a scheduler too.\n",
    .example = "  troupe-train schedule requests hero --catalogue db/shipped.troupe --skills "
               "stand,punch\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .measure = measure,
};
