#include "server/world/encode.h"

#include "proto/frame.h"
#include "proto/message.h"
#include "server/net/wire_writer.h"

#include <stdlib.h>
#include <string.h>

/* --- events --- */

static const uint32_t event_kinds[] = {
    [TR_EVENT_FELL] = TROUPE__EVENT_KIND__EVENT_KIND_FELL,
    [TR_EVENT_ROSE] = TROUPE__EVENT_KIND__EVENT_KIND_ROSE,
    [TR_EVENT_CONTROLLER_ENDED] = TROUPE__EVENT_KIND__EVENT_KIND_CONTROLLER_ENDED,
    [TR_EVENT_CONTROLLER_BEGAN] = TROUPE__EVENT_KIND__EVENT_KIND_CONTROLLER_BEGAN,
    [TR_EVENT_TOUCHED] = TROUPE__EVENT_KIND__EVENT_KIND_TOUCHED,
    [TR_EVENT_FAULT] = TROUPE__EVENT_KIND__EVENT_KIND_FAULT,
    [TR_EVENT_APPLIED] = TROUPE__EVENT_KIND__EVENT_KIND_APPLIED,
    [TR_EVENT_RESET] = TROUPE__EVENT_KIND__EVENT_KIND_RESET,
    [TR_EVENT_RESTORED] = TROUPE__EVENT_KIND__EVENT_KIND_RESTORED,
    [TR_EVENT_PAUSED] = TROUPE__EVENT_KIND__EVENT_KIND_PAUSED,
    [TR_EVENT_RESUMED] = TROUPE__EVENT_KIND__EVENT_KIND_RESUMED,
    [TR_EVENT_LATE] = TROUPE__EVENT_KIND__EVENT_KIND_LATE,
    [TR_EVENT_DROPPED] = TROUPE__EVENT_KIND__EVENT_KIND_DROPPED,
    [TR_EVENT_DESTROYED] = TROUPE__EVENT_KIND__EVENT_KIND_DESTROYED,
    [TR_EVENT_RECORDING_ENDED] = TROUPE__EVENT_KIND__EVENT_KIND_RECORDING_ENDED,
    [TR_EVENT_DIVERGED] = TROUPE__EVENT_KIND__EVENT_KIND_DIVERGED,
    [TR_EVENT_SOUGHT] = TROUPE__EVENT_KIND__EVENT_KIND_SOUGHT,
    [TR_EVENT_STEPPER_REMOVED] = TROUPE__EVENT_KIND__EVENT_KIND_STEPPER_REMOVED,
    [TR_EVENT_ARRIVED] = TROUPE__EVENT_KIND__EVENT_KIND_ARRIVED,
    [TR_EVENT_BLOCKED] = TROUPE__EVENT_KIND__EVENT_KIND_BLOCKED,
    [TR_EVENT_SCORED] = TROUPE__EVENT_KIND__EVENT_KIND_SCORED,
    [TR_EVENT_HOLD_BROKEN] = TROUPE__EVENT_KIND__EVENT_KIND_HOLD_BROKEN,
};

const tr_mapping tr_event_mapping =
    TR_MAPPING(tr_event, Event, event, TR_COPY_CHOICE(kind, event_kinds),
               TR_COPY(tick, epoch, entity, other, body, other_body, magnitude, text, session),
               TR_COPY_AS(request, request_id), TR_COPY_BYTES(command_size, command),
               TR_COPY_STATUS(status, code));

typedef struct batch {
    uint32_t world;
    int count;
    const tr_event *events;
} batch;

static const tr_mapping batch_mapping = TR_MAPPING(batch, EventBatch, event_batch, TR_COPY(world),
                                                   TR_COPY_LIST(count, events, tr_event_mapping));

tr_status tr_encode_events(uint32_t world, const tr_event *events, int count, tr_packet **out) {
    tr_mapping_memory memory = {0};
    void *message = tr_mapping_write(&batch_mapping, &(batch){world, count, events}, &memory);
    tr_status status = memory.failed ? TR_RESOURCE_EXHAUSTED : tr_encode_message(message, out);
    tr_mapping_free(&memory);
    return status;
}

static bool is_input(const Troupe__Event *event) {
    return event->command.len > 0 || event->kind == TROUPE__EVENT_KIND__EVENT_KIND_RESET ||
           event->kind == TROUPE__EVENT_KIND__EVENT_KIND_RESTORED ||
           event->kind == TROUPE__EVENT_KIND__EVENT_KIND_SOUGHT ||
           event->kind == TROUPE__EVENT_KIND__EVENT_KIND_DROPPED ||
           event->kind == TROUPE__EVENT_KIND__EVENT_KIND_DESTROYED;
}

tr_status tr_encode_inputs(uint32_t world, const tr_event *events, int count, int *out_count,
                           tr_packet **out) {
    tr_mapping_memory memory = {0};
    const void *message = tr_mapping_write(&batch_mapping, &(batch){world, count, events}, &memory);
    tr_status status =
        memory.failed ? TR_RESOURCE_EXHAUSTED : tr_encode_inputs_of(message, out_count, out);
    tr_mapping_free(&memory);
    return status;
}

tr_status tr_encode_inputs_of(const Troupe__EventBatch *all, int *out_count, tr_packet **out) {
    Troupe__EventBatch inputs = *all;
    tr_status status = TR_OK;
    inputs.n_events = 0;
    inputs.events = calloc(all->n_events + 1, sizeof(Troupe__Event *));
    for (size_t i = 0; inputs.events && i < all->n_events; i++)
        if (is_input(all->events[i]))
            inputs.events[inputs.n_events++] = all->events[i];
    *out_count = (int)inputs.n_events;
    if (!inputs.events)
        status = TR_RESOURCE_EXHAUSTED;
    else if (inputs.n_events > 0)
        status = tr_encode_message(&inputs.base, out);
    free(inputs.events);
    return status;
}

/* --- replies --- */

Troupe__CommandResult tr_command_result(const tr_reply *reply) {
    return (Troupe__CommandResult){TR_MESSAGE_BASE(command_result),
                                   .tick = reply->tick,
                                   .entity = reply->entity,
                                   .hash = reply->hash,
                                   .order = reply->order,
                                   .scenery = reply->scenery,
                                   .moved_from = (char *)reply->moved_from,
                                   .paused = reply->paused};
}

static tr_status encode_command_result(const tr_reply *reply, tr_packet **out) {
    Troupe__CommandResult result = tr_command_result(reply);
    if (reply->data)
        result.data = (ProtobufCBinaryData){reply->data->size, reply->data->bytes};
    Troupe__Response response =
        tr_response_of(reply->request, TROUPE__RESPONSE__RESULT_COMMAND, &result);
    return tr_encode_response(&response, out);
}

/* Response { request_id, field { all so far } } as a frame. */
static tr_status frame_response(tr_wire_writer *w, unsigned field, uint64_t request,
                                tr_packet **out) {
    enum { REQUEST_ID = 1 };
    tr_wire_wrap(w, field, 0);
    tr_wire_put_uint(w, REQUEST_ID, request);
    tr_wire_wrap(w, TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE, 0);
    size_t size = tr_wire_mark(w);
    tr_wire_put_varint(w, size);
    tr_status status = tr_wire_finish(w, out);
    if (status || size <= TR_FRAME_SERVER_MAX)
        return status;
    tr_packet_release(*out);
    *out = NULL;
    return TR_OUT_OF_RANGE;
}

static tr_wire_writer before_state(const tr_reply *reply) {
    return tr_wire_writer_before(reply->data, TR_FRAME_SERVER_MAX + TR_FRAME_PREFIX_MAX);
}

tr_status tr_encode_state_reply(const tr_reply *reply, tr_packet **out) {
    tr_wire_writer w = before_state(reply);
    return frame_response(&w, TROUPE__RESPONSE__RESULT_STATE, reply->request, out);
}

tr_status tr_encode_result_with_state(const tr_reply *reply, const Troupe__CommandResult *result,
                                      tr_packet **out) {
    enum { STATE = 6 }; /* of CommandResult */
    uint8_t bytes[TR_RESPONSE_MESSAGE_MAX + 128];
    tr_wire_writer w = before_state(reply);
    if (troupe__command_result__get_packed_size(result) > sizeof bytes)
        return TR_OUT_OF_RANGE;
    tr_wire_wrap(&w, STATE, 0);
    tr_wire_put_raw(&w, bytes, troupe__command_result__pack(result, bytes));
    return frame_response(&w, TROUPE__RESPONSE__RESULT_COMMAND, reply->request, out);
}

tr_status tr_encode_reply(const tr_reply *reply, tr_packet **out) {
    if (reply->error.status)
        return tr_encode_failure(reply->request, &reply->error, out);
    return reply->kind->encode ? reply->kind->encode(reply, out)
                               : encode_command_result(reply, out);
}
