/* Hardening: direct search on the policies of a learned controller, under pushes.
 *
 * Guided learning regresses what sampling found; its policies recover from what sampling could
 * recover from. Hardening continues there and moves the policies themselves: in each update the
 * parameters of all fragments are shifted along random directions, forth and back, each shifted
 * controller meets the same pushes, and the parameters follow the directions that made a difference
 * (evolution strategies of antithetic pairs, Salimans et al. 2017; the best directions scaled by
 * the spread of their returns, Mania et al. 2018). This is not in liu2015-guided.
 *
 * A direction shifts pi(s) = M s + a_hat by dM (s - s_k) + da, s_k the features at the fragment's
 * reference start: half of the shift is common to all fragments, the other half is drawn for every
 * `spacing`-th fragment and blended in between, so that a long skill has fewer to find. A dM entry
 * is scaled so that a typical spread of its feature turns the action by about sigma.
 *
 * The return of a trial is minus the mean, over the fragments after the push, of E / (E + 2), E the
 * cost of a fragment (cost.h) without action; 1 for every fragment after the motion was lost. So
 * the return shows not only whether a push was survived but how soon the motion was back.
 *
 * Every fourth trial is without a push; of a chain every second one, watched from its start on. If
 * the motion is lost before the push was due, the trial begins at the reference start of that
 * phase's fragment instead, disturbed and unpushed, so that a controller learns to hold its motion
 * at all. In a transition such a trial counts 1 for every candidate, and teaches nothing.
 *
 * A pair is a shift of all parameters, forth and back. Pairs may race: after the first `race`
 * trials only the `best` pairs by their difference so far meet the other trials. All pairs meet the
 * same scenes (common random numbers). But few trials choose them badly: learn/RESULTS.md, Fewer
 * samples.
 *
 * The noise of the trials moves the parameters about their optimum. So the mean of the last updates
 * may be the result (Polyak and Juditsky 1992), or a second result beside the last update's.
 *
 * If most pushes are survived already, most trials carry no information. So several scenes may be
 * drawn for a pushed trial: the unshifted controller runs each once, and the scene that costs it
 * most is kept. In a transition unpushed trials are chosen in the same way, because rare falls
 * without a push are what training must still remove there.
 *
 * Trials may take place on other ground than the plane: a share of them, without pushes, on slopes,
 * before kerbs and on uneven ground. Then the shifts also turn K g, g the ground under the
 * character (fragment.h): slopes teach its answer to slopes, kerbs and uneven ground its answer to
 * steps. K begins such that at the reference start a policy sees the features of level ground, and
 * lifts its feet (ground_answer.h). With a share of 1 only K is shifted: on level ground the
 * controller keeps its bits, and without slopes, but for rounding, it does on slopes.
 *
 * The worlds of the trials may differ (trial_world.h): in mass, friction, gravity and contact, by
 * up to a share drawn for each trial, and in strength, which falls from update to update, so that a
 * skill learned without limits of torque gets used to them.
 *
 * Hard steps and sliding feet may cost: E grows by `strike` times what the largest load of a step in
 * a fragment has above 1.5 body weights, and by `slip` times the speed at which contacts slide there
 * (tread.h).
 *
 * Deterministic whatever the number of threads. */
#ifndef TROUPE_LEARN_HARDEN_H
#define TROUPE_LEARN_HARDEN_H

#include "learn/rehearsal/cost.h"
#include "learn/rehearsal/ensemble.h"
#include "learn/rehearsal/graph_transition.h"
#include "learn/rehearsal/trial_ground.h"

enum { TR_HARDEN_DIRECTION_MAX = 1000, TR_HARDEN_TRIAL_MAX = 1000 };

/* The ground of trials; each size is drawn evenly between half of this and all of it, and 0 leaves
 * out its kinds: slopes up, down and across; kerbs up and down; uneven ground. */
typedef struct tr_harden_ground {
    double share; /* of the trials; 0: all are on the plane */
    double slope_deg, kerb_m, uneven_m;
} tr_harden_ground;

enum { TR_HARDEN_GROUND_MAX = 7 };

/* The kinds that are drawn, with their largest amounts; the rest 0. Returns how many. */
int tr_harden_grounds(const tr_harden_ground *ground, tr_trial_ground out[TR_HARDEN_GROUND_MAX]);

typedef struct tr_harden_def {
    int updates;
    int directions; /* antithetic pairs per update */
    int best;       /* of them followed */
    int trials;     /* that each controller meets, pushed and unpushed */
    int race; /* trials after which only `best` pairs meet the others; 0: all pairs meet all trials */
    int candidates;   /* scenes drawn for a trial, of which the hardest is kept; at least 1 */
    double sigma_rad; /* of the shifts */
    int spacing;      /* fragments from one drawn shift to the next; at least 1 */
    double rate;      /* of a following step, in shifts */
    int averaged;     /* last updates whose mean is the result; 0 or 1: only the last */
    tr_policy *mean; /* [fragment_count]: gets that mean, and the result is the last update's; NULL:
                       * the mean is the result. Needs averaged of 2 or more */
    double push_n;   /* forces are drawn evenly between half of this and all of it; 0.2 s */
    double after_s;  /* watched after the push; above 0 */
    tr_harden_ground ground; /* of cyclic skills; of transitions slopes alone */
    double strike; /* cost of each body weight of load beyond 1.5; 0: loads do not count */
    double slip;   /* cost of each cm/s at which contacts slide; 0: sliding does not count */
    double vary;   /* the worlds of the trials differ by up to this share (trial_world.h) */
    double extra
        [2]; /* share of the limits of torque that is added to them in the first and in the last update */
    tr_cost_weights weights;
    uint64_t seed;
    /* Hardens a transition of a graph instead of a whole skill: trials begin where the transition
     * begins, and only the fragments that it names change; all others stay. NULL: all fragments,
     * pushed at any time of the cycle. */
    const tr_graph_transition *transition;
    tr_starts starts; /* of a chain: where its trials begin */
    int first;        /* of a chain: earlier fragments do not change, and are not pushed */
    bool on_steps; /* the worlds have steps at fixed places: a trial whose approach is lost does not
                       * begin at a reference start, which lies elsewhere, but where the undisturbed
                       * controller passed before the first update, as far as it held its motion */
} tr_harden_def;

/* Changes the controller's policies in place; a transition needs a controller with a graph.
 * *out_return: mean return in the last update, of the shifted controllers that met all trials.
 * TR_INVALID_ARGUMENT: a number is out of bounds (`best` beyond `directions`, `averaged` beyond
 * `updates`, `first` beyond the chain or given without one), or the transition belongs to another
 * controller; TR_RESOURCE_EXHAUSTED. If the world of a trial cannot be made, the search ends with
 * its status. */
tr_status tr_harden(tr_ensemble *ensemble, const tr_harden_def *def, tr_controller *controller,
                    double *out_return) TR_NODISCARD;

#endif
