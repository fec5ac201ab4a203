/* Commands: changes of a world, in one message with the world and the tick. */
#ifndef TROUPE_CLIENT_COMMAND_H
#define TROUPE_CLIENT_COMMAND_H

#include "client/c/exchange.h"
#include "proto/mapping.h"

/* As TR_REQUEST:
 *
 *     return TR_COMMAND(client, at, JOIN, join, &(Troupe__Join){TR_MESSAGE(join), .order = order}); */
#define TR_COMMAND(client, at, COMMAND, member, ...)                                               \
    tr_command_send(client, at,                                                                    \
                    &(Troupe__Command){TR_MESSAGE(command),                                        \
                                       .command_case = TROUPE__COMMAND__COMMAND_##COMMAND,         \
                                       .member = __VA_ARGS__})

#define TR_COMMAND_WITH(client, at, COMMAND, member, Message, ...)                                 \
    TR_COMMAND(client, at, COMMAND, member, &(Message){TR_MESSAGE(member), __VA_ARGS__})

/* As tr_request_send; sets the world and the tick of the command. */
uint64_t tr_command_send(tr_client *client, tr_client_at at, Troupe__Command *command);

/* Messages for both commands and the orders of an advance (command_advance.c), from `memory`. NULL:
 * no memory. */
Troupe__Push *tr_push_message(const tr_client_push_def *def, tr_mapping_memory *memory);
Troupe__Steer *tr_steer_message(const tr_client_steer_def *def, tr_mapping_memory *memory);

/* Refuses a command if there is no memory for its message. */
#define TR_COMMAND_OF(client, at, COMMAND, member, message)                                        \
    ((message) ? TR_COMMAND(client, at, COMMAND, member, message)                                  \
               : tr_request_refuse(client, TR_RESOURCE_EXHAUSTED, "no memory for the request"))

#endif
