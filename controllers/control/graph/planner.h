/* The planner: which fragment comes next in a control graph (Liu 2015 guided, section 6.2: "a
 * simple greedy planner").
 *
 * At the end of each fragment it decides in three steps.
 *
 * 1. May the skill be left? A cyclic skill only when the character is settled in it, because the
 *    ways out were learned from there. A character far from the motion stays for another cycle and
 *    is not steered meanwhile, because steering keeps it from the motion. One that stands still far from
 *    a reference at rest comes no nearer, and may leave: by a side step, if there is one. A
 *    transition may have a limit of its own: it is shut while the character is farther than that from
 *    where it begins. Out of a skill that rests it is also shut while the character does not stand still.
 * 2. Which skill is the goal? The first of these that applies:
 *      - the skill that the steering target names;
 *      - the aim lies to a side: the turning skill that turns there soonest, the rest of the turn
 *        being steered. A cyclic one begins for a sixth of a turn or more, is meant to run for as many
 *        cycles as bring the heading nearest, and may be left sooner, when it has turned enough;
 *      - the target names a speed: the straight cyclic skill whose speeds come nearest, but not one
 *        that walks backwards or to a side;
 *      - the character is in a cyclic turning skill and has turned enough: the nearest straight one.
 *    A turn and a speed choose no skill that the ground is too steep for.
 * 3. How does it get there? By the way that takes the fewest steps, through fragments and edges; a
 *    cyclic skill that turns or steps to a side is entered only in the half in which it goes to the
 *    side of its name. No way passes a skill that the ground is too steep for. Without a way the
 *    skill continues.
 *
 *    A jump leads from one cyclic skill into another without a chain between, or into the midst of a
 *    chain. Only a character very near to the reference may jump, or one at rest. Any other waits for a
 *    later cycle; once it is late, or on a slope, it takes the way of chains, if there is one. After a
 *    jump into a skill that it only passes it is not settled, so that way is longer by about a second.
 *
 *    Before a shut transition the skill also continues, until a later cycle brings the character
 *    nearer. In a skill that rests, such as standing, no cycle does, because feet stay where they
 *    are: the planner goes around the shut transition. If every way to the goal is shut, or the
 *    character stands still far off the reference and is not late, it tidies its stance: it takes a side
 *    step and comes back, with its feet where they belong.
 *
 *    Out of a skill that rests and has one half, a skill with two begins in the half that drifts to the
 *    side of the aim (tr_planner_lean).
 *
 * Pure functions: the same target in the same state gives the same way. */
#pragma once

#include "control/graph/control_graph.h"

/* A fragment of the graph's bank, in one of its halves. */
typedef struct tr_graph_place {
    int fragment;
    bool mirrored;
} tr_graph_place;

/* The turn by which skills are chosen, rad to the left: 0 if the point is so near that a turning
 * skill would circle it. */
double tr_planner_turn(tr_bearing bearing);

/* The node to be in; -1: any will do. turn_rad: how far the aim is off the heading, to the left; 0
 * without an aim. steep: [node_count], of tr_control_graph_find_steep; NULL: the ground is level */
int tr_planner_goal(const tr_control_graph *graph, int node, const tr_steering_target *target,
                    double turn_rad, const bool *steep);

/* The speeds that skills go at which the planner takes for a speed; 0 and 0: there are none. */
void tr_planner_speeds(const tr_control_graph *graph, double *out_slowest_mps,
                       double *out_fastest_mps);

/* Does a way lead from one node to another? steep: as above */
bool tr_planner_leads(const tr_control_graph *graph, int from, int to, const bool *steep);

/* Returns how far a state is from the reference at the end of `done` (state_distance.h). */
double tr_planner_distance(const tr_bank *bank, const tr_model *model, tr_graph_place done,
                           const tr_state *state);

/* Is a character settled in its skill at the end of `done`? It is if it is near the reference, nearer
 * where the reference is fast, and at rest where that is. Undisturbed characters are settled (in
 * kicks, at the end of most fragments); steered and swaying ones are not. */
bool tr_planner_is_settled(const tr_bank *bank, const tr_model *model, tr_graph_place done,
                           const tr_state *state);

/* The same, but by the skill's own limit where it has one. */
bool tr_planner_may_leave(const tr_control_graph *graph, const tr_model *model, tr_graph_place done,
                          const tr_state *state);

/* The stance says what a character may do at the end of a fragment.
 * settled: it may leave its skill
 * strays:  it stands still far from the reference, and may leave only for that
 * jumps:   it may leave by an edge to another cyclic skill, without a chain between
 * rests:   the skill does
 * late:    it has been on its way for long, or is on a slope, and counts on no jumps but those out of
 *          a skill that rests
 * slopes:  the ground slopes, and the character counts on no jumps at all
 * shut:    [node_count], by node: chains out of this skill that it may not take, because it is not
 *          within their limits, which are a little narrower where it stands
 * steep:   as above; tr_planner_look leaves the ground level
 * tidies:  node of the side step by which it tidies its stance; -1: it need not, or the graph has
 *          none */
typedef struct tr_planner_stance {
    bool settled, strays, jumps, rests, late, slopes;
    bool shut[TR_GRAPH_NODE_MAX], steep[TR_GRAPH_NODE_MAX];
    int tidies;
} tr_planner_stance;

tr_planner_stance tr_planner_look(const tr_control_graph *graph, const tr_model *model,
                                  tr_graph_place done, const tr_state *state);

/* Is the fragment one of a cyclic skill that is to be left for another? */
bool tr_planner_leaves(const tr_control_graph *graph, int fragment,
                       const tr_steering_target *target, double turn_rad, const bool *steep);

/* The place after `done`, where the character has that stance. */
tr_graph_place tr_planner_next(const tr_control_graph *graph, tr_graph_place done,
                               const tr_planner_stance *stance, const tr_steering_target *target,
                               double turn_rad);

/* `next`, the place after `done`, in the half that leads to the side of the aim: where a skill that rests
 * has one half, the skill after it may begin in either. turn_rad: as the aim lies, whatever the skill. */
tr_graph_place tr_planner_lean(const tr_control_graph *graph, tr_graph_place done,
                               tr_graph_place next, double turn_rad);

/* The way of a character that has done `steps` steps of the fragment at `from` to the skill that the
 * target names: the places that tr_planner_next leads through while the character is settled, no
 * transition is shut, and jumps may be taken. false: no way, or it is in that skill. */
bool tr_planner_way(const tr_control_graph *graph, tr_graph_place from, int steps,
                    const tr_driver_prospect *prospect, tr_driver_way *out);

/* A walk through the graph by its references, without a character.
 *   done:   the last fragment so far
 *   travel, fragments, steps: so far, from where the walk began */
typedef struct tr_planner_walk {
    tr_graph_place done;
    tr_displacement travel;
    int fragments, steps;
} tr_planner_walk;

/* Continues a walk with a fragment. */
void tr_planner_pass(const tr_control_graph *graph, tr_graph_place place, tr_planner_walk *walk);

/* How far each place is from a node. steps: by twice its fragment, and one more in the mirrored half:
 * from its end until the goal is entered, for a settled character; TR_PLANNER_NEVER: no way
 * node: of each fragment, because the search asks for it far more often than there are fragments
 * skill: by node, the skill that it is or leads to */
enum { TR_PLANNER_NEVER = 1 << 28 };
typedef struct tr_planner_far {
    int goal, steps[2 * TR_BANK_FRAGMENT_MAX];
    unsigned char node[TR_BANK_FRAGMENT_MAX], skill[TR_GRAPH_NODE_MAX];
} tr_planner_far;

/* shut: [node] is not entered; NULL: every node may be. */
void tr_planner_measure(const tr_control_graph *graph, int goal, const bool *shut,
                        tr_planner_far *out);

/* Continues a walk up to node `goal`, and returns the place where it enters the goal; fragment -1: no
 * way. far: of the goal (tr_planner_measure). names: gets the skills on the way; may be NULL. */
tr_graph_place tr_planner_go(const tr_control_graph *graph, int goal, const tr_planner_far *far,
                             tr_planner_walk *walk, tr_driver_way *names);

/* The place after `done` without a target: the next fragment of the skill, its first one again, or
 * the first edge out of its end. */
tr_graph_place tr_planner_follow(const tr_control_graph *graph, tr_graph_place done);
