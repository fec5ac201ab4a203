/* Files that replace another atomically. Inside db/ only. */
#pragma once

#include "proto/status.h"

/* Renames `partial`, which is complete and on disk, to `path` and syncs the folder: opening `path`
 * finds the complete old file or the complete new one. */
tr_status tr_file_replace(const char *partial, const char *path, tr_error *error) TR_NODISCARD;
