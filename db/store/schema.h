/* The schema and its migrations. Inside db/ only.
 *
 * migrations/NNN.sql takes a catalogue from schema NNN - 1 to NNN, the first file an empty one; the
 * files are compiled in. Older schemas than that are refused.
 * user_version in the file's header says which schema it has, application_id that it is a
 * catalogue. Each migration is one transaction with both numbers: if it is killed at any point, the
 * old or the new schema is complete. */
#pragma once

#include "proto/status.h"

#include <sqlite3.h>
#include <stdbool.h>

enum { TR_APPLICATION_ID = 0x54525550 }; /* "TRUP" */

typedef struct tr_migrations {
    const char *const
        *sql; /* [latest - oldest + 1]; sql[0] makes schema `oldest` in an empty file */
    int oldest, latest;
} tr_migrations;

/* Those compiled in (migrations.c, made from the files at build time). */
extern const tr_migrations tr_schema_migrations;

typedef struct tr_schema_state {
    bool empty;  /* the file is empty, and its schema must be created */
    int version; /* of a catalogue */
} tr_schema_state;

/* TR_FAILED_PRECONDITION: not a catalogue, or of an older or newer schema than `migrations` know. */
tr_status tr_schema_inspect(sqlite3 *db, const tr_migrations *migrations, tr_schema_state *out,
                            tr_error *error) TR_NODISCARD;

/* From `version` (0: empty) to the last. */
tr_status tr_schema_migrate(sqlite3 *db, const tr_migrations *migrations, int version,
                            tr_error *error) TR_NODISCARD;

/* Is the schema exactly that of the migrations? TR_FAILED_PRECONDITION: the error names what is
 * extra, missing or different. */
tr_status tr_schema_compare(sqlite3 *db, const tr_migrations *migrations,
                            tr_error *error) TR_NODISCARD;
