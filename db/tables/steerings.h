/* What steers a controller, in the catalogue: a row of its own beside the controller's, which is
 * immutable. tr_controllers_load puts it into the controller, tr_controllers_put keeps what the
 * controller has. See catalogue.h for threading, statuses and errors. */
#ifndef TROUPE_DB_STEERINGS_H
#define TROUPE_DB_STEERINGS_H

#include "control/steering.h"
#include "db/store/blob.h"
#include "db/store/catalogue.h"

/* Replaces what was stored. `size`: of the controller's action; the caller has
 * checked it (tr_controller_check). Without any speed or rate none is kept. */
tr_status tr_steerings_put(tr_catalogue *catalogue, tr_row_id controller,
                           const tr_steering *steering, int size, tr_error *error) TR_NODISCARD;

/* All zero when there is none. TR_DATA_LOSS: the row is broken, or of another action size. */
tr_status tr_steerings_get(tr_catalogue *catalogue, tr_row_id controller, int size,
                           tr_steering *out, tr_error *error) TR_NODISCARD;

/* How it becomes a blob, also in the nodes of a graph. For files of db/. */
tr_status tr_steerings_encode(const tr_steering *steering, int size, tr_blob *out,
                              tr_error *error) TR_NODISCARD;
tr_status tr_steerings_decode(tr_blob_view blob, int size, tr_steering *out,
                              tr_error *error) TR_NODISCARD;

#endif
