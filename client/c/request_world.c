/* Requests about worlds and subscriptions. */
#include "client/c/exchange.h"
#include "client/c/scene.h"

tr_client_world_def tr_client_world_def_default(void) {
    return (tr_client_world_def){.mode = TR_CLIENT_REAL_TIME,
                                 .step_s = 0.005,
                                 .rate = 1,
                                 .gravity = {0, 0, -9.81},
                                 .ground_friction = 1};
}

static const tr_mapping create_mapping =
    TR_MAPPING(tr_client_world_def, CreateWorld, create_world,
               TR_COPY(name, seed, step_s, mode, rate, steppers, paused, fault_rule, look_ahead),
               TR_COPY(owner_leaves, lease_s, step_timeout_s, moved_from));

uint64_t tr_client_create_world(tr_client *client, const tr_client_world_def *def) {
    tr_mapping_memory memory = {0};
    Troupe__Scene *scene = tr_scene_message(def, &memory, &client->refused);
    Troupe__CreateWorld *create = tr_mapping_write(&create_mapping, def, &memory);
    uint64_t request = 0;
    if (create) {
        create->scene = scene;
        create->has_step_s_case = TROUPE__CREATE_WORLD__HAS_STEP_S_STEP_S;
        create->has_rate_case = TROUPE__CREATE_WORLD__HAS_RATE_RATE;
    }
    if (scene)
        request = memory.failed
                      ? tr_exchange_refuse(client, TR_RESOURCE_EXHAUSTED, "no memory for the world")
                      : tr_request_send(client, &create->base);
    tr_mapping_free(&memory);
    return request;
}

/* --- queries and destruction --- */

uint64_t tr_client_list_worlds(tr_client *client) {
    return TR_REQUEST_EMPTY(client, ListWorlds, list_worlds);
}

TR_REQUEST_OF_WORLD(GetWorld, get_world)

uint64_t tr_client_move_world(tr_client *client, uint32_t world, const char *moved_to) {
    return TR_REQUEST(client, DestroyWorld, destroy_world, .world = world,
                      .moved_to = tr_request_text(moved_to));
}

TR_REQUEST_OF_WORLD(DestroyWorld, destroy_world)

uint64_t tr_client_claim_world(tr_client *client, uint32_t world,
                               tr_client_owner_leaves owner_leaves, double lease_s) {
    return TR_REQUEST(client, ClaimWorld, claim_world, .world = world,
                      .owner_leaves = (Troupe__OwnerLeaves)owner_leaves, .lease_s = lease_s);
}

uint64_t tr_client_start_world(tr_client *client, uint32_t world, const char *moved_from) {
    return TR_REQUEST(client, ClaimWorld, claim_world, .world = world,
                      .owner_leaves = TROUPE__OWNER_LEAVES__OWNER_LEAVES_KEEP,
                      .moved_from = tr_request_text(moved_from));
}

uint64_t tr_client_get_state(tr_client *client, uint32_t world, uint32_t fields) {
    return TR_REQUEST(client, GetState, get_state, .world = world, .fields = fields);
}

/* --- subscriptions --- */

TR_REQUEST_OF_DEF(Subscribe, subscribe, subscribe_def, TR_COPY(world, rate_hz, fields, events))
TR_REQUEST_OF_WORLD(Unsubscribe, unsubscribe)
