/* Commands: what changes a world, in one envelope with where and when. */
#ifndef TROUPE_CLIENT_COMMAND_H
#define TROUPE_CLIENT_COMMAND_H

#include "client/exchange.h"

/* An empty command on the stack, for a command function to fill. */
Troupe__Command tr_command_begin(tr_client_at at, Troupe__Command__CommandCase which);

/* As tr_request_send. */
uint64_t tr_command_send(tr_client *client, Troupe__Command *command);

#endif
