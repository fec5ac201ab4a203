#include "control/runner.h"

#include "control/planner.h"

#include <assert.h>
#include <math.h>
#include <string.h>

tr_runner tr_runner_start(const tr_controller *controller, int fragment, bool mirrored) {
    return (tr_runner){.controller = controller, .fragment = fragment, .mirrored = mirrored};
}

static bool all_finite(const double *values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* In a graph: where to, from the end of the fragment that is done. */
static tr_status choose(tr_runner *runner, const tr_world *world, tr_entity_id character) {
    tr_state state;
    tr_status status = tr_world_get_state(world, character, &state);
    if (status)
        return status;
    tr_graph_place done = {runner->fragment, runner->mirrored};
    tr_bearing bearing = tr_wish_bearing(&runner->wish, world, &state);
    bool settled = tr_planner_is_settled(runner->controller,
                                         tr_world_character_model(world, character), done, &state);
    tr_graph_place next = tr_planner_next(runner->controller->graph, done, settled, &runner->wish,
                                          tr_planner_turn(bearing));
    runner->fragment = next.fragment;
    runner->mirrored = next.mirrored;
    runner->chooses = false;
    return TR_OK;
}

/* Moves the helm for the fragment that begins. Who is to leave a skill is not steered in it. */
static void take_helm(tr_runner *runner, const tr_world *world, const tr_state *state) {
    const tr_controller *controller = runner->controller;
    const tr_steering *steering = tr_controller_steering(controller, runner->fragment);
    double span_s = controller->fragment[runner->fragment].steps * controller->step_s;
    tr_bearing bearing = tr_wish_bearing(&runner->wish, world, state);
    tr_wish wish = runner->wish;
    if (controller->graph &&
        tr_planner_leaves(controller->graph, runner->fragment, &wish, tr_planner_turn(bearing))) {
        wish = (tr_wish){0};
        bearing = tr_wish_bearing(&wish, world, state);
    }
    tr_helm_follow(&runner->helm, steering, &wish, bearing, span_s);
}

/* The policy's look at the state: a = M s + a_hat (eq. 2); of the mirror image in a mirrored half.
 * What steers comes on top. */
static tr_status decide(tr_runner *runner, const tr_world *world, tr_entity_id character) {
    const tr_controller *controller = runner->controller;
    const tr_model *model = tr_world_character_model(world, character);
    const tr_policy *policy = &controller->fragment[runner->fragment].policy;
    const tr_action_map *map = &controller->action;
    tr_state state;
    tr_status status = tr_world_get_state(world, character, &state);
    if (status)
        return status;

    double action[TR_ACTION_MAX];
    tr_features features = tr_features_of(model, &state, tr_world_bodies(world, character));
    if (runner->mirrored) {
        double mirrored[TR_ACTION_MAX];
        features = tr_features_mirror(&features);
        tr_policy_evaluate(policy, map->size, &features, mirrored);
        tr_action_mirror(model, map, mirrored, action);
    } else {
        tr_policy_evaluate(policy, map->size, &features, action);
    }
    for (int i = 0; i < map->size; i++)
        action[i] += runner->offset[i];
    const tr_steering *steering = tr_controller_steering(controller, runner->fragment);
    take_helm(runner, world, &state);
    tr_steering_add(model, map, steering, runner->helm, runner->mirrored, action);
    if (!all_finite(action, map->size))
        return TR_DATA_LOSS;
    memcpy(runner->action, action, (size_t)map->size * sizeof *action);
    return TR_OK;
}

static tr_status begin_fragment(tr_runner *runner, tr_world *world, tr_entity_id character) {
    const tr_model *model = tr_world_character_model(world, character);
    tr_status status = runner->chooses ? choose(runner, world, character) : TR_OK;
    if (!status)
        status = decide(runner, world, character);
    if (status)
        return status;
    const char *gains = tr_controller_gain_set(runner->controller, runner->fragment);
    int gain_set = tr_model_find_gain_set(model, gains);
    assert(gain_set >= 0);
    return tr_world_set_servo(world, character, gain_set);
}

static tr_status set_targets(const tr_runner *runner, tr_world *world, tr_entity_id character) {
    const tr_model *model = tr_world_character_model(world, character);
    const tr_fragment *fragment = &runner->controller->fragment[runner->fragment];
    const tr_quat *source = fragment->target + (size_t)runner->step * (size_t)model->body_count;
    tr_quat target[TR_BODY_MAX];
    for (int b = 0; b < model->body_count; b++) {
        if (runner->mirrored)
            target[model->body[b].mirror] = tr_quat_mirror(source[b]);
        else
            target[b] = source[b];
    }
    tr_action_apply(model, &runner->controller->action, runner->action, target);
    return tr_world_set_targets(world, character, target);
}

/* On to the next step; at a fragment's end to the next fragment, the other half, or the end of the
 * chain; in a graph to the choice. */
static void move_on(tr_runner *runner) {
    const tr_controller *controller = runner->controller;
    if (++runner->step < controller->fragment[runner->fragment].steps)
        return;
    runner->fragments_done++;
    runner->step = 0;
    runner->chooses = controller->graph != NULL;
    if (runner->chooses)
        return;
    if (runner->fragment + 1 < controller->fragment_count) {
        runner->fragment++;
        return;
    }
    if (!controller->cyclic) {
        runner->ended = true;
        return;
    }
    runner->fragment = 0;
    runner->mirrored ^= controller->mirrored;
}

/* In place of what would have come. */
static void take_cue(tr_runner *runner) {
    runner->fragment = runner->cue.fragment;
    runner->mirrored = runner->cue.mirrored;
    runner->step = 0;
    runner->chooses = runner->ended = false;
    runner->cue = (tr_cue){0};
}

tr_status tr_runner_advance(tr_runner *runner, tr_world *world, tr_entity_id character) {
    bool begins = runner->cue.given && (runner->ended || runner->step == 0);
    if (!runner->controller || (runner->ended && !begins))
        return TR_OK;
    if (!tr_world_character_model(world, character))
        return TR_NOT_FOUND;
    if (runner->step == 0 || begins) {
        tr_runner before = *runner;
        if (begins)
            take_cue(runner);
        tr_status status = begin_fragment(runner, world, character);
        if (status) {
            *runner = before;
            return status;
        }
    }
    tr_status status = set_targets(runner, world, character);
    if (status)
        return status;
    move_on(runner);
    return TR_OK;
}
