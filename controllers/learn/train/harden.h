/* Hardening: direct search on the policies of a learned controller, under pushes.
 *
 * Guided learning regresses what sampling found; its policies recover from what sampling could
 * recover from. Hardening continues there and moves the policies themselves: in each update the
 * parameters of all fragments are shifted along random directions, forth and back, each shifted
 * controller meets the same pushes, and the parameters follow the directions that made a difference
 * (evolution strategies of antithetic pairs, Salimans et al. 2017; the best directions scaled by
 * the spread of their returns, Mania et al. 2018). This is not in liu2015-guided.
 *
 *     scenes    where the trials of an update begin, the same for all (harden_scene.h)
 *     shifts    random directions of all parameters, each tried forth and back: a pair
 *               (harden.c)
 *     courses   a trial of a shifted controller from a scene, and its cost (harden_course.h)
 *
 * The return of a trial is minus its cost, which shows not only whether a push was survived but how
 * soon the motion was back. A controller that loses its motion before the push begins at reference
 * starts instead, so that it learns to hold its motion at all.
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
 * Deterministic whatever the number of threads. */
#pragma once

#include "learn/rehearsal/cost.h"
#include "learn/rehearsal/ensemble.h"
#include "learn/rehearsal/graph_transition.h"
#include "learn/train/harden_ground.h"

enum { TR_HARDEN_DIRECTION_MAX = 1000, TR_HARDEN_TRIAL_MAX = 1000 };

typedef struct tr_harden_def {
    int updates;
    int directions;   /* antithetic pairs per update */
    int best;         /* of them followed */
    int trials;       /* that each controller meets, pushed and unpushed */
    int candidates;   /* scenes drawn for a trial, of which the hardest is kept; at least 1 */
    double sigma_rad; /* of the shifts */
    int spacing;      /* fragments from one drawn shift to the next; at least 1 */
    double rate;      /* of a following step, in shifts */
    int averaged;     /* last updates whose mean is the result; 0 or 1: only the last */
    tr_policy *mean; /* [fragment_count]: gets that mean, and the result is the last update's; NULL:
                       * the mean is the result. Needs averaged of 2 or more */
    double push_n;   /* forces are drawn evenly between half of this and all of it; 0.2 s */
    double after_s;  /* watched after the push; above 0 */
    tr_harden_ground ground; /* of cyclic skills; of transitions and chains slopes alone */
    double strike;   /* cost of each body weight of load beyond 1.5; 0: loads do not count */
    bool short_loss; /* a loss costs less, as in earlier trainings (harden_course.h) */
    double vary;     /* the worlds of the trials differ by up to this share (trial_world.h) */
    double extra
        [2]; /* share of the limits of torque that is added in the first and in the last update */
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
 * *out_return: mean return in the last update.
 * TR_INVALID_ARGUMENT: a number is out of bounds (`best` beyond `directions`, `averaged` beyond
 * `updates`, `first` beyond the chain or given without one), or the transition belongs to another
 * controller; TR_RESOURCE_EXHAUSTED. If the world of a trial cannot be made, the search ends with
 * its status. */
tr_status tr_harden(tr_ensemble *ensemble, const tr_harden_def *def, tr_controller *controller,
                    double *out_return) TR_NODISCARD;
