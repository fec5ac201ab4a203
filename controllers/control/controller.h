/* A controller: an ordered chain of control fragments that performs one skill.
 *
 * Immutable after it is built; may be shared by any number of runners and threads. */
#ifndef TROUPE_CONTROL_CONTROLLER_H
#define TROUPE_CONTROL_CONTROLLER_H

#include "control/fragment.h"

#include <stdbool.h>

enum { TR_CONTROLLER_FRAGMENT_MAX = 512 };

typedef struct tr_controller {
    char name[TR_NAME_MAX];  /* unique in a catalogue, e.g. "run" */
    char skill[TR_NAME_MAX]; /* what it does, e.g. "run_slow" */
    char model_name[TR_NAME_MAX];
    uint64_t model_hash; /* of the model it was learned on */
    char gain_set[TR_NAME_MAX];
    double step_s; /* the step it was learned at */
    bool cyclic;   /* after the last fragment comes the first */
    bool mirrored; /* ... with left and right exchanged (fragments cover half a cycle) */
    tr_action_map action;
    int fragment_count;
    tr_fragment *fragment; /* [fragment_count], owned */
    tr_state spawn;        /* a state on its limit cycle before fragment 0; heading 0, x = y = 0 */
} tr_controller;

/* Zeroed fragments with room for `steps` targets each. TR_INVALID_ARGUMENT past the caps. */
tr_status tr_controller_create(int fragment_count, int steps, int body_count,
                               tr_controller **out) TR_NODISCARD;
tr_status tr_controller_copy(const tr_controller *controller, const tr_model *model,
                             tr_controller **out) TR_NODISCARD;
void tr_controller_destroy(tr_controller *controller);

/* Is it whole and fit for this model? Names the field that is not. */
tr_status tr_controller_check(const tr_controller *controller, const tr_model *model,
                              tr_error *error) TR_NODISCARD;

/* Seconds of one full cycle (both halves when mirrored) or of the whole chain. */
double tr_controller_duration_s(const tr_controller *controller);

/* Hash of everything that acts: targets, policies, gains, model. */
uint64_t tr_controller_hash(const tr_controller *controller, const tr_model *model);

/* Fragment whose start is nearest to the state (normalised feature distance), and whether mirrored.
 */
void tr_controller_nearest(const tr_controller *controller, const tr_model *model,
                           const tr_state *state, int *out_fragment, bool *out_mirrored);

#endif
