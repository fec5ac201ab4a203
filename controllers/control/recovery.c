#include "control/recovery.h"

#include "control/falls.h"
#include "control/turning.h"
#include "math/elementary.h"

#include <math.h>

/* Falling. */
static const double LOST_HEIGHT_M = 0.3;
static const double LOST_LEAN_RAD = 1.0;
static const double LOST_ACTION_RAD = 6;

/* Servos get targets at most this far off their joints, which bounds torque and speed alike. */
static const double LIMP_RAD = 0.2;
static const double GATHER_RAD = 0.4;
static const double FREE_RAD = 0.8;

/* Gathered: nearly still, and about in the pose; joints off: mean over them. */
static const double STILL_MPS = 0.04;
static const double STILL_RAD_S = 0.12;
static const double GATHERED_RAD = 0.1;
static const double GATHERED_LEAN_RAD = 0.3;

/* A joint further off while it gathers: a limb is caught. */
static const double CAUGHT_RAD = 0.4;

/* Who leans further off the nearest start than this lies on the other side, and turns over. */
static const double OVER_RAD = 1.3;

/* In seconds. */
static const double LIMP_S = 0.3;
static const double GATHER_LEAST_S = 0.2;
static const double GATHER_MOST_S = 2.2;
static const double TURN_MOST_S = 1;

/* Gathering: who is caught then frees its legs. */
static const double FREE_FROM_S = 0.6;
static const double FREE_TO_S = 1.2;

/* Of how many steps one way round lasts: no divisor of what else is periodic. */
enum { SIDE_TICKS = 37 };

static tr_vec3 up_in_root(const tr_state *state) {
    return tr_quat_rotate_inverse(state->pose.root_rot, (tr_vec3){0, 0, 1});
}

double tr_recovery_lean(const tr_state *state, const tr_state *other) {
    tr_vec3 a = up_in_root(state), b = up_in_root(other);
    return tr_atan2(tr_vec3_length(tr_vec3_cross(a, b)), tr_vec3_dot(a, b));
}

int tr_recovery_choose(const tr_controller *controller, const tr_state *state) {
    const tr_control_graph *graph = controller->graph;
    int best = -1;
    double least = INFINITY;
    for (int n = 0; graph && n < graph->node_count; n++) {
        if (!tr_control_graph_rises(graph, n))
            continue;
        double lean = tr_recovery_lean(state, &controller->fragment[graph->node[n].first].start);
        if (lean < least) {
            least = lean;
            best = n;
        }
    }
    return best;
}

static bool is_still(const tr_state *state) {
    return tr_vec3_length(state->root_vel) < STILL_MPS &&
           tr_vec3_length(state->root_omega) < STILL_RAD_S;
}

/* --- falling --- */

static bool acts_wildly(const tr_runner *runner) {
    double square = 0;
    for (int i = 0; i < runner->controller->action.size; i++)
        square += runner->action[i] * runner->action[i];
    return square > LOST_ACTION_RAD * LOST_ACTION_RAD;
}

/* At the end of a fragment, before the next is chosen. */
static bool has_lost(const tr_runner *runner, const tr_model *model, const tr_state *state) {
    if (!runner->chooses)
        return false;
    tr_state end = runner->controller->fragment[runner->fragment].end;
    if (runner->mirrored)
        end = tr_state_mirror(model, &end);
    double height = fabs(state->pose.root_pos.z - end.pose.root_pos.z);
    return !(height < LOST_HEIGHT_M) || !(tr_recovery_lean(state, &end) < LOST_LEAN_RAD);
}

/* --- gathering --- */

static tr_quat towards(tr_quat from, tr_quat to, double most_rad) {
    double angle = tr_quat_angle(from, to);
    return angle <= most_rad ? to : tr_quat_slerp(from, to, most_rad / angle);
}

static tr_status pull(tr_world *world, tr_entity_id character, const tr_quat *joint, int gain_set,
                      double most_rad) {
    const tr_model *model = tr_world_character_model(world, character);
    tr_state state;
    tr_quat target[TR_BODY_MAX] = {tr_quat_identity()};
    tr_status status = tr_world_get_state(world, character, &state);
    if (status)
        return status;
    for (int b = 1; b < model->body_count; b++)
        target[b] = towards(state.pose.joint[b], joint[b], most_rad);
    status = tr_world_set_servo(world, character, gain_set);
    return status ? status : tr_world_set_targets(world, character, target);
}

tr_status tr_recovery_gather(tr_world *world, tr_entity_id character, const tr_state *start,
                             int gain_set) {
    return pull(world, character, start->pose.joint, gain_set, GATHER_RAD);
}

static double joints_off(const tr_model *model, const tr_state *a, const tr_state *b) {
    double sum = 0;
    for (int i = 1; i < model->body_count; i++)
        sum += tr_quat_angle(a->pose.joint[i], b->pose.joint[i]);
    return sum / (model->body_count - 1);
}

static double most_off(const tr_model *model, const tr_state *a, const tr_state *b) {
    double most = 0;
    for (int i = 1; i < model->body_count; i++)
        most = fmax(most, tr_quat_angle(a->pose.joint[i], b->pose.joint[i]));
    return most;
}

static bool lies_spread(const tr_model *model, const tr_state *state, const tr_state *start) {
    return is_still(state) && joints_off(model, state, start) < GATHERED_RAD &&
           most_off(model, state, start) < CAUGHT_RAD;
}

static bool is_gathered(const tr_model *model, const tr_state *state, const tr_state *start) {
    return lies_spread(model, state, start) && tr_recovery_lean(state, start) < GATHERED_LEAN_RAD;
}

bool tr_recovery_is_gathered(const tr_world *world, tr_entity_id character, const tr_state *start) {
    const tr_model *model = tr_world_character_model(world, character);
    tr_state state;
    return model && !tr_world_get_state(world, character, &state) &&
           is_gathered(model, &state, start);
}

/* --- phases --- */

static void enter(tr_recovery *recovery, tr_recovery_phase phase, int node) {
    *recovery = (tr_recovery){.phase = phase, .node = node};
}

/* The wish and what is added to actions outlast the fall. */
static void begin_rising(tr_recovery *recovery, tr_runner *runner) {
    tr_runner risen = tr_runner_start(runner->controller,
                                      runner->controller->graph->node[recovery->node].first, false);
    risen.wish = runner->wish;
    *runner = risen;
    enter(recovery, TR_RECOVERY_RISE, recovery->node);
}

static void watch(tr_recovery *recovery, const tr_runner *runner, const tr_world *world,
                  tr_entity_id character, const tr_state *state) {
    const tr_model *model = tr_world_character_model(world, character);
    bool rises = recovery->phase == TR_RECOVERY_RISE;
    bool down = !rises && tr_falls_is_down(world, character, false);
    if (down || has_lost(runner, model, state) || acts_wildly(runner))
        enter(recovery, TR_RECOVERY_LIMP, 0);
    else if (rises && tr_control_graph_node_of(runner->controller->graph, runner->fragment) !=
                          recovery->node)
        enter(recovery, TR_RECOVERY_NONE, 0);
}

static const tr_state *start_of(const tr_controller *controller, int node) {
    return &controller->fragment[controller->graph->node[node].first].start;
}

static tr_status lie(tr_recovery *recovery, const tr_runner *runner, tr_world *world,
                     tr_entity_id character, const tr_state *state) {
    const tr_controller *controller = runner->controller;
    int node = tr_recovery_choose(controller, state);
    if (++recovery->steps * controller->step_s >= LIMP_S)
        enter(recovery, TR_RECOVERY_GATHER, node);
    return pull(world, character, start_of(controller, node)->pose.joint, 0, LIMP_RAD);
}

/* Either way round, as the time at which the phase began has it: limbs may be caught on one side. */
static tr_pose either_way(const tr_recovery *recovery, const tr_world *world, const tr_model *model,
                          const tr_pose *pose) {
    bool other = (tr_world_tick(world) - recovery->steps) / SIDE_TICKS % 2;
    return other ? tr_pose_mirror(model, pose) : *pose;
}

static bool frees_legs(const tr_model *model, const tr_state *state, const tr_state *start,
                       double time_s) {
    return time_s >= FREE_FROM_S && time_s < FREE_TO_S &&
           most_off(model, state, start) > CAUGHT_RAD;
}

/* Who rolls over on the way gathers for the other skill. */
static tr_status gather(tr_recovery *recovery, tr_runner *runner, tr_world *world,
                        tr_entity_id character, const tr_state *state) {
    const tr_controller *controller = runner->controller;
    const tr_model *model = tr_world_character_model(world, character);
    int chosen = recovery->node = tr_recovery_choose(controller, state);
    const tr_graph_node *node = &controller->graph->node[chosen];
    const tr_state *start = start_of(controller, chosen);
    tr_pose aim = start->pose;
    double most_rad = GATHER_RAD;
    double time_s = recovery->steps * controller->step_s;
    if (time_s >= GATHER_LEAST_S && is_gathered(model, state, start)) {
        begin_rising(recovery, runner);
        return TR_OK;
    }
    if (frees_legs(model, state, start, time_s)) {
        tr_turning_free(model, start->pose.joint, aim.joint);
        aim = either_way(recovery, world, model, &aim);
        most_rad = FREE_RAD;
    }
    recovery->steps++;
    if (lies_spread(model, state, start) && tr_recovery_lean(state, start) > OVER_RAD)
        enter(recovery, TR_RECOVERY_TURN, chosen);
    else if (time_s >= GATHER_MOST_S)
        enter(recovery, TR_RECOVERY_LIMP, 0);
    return pull(world, character, aim.joint, tr_model_find_gain_set(model, node->gain_set),
                most_rad);
}

static tr_status turn_over(tr_recovery *recovery, const tr_runner *runner, tr_world *world,
                           tr_entity_id character, const tr_state *state) {
    const tr_controller *controller = runner->controller;
    const tr_model *model = tr_world_character_model(world, character);
    const tr_graph_node *node = &controller->graph->node[recovery->node];
    const tr_state *start = start_of(controller, recovery->node);
    tr_pose turning = start->pose;
    tr_turning_pose(model, start->pose.joint, turning.joint);
    turning = either_way(recovery, world, model, &turning);
    if (++recovery->steps * controller->step_s >= TURN_MOST_S ||
        tr_recovery_lean(state, start) < OVER_RAD)
        enter(recovery, TR_RECOVERY_GATHER, recovery->node);
    return pull(world, character, turning.joint, tr_model_find_gain_set(model, node->gain_set),
                GATHER_RAD);
}

tr_status tr_recovery_advance(tr_recovery *recovery, tr_runner *runner, tr_world *world,
                              tr_entity_id character) {
    tr_state state;
    tr_status status = tr_world_get_state(world, character, &state);
    if (status)
        return status;
    if (tr_recovery_choose(runner->controller, &state) < 0)
        return tr_runner_advance(runner, world, character);
    if (recovery->phase == TR_RECOVERY_NONE || recovery->phase == TR_RECOVERY_RISE)
        watch(recovery, runner, world, character, &state);
    if (recovery->phase == TR_RECOVERY_LIMP)
        return lie(recovery, runner, world, character, &state);
    if (recovery->phase == TR_RECOVERY_TURN)
        return turn_over(recovery, runner, world, character, &state);
    if (recovery->phase == TR_RECOVERY_GATHER) {
        status = gather(recovery, runner, world, character, &state);
        if (status || recovery->phase != TR_RECOVERY_RISE)
            return status;
    }
    if (recovery->phase == TR_RECOVERY_RISE)
        recovery->steps++;
    return tr_runner_advance(runner, world, character);
}

bool tr_recovery_fits(const tr_recovery *recovery, const tr_runner *runner) {
    const tr_controller *controller = runner->controller;
    const tr_control_graph *graph = controller ? controller->graph : NULL;
    bool names = recovery->phase > TR_RECOVERY_LIMP;
    if (recovery->phase == TR_RECOVERY_NONE)
        return recovery->node == 0 && recovery->steps == 0;
    if (!graph || recovery->steps < 0 || recovery->phase > TR_RECOVERY_TURN)
        return false;
    return names ? recovery->node >= 0 && recovery->node < graph->node_count &&
                       tr_control_graph_rises(graph, recovery->node)
                 : recovery->node == 0;
}
