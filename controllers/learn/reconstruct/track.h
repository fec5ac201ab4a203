/* The track: a reference motion as open-loop reconstruction sees it (liu2015-samcon, section 3).
 *
 * The motion is cut into `count` fragments of `steps` simulation steps; its length is stretched
 * by a few per cent to fit. Each fragment has servo targets that look ahead (skill.h) and an end
 * that a simulation should reach. A sample dp is what turns the targets of one fragment: a
 * rotation vector per joint of the action map, constant over the fragment, and, when time is
 * scaled, a last component tau that stretches the fragment by e^tau.
 *
 * Unlike the cost of a random walk (cost.h), the cost here compares states in world axes: the frame
 * turns with no heading, so that it stays defined while a flip is upside down, and the character
 * must keep its course. Positions in the plane do not count either. Read-only once made, except the
 * ends. */
#pragma once

#include "learn/rehearsal/cost.h"
#include "learn/rehearsal/ensemble.h"
#include "motion/poses/motion.h"

enum { TR_TRACK_STAGE_MAX = 2000, TR_TRACK_SAMPLE_MAX = TR_ACTION_MAX + 1 };

/* The part of a state at a fragment's end that the cost compares. */
typedef struct tr_track_view {
    tr_cost_view pose; /* in world axes */
    tr_quat trunk;     /* orientation in the world */
    double support;    /* planar distance of the centroid from the centre of the carrying feet */
} tr_track_view;

/* Weights of the terms beside eq. 20. For motions that turn over (flips) the whole body's
 * orientation and where the end effectors are; for quiet standing the balance over the feet
 * (liu2015-samcon, section 6). */
typedef struct tr_track_weights {
    tr_cost_weights base;
    double trunk;   /* angle between trunk orientations, rad; flips */
    double reach;   /* mean distance of end effectors relative to the centroid, m; flips */
    double support; /* view.support over the body height; quiet standing */
    double tau;     /* |tau| */
} tr_track_weights;

tr_track_weights tr_track_weights_default(void);

typedef struct tr_track_stage {
    tr_track_view end;
    double energy;    /* kinetic energy of the reference, mean over the fragment, J/kg */
    unsigned carries; /* bit s: foot s stands on the ground at the end of the reference */
    bool quiet;       /* stands, and hardly moves */
} tr_track_stage;

typedef struct tr_track {
    const tr_model *model; /* borrowed */
    tr_action_map map;
    bool scales_time;
    int sample_size; /* components of dp */
    int count, steps;
    double step_s;
    bool flips;            /* turns over: its trunk is upside down at some time */
    tr_state start;        /* of the reference */
    tr_quat *target;       /* [count * steps][body_count], owned */
    tr_pose *pose;         /* [count * steps + 1], owned: the reference at every step */
    tr_track_stage *stage; /* [count], owned */
} tr_track;

typedef struct tr_track_def {
    const char *gain_set;
    double step_s, fragment_s;
    int cycles; /* of a cyclic motion */
    bool arms;  /* the shoulders are part of dp */
    bool scales_time;
} tr_track_def;

/* TR_INVALID_ARGUMENT: a motion for another model, too short, or too long; TR_NOT_FOUND: gains
 * or joints that the model lacks. */
tr_status tr_track_create(const tr_model *model, const tr_motion *motion, const tr_track_def *def,
                          tr_track **out, tr_error *error) TR_NODISCARD;
void tr_track_destroy(tr_track *track); /* NULL is fine */

/* Returns the steps that a fragment takes with this sample: steps e^tau, half to twice. */
int tr_track_steps(const tr_track *track, const double *sample);

/* Fills the targets of fragment k for the end of its step i of `steps`. out: [body_count]. */
void tr_track_targets(const tr_track *track, int k, int i, const double *sample, tr_quat *out);

/* Performs fragment k from the character's present state in each world of the group, side by side.
 * sample, status: [group->count]; a world whose status is not TR_OK before the call is left out.
 * TR_DATA_LOSS: the simulation broke. */
void tr_track_perform_together(const tr_track *track, int k, const double *const *sample,
                               const tr_rehearsal_group *group, tr_status *status);

/* A state seen at the end of fragment k. bodies: [body_count] of the state. */
void tr_track_look(const tr_track *track, int k, const tr_state *state, const tr_body_state *bodies,
                   tr_track_view *out);

/* Returns the cost of ending fragment k so, eq. 20 and the further terms. */
double tr_track_cost(const tr_track *track, const tr_track_weights *weights, int k,
                     const tr_track_view *view, const double *sample);

/* Returns kinetic energy over mass, J/kg. */
double tr_track_energy(const tr_model *model, const tr_body_state *bodies);

/* Makes `state` the end that fragment k should reach. */
void tr_track_replace_end(tr_track *track, int k, const tr_state *state);
