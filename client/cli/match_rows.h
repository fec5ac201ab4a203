/* Matches as JSON values. */
#pragma once

#include "cli/output.h"

json_t *tr_cli_match_object(const void *match); /* a tr_client_match */
json_t *tr_cli_match_bout_row(const tr_client_match_detail *detail, const tr_client_bout *bout);
json_t *tr_cli_match_progress_object(const tr_client_match_progress *progress);
