/* The row of a controller, as storing and copying insert it. Inside db/ only. */
#ifndef TROUPE_DB_CONTROLLER_INSERT_H
#define TROUPE_DB_CONTROLLER_INSERT_H

#include "db/store/blob.h"
#include "db/tables/controllers.h"

/* spawn: the encoded state in which it begins. */
tr_status tr_controllers_insert(tr_catalogue *catalogue, const tr_controller_row *row,
                                tr_blob_view spawn, tr_row_id *out_id,
                                tr_error *error) TR_NODISCARD;

#endif
