#include "learn/schedule/request_trial.h"

#include "control/recovery/recovery.h"
#include "learn/rehearsal/graph_transition.h"
#include "learn/rehearsal/player.h"
#include "learn/rehearsal/trial_ground.h"
#include "math/quantile.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STREAM_REQUESTS = 21 };
/* A skill of few short entries is performed after this time, not sooner. */
static const double PERFORMED_LEAST_S = 1;
static const double HILLS_SIDE_M = 300;

tr_request_trials tr_request_trials_default(void) {
    return (tr_request_trials){.settle_s = 2, .within_s = 10, .pause_s = 1, .rise_s = 10};
}

typedef struct work {
    const tr_controller *controller;
    const tr_request_trials *test;
    const tr_driver_sheet *sheet;
    bool recovers;
    tr_skill_request *out;
} work;

/* A trial in progress.
 *   entry:    in progress
 *   begins:   the next step begins an entry
 *   whole:    the entry in progress began after the last request and fall, so that it counts
 *   in_order: whole entries done of one skill in a row, each the next one or the first after the
 *             last; steps_in_order since the first of them began */
typedef struct player {
    const work *of;
    tr_player at;
    tr_random random;
    int entry, in_order, steps_in_order;
    bool begins, whole, down, broken;
} player;

static int steps_in(const player *p, double seconds) {
    return (int)lround(seconds / p->of->controller->step_s);
}

static const tr_driver_skill *skill_of(const player *p) {
    const tr_driver_sheet *sheet = p->of->sheet;
    return &sheet->skill[sheet->entry[p->entry].skill];
}

/* Does `next` follow the entry just done within its skill? */
static bool follows(const player *p, int next) {
    const tr_driver_skill *skill = skill_of(p);
    return next == (p->entry + 1 < skill->first + skill->count ? p->entry + 1 : skill->first);
}

static void note_entry(player *p, const tr_drive *drive) {
    /* An entry out of order ends the row. */
    if (p->begins && !follows(p, drive->entry))
        p->in_order = p->steps_in_order = 0;
    p->entry = drive->entry;
    p->whole |= p->begins;
    p->steps_in_order += p->whole;
    p->in_order += p->whole && drive->completes;
    p->begins = drive->completes;
}

/* Entries done so far no longer count; the entry in progress does not count either. */
static void count_anew(player *p) {
    p->in_order = p->steps_in_order = 0;
    p->whole = false;
}

static void step(player *p) {
    if (tr_player_step(&p->at)) {
        p->broken = p->down = true;
        return;
    }
    note_entry(p, &p->at.drive);
    p->down = tr_player_is_down(&p->at, false);
    if (p->down)
        count_anew(p);
}

static void run(player *p, double seconds) {
    for (int left = steps_in(p, seconds); left > 0 && !p->down; left--)
        step(p);
}

static bool is_performed(const player *p) {
    return p->in_order >= skill_of(p)->count && p->steps_in_order >= steps_in(p, PERFORMED_LEAST_S);
}

static void ask(player *p, int skill) {
    snprintf(p->at.runner.target.skill, TR_NAME_MAX, "%s", p->of->sheet->skill[skill].name);
    count_anew(p);
}

static void note_progress(const player *p, int step, tr_skill_request *out) {
    double seconds = step * p->of->controller->step_s;
    if (p->down || skill_of(p) != &p->of->sheet->skill[out->skill])
        return;
    /* The first moment in the skill counts. */
    if (!out->begun)
        out->begun_s = seconds;
    out->begun = true;
    out->performed = is_performed(p);
    if (out->performed)
        out->performed_s = seconds;
}

/* Waits after a fall; false: the character does not get up. */
static bool get_up(player *p, tr_skill_request *out) {
    const tr_request_trials *test = p->of->test;
    /* Only a driver with a recovery gets up. */
    int steps = 0, most = p->of->recovers && !p->broken ? steps_in(p, test->rise_s) : 0;
    while (p->down && !p->broken && steps++ < most)
        step(p);
    out->fell = true;
    out->rose = !p->down;
    return out->rose;
}

/* Makes one request; false: the trial ends. */
static bool make_request(player *p, tr_skill_request *out) {
    const tr_request_trials *test = p->of->test;
    double pause_s = test->pause_s * tr_random_uniform(&p->random);
    out->asked = true;
    ask(p, out->skill);
    for (int i = 0; i < steps_in(p, test->within_s) && !p->down && !out->performed; i++) {
        step(p);
        note_progress(p, i, out);
    }
    /* The next request comes after a random pause. */
    run(p, pause_s);
    return !p->down || get_up(p, out);
}

/* Draws the requested skills, each time another one than the last. */
static void draw_requests(const tr_request_trials *test, tr_random *random, tr_skill_request *out) {
    int at = 0;
    for (int r = 0; r < test->requests; r++) {
        const int before = test->skill[at];
        at += 1 + (int)(tr_random_uniform(random) * (test->skill_count - 1));
        at %= test->skill_count;
        out[r] = (tr_skill_request){.skill = test->skill[at], .before = before};
    }
}

static void try_requests(void *context, int item, tr_rehearsal *rehearsal) {
    const work *w = context;
    const tr_request_trials *test = w->test;
    tr_skill_request *out = &w->out[item * test->requests];
    tr_state start = tr_graph_transition_start(w->controller, test->seed, item);
    player p = {.of = w, .random = tr_random_split(test->seed, STREAM_REQUESTS, (uint64_t)item)};
    draw_requests(test, &p.random, out);
    if (tr_trial_hills_lay(test->hills_deg, HILLS_SIDE_M, test->seed + (uint64_t)item,
                           rehearsal->world, &start) ||
        tr_player_begin(&p.at, w->controller, 0, rehearsal, &start))
        return;
    /* Before the first request the character settles in the first skill. */
    ask(&p, test->skill[0]);
    run(&p, test->settle_s);
    for (int r = 0; r < test->requests && !p.down; r++)
        if (!make_request(&p, &out[r]))
            break;
}

static bool is_sound(const tr_request_trials *test, const tr_driver_sheet *sheet) {
    bool sound = test->trials >= 1 && test->requests >= 1 &&
                 test->trials <= TR_REQUEST_TRIAL_MAX / test->requests && test->skill_count >= 2 &&
                 test->skill_count <= TR_DRIVER_SKILL_MAX && test->settle_s >= 0 &&
                 test->within_s >= 0 && test->pause_s >= 0 && test->rise_s >= 0 &&
                 test->hills_deg >= 0 && test->hills_deg <= 30;
    for (int i = 0; sound && i < test->skill_count; i++)
        sound = test->skill[i] >= 0 && test->skill[i] < sheet->skill_count;
    return sound;
}

tr_status tr_request_trials_run(tr_ensemble *ensemble, const tr_controller *controller,
                                const tr_request_trials *test, tr_skill_request *out) {
    tr_driver_sheet sheet = {0};
    tr_status status = tr_driver_describe(controller->driver, controller->step_s, &sheet);
    if (status)
        return status;
    work w = {controller, test, &sheet, tr_recovery_of(controller) != NULL, out};
    if (is_sound(test, &sheet))
        tr_ensemble_share(
            ensemble, try_requests, &w, test->trials,
            (const tr_ranks_result[]){{out, (size_t)test->requests * sizeof *out}, {0}});
    else
        status = TR_INVALID_ARGUMENT;
    tr_driver_sheet_deinit(&sheet);
    return status;
}

tr_status tr_request_count(const tr_skill_request *request, int count, tr_request_choice which,
                           tr_request_tally *out) {
    double *seconds = calloc((size_t)count + 1, sizeof *seconds);
    if (!seconds)
        return TR_RESOURCE_EXHAUSTED;
    *out = (tr_request_tally){0};
    for (int i = 0; i < count; i++) {
        const tr_skill_request *r = &request[i];
        /* Negative numbers choose all. */
        if ((which.skill >= 0 && r->skill != which.skill) ||
            (which.before >= 0 && r->before != which.before))
            continue;
        out->planned++;
        out->asked += r->asked;
        out->performed += r->performed;
        out->fell += r->fell;
        out->rose += r->rose;
        if (r->begun)
            seconds[out->begun++] = r->begun_s;
    }
    if (out->begun > 0) {
        out->begun_median_s = tr_quantile(seconds, out->begun, 0.5);
        out->begun_most_s = tr_quantile(seconds, out->begun, 0.9);
    }
    free(seconds);
    return TR_OK;
}
