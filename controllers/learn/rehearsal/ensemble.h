/* An ensemble: worlds of one character each, one or several per thread, in which trials and samples
 * are simulated.
 *
 * A thread has one world. The others that step beside it are opened for the first work on groups.
 *
 * The world is the default one (world.h: flat ground, self-collision on) at the controller's step.
 * A trial sets the character's state, simulates, and reads the state back; nothing of an earlier
 * trial is left in the result. */
#pragma once

#include "control/driver/controller.h"
#include "learn/rehearsal/pool.h"
#include "learn/rehearsal/steps.h"
#include "physics/world/quartet.h"

/* A world with one character and its rig, for one thread at a time.
 *   rig:    NULL: none
 *   pieces: of the rig in the world; changes where pins broke
 *   start:  where the character was placed last */
typedef struct tr_rehearsal {
    const tr_model *model;
    const tr_rig *rig;
    tr_world *world;
    tr_entity_id character;
    tr_rig_pieces pieces;
    tr_state start;
} tr_rehearsal;

/* The open worlds of one thread, which can step side by side.
 *   quartet:  NULL until there are several */
typedef struct tr_rehearsal_group {
    tr_rehearsal *rehearsal[TR_QUARTET_MAX];
    int count;
    tr_quartet *quartet;
} tr_rehearsal_group;

/* Simulation step of all that is learned or made. */
static const double TR_LEARN_STEP_S = 0.005;

typedef struct tr_ensemble_def {
    const tr_model *model; /* must outlive the ensemble */
    const char *gain_set;  /* of the servos */
    double step_s;
    int threads;
    const tr_rig *rig; /* NULL: none; must outlive the ensemble */
    int lanes;         /* worlds of a thread, for work on groups: at most TR_QUARTET_MAX; 0: one */
} tr_ensemble_def;

typedef struct tr_ensemble {
    const tr_model *model; /* borrowed */
    tr_pool *pool;
    tr_rehearsal *rehearsal; /* [room]; the first [threads] belong to one thread each */
    int worlds;              /* open: [threads], or all */
    int room;
    tr_rehearsal_group *group; /* [threads] */
    tr_ensemble_def def;       /* of the worlds; its gain set is the one below */
    char gain_set[TR_NAME_MAX];
    tr_steps steps; /* in every world */
} tr_ensemble;

/* TR_NOT_FOUND: the model has no such gain set. */
tr_status tr_ensemble_create(const tr_ensemble_def *def, tr_ensemble **out) TR_NODISCARD;

/* Creates an ensemble for a controller: with the gain set that it begins with (the model's first if
 * it has none), at its step and with its rig. The controller must outlive the ensemble. */
tr_status tr_ensemble_create_for(const tr_model *model, const tr_controller *controller,
                                 int threads, tr_ensemble **out, tr_error *error) TR_NODISCARD;
void tr_ensemble_destroy(tr_ensemble *ensemble); /* NULL is fine */

/* Lays steps in all worlds, those that are opened later too. Statuses as tr_steps_lay. */
tr_status tr_ensemble_lay(tr_ensemble *ensemble, const tr_steps *steps) TR_NODISCARD;

/* Opens the worlds of the groups that are not open. TR_RESOURCE_EXHAUSTED: some stay closed. */
tr_status tr_ensemble_open_groups(tr_ensemble *ensemble) TR_NODISCARD;

/* Opens a world with one character and its rig, as an ensemble has them; destroy its world. */
tr_status tr_rehearsal_open(const tr_ensemble_def *def, bool plane, tr_rehearsal *out) TR_NODISCARD;

/* The definition of an ensemble's worlds, and such a rehearsal in a world of another definition. */
tr_world_def tr_rehearsal_world_def(const tr_ensemble_def *def);
tr_status tr_rehearsal_open_in(const tr_ensemble_def *def, const tr_world_def *world,
                               tr_rehearsal *out) TR_NODISCARD;

/* Returns the definition for a controller, with the gain set that it begins with; one thread. With
 * a rig it has one world for a thread, because worlds with objects are not stepped side by side. */
tr_ensemble_def tr_ensemble_def_for(const tr_model *model, const tr_controller *controller);

/* Work on one item; each worker has a separate world. */
typedef void (*tr_ensemble_work)(void *context, int item, tr_rehearsal *rehearsal);

/* Calls work(context, i, rehearsal) once for each i in [0, count), spread over the threads. */
void tr_ensemble_run(tr_ensemble *ensemble, tr_ensemble_work work, void *context, int count);

/* Does the same with the items divided among the ranks, as tr_pool_share. */
void tr_ensemble_share(tr_ensemble *ensemble, tr_ensemble_work work, void *context, int count,
                       const tr_ranks_result *results);

/* Work on up to as many items as there are worlds in the group: item i in group->rehearsal[i]. */
typedef void (*tr_ensemble_group_work)(void *context, const int *item, int count,
                                       const tr_rehearsal_group *group);

/* Works as tr_ensemble_share does; the result of an item may not depend on the others in its group.
 * Groups are smaller where there are too few items for all threads and ranks, or no memory for
 * their worlds. */
void tr_ensemble_share_groups(tr_ensemble *ensemble, tr_ensemble_group_work work, void *context,
                              int count, const tr_ranks_result *results);

/* Steps each world k < count of the group for which moves[k], side by side (tr_world_step). status:
 * set for those. False: none moves. */
bool tr_rehearsal_group_step(const tr_rehearsal_group *group, const bool *moves, int count,
                             tr_status *status);

/* Puts the character into `state`, and its rig in its place at spawn, with all pins; first runs out
 * pushes of an earlier trial that was cut short. */
tr_status tr_rehearsal_place(tr_rehearsal *rehearsal, const tr_state *state) TR_NODISCARD;

/* Aims the servos at targets, makes one step, and reads the state after it; where no controller
 * decides. */
tr_status tr_rehearsal_step_to(tr_rehearsal *rehearsal, const tr_quat *target,
                               tr_state *out) TR_NODISCARD;

/* A moment of a trial, to return to: the character, where its servos aim, and the objects of its
 * rig. */
typedef struct tr_rehearsal_moment {
    tr_state state;
    tr_quat target[TR_BODY_MAX];
    tr_object_state object[TR_RIG_OBJECT_MAX];
} tr_rehearsal_moment;

tr_status tr_rehearsal_look(const tr_rehearsal *rehearsal, tr_rehearsal_moment *out) TR_NODISCARD;

/* Returns to a moment, as tr_rehearsal_place does to a start; pins that broke since hold again. */
tr_status tr_rehearsal_return(tr_rehearsal *rehearsal,
                              const tr_rehearsal_moment *moment) TR_NODISCARD;

/* Features of the character's present state, as a driver sees it (above_ground.h). */
tr_features tr_rehearsal_features(const tr_rehearsal *rehearsal);

/* A horizontal push on the trunk. */
typedef struct tr_rehearsal_push {
    double force_n;
    double direction_rad; /* from the world's x axis */
    int steps;
} tr_rehearsal_push;
tr_status tr_rehearsal_shove(tr_rehearsal *rehearsal, const tr_rehearsal_push *push) TR_NODISCARD;

/* One control fragment performed from the character's present state with an action ([map->size]
 * rad, or NULL). TR_DATA_LOSS: the simulation broke. */
typedef struct tr_rehearsal_part {
    const tr_action_map *map;
    const tr_fragment *fragment;
    const double *action;
} tr_rehearsal_part;
tr_status tr_rehearsal_perform(tr_rehearsal *rehearsal, const tr_rehearsal_part *part) TR_NODISCARD;

/* The same in the first worlds of a group, side by side, to the bit. part, status: [count]; parts
 * whose status is not TR_OK before the call are left out. */
void tr_rehearsal_perform_together(const tr_rehearsal_group *group, const tr_rehearsal_part *part,
                                   int count, tr_status *status);
