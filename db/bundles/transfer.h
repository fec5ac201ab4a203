/* Copying rows from one catalogue to another, by which bundles are both written and read. Inside
 * db/ only.
 *
 * A row whose content is in `to` already, under whatever name, is not copied; rows it refers to
 * must be there, as the order model, clip, runs by number, controller has it. Within a bracket of
 * `to`. */
#ifndef TROUPE_DB_TRANSFER_H
#define TROUPE_DB_TRANSFER_H

#include "db/bundles/bundle.h"

typedef struct tr_transfer {
    tr_catalogue *from, *to;
    tr_bundle_conflict conflict;
    tr_bundle_report report;
    tr_error *error;
} tr_transfer;

tr_status tr_transfer_model(tr_transfer *transfer, tr_row_id id) TR_NODISCARD;
tr_status tr_transfer_clip(tr_transfer *transfer, tr_row_id id) TR_NODISCARD;
tr_status tr_transfer_run(tr_transfer *transfer, tr_row_id id) TR_NODISCARD;

/* With its certificates, also those of a controller that is there already. */
tr_status tr_transfer_controller(tr_transfer *transfer, tr_row_id id) TR_NODISCARD;

/* Every row of every noun, in an order that works. */
tr_status tr_transfer_all(tr_transfer *transfer) TR_NODISCARD;

#endif
