/* What is done to the catalogue before anything is served: opened, checked, brought to the present
 * schema, filled at the first start, and --bundle files imported. */
#ifndef TROUPE_SERVER_OPENING_H
#define TROUPE_SERVER_OPENING_H

#include "db/store/catalogue.h"
#include "server/config/options.h"

/* Makes the state directory if it is not there. TR_PERMISSION_DENIED. */
tr_status tr_make_state_dir(const tr_options *options, tr_error *error) TR_NODISCARD;

/* May take as long as the catalogue is large; any thread. The message names the file. */
tr_status tr_open_catalogue(const tr_options *options, tr_catalogue **out,
                            tr_error *error) TR_NODISCARD;

#endif
