/* Commands about a world as a whole: its time, its reset point, its snapshots. */
#include "client/c/command.h"

uint64_t tr_command_send(tr_client *client, tr_client_at at, ProtobufCMessage *body) {
    Troupe__Command command = TROUPE__COMMAND__INIT;
    if (!body)
        return tr_exchange_refuse(client, TR_RESOURCE_EXHAUSTED, "no memory for the request");
    command.world = at.world;
    command.at_tick = at.tick;
    command.world_name = tr_request_text(at.world_name);
    command.entity_name = tr_request_text(at.entity_name);
    tr_message_choose(&command.base, body);
    return tr_request_send(client, &command.base);
}

uint64_t tr_command_send_struct(tr_client *client, tr_client_at at, const tr_mapping *mapping,
                                const void *from) {
    tr_mapping_memory memory = {0};
    ProtobufCMessage *body = tr_mapping_write(mapping, from, &memory);
    uint64_t request = tr_command_send(client, at, memory.failed ? NULL : body);
    tr_mapping_free(&memory);
    return request;
}

TR_COMMAND_ALONE(Pause, pause)
TR_COMMAND_ALONE(Resume, resume)
TR_COMMAND_OF(SetRate, set_rate, (double, rate))
TR_COMMAND_OF(Join, join, (uint32_t, order))
TR_COMMAND_ALONE(Leave, leave)
TR_COMMAND_ALONE(Mark, mark)
TR_COMMAND_ALONE(Reset, reset)
TR_COMMAND_ALONE(Snapshot, snapshot)

uint64_t tr_client_step(tr_client *client, tr_client_at at, uint32_t count) {
    return TR_COMMAND(client, at, Step, step, .has_count_case = TROUPE__STEP__HAS_COUNT_COUNT,
                      .count = count);
}

uint64_t tr_client_hold_world(tr_client *client, tr_client_at at, double hold_s) {
    return TR_COMMAND(client, at, Snapshot, snapshot, .hold = true,
                      .has_hold_s_case = TROUPE__SNAPSHOT__HAS_HOLD_S_HOLD_S, .hold_s = hold_s);
}

uint64_t tr_client_restore(tr_client *client, tr_client_at at, const uint8_t *data, size_t size) {
    if (size > (size_t)TR_SNAPSHOT_MAX)
        return tr_exchange_refuse(client, TR_OUT_OF_RANGE,
                                  "the snapshot is larger than the protocol allows");
    return TR_COMMAND(client, at, Restore, restore, .data = tr_request_bytes(data, size));
}
