/* The cast of a recording: checks that the catalogue's models and controllers are those it was made
 * with, and finds those that its commands name. Pure functions. */
#pragma once

#include "server/catalogue/cast.h"
#include "server/recording/recording.h"
#include "server/world/command.h"

/* TR_NOT_FOUND: the cast lacks a model or controller, or has a different one; the error names
 * it. */
tr_status tr_recording_cast_check(const tr_cast *cast, const tr_recording_info *info,
                                  tr_error *error) TR_NODISCARD;

/* The command of a record, bound to the cast; the caller destroys it. NULL: a recording may not
 * hold this command, or no memory. */
tr_command *tr_recording_cast_command(const tr_cast *cast, const tr_command_table *commands,
                                      const tr_record *record);
