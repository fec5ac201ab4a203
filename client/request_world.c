/* Requests about worlds and subscriptions. */
#include "client/exchange.h"
#include "client/geometry.h"

#include <stdlib.h>

enum { SCENERY_MAX = 256 };

tr_client_world_def tr_client_world_def_default(void) {
    return (tr_client_world_def){
        .mode = TR_CLIENT_REAL_TIME, .gravity = {0, 0, -9.81}, .ground_friction = 1};
}

/* --- scenes --- */

/* One piece of scenery with the messages it points to. */
typedef struct scenery_message {
    Troupe__Scenery scenery;
    Troupe__Vec3 size, pos;
    Troupe__Quat rot;
} scenery_message;

static void fill_scenery(const tr_client_scenery *from, scenery_message *out) {
    *out = (scenery_message){.scenery = TROUPE__SCENERY__INIT,
                             .size = tr_vec3_message(from->size),
                             .pos = tr_vec3_message(from->pos),
                             .rot = tr_quat_message(from->rot)};
    out->scenery.patch = from->patch;
    out->scenery.friction = from->friction;
    out->scenery.size = &out->size;
    out->scenery.pos = &out->pos;
    out->scenery.rot = &out->rot;
}

static uint64_t send_world(tr_client *client, const tr_client_world_def *def,
                           Troupe__Scene *scene) {
    Troupe__Vec3 gravity = tr_vec3_message(def->gravity);
    Troupe__Ground ground = TROUPE__GROUND__INIT;
    ground.friction = def->ground_friction;
    scene->gravity = &gravity;
    scene->ground = &ground;
    scene->no_ground = def->no_ground;
    scene->no_self_collision = def->no_self_collision;
    Troupe__CreateWorld create = TROUPE__CREATE_WORLD__INIT;
    create.name = tr_request_text(def->name);
    create.seed = def->seed;
    create.step_s = def->step_s;
    create.mode = (Troupe__WorldMode)def->mode;
    create.rate = def->rate;
    create.steppers = def->steppers;
    create.paused = def->paused;
    create.scene = scene;
    Troupe__ClientMessage message = tr_request_begin(TROUPE__CLIENT_MESSAGE__REQUEST_CREATE_WORLD);
    message.create_world = &create;
    return tr_request_send(client, &message);
}

/* All the scenery of a scene, and the list of it that protobuf-c wants. */
typedef struct scenery_list {
    scenery_message piece[SCENERY_MAX];
    Troupe__Scenery *pointer[SCENERY_MAX];
} scenery_list;

uint64_t tr_client_create_world(tr_client *client, const tr_client_world_def *def) {
    if (def->scenery_count < 0 || def->scenery_count > SCENERY_MAX)
        return tr_request_refuse(client, TR_INVALID_ARGUMENT, "scenery_count: expected 0 to 256");
    scenery_list *list = malloc(sizeof *list);
    if (!list)
        return tr_request_refuse(client, TR_RESOURCE_EXHAUSTED, "no memory for the scenery");
    for (int i = 0; i < def->scenery_count; ++i) {
        fill_scenery(&def->scenery[i], &list->piece[i]);
        list->pointer[i] = &list->piece[i].scenery;
    }
    Troupe__Scene scene = TROUPE__SCENE__INIT;
    scene.n_scenery = (size_t)def->scenery_count;
    scene.scenery = list->pointer;
    uint64_t request = send_world(client, def, &scene);
    free(list);
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
