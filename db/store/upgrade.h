/* Upgrades of older files: reads through an upgraded copy, or saves a copy before the upgrade.
 * Inside db/ only.
 *
 * A file that may not be written (a bundle, a catalogue opened for reading) is copied into a
 * private database, which is migrated. A catalogue opened for writing is migrated in place, after
 * an unchanged copy has been saved beside it: "PATH.schema-7" is the catalogue for a build that
 * knows no newer schema than 7. */
#pragma once

#include "proto/status.h"

#include <sqlite3.h>

/* Replaces the connection *db, to a file of schema `version`, the present one or older, with one to
 * its migrated copy, for reading; the file does not change. On failure *db stays open and
 * unchanged. */
tr_status tr_upgrade_copy(sqlite3 **db, int version, tr_error *error) TR_NODISCARD;

/* Copies the database `db` of schema `version` to "PATH.schema-VERSION", complete and on disk when
 * this returns; an existing copy is replaced atomically. TR_RESOURCE_EXHAUSTED: the disk is
 * full. */
tr_status tr_upgrade_keep(sqlite3 *db, const char *path, int version, tr_error *error) TR_NODISCARD;
