/* Commands: changes of a world, in one message with the world and the tick. */
#ifndef TROUPE_CLIENT_COMMAND_H
#define TROUPE_CLIENT_COMMAND_H

#include "client/c/exchange.h"
#include "proto/mapping.h"

/* As TR_REQUEST:
 *
 *     return TR_COMMAND(client, at, Join, join, .order = order); */
#define TR_COMMAND(client, at, Message, name, ...)                                                 \
    tr_command_send(client, at, &(Troupe__##Message){TR_MESSAGE_BASE(name), __VA_ARGS__}.base)
#define TR_COMMAND_EMPTY(client, at, Message, name)                                                \
    tr_command_send(client, at, &(Troupe__##Message){TR_MESSAGE_BASE(name)}.base)

/* As soon as possible. */
#define TR_NOW(id) ((tr_client_at){.world = (id)})

/* As tr_request_send, with a message that Command has as a command. NULL: refused, for there was
 * no memory for it. */
uint64_t tr_command_send(tr_client *client, tr_client_at at, ProtobufCMessage *body);

/* Messages for both commands and the orders of an advance (command_advance.c), from `memory`. NULL:
 * no memory. */
Troupe__Push *tr_push_message(const tr_client_push_def *def, tr_mapping_memory *memory);
Troupe__Steer *tr_steer_message(const tr_client_steer_def *def, tr_mapping_memory *memory);

#endif
