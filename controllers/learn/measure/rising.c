#include "learn/measure/rising.h"

#include "control/graph/control_graph.h"
#include "math/quantile.h"
#include "math/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PUSH_S = 0.2;
static const double PUSH_EVERY_S = 1;
static const double LIES_S = 0.9; /* after the fall, where no recovery says so */
static const double BLOWS_UNTIL_S = 1.5;
enum { PUSHES_MAX = 10 };

tr_rising_test tr_rising_test_default(void) {
    return (tr_rising_test){.trials = 200,
                            .push_low_n = 300,
                            .push_high_n = 800,
                            .within_s = 10,
                            .stays_s = 2,
                            .seed = 20150815};
}

tr_rising_posture tr_rising_posture_of(const tr_state *state) {
    /* Rounded cosine of 45 degrees. */
    const double cosine = 0.7;
    double forward = tr_quat_rotate(state->pose.root_rot, (tr_vec3){1, 0, 0}).z;
    if (fabs(forward) < cosine)
        return TR_RISING_SIDE;
    return forward > 0 ? TR_RISING_SUPINE : TR_RISING_PRONE;
}

/* --- blows --- */

static const double BLOW_S = 0.025;
enum { BLOW_STEPS_MAX = 64 };

/* To the head; begins as zeros. impulse_ns: [step] of the last steps, by tick */
typedef struct blows {
    double impulse_ns[BLOW_STEPS_MAX], hardest_ns;
} blows;

/* Adds the contacts of the last step, of `step_s`. */
static void note_blows(blows *b, const tr_world *world, tr_entity_id character, double step_s) {
    const int head = tr_world_character_model(world, character)->head;
    /* A ring of the last 25 ms: the slot of this tick takes the place of the oldest. */
    const int steps = (int)fmin(fmax(BLOW_S / step_s, 1), BLOW_STEPS_MAX);
    double *now = &b->impulse_ns[tr_world_tick(world) % steps], sum = 0;
    int count = 0;
    const tr_contact *contact = tr_world_contacts(world, &count);
    *now = 0;
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            if (contact[i].entity[side] == character && contact[i].entity[1 - side] != character &&
                contact[i].body[side] == head)
                *now += tr_vec3_length(contact[i].impulse);
    for (int i = 0; i < steps; i++)
        sum += b->impulse_ns[i];
    b->hardest_ns = fmax(b->hardest_ns, sum);
}

/* --- trials --- */

typedef struct work {
    const tr_model *model;
    const tr_controller *controller;
    const tr_control_graph *graph; /* the controller's */
    const tr_recovery *recovery;   /* around it; NULL: the driver gets up by itself, or not */
    const tr_rising_test *test;
    tr_rising_trial *out;
    int cyclic[TR_GRAPH_NODE_MAX], cyclic_count; /* where trials begin */
    int again;                                   /* the requested node; -1: none */
} work;

/* One character that falls and rises. */
typedef struct scene {
    const work *all;
    tr_stage *stage;
    tr_entity_id id;
    tr_random random;
    tr_rising_trial *out;
    bool lies;                                 /* its posture is noted */
    bool pushed;                               /* its blows count */
    bool watched;                              /* it stands, or not */
    int64_t down_steps, rose_at, steady_steps; /* since it fell; -1: not yet; in a row */
    blows blows;
} scene;

static int64_t steps_of(const work *w, double seconds) {
    return (int64_t)llround(seconds / w->controller->step_s);
}

static tr_status request(scene *s) {
    tr_steering_target target = {0};
    snprintf(target.skill, sizeof target.skill, "%s", s->all->test->again);
    return tr_stage_set_target(s->stage, s->id, &target);
}

static tr_status open_scene(scene *s) {
    const work *w = s->all;
    tr_world_def world = tr_world_def_default();
    world.step_s = w->controller->step_s;
    /* The trial begins at any fragment of any skill that repeats. */
    int node = w->cyclic[(int)(tr_random_uniform(&s->random) * w->cyclic_count)];
    const tr_graph_node *skill = &w->graph->node[node];
    tr_spawn_def spawn = {.model = w->model, .controller = w->controller};
    spawn.entry = skill->first + (int)(tr_random_uniform(&s->random) * skill->count);
    s->out->from = node;
    tr_status status = tr_stage_create(&world, &s->stage);
    if (!status)
        status = tr_stage_spawn(s->stage, &spawn, &s->id);
    return status || w->again < 0 ? status : request(s);
}

/* What a scene was before a step. */
typedef struct moment {
    tr_recovery_phase phase;
    int rising;
} moment;

/* Returns the state of the recovery; zeros, as of a character that is up, where none is around the
 * driver. */
static tr_recovery_state recovery_of(const scene *s) {
    const tr_recovery_state *state =
        tr_recovery_state_of(&tr_stage_performer(s->stage, s->id)->runner);
    return state ? *state : (tr_recovery_state){0};
}

static tr_doing doing_of(const scene *s) {
    tr_doing doing;
    tr_runner_look(&tr_stage_performer(s->stage, s->id)->runner, &doing);
    return doing;
}

/* Returns the rising skill that it performs; -1: none. */
static int rising_node(const scene *s) {
    const tr_control_graph *graph = s->all->graph;
    const tr_recovery_state recovery = recovery_of(s);
    const tr_doing doing = doing_of(s);
    if (s->all->recovery)
        return recovery.phase == TR_RECOVERY_RISE
                   ? tr_control_graph_node_of(graph, s->all->recovery->rising[recovery.rising])
                   : -1;
    return doing.skill < graph->node_count && tr_control_graph_rises(graph, doing.skill)
               ? doing.skill
               : -1;
}

static bool is_fallen(const scene *s) {
    return tr_stage_performer(s->stage, s->id)->fallen;
}

/* Is it up, and does it perform the requested skill or, without one, a skill of the graph that does
 * not rise and nothing of lying? */
static bool is_steady(const scene *s) {
    const work *w = s->all;
    const int skill = doing_of(s).skill;
    return !is_fallen(s) && rising_node(s) < 0 &&
           (w->again < 0 ? skill < w->graph->node_count : skill == w->again);
}

/* Notes what changed in a step that began in `state`. */
static void note_phase(scene *s, const moment *before, const tr_state *state) {
    const work *w = s->all;
    const tr_recovery_phase now = recovery_of(s).phase;
    const int rising = rising_node(s);
    if (is_fallen(s))
        s->out->phase_s[now] += w->controller->step_s;
    /* It lies when it begins to gather itself or, without a recovery, some time after the fall. */
    const bool lies = w->recovery ? before->phase == TR_RECOVERY_LIMP && now == TR_RECOVERY_GATHER
                                  : s->out->fell && s->down_steps >= steps_of(w, LIES_S);
    if (lies && !s->lies) {
        s->out->posture = tr_rising_posture_of(state);
        s->lies = true;
    }
    if (before->rising < 0 && rising >= 0) {
        /* Notes that the character begins to rise from `state`. */
        tr_rising_trial *out = s->out;
        if (out->tries++ == 0) {
            tr_vec3 at = state->pose.root_pos;
            out->node = rising;
            out->start = tr_state_place(state, 0, (tr_vec3){-at.x, -at.y, 0});
        }
    }
}

/* Makes one step and notes what it shows. True: the character rose in it. */
static bool step(scene *s, bool *out_broke) {
    const moment before = {recovery_of(s).phase, rising_node(s)};
    tr_state state;
    bool rose = false;
    int count = 0, dropped = 0;
    /* The stage says what players see: it also waits until a character stays up, and holds limp
     * ones. */
    *out_broke =
        tr_world_get_state(tr_stage_world(s->stage), s->id, &state) || tr_stage_step(s->stage);
    const tr_stage_event *event = tr_stage_events(s->stage, &count, &dropped);
    for (int i = 0; i < count; i++) {
        rose |= event[i].kind == TR_STAGE_ROSE;
        *out_broke |= event[i].kind == TR_STAGE_FAULT;
    }
    if (*out_broke) /* a fault takes the controller away */
        return rose;
    if (!s->watched)
        note_phase(s, &before, &state);
    if (s->pushed && s->down_steps < steps_of(s->all, BLOWS_UNTIL_S))
        note_blows(&s->blows, tr_stage_world(s->stage), s->id, s->all->controller->step_s);
    s->down_steps += s->out->fell;
    return rose;
}

static tr_status shove(scene *s) {
    const tr_rising_test *test = s->all->test;
    double direction = 2 * TR_PI * tr_random_uniform(&s->random);
    double force =
        test->push_low_n + (test->push_high_n - test->push_low_n) * tr_random_uniform(&s->random);
    double sine, cosine;
    tr_sincos(direction, &sine, &cosine);
    tr_push push = {.entity = s->id,
                    .body = s->all->model->trunk < 0 ? 0 : s->all->model->trunk,
                    .force = {force * cosine, force * sine, 0},
                    .steps = (int)steps_of(s->all, PUSH_S)};
    s->pushed = true;
    return tr_world_push(tr_stage_world(s->stage), &push);
}

static void push_over(scene *s) {
    bool broke = false;
    /* Runs for 1 to 3 s, and is then pushed once a second until it falls. */
    int64_t wait = steps_of(s->all, 1 + 2 * tr_random_uniform(&s->random));
    for (int push = 0; push < PUSHES_MAX && !s->out->fell && !broke; push++) {
        for (int64_t i = 0; i < wait && !broke && !is_fallen(s); i++)
            step(s, &broke);
        /* A fall counts only if a push of this trial can have made it. */
        s->out->fell = is_fallen(s) && !broke;
        broke |= !s->out->fell && shove(s);
        wait = steps_of(s->all, PUSH_EVERY_S);
    }
}

/* Notes whether it stands again, until it has stayed up after it rose or the time is over. True:
 * that is decided. */
static bool note_standing(scene *s, int64_t steps, bool rose) {
    const tr_rising_test *test = s->all->test;
    tr_rising_trial *out = s->out;
    if (s->rose_at < 0 && rose) {
        s->rose_at = steps;
        out->stands_s = (double)steps * s->all->controller->step_s;
    }
    if (s->rose_at < 0)
        return steps >= steps_of(s->all, test->within_s);
    if (steps < s->rose_at + steps_of(s->all, test->stays_s))
        return false;
    out->stands = !is_fallen(s);
    return true;
}

/* Notes how long it has been steady. True: it has been for long enough, or cannot be any more. */
static bool note_steadiness(scene *s, int64_t steps) {
    const tr_rising_test *test = s->all->test;
    /* A requested skill only has to begin in time; otherwise all of the time must be within it. */
    const bool begun = s->all->again >= 0 && s->steady_steps > 0;
    s->steady_steps = is_steady(s) ? s->steady_steps + 1 : 0;
    if (s->steady_steps == 0 || s->steady_steps < steps_of(s->all, test->stays_s))
        return steps >= steps_of(s->all, test->within_s) && !(begun && s->steady_steps > 0);
    s->out->steady = true;
    s->out->steady_s = (double)(steps - s->steady_steps) * s->all->controller->step_s;
    return true;
}

static void watch_rising(scene *s) {
    bool broke = false, settled = false;
    for (int64_t steps = 1; !broke && !(settled && s->watched); steps++) {
        const bool rose = step(s, &broke);
        if (broke)
            return;
        s->watched = s->watched || note_standing(s, steps, rose);
        settled = settled || note_steadiness(s, steps);
    }
}

static void fall_and_rise(void *context, int item, int worker) {
    work *w = context;
    (void)worker;
    scene s = {.all = w, .out = &w->out[item], .rose_at = -1};
    memset(s.out, 0, sizeof *s.out);
    s.out->stands_s = s.out->steady_s = NAN;
    s.random = tr_random_split(w->test->seed, 0, (uint64_t)item);
    if (!open_scene(&s)) {
        push_over(&s);
        if (s.out->fell)
            watch_rising(&s);
    }
    s.out->blow_ns = s.blows.hardest_ns;
    tr_stage_destroy(s.stage);
}

static int requested_node(const tr_controller *controller, const tr_rising_test *test) {
    const tr_control_graph *graph = tr_graph_of(controller);
    return graph && test->again ? tr_control_graph_find(graph, test->again) : -1;
}

bool tr_rising_can_ask(const tr_controller *controller, const char *skill) {
    const tr_control_graph *graph = tr_graph_of(controller);
    const int node = graph ? tr_control_graph_find(graph, skill) : -1;
    tr_steering_target target = {0};
    snprintf(target.skill, sizeof target.skill, "%s", skill);
    return node >= 0 && graph->node[node].cyclic && tr_driver_follows(controller->driver, &target);
}

tr_status tr_rising_measure(const tr_model *model, const tr_controller *controller,
                            const tr_rising_test *test, tr_pool *pool, tr_rising_trial *out) {
    work w = {.model = model,
              .controller = controller,
              .graph = tr_graph_of(controller),
              .recovery = tr_recovery_of(controller),
              .test = test,
              .out = out,
              .again = requested_node(controller, test)};
    bool rises = false;
    for (int n = 0; w.graph && n < w.graph->node_count; n++) {
        rises |= tr_control_graph_rises(w.graph, n);
        if (w.graph->node[n].cyclic && (!test->again || n == w.again))
            w.cyclic[w.cyclic_count++] = n;
    }
    /* What never rises, or has no skill to fall out of, cannot be measured. */
    if (!rises || w.cyclic_count == 0 ||
        (test->again && !tr_rising_can_ask(controller, test->again)) || test->trials < 1 ||
        test->trials > TR_RISING_TRIAL_MAX || !(test->within_s > 0) || !(test->stays_s >= 0) ||
        !(test->push_low_n >= 0 && test->push_high_n >= test->push_low_n))
        return TR_INVALID_ARGUMENT;
    tr_pool_share(pool, fall_and_rise, &w, test->trials,
                  (const tr_ranks_result[]){{out, sizeof *out}, {0}});
    return TR_OK;
}

tr_status tr_rising_add_up(const tr_rising_trial *trial, int count, tr_rising_count *out) {
    double *time_s = calloc((size_t)count + 1, sizeof *time_s);
    tr_rising_count sum = {.steady_s = NAN};
    if (!time_s)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < count; i++) {
        if (!trial[i].fell)
            continue;
        sum.fell++;
        sum.stands += trial[i].stands;
        sum.head_ns += trial[i].blow_ns;
        if (trial[i].steady)
            time_s[sum.steady++] = trial[i].steady_s;
    }
    if (sum.steady > 0)
        sum.steady_s = tr_quantile(time_s, sum.steady, 0.5);
    if (sum.fell > 0)
        sum.head_ns /= sum.fell;
    free(time_s);
    *out = sum;
    return TR_OK;
}
