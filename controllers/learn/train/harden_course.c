#include "learn/train/harden_course.h"

#include "control/parts/above_ground.h"

#include <math.h>

static const double HALF_COST = 2;  /* E at which a fragment counts as half lost */
static const double LIGHT_BW = 1.5; /* a load of a step that costs nothing */

void tr_harden_courses_begin(tr_harden_courses *c, const tr_harden_scene *from,
                             const tr_controller *controller, tr_rehearsal *rehearsal) {
    int k = c->in.count++;
    c->in.rehearsal[k] = rehearsal;
    c->trial[k] = from->trial;
    c->trial[k].runner.controller = controller;
    int64_t span = from->push.steps + tr_hardening_steps(c->h, c->h->def->after_s);
    c->course[k] = (tr_harden_course){.end = from->trial.steps + span};
    c->course[k].broken = !tr_harden_scene_lay(c->h, from, rehearsal) ||
                          tr_rehearsal_place(rehearsal, &from->state) ||
                          (from->push.force_n > 0 && tr_rehearsal_shove(rehearsal, &from->push));
}

/* Returns E / (E + 2) at the end of the fragment that the trial has just finished. tread: over that
 * fragment. */
static double judge(const tr_hardening *h, const tr_trial *trial, const tr_tread *tread,
                    const tr_rehearsal *rehearsal) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state state;
    if (tr_world_get_state(rehearsal->world, rehearsal->character, &state))
        return 1;
    tr_ground ground = tr_world_local_ground(rehearsal->world, rehearsal->character);
    state = tr_state_above_ground(&state, &ground);
    double heading = trial->watch.heading_start_rad;
    /* References are unmirrored; a half cycle of the other foot is judged in the mirror. */
    if (trial->watch.mirrored) {
        state = tr_state_mirror(rehearsal->model, &state);
        heading = -heading;
    }
    tr_state_forward(rehearsal->model, &state, bodies);
    const tr_cost_view *reference = &h->reference[trial->watch.entry];
    tr_cost_view view;
    tr_cost_look(rehearsal->model, &state, bodies, heading, &view);
    tr_cost_weights terms = tr_cost_terms(rehearsal->model, &view, reference);
    double cost = tr_cost_total(&h->def->weights, &terms, NULL, 0);
    cost += h->def->strike * fmax(0, tread->peak_bw - LIGHT_BW);
    /* A bounded cost keeps one bad fragment from outweighing all others. */
    return isfinite(cost) ? cost / (cost + HALF_COST) : 1;
}

static void count_step(const tr_harden_courses *c, int k, bool begins, tr_harden_course *one) {
    const tr_hardening *h = c->h;
    const tr_trial *trial = &c->trial[k];
    if (h->def->strike > 0)
        tr_tread_add(&one->tread, c->in.rehearsal[k]);
    one->inside = !begins && !trial->lost && trial->step != 0;
    if (trial->step != 0 || trial->lost)
        return;
    /* A fragment was completed: it counts by its steps, and the next one treads anew. */
    double length = h->bank->fragment[trial->watch.entry].steps;
    one->sum += length * judge(h, trial, &one->tread, c->in.rehearsal[k]);
    one->weight += length;
    one->tread = (tr_tread){0};
}

/* Steps all courses that move. False: all are at their end. */
static bool step_courses(tr_harden_courses *c) {
    int64_t steps[TR_QUARTET_MAX] = {0};
    bool moving[TR_QUARTET_MAX] = {0}, begins[TR_QUARTET_MAX] = {0}, any = false;
    for (int k = 0; k < c->in.count; k++) {
        const tr_harden_course *one = &c->course[k];
        moving[k] =
            !one->broken && !c->trial[k].lost && (one->inside || c->trial[k].steps < one->end);
        begins[k] = c->trial[k].step == 0;
        if (moving[k])
            c->course[k].begun = c->trial[k].steps - c->trial[k].step;
        steps[k] = c->trial[k].steps + moving[k];
        any = any || moving[k];
    }
    tr_trial_run_together(c->trial, &c->in, steps, c->in.count);
    for (int k = 0; k < c->in.count; k++)
        if (moving[k])
            count_step(c, k, begins[k], &c->course[k]);
    return any;
}

void tr_harden_courses_run(tr_harden_courses *c) {
    while (step_courses(c))
        ;
}

/* Returns the steps that cost 1 because the motion was lost (harden_course.h). */
static double lost_steps(const tr_harden_courses *c, int k) {
    const tr_harden_course *one = &c->course[k];
    const int64_t noticed = c->trial[k].steps;
    if (!c->trial[k].lost)
        return 0;
    if (c->h->def->short_loss)
        return (double)(one->end - noticed);
    return (double)((one->end > noticed ? one->end : noticed) - one->begun);
}

double tr_harden_courses_cost(const tr_harden_courses *c, int k) {
    const tr_harden_course *one = &c->course[k];
    double lost = lost_steps(c, k);
    return one->broken ? 1 : (one->sum + lost) / (one->weight + lost);
}
