/* Controllers made small for a page that loads them: a third of the bytes, without provenance. */
#pragma once

#include "db/store/row_id.h"

/* Replaces a controller of a scratch catalogue by one with rounded numbers (motions to 1e-6, feedback to
 * four digits), without run, clip and certificates. It moves alike and well within its certificate, but
 * not with the same bits. *id becomes the new row's. */
tr_status tr_compact_controller(tr_catalogue *catalogue, tr_row_id *id,
                                tr_error *error) TR_NODISCARD;
