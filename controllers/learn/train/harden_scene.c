#include "learn/train/harden_scene.h"

#include "learn/rehearsal/travel.h"
#include "math/random.h"

#include <math.h>

static const double PUSH_S = 0.2;
static const double SETTLE_S = 2; /* from the disturbed start to the earliest push */
enum { UNPUSHED_EVERY = 4 };      /* trial; they keep the undisturbed motion good */
enum { CHAIN_UNPUSHED_EVERY = 2 };
enum { DRAW_STRIDE = 100000007 };       /* between the starts of one trial's candidates */
static const double KERB_AHEAD_M = 1.2; /* at most, when a trial is watched */
/* The level keeps the lowest point of other ground above the plane of the rehearsal's world. */
static const double GROUND_LEVEL_M = 20, GROUND_SIDE_M = 60;
static const double GROUND_WALK_SIDE_M = 400; /* walks over a graph go farther */

static bool is_unpushed(const tr_hardening *h, int item) {
    int every = tr_hardening_is_chain(h) ? CHAIN_UNPUSHED_EVERY : UNPUSHED_EVERY;
    return item % every == every - 1;
}

/* --- ground --- */

/* Draws the ground of a trial that is watched from `seconds` after its start: a kerb is just ahead
 * then. */
static tr_trial_ground draw_ground(const tr_hardening *h, uint64_t stream, double seconds) {
    tr_random random = tr_random_split(h->def->seed, TR_HARDEN_FOR_GROUND, stream);
    tr_trial_ground ground = tr_harden_ground_draw(&h->def->ground, &random);
    ground.level_m = GROUND_LEVEL_M;
    ground.side_m = h->def->transition ? GROUND_WALK_SIDE_M : GROUND_SIDE_M;
    ground.kerb_m = tr_travel_way(h->controller, tr_travel_direction(h->controller), seconds) +
                    KERB_AHEAD_M * tr_random_uniform(&random);
    ground.seed = stream + 1;
    return ground;
}

bool tr_harden_scene_lay(const tr_hardening *h, const tr_harden_scene *scene,
                         tr_rehearsal *rehearsal) {
    if (h->def->ground.share == 0)
        return true;
    tr_trial_ground_lift(rehearsal->world);
    return !scene->on_ground || !tr_trial_ground_lay(&scene->ground, rehearsal->world);
}

/* Puts a start on its ground: raised, and turned such that it travels along x; a transition's heads
 * anywhere, and a chain's, which may lie, is tilted with the slope. */
static tr_state on_level(const tr_hardening *h, const tr_harden_scene *scene, tr_state state) {
    if (!scene->on_ground)
        return state;
    if (tr_hardening_is_chain(h))
        state = tr_trial_slope_tilt(&scene->ground, &state);
    else if (!h->def->transition)
        state = tr_travel_along_x(&state, tr_travel_direction(h->controller));
    state.pose.root_pos.z += scene->ground.level_m;
    return state;
}

/* --- where it begins --- */

/* Runs the unshifted controller from a disturbed start, settled, up to a phase of the cycle, or to
 * the transition. */
static void settle(const tr_hardening *h, double phase_s, int number, tr_random *random,
                   tr_rehearsal *rehearsal, tr_harden_scene *out) {
    tr_state start = h->def->transition
                         ? tr_graph_transition_start(h->controller, h->def->seed, number)
                         : tr_trial_start(h->controller, &h->def->starts, h->def->seed, number);
    double settled_s = tr_hardening_is_chain(h) ? 0 : SETTLE_S;
    out->trial.lost = true;
    start = on_level(h, out, start);
    if (!tr_harden_scene_lay(h, out, rehearsal) ||
        tr_trial_begin(&out->trial, h->controller, rehearsal, &start))
        return;
    tr_trial_run(&out->trial, rehearsal, tr_hardening_steps(h, settled_s + phase_s));
    if (h->def->transition)
        tr_graph_transition_approach(h->def->transition, &out->trial, rehearsal, random);
    if (tr_world_get_state(rehearsal->world, rehearsal->character, &out->state))
        out->trial.lost = true;
}

/* Returns the fragment at a phase. */
static int fragment_at(const tr_hardening *h, double phase_s) {
    const tr_bank *bank = h->bank;
    int64_t steps = tr_hardening_steps(h, phase_s);
    int k = 0;
    while (steps >= bank->fragment[k].steps) {
        steps -= bank->fragment[k].steps;
        k = (k + 1) % bank->fragment_count;
    }
    return k;
}

/* Begins at the reference start of the fragment at a phase, on steps where the chain passes it,
 * disturbed and unpushed. */
static void set_at_reference(const tr_hardening *h, double phase_s, int number,
                             tr_rehearsal *rehearsal, tr_harden_scene *out) {
    const tr_trial_ground_kind kind = out->ground.kind;
    const bool on_steps = h->def->on_steps;
    int k = fragment_at(h, phase_s);
    if (on_steps && k >= h->passed_count)
        return;
    const tr_state *at = on_steps ? &h->passed[k] : &h->bank->fragment[k].start;
    out->state = on_level(h, out, tr_trial_disturb(at, h->def->seed, number));
    /* A kerb is just ahead: the trial is watched from here, and might not reach it otherwise. */
    if (out->on_ground && (kind == TR_TRIAL_GROUND_KERB_UP || kind == TR_TRIAL_GROUND_KERB_DOWN))
        out->state.pose.root_pos.x = fmax(0, out->ground.kerb_m - KERB_AHEAD_M);
    out->push.force_n = 0;
    if (tr_trial_begin_at(&out->trial, h->controller, k, rehearsal, &out->state))
        out->trial.lost = true;
}

/* --- the scene --- */

void tr_harden_scene_draw(const tr_hardening *h, int item, int draw, tr_rehearsal *rehearsal,
                          tr_harden_scene *out) {
    uint64_t number = tr_hardening_trial(h, item);
    uint64_t stream = number + ((uint64_t)draw << 32);
    int start = (int)((number + (uint64_t)draw * DRAW_STRIDE) % INT32_MAX);
    tr_random random = tr_random_split(h->def->seed, TR_HARDEN_FOR_TRIAL, stream);
    double phase_s = tr_random_uniform(&random) * tr_controller_duration_s(h->controller);
    double direction = 2 * TR_PI * tr_random_uniform(&random);
    double force = h->def->push_n * (0.5 + 0.5 * tr_random_uniform(&random));
    bool unpushed = is_unpushed(h, item);
    if (tr_hardening_is_chain(h)) {
        int steps = 0;
        for (int k = 0; k < h->def->first; k++)
            steps += h->bank->fragment[k].steps;
        double first_s = steps * h->controller->step_s;
        /* Fragments that do not change are not pushed; an unpushed trial is watched from the first
         * that does. */
        phase_s = unpushed ? first_s : fmax(phase_s, first_s);
    }
    *out = (tr_harden_scene){.on_ground = tr_harden_ground_takes(&h->def->ground, item)};
    if (out->on_ground)
        out->ground = draw_ground(h, stream, SETTLE_S + phase_s);
    unpushed = unpushed || out->on_ground;
    out->push =
        (tr_rehearsal_push){unpushed ? 0 : force, direction, (int)tr_hardening_steps(h, PUSH_S)};
    settle(h, phase_s, start, &random, rehearsal, out);
    /* The motion was lost on the way: a trial of a skill begins elsewhere instead. */
    if (out->trial.lost && !h->def->transition)
        set_at_reference(h, phase_s, start, rehearsal, out);
}

bool tr_harden_scene_is_chosen(const tr_hardening *h, const tr_harden_scene *scene, int item) {
    return h->def->transition || scene->on_ground || !is_unpushed(h, item);
}

/* --- its world --- */

static tr_trial_world world_of(const tr_hardening *h, int item) {
    tr_random random =
        tr_random_split(h->def->seed, TR_HARDEN_FOR_WORLD, tr_hardening_trial(h, item));
    tr_trial_world world = tr_trial_world_plain();
    if (h->def->vary > 0)
        world = tr_trial_world_draw(h->def->vary, &random);
    const double *extra = h->def->extra;
    double last = fmax(1, h->def->updates - 1);
    /* The extra strength falls linearly over the updates of the round. */
    world.strength += extra[0] + (extra[1] - extra[0]) * h->update / last;
    return world;
}

tr_status tr_harden_scene_enter(const tr_hardening *h, int item, tr_rehearsal *common,
                                tr_trial_place *own, tr_rehearsal **out) {
    tr_trial_world world = world_of(h, item);
    own->rehearsal = (tr_rehearsal){0};
    *out = common;
    if (tr_trial_world_is_plain(&world))
        return TR_OK;
    *out = &own->rehearsal;
    return tr_trial_place_open(&world, h->ensemble->model, h->controller, own);
}
