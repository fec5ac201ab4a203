/* The schema and its migrations. Inside db/ only.
 *
 * migrations/NNN.sql takes a catalogue from schema NNN - 1 to NNN; the files are compiled in.
 * user_version in the file's header says which schema it has, application_id that it is a
 * catalogue. Each migration is one transaction with both numbers: if it is killed at any point, the
 * old or the new schema is complete. */
#pragma once

#include "proto/status.h"

#include <sqlite3.h>
#include <stdbool.h>

enum { TR_APPLICATION_ID = 0x54525550 }; /* "TRUP" */

typedef struct tr_migrations {
    const char *const *sql; /* [count]; sql[i] leads to schema i + 1 */
    int count;
    /* Called before sql[version - 1], in its transaction. */
    tr_status (*convert)(sqlite3 *db, int version, tr_error *error);
} tr_migrations;

/* Converts what the SQL that leads to schema `version` cannot (tables/conversion.c). */
tr_status tr_schema_convert(sqlite3 *db, int version, tr_error *error) TR_NODISCARD;

/* Those compiled in (migrations.c, made from the files at build time). */
extern const tr_migrations tr_schema_migrations;

typedef struct tr_schema_state {
    bool empty;  /* the file is empty, and its schema must be created */
    int version; /* of a catalogue */
} tr_schema_state;

/* TR_FAILED_PRECONDITION: not a catalogue, or of a newer schema than `latest`. */
tr_status tr_schema_inspect(sqlite3 *db, int latest, tr_schema_state *out,
                            tr_error *error) TR_NODISCARD;

/* From `version` (0: empty) to the last. */
tr_status tr_schema_migrate(sqlite3 *db, const tr_migrations *migrations, int version,
                            tr_error *error) TR_NODISCARD;

/* Is the schema exactly that of the migrations? TR_FAILED_PRECONDITION: the error names what is
 * extra, missing or different. */
tr_status tr_schema_compare(sqlite3 *db, const tr_migrations *migrations,
                            tr_error *error) TR_NODISCARD;
