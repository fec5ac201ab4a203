/* Golden bits of controllers: everything that a kind of driver stores, shows and does, in three
 * hashes. A change of any of them is a change for users: of what their catalogues hold, of what
 * they see, of how their characters move. A test that fails prints the new hashes. */
#ifndef TROUPE_TESTS_BITS_H
#define TROUPE_TESTS_BITS_H

#include "control/controller.h"

/* What is expected of a controller.
 *   content:  its hashes, its mirror image's, its sections, its sheet, the entries nearest to
 *             random states
 *   motion:   two characters of it for `steps` steps on a stage: steered, pushed, mirrored, with
 *             parameters set, restored from a snapshot. Hashes of the stage and what drivers say
 *   refusals: for hostile values in its sections, which of them are refused and by which status;
 *             `probes` places a section */
typedef struct bits_golden {
    int steps, probes;
    uint64_t content, motion, refusals;
} bits_golden;

void bits_check(const tr_controller *controller, const tr_model *model, const bits_golden *golden);

#endif
