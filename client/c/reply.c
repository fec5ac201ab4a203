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
    tr_mapping_free(&box->memory);
    tr_message_destroy((ProtobufCMessage *)box->message);
    free(box);
}

void tr_reply_fail(tr_reply_box *box, uint64_t request, tr_status status, const char *message) {
    snprintf(box->text, sizeof box->text, "%s", message);
    box->reply = (tr_client_reply){
        .request = request, .status = status, .message = box->text, .next_page_token = ""};
}

/* --- worlds and commands --- */

static const tr_mapping lateness_mapping =
    TR_MAPPING(tr_client_lateness, troupe__lateness,
               TR_COPY(tr_client_lateness, Troupe__Lateness, ticks, p50_s, p99_s, max_s));

const tr_mapping tr_client_world_mapping = TR_MAPPING(
    tr_client_world, troupe__world_info,
    TR_COPY(tr_client_world, Troupe__WorldInfo, id, name, mode, seed, step_s, rate, paused, tick,
            time_s, epoch, character_count, object_count, subscriber_count, stepper_count,
            pending_commands, dropped_ticks, fault_rule),
    TR_COPY_ONE(tr_client_world, lateness, Troupe__WorldInfo, lateness, lateness_mapping),
    TR_COPY(tr_client_world, Troupe__WorldInfo, recorded_as, replay_of, owner_leaves, lease_s,
            step_timeout_s));

static const tr_mapping worlds_mapping =
    TR_MAPPING(tr_client_reply, troupe__world_list,
               TR_COPY_LIST(tr_client_reply, count, worlds, Troupe__WorldList, worlds,
                            tr_client_world_mapping));

const tr_mapping tr_client_applied_mapping = TR_MAPPING(
    tr_client_applied, troupe__command_result,
    TR_COPY(tr_client_applied, Troupe__CommandResult, tick, entity, order, scenery, hash),
    TR_COPY_BYTES(tr_client_applied, size, data, Troupe__CommandResult, data));

static const tr_mapping refused_mapping =
    TR_MAPPING(tr_client_advanced, troupe__refused,
               TR_COPY_AS(tr_client_advanced, refused_count, Troupe__Refused, count),
               TR_COPY_AS(tr_client_advanced, refused_part, Troupe__Refused, order),
               TR_COPY_STATUS(tr_client_advanced, refused_status, Troupe__Refused, code),
               TR_COPY_AS(tr_client_advanced, refused_message, Troupe__Refused, message));

const tr_mapping tr_client_pong_mapping =
    TR_MAPPING(tr_client_pong, troupe__pong,
               TR_COPY(tr_client_pong, Troupe__Pong, server_version, uptime_s, sessions, worlds));

static const tr_mapping subscription_mapping =
    TR_MAPPING(tr_client_subscription, troupe__subscribe_result,
               TR_COPY(tr_client_subscription, Troupe__SubscribeResult, world, every_ticks, tick));

/* --- responses --- */

static const tr_result_row results[] = {
    TR_RESULT(COMMAND, APPLIED, applied, tr_client_applied_mapping),
    TR_RESULT(PONG, PONG, pong, tr_client_pong_mapping),
    TR_RESULT_LIST(WORLD_LIST, WORLDS, worlds_mapping),
    TR_RESULT(WORLD, WORLD, world, tr_client_world_mapping),
    TR_RESULT(SUBSCRIBE, SUBSCRIPTION, subscription, subscription_mapping),
    TR_RESULTS_END};

static const tr_result_row *find_in(const tr_result_row *table,
                                    Troupe__Response__ResultCase result) {
    while (table->mapping && table->result != result)
        table++;
    return table->mapping ? table : NULL;
}

/* NULL: a kind of result that this client does not know. */
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
    tr_mapping_read(&refused_mapping, result->refused, advanced, &box->memory);
    advanced->tick = result->tick;
    return tr_reply_state(box, result->state, &advanced->state);
}

static tr_status decode_result(tr_reply_box *box, const Troupe__Response *response) {
    const tr_result_row *row = find_row(response->result_case);
    if (!row)
        return TR_OK;
    box->reply.kind = row->kind;
    const void *message = response->pong; /* any member of the oneof: all share this place */
    tr_mapping_read(row->mapping, message, (unsigned char *)&box->reply + row->offset,
                    &box->memory);
    if (row->finish)
        row->finish(box, message);
    return box->memory.failed ? TR_RESOURCE_EXHAUSTED : TR_OK;
}

tr_status tr_reply_decode(tr_reply_box *box) {
    const Troupe__Response *response = box->message->response;
    box->reply.request = response->request_id;
    box->reply.status = tr_mapping_status(response->code);
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
