/* Commands: what changes a world, in one envelope with where and when. */
#ifndef TROUPE_CLIENT_COMMAND_H
#define TROUPE_CLIENT_COMMAND_H

#include "client/c/exchange.h"

/* An empty command on the stack, for a command function to fill. */
Troupe__Command tr_command_begin(tr_client_at at, Troupe__Command__CommandCase which);

/* Messages from definitions. They point at the vectors given, and where the definition points. */
Troupe__SetOffset tr_set_offset_message(uint32_t entity, const double *offset, size_t size);
Troupe__Steer tr_steer_message(const tr_client_steer_def *def, Troupe__Vec3 *target);
Troupe__Push tr_push_message(const tr_client_push_def *def, Troupe__Vec3 *point,
                             Troupe__Vec3 *force);

/* As tr_request_send. */
uint64_t tr_command_send(tr_client *client, Troupe__Command *command);

#endif
