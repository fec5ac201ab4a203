/* Match files for `troupe match run FILE`, in libconfig text. deploy/matches/README.md is the
 * reference, and the files beside it are examples.
 *
 *     name = "sumo";
 *     rule = "sumo";
 *     parameters: { radius_m = 3.0; };
 *     time_limit_s = 10.0;
 *     teams = ( { name = "red";  members = ( { controller = "run"; pos = (-2.5, 0.0); } ); },
 *               { name = "blue"; members = ( { controller = "run"; pos = (2.5, 0.0);
 *                                              heading_deg = 180.0; } ); } );
 *
 * An unknown or missing setting, one of the wrong kind, and too many of them are errors that name
 * the file, the line, the setting and what was expected. The daemon checks the values. */
#pragma once

#include "troupe/client.h"

typedef struct tr_match_file tr_match_file;

/* TR_NOT_FOUND: cannot be read; TR_INVALID_ARGUMENT: invalid content. */
tr_status tr_match_file_load(const char *path, tr_match_file **out, tr_error *error) TR_NODISCARD;
void tr_match_file_destroy(tr_match_file *file); /* NULL is allowed */

/* Valid as long as the file; the caller may change it. */
tr_client_match_def *tr_match_file_def(tr_match_file *file);
