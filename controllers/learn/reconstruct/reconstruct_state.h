/* What a reconstruction is made of. Internal to the files reconstruct*.c. */
#pragma once

#include "learn/reconstruct/elites.h"
#include "learn/reconstruct/reconstruct.h"
#include "learn/search/cma.h"

_Static_assert((int)TR_TRACK_SAMPLE_MAX <= (int)TR_CMA_SIZE_MAX, "a distribution holds any sample");

/* One fragment of a control found. */
typedef struct tr_path_step {
    double sample[TR_TRACK_SAMPLE_MAX];
    double cost;
    tr_state end;
} tr_path_step;

struct tr_reconstruction {
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
};

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
