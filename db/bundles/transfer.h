/* Copies rows from one catalogue to another, for writing and reading bundles. Inside db/ only.
 *
 * A row whose content is already in `to`, under any name, is not copied. Rows it refers to must
 * have been copied before: the order is model, clip, runs by number, controller. Call within a
 * bracket of `to`. */
#pragma once

#include "db/bundles/bundle.h"
#include "db/store/columns.h"

typedef struct tr_transfer {
    tr_catalogue *from, *to;
    tr_bundle_conflict conflict;
    tr_bundle_report report;
    tr_error *error;
} tr_transfer;

/* Copies a row with what belongs to it: a run with its metrics and inputs, a controller with its
 * fragments, sections, certificates and guide, the last two also if the controller exists already. */
tr_status tr_transfer_row(tr_transfer *transfer, tr_noun noun, tr_row_id id) TR_NODISCARD;

/* Copies every row of every noun, in a valid order. */
tr_status tr_transfer_all(tr_transfer *transfer) TR_NODISCARD;
