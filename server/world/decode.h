/* From the wire to plain structs: requests that concern worlds, checked field by field.
 *
 * What a field may hold whatever the daemon's state is decided here: TR_INVALID_ARGUMENT with a
 * message that names the field. What depends on a world is decided where the command applies. */
#ifndef TROUPE_SERVER_DECODE_H
#define TROUPE_SERVER_DECODE_H

#include "server/world/command.h"
#include "server/world/play.h"

#include <troupe/envelope.pb-c.h>

/* A command without stamp, wire and found models. A restore has `saved` read and its pending
 * commands decoded; they carry their stamps. TR_RESOURCE_EXHAUSTED: no memory; TR_UNIMPLEMENTED: a
 * command this daemon does not know. */
tr_status tr_decode_command(const Troupe__Command *message, tr_command **out,
                            tr_error *error) TR_NODISCARD;

/* Everything but the id. */
tr_status tr_decode_world(const Troupe__CreateWorld *message, tr_play_def *out,
                          tr_error *error) TR_NODISCARD;

#endif
