#include "server/session/parting.h"

#include <stdlib.h>

/* The message: the session of a stepper has ended, and the world no longer waits for it. Its earlier
 * commands still apply. Not a command of the wire, but it is posted and admitted like one. */
static tr_status admit(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    (void)result;
    return tr_lockstep_leave(&loop->lockstep, command->stamp.session);
}

static const tr_command_kind kind = {
    .name = "departure",
    .at_once = true,
    .always_fits = true, /* a stepper that has left must never hold up a world */
    .quiet = true,
    .admit = admit,
};

static tr_command *departure_of(uint64_t session) {
    tr_command *command = tr_command_create(&kind);
    if (command) {
        command->stamp.session = session;
        command->silent = true;
    }
    return command;
}

struct tr_parting {
    uint32_t world;
    tr_command *command;
    tr_parting *next;
};

void tr_partings_send(tr_parting **partings, tr_worlds *worlds) {
    for (tr_parting *next, *parting = *partings; parting; parting = next) {
        next = parting->next;
        tr_hosted *hosted = tr_worlds_find(worlds, parting->world);
        if (!hosted || tr_hosted_post(hosted, parting->command))
            tr_command_destroy(parting->command);
        free(parting);
    }
    *partings = NULL;
}

/* Drops the messages to worlds that no longer exist. */
static void drop_stale(tr_parting **at, tr_worlds *worlds) {
    while (*at) {
        tr_parting *parting = *at;
        if (tr_worlds_find(worlds, parting->world)) {
            at = &parting->next;
            continue;
        }
        *at = parting->next;
        tr_command_destroy(parting->command);
        free(parting);
    }
}

tr_status tr_partings_add(tr_parting **partings, tr_worlds *worlds, uint32_t world,
                          uint64_t session) {
    for (const tr_parting *parting = *partings; parting; parting = parting->next)
        if (parting->world == world)
            return TR_OK;
    drop_stale(partings, worlds);
    tr_parting *parting = calloc(1, sizeof *parting);
    tr_command *command = departure_of(session);
    if (!parting || !command) {
        free(parting);
        tr_command_destroy(command);
        return TR_RESOURCE_EXHAUSTED;
    }
    *parting = (tr_parting){world, command, *partings};
    *partings = parting;
    return TR_OK;
}
