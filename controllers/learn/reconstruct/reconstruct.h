/* Improved SAMCON: an open-loop control for a motion of any length (liu2015-samcon, sections 4
 * and 5).
 *
 * A motion is cut into fragments (track.h). A trial samples fragment after fragment: Ns samples
 * start from the elites of the fragment before, each turning the servo targets by dp ~ N(m,
 * sigma^2 C); the best ns are the elites. When too few keep the motion, the trial has failed
 * there. Then (algorithm 1) the distributions of the fragments that it passed learn from their
 * elites (cma.h), weighted by height of subtree and cost of best path (elites.h), and the window
 * slides (window.h). When it has slid past the last fragment, the control is the path of least
 * cost through the tree. If a window makes no progress for `stalls_max` trials, it moves back a
 * few fragments and its distributions are reset; the paper does not say what happens then.
 *
 * Plain SAMCON (the original, section 3) keeps its distributions, always begins at the start,
 * and ends with the first success, or with the given number of successes, or when its samples
 * are spent; then the cheapest one counts.
 *
 * Averaging rounds (section 5) follow if asked for: after plain SAMCON on the mean of its successes
 * (simple averaging, eq. 2 and 3), after the improved one on the mean of the elites (eq. 4), with
 * windows that shrink after every success. The least noisy control counts. All controls of one
 * track differ by their dp only, so that the mean of the dp is the mean of the controls, to second
 * order in their spread, and fragments stretched in time need no resampling.
 *
 * Deterministic: a function of model, motion and parameters; the number of threads and
 * interruptions do not matter. One thread at a time. */
#pragma once

#include "learn/method/blocks.h"
#include "learn/reconstruct/elites.h"
#include "learn/reconstruct/track.h"
#include "learn/reconstruct/window.h"
#include "learn/rehearsal/steps.h"
#include "learn/search/cma.h"
#include "math/parameter_table.h"

typedef struct tr_reconstruct_parameters {
    char gain_set[TR_NAME_MAX];
    int cycles; /* of a cyclic motion */
    int arms;   /* 1: the shoulders are sampled too */
    int plain;  /* 1: the original algorithm */
    int samples;
    double tau; /* first standard deviation of the time scale's logarithm; 0: time is not scaled */
    int trials_max;
    double budget;          /* plain: samples to be spent, instead of `successes`; 0: none */
    int rounds;             /* of averaging */
    double carried_kg;      /* of a ball in the right hand; 0: none */
    double weight_velocity; /* of eq. 20; the other weights are tr_track_weights_default */
    uint64_t seed;
} tr_reconstruct_parameters;

extern const tr_parameter_table tr_reconstruct_parameter_table;

/* What no motion has needed to change. Those of the paper: sections 3 and 4.1, and the list below its
 * table 1.
 *   elite_share  ns / Ns
 *   omega_rad    first standard deviation of dp, and the CMA's first step size
 *   stalls_max   trials without progress before a window moves back
 *   cost_max     a fragment whose best sample costs more failed
 *   successes    plain: wanted */
typedef struct tr_reconstruct_amounts {
    double elite_share, omega_rad;
    tr_window_def window;
    int stalls_max;
    double cost_max;
    int successes;
} tr_reconstruct_amounts;

tr_reconstruct_amounts tr_reconstruct_amounts_default(void);

typedef enum tr_reconstruct_phase {
    TR_RECONSTRUCT_SEARCH,
    TR_RECONSTRUCT_AVERAGE,
    TR_RECONSTRUCT_DONE
} tr_reconstruct_phase;

/* The progress so far, and the result of the last trial. */
typedef struct tr_reconstruct_progress {
    tr_reconstruct_phase phase;
    int trials;        /* of the search */
    int rounds;        /* of averaging */
    int successes;     /* trials that reached the end */
    int setbacks;      /* times that a window went back */
    int stalls;        /* trials without progress */
    int start;         /* of the window */
    int furthest;      /* fragments ever reached from this window's start on */
    int from, reached; /* fragments from..reached - 1 that the last trial passed */
    double cost;       /* mean over the fragments of the best path of the last trial */
    double samples;    /* simulated so far, in all */
    double path_cost;  /* of the control found so far; NAN: none yet */
    int kept;          /* averaging: the round whose control is kept; 0: the search's */
    double nsr;        /* averaging: of the control kept */
} tr_reconstruct_progress;

typedef struct tr_reconstruct_def {
    const tr_model *model;   /* must outlive the reconstruction */
    const tr_motion *motion; /* needed while creating only */
    tr_reconstruct_parameters parameters;
    int threads;
    tr_steps steps;                        /* count 0: on the plane */
    const tr_reconstruct_amounts *amounts; /* NULL: the default ones */
} tr_reconstruct_def;

_Static_assert((int)TR_TRACK_SAMPLE_MAX <= (int)TR_CMA_SIZE_MAX, "a distribution holds any sample");

/* One fragment of a control found. */
typedef struct tr_path_step {
    double sample[TR_TRACK_SAMPLE_MAX];
    double cost;
    tr_state end;
} tr_path_step;

/* A reconstruction at work: what the method's row works on. */
typedef struct tr_reconstruction {
    const tr_model *model;
    char name[TR_MOTION_NAME_MAX]; /* of the motion */
    tr_reconstruct_parameters parameters;
    tr_reconstruct_amounts amounts;
    tr_track_weights weights;
    tr_steps steps;
    tr_track *track;            /* its ends are what trials aim at */
    tr_track_stage *clip_stage; /* [count], with the ends of the motion itself */
    tr_rig carried;             /* no objects: nothing */
    tr_ensemble *ensemble;
    tr_reconstruct_progress progress;
    int elites;              /* ns */
    tr_cma *cma;             /* [count], pi_k */
    tr_window_stage *window; /* [count] */
    tr_elite_level *levels;  /* [count] */
    tr_path_step *path; /* [count], the control; meaningful when progress.path_cost is a number */
    tr_path_step *mean; /* [count], plain: mean of the successes, eq. 2 and 3; averaging: the last
                           round that succeeded */
    tr_path_step *best; /* [count], scratch */
    /* The trial in progress. */
    tr_elite *drawn; /* [samples] */
    bool *lost;      /* [samples] */
    int *order;      /* [samples] */
    int stage;       /* read by all threads */
} tr_reconstruction;

/* Statuses as tr_track_create; TR_INVALID_ARGUMENT also when a parameter is out of range or the
 * tree would be larger than 100 000 elites. */
tr_status tr_reconstruct_create(const tr_reconstruct_def *def, tr_reconstruction **out,
                                tr_error *error) TR_NODISCARD;
void tr_reconstruct_destroy(void *reconstruction); /* NULL is fine */

/* Makes one trial. TR_ABORTED: trials_max or the budget are spent and no control was found;
 * TR_OUT_OF_RANGE: it is done. */
tr_status tr_reconstruct_advance(tr_reconstruction *reconstruction, tr_error *error) TR_NODISCARD;

/* Returns the share of the work that is done, 0 to 1: an estimate from the updates that the
 * distributions had. */
double tr_reconstruct_share(const void *reconstruction);

/* The control found, performed once more from the start without interruption. */
typedef struct tr_reconstruct_result {
    double cost;       /* mean over the fragments */
    double nsr;        /* eq. 5 against the motion */
    uint64_t hash;     /* of the simulated motion's states at the fragments' ends */
    bool lost;         /* the performance lost the motion */
    tr_motion *motion; /* simulated, a frame per step, of the same name; the caller destroys it */
} tr_reconstruct_result;

/* TR_FAILED_PRECONDITION: no control has been found yet. */
tr_status tr_reconstruct_perform(tr_reconstruction *reconstruction,
                                 tr_reconstruct_result *out) TR_NODISCARD;

/* Prints the control as JSON text: model, gains, step, and for each fragment its steps, its dp and
 * its servo targets. *out: to be freed by the caller. TR_FAILED_PRECONDITION: none has been found
 * yet. */
tr_status tr_reconstruct_print(const tr_reconstruction *reconstruction, char **out,
                               size_t *out_size) TR_NODISCARD;

/* Lists what a checkpoint holds of a reconstruction (method/blocks.h). */
void tr_reconstruct_list(void *reconstruction, tr_blocks *blocks);

/* --- parts, for the files reconstruct*.c --- */

/* Makes one trial from fragment `from` for at most `size` fragments; fills levels and progress.
 * Returns the fragment that it reached. */
int tr_reconstruct_trial(tr_reconstruction *r, int from, int size);

/* Keeps the best path through the levels as the control. */
void tr_reconstruct_keep_path(tr_reconstruction *r);

/* Plain: the trial reached the end. Its path joins the mean, and is kept when it is the cheapest
 * so far. */
void tr_reconstruct_note_success(tr_reconstruction *r);

/* Makes averaging begin: distributions around the mean of what the search found. */
tr_status tr_reconstruct_begin_averaging(tr_reconstruction *r) TR_NODISCARD;

/* Makes one averaging round. */
tr_status tr_reconstruct_average(tr_reconstruction *r) TR_NODISCARD;
