#include "client/c/reply.h"

#include "proto/message.h"

#include <stdio.h>
#include <stdlib.h>

/* --- boxes --- */

tr_reply_box *tr_reply_box_create(Troupe__ServerMessage *take_message) {
    tr_reply_box *box = calloc(1, sizeof *box);
    if (!box) {
        tr_message_destroy((ProtobufCMessage *)take_message);
        return NULL;
    }
    box->message = take_message;
    box->reply.message = box->text;
    box->reply.next_page_token = "";
    return box;
}

void tr_reply_box_destroy(tr_reply_box *box) {
    if (!box)
        return;
    tr_record_free(&box->memory);
    tr_message_destroy((ProtobufCMessage *)box->message);
    free(box);
}

void tr_reply_fail(tr_reply_box *box, uint64_t request, tr_status status, const char *message) {
    snprintf(box->text, sizeof box->text, "%s", message);
    box->reply = (tr_client_reply){
        .request = request, .status = status, .message = box->text, .next_page_token = ""};
}

/* --- worlds and commands --- */

static const tr_record_field lateness_fields[] = {
    TR_COPY(tr_client_lateness, Troupe__Lateness, ticks),
    TR_COPY(tr_client_lateness, Troupe__Lateness, p50_s),
    TR_COPY(tr_client_lateness, Troupe__Lateness, p99_s),
    TR_COPY(tr_client_lateness, Troupe__Lateness, max_s), TR_RECORD_END};
static const tr_record lateness_record =
    TR_RECORD(tr_client_lateness, troupe__lateness, lateness_fields);

static const tr_record_field world_fields[] = {
    TR_COPY(tr_client_world, Troupe__WorldInfo, id),
    TR_COPY(tr_client_world, Troupe__WorldInfo, name),
    TR_COPY(tr_client_world, Troupe__WorldInfo, mode),
    TR_COPY(tr_client_world, Troupe__WorldInfo, seed),
    TR_COPY(tr_client_world, Troupe__WorldInfo, step_s),
    TR_COPY(tr_client_world, Troupe__WorldInfo, rate),
    TR_COPY(tr_client_world, Troupe__WorldInfo, paused),
    TR_COPY(tr_client_world, Troupe__WorldInfo, tick),
    TR_COPY(tr_client_world, Troupe__WorldInfo, time_s),
    TR_COPY(tr_client_world, Troupe__WorldInfo, epoch),
    TR_COPY(tr_client_world, Troupe__WorldInfo, character_count),
    TR_COPY(tr_client_world, Troupe__WorldInfo, object_count),
    TR_COPY(tr_client_world, Troupe__WorldInfo, subscriber_count),
    TR_COPY(tr_client_world, Troupe__WorldInfo, stepper_count),
    TR_COPY(tr_client_world, Troupe__WorldInfo, pending_commands),
    TR_COPY(tr_client_world, Troupe__WorldInfo, dropped_ticks),
    TR_COPY(tr_client_world, Troupe__WorldInfo, fault_rule),
    TR_COPY_ONE(tr_client_world, lateness, Troupe__WorldInfo, lateness, lateness_record),
    TR_COPY(tr_client_world, Troupe__WorldInfo, recorded_as),
    TR_COPY(tr_client_world, Troupe__WorldInfo, replay_of),
    TR_COPY(tr_client_world, Troupe__WorldInfo, owner_leaves),
    TR_COPY(tr_client_world, Troupe__WorldInfo, lease_s),
    TR_COPY(tr_client_world, Troupe__WorldInfo, step_timeout_s),
    TR_RECORD_END};
static const tr_record world_record = TR_RECORD(tr_client_world, troupe__world_info, world_fields);

static const tr_record_field worlds_fields[] = {
    TR_COPY_LIST(tr_client_reply, count, worlds, Troupe__WorldList, worlds, world_record),
    TR_RECORD_END};
static const tr_record worlds_record =
    TR_RECORD(tr_client_reply, troupe__world_list, worlds_fields);

static const tr_record_field applied_fields[] = {
    TR_COPY(tr_client_applied, Troupe__CommandResult, tick),
    TR_COPY(tr_client_applied, Troupe__CommandResult, entity),
    TR_COPY(tr_client_applied, Troupe__CommandResult, order),
    TR_COPY(tr_client_applied, Troupe__CommandResult, hash),
    TR_COPY_BYTES(tr_client_applied, size, data, Troupe__CommandResult, data),
    TR_RECORD_END};
static const tr_record applied_record =
    TR_RECORD(tr_client_applied, troupe__command_result, applied_fields);

static const tr_record_field refused_fields[] = {
    TR_COPY_AS(tr_client_advanced, refused_count, Troupe__Refused, count),
    TR_COPY_AS(tr_client_advanced, refused_part, Troupe__Refused, order),
    TR_COPY_STATUS(tr_client_advanced, refused_status, Troupe__Refused, code),
    TR_COPY_AS(tr_client_advanced, refused_message, Troupe__Refused, message), TR_RECORD_END};
static const tr_record refused_record =
    TR_RECORD(tr_client_advanced, troupe__refused, refused_fields);

static const tr_record_field pong_fields[] = {TR_COPY(tr_client_pong, Troupe__Pong, server_version),
                                              TR_COPY(tr_client_pong, Troupe__Pong, uptime_s),
                                              TR_COPY(tr_client_pong, Troupe__Pong, sessions),
                                              TR_COPY(tr_client_pong, Troupe__Pong, worlds),
                                              TR_RECORD_END};
static const tr_record pong_record = TR_RECORD(tr_client_pong, troupe__pong, pong_fields);

static const tr_record_field subscription_fields[] = {
    TR_COPY(tr_client_subscription, Troupe__SubscribeResult, world),
    TR_COPY(tr_client_subscription, Troupe__SubscribeResult, every_ticks),
    TR_COPY(tr_client_subscription, Troupe__SubscribeResult, tick), TR_RECORD_END};
static const tr_record subscription_record =
    TR_RECORD(tr_client_subscription, troupe__subscribe_result, subscription_fields);

/* --- responses --- */

static const tr_result_row results[] = {
    TR_RESULT(COMMAND, APPLIED, applied, applied_record),
    TR_RESULT(PONG, PONG, pong, pong_record),
    TR_RESULT_LIST(WORLD_LIST, WORLDS, worlds_record),
    TR_RESULT(WORLD, WORLD, world, world_record),
    TR_RESULT(SUBSCRIBE, SUBSCRIPTION, subscription, subscription_record),
    TR_RESULTS_END};

static const tr_result_row *find_in(const tr_result_row *table,
                                    Troupe__Response__ResultCase result) {
    while (table->record && table->result != result)
        table++;
    return table->record ? table : NULL;
}

/* NULL: nothing that this client knows. */
static const tr_result_row *find_row(Troupe__Response__ResultCase result) {
    const tr_result_row *row = find_in(results, result);
    if (!row)
        row = find_in(tr_catalogue_results, result);
    if (!row)
        row = find_in(tr_match_results, result);
    return row ? row : find_in(tr_recording_results, result);
}

static tr_status decode_advanced(tr_reply_box *box, const Troupe__CommandResult *result) {
    tr_client_advanced *advanced = &box->reply.advanced;
    box->reply.kind = TR_CLIENT_REPLY_ADVANCED;
    tr_record_read(&refused_record, result->refused, advanced, &box->memory);
    advanced->tick = result->tick;
    return tr_reply_state(box, result->state, &advanced->state);
}

static tr_status decode_result(tr_reply_box *box, const Troupe__Response *response) {
    const tr_result_row *row = find_row(response->result_case);
    if (!row)
        return TR_OK;
    box->reply.kind = row->kind;
    const void *message = response->pong; /* whichever it is: they share their place */
    tr_record_read(row->record, message, (unsigned char *)&box->reply + row->offset, &box->memory);
    if (row->finish)
        row->finish(box, message);
    return box->memory.failed ? TR_RESOURCE_EXHAUSTED : TR_OK;
}

tr_status tr_reply_decode(tr_reply_box *box) {
    const Troupe__Response *response = box->message->response;
    box->reply.request = response->request_id;
    box->reply.status = tr_record_status(response->code);
    box->reply.message = response->message;
    if (box->reply.status)
        return TR_OK;
    if (response->result_case == TROUPE__RESPONSE__RESULT_COMMAND && response->command->state)
        return decode_advanced(box, response->command);
    if (response->result_case != TROUPE__RESPONSE__RESULT_STATE)
        return decode_result(box, response);
    box->reply.kind = TR_CLIENT_REPLY_STATE;
    return tr_reply_state(box, response->state, &box->reply.state);
}
