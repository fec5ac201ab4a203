/* troupe-bench worlds: how many trials of each controller hold in worlds that it was not trained in: other
 * gravity, masses, friction, steps, and the other stepper.
 *
 * A trial begins disturbed as for certificates (trial.h) and holds until the motion is lost (lost.h). In a
 * world with a shorter step the controller acts every other step, in one with a longer step twice before it. */
#include "bench/bench.h"
#include "bench/learned.h"
#include "learn/rehearsal/lost.h"
#include "learn/rehearsal/trial.h"
#include "learn/rehearsal/trial_world.h"
#include "model/mjcf.h"
#include "oracle/ode_reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint64_t SEED = 20150815;
static const double AFTER_END_S = 1; /* of a skill that ends */

typedef struct setting {
    const char *name;
    tr_trial_world factor;
    double step; /* factor: a half, 1 or 2 */
    const tr_stepper *stepper;
} setting;

static const setting settings[] = {
    {"as usual", {1, 1, 1, 1, 1}, 1, NULL},
    {"gravity 0.95", {1, 1, 1, 0.95, 1}, 1, NULL},
    {"gravity 1.05", {1, 1, 1, 1.05, 1}, 1, NULL},
    {"mass 0.95", {1, 0.95, 1, 1, 1}, 1, NULL},
    {"mass 1.05", {1, 1.05, 1, 1, 1}, 1, NULL},
    {"friction 0.6", {1, 1, 0.6, 1, 1}, 1, NULL},
    {"friction 1.2", {1, 1, 1.2, 1, 1}, 1, NULL},
    {"half the step", {1, 1, 1, 1, 1}, 0.5, NULL},
    {"twice the step", {1, 1, 1, 1, 1}, 2, NULL},
    {"ODE's stepper", {1, 1, 1, 1, 1}, 1, &tr_stepper_ode_reference},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static struct {
    const char *bundle, *only; /* only: settings that begin so; NULL: all */
    double seconds;
    int trials;
} options = {TR_BENCH_BUNDLE, NULL, 20, 10};

/* --- a trial --- */

typedef struct play {
    const tr_controller *controller;
    tr_trial_place place;
    tr_runner runner;
    tr_lost_watch watch;
    int step; /* of the entry in progress */
    double factor;
} play;

/* The controller's part of a step. completed: the entry ends with it */
static bool act(play *p, bool *out_completed) {
    const tr_rehearsal *r = &p->place.rehearsal;
    tr_state state;
    tr_drive drive;
    if (tr_world_get_state(r->world, r->character, &state) ||
        tr_runner_advance(&p->runner, r->world, r->character, &drive))
        return false;
    if (p->step == 0)
        p->watch = tr_lost_begin(p->controller, &drive, &state);
    p->step++;
    *out_completed = drive.completes || (drive.mode == TR_DRIVE_HOLD && p->step >= p->watch.steps);
    if (*out_completed)
        p->step = 0;
    return true;
}

static bool is_lost(const play *p, bool completed) {
    const tr_rehearsal *r = &p->place.rehearsal;
    return tr_lost_look(&p->watch, &p->runner, r->world, r->character, completed);
}

/* One act with its steps, or with its half of a step: `number` counts acts. */
static bool advance(play *p, int64_t number) {
    tr_world *world = p->place.rehearsal.world;
    bool completed;
    if (!act(p, &completed))
        return false;
    int steps = p->factor < 1 ? 2 : p->factor > 1 ? (int)(number % 2) : 1;
    for (int k = 0; k < steps; k++)
        if (tr_world_step(world))
            return false;
    return !is_lost(p, completed);
}

static bool holds(play *p, int trial, double seconds) {
    tr_state start = tr_trial_disturbed_start(p->controller, SEED, trial);
    int64_t k = 0, acts = (int64_t)ceil(seconds / p->controller->step_s);
    if (tr_rehearsal_place(&p->place.rehearsal, &start))
        return false;
    tr_runner_start(&p->runner, p->controller, 0, false);
    p->step = 0;
    while (k < acts && advance(p, k))
        k++;
    return k == acts;
}

/* --- rows --- */

/* Of another step or stepper in a plain world, or of another world. */
static tr_status open_place(const setting *s, const tr_model *model, play *p) {
    if (s->step == 1 && !s->stepper)
        return tr_trial_place_open(&s->factor, model, p->controller, &p->place);
    tr_ensemble_def def = tr_ensemble_def_for(model, p->controller);
    tr_world_def physics = tr_rehearsal_world_def(&def);
    physics.step_s *= s->step;
    physics.stepper = s->stepper;
    return tr_rehearsal_open_in(&def, &physics, &p->place.rehearsal);
}

static bool measure_in(const char *name, const setting *s, const tr_model *model,
                       const tr_controller *controller) {
    static play p;
    int held = 0;
    double seconds = tr_controller_outline(controller).cyclic
                         ? options.seconds
                         : tr_controller_duration_s(controller) + AFTER_END_S;
    p = (play){.controller = controller, .factor = s->step};
    bool good = !open_place(s, model, &p);
    for (int trial = 0; good && trial < options.trials; trial++)
        held += holds(&p, trial, seconds);
    tr_trial_place_close(&p.place);
    if (good)
        printf("%s,%s,%d,%d,%g\n", name, s->name, held, options.trials, seconds);
    else
        fprintf(stderr, "%s, %s: no such world\n", name, s->name);
    fflush(stdout);
    return good;
}

static bool measure(const char *name) {
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    bool good = tr_bench_load_controller(options.bundle, name, &model, &controller);
    for (int i = 0; good && i < SETTINGS; i++)
        if (!options.only || strncmp(settings[i].name, options.only, strlen(options.only)) == 0)
            good = measure_in(name, &settings[i], model, controller);
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return good;
}

static int exec(int count, char **words) {
    char *const *name = count ? words : tr_bench_skill;
    bool good = true;
    puts("controller,world,held,trials,seconds");
    for (int i = 0; good && i < (count ? count : TR_BENCH_SKILLS); i++)
        good = measure(name[i]);
    return good ? 0 : 1;
}

static const tr_bench_option table[] = {
    {{"trials", TR_OPTION_COUNT, &options.trials, 1, 1000}, "10", "of each controller and world"},
    {{"seconds", TR_OPTION_NUMBER, &options.seconds, 0.1, 3600},
     "20",
     "of a trial of a skill without end"},
    {{"only", TR_OPTION_TEXT, &options.only, 0, 0},
     "WORLD",
     "worlds whose names begin so, as 'gravity'"},
    TR_BENCH_BUNDLE_OPTION(&options.bundle)};

const tr_bench_command tr_bench_worlds = {
    .name = "worlds",
    .summary = "trials that controllers hold with other gravity, mass, friction, steps, stepper",
    .words = "[CONTROLLER...]",
    .word_high = 64,
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output = "A row for each controller and world, all single skills if none is named: the trials "
              "in which\n"
              "the motion is not lost.",
    .exec = exec};
