/* The catalogue: one SQLite file that holds every model, clip, training run, control fragment and
 * controller, with the provenance of each controller down to the clip and the run it was learned
 * in.
 *
 * Only this folder uses SQLite; callers see plain structs and no SQL. Each noun has a header:
 * models.h, clips.h, runs.h, controllers.h, certificates.h, lineage.h, bundle.h.
 *
 * Rows never change after they are stored. Each has a digest, the SHA-256 of its content without
 * its name. Inside that content rows refer to each other by digest (a controller's digest covers
 * those of its model, run, clip and fragments), so that one digest covers everything a row depends
 * on. Loading a model or a controller compares it again, and so does tr_catalogue_check, so that
 * the loaded content is the stored content.
 *
 * Threading: a catalogue belongs to one thread at a time. A file has one writer: opening it for
 * writing reserves it for this process until it is closed (SQLite 3.40 can lose a WAL to two
 * connections), and all others get TR_UNAVAILABLE after two seconds. When a writing call has
 * returned TR_OK, its data survives kill -9 (write-ahead log, synchronous=FULL). If it failed
 * because of the disk, a reopened catalogue has either all of the call's data or none.
 *
 * Times are arguments: nanoseconds since 1970, UTC. No clock is read here.
 *
 * Statuses common to all calls: TR_UNAVAILABLE (another process has the file), TR_DATA_LOSS (the file
 * or a row is damaged), TR_RESOURCE_EXHAUSTED (disk or memory is full), TR_PERMISSION_DENIED
 * (opened for reading, or the file may not be written), TR_NOT_FOUND, TR_ALREADY_EXISTS (the name
 * is taken by other content), TR_INVALID_ARGUMENT (the message names the field). `error` may be
 * NULL everywhere. Results are untouched on failure, except the rows of a list. */
#pragma once

#include "db/store/row_id.h"

typedef enum tr_catalogue_mode {
    /* Must exist. Nothing is written; an older schema is read through an upgraded copy. Also for
     * bundles. */
    TR_CATALOGUE_READ,
    /* Must exist. Opens a private copy, which is read and written, and dropped when it is closed.
     * The file does not change and is not locked. */
    TR_CATALOGUE_SCRATCH,
    /* Must exist. An older schema, for example 7, is migrated after an unchanged copy has been
     * saved beside it, "PATH.schema-7", for going back to the earlier build. */
    TR_CATALOGUE_WRITE,
    /* As WRITE, but a missing file is created empty; its folder must exist. */
    TR_CATALOGUE_CREATE
} tr_catalogue_mode;

/* Opens `path`: checks that it is an undamaged catalogue (SQLite's quick check), and migrates it
 * when writing. TR_FAILED_PRECONDITION: not a catalogue, or of a newer schema than this build knows
 * (both versions are named). */
tr_status tr_catalogue_open(const char *path, tr_catalogue_mode mode, tr_catalogue **out,
                            tr_error *error) TR_NODISCARD;

/* The path of its file. */
const char *tr_catalogue_path(const tr_catalogue *catalogue);

/* Rolls back uncommitted changes; NULL is allowed. */
void tr_catalogue_close(tr_catalogue *catalogue);

/* Makes several puts one transaction: after the commit all are stored, or none. Without them each
 * put is a separate transaction. TR_FAILED_PRECONDITION: a transaction has already begun, or none
 * has begun. A commit that fails has rolled back. */
tr_status tr_catalogue_begin(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;
tr_status tr_catalogue_commit(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;
void tr_catalogue_rollback(tr_catalogue *catalogue); /* no effect if none has begun */

/* Commits if `status` is TR_OK; otherwise rolls back and returns it. */
tr_status tr_catalogue_end(tr_catalogue *catalogue, tr_status status, tr_error *error) TR_NODISCARD;

typedef struct tr_catalogue_summary {
    int schema_version; /* of the file and of this build, which agree once it is open */
    int64_t models, clips, runs, fragments, controllers, certificates;
    int64_t size_bytes;
} tr_catalogue_summary;

tr_status tr_catalogue_summarize(tr_catalogue *catalogue, tr_catalogue_summary *out,
                                 tr_error *error) TR_NODISCARD;

/* The complete check, in time proportional to the file: SQLite's integrity check, foreign keys, and
 * every row of every noun decoded, checked against its model and compared with its digest.
 * TR_DATA_LOSS: the error names the first damaged row. */
tr_status tr_catalogue_check(tr_catalogue *catalogue, tr_error *error) TR_NODISCARD;
