/* Handlers of worlds as a whole: create, list, get, destroy. */
#include "server/requests/dispatch.h"

#include "proto/text.h"
#include "server/world/decode_world.h"

#include <string.h>

/* --- a world as a message --- */

static const uint32_t modes[] = {[TR_MODE_REAL_TIME] = TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME,
                                 [TR_MODE_STEPPED] = TROUPE__WORLD_MODE__WORLD_MODE_STEPPED,
                                 [TR_MODE_FAST] = TROUPE__WORLD_MODE__WORLD_MODE_FAST};
static const uint32_t rules[] = {[TR_FAULT_RESET] = TROUPE__FAULT_RULE__FAULT_RULE_RESET,
                                 [TR_FAULT_REMOVE] = TROUPE__FAULT_RULE__FAULT_RULE_REMOVE,
                                 [TR_FAULT_FREEZE] = TROUPE__FAULT_RULE__FAULT_RULE_FREEZE};
static const uint32_t leaves[] = {[false] = TROUPE__OWNER_LEAVES__OWNER_LEAVES_KEEP,
                                  [true] = TROUPE__OWNER_LEAVES__OWNER_LEAVES_DESTROY};

typedef struct lateness {
    double p50_s, p99_s;
    int bound_count, bucket_count;
    const double *bounds;
    const uint64_t *counts;
    uint64_t ticks;
    double max_s;
} lateness;

/* What a WorldInfo says. owner_leaves: whether the world is destroyed then; lateness: of real time
 * alone, else NULL */
typedef struct view {
    uint32_t id, owner_leaves;
    const char *name, *recorded_as, *replay_of;
    tr_world_mode mode;
    tr_world_info info;
    int subscriber_count;
    double lease_s;
    const char *moved_from;
    bool arriving;
    lateness late;
    const lateness *lateness;
} view;

static const tr_mapping lateness_mapping = TR_MAPPING(
    lateness, Lateness, lateness, TR_COPY(ticks, p50_s, p99_s, max_s),
    TR_COPY_ARRAY_AS(bound_count, bounds, bound_s), TR_COPY_ARRAY_AS(bucket_count, counts, count));

static const tr_mapping view_mapping = TR_MAPPING(
    view, WorldInfo, world_info,
    TR_COPY(id, name, recorded_as, replay_of, subscriber_count, lease_s),
    TR_COPY(moved_from, arriving), TR_COPY_CHOICE(mode, modes),
    TR_COPY_CHOICE(owner_leaves, leaves),
    TR_COPY_IN(info, seed, step_s, rate, paused, look_ahead, tick, time_s, epoch, character_count),
    TR_COPY_IN(info, object_count, stepper_count, dropped_ticks, step_timeout_s),
    TR_COPY_IN(info, processor_s, over_budget, contacts_dropped, searches_cut),
    TR_COPY_AS(info.pending_count, pending_commands),
    TR_COPY_CHOICE_AS(info.fault_rule, fault_rule, rules),
    TR_COPY_POINTER(lateness, lateness_mapping));

static lateness lateness_of(const tr_lateness *of) {
    return (lateness){.ticks = of->tick_count,
                      .p50_s = tr_lateness_quantile_s(of, 0.5),
                      .p99_s = tr_lateness_quantile_s(of, 0.99),
                      .max_s = of->max_s,
                      .bound_count = TR_LATENESS_BOUND_COUNT,
                      .bounds = tr_lateness_bound_s,
                      .bucket_count = TR_LATENESS_BUCKET_COUNT,
                      .counts = of->count};
}

/* Points into itself. */
static void describe(const tr_request *request, tr_hosted *hosted, view *out) {
    const tr_ownership *ownership = tr_hosted_ownership(hosted);
    const tr_move *move = tr_hosted_move(hosted);
    const tr_shown *shown = tr_replays_find(&request->server->replays, tr_hosted_id(hosted));
    *out = (view){.id = tr_hosted_id(hosted),
                  .name = tr_hosted_name(hosted),
                  .mode = tr_hosted_mode(hosted),
                  .info = tr_hosted_describe(hosted),
                  .subscriber_count = tr_hosted_subscriptions(hosted)->count,
                  .owner_leaves = ownership->destroy,
                  .lease_s = ownership->lease_s,
                  .moved_from = move->from,
                  .arriving = move->arriving,
                  .replay_of = shown ? shown->name : ""};
    out->recorded_as = tr_recordings_name(request->server->recordings, out->info.recording);
    out->late = lateness_of(&out->info.lateness);
    out->lateness = out->mode == TR_MODE_REAL_TIME ? &out->late : NULL;
}

void tr_request_respond_world(const tr_request *request, tr_hosted *hosted) {
    view world;
    describe(request, hosted, &world);
    tr_request_show(request, TROUPE__RESPONSE__RESULT_WORLD, &view_mapping, &world);
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
    if (status) {
        tr_session_refuse(request->session, request->id, &error);
        return;
    }
    own(request, hosted, tr_decode_ownership(request->message->create_world));
    if (tr_hosted_move(hosted)->arriving)
        tr_worlds_begin_lease(worlds, hosted);
    tr_request_respond_world(request, hosted);
}

typedef struct list {
    int count, moved_count;
    view worlds[TR_WORLDS_MAX];
    tr_moved moved[TR_MOVED_KEPT];
} list;

static const tr_mapping moved_mapping =
    TR_MAPPING(tr_moved, MovedWorld, moved_world, TR_COPY(name), TR_COPY_AS(to, moved_to),
               TR_COPY_AS(hold, moved_from));
static const tr_mapping list_mapping =
    TR_MAPPING(list, WorldList, world_list, TR_COPY_LIST_WITHIN(count, worlds, view_mapping),
               TR_COPY_LIST_WITHIN(moved_count, moved, moved_mapping));

void tr_handle_list_worlds(tr_request *request) {
    list all = {.count = 0};
    for (int i = 0; i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(request->server->worlds, i);
        if (hosted)
            describe(request, hosted, &all.worlds[all.count++]);
    }
    all.moved_count = tr_worlds_moved(request->server->worlds, all.moved);
    tr_request_show(request, TROUPE__RESPONSE__RESULT_WORLD_LIST, &list_mapping, &all);
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
    tr_status status = tr_decode_claim(message, &ownership, &error);
    if (!status && message->moved_from[0] != '\0')
        status = tr_move_start(hosted, message->moved_from, &error);
    if (status) {
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
    tr_error error = {0};
    if (message->moved_to[0] == '\0')
        tr_hosted_close(hosted);
    else if (tr_worlds_move_away(request->server->worlds, hosted, tr_session_id(request->session),
                                 message->moved_to, &error)) {
        tr_session_refuse(request->session, request->id, &error);
        return;
    }
    tr_request_done(request);
}
