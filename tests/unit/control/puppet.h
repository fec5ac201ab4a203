/* Hand-built controllers on the shipped humanoid, for the tests of this folder. */
#pragma once

#include "control/balance/balance.h"
#include "control/chain/chain.h"
#include "control/graph/control_graph.h"
#include "control/parts/playback.h"
#include "control/stage/stage.h"
#include "math/random.h"
#include "physics/world/world.h"

/* The shipped humanoid; fails the test when it does not load. Destroy with tr_model_destroy. */
tr_model *puppet_model(void);

/* Set-up and tear-down of a group of tests: the physics, and that model as the fixture. */
int puppet_load(void **fixture);
int puppet_unload(void **fixture);

/* Holds the rest pose: `fragment_count` fragments of `steps` steps, a policy of zero, cyclic. */
tr_controller *puppet_hold(const tr_model *model, int fragment_count, int steps);

/* The same as a control graph, whose nodes and edges are left zeroed. */
tr_controller *puppet_graph(const tr_model *model, tr_graph_size size);

/* As puppet_hold, but swaying: targets and policies that differ in every fragment, drawn from
 * `seed`. Asymmetric, so that a left and a right taken for each other show. */
tr_controller *puppet_sway(const tr_model *model, int fragment_count, int steps, uint64_t seed);

/* A balance that stands at rest, with no feedback, a ball in front as its base, and a second one above
 * as its deck. */
tr_controller *puppet_balance(const tr_model *model, int hold);

/* Draws everything of its fragments from `seed`: targets, policies with noise and slope, starts and
 * ends. */
void puppet_vary(const tr_model *model, tr_bank *bank, uint64_t seed);

/* A steering that turns and changes its pace by every joint. */
tr_steering puppet_steering(const tr_bank *bank, uint64_t seed);

/* A random whole state about the rest pose, `height` above standing. A spread of 1 tilts by about
 * 0.4 rad, bends by 0.2 rad and moves by 1 m/s and 1 rad/s. */
tr_state puppet_state(const tr_model *model, tr_random *random, double height, double spread);

/* Largest difference of two states, over all coordinates and rates. */
double puppet_distance(const tr_model *model, const tr_state *a, const tr_state *b);

/* The playback of a runner whose driver is a chain or a graph: the state of both begins with it. */
const tr_playback *puppet_playback(const tr_runner *runner);

tr_doing puppet_doing(const tr_stage *stage, tr_entity_id id);

/* A world with gravity and no ground. */
tr_world *puppet_void(void);

/* |a - b| <= tolerance, in double precision. */
#define assert_near(a, b, tolerance) puppet_near((a), (b), (tolerance), __FILE__, __LINE__)
void puppet_near(double a, double b, double tolerance, const char *file, int line);
