/* Requests about worlds and subscriptions. */
#include "client/c/exchange.h"
#include "client/c/scene.h"

tr_client_world_def tr_client_world_def_default(void) {
    return (tr_client_world_def){
        .mode = TR_CLIENT_REAL_TIME, .gravity = {0, 0, -9.81}, .ground_friction = 1};
}

uint64_t tr_client_create_world(tr_client *client, const tr_client_world_def *def) {
    tr_mapping_memory memory = {0};
    Troupe__Scene *scene = tr_scene_message(client, def, &memory);
    uint64_t request =
        scene ? TR_REQUEST(
                    client, CreateWorld, create_world, .name = tr_request_text(def->name),
                    .seed = def->seed, .step_s = def->step_s, .mode = (Troupe__WorldMode)def->mode,
                    .rate = def->rate, .steppers = def->steppers, .paused = def->paused,
                    .fault_rule = (Troupe__FaultRule)def->fault_rule,
                    .owner_leaves = (Troupe__OwnerLeaves)def->owner_leaves, .lease_s = def->lease_s,
                    .step_timeout_s = def->step_timeout_s, .scene = scene)
              : 0;
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

uint64_t tr_client_get_state(tr_client *client, uint32_t world, uint32_t fields) {
    return TR_REQUEST(client, GetState, get_state, .world = world, .fields = fields);
}

/* --- subscriptions --- */

uint64_t tr_client_subscribe(tr_client *client, const tr_client_subscribe_def *def) {
    return TR_REQUEST(client, Subscribe, subscribe, .world = def->world, .rate_hz = def->rate_hz,
                      .fields = def->fields, .events = def->events);
}

TR_REQUEST_OF_WORLD(Unsubscribe, unsubscribe)
