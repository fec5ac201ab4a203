/* The certificates of a whole catalogue as two Markdown tables: what each controller holds and survives, and
 * how graphs did on random walks. */
#pragma once

#include "db/store/catalogue.h"

#include <stdio.h>

/* One row for the newest certificate of each controller, in the order of names; "-" stands for what a
 * certificate does not have. Controllers without any are left out. */
tr_status tr_certificate_table_print(FILE *file, tr_catalogue *catalogue,
                                     tr_error *error) TR_NODISCARD;
