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
    TR_MAPPING(tr_client_lateness, Lateness, lateness, TR_COPY(ticks, p50_s, p99_s, max_s));

const tr_mapping tr_client_world_mapping =
    TR_MAPPING(tr_client_world, WorldInfo, world_info,
               TR_COPY(id, name, mode, seed, step_s, rate, paused, look_ahead, tick, time_s, epoch,
                       character_count, object_count, subscriber_count, stepper_count,
                       pending_commands, dropped_ticks, fault_rule),
               TR_COPY_ONE(lateness, lateness_mapping),
               TR_COPY(recorded_as, replay_of, owner_leaves, lease_s, step_timeout_s, moved_from,
                       arriving, processor_s, over_budget, contacts_dropped, searches_cut));

const tr_mapping tr_client_applied_mapping = TR_MAPPING(
    tr_client_applied, CommandResult, command_result,
    TR_COPY(tick, entity, order, scenery, hash, moved_from, paused), TR_COPY_BYTES(size, data));

static const tr_mapping refused_mapping =
    TR_MAPPING(tr_client_advanced, Refused, refused, TR_COPY_AS(refused_count, count),
               TR_COPY_AS(refused_part, order), TR_COPY_STATUS(refused_status, code),
               TR_COPY_AS(refused_message, message));

const tr_mapping tr_client_pong_mapping =
    TR_MAPPING(tr_client_pong, Pong, pong, TR_COPY(server_version, uptime_s, sessions, worlds));

static const tr_mapping subscription_mapping = TR_MAPPING(
    tr_client_subscription, SubscribeResult, subscribe_result, TR_COPY(world, every_ticks, tick));

static const tr_mapping moved_mapping =
    TR_MAPPING(tr_client_moved_world, MovedWorld, moved_world, TR_COPY(name, moved_to, moved_from));

/* --- responses --- */

static const tr_result_row results[] = {
    TR_RESULT(COMMAND, APPLIED, applied, tr_client_applied_mapping),
    TR_RESULT(PONG, PONG, pong, tr_client_pong_mapping),
    TR_RESULT_LIST(WORLD_LIST, WORLDS, WorldList, world_list,
                   TR_COPY_LIST(count, worlds, tr_client_world_mapping),
                   TR_COPY_LIST(moved_count, moved, moved_mapping)),
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
    if (!row)
        row = find_in(tr_recording_results, result);
    return row ? row : find_in(tr_training_results, result);
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
    if (box->message->message_case != TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE)
        return TR_DATA_LOSS;
    const Troupe__Response *response = box->message->response;
    box->reply.request = response->request_id;
    box->reply.status = tr_mapping_status(response->code);
    box->reply.message = response->message;
    if (box->reply.status)
        return TR_OK;
    if (response->result_case == TROUPE__RESPONSE__RESULT_COMMAND && response->command->state) {
        tr_client_advanced *advanced = &box->reply.advanced;
        box->reply.kind = TR_CLIENT_REPLY_ADVANCED;
        tr_mapping_read(&refused_mapping, response->command->refused, advanced, &box->memory);
        advanced->tick = response->command->tick;
        return tr_reply_state(box, response->command->state, &advanced->state);
    }
    if (response->result_case != TROUPE__RESPONSE__RESULT_STATE)
        return decode_result(box, response);
    box->reply.kind = TR_CLIENT_REPLY_STATE;
    return tr_reply_state(box, response->state, &box->reply.state);
}
