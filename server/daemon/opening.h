/* Opens the catalogue before the daemon serves: checks it, migrates it to the present schema, fills
 * it at the first start, and imports --bundle files. */
#pragma once

#include "db/store/catalogue.h"
#include "server/config/options.h"

/* Makes the state directory if it does not exist. TR_PERMISSION_DENIED. */
tr_status tr_make_state_dir(const tr_options *options, tr_error *error) TR_NODISCARD;

/* May take long for a large catalogue; any thread. The message names the file. */
tr_status tr_open_catalogue(const tr_options *options, tr_catalogue **out,
                            tr_error *error) TR_NODISCARD;
