/* Commands about a world as a whole: its time, its reset point, its snapshots. */
#include "client/c/command.h"

uint64_t tr_command_send(tr_client *client, tr_client_at at, Troupe__Command *command) {
    command->world = at.world;
    command->at_tick = at.tick;
    return TR_REQUEST(client, COMMAND, command, command);
}

uint64_t tr_client_pause(tr_client *client, tr_client_at at) {
    return TR_COMMAND(client, at, PAUSE, pause, &(Troupe__Pause){TR_MESSAGE(pause)});
}

uint64_t tr_client_resume(tr_client *client, tr_client_at at) {
    return TR_COMMAND(client, at, RESUME, resume, &(Troupe__Resume){TR_MESSAGE(resume)});
}

uint64_t tr_client_set_rate(tr_client *client, tr_client_at at, double rate) {
    return TR_COMMAND_WITH(client, at, SET_RATE, set_rate, Troupe__SetRate, .rate = rate);
}

uint64_t tr_client_join(tr_client *client, tr_client_at at, uint32_t order) {
    return TR_COMMAND_WITH(client, at, JOIN, join, Troupe__Join, .order = order);
}

uint64_t tr_client_leave(tr_client *client, tr_client_at at) {
    return TR_COMMAND(client, at, LEAVE, leave, &(Troupe__Leave){TR_MESSAGE(leave)});
}

uint64_t tr_client_step(tr_client *client, tr_client_at at, uint32_t count) {
    return TR_COMMAND_WITH(client, at, STEP, step, Troupe__Step, .count = count);
}

uint64_t tr_client_mark(tr_client *client, tr_client_at at) {
    return TR_COMMAND(client, at, MARK, mark, &(Troupe__Mark){TR_MESSAGE(mark)});
}

uint64_t tr_client_reset(tr_client *client, tr_client_at at) {
    return TR_COMMAND(client, at, RESET, reset, &(Troupe__Reset){TR_MESSAGE(reset)});
}

uint64_t tr_client_snapshot(tr_client *client, tr_client_at at) {
    return TR_COMMAND(client, at, SNAPSHOT, snapshot, &(Troupe__Snapshot){TR_MESSAGE(snapshot)});
}

uint64_t tr_client_restore(tr_client *client, tr_client_at at, const uint8_t *data, size_t size) {
    if (size > (size_t)TR_SNAPSHOT_MAX)
        return tr_request_refuse(client, TR_OUT_OF_RANGE,
                                 "the snapshot is larger than the protocol allows");
    return TR_COMMAND_WITH(client, at, RESTORE, restore, Troupe__Restore,
                           .data = tr_request_bytes(data, size));
}
