/* The planner: which fragment comes next in a control graph (Liu 2015 guided, section 6.2: "a
 * simple greedy planner").
 *
 * At the end of each fragment it names the skill to be in: the one wished for; else, when the aim
 * lies off to a side, a turning skill that brings the heading nearer (a cyclic one for as many
 * cycles as do, begun by a sixth of a turn at least); else the cyclic skill that goes straight whose
 * speeds come nearest to the wished one; without a wished speed who has turned enough goes on in the
 * nearest straight one. If it is in another, it takes the first edge here that
 * lies on a shortest way there, counted in skills; to a cyclic turning skill only in the half in which
 * it turns the way it is called. Else the chain goes on by itself. The same wish in
 * the same state gives the same way. Pure functions.
 *
 * A cyclic skill is left only by who has settled in it, for ways out were learned from there: who
 * is far from its motion stays another cycle. It goes straight on meanwhile, for steering keeps it
 * from its motion. */
#ifndef TROUPE_CONTROL_PLANNER_H
#define TROUPE_CONTROL_PLANNER_H

#include "control/controller.h"

/* Where a character in a graph is, and comes to. */
typedef struct tr_graph_place {
    int fragment;
    bool mirrored;
} tr_graph_place;

/* The turn that skills are chosen by: none to what is so near that they would go round it. */
double tr_planner_turn(tr_bearing bearing);

/* The node to be in, -1: no wish for any. `turn_rad`: how far the aim is off the heading, to the
 * left; 0 without an aim. */
int tr_planner_goal(const tr_control_graph *graph, int node, const tr_wish *wish, double turn_rad);

/* The next node on a shortest way from one node to another; -1: there is none. */
int tr_planner_hop(const tr_control_graph *graph, int from, int to);

/* How far a character is from the reference at the end of `done` (state_distance.h). `state`: its
 * own, there. */
double tr_planner_distance(const tr_controller *controller, const tr_model *model,
                           tr_graph_place done, const tr_state *state);

/* Is a character settled in the skill it is in: near the reference, and at rest where that rests?
 * Undisturbed skills are, kicks at most of their fragments; steered ones are not, nor is who sways. */
bool tr_planner_is_settled(const tr_controller *controller, const tr_model *model,
                           tr_graph_place done, const tr_state *state);

/* Is it in a cyclic skill, and to go over to another? */
bool tr_planner_leaves(const tr_control_graph *graph, int fragment, const tr_wish *wish,
                       double turn_rad);

/* After the end of `done`, in which the character is settled or not. */
tr_graph_place tr_planner_next(const tr_control_graph *graph, tr_graph_place done, bool settled,
                               const tr_wish *wish, double turn_rad);

/* Without a wish: on in the chain, round again, or out by the first edge. */
tr_graph_place tr_planner_go_on(const tr_control_graph *graph, tr_graph_place done);

/* Can the controller do what is wished: turn to an aim, change its speed, go to the skill? */
bool tr_planner_suits(const tr_controller *controller, const tr_wish *wish);

#endif
