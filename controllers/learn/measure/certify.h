/* Certificates: what a controller has been shown to hold and survive, measured by ensembles of
 * trials that are defined once and for all.
 *
 * The definitions below are method 1; a change of any of them is a new method, because figures of
 * two methods cannot be compared. Numbers of trials and their lengths are not part of it: they are
 * stored beside the figures. All trials are those of evaluate.h and tracking.h: flat ground, but
 * for the last test, self-collision on, the controller's own step; each from a disturbed start
 * (trial.h).
 *
 * A trial ends when the motion is lost (rehearsal/lost.h): when at the end of a control fragment
 * the root is 0.3 m or more off the height of the reference end, or 1 rad or more off its
 * orientation, the heading counted from the fragment's start. A character that has fallen has lost
 * its motion within a fragment or two; one that stands but no longer performs has lost it too. Of a
 * controller without references it is lost when the character is down (control/parts/falls.h); a
 * controller that gets up again has lost it when it falls.
 *
 * A graph is certified in the skill in which it begins, without a steering target; in another of
 * its skills that repeats if trials begin there (tr_controller_in_skill).
 *
 *   undisturbed  how many trials hold for a time.
 *   resisting    under pushes that grow (tr_evaluate_resistance): mean time to loss, at 1 N/s and
 *                at 0.25 N/s. Liu et al. 2015 (guided), Table II, give such times without saying
 *                how the pushes grow, so that only orders can be compared.
 *   pushes       of growing force, 0.2 s on the trunk, in evenly spaced directions, at evenly
 *                spaced phases of the cycle, from several starts whose phases are shifted, each to
 *                be survived for 5 s (tr_evaluate_pushes). Ends at the first force that fewer than
 *                half of all trials survive.
 *   tracking     errors against the reference, feet on the ground (tracking.h).
 *   ground       slopes up, down and across, kerbs up and down, uneven ground, growing by the steps
 *                of trial_ground.h: how many trials stay up for a time (ground_test.h; here a trial
 *                ends when the character is down). Each kind ends at the first amount on which
 *                fewer than 95 % do. It was added later; older certificates lack it.
 *   lasting      forces that last, from the front and from behind: constant, varying and sudden, of
 *                up to 130 N and of up to 200 N (lasting_test.h): how many trials survive. Only on
 *                request.
 *   headings     a new heading every 10/3 s (heading_walk.h): how many trials do not fall, how well
 *                they follow, and how many falls are got up from. Only where it is asked for; the
 *                only test of a controller that moves without forces, which no push can move.
 *   falls        characters that are pushed over and get up by themselves (rising.h): how many are
 *                up for good, or perform the certified skill again, how soon, and the blows to the
 *                head. Only where it is asked for, and of controllers of a graph with a rising
 *                skill. In the tests above a fall is a loss.
 *   walks        random walks over all skills of a graph (graph_walk.h), instead of the tests
 *                above: how many have no fall, and falls in an hour. Where the graph can get up,
 *                walks continue after falls, else they end. Added later too.
 *
 * Largest push of a direction: up to it every force was survived in at least the wanted share, of
 * the trials themselves or of the lower end of their Wilson interval (tr_certificate_largest).
 *
 * Deterministic: a function of the controller, the definition and the seed, not of the number of
 * threads or of how the work is taken in parts. One thread at a time. */
#pragma once

#include "learn/measure/evaluate.h"
#include "learn/measure/graph_walk.h"
#include "learn/measure/ground_test.h"
#include "learn/measure/heading_walk.h"
#include "learn/measure/lasting_test.h"
#include "learn/measure/rising.h"
#include "learn/measure/tracking.h"

enum {
    TR_CERTIFY_METHOD = 1,
    TR_CERTIFY_GROWTHS = 2,
    TR_CERTIFY_TRIAL_MAX = 1000, /* of one test */
    TR_CERTIFY_FORCE_MAX = 64,
    TR_CERTIFY_GROUND_MAX = 20, /* amounts of one kind */
    TR_CERTIFY_LASTING = 6      /* forces that last */
};

typedef struct tr_certify_def {
    int hold_trials;
    double hold_s;
    int resist_trials;
    double resist_growth_nps[TR_CERTIFY_GROWTHS];
    tr_push_test push; /* its force and seed are not used */
    double force_grid_n, force_limit_n;
    tr_tracking_test tracking; /* its cycles and seed are not used */
    double tracking_s;
    int ground_trials; /* of each amount; 0: no ground but the plane is tried */
    double ground_s;
    int lasting_trials; /* of each force that lasts; 0: none */
    double lasting_s;
    int heading_trials; /* with headings that change; 0: none */
    double heading_s, heading_goal_s;
    int fall_trials;        /* pushed over; 0: none */
    const char *fall_skill; /* to be performed again after falls; NULL: any */
    int walks;              /* over a graph, instead of all other tests; 0: none */
    double walk_s;
    uint64_t seed;
} tr_certify_def;

/* 100 undisturbed trials of 600 s; 100 a growth; 16 directions, 12 phases and 16 starts (192 trials
 * a direction and force), each 20 N to 1000 N; 10 trials tracked for 20 s; 96 trials of 30 s
 * an amount of ground; no forces that last, of 20 s each; no headings, of 60 s and 10/3 s each; no
 * falls; no walks, of 600 s each; seed 1. */
tr_certify_def tr_certify_def_default(void);

/* The forces that last, in the order of the trials. name: "constant 130 N" */
typedef struct tr_certify_lasting {
    const char *name;
    tr_force_kind kind;
    double most_n;
} tr_certify_lasting;
extern const tr_certify_lasting tr_certify_lasting_rows[TR_CERTIFY_LASTING];

/* The result of one force. survived: [directions], out of `trials` each. */
typedef struct tr_certificate_force {
    double force_n;
    int trials;
    int survived[TR_PUSH_DIRECTION_MAX];
} tr_certificate_force;

typedef struct tr_certificate {
    tr_certify_def def;
    tr_tracking tracking;
    int held;
    double shortest_s;                                            /* of the undisturbed trials */
    double resisting_s[TR_CERTIFY_GROWTHS][TR_CERTIFY_TRIAL_MAX]; /* [growth][resist_trials] */
    int force_count;
    tr_certificate_force force[TR_CERTIFY_FORCE_MAX]; /* growing */
    int ground_count[TR_TRIAL_GROUND_KINDS]; /* amounts tried, from the step of the kind on */
    int ground_held[TR_TRIAL_GROUND_KINDS][TR_CERTIFY_GROUND_MAX];
    int lasting_held[TR_CERTIFY_LASTING];
    tr_heading_walk_result heading;
    tr_rising_count falls;
    tr_graph_walk_result walk;
} tr_certificate;

/* The largest force in a direction (or, with -1, in all together) such that it and all smaller ones
 * were survived in at least `share` of the trials; with `sure` the lower end of the Wilson interval
 * must reach the share. 0: not even the first. */
double tr_certificate_largest(const tr_certificate *certificate, int direction, double share,
                              bool sure);

/* Returns the mean of one growth's resisting times; *out_half: half the width of its 95 %
 * interval. */
double tr_certificate_resisting(const tr_certificate *certificate, int growth, double *out_half);

/* The largest amount of a kind of ground on which, and on all smaller ones, at least 95 % of the
 * trials stayed up, m or degrees. 0: not even on the first. */
double tr_certificate_largest_ground(const tr_certificate *certificate, tr_trial_ground_kind kind);

/* --- making one --- */

typedef struct tr_certifier tr_certifier;

/* Does it move by forces? Other controllers have only headings to follow. */
bool tr_certify_has_forces(const tr_controller *controller);

/* ensemble and controller are borrowed. TR_INVALID_ARGUMENT: a count or a time out of range, or a
 * controller without a cyclic skill. */
tr_status tr_certifier_create(tr_ensemble *ensemble, const tr_controller *controller,
                              const tr_certify_def *def, tr_certifier **out,
                              tr_error *error) TR_NODISCARD;
void tr_certifier_destroy(tr_certifier *certifier); /* NULL is fine */

bool tr_certifier_is_done(const tr_certifier *certifier);

/* Does the next part of it: some seconds. Writes its result, a line without its end, into
 * `line`. */
tr_status tr_certifier_advance(tr_certifier *certifier, char *line, size_t capacity,
                               tr_error *error) TR_NODISCARD;

/* Returns the certificate, whole when it is done. It lives as long as the certifier. */
const tr_certificate *tr_certifier_result(const tr_certifier *certifier);
