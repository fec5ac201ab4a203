#include "learn/train/harden.h"

#include "control/above_ground.h"
#include "learn/rehearsal/travel.h"
#include "learn/rehearsal/tread.h"
#include "learn/rehearsal/trial.h"
#include "learn/rehearsal/trial_world.h"
#include "learn/train/ground_answer.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PUSH_S = 0.2;
static const double SETTLE_S = 2;   /* from the disturbed start to the earliest push */
static const double HALF_COST = 2;  /* E at which a fragment counts as half lost */
static const double LIGHT_BW = 1.5; /* a load of a step that costs nothing */
static const double CM = 0.01;
enum { UNPUSHED_EVERY = 4 }; /* trial; they keep the undisturbed motion good */
enum { CHAIN_UNPUSHED_EVERY = 2 };
enum { DRAW_STRIDE = 100000007 }; /* between the starts of one trial's candidates */
enum { FOR_TRIAL = 1, FOR_SHIFT, FOR_GROUND, FOR_WORLD }; /* purposes of random streams */
static const double KERB_AHEAD_M = 1.2;                   /* at most, when a trial is watched */
/* Other ground is placed so high that its lowest point is above the plane of the rehearsal's
 * world. */
static const double GROUND_LEVEL_M = 20, GROUND_SIDE_M = 60;
static const double GROUND_WALK_SIDE_M = 400; /* walks over a graph go farther */

/* Where a trial begins: the controller at work, just before the push. */
typedef struct scene {
    tr_trial trial;
    tr_state state;
    tr_rehearsal_push push;
    bool on_ground; /* on `ground` instead of the plane */
    tr_trial_ground ground;
    tr_status failed; /* of its world; then there is no trial */
} scene;

/* A shift of all parameters: [fragment_count] policies; sigma is not used. */
typedef tr_policy shift;

/* Consecutive trials that the pairs still in the race (the runners) meet. */
typedef struct heat {
    int first, trials;
} heat;

typedef struct search {
    const tr_harden_def *def;
    tr_ensemble *ensemble;
    tr_controller *controller;
    tr_bank *bank;           /* the controller's */
    tr_cost_view *reference; /* [fragment_count] */
    tr_features *origin;     /* [fragment_count], s_k */
    scene *scenes;           /* [trials] */
    shift *shifts;           /* [directions][fragment_count] */
    tr_controller **shifted; /* [worlds], scratch */
    heat heat;               /* in progress */
    int *runners;            /* [directions]: the pairs that meet the heat */
    int runner_count;        /* after the last heat: the pairs that met all trials */
    double *troubles;        /* [runner_count][2][heat.trials]; NAN: its world failed */
    double *sums;            /* [directions][2]: of the troubles so far */
    double *returns;         /* [directions][2]: forth, back; of pairs that met all trials */
    tr_policy *mean;         /* [fragment_count], of the last updates */
    double *gain;            /* [directions], scratch: |difference| of the pair */
    tr_state *passed;        /* [fragment_count], on steps: where each fragment begins */
    int passed_count;        /* of them known */
    int update;              /* in progress, from 0 */
} search;

/* --- scenes --- */

static int64_t steps_of(const search *s, double seconds) {
    return (int64_t)llround(seconds / s->controller->step_s);
}

static bool is_chain(const search *s) {
    return !s->bank->cyclic;
}

static bool is_unpushed(const search *s, int item) {
    int every = is_chain(s) ? CHAIN_UNPUSHED_EVERY : UNPUSHED_EVERY;
    return item % every == every - 1;
}

/* Every so many trials, evenly spread. */
static bool is_on_ground(const search *s, int item) {
    double share = s->def->ground.share;
    return floor((item + 1) * share) > floor(item * share);
}

int tr_harden_grounds(const tr_harden_ground *ground, tr_trial_ground out[TR_HARDEN_GROUND_MAX]) {
    const struct {
        tr_trial_ground_kind kind;
        double amount;
    } kinds[TR_HARDEN_GROUND_MAX] = {
        {TR_TRIAL_GROUND_UP, ground->slope_deg},     {TR_TRIAL_GROUND_DOWN, ground->slope_deg},
        {TR_TRIAL_GROUND_ACROSS, ground->slope_deg}, {TR_TRIAL_GROUND_ACROSS, -ground->slope_deg},
        {TR_TRIAL_GROUND_KERB_UP, ground->kerb_m},   {TR_TRIAL_GROUND_KERB_DOWN, ground->kerb_m},
        {TR_TRIAL_GROUND_UNEVEN, ground->uneven_m},
    };
    int count = 0;
    for (int i = 0; i < TR_HARDEN_GROUND_MAX; i++)
        if (kinds[i].amount != 0)
            out[count++] = (tr_trial_ground){.kind = kinds[i].kind, .amount = kinds[i].amount};
    return count;
}

/* The ground of a trial that is watched from `seconds` after its start: a kerb is just ahead
 * then. */
static tr_trial_ground draw_ground(const search *s, uint64_t stream, double seconds) {
    tr_random random = tr_random_split(s->def->seed, FOR_GROUND, stream);
    tr_trial_ground grounds[TR_HARDEN_GROUND_MAX];
    int kinds = tr_harden_grounds(&s->def->ground, grounds);
    tr_trial_ground ground = grounds[(int)(tr_random_uniform(&random) * kinds)];
    ground.amount *= 0.5 + 0.5 * tr_random_uniform(&random);
    ground.level_m = GROUND_LEVEL_M;
    ground.side_m = s->def->transition ? GROUND_WALK_SIDE_M : GROUND_SIDE_M;
    ground.kerb_m = tr_travel_way(s->controller, tr_travel_direction(s->controller), seconds) +
                    KERB_AHEAD_M * tr_random_uniform(&random);
    ground.seed = stream + 1;
    return ground;
}

/* The ground of a scene in the rehearsal's world; where other ground is trained on, all else that
 * lies there is removed. */
static bool lay(const search *s, const scene *from, tr_rehearsal *rehearsal) {
    if (s->def->ground.share == 0)
        return true;
    tr_trial_ground_lift(rehearsal->world);
    return !from->on_ground || !tr_trial_ground_lay(&from->ground, rehearsal->world);
}

/* A start, on other ground turned such that it travels along x; a transition's heads anywhere. */
static tr_state on_level(const search *s, const scene *from, tr_state state) {
    if (!from->on_ground)
        return state;
    if (!s->def->transition)
        state = tr_travel_along_x(&state, tr_travel_direction(s->controller));
    state.pose.root_pos.z += from->ground.level_m;
    return state;
}

/* A disturbed start, settled, up to a phase of the cycle, or to the transition. */
static void settle(const search *s, double phase_s, int number, tr_random *random,
                   tr_rehearsal *rehearsal, scene *out) {
    tr_state start = s->def->transition
                         ? tr_graph_transition_start(s->controller, s->def->seed, number)
                         : tr_trial_start(s->controller, &s->def->starts, s->def->seed, number);
    double settled_s = is_chain(s) ? 0 : SETTLE_S;
    out->trial.lost = true;
    start = on_level(s, out, start);
    if (!lay(s, out, rehearsal) || tr_trial_begin(&out->trial, s->controller, rehearsal, &start))
        return;
    tr_trial_run(&out->trial, rehearsal, steps_of(s, settled_s + phase_s));
    if (s->def->transition)
        tr_graph_transition_approach(s->def->transition, &out->trial, rehearsal, random);
    if (tr_world_get_state(rehearsal->world, rehearsal->character, &out->state))
        out->trial.lost = true;
}

/* The fragment at a phase. */
static int fragment_at(const search *s, double phase_s) {
    const tr_bank *bank = s->bank;
    int64_t steps = steps_of(s, phase_s);
    int k = 0;
    while (steps >= bank->fragment[k].steps) {
        steps -= bank->fragment[k].steps;
        k = (k + 1) % bank->fragment_count;
    }
    return k;
}

/* On steps: where the fragment at a phase begins, disturbed and unpushed. */
static void set_on_steps(const search *s, double phase_s, int number, tr_rehearsal *rehearsal,
                         scene *out) {
    int k = fragment_at(s, phase_s);
    if (k >= s->passed_count)
        return;
    out->state = tr_trial_disturb(&s->passed[k], s->def->seed, number);
    out->push.force_n = 0;
    if (tr_trial_begin_at(&out->trial, s->controller, k, rehearsal, &out->state))
        out->trial.lost = true;
}

/* The reference start of the fragment at a phase, disturbed and unpushed. */
static void set_at_reference(const search *s, double phase_s, int number, tr_rehearsal *rehearsal,
                             scene *out) {
    const tr_bank *bank = s->bank;
    const tr_trial_ground_kind kind = out->ground.kind;
    int k = fragment_at(s, phase_s);
    out->state = on_level(s, out, tr_trial_disturb(&bank->fragment[k].start, s->def->seed, number));
    if (out->on_ground && (kind == TR_TRIAL_GROUND_KERB_UP || kind == TR_TRIAL_GROUND_KERB_DOWN))
        out->state.pose.root_pos.x = fmax(0, out->ground.kerb_m - KERB_AHEAD_M);
    out->push.force_n = 0;
    if (tr_trial_begin_at(&out->trial, s->controller, k, rehearsal, &out->state))
        out->trial.lost = true;
}

/* The duration of the fragments that do not change. */
static double before_first_s(const search *s) {
    int steps = 0;
    for (int k = 0; k < s->def->first; k++)
        steps += s->bank->fragment[k].steps;
    return steps * s->controller->step_s;
}

/* draw: which of the candidates, from 0. */
static void draw_scene(const search *s, int item, int draw, tr_rehearsal *rehearsal, scene *out) {
    uint64_t number = (uint64_t)s->update * TR_HARDEN_TRIAL_MAX + (uint64_t)item;
    uint64_t stream = number + ((uint64_t)draw << 32);
    int start = (int)((number + (uint64_t)draw * DRAW_STRIDE) % INT32_MAX);
    tr_random random = tr_random_split(s->def->seed, FOR_TRIAL, stream);
    double phase_s = tr_random_uniform(&random) * tr_controller_duration_s(s->controller);
    double direction = 2 * TR_PI * tr_random_uniform(&random);
    double force = s->def->push_n * (0.5 + 0.5 * tr_random_uniform(&random));
    bool unpushed = is_unpushed(s, item);
    if (is_chain(s)) {
        double first_s = before_first_s(s);
        phase_s = unpushed ? first_s : fmax(phase_s, first_s);
    }
    *out = (scene){.on_ground = is_on_ground(s, item)};
    if (out->on_ground)
        out->ground = draw_ground(s, stream, SETTLE_S + phase_s);
    unpushed = unpushed || out->on_ground;
    out->push = (tr_rehearsal_push){unpushed ? 0 : force, direction, (int)steps_of(s, PUSH_S)};
    settle(s, phase_s, start, &random, rehearsal, out);
    if (!out->trial.lost || s->def->transition)
        return;
    if (s->def->on_steps)
        set_on_steps(s, phase_s, start, rehearsal, out);
    else
        set_at_reference(s, phase_s, start, rehearsal, out);
}

/* --- one trial of a controller --- */

/* E / (E + 2) at the end of the fragment that the trial has just finished. tread: over that fragment. */
static double judge(const search *s, const tr_trial *trial, const tr_tread *tread,
                    const tr_rehearsal *rehearsal) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state state;
    if (tr_world_get_state(rehearsal->world, rehearsal->character, &state))
        return 1;
    tr_ground ground = tr_world_local_ground(rehearsal->world, rehearsal->character);
    state = tr_state_above_ground(&state, &ground);
    double heading = trial->watch.heading_start_rad;
    if (trial->watch.mirrored) {
        state = tr_state_mirror(rehearsal->model, &state);
        heading = -heading;
    }
    tr_state_forward(rehearsal->model, &state, bodies);
    const tr_cost_view *reference = &s->reference[trial->watch.entry];
    tr_cost_view view;
    tr_cost_look(rehearsal->model, &state, bodies, heading, &view);
    tr_cost_weights terms = tr_cost_terms(rehearsal->model, &view, reference);
    double cost = tr_cost_total(&s->def->weights, &terms, NULL, 0);
    cost += s->def->strike * fmax(0, tread->peak_bw - LIGHT_BW);
    cost += s->def->slip * tr_tread_slip(tread) / CM;
    return isfinite(cost) ? cost / (cost + HALF_COST) : 1;
}

/* A trial of a controller in progress. A fragment that has begun is finished. At the beginning of one
 * a step is made first, if there is time, because only that step shows which fragment comes.
 *   end     step up to which fragments count
 *   inside  the first step of a fragment is made
 *   tread   loads and slip in the fragment
 *   broken  the trial could not begin */
typedef struct course {
    int64_t end;
    bool inside, broken;
    double sum, weight;
    tr_tread tread;
} course;

/* Courses side by side: course k in world k of the group. */
typedef struct courses {
    const search *s;
    tr_rehearsal_group in;
    tr_trial trial[TR_QUARTET_MAX];
    course course[TR_QUARTET_MAX];
} courses;

static void begin_course(courses *c, const scene *from, const tr_controller *controller,
                         tr_rehearsal *rehearsal) {
    int k = c->in.count++;
    c->in.rehearsal[k] = rehearsal;
    c->trial[k] = from->trial;
    c->trial[k].runner.controller = controller;
    int64_t span = from->push.steps + steps_of(c->s, c->s->def->after_s);
    c->course[k] = (course){.end = from->trial.steps + span};
    c->course[k].broken = !lay(c->s, from, rehearsal) ||
                          tr_rehearsal_place(rehearsal, &from->state) ||
                          (from->push.force_n > 0 && tr_rehearsal_shove(rehearsal, &from->push));
}

static bool moves(const courses *c, int k) {
    const course *one = &c->course[k];
    return !one->broken && !c->trial[k].lost && (one->inside || c->trial[k].steps < one->end);
}

static void count_step(const courses *c, int k, bool begins, course *one) {
    const search *s = c->s;
    const tr_trial *trial = &c->trial[k];
    if (s->def->strike > 0 || s->def->slip > 0)
        tr_tread_add(&one->tread, c->in.rehearsal[k]);
    one->inside = !begins && !trial->lost && trial->step != 0;
    if (trial->step != 0 || trial->lost)
        return;
    double length = s->bank->fragment[trial->watch.entry].steps;
    one->sum += length * judge(s, trial, &one->tread, c->in.rehearsal[k]);
    one->weight += length;
    one->tread = (tr_tread){0};
}

/* False: all are at their end. */
static bool step_courses(courses *c) {
    int64_t steps[TR_QUARTET_MAX] = {0};
    bool moving[TR_QUARTET_MAX] = {0}, begins[TR_QUARTET_MAX] = {0}, any = false;
    for (int k = 0; k < c->in.count; k++) {
        moving[k] = moves(c, k);
        begins[k] = c->trial[k].step == 0;
        steps[k] = c->trial[k].steps + moving[k];
        any = any || moving[k];
    }
    tr_trial_run_together(c->trial, &c->in, steps, c->in.count);
    for (int k = 0; k < c->in.count; k++)
        if (moving[k])
            count_step(c, k, begins[k], &c->course[k]);
    return any;
}

/* The mean over the fragments that end within the time; those after a loss count 1. */
static double cost_of(const courses *c, int k) {
    const course *one = &c->course[k];
    double lost = c->trial[k].lost ? (double)(one->end - c->trial[k].steps) : 0;
    return one->broken ? 1 : (one->sum + lost) / (one->weight + lost);
}

static double perform(const search *s, const scene *from, const tr_controller *controller,
                      tr_rehearsal *rehearsal) {
    courses c = {.s = s};
    begin_course(&c, from, controller, rehearsal);
    while (step_courses(&c))
        ;
    return cost_of(&c, 0);
}

/* The cost of a scene for the unshifted controller. A scene in which the motion was lost before the
 * push costs less than any other, because it teaches nothing. */
static double challenge(const search *s, const scene *from, tr_rehearsal *rehearsal) {
    return from->trial.lost ? -1 : perform(s, from, s->controller, rehearsal);
}

/* --- worlds --- */

/* The world of a trial in this update. */
static tr_trial_world world_of(const search *s, int trial) {
    uint64_t number = (uint64_t)s->update * TR_HARDEN_TRIAL_MAX + (uint64_t)trial;
    tr_random random = tr_random_split(s->def->seed, FOR_WORLD, number);
    tr_trial_world world = tr_trial_world_plain();
    if (s->def->vary > 0)
        world = tr_trial_world_draw(s->def->vary, &random);
    const double *extra = s->def->extra;
    double last = fmax(1, s->def->updates - 1);
    world.strength += extra[0] + (extra[1] - extra[0]) * s->update / last;
    return world;
}

/* The rehearsal of a trial: the ensemble's, or one in a separate world, which the caller closes
 * whatever the status. */
static tr_status enter(const search *s, int trial, tr_rehearsal *common, tr_trial_place *own,
                       tr_rehearsal **out) {
    tr_trial_world world = world_of(s, trial);
    own->rehearsal = (tr_rehearsal){0};
    *out = common;
    if (tr_trial_world_is_plain(&world))
        return TR_OK;
    *out = &own->rehearsal;
    return tr_trial_place_open(&world, s->ensemble->model, s->controller, own);
}

/* The first that is drawn, or the hardest of all candidates where a trial is to be chosen. */
static void choose_scene(search *s, int item, tr_rehearsal *rehearsal) {
    scene *out = &s->scenes[item];
    draw_scene(s, item, 0, rehearsal, out);
    bool chosen = s->def->transition || out->on_ground || !is_unpushed(s, item);
    if (s->def->candidates < 2 || !chosen)
        return;
    double hardest = challenge(s, out, rehearsal);
    for (int draw = 1; draw < s->def->candidates; draw++) {
        scene other;
        draw_scene(s, item, draw, rehearsal, &other);
        double cost = challenge(s, &other, rehearsal);
        if (cost > hardest) {
            hardest = cost;
            *out = other;
        }
    }
}

static void set_scene(void *context, int item, tr_rehearsal *rehearsal) {
    search *s = context;
    tr_trial_place own;
    tr_rehearsal *in;
    tr_status status = enter(s, item, rehearsal, &own, &in);
    if (status)
        s->scenes[item] = (scene){.failed = status};
    else
        choose_scene(s, item, in);
    tr_trial_place_close(&own);
}

/* --- shifts --- */

/* Slopes teach the answer to slopes; kerbs and uneven ground teach the answer to steps. */
static bool learns_of(const tr_harden_ground *ground, int component) {
    return component < TR_GROUND_SLOPES ? ground->slope_deg > 0
                                        : ground->kerb_m + ground->uneven_m > 0;
}

static void draw_policy(const search *s, tr_random *random, double scale, shift *out) {
    double share = s->def->ground.share;
    for (int i = 0; i < s->bank->action.size; i++) {
        for (int j = 0; j < TR_GROUND_COUNT && share > 0; j++)
            if (learns_of(&s->def->ground, j))
                out->ground[i][j] = scale / tr_ground_spread[j] * tr_random_normal(random);
        if (share == 1)
            continue;
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            out->m[i][j] = scale / tr_feature_spread[j] * tr_random_normal(random);
        out->offset[i] = scale * tr_random_normal(random);
    }
}

/* own[0] and own[span] are drawn; those between are blended, so that each varies as much. */
static void blend_shifts(shift *own, int span) {
    for (int k = 1; k < span; k++) {
        double after = (double)k / span, before = 1 - after, size = hypot(before, after);
        for (int i = 0; i < TR_ACTION_MAX; i++) {
            for (int j = 0; j < TR_FEATURE_COUNT; j++)
                own[k].m[i][j] = (before * own[0].m[i][j] + after * own[span].m[i][j]) / size;
            for (int j = 0; j < TR_GROUND_COUNT; j++)
                own[k].ground[i][j] =
                    (before * own[0].ground[i][j] + after * own[span].ground[i][j]) / size;
            own[k].offset[i] = (before * own[0].offset[i] + after * own[span].offset[i]) / size;
        }
    }
}

/* Draws the individual parts of the shifts of `count` fragments. */
static void draw_own(const search *s, tr_random *random, double scale, shift *own, int count) {
    draw_policy(s, random, scale, &own[0]);
    for (int k = 0; k < count - 1;) {
        int span = s->def->spacing < count - 1 - k ? s->def->spacing : count - 1 - k;
        draw_policy(s, random, scale, &own[k + span]);
        blend_shifts(&own[k], span);
        k += span;
    }
}

static void add_shift(shift *to, const shift *by) {
    for (int i = 0; i < TR_ACTION_MAX; i++) {
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            to->m[i][j] += by->m[i][j];
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            to->ground[i][j] += by->ground[i][j];
        to->offset[i] += by->offset[i];
    }
}

/* Fragments that do not learn keep shifts of zero. */
static void draw_shifts(search *s) {
    const tr_graph_transition *transition = s->def->transition;
    int fragments = s->bank->fragment_count;
    int first = transition ? transition->learns : s->def->first;
    int count = transition ? transition->learns_count : fragments - first;
    const double part = s->def->sigma_rad / sqrt(2);
    for (int d = 0; d < s->def->directions; d++) {
        uint64_t number = (uint64_t)s->update * TR_HARDEN_DIRECTION_MAX + (uint64_t)d;
        tr_random random = tr_random_split(s->def->seed, FOR_SHIFT, number);
        shift common = {0}, *own = &s->shifts[(size_t)d * (size_t)fragments + (size_t)first];
        draw_policy(s, &random, part, &common);
        draw_own(s, &random, part, own, count);
        for (int k = 0; k < count; k++)
            add_shift(&own[k], &common);
    }
}

/* policy += amount * shift, turned about the features of the reference start. */
static void apply_shift(tr_policy *policy, const shift *by, const tr_features *origin,
                        double amount) {
    for (int i = 0; i < TR_ACTION_MAX; i++) {
        double at_origin = 0;
        for (int j = 0; j < TR_FEATURE_COUNT; j++) {
            policy->m[i][j] += amount * by->m[i][j];
            at_origin += by->m[i][j] * origin->s[j];
        }
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            policy->ground[i][j] += amount * by->ground[i][j];
        policy->offset[i] += amount * (by->offset[i] - at_origin);
    }
}

/* item: (runner * 2 + side) * trials of the heat + trial */
static const scene *scene_of(const search *s, int item) {
    return &s->scenes[s->heat.first + item % s->heat.trials];
}

/* The controller is made again for each trial, which takes a thousandth of the trial's time. */
static void shift_controller(const search *s, int item, tr_controller *out) {
    int fragments = s->bank->fragment_count, side = item / s->heat.trials;
    tr_bank *shifted = tr_controller_bank(out);
    const shift *by = &s->shifts[(size_t)s->runners[side / 2] * (size_t)fragments];
    for (int k = 0; k < fragments; k++) {
        shifted->fragment[k].policy = s->bank->fragment[k].policy;
        apply_shift(&shifted->fragment[k].policy, &by[k], &s->origin[k], side % 2 ? -1 : 1);
    }
}

/* Those whose motion was lost before they began cost 1. */
static void try_shifts_of(void *context, const int *item, int count,
                          const tr_rehearsal_group *group) {
    search *s = context;
    tr_trial_place own[TR_QUARTET_MAX];
    courses c = {.s = s, .in.quartet = group->quartet};
    int course_of[TR_QUARTET_MAX];
    for (int k = 0; k < count; k++) {
        const scene *from = scene_of(s, item[k]);
        tr_controller *controller = s->shifted[group->rehearsal[k] - s->ensemble->rehearsal];
        tr_rehearsal *in;
        shift_controller(s, item[k], controller);
        tr_status status = enter(s, (int)(from - s->scenes), group->rehearsal[k], &own[k], &in);
        s->troubles[item[k]] = status ? (double)NAN : 1;
        course_of[k] = status || from->trial.lost ? -1 : c.in.count;
        if (course_of[k] >= 0)
            begin_course(&c, from, controller, in);
    }
    while (step_courses(&c))
        ;
    for (int k = 0; k < count; k++) {
        if (course_of[k] >= 0)
            s->troubles[item[k]] = cost_of(&c, course_of[k]);
        tr_trial_place_close(&own[k]);
    }
}

static void add_troubles(search *s) {
    const double *trouble = s->troubles;
    for (int i = 0; i < s->runner_count; i++)
        for (int side = 0; side < 2; side++) {
            double *sum = &s->sums[2 * s->runners[i] + side];
            for (int t = 0; t < s->heat.trials; t++)
                *sum += *trouble++;
        }
}

static void sum_up_returns(search *s) {
    for (int side = 0; side < 2 * s->def->directions; side++)
        s->returns[side] = -s->sums[side] / s->def->trials;
}

/* --- following --- */

static int by_size_falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The least difference of `values` that belongs to the `best` largest ones of the runners. */
static double threshold(const search *s, const double *values) {
    for (int i = 0; i < s->runner_count; i++)
        s->gain[i] = fabs(values[2 * s->runners[i]] - values[2 * s->runners[i] + 1]);
    qsort(s->gain, (size_t)s->runner_count, sizeof *s->gain, by_size_falling);
    return s->gain[s->def->best - 1];
}

/* The pairs whose differences so far are among the `best` largest stay in the race. */
static void drop_slow(search *s) {
    double least = threshold(s, s->sums);
    int kept = 0;
    for (int i = 0; i < s->runner_count; i++) {
        int d = s->runners[i];
        if (fabs(s->sums[2 * d] - s->sums[2 * d + 1]) >= least)
            s->runners[kept++] = d;
    }
    s->runner_count = kept;
}

static double mean_return(const search *s) {
    double sum = 0;
    for (int i = 0; i < 2 * s->runner_count; i++)
        sum += s->returns[2 * s->runners[i / 2] + i % 2];
    return sum / (2 * s->runner_count);
}

/* The standard deviation of the returns. */
static double deviation(const search *s) {
    double mean = mean_return(s), squares = 0;
    for (int i = 0; i < 2 * s->runner_count; i++) {
        double off = s->returns[2 * s->runners[i / 2] + i % 2] - mean;
        squares += off * off;
    }
    return sqrt(squares / (2 * s->runner_count));
}

/* Along the pairs with the largest differences, in units of the returns' standard deviation. */
static void follow(search *s) {
    double least = threshold(s, s->returns), unit = deviation(s);
    int fragments = s->bank->fragment_count;
    for (int i = 0; i < s->runner_count && unit > 0; i++) {
        int d = s->runners[i];
        double difference = s->returns[2 * d] - s->returns[2 * d + 1];
        if (fabs(difference) < least)
            continue;
        double amount = s->def->rate * difference / (s->def->best * unit);
        for (int k = 0; k < fragments; k++)
            apply_shift(&s->bank->fragment[k].policy,
                        &s->shifts[(size_t)d * (size_t)fragments + (size_t)k], &s->origin[k],
                        amount);
    }
}

/* --- the mean of the last updates --- */

/* mean += (policy - mean) / number, for M and a_hat. */
static void join_mean(tr_policy *mean, const tr_policy *policy, int number) {
    for (int i = 0; i < TR_ACTION_MAX; i++) {
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            mean->m[i][j] += (policy->m[i][j] - mean->m[i][j]) / number;
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            mean->ground[i][j] += (policy->ground[i][j] - mean->ground[i][j]) / number;
        mean->offset[i] += (policy->offset[i] - mean->offset[i]) / number;
    }
}

/* Writes the mean into the controller, or beside it. */
static void take_mean(search *s, int k) {
    tr_policy *policy = &s->bank->fragment[k].policy;
    tr_policy *to = s->def->mean ? &s->def->mean[k] : policy;
    *to = *policy;
    memcpy(to->m, s->mean[k].m, sizeof to->m);
    memcpy(to->ground, s->mean[k].ground, sizeof to->ground);
    memcpy(to->offset, s->mean[k].offset, sizeof to->offset);
}

/* After an update: includes the new parameters if this update is among the last ones to average;
 * after the last of all, takes the mean. */
static void average(search *s) {
    int number = s->update + 1 - (s->def->updates - s->def->averaged);
    bool last = s->update + 1 == s->def->updates;
    if (s->def->averaged < 2 || number < 1)
        return;
    for (int k = 0; k < s->bank->fragment_count; k++) {
        join_mean(&s->mean[k], &s->bank->fragment[k].policy, number);
        if (last)
            take_mean(s, k);
    }
}

/* --- the whole --- */

static bool sound_ground(const tr_harden_ground *g) {
    return g->share >= 0 && g->share <= 1 && g->slope_deg >= 0 && g->slope_deg <= 30 &&
           g->kerb_m >= 0 && g->kerb_m <= 1 && g->uneven_m >= 0 && g->uneven_m <= 1 &&
           (g->share == 0 || g->slope_deg + g->kerb_m + g->uneven_m > 0);
}

/* The place of a transition's trials is not known in advance: they meet no kerbs. */
static bool sound(const tr_harden_def *def, bool chain) {
    const tr_harden_ground *g = &def->ground;
    bool meets = g->share == 0 || (!chain && !(def->transition && g->kerb_m + g->uneven_m > 0));
    return meets && def->updates >= 1 && def->directions >= 1 &&
           def->directions <= TR_HARDEN_DIRECTION_MAX && def->best >= 1 &&
           def->best <= def->directions && def->averaged >= (def->mean ? 2 : 0) &&
           def->averaged <= def->updates && def->candidates >= 1 && def->spacing >= 1 &&
           def->trials >= 1 && def->trials <= TR_HARDEN_TRIAL_MAX && def->race >= 0 &&
           def->race < def->trials && def->after_s > 0 && def->push_n >= 0 && def->strike >= 0 &&
           def->slip >= 0 && def->vary >= 0 && def->vary < 1 && def->extra[0] > -1 &&
           def->extra[1] > -1 && sound_ground(&def->ground);
}

static void look_at_starts(search *s) {
    const tr_model *model = s->ensemble->model;
    tr_body_state bodies[TR_BODY_MAX];
    for (int k = 0; k < s->bank->fragment_count; k++) {
        const tr_state *start = &s->bank->fragment[k].start;
        tr_state_forward(model, start, bodies);
        s->origin[k] = tr_features_of(model, start, bodies);
    }
}

/* On steps: the way of the present controller, undisturbed, as far as it holds its motion. */
static void look_at_way(search *s) {
    tr_rehearsal *rehearsal = &s->ensemble->rehearsal[0];
    tr_trial trial;
    if (tr_trial_begin(&trial, s->controller, rehearsal, &s->controller->spawn))
        return;
    while (
        !trial.lost && s->passed_count < s->bank->fragment_count &&
        !tr_world_get_state(rehearsal->world, rehearsal->character, &s->passed[s->passed_count])) {
        s->passed_count++;
        tr_trial_finish_entry(&trial, rehearsal);
    }
}

static void see_ground(search *s) {
    for (int k = 0; k < s->bank->fragment_count; k++) {
        tr_fragment *fragment = &s->bank->fragment[k];
        int seen = tr_policy_ground_count(&fragment->policy);
        if (seen < TR_GROUND_SLOPES && learns_of(&s->def->ground, 0))
            tr_ground_answer_level(&fragment->policy, &s->origin[k]);
        if (seen < TR_GROUND_COUNT && learns_of(&s->def->ground, TR_GROUND_SLOPES))
            tr_ground_answer_lift(s->ensemble->model, &s->bank->action, fragment);
    }
}

static tr_status open_search(search *s) {
    size_t fragments = (size_t)s->bank->fragment_count;
    size_t directions = (size_t)s->def->directions;
    int worlds = s->ensemble->worlds;
    s->reference = calloc(fragments, sizeof *s->reference);
    s->origin = calloc(fragments, sizeof *s->origin);
    s->scenes = calloc((size_t)s->def->trials, sizeof *s->scenes);
    s->shifts = calloc(directions * fragments, sizeof *s->shifts);
    s->troubles = calloc(2 * directions * (size_t)s->def->trials, sizeof *s->troubles);
    s->runners = calloc(directions, sizeof *s->runners);
    s->sums = calloc(2 * directions, sizeof *s->sums);
    s->returns = calloc(2 * directions, sizeof *s->returns);
    s->gain = calloc(directions, sizeof *s->gain);
    s->mean = calloc(fragments, sizeof *s->mean);
    s->passed = calloc(fragments, sizeof *s->passed);
    s->shifted = calloc((size_t)worlds, sizeof(tr_controller *));
    tr_status status = s->reference && s->origin && s->scenes && s->shifts && s->troubles &&
                               s->runners && s->sums && s->returns && s->gain && s->passed &&
                               s->mean && s->shifted
                           ? TR_OK
                           : TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < worlds && !status; i++)
        status = tr_controller_copy(s->controller, s->ensemble->model, &s->shifted[i]);
    return status;
}

/* Removes the ground of trials from the rehearsals' worlds, and frees the search. */
static void close_search(search *s) {
    for (int i = 0; i < s->ensemble->worlds && s->def->ground.share > 0; i++)
        tr_trial_ground_lift(s->ensemble->rehearsal[i].world);
    for (int i = 0; s->shifted && i < s->ensemble->worlds; i++)
        tr_controller_destroy(s->shifted[i]);
    free(s->shifted);
    free(s->passed);
    free(s->mean);
    free(s->gain);
    free(s->returns);
    free(s->sums);
    free(s->runners);
    free(s->troubles);
    free(s->shifts);
    free(s->scenes);
    free(s->origin);
    free(s->reference);
}

static tr_status set_scenes(search *s) {
    tr_status status = TR_OK;
    tr_ensemble_share(s->ensemble, set_scene, s, s->def->trials,
                      (const tr_ranks_result[]){{s->scenes, sizeof *s->scenes}, {0}});
    for (int t = 0; t < s->def->trials; t++) {
        s->scenes[t].trial.runner.controller = s->controller; /* another rank's points elsewhere */
        status = status ? status : s->scenes[t].failed;
    }
    return status;
}

/* All runners meet some of the trials. The worlds could be opened for the scenes, so one that fails
 * now lacks memory. */
static tr_status run_heat(search *s, int first, int end) {
    s->heat = (heat){first, end - first};
    int count = 2 * s->runner_count * s->heat.trials, failed = 0;
    tr_ensemble_share_groups(s->ensemble, try_shifts_of, s, count,
                             (const tr_ranks_result[]){{s->troubles, sizeof *s->troubles}, {0}});
    for (int i = 0; i < count; i++)
        failed += isnan(s->troubles[i]);
    add_troubles(s);
    return failed ? TR_RESOURCE_EXHAUSTED : TR_OK;
}

static tr_status try_shifts(search *s) {
    s->runner_count = s->def->directions;
    for (int d = 0; d < s->def->directions; d++) {
        s->runners[d] = d;
        s->sums[2 * d] = s->sums[2 * d + 1] = 0;
    }
    if (s->def->race > 0) {
        tr_status status = run_heat(s, 0, s->def->race);
        if (status)
            return status;
        drop_slow(s);
    }
    return run_heat(s, s->def->race, s->def->trials);
}

static tr_status update(search *s) {
    tr_status status = set_scenes(s);
    if (status)
        return status;
    draw_shifts(s);
    status = try_shifts(s);
    if (status)
        return status;
    sum_up_returns(s);
    follow(s);
    average(s);
    return TR_OK;
}

tr_status tr_harden(tr_ensemble *ensemble, const tr_harden_def *def, tr_controller *controller,
                    double *out_return) {
    tr_bank *bank = tr_controller_bank(controller);
    bool chain = !bank->cyclic && !def->transition;
    if (!sound(def, chain) ||
        (def->transition && !tr_graph_transition_fits(def->transition, controller)) ||
        def->first < 0 || def->first >= (chain ? bank->fragment_count : 1))
        return TR_INVALID_ARGUMENT;
    search s = {.def = def, .ensemble = ensemble, .controller = controller, .bank = bank};
    tr_status status = open_search(&s);
    if (!status) {
        tr_cost_references(ensemble->model, bank, s.reference);
        look_at_starts(&s);
        if (def->on_steps)
            look_at_way(&s);
        if (def->ground.share > 0)
            see_ground(&s);
    }
    for (s.update = 0; s.update < def->updates && !status; s.update++)
        status = update(&s);
    if (!status)
        *out_return = mean_return(&s);
    close_search(&s);
    return status;
}
