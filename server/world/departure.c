#include "server/world/departure.h"

#include "server/world/world_loop.h"

static void admit(tr_world_loop *loop, tr_command *command) {
    tr_reply result = {0};
    (void)!tr_lockstep_leave(&loop->lockstep, command->stamp.session);
    tr_world_loop_answer(loop, command, &result);
}

static const tr_command_kind kind = {
    .name = "departure",
    .at_once = true,
    .always_fits = true, /* a stepper that has left must never hold up a world */
    .quiet = true,
    .admit = admit,
};

tr_command *tr_departure_create(uint64_t session) {
    tr_command *command = tr_command_create(&kind);
    if (command) {
        command->stamp.session = session;
        command->silent = true;
    }
    return command;
}
