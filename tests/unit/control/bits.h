/* Golden bits of controllers: everything that a kind of driver stores, shows and does, in three
 * hashes. A change of any of them is a change for users: of what their catalogues hold, of what
 * they see, of how their characters move. A test that fails prints the new hashes. */
#pragma once

#include "control/driver/controller.h"

#include <stddef.h>

/* What is expected of a controller.
 *   content:  its hashes, its mirror image's, its sections, its sheet, the entries nearest to
 *             random states
 *   motion:   two characters of it for `steps` steps on a stage: steered, pushed, mirrored, with
 *             parameters set, restored from a snapshot. Hashes of the stage and what drivers say
 *   refusals: for hostile values in its sections and in its state, which of them are refused, and
 *             by which status; `probes` places a section */
typedef struct bits_golden {
    int steps, probes;
    uint64_t content, motion, refusals;
} bits_golden;

/* --- bounds --- */

/* A number that something checks; one of the two pointers.
 *   real:    is set to round numbers from -1e13 to 1e13, to their neighbours, to what is not finite
 *   integer: is set to every number from low to high */
typedef struct bits_number {
    double *real;
    int *integer, low, high;
} bits_number;

#define BITS_REAL(number)                                                                          \
    { .real = &(number) }
#define BITS_INT(number, first, last)                                                              \
    { .integer = &(number), .low = (first), .high = (last) }

typedef bool bits_accepts(const void *context);

/* Which values of each number are accepted; the numbers are put back. */
void bits_check_bounds(const bits_number *numbers, size_t count, bits_accepts *accepts,
                       const void *context, uint64_t golden);

/* For bits_check_bounds: is a controller accepted? */
typedef struct bits_subject {
    const tr_controller *controller;
    const tr_model *model;
} bits_subject;
bool bits_accepts_controller(const void *subject);

void bits_check(const tr_controller *controller, const tr_model *model, const bits_golden *golden);
