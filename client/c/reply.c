#include "client/c/reply.h"

#include "proto/message.h"

#include <stdio.h>
#include <stdlib.h>

/* --- boxes --- */

struct tr_reply_block {
    tr_reply_block *next;
    max_align_t data[];
};

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
    while (box->blocks) {
        tr_reply_block *next = box->blocks->next;
        free(box->blocks);
        box->blocks = next;
    }
    tr_message_destroy((ProtobufCMessage *)box->message);
    free(box);
}

void *tr_reply_array(tr_reply_box *box, size_t count, size_t size) {
    if (count == 0)
        return NULL;
    tr_reply_block *block =
        calloc(1, sizeof *block + count * size); /* count is bounded by the frame's limit */
    if (!block) {
        box->failed = true;
        return NULL;
    }
    block->next = box->blocks;
    box->blocks = block;
    return block->data;
}

void tr_reply_fail(tr_reply_box *box, uint64_t request, tr_status status, const char *message) {
    snprintf(box->text, sizeof box->text, "%s", message);
    box->reply = (tr_client_reply){
        .request = request, .status = status, .message = box->text, .next_page_token = ""};
}

tr_status tr_reply_status(Troupe__StatusCode code) {
    int value = -(int)code;
    return value <= TR_OK && value >= TR_UNAUTHENTICATED ? (tr_status)value : TR_UNKNOWN;
}

/* --- worlds and commands --- */

static tr_client_lateness lateness_of(const Troupe__Lateness *told) {
    if (told == NULL)
        return (tr_client_lateness){0};
    return (tr_client_lateness){told->ticks, told->p50_s, told->p99_s, told->max_s};
}

tr_client_world tr_reply_world(const Troupe__WorldInfo *info) {
    return (tr_client_world){
        .id = info->id,
        .name = info->name,
        .mode = (tr_client_mode)info->mode,
        .seed = info->seed,
        .step_s = info->step_s,
        .rate = info->rate,
        .paused = info->paused,
        .tick = info->tick,
        .time_s = info->time_s,
        .epoch = info->epoch,
        .character_count = info->character_count,
        .object_count = info->object_count,
        .subscriber_count = info->subscriber_count,
        .stepper_count = info->stepper_count,
        .pending_commands = info->pending_commands,
        .dropped_ticks = info->dropped_ticks,
        .fault_rule = (tr_client_fault_rule)info->fault_rule,
        .lateness = lateness_of(info->lateness),
        .recorded_as = info->recorded_as,
        .replay_of = info->replay_of,
        .owner_leaves = (tr_client_owner_leaves)info->owner_leaves,
        .lease_s = info->lease_s,
        .step_timeout_s = info->step_timeout_s,
    };
}

static void decode_worlds(tr_reply_box *box, const Troupe__WorldList *list) {
    tr_client_world *worlds = tr_reply_array(box, list->n_worlds, sizeof *worlds);
    if (!worlds)
        return;
    for (size_t i = 0; i < list->n_worlds; ++i)
        worlds[i] = tr_reply_world(list->worlds[i]);
    box->reply.worlds = worlds;
    box->reply.count = (int)list->n_worlds;
}

static tr_client_applied decode_applied(const Troupe__CommandResult *result) {
    return (tr_client_applied){.tick = result->tick,
                               .entity = result->entity,
                               .order = result->order,
                               .hash = result->hash,
                               .data = result->data.data,
                               .size = result->data.len};
}

static tr_status decode_advanced(tr_reply_box *box, const Troupe__CommandResult *result) {
    tr_client_advanced *advanced = &box->reply.advanced;
    const Troupe__Refused *refused = result->refused;
    *advanced = (tr_client_advanced){.tick = result->tick, .refused_message = ""};
    if (refused) {
        advanced->refused_count = (int)refused->count;
        advanced->refused_part = (int)refused->order;
        advanced->refused_status = tr_reply_status(refused->code);
        advanced->refused_message = refused->message;
    }
    return tr_reply_state(box, result->state, &advanced->state);
}

static tr_client_pong decode_pong(const Troupe__Pong *pong) {
    return (tr_client_pong){.server_version = pong->server_version,
                            .uptime_s = pong->uptime_s,
                            .sessions = pong->sessions,
                            .worlds = pong->worlds};
}

static tr_client_subscription decode_subscription(const Troupe__SubscribeResult *result) {
    return (tr_client_subscription){
        .world = result->world, .every_ticks = result->every_ticks, .tick = result->tick};
}

/* --- responses --- */

/* Kinds by the number of the result in envelope.proto. */
static tr_client_reply_kind kind_of(Troupe__Response__ResultCase result) {
    static const struct {
        Troupe__Response__ResultCase result;
        tr_client_reply_kind kind;
    } kinds[] = {
        {TROUPE__RESPONSE__RESULT_COMMAND, TR_CLIENT_REPLY_APPLIED},
        {TROUPE__RESPONSE__RESULT_PONG, TR_CLIENT_REPLY_PONG},
        {TROUPE__RESPONSE__RESULT_MODEL_LIST, TR_CLIENT_REPLY_MODELS},
        {TROUPE__RESPONSE__RESULT_MODEL, TR_CLIENT_REPLY_MODEL},
        {TROUPE__RESPONSE__RESULT_CLIP_LIST, TR_CLIENT_REPLY_CLIPS},
        {TROUPE__RESPONSE__RESULT_CLIP, TR_CLIENT_REPLY_CLIP},
        {TROUPE__RESPONSE__RESULT_RUN_LIST, TR_CLIENT_REPLY_RUNS},
        {TROUPE__RESPONSE__RESULT_RUN, TR_CLIENT_REPLY_RUN},
        {TROUPE__RESPONSE__RESULT_CONTROLLER_LIST, TR_CLIENT_REPLY_CONTROLLERS},
        {TROUPE__RESPONSE__RESULT_CONTROLLER, TR_CLIENT_REPLY_CONTROLLER},
        {TROUPE__RESPONSE__RESULT_LINEAGE, TR_CLIENT_REPLY_LINEAGE},
        {TROUPE__RESPONSE__RESULT_CERTIFICATE, TR_CLIENT_REPLY_CERTIFICATE},
        {TROUPE__RESPONSE__RESULT_WORLD_LIST, TR_CLIENT_REPLY_WORLDS},
        {TROUPE__RESPONSE__RESULT_WORLD, TR_CLIENT_REPLY_WORLD},
        {TROUPE__RESPONSE__RESULT_SUBSCRIBE, TR_CLIENT_REPLY_SUBSCRIPTION},
        {TROUPE__RESPONSE__RESULT_STATE, TR_CLIENT_REPLY_STATE},
        {TROUPE__RESPONSE__RESULT_MATCH, TR_CLIENT_REPLY_MATCH},
        {TROUPE__RESPONSE__RESULT_MATCH_LIST, TR_CLIENT_REPLY_MATCHES},
        {TROUPE__RESPONSE__RESULT_MATCH_DETAIL, TR_CLIENT_REPLY_MATCH_DETAIL},
        {TROUPE__RESPONSE__RESULT_RECORDING_LIST, TR_CLIENT_REPLY_RECORDINGS},
        {TROUPE__RESPONSE__RESULT_RECORDING, TR_CLIENT_REPLY_RECORDING},
        {TROUPE__RESPONSE__RESULT_RECORDING_PART, TR_CLIENT_REPLY_RECORDING_PART},
        {TROUPE__RESPONSE__RESULT_REPLAY_INFO, TR_CLIENT_REPLY_REPLAY},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        if (kinds[i].result == result)
            return kinds[i].kind;
    return TR_CLIENT_REPLY_EMPTY;
}

/* The result itself, by kind; those of the catalogue and of recordings have files of
 * their own. */
static tr_status decode_result(tr_reply_box *box, const Troupe__Response *response) {
    tr_client_reply *reply = &box->reply;
    switch (reply->kind) {
    case TR_CLIENT_REPLY_EMPTY:
        break;
    case TR_CLIENT_REPLY_APPLIED:
        reply->applied = decode_applied(response->command);
        break;
    case TR_CLIENT_REPLY_ADVANCED:
        return decode_advanced(box, response->command);
    case TR_CLIENT_REPLY_PONG:
        reply->pong = decode_pong(response->pong);
        break;
    case TR_CLIENT_REPLY_WORLDS:
        decode_worlds(box, response->world_list);
        break;
    case TR_CLIENT_REPLY_WORLD:
        reply->world = tr_reply_world(response->world);
        break;
    case TR_CLIENT_REPLY_SUBSCRIPTION:
        reply->subscription = decode_subscription(response->subscribe);
        break;
    case TR_CLIENT_REPLY_STATE:
        return tr_reply_state(box, response->state, &reply->state);
    case TR_CLIENT_REPLY_MATCH:
    case TR_CLIENT_REPLY_MATCHES:
    case TR_CLIENT_REPLY_MATCH_DETAIL:
        tr_reply_match(box, response);
        break;
    case TR_CLIENT_REPLY_RECORDINGS:
    case TR_CLIENT_REPLY_RECORDING:
    case TR_CLIENT_REPLY_RECORDING_PART:
    case TR_CLIENT_REPLY_REPLAY:
        tr_reply_recording(box, response);
        break;
    default:
        tr_reply_catalogue(box, response);
    }
    return box->failed ? TR_RESOURCE_EXHAUSTED : TR_OK;
}

tr_status tr_reply_decode(tr_reply_box *box) {
    const Troupe__Response *response = box->message->response;
    box->reply.request = response->request_id;
    box->reply.status = tr_reply_status(response->code);
    box->reply.message = response->message;
    if (box->reply.status)
        return TR_OK;
    box->reply.kind = kind_of(response->result_case);
    if (box->reply.kind == TR_CLIENT_REPLY_APPLIED && response->command->state)
        box->reply.kind = TR_CLIENT_REPLY_ADVANCED;
    return decode_result(box, response);
}
