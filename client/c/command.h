/* Commands: changes of a world, in one message with the world and the tick. */
#pragma once

#include "client/c/exchange.h"

/* As TR_REQUEST:
 *
 *     return TR_COMMAND(client, at, Join, join, .order = order); */
#define TR_COMMAND(client, at, Message, name, ...)                                                 \
    tr_command_send(client, at, &(Troupe__##Message){TR_MESSAGE_BASE(name), __VA_ARGS__}.base)
#define TR_COMMAND_EMPTY(client, at, Message, name)                                                \
    tr_command_send(client, at, &(Troupe__##Message){TR_MESSAGE_BASE(name)}.base)

/* The functions of commands, a row each: alone, with their arguments, or with the members of a definition.
 *
 *     TR_COMMAND_ALONE(Pause, pause)                   // tr_client_pause(client, at)
 *     TR_COMMAND_OF(SetRate, set_rate, (double, rate)) // tr_client_set_rate(client, at, rate)
 *     TR_COMMAND_OF_DEF(Push, push, push_def, TR_COPY(entity, body, point, force, duration_s)) */
#define TR_COMMAND_OF(Message, request, ...)                                                       \
    uint64_t tr_client_##request(tr_client *client, tr_client_at at,                               \
                                 TR_EACH(TR_ARGUMENT, , , __VA_ARGS__)) {                          \
        return TR_COMMAND(client, at, Message, request,                                            \
                          TR_EACH(TR_ARGUMENT_SET, , , __VA_ARGS__));                              \
    }
#define TR_COMMAND_ALONE(Message, request)                                                         \
    uint64_t tr_client_##request(tr_client *client, tr_client_at at) {                             \
        return TR_COMMAND_EMPTY(client, at, Message, request);                                     \
    }
#define TR_COMMAND_OF_DEF(Message, request, Def, ...)                                              \
    const tr_mapping tr_##request##_mapping =                                                      \
        TR_MAPPING(tr_client_##Def, Message, request, __VA_ARGS__);                                \
    uint64_t tr_client_##request(tr_client *client, tr_client_at at, const tr_client_##Def *def) { \
        return tr_command_send_struct(client, at, &tr_##request##_mapping, def);                   \
    }

/* As soon as possible. */
#define TR_NOW(id) ((tr_client_at){.world = (id)})

/* As tr_request_send, with a message that Command has as a command. NULL: refused, because there
 * was no memory for it. */
uint64_t tr_command_send(tr_client *client, tr_client_at at, ProtobufCMessage *body);
uint64_t tr_command_send_struct(tr_client *client, tr_client_at at, const tr_mapping *mapping,
                                const void *from);

/* Of commands that are orders of an advance too (command_advance.c). */
extern const tr_mapping tr_push_mapping, tr_steer_mapping;
