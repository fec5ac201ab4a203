/* Commands about a world as a whole: its time, its mark, its snapshots. */
#include "client/c/command.h"

Troupe__Command tr_command_begin(tr_client_at at, Troupe__Command__CommandCase which) {
    Troupe__Command command = TROUPE__COMMAND__INIT;
    command.world = at.world;
    command.at_tick = at.tick;
    command.command_case = which;
    return command;
}

uint64_t tr_command_send(tr_client *client, Troupe__Command *command) {
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND);
    message.command = command;
    return tr_request_send(client, &message);
}

uint64_t tr_client_pause(tr_client *client, tr_client_at at) {
    Troupe__Pause pause = TROUPE__PAUSE__INIT;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_PAUSE);
    command.pause = &pause;
    return tr_command_send(client, &command);
}

uint64_t tr_client_resume(tr_client *client, tr_client_at at) {
    Troupe__Resume resume = TROUPE__RESUME__INIT;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_RESUME);
    command.resume = &resume;
    return tr_command_send(client, &command);
}

uint64_t tr_client_set_rate(tr_client *client, tr_client_at at, double rate) {
    Troupe__SetRate set = TROUPE__SET_RATE__INIT;
    set.rate = rate;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_SET_RATE);
    command.set_rate = &set;
    return tr_command_send(client, &command);
}

uint64_t tr_client_join(tr_client *client, tr_client_at at, uint32_t order) {
    Troupe__Join join = TROUPE__JOIN__INIT;
    join.order = order;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_JOIN);
    command.join = &join;
    return tr_command_send(client, &command);
}

uint64_t tr_client_leave(tr_client *client, tr_client_at at) {
    Troupe__Leave leave = TROUPE__LEAVE__INIT;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_LEAVE);
    command.leave = &leave;
    return tr_command_send(client, &command);
}

uint64_t tr_client_step(tr_client *client, tr_client_at at, uint32_t count) {
    Troupe__Step step = TROUPE__STEP__INIT;
    step.count = count;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_STEP);
    command.step = &step;
    return tr_command_send(client, &command);
}

uint64_t tr_client_mark(tr_client *client, tr_client_at at) {
    Troupe__Mark mark = TROUPE__MARK__INIT;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_MARK);
    command.mark = &mark;
    return tr_command_send(client, &command);
}

uint64_t tr_client_reset(tr_client *client, tr_client_at at) {
    Troupe__Reset reset = TROUPE__RESET__INIT;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_RESET);
    command.reset = &reset;
    return tr_command_send(client, &command);
}

uint64_t tr_client_snapshot(tr_client *client, tr_client_at at) {
    Troupe__Snapshot snapshot = TROUPE__SNAPSHOT__INIT;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_SNAPSHOT);
    command.snapshot = &snapshot;
    return tr_command_send(client, &command);
}

uint64_t tr_client_restore(tr_client *client, tr_client_at at, const uint8_t *data, size_t size) {
    if (size > (size_t)TR_SNAPSHOT_MAX)
        return tr_request_refuse(client, TR_OUT_OF_RANGE,
                                 "the snapshot is larger than the protocol allows");
    union {
        const uint8_t *given;
        uint8_t *wanted; /* by protobuf-c, which only reads it */
    } bytes = {.given = data};
    Troupe__Restore restore = TROUPE__RESTORE__INIT;
    restore.data.len = size;
    restore.data.data = bytes.wanted;
    Troupe__Command command = tr_command_begin(at, TROUPE__COMMAND__COMMAND_RESTORE);
    command.restore = &restore;
    return tr_command_send(client, &command);
}
