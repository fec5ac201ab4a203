/* Guided SAMCON: a long random walk over the fragments of a controller, found by sampling
 * (liu2015-guided, algorithm 1; liu2015-samcon, section 3).
 *
 * Stage k of the walk performs fragment k modulo the number of fragments. From the elites of the
 * stage before, Ns samples start; each draws an action from the fragment's policy, a ~ N(M s +
 * a_hat, Sigma), performs it with a little more noise eps that is not recorded, and is judged at
 * the end by eq. 20. The best ns are the elites; the next samples start from them by systematic
 * resampling, better ones more often. When too few samples keep the motion, or even the best costs
 * too much, the walk rolls back some stages and tries others. The result is the ancestry of the
 * best sample of the last stage.
 *
 * With zero policies (M = a_hat = 0) this is the open-loop SAMCON that refinement uses.
 *
 * A chain (a controller that is not cyclic) starts again after its last fragment, each time in one
 * of the starts given, drawn evenly, or in the spawn state.
 *
 * For a mirrored controller the state, not the policy, is mirrored after the last fragment, so that
 * the walk continues as if every half cycle began with the same foot, and both halves teach the
 * same policies.
 *
 * Deterministic: the result depends on the definition and the seed, not on the number of
 * threads. */
#pragma once

#include "learn/rehearsal/trial.h"
#include "learn/samcon/sampling.h"

enum { TR_SAMCON_STAGE_MAX = 20000, TR_SAMCON_SAMPLE_MAX = 10000 };

typedef struct tr_samcon_def {
    int stages;       /* length of the walk, fragments */
    int samples;      /* Ns */
    int elites;       /* ns */
    double noise_rad; /* standard deviation of eps; 0: none */
    double push_n; /* standard deviation of a push on the trunk for one whole fragment; 0: none */
    double push_probability; /* of a stage to be pushed */
    double cost_max;         /* a stage whose best sample costs more has failed */
    int rollback;            /* stages to roll back at the first failure */
    int failures_max;
    tr_cost_weights weights;
    uint64_t seed;
    tr_starts starts;   /* of a chain */
    int *lost_fragment; /* set on TR_ABORTED: where the last failure was; NULL: not wanted */
} tr_samcon_def;

/* One stage of the walk. */
typedef struct tr_walk_step {
    int fragment;
    bool pushed; /* its policy could not know; leave it out of a regression */
    double cost;
    tr_features features;         /* s, at the start */
    double action[TR_ACTION_MAX]; /* a, rad */
    tr_state start, end;          /* world; mirrored already when the stage ended a half cycle */
} tr_walk_step;

typedef struct tr_walk {
    int count;
    tr_walk_step *step; /* [count], owned */
    int rollbacks;
    int64_t samples; /* simulated, those of failed stages included */
    double cost;     /* mean over the steps */
} tr_walk;

/* Walks from the controller's spawn state. TR_ABORTED: failed more than failures_max times;
 * TR_INVALID_ARGUMENT: a count out of range; TR_RESOURCE_EXHAUSTED. */
tr_status tr_samcon_walk(tr_ensemble *ensemble, const tr_controller *controller,
                         const tr_samcon_def *def, tr_walk *out) TR_NODISCARD;
void tr_walk_deinit(tr_walk *walk);
