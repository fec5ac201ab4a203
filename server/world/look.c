#include "server/world/look.h"

#include "server/world/encode.h"
#include "server/world/world_loop.h"

typedef struct look {
    uint32_t fields;
} look;

static tr_status admit(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_command_queue_insert(&loop->looks, command);
    result->waits = true;
    return TR_OK;
}

static const tr_command_kind kind = {
    .name = "get_state",
    .at_once = true,
    .quiet = true,
    .data_size = sizeof(look),
    .encode = tr_encode_state_reply,
    .admit = admit,
};

tr_command *tr_look_create(uint32_t fields) {
    tr_command *command = tr_command_create(&kind);
    if (command)
        ((look *)command->data)->fields = fields;
    return command;
}

uint32_t tr_look_fields(const tr_command *command) {
    return ((const look *)command->data)->fields;
}
