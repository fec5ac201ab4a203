/* Makes the controller of a run of 'balance momentum' again, from its numbers and its stance. */
#ifndef TROUPE_TOOLS_MOMENTUM_REMAKING_H
#define TROUPE_TOOLS_MOMENTUM_REMAKING_H

#include "db/tables/runs.h"
#include "tools/train/reproduction.h"

/* Makes the controller again and compares it with the stored one. TR_ABORTED: they differ. */
tr_status tr_momentum_remake(const tr_reproduction *given, const tr_run_row *run,
                             tr_error *error) TR_NODISCARD;

#endif
