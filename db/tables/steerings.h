/* Learned steering in the catalogue: a separate row beside the controller's, which is immutable.
 * tr_controllers_load adds it to the controller, tr_controllers_put stores the controller's
 * steering. See catalogue.h for threading, statuses and errors. */
#ifndef TROUPE_DB_STEERINGS_H
#define TROUPE_DB_STEERINGS_H

#include "control/steering.h"
#include "db/store/blob.h"
#include "db/store/catalogue.h"

/* Replaces the stored steering. `size`: of the controller's action; the caller has checked the
 * steering (tr_controller_check). A steering without speeds and rates is not stored. */
tr_status tr_steerings_put(tr_catalogue *catalogue, tr_row_id controller,
                           const tr_steering *steering, int size, tr_error *error) TR_NODISCARD;

/* All zero if there is none. TR_DATA_LOSS: the row is damaged, or has another action size. */
tr_status tr_steerings_get(tr_catalogue *catalogue, tr_row_id controller, int size,
                           tr_steering *out, tr_error *error) TR_NODISCARD;

/* Encodes it as a blob, also for the nodes of a graph. For files of db/. */
tr_status tr_steerings_encode(const tr_steering *steering, int size, tr_blob *out,
                              tr_error *error) TR_NODISCARD;
tr_status tr_steerings_decode(tr_blob_view blob, int size, tr_steering *out,
                              tr_error *error) TR_NODISCARD;

#endif
