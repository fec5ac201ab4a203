/* A controller: an ordered chain of control fragments that performs one skill.
 *
 * Immutable after it is built; may be shared by any number of runners and threads. */
#ifndef TROUPE_CONTROL_CONTROLLER_H
#define TROUPE_CONTROL_CONTROLLER_H

#include "control/control_graph.h"
#include "control/fragment.h"
#include "control/steering.h"

#include <stdbool.h>

enum { TR_CONTROLLER_FRAGMENT_MAX = 512 };

/* After the last fragment of a cyclic controller comes the first; of a mirrored one (always cyclic)
 * the first with left and right exchanged, so that its fragments cover half a cycle. With a graph it
 * is a bank of fragments: the graph says what comes after which, with which gains and steering; it
 * is cyclic, and mirrored where the graph has a mirrored node or a flip. */
typedef struct tr_controller {
    char name[TR_NAME_MAX];  /* unique in a catalogue, e.g. "run" */
    char skill[TR_NAME_MAX]; /* what it does, e.g. "run_slow" */
    char model_name[TR_NAME_MAX];
    uint64_t model_hash; /* of the model it was learned on */
    char gain_set[TR_NAME_MAX];
    double step_s; /* the step it was learned at */
    bool cyclic, mirrored;
    tr_action_map action;
    int fragment_count;
    tr_fragment *fragment; /* [fragment_count], owned */
    tr_state spawn;        /* a state on its limit cycle before fragment 0; heading 0, x = y = 0 */
    tr_steering steering;  /* all zero: it goes where it goes */
    tr_control_graph *graph; /* NULL: one skill; owned */
} tr_controller;

/* An unnamed controller of fragments with `steps` targets each: identity targets, policies of zero,
 * states at the origin. A fragment may then be shortened by lowering its `steps`. Destroy it with
 * tr_controller_destroy. TR_INVALID_ARGUMENT past the caps; TR_RESOURCE_EXHAUSTED without memory.
 */
tr_status tr_controller_create(int fragment_count, int steps, int body_count,
                               tr_controller **out) TR_NODISCARD;
/* What it is simulated with alone: model, gains, step and action. */
void tr_controller_copy_setting(const tr_controller *from, tr_controller *to);
tr_status tr_controller_copy(const tr_controller *controller, const tr_model *model,
                             tr_controller **out) TR_NODISCARD;
void tr_controller_destroy(tr_controller *controller); /* NULL is fine */

/* The controller that does on the right what `controller` does on the left: run on the mirror image
 * of a state, it does the mirror image of what the other does. Named as that one. */
tr_status tr_controller_mirror(const tr_controller *controller, const tr_model *model,
                               tr_controller **out) TR_NODISCARD;

/* Is it whole and fit for this model? TR_INVALID_ARGUMENT: a field is malformed;
 * TR_FAILED_PRECONDITION: it was learned on another model. The message names the controller, the
 * fragment and the field. What passes can be run, mirrored, hashed and compared without further
 * checks. */
tr_status tr_controller_check(const tr_controller *controller, const tr_model *model,
                              tr_error *error) TR_NODISCARD;

/* Seconds of one full cycle (both halves when mirrored) or of the whole chain. */
double tr_controller_duration_s(const tr_controller *controller);

/* Hash of everything that acts: model, gains, step, order, targets, policies, reference and spawn
 * states, steering; not of the names and of sigma. Equal hashes: runs are equal to the bit. */
uint64_t tr_controller_hash(const tr_controller *controller, const tr_model *model);

/* Name of the gain set and steering in force at a fragment. */
const char *tr_controller_gain_set(const tr_controller *controller, int fragment);
const tr_steering *tr_controller_steering(const tr_controller *controller, int fragment);

/* Fragment whose start is nearest to the state in feature space, and whether its mirror image is
 * nearer (never for a controller that is not mirrored). Each feature is divided by a typical
 * spread; ties go to the earlier fragment, unmirrored first. */
void tr_controller_nearest(const tr_controller *controller, const tr_model *model,
                           const tr_state *state, int *out_fragment, bool *out_mirrored);

#endif
