/* Requests about worlds and subscriptions. */
#include "client/c/exchange.h"
#include "client/c/scene.h"

#include <stdlib.h>

tr_client_world_def tr_client_world_def_default(void) {
    return (tr_client_world_def){
        .mode = TR_CLIENT_REAL_TIME, .gravity = {0, 0, -9.81}, .ground_friction = 1};
}

uint64_t tr_client_create_world(tr_client *client, const tr_client_world_def *def) {
    tr_scene_message *scene = NULL;
    tr_status status = tr_scene_message_create(def, &scene);
    if (status == TR_INVALID_ARGUMENT)
        return tr_request_refuse(client, status, "scenery_count: expected 0 to 256");
    if (status)
        return tr_request_refuse(client, status, "no memory for the scenery");
    Troupe__CreateWorld create = TROUPE__CREATE_WORLD__INIT;
    create.name = tr_request_text(def->name);
    create.seed = def->seed;
    create.step_s = def->step_s;
    create.mode = (Troupe__WorldMode)def->mode;
    create.rate = def->rate;
    create.steppers = def->steppers;
    create.paused = def->paused;
    create.fault_rule = (Troupe__FaultRule)def->fault_rule;
    create.owner_leaves = (Troupe__OwnerLeaves)def->owner_leaves;
    create.lease_s = def->lease_s;
    create.step_timeout_s = def->step_timeout_s;
    create.scene = &scene->scene;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_CREATE_WORLD);
    message.create_world = &create;
    uint64_t request = tr_request_send(client, &message);
    free(scene);
    return request;
}

/* --- queries and the end --- */

uint64_t tr_client_list_worlds(tr_client *client) {
    Troupe__ListWorlds list = TROUPE__LIST_WORLDS__INIT;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_LIST_WORLDS);
    message.list_worlds = &list;
    return tr_request_send(client, &message);
}

uint64_t tr_client_get_world(tr_client *client, uint32_t world) {
    Troupe__GetWorld get = TROUPE__GET_WORLD__INIT;
    get.world = world;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_WORLD);
    message.get_world = &get;
    return tr_request_send(client, &message);
}

uint64_t tr_client_destroy_world(tr_client *client, uint32_t world) {
    Troupe__DestroyWorld destroy = TROUPE__DESTROY_WORLD__INIT;
    destroy.world = world;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_DESTROY_WORLD);
    message.destroy_world = &destroy;
    return tr_request_send(client, &message);
}

uint64_t tr_client_claim_world(tr_client *client, uint32_t world,
                               tr_client_owner_leaves owner_leaves, double lease_s) {
    Troupe__ClaimWorld claim = TROUPE__CLAIM_WORLD__INIT;
    claim.world = world;
    claim.owner_leaves = (Troupe__OwnerLeaves)owner_leaves;
    claim.lease_s = lease_s;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_CLAIM_WORLD);
    message.claim_world = &claim;
    return tr_request_send(client, &message);
}

uint64_t tr_client_get_state(tr_client *client, uint32_t world, uint32_t fields) {
    Troupe__GetState get = TROUPE__GET_STATE__INIT;
    get.world = world;
    get.fields = fields;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_GET_STATE);
    message.get_state = &get;
    return tr_request_send(client, &message);
}

/* --- subscriptions --- */

uint64_t tr_client_subscribe(tr_client *client, const tr_client_subscribe_def *def) {
    Troupe__Subscribe subscribe = TROUPE__SUBSCRIBE__INIT;
    subscribe.world = def->world;
    subscribe.rate_hz = def->rate_hz;
    subscribe.fields = def->fields;
    subscribe.events = def->events;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_SUBSCRIBE);
    message.subscribe = &subscribe;
    return tr_request_send(client, &message);
}

uint64_t tr_client_unsubscribe(tr_client *client, uint32_t world) {
    Troupe__Unsubscribe unsubscribe = TROUPE__UNSUBSCRIBE__INIT;
    unsubscribe.world = world;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_UNSUBSCRIBE);
    message.unsubscribe = &unsubscribe;
    return tr_request_send(client, &message);
}
