/* Handlers of worlds as a whole: create, list, get, destroy. */
#include "server/requests/dispatch.h"

#include "proto/text.h"
#include "server/world/decode_world.h"

#include <string.h>

static Troupe__WorldMode wire_mode(tr_world_mode mode) {
    return mode == TR_MODE_STEPPED ? TROUPE__WORLD_MODE__WORLD_MODE_STEPPED
           : mode == TR_MODE_FAST  ? TROUPE__WORLD_MODE__WORLD_MODE_FAST
                                   : TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME;
}

static Troupe__FaultRule wire_rule(tr_fault_rule rule) {
    return rule == TR_FAULT_REMOVE   ? TROUPE__FAULT_RULE__FAULT_RULE_REMOVE
           : rule == TR_FAULT_FREEZE ? TROUPE__FAULT_RULE__FAULT_RULE_FREEZE
                                     : TROUPE__FAULT_RULE__FAULT_RULE_RESET;
}

/* A lateness message, and the counts it points to. */
typedef struct lateness_message {
    Troupe__Lateness message;
    uint64_t count[TR_LATENESS_BUCKET_COUNT];
} lateness_message;

static void describe_lateness(const tr_lateness *lateness, lateness_message *out) {
    troupe__lateness__init(&out->message);
    out->message.ticks = lateness->tick_count;
    out->message.p50_s = tr_lateness_quantile_s(lateness, 0.5);
    out->message.p99_s = tr_lateness_quantile_s(lateness, 0.99);
    out->message.max_s = lateness->max_s;
    out->message.n_bound_s = TR_LATENESS_BOUND_COUNT;
    out->message.bound_s = (double *)tr_lateness_bound_s; /* messages do not change it */
    memcpy(out->count, lateness->count, sizeof out->count);
    out->message.n_count = TR_LATENESS_BUCKET_COUNT;
    out->message.count = out->count;
}

static Troupe__WorldInfo describe(const tr_request *request, tr_hosted *hosted,
                                  lateness_message *lateness) {
    tr_world_info info = tr_hosted_describe(hosted);
    Troupe__WorldInfo out = TROUPE__WORLD_INFO__INIT;
    out.id = tr_hosted_id(hosted);
    out.name = tr_wire_text(tr_hosted_name(hosted));
    out.seed = info.seed;
    out.step_s = info.step_s;
    out.mode = wire_mode(tr_hosted_mode(hosted));
    out.rate = info.rate;
    out.paused = info.paused;
    out.tick = info.tick;
    out.time_s = info.time_s;
    out.epoch = info.epoch;
    out.character_count = (uint32_t)info.character_count;
    out.object_count = (uint32_t)info.object_count;
    out.subscriber_count = (uint32_t)tr_hosted_subscriptions(hosted)->count;
    out.stepper_count = (uint32_t)info.stepper_count;
    out.dropped_ticks = (uint64_t)info.dropped_ticks;
    out.pending_commands = (uint32_t)info.pending_count;
    out.fault_rule = wire_rule(info.fault_rule);
    const tr_ownership *ownership = tr_hosted_ownership(hosted);
    out.owner_leaves = ownership->destroy ? TROUPE__OWNER_LEAVES__OWNER_LEAVES_DESTROY
                                          : TROUPE__OWNER_LEAVES__OWNER_LEAVES_KEEP;
    out.lease_s = ownership->lease_s;
    out.step_timeout_s = info.step_timeout_s;
    out.recorded_as = tr_wire_text(tr_recordings_name(request->server->recordings, info.recording));
    const tr_shown *shown = tr_replays_find(&request->server->replays, out.id);
    out.replay_of = tr_wire_text(shown ? shown->name : "");
    if (tr_hosted_mode(hosted) == TR_MODE_REAL_TIME) {
        describe_lateness(&info.lateness, lateness);
        out.lateness = &lateness->message;
    }
    return out;
}

void tr_request_respond_world(const tr_request *request, tr_hosted *hosted) {
    lateness_message lateness;
    Troupe__WorldInfo info = describe(request, hosted, &lateness);
    tr_request_respond(request, TROUPE__RESPONSE__RESULT_WORLD, &info);
}

/* Makes the requesting session the owner. */
static void own(const tr_request *request, tr_hosted *hosted, tr_ownership ownership) {
    ownership.session = tr_session_id(request->session);
    *tr_hosted_ownership(hosted) = ownership;
}

void tr_handle_create_world(tr_request *request) {
    tr_error error = {0};
    tr_hosted *hosted = NULL;
    tr_world_loop_def def = {0};
    tr_worlds *worlds = request->server->worlds;
    const tr_member *member = tr_session_member(request->session);
    tr_status status = tr_member_may_have(member, tr_worlds_made_by(worlds, member->account),
                                          member->limits.worlds, "worlds", &error);
    if (!status)
        status = tr_decode_world(request->message->create_world, &def, &error);
    if (!status)
        status = tr_worlds_add(worlds, &def, member->account, &hosted, &error);
    tr_layout_release(def.layout);
    if (!status)
        own(request, hosted, tr_decode_ownership(request->message->create_world));
    if (!status)
        tr_request_respond_world(request, hosted);
    else
        tr_session_refuse(request->session, request->id, &error);
}

void tr_handle_list_worlds(tr_request *request) {
    tr_worlds *worlds = request->server->worlds;
    Troupe__WorldInfo info[TR_WORLDS_MAX];
    Troupe__WorldInfo *pointer[TR_WORLDS_MAX];
    lateness_message lateness[TR_WORLDS_MAX];
    Troupe__WorldList list = TROUPE__WORLD_LIST__INIT;
    list.worlds = pointer;
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(worlds, i);
        if (!hosted)
            continue;
        info[list.n_worlds] = describe(request, hosted, &lateness[list.n_worlds]);
        pointer[list.n_worlds] = &info[list.n_worlds];
        list.n_worlds++;
    }
    tr_request_respond(request, TROUPE__RESPONSE__RESULT_WORLD_LIST, &list);
}

void tr_handle_get_world(tr_request *request) {
    tr_hosted *hosted = tr_request_world(request, request->message->get_world->world);
    if (hosted)
        tr_request_respond_world(request, hosted);
}

/* Finds a world that belongs to no match. NULL: the request was refused, because the match would
 * never end. */
static tr_hosted *world_of_no_match(const tr_request *request, uint32_t id) {
    tr_hosted *hosted = tr_request_world(request, id);
    const char *match = hosted ? tr_matches_in_world(request->server->matches, id) : NULL;
    if (!match)
        return hosted;
    tr_request_refuse(request, TR_FAILED_PRECONDITION,
                      "the world belongs to the match '%s': cancel the match instead", match);
    return NULL;
}

void tr_handle_claim_world(tr_request *request) {
    const Troupe__ClaimWorld *message = request->message->claim_world;
    tr_hosted *hosted = world_of_no_match(request, message->world);
    tr_ownership ownership;
    tr_error error = {0};
    if (!hosted)
        return;
    if (tr_decode_claim(message, &ownership, &error)) {
        tr_session_refuse(request->session, request->id, &error);
        return;
    }
    own(request, hosted, ownership);
    tr_request_respond_world(request, hosted);
}

void tr_handle_destroy_world(tr_request *request) {
    const Troupe__DestroyWorld *message = request->message->destroy_world;
    tr_hosted *hosted = world_of_no_match(request, message->world);
    if (!hosted)
        return;
    if (strlen(message->moved_to) >= TR_NAME_MAX || tr_text_has_control(message->moved_to)) {
        tr_request_refuse(request, TR_INVALID_ARGUMENT,
                          "moved_to: expected host:port, at most %d bytes", TR_NAME_MAX - 1);
        return;
    }
    tr_hosted_move_away(hosted, message->moved_to);
    tr_request_done(request);
}
