/* The cast of a recording: whether the models and controllers at hand are those it was made with, and
 * which of them its commands mean. Pure functions. */
#ifndef TROUPE_SERVER_RECORDING_CAST_H
#define TROUPE_SERVER_RECORDING_CAST_H

#include "server/catalogue/cast.h"
#include "server/recording/recording.h"
#include "server/world/command.h"

/* TR_NOT_FOUND: names a model or controller that the cast lacks, or has another of. */
tr_status tr_recording_cast_check(const tr_cast *cast, const tr_recording_info *info,
                                  tr_error *error) TR_NODISCARD;

/* The command that a record holds, with what it names out of the cast; the caller's to destroy.
 * NULL: not one that a recording may hold, or no memory. */
tr_command *tr_recording_cast_command(const tr_cast *cast, const tr_command_table *commands,
                                      const tr_record *record);

#endif
