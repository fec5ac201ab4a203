/* Bundles: controllers with everything they depend on in one file, for shipping and sharing.
 *
 * A bundle is a catalogue in one closed file without a log beside it, written with the newest
 * schema and read with any that this build knows. It may come from any source, so it is treated as
 * hostile. Its header and size are checked before SQLite opens it; it is opened read-only and
 * immutable with an untrusted schema, cell checks and low limits; its schema must be exactly the
 * expected one. SQLite's integrity check, every digest and every blob must be right, and every
 * controller must fit its model, before the first row is copied. Then everything is copied in one
 * transaction, or nothing. Threading, statuses and errors: catalogue.h. */
#pragma once

#include "db/store/catalogue.h"

#include <stddef.h>

enum { TR_BUNDLE_SIZE_MAX = 1 << 28 }; /* bytes */

/* Writes the controllers with their certificates, models, clips, runs and all earlier runs to
 * `path`, which is replaced atomically when it is complete. The same rows give the same bytes.
 * TR_INVALID_ARGUMENT: count is not positive. */
tr_status tr_bundle_export(tr_catalogue *catalogue, const tr_row_id *controllers, int count,
                           const char *path, tr_error *error) TR_NODISCARD;

typedef enum tr_bundle_conflict {
    TR_BUNDLE_REFUSE, /* if a name is taken by other content, the import fails with TR_ALREADY_EXISTS */
    TR_BUNDLE_RENAME,   /* in that case the new item is called "name-2", or the first free number */
    TR_BUNDLE_STEP_BACK /* as RENAME; and all new clips and runs are called so, which leaves their
                         * names to others */
} tr_bundle_conflict;

typedef struct tr_bundle_counts {
    int added;   /* copied */
    int present; /* skipped: the same content exists, under any name */
    int renamed; /* of those added */
} tr_bundle_counts;

typedef struct tr_bundle_report {
    tr_bundle_counts models, clips, runs, controllers, certificates;
} tr_bundle_report;

/* Copies all of a bundle into the catalogue. TR_NOT_FOUND: no such file. TR_DATA_LOSS or
 * TR_INVALID_ARGUMENT: not a valid bundle; TR_FAILED_PRECONDITION: not a catalogue, a live
 * catalogue, or of a newer schema. out_report may be NULL. */
tr_status tr_bundle_import(tr_catalogue *catalogue, const char *path, tr_bundle_conflict conflict,
                           tr_bundle_report *out_report, tr_error *error) TR_NODISCARD;

/* Checks a bundle: makes all checks of tr_bundle_import, without a catalogue. */
tr_status tr_bundle_check(const char *path, tr_error *error) TR_NODISCARD;

/* Imports the shipped bundle if the catalogue is empty, as at a first start. `out_installed` (may
 * be NULL): whether it did. Statuses as tr_bundle_import; TR_NOT_FOUND: no such bundle. */
tr_status tr_bundle_install_shipped(tr_catalogue *catalogue, const char *path, bool *out_installed,
                                    tr_error *error) TR_NODISCARD;
