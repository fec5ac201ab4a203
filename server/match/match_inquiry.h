/* Queries about matches, running or ended, with their bouts and statistics; on the catalogue's
 * thread (inquiry.h). */
#pragma once

#include "server/catalogue/inquiry.h"

tr_status tr_inquiry_list_matches(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_get_match(tr_inquiry *inquiry) TR_NODISCARD;
tr_status tr_inquiry_remove_match(tr_inquiry *inquiry) TR_NODISCARD;
