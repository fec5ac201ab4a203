/* Every request function sends what it was given. */
/* clang-format off */
#include "cmocka_test.h"
/* clang-format on */

#include "proto/message.h"
#include "troupe/client.h"
#include "unit/client/partner.h"

#include <string.h>

/* A connected client, and the last message that came from it (decoded again, so that it may be
 * kept). */
static uv_loop_t loop;
static tr_partner partner;
static tr_client *client;
static Troupe__ClientMessage *last;

static void keep(tr_partner *from, const Troupe__ClientMessage *message) {
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_HELLO) {
        tr_partner_welcome(from, message->request_id);
        return;
    }
    uint8_t bytes[4096];
    ProtobufCMessage *copy = NULL;
    assert_true(protobuf_c_message_get_packed_size(&message->base) <= sizeof bytes);
    size_t size = protobuf_c_message_pack(&message->base, bytes);
    assert_int_equal(tr_message_decode(&troupe__client_message__descriptor, bytes, size, &copy),
                     TR_OK);
    tr_message_destroy((ProtobufCMessage *)last);
    last = (Troupe__ClientMessage *)copy;
}

FIXTURE(connect_client) {
    uv_loop_init(&loop);
    tr_partner_start(&partner, &loop, keep, NULL);
    tr_client_def def = tr_client_def_default();
    def.port = partner.port;
    def.loop = &loop;
    assert_true(!tr_client_connect(&def, &client, NULL));
}

FIXTURE(close_client) {
    tr_client_close(client);
    tr_partner_stop(&partner);
    uv_run(&loop, UV_RUN_DEFAULT);
    tr_message_destroy((ProtobufCMessage *)last);
    assert_int_equal(uv_loop_close(&loop), 0);
}

/* Waits until the request has come, forgets its reply, and returns the message. */
static const Troupe__ClientMessage *arrived(uint64_t request) {
    assert_int_equal(tr_client_on_reply(client, request, NULL, NULL), TR_OK);
    while (!last || last->request_id != request)
        uv_run(&loop, UV_RUN_ONCE);
    tr_partner_respond(&partner, request, TROUPE__STATUS_CODE__STATUS_CODE_OK, "");
    return last;
}

static const Troupe__Command *arrived_command(uint64_t request) {
    const Troupe__ClientMessage *message = arrived(request);
    assert_int_equal(message->request_case, TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND);
    assert_int_equal(message->command->world, 3);
    assert_int_equal(message->command->at_tick, 99);
    return message->command;
}

static const tr_client_at at = {.world = 3, .tick = 99};

/* --- catalogue --- */

TEST(queries_carry_their_filters) {
    tr_client_query query = {.prefix = "ru",
                             .skill = "run",
                             .model = "humanoid",
                             .skeleton = "cmu",
                             .page_size = 7,
                             .page_token = "t"};
    const Troupe__ListControllers *controllers =
        arrived(tr_client_list_controllers(client, &query))->list_controllers;
    assert_string_equal(controllers->prefix, "ru");
    assert_string_equal(controllers->skill, "run");
    assert_string_equal(controllers->model, "humanoid");
    assert_int_equal(controllers->page->size, 7);
    assert_string_equal(controllers->page->token, "t");
    assert_string_equal(arrived(tr_client_list_models(client, &query))->list_models->prefix, "ru");
    assert_string_equal(arrived(tr_client_list_clips(client, &query))->list_clips->skeleton, "cmu");
    assert_string_equal(arrived(tr_client_list_runs(client, &query))->list_runs->prefix, "ru");
    assert_string_equal(arrived(tr_client_list_runs(client, NULL))->list_runs->prefix, "");
}

TEST(rows_are_chosen_by_name) {
    assert_string_equal(arrived(tr_client_get_model(client, "m"))->get_model->name, "m");
    assert_string_equal(arrived(tr_client_get_clip(client, "c"))->get_clip->name, "c");
    assert_string_equal(arrived(tr_client_get_run(client, "r"))->get_run->name, "r");
    const Troupe__GetController *controller =
        arrived(tr_client_get_controller(client, "k", "strike"))->get_controller;
    assert_string_equal(controller->name, "k");
    assert_string_equal(controller->skill, "strike");
    const Troupe__GetLineage *lineage =
        arrived(tr_client_get_lineage(client, TR_CLIENT_NOUN_RUN, "r"))->get_lineage;
    assert_int_equal(lineage->kind, TROUPE__NOUN_KIND__NOUN_KIND_RUN);
    assert_string_equal(lineage->name, "r");
    const Troupe__GetCertificate *certificate =
        arrived(tr_client_get_skill_certificate(client, "k", "run", 2))->get_certificate;
    assert_string_equal(certificate->controller, "k");
    assert_int_equal(certificate->back, 2);
    assert_string_equal(certificate->skill, "run");
    assert_int_equal(arrived(tr_client_ping(client))->request_case,
                     TROUPE__CLIENT_MESSAGE__REQUEST_PING);
}

/* --- worlds --- */

TEST(a_world_is_made_as_described) {
    tr_client_scenery ramp = {.size = {1, 2, 0.1}, .pos = {5, 0, 0}, .friction = 0.4};
    tr_client_world_def def = tr_client_world_def_default();
    def.name = "lab";
    def.seed = 11;
    def.step_s = 0.01;
    def.mode = TR_CLIENT_STEPPED;
    def.steppers = 2;
    def.paused = true;
    def.ground_friction = 0.5;
    def.scenery_count = 1;
    def.scenery = &ramp;
    const Troupe__CreateWorld *create = arrived(tr_client_create_world(client, &def))->create_world;
    assert_string_equal(create->name, "lab");
    assert_int_equal(create->seed, 11);
    assert_true(create->step_s == 0.01);
    assert_int_equal(create->mode, TROUPE__WORLD_MODE__WORLD_MODE_STEPPED);
    assert_int_equal(create->steppers, 2);
    assert_true(create->paused);
    assert_true(create->scene->gravity->z == -9.81);
    assert_true(create->scene->ground->friction == 0.5);
    assert_int_equal(create->scene->n_scenery, 1);
    assert_true(create->scene->scenery[0]->size->y == 2);
    assert_true(create->scene->scenery[0]->rot->w == 1);
    assert_true(create->scene->scenery[0]->friction == 0.4);
    def.scenery_count = 257;
    assert_int_equal(tr_client_create_world(client, &def), 0);
    assert_int_equal(tr_client_on_reply(client, 0, NULL, NULL), TR_INVALID_ARGUMENT);
}

TEST(worlds_are_named_by_id) {
    assert_int_equal(arrived(tr_client_list_worlds(client))->request_case,
                     TROUPE__CLIENT_MESSAGE__REQUEST_LIST_WORLDS);
    assert_int_equal(arrived(tr_client_get_world(client, 4))->get_world->world, 4);
    assert_int_equal(arrived(tr_client_destroy_world(client, 5))->destroy_world->world, 5);
    assert_int_equal(arrived(tr_client_unsubscribe(client, 6))->unsubscribe->world, 6);
    const Troupe__GetState *get =
        arrived(tr_client_get_state(client, 7, TR_CLIENT_HASH))->get_state;
    assert_int_equal(get->world, 7);
    assert_int_equal(get->fields, TROUPE__STATE_FIELD__STATE_FIELD_HASH);
    tr_client_subscribe_def def = {
        .world = 8, .rate_hz = 30, .fields = TR_CLIENT_BODIES, .events = true};
    const Troupe__Subscribe *subscribe = arrived(tr_client_subscribe(client, &def))->subscribe;
    assert_int_equal(subscribe->world, 8);
    assert_true(subscribe->rate_hz == 30);
    assert_int_equal(subscribe->fields, TROUPE__STATE_FIELD__STATE_FIELD_BODIES);
    assert_true(subscribe->events);
}

/* --- commands --- */

TEST(a_character_is_spawned_as_described) {
    tr_client_spawn_def def = {.model = "m",
                               .controller = "run",
                               .pos = {1, 2, 3},
                               .heading_rad = 0.5,
                               .fragment = 4,
                               .label = "a"};
    const Troupe__SpawnCharacter *spawn =
        arrived_command(tr_client_spawn_character(client, at, &def))->spawn_character;
    assert_string_equal(spawn->model, "m");
    assert_string_equal(spawn->controller, "run");
    assert_true(spawn->pos->y == 2 && spawn->heading_rad == 0.5);
    assert_int_equal(spawn->fragment, 4);
    assert_string_equal(spawn->label, "a");
}

TEST(an_object_is_spawned_as_described) {
    tr_client_geom geoms[2] = {{.kind = TR_CLIENT_SPHERE, .size = {0.1}, .friction = 0.3},
                               {.kind = TR_CLIENT_BOX, .size = {1, 1, 1}, .rot = {0, 1, 0, 0}}};
    tr_client_object_def def = {
        .name = "board", .geom_count = 2, .geoms = geoms, .mass = 3, .vel = {-6, 0, 0}};
    const Troupe__SpawnObject *spawn =
        arrived_command(tr_client_spawn_object(client, at, &def))->spawn_object;
    assert_string_equal(spawn->name, "board");
    assert_int_equal(spawn->n_geoms, 2);
    assert_int_equal(spawn->geoms[0]->kind, TROUPE__GEOM_KIND__GEOM_KIND_SPHERE);
    assert_true(spawn->geoms[0]->rot->w == 1 && spawn->geoms[0]->friction == 0.3);
    assert_true(spawn->geoms[1]->rot->w == 0 && spawn->geoms[1]->rot->x == 1);
    assert_true(spawn->mass == 3 && spawn->vel->x == -6 && spawn->rot->w == 1);
    def.geom_count = 9;
    assert_int_equal(tr_client_spawn_object(client, at, &def), 0);
    assert_int_equal(tr_client_on_reply(client, 0, NULL, NULL), TR_INVALID_ARGUMENT);
}

TEST(entities_are_acted_on) {
    assert_int_equal(arrived_command(tr_client_despawn(client, at, 5))->despawn->entity, 5);
    const Troupe__SetController *set =
        arrived_command(tr_client_set_controller(client, at, 5, "walk"))->set_controller;
    assert_int_equal(set->entity, 5);
    assert_string_equal(set->controller, "walk");
    const Troupe__SetFragment *cue =
        arrived_command(tr_client_set_fragment(client, at, 5, 3, true))->set_fragment;
    assert_true(cue->entity == 5 && cue->fragment == 3 && cue->mirrored);
    assert_true(arrived_command(tr_client_set_limp(client, at, 5, true))->set_limp->limp);
    static const double offset[] = {0.1, -0.2};
    const Troupe__SetOffset *offsets =
        arrived_command(tr_client_set_offset(client, at, 5, offset, 2))->set_offset;
    assert_int_equal(offsets->n_offset, 2);
    assert_true(offsets->offset[1] == -0.2);
    tr_client_steer_def steer = {.entity = 5, .aim = TR_CLIENT_AIM_HEADING, .heading_rad = 1.5};
    const Troupe__Steer *steered = arrived_command(tr_client_steer(client, at, &steer))->steer;
    assert_int_equal(steered->aim_case, TROUPE__STEER__AIM_HEADING_RAD);
    assert_true(steered->heading_rad == 1.5 && steered->speed == 0);
    steer = (tr_client_steer_def){
        .entity = 5, .aim = TR_CLIENT_AIM_TARGET, .target = {2, -3, 0}, .speed_mps = 1.3};
    steered = arrived_command(tr_client_steer(client, at, &steer))->steer;
    assert_true(steered->target->y == -3 && steered->speed == 1.3);
    steer = (tr_client_steer_def){
        .entity = 5, .aim = TR_CLIENT_AIM_CHARACTER, .toward = 6, .skill = "run"};
    steered = arrived_command(tr_client_steer(client, at, &steer))->steer;
    assert_int_equal(steered->toward, 6);
    assert_string_equal(steered->skill, "run");
    tr_client_push_def push = {
        .entity = 5, .body = "head", .point = {0, 0, 1}, .force = {0, 80, 0}, .duration_s = 0.2};
    const Troupe__Push *pushed = arrived_command(tr_client_push(client, at, &push))->push;
    assert_string_equal(pushed->body, "head");
    assert_true(pushed->force->y == 80 && pushed->point->z == 1 && pushed->duration_s == 0.2);
    tr_client_throw_def throw = {.entity = 6, .vel = {1, 0, 0}, .pos = {9, 9, 9}};
    assert_null(arrived_command(tr_client_throw(client, at, &throw))->throw_->pos);
    throw.move = true;
    assert_true(arrived_command(tr_client_throw(client, at, &throw))->throw_->pos->x == 9);
    const tr_client_at named = {
        .world = 3, .tick = 99, .world_name = "arena", .entity_name = "guard"};
    const Troupe__Command *by_name = arrived_command(tr_client_despawn(client, named, 0));
    assert_string_equal(by_name->world_name, "arena");
    assert_string_equal(by_name->entity_name, "guard");
}

TEST(an_advance_has_its_orders_in_parts) {
    static const double offset[] = {0.3};
    tr_client_steer_def steer = {.aim = TR_CLIENT_AIM_HEADING, .heading_rad = 1.5};
    tr_client_push_def push = {.force = {0, 80, 0}, .duration_s = 0.2};
    tr_client_order orders[] = {{.entity = 5,
                                 .controller = "run",
                                 .choose = true,
                                 .fragment = 2,
                                 .offset = offset,
                                 .offset_size = 1,
                                 .steer = &steer,
                                 .push = &push},
                                {.entity = 6},
                                {.entity = 7, .push = &push}};
    tr_client_advance_def def = {.ticks = 10, .fields = 3, .order_count = 3, .orders = orders};
    const Troupe__Command *command = arrived(tr_client_advance(client, at.world, &def))->command;
    const Troupe__Advance *advance = command->advance;
    assert_true(command->world == 3 && command->at_tick == 0 && advance->count == 10 &&
                advance->fields == 3);
    static const Troupe__Order__CommandCase parts[] = {
        TROUPE__ORDER__COMMAND_SET_CONTROLLER, TROUPE__ORDER__COMMAND_SET_FRAGMENT,
        TROUPE__ORDER__COMMAND_SET_OFFSET,     TROUPE__ORDER__COMMAND_STEER,
        TROUPE__ORDER__COMMAND_PUSH,           TROUPE__ORDER__COMMAND_PUSH};
    assert_int_equal(advance->n_orders, 6);
    for (size_t i = 0; i < advance->n_orders; i++)
        assert_int_equal(advance->orders[i]->command_case, parts[i]);
    assert_string_equal(advance->orders[0]->set_controller->controller, "run");
    assert_int_equal(advance->orders[1]->set_fragment->fragment, 2);
    assert_true(advance->orders[2]->set_offset->offset[0] == 0.3);
    assert_true(advance->orders[3]->steer->entity == 5 &&
                advance->orders[3]->steer->heading_rad == 1.5);
    assert_int_equal(advance->orders[4]->push->entity, 5);
    assert_int_equal(advance->orders[5]->push->entity, 7);
    def.order_count = 257;
    assert_int_equal(tr_client_advance(client, at.world, &def), 0);
    assert_int_equal(tr_client_on_reply(client, 0, NULL, NULL), TR_INVALID_ARGUMENT);
}

TEST(worlds_are_acted_on) {
    assert_int_equal(arrived_command(tr_client_pause(client, at))->command_case,
                     TROUPE__COMMAND__COMMAND_PAUSE);
    assert_int_equal(arrived_command(tr_client_resume(client, at))->command_case,
                     TROUPE__COMMAND__COMMAND_RESUME);
    assert_true(arrived_command(tr_client_set_rate(client, at, 0.5))->set_rate->rate == 0.5);
    assert_int_equal(arrived_command(tr_client_join(client, at, 2))->join->order, 2);
    assert_int_equal(arrived_command(tr_client_leave(client, at))->command_case,
                     TROUPE__COMMAND__COMMAND_LEAVE);
    assert_int_equal(arrived_command(tr_client_step(client, at, 200))->step->count, 200);
    assert_true(arrived_command(tr_client_step(client, at, 0))->step->has_count_case);
    assert_int_equal(arrived_command(tr_client_mark(client, at))->command_case,
                     TROUPE__COMMAND__COMMAND_MARK);
    assert_int_equal(arrived_command(tr_client_reset(client, at))->command_case,
                     TROUPE__COMMAND__COMMAND_RESET);
    assert_int_equal(arrived_command(tr_client_snapshot(client, at))->command_case,
                     TROUPE__COMMAND__COMMAND_SNAPSHOT);
    static const uint8_t data[] = {1, 0, 2};
    const Troupe__Restore *restore =
        arrived_command(tr_client_restore(client, at, data, sizeof data))->restore;
    assert_int_equal(restore->data.len, sizeof data);
    assert_memory_equal(restore->data.data, data, sizeof data);
    assert_int_equal(tr_client_restore(client, at, data, (size_t)TR_SNAPSHOT_MAX + 1), 0);
    assert_int_equal(tr_client_on_reply(client, 0, NULL, NULL), TR_OUT_OF_RANGE);
}

SUITE_FIXTURE(connect_client, close_client);
