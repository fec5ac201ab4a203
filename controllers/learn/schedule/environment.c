#include "learn/schedule/environment.h"

#include "control/graph/planner.h"
#include "control/parts/falls.h"
#include "control/parts/state_distance.h"
#include "learn/balance/balance_trial.h"
#include "math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the trainings of the shipped controllers used: controllers/log/2026-11-28-scheduling.md. */
static const double AIM_FREE_RAD = 0.175;      /* beyond this (eps_phi) */
static const double FEEDBACK_FREE_RAD = 0.2;   /* of feedback that costs nothing (eps_F) */
static const double FEEDBACK_RANDOM_RAD = 1.5; /* of random decisions, less (Delta_max) */

static const double ROCK_RAD_S = 2 * TR_PI / 1.1; /* the paper's cycle on the bongo board */
static const double ROCK_PENALTY = 4;             /* of a board that does not roll */

/* begin_anew gives up after START_DRAWS lost starts, draw_bearable after RANDOM_DRAWS actions. */
enum { START_DRAWS = 100, RANDOM_DRAWS = 20 };

/* A decision in sequence continues the skill with this probability where edges leave it. */
static const double CONTINUES = 0.6;

/* A push lasts one fragment of 0.1 s (Liu 2017, section 4.2). */
static const double JOSTLE_S = 0.1;
/* Where the features hold the centroid's velocity, and an object's numbers its place. */
enum { CENTROID_VEL = 6, OBJECT_PLACE = 3 };

tr_status tr_environment_create(const tr_environment_def *def, tr_environment **out,
                                tr_error *error) {
    tr_environment *environment = calloc(1, sizeof *environment);
    if (!environment)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "environment: no memory");
    environment->controller = def->controller;
    environment->scheduler = tr_scheduler_of(def->controller);
    environment->settings = def->settings;
    environment->amounts = def->amounts;
    environment->request = -1;
    tr_ensemble_def worlds = tr_ensemble_def_for(def->model, def->controller);
    worlds.lanes = 1;
    tr_status status = tr_ensemble_create(&worlds, &environment->worlds);
    if (!status) {
        *out = environment;
        return TR_OK;
    }
    tr_environment_destroy(environment);
    return tr_fail_if(error, status, "environment");
}

void tr_environment_destroy(tr_environment *environment) {
    if (environment)
        tr_ensemble_destroy(environment->worlds);
    free(environment);
}

static tr_rehearsal *world_of(tr_environment *e) {
    return &e->worlds->rehearsal[0];
}

static const tr_scheduler_state *state_of(tr_environment *e) {
    return tr_scheduler_state_of(&e->trial.runner);
}

static int draw_below(tr_random *random, int count) {
    return (int)(tr_random_uniform(random) * count);
}

static tr_sight sight_of(tr_environment *e, const tr_rehearsal_moment *moment) {
    const tr_rehearsal *r = world_of(e);
    return (tr_sight){.world = r->world,
                      .character = r->character,
                      .model = r->model,
                      .state = &moment->state,
                      .target = &e->trial.runner.target,
                      .object = moment->object,
                      .object_count = r->pieces.count,
                      .tick = tr_world_tick(r->world),
                      .step_s = e->controller->step_s};
}

static void observe(tr_environment *e) {
    tr_rehearsal *r = world_of(e);
    tr_rehearsal_moment moment;
    if (tr_rehearsal_look(r, &moment)) {
        e->trial.lost = true;
        return;
    }
    const tr_features features = tr_rehearsal_features(r);
    const tr_sight sight = sight_of(e, &moment);
    e->view = tr_scheduler_view_of(e->scheduler, &sight, &features);
    e->view.request = e->request;
    tr_scheduler_observe(e->scheduler, state_of(e), &e->view, e->input);
}

/* --- beginning --- */

static const tr_driver_skill *skill_of(const tr_environment *e, int entry) {
    const tr_driver_sheet *sheet = &e->scheduler->sheet;
    return &sheet->skill[sheet->entry[entry].skill];
}

static bool is_favoured(const tr_environment *e, int entry) {
    const char *favoured = e->settings->favoured;
    if (e->request >= 0)
        return e->scheduler->sheet.entry[entry].skill == e->scheduler->request[e->request];
    return strcmp(favoured, "any") == 0 || strcmp(favoured, skill_of(e, entry)->name) == 0;
}

/* Draws a listed entry; with `favoured` one of the favoured skill, if any is listed. */
static int draw_start(tr_environment *e, bool favoured) {
    const tr_scheduler *scheduler = e->scheduler;
    int from = draw_below(&e->random, scheduler->entry_count);
    for (int i = 0; favoured && i < scheduler->entry_count; i++) {
        int entry = scheduler->entry[(from + i) % scheduler->entry_count];
        if (is_favoured(e, entry))
            return entry;
    }
    return scheduler->entry[from];
}

static void draw_push(tr_environment *e) {
    const tr_schedule_amounts *a = e->amounts;
    double wait_s = a->push_every_low_s +
                    (a->push_every_high_s - a->push_every_low_s) * tr_random_uniform(&e->random);
    e->push_at = e->trial.steps + (int64_t)llround(wait_s / e->controller->step_s);
}

/* Asks for a heading, drawn evenly around the present one. */
static void draw_heading(tr_environment *e) {
    tr_rehearsal *r = world_of(e);
    tr_state state;
    if (!e->settings->turns)
        return;
    const double turn = TR_PI * (2 * tr_random_uniform(&e->random) - 1);
    if (!tr_world_get_state(r->world, r->character, &state))
        e->trial.runner.target = (tr_steering_target){
            .aim = TR_AIM_HEADING,
            .heading_rad = tr_angle_wrap(tr_quat_heading(state.pose.root_rot) + turn)};
}

/* Asks for a skill, so that the state is observed with it. */
static void draw_request(tr_environment *e) {
    const tr_schedule_settings *s = e->settings;
    const tr_scheduler *scheduler = e->scheduler;
    if (!s->turns && scheduler->request_count == 0)
        return;
    double wait_s = s->ask_every_low_s +
                    (s->ask_every_high_s - s->ask_every_low_s) * tr_random_uniform(&e->random);
    e->ask_at = e->trial.steps + (int64_t)llround(wait_s / e->controller->step_s);
    if (scheduler->request_count > 0)
        e->request = draw_below(&e->random, scheduler->request_count);
}

static tr_status push(tr_environment *e) {
    const tr_schedule_settings *s = e->settings;
    double share = tr_random_uniform(&e->random), turn = tr_random_uniform(&e->random);
    draw_push(e);
    return tr_rehearsal_shove(
        world_of(e), &(tr_rehearsal_push){
                         s->push_low_n + (s->push_high_n - s->push_low_n) * share, 2 * TR_PI * turn,
                         (int)llround(TR_SCHEDULE_PUSH_S / e->controller->step_s)});
}

static tr_status begin_anew(tr_environment *e) {
    /* An episode starts in a state of the input controllers (Liu 2017, section 4.5). */
    for (int i = 0; i < START_DRAWS; i++) {
        e->trial.steps = 0;
        draw_request(e);
        bool favoured = tr_random_uniform(&e->random) < e->settings->favoured_starts;
        int entry = draw_start(e, favoured);
        tr_state start =
            tr_trial_disturb(e->scheduler->sheet.entry[entry].start, tr_random_next(&e->random), 0);
        tr_status status = tr_trial_begin_at(&e->trial, e->controller, entry, world_of(e), &start);
        if (status)
            return status;
        draw_heading(e);
        /* The first decision needs a fragment that was just performed: a~ of the paper. */
        tr_trial_finish_entry(&e->trial, world_of(e));
        if (!e->trial.lost)
            observe(e);
        if (e->trial.lost)
            continue;
        e->decisions = 0;
        e->episodes++;
        draw_push(e);
        return TR_OK;
    }
    return TR_FAILED_PRECONDITION;
}

tr_status tr_environment_begin(tr_environment *environment, tr_random random) {
    environment->random = random;
    return begin_anew(environment);
}

/* Returns after a fall to where the character was `back` decisions ago, with a new request (Liu
 * 2017, section 4.5). A younger episode begins anew. */
static tr_status go_back(tr_environment *e) {
    const int to = e->decisions - e->amounts->back;
    if (to < 0)
        return begin_anew(e);
    const tr_environment_moment *moment = &e->moment[to % TR_ENVIRONMENT_BACK_MAX];
    e->trial = moment->trial;
    tr_status status = tr_rehearsal_return(world_of(e), &moment->place);
    e->decisions = 0;
    draw_push(e);
    draw_request(e);
    draw_heading(e);
    if (!status)
        observe(e);
    return status;
}

/* --- deciding --- */

/* Returns ||Delta_a|| (Liu 2017, eq. 17), the size of the feedback action at the start of an entry,
 * in rad; 0 where it is not known. */
static double feedback_of(const tr_environment *e, tr_scheduler_place place) {
    const tr_bank *bank = tr_controller_bank(e->controller);
    if (!bank || place.entry >= bank->fragment_count)
        return 0;
    double action[TR_ACTION_MAX], square = 0;
    const tr_features *features = &e->view.features;
    tr_features seen = place.mirrored ? tr_features_mirror(features) : *features;
    tr_policy_evaluate(&bank->fragment[place.entry].policy, bank->action.size, &seen, action);
    for (int i = 0; i < bank->action.size; i++)
        square += action[i] * action[i];
    return sqrt(square);
}

static tr_scheduler_place place_of(tr_environment *e, int action) {
    return tr_scheduler_place_of(e->scheduler, state_of(e), action);
}

/* Draws among all actions, or among those of the requested skill. */
static int draw_action(tr_environment *e) {
    const double share = e->settings->asked_share;
    int action[TR_SCHEDULER_ACTION_MAX], count = 0;
    bool asked = e->request >= 0 && share > 0 && tr_random_uniform(&e->random) < share;
    for (int i = 0; i < tr_scheduler_action_count(e->scheduler); i++)
        if (!asked || is_favoured(e, place_of(e, i).entry))
            action[count++] = i;
    return action[draw_below(&e->random, count)];
}

/* Draws an action with a small feedback action (Liu 2017, section 5.2), if there are such among
 * those drawn. */
static int draw_bearable(tr_environment *e) {
    int action = draw_action(e);
    for (int i = 0; i < RANDOM_DRAWS; i++) {
        if (feedback_of(e, place_of(e, action)) < FEEDBACK_RANDOM_RAD)
            break;
        action = draw_action(e);
    }
    return action;
}

/* Returns how far the state is from the one in which an action's entry was learned to begin. */
static double distance_to(tr_environment *e, int action) {
    const tr_rehearsal *r = world_of(e);
    tr_scheduler_place place = place_of(e, action);
    tr_state state, start = *e->scheduler->sheet.entry[place.entry].start;
    if (tr_world_get_state(r->world, r->character, &state))
        return INFINITY;
    if (place.mirrored)
        start = tr_state_mirror(r->model, &start);
    return tr_state_distance(r->model, &state, &start);
}

/* Draws some actions and returns the one whose entry begins nearest. */
static int draw_random(tr_environment *e) {
    int nearest = draw_bearable(e);
    for (int i = 1; i < e->settings->near_draws; i++) {
        int other = draw_bearable(e);
        if (distance_to(e, other) < distance_to(e, nearest))
            nearest = other;
    }
    return nearest;
}

static int choose_best(tr_environment *e) {
    float value[TR_SCHEDULER_ACTION_MAX];
    tr_network_forward(&e->scheduler->network, e->input, value);
    return tr_network_largest(value, tr_scheduler_action_count(e->scheduler));
}

/* Returns the action that begins a place; -1: not listed. */
static int action_of(tr_environment *e, tr_scheduler_place place) {
    const tr_scheduler *scheduler = e->scheduler;
    /* The second half of the actions are the entries on the other side. */
    int flips = place.mirrored != state_of(e)->mirrored;
    for (int i = 0; i < scheduler->entry_count; i++)
        if (scheduler->entry[i] == place.entry)
            return i + flips * scheduler->entry_count;
    return -1;
}

/* Returns what the planner of the control graph does to reach the request; -1: no graph, or not
 * listed. */
static int choose_planned(tr_environment *e) {
    const tr_control_graph *graph = tr_graph_of(e->controller);
    const tr_rehearsal *r = world_of(e);
    tr_state state;
    if (!graph || e->request < 0 || tr_world_get_state(r->world, r->character, &state))
        return -1;
    tr_steering_target target = {0};
    const tr_graph_place done = {state_of(e)->entry, state_of(e)->mirrored};
    snprintf(target.skill, sizeof target.skill, "%s",
             e->scheduler->sheet.skill[e->scheduler->request[e->request]].name);
    const tr_planner_stance stance = tr_planner_look(graph, r->model, done, &state);
    const tr_graph_place next = tr_planner_next(graph, done, &stance, &target, 0);
    return action_of(e, (tr_scheduler_place){next.fragment, next.mirrored});
}

static int choose(tr_environment *e, const tr_exploration *exploration, const int *sequence,
                  int in_sequence) {
    /* Liu 2017, algorithm 1, line 9: a random action. */
    double drawn = tr_random_uniform(&e->random);
    if (drawn < exploration->random_share)
        return draw_random(e);
    /* Lines 10 and 11: of the other decisions, the share eps_o is in sequence, the rest greedy. */
    drawn = (drawn - exploration->random_share) / (1 - exploration->random_share);
    if (drawn >= exploration->order_share || in_sequence == 0)
        return choose_best(e);
    int planned = e->settings->planned ? choose_planned(e) : -1;
    if (planned >= 0)
        return planned;
    bool continues = tr_random_uniform(&e->random) < CONTINUES;
    return sequence[continues ? 0 : draw_below(&e->random, in_sequence)];
}

/* Pushes the character until the next decision. Learning keeps decisions under these pushes. */
static tr_status jostle(tr_environment *e) {
    const double size_n = e->settings->jostle_n;
    if (size_n == 0)
        return TR_OK;
    const double x = size_n * tr_random_normal(&e->random);
    const double y = size_n * tr_random_normal(&e->random);
    const int steps = (int)llround(JOSTLE_S / e->controller->step_s);
    return tr_rehearsal_shove(world_of(e),
                              &(tr_rehearsal_push){sqrt(x * x + y * y), tr_atan2(y, x), steps});
}

static bool is_pushed(tr_environment *e) {
    tr_push left;
    return tr_world_pushes(world_of(e)->world, &left, 1) > 0;
}

/* Performs the entry that an action stands for. */
static void perform(tr_environment *e, tr_scheduler_place place) {
    tr_rehearsal *r = world_of(e);
    tr_doing doing;
    e->trial.runner.cue = (tr_cue){true, place.entry, place.mirrored};
    tr_trial_finish_entry(&e->trial, r);
    tr_runner_look(&e->trial.runner, &doing);
    /* X_fail of eq. 11: the character fell, or asked for too much feedback (section 5.2). */
    if (doing.down || tr_falls_is_down(r->world, r->character, false) ||
        doing.feedback_rad > e->settings->feedback_fail_rad)
        e->trial.lost = true;
    if (!e->trial.lost)
        observe(e);
}

/* Returns the amplitude of the swing that the board's roll and its rate belong to, rad. */
static double rock_of(const tr_environment *e) {
    double z[TR_BALANCE_FEATURES];
    if (e->trial.lost || tr_balance_trial_look(&e->trial, &e->worlds->rehearsal[0], z))
        return 0;
    const double rate = z[TR_BALANCE_DECK_ROLL_RATE] / ROCK_RAD_S;
    return sqrt(z[TR_BALANCE_DECK_ROLL] * z[TR_BALANCE_DECK_ROLL] + rate * rate);
}

/* Returns -E_task of Liu 2017, eq. 16, and of sections 5.1.1 and 5.1.2. */
static double penalty_of_task(const tr_environment *e) {
    const tr_schedule_settings *s = e->settings;
    const tr_scheduler_view *v = &e->view;
    const double *vel = v->features.s + CENTROID_VEL, *place = v->object + OBJECT_PLACE;
    double penalty = 0;
    if (s->turns)
        penalty += s->aim_penalty * fmax(0, fabs(v->aim_rad) - AIM_FREE_RAD) +
                   fmax(0, s->pace_least_mps - sqrt(vel[0] * vel[0] + vel[1] * vel[1]));
    if (s->objects)
        penalty += s->object_penalty *
                   fmax(0, sqrt(place[0] * place[0] + place[1] * place[1]) - s->object_free_m);
    if (s->rock_rad > 0)
        penalty += ROCK_PENALTY * fmax(0, 1 - rock_of(e) / s->rock_rad);
    return penalty;
}

/* Returns R (Liu 2017, eq. 5): R_0 and E_feedback, then E_task, E_tracking and E_preference. */
static double reward_of(tr_environment *e, int entry, bool in_sequence) {
    const tr_schedule_settings *s = e->settings;
    tr_doing doing;
    tr_runner_look(&e->trial.runner, &doing);
    double reward = TR_SCHEDULE_REWARD - fmax(0, doing.feedback_rad - FEEDBACK_FREE_RAD);
    reward -= penalty_of_task(e);
    if (!in_sequence)
        reward -= s->jump_penalty;
    return is_favoured(e, entry) ? reward : reward - s->other_penalty; /* eq. 7 */
}

tr_status tr_environment_step(tr_environment *e, const tr_exploration *exploration,
                              tr_transition *out, bool *out_kept) {
    int sequence[TR_SCHEDULER_ACTION_MAX];
    /* A fall returns to one of the latest moments, so that each is kept. */
    tr_environment_moment *moment = &e->moment[e->decisions % TR_ENVIRONMENT_BACK_MAX];
    tr_rehearsal *r = world_of(e);
    moment->trial = e->trial;
    tr_status status = tr_rehearsal_look(r, &moment->place);
    if (!status && exploration->pushes && e->trial.steps >= e->push_at)
        status = push(e);
    if (status)
        return status;
    /* The decision must see a new request. */
    if ((e->request >= 0 || e->settings->turns) && e->trial.steps >= e->ask_at) {
        draw_request(e);
        draw_heading(e);
        observe(e);
    }
    /* The paper learns nothing from decisions under a push (Liu 2017, section 5.2.4). */
    *out_kept = e->settings->jostle_n > 0 || !is_pushed(e);
    status = jostle(e);
    if (status)
        return status;
    int in_sequence = tr_scheduler_sequence(e->scheduler, state_of(e), sequence);
    int action = choose(e, exploration, sequence, in_sequence);
    tr_scheduler_place place = place_of(e, action);
    *out =
        (tr_transition){.before = tr_glance_of(e->scheduler, e->input), .action = (int16_t)action};
    const bool ordered = tr_scheduler_is_in_sequence(e->scheduler, state_of(e), action); /* eq. 6 */
    perform(e, place);
    out->reward = (float)reward_of(e, place.entry, ordered);
    out->fails = e->trial.lost;
    out->after = tr_glance_of(e->scheduler, e->input);
    e->decisions++;
    e->falls += out->fails;
    if (out->fails)
        return go_back(e);
    return e->decisions >= e->amounts->episode ? begin_anew(e) : TR_OK;
}
