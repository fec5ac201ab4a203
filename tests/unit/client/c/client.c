/* The client's dealings with a daemon: handshake, replies in any order, time, ends of all kinds. */
/* clang-format off */
#include "cmocka_test.h"
/* clang-format on */

#include "troupe/client.h"
#include "unit/client/partner.h"

#include <stdio.h>
#include <string.h>

enum { WAIT_MS = 5000, HELD_MAX = 8 };

/* A partner and what a test notes about its client. */
typedef struct stand {
    uv_loop_t loop;
    tr_partner partner;
    uint64_t held[HELD_MAX]; /* ids of requests that the partner has not answered */
    int held_count;
    int opened, states, events, closed, replies;
    tr_status status; /* of the last reply or close */
    char text[256];
    tr_client *close_in_callback;
} stand;

static void greet_and_hold(tr_partner *partner, const Troupe__ClientMessage *message) {
    stand *s = partner->user;
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_HELLO)
        tr_partner_welcome(partner, message->request_id);
    else if (s->held_count < HELD_MAX)
        s->held[s->held_count++] = message->request_id;
}

static void on_open(void *user, tr_client *client) {
    (void)client;
    ++((stand *)user)->opened;
}

static void on_state(void *user, tr_client *client, const tr_client_state *state) {
    stand *s = user;
    s->states++;
    snprintf(s->text, sizeof s->text, "%lld %d", (long long)state->tick, state->character_count);
    if (s->close_in_callback)
        tr_client_close(client);
}

static void on_event(void *user, tr_client *client, const tr_client_event *event) {
    (void)client;
    stand *s = user;
    s->events++;
    snprintf(s->text, sizeof s->text, "%s %lld", tr_client_event_name(event->kind),
             (long long)event->tick);
}

static void on_close(void *user, tr_client *client, tr_status status, const char *reason) {
    (void)client;
    stand *s = user;
    s->closed++;
    s->status = status;
    snprintf(s->text, sizeof s->text, "%s", reason);
}

static void on_reply(void *user, tr_client *client, const tr_client_reply *reply) {
    stand *s = user;
    s->replies++;
    s->status = reply->status;
    if (s->close_in_callback == client) {
        s->close_in_callback = NULL;
        tr_client_close(client);
    }
}

static tr_client_def definition(stand *s) {
    tr_client_def def = tr_client_def_default();
    def.port = s->partner.port;
    def.name = "test";
    def.loop = &s->loop;
    def.user = s;
    def.on_open = on_open;
    def.on_state = on_state;
    def.on_event = on_event;
    def.on_close = on_close;
    return def;
}

static stand *open_stand(tr_partner_handler *handler) {
    stand *s = test_calloc(1, sizeof *s);
    uv_loop_init(&s->loop);
    tr_partner_start(&s->partner, &s->loop, handler, s);
    return s;
}

/* Every handle must be gone: what the client left behind would show here. */
static void close_stand(stand *s) {
    tr_partner_stop(&s->partner);
    while (uv_run(&s->loop, UV_RUN_DEFAULT))
        continue;
    assert_int_equal(uv_loop_close(&s->loop), 0);
    test_free(s);
}

static tr_client *connect_to(stand *s) {
    tr_client *client = NULL;
    tr_client_def def = definition(s);
    tr_error error;
    assert_int_equal(tr_client_connect(&def, &client, &error), TR_OK);
    return client;
}

/* Runs until the partner holds `count` requests. */
static void hold(stand *s, int count) {
    while (s->held_count < count)
        uv_run(&s->loop, UV_RUN_ONCE);
}

/* --- handshake --- */

TEST(the_welcome_opens_the_session) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    assert_true(tr_client_is_open(client));
    assert_int_equal(s->opened, 1);
    assert_int_equal(tr_client_session(client), 77);
    assert_string_equal(tr_client_server_version(client), "9.9");
    tr_client_close(client);
    close_stand(s);
}

static void refuse_version(tr_partner *partner, const Troupe__ClientMessage *message) {
    assert_int_equal(message->hello->protocol_major, 1);
    tr_partner_respond(partner, message->request_id,
                       TROUPE__STATUS_CODE__STATUS_CODE_FAILED_PRECONDITION,
                       "you speak 1.0, I speak 2.3");
}

TEST(a_version_mismatch_is_reported_in_the_daemons_words) {
    stand *s = open_stand(refuse_version);
    tr_client *client = NULL;
    tr_client_def def = definition(s);
    tr_error error;
    assert_int_equal(tr_client_connect(&def, &client, &error), TR_FAILED_PRECONDITION);
    assert_string_equal(error.message, "you speak 1.0, I speak 2.3");
    assert_null(client);
    close_stand(s);
}

static void welcome_without_a_word(tr_partner *partner, const Troupe__ClientMessage *message) {
    tr_partner_respond(partner, message->request_id, TROUPE__STATUS_CODE__STATUS_CODE_OK, "");
}

static void welcome_in_another_version(tr_partner *partner, const Troupe__ClientMessage *message) {
    Troupe__HelloResult hello = TROUPE__HELLO_RESULT__INIT;
    hello.protocol_major = 2;
    hello.protocol_minor = 5;
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.request_id = message->request_id;
    response.result_case = TROUPE__RESPONSE__RESULT_HELLO;
    response.hello = &hello;
    Troupe__ServerMessage answer = TROUPE__SERVER_MESSAGE__INIT;
    answer.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE;
    answer.response = &response;
    tr_partner_send(partner, &answer);
}

TEST(a_malformed_welcome_fails) {
    static const struct {
        tr_partner_handler *handler;
        tr_status status;
        const char *word; /* of the message */
    } cases[] = {{welcome_without_a_word, TR_DATA_LOSS, "welcome"},
                 {welcome_in_another_version, TR_FAILED_PRECONDITION, "2.5"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stand *s = open_stand(cases[i].handler);
        tr_client *client = NULL;
        tr_client_def def = definition(s);
        tr_error error;
        assert_int_equal(tr_client_connect(&def, &client, &error), cases[i].status);
        assert_non_null(strstr(error.message, cases[i].word));
        close_stand(s);
    }
}

static void say_nothing(tr_partner *partner, const Troupe__ClientMessage *message) {
    (void)partner;
    (void)message;
}

TEST(a_silent_daemon_is_given_up) {
    stand *s = open_stand(say_nothing);
    tr_client *client = NULL;
    tr_client_def def = definition(s);
    def.connect_timeout_ms = 50;
    tr_error error;
    assert_int_equal(tr_client_connect(&def, &client, &error), TR_DEADLINE_EXCEEDED);
    close_stand(s);
}

TEST(a_missing_daemon_is_unavailable_on_a_private_loop) {
    stand *s = open_stand(say_nothing);
    tr_client_def def = tr_client_def_default();
    def.port = s->partner.port;
    close_stand(s);
    tr_client *client = NULL;
    tr_error error;
    assert_int_equal(tr_client_connect(&def, &client, &error), TR_UNAVAILABLE);
    assert_non_null(strstr(error.message, "127.0.0.1"));
}

TEST(a_bad_definition_is_refused) {
    tr_client *client = NULL;
    tr_error error;
    char longest[300];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    tr_client_def def = tr_client_def_default();
    def.port = 65536;
    assert_int_equal(tr_client_open(&def, &client, &error), TR_INVALID_ARGUMENT);
    def.port = 7400;
    def.host = longest;
    assert_int_equal(tr_client_open(&def, &client, &error), TR_INVALID_ARGUMENT);
    def.host = NULL;
    def.name = "\xff";
    assert_int_equal(tr_client_open(&def, &client, &error), TR_INVALID_ARGUMENT);
    assert_null(client);
}

/* --- replies --- */

static void send_state(stand *s, size_t root_size, size_t joint_size);

TEST(requests_made_early_are_sent_after_the_greeting) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = NULL;
    tr_client_def def = definition(s);
    assert_int_equal(tr_client_open(&def, &client, NULL), TR_OK);
    uint64_t first = tr_client_ping(client), second = tr_client_list_worlds(client);
    assert_true(first != 0 && second > first);
    assert_int_equal(tr_client_on_reply(client, first, on_reply, s), TR_OK);
    assert_int_equal(tr_client_on_reply(client, second, NULL, NULL), TR_OK);
    hold(s, 2);
    assert_true(s->partner.ids_rise);
    assert_int_equal(s->held[0], first);
    assert_int_equal(s->held[1], second);
    tr_client_close(client);
    assert_int_equal(s->replies, 1);
    assert_int_equal(s->status, TR_CANCELLED);
    close_stand(s);
}

TEST(replies_may_come_in_any_order) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    tr_client_at at = {.world = 1};
    uint64_t first = tr_client_pause(client, at), second = tr_client_resume(client, at);
    hold(s, 2);
    tr_partner_apply(&s->partner, s->held[1], 20);
    tr_partner_apply(&s->partner, s->held[0], 10);
    const tr_client_reply *reply = NULL;
    assert_int_equal(tr_client_await(client, first, WAIT_MS, &reply, NULL), TR_OK);
    assert_int_equal(reply->applied.tick, 10);
    assert_int_equal(tr_client_await(client, second, WAIT_MS, &reply, NULL), TR_OK);
    assert_int_equal(reply->kind, TR_CLIENT_REPLY_APPLIED);
    assert_int_equal(reply->applied.tick, 20);
    assert_int_equal(tr_client_await(client, second, WAIT_MS, &reply, NULL), TR_INVALID_ARGUMENT);
    tr_client_close(client);
    close_stand(s);
}

TEST(a_refusal_carries_the_daemons_reason) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    uint64_t request = tr_client_get_world(client, 9);
    hold(s, 1);
    tr_partner_respond(&s->partner, s->held[0], TROUPE__STATUS_CODE__STATUS_CODE_NOT_FOUND,
                       "world 9: not found");
    tr_error error;
    const tr_client_reply *reply = NULL;
    assert_int_equal(tr_client_await(client, request, WAIT_MS, &reply, &error), TR_NOT_FOUND);
    assert_string_equal(error.message, "world 9: not found");
    assert_null(reply);
    tr_client_close(client);
    close_stand(s);
}

TEST(asking_always_gives_a_reply) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = NULL;
    tr_client_def def = definition(s);
    def.reply_timeout_ms = 500;
    assert_int_equal(tr_client_connect(&def, &client, NULL), TR_OK);
    uint64_t request = tr_client_pause(client, (tr_client_at){.world = 1});
    hold(s, 1);
    tr_partner_apply(&s->partner, s->held[0], 10);
    const tr_client_reply *reply = tr_client_ask(client, request);
    assert_int_equal(reply->status, TR_OK);
    assert_int_equal(reply->applied.tick, 10);

    request = tr_client_get_world(client, 9);
    hold(s, 2);
    tr_partner_respond(&s->partner, s->held[1], TROUPE__STATUS_CODE__STATUS_CODE_NOT_FOUND,
                       "world 9: not found");
    reply = tr_client_ask(client, request);
    assert_int_equal(reply->status, TR_NOT_FOUND);
    assert_string_equal(reply->message, "world 9: not found");
    assert_int_equal(reply->world.id, 0);

    reply = tr_client_ask(client, tr_client_ping(client));
    assert_int_equal(reply->status, TR_DEADLINE_EXCEEDED);
    assert_int_equal(reply->world.id, 0);
    reply = tr_client_ask(client, tr_client_spawn_object(client, (tr_client_at){.world = 1},
                                                         &(tr_client_object_def){0}));
    assert_int_equal(reply->status, TR_INVALID_ARGUMENT);
    assert_non_null(strstr(reply->message, "geom_count"));

    s->close_in_callback = client;
    send_state(s, 3, 0);
    assert_int_equal(tr_client_ask(client, tr_client_ping(client))->status, TR_CANCELLED);
    close_stand(s);
}

TEST(a_late_reply_is_dropped) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    uint64_t late = tr_client_ping(client);
    assert_int_equal(tr_client_await(client, late, 20, NULL, NULL), TR_DEADLINE_EXCEEDED);
    uint64_t next = tr_client_ping(client);
    hold(s, 2);
    tr_partner_respond(&s->partner, s->held[0], TROUPE__STATUS_CODE__STATUS_CODE_OK, "");
    tr_partner_respond(&s->partner, s->held[1], TROUPE__STATUS_CODE__STATUS_CODE_OK, "");
    assert_int_equal(tr_client_await(client, next, WAIT_MS, NULL, NULL), TR_OK);
    tr_client_close(client);
    close_stand(s);
}

TEST(unclaimed_requests_are_bounded) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    for (int i = 0; i < 256; i++)
        assert_true(tr_client_ping(client) != 0);
    uint64_t refused = tr_client_ping(client);
    assert_int_equal(refused, 0);
    tr_error error;
    assert_int_equal(tr_client_await(client, refused, WAIT_MS, NULL, &error),
                     TR_RESOURCE_EXHAUSTED);
    assert_int_equal(tr_client_on_reply(client, refused, on_reply, s), TR_RESOURCE_EXHAUSTED);
    assert_int_equal(s->replies, 0);
    tr_client_close(client);
    close_stand(s);
}

/* --- states and events --- */

static void send_state(stand *s, size_t root_size, size_t joint_size) {
    float values[64] = {0};
    Troupe__CharacterState character = TROUPE__CHARACTER_STATE__INIT;
    character.n_root_pos = root_size;
    character.root_pos = values;
    character.n_joint_rot = joint_size;
    character.joint_rot = values;
    Troupe__WorldState world = TROUPE__WORLD_STATE__INIT;
    world.tick = 42;
    world.n_characters = 1;
    world.characters = (Troupe__CharacterState *[]){&character};
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    message.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_STATE;
    message.state = &world;
    tr_partner_send(&s->partner, &message);
}

TEST(states_and_events_reach_their_callbacks) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    send_state(s, 3, 16);
    while (s->states == 0)
        uv_run(&s->loop, UV_RUN_ONCE);
    assert_string_equal(s->text, "42 1");
    Troupe__Event event = TROUPE__EVENT__INIT;
    event.kind = TROUPE__EVENT_KIND__EVENT_KIND_FELL;
    event.tick = 43;
    Troupe__EventBatch batch = TROUPE__EVENT_BATCH__INIT;
    batch.n_events = 1;
    batch.events = (Troupe__Event *[]){&event};
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    message.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_EVENTS;
    message.events = &batch;
    tr_partner_send(&s->partner, &message);
    while (s->events == 0)
        uv_run(&s->loop, UV_RUN_ONCE);
    assert_string_equal(s->text, "fell 43");
    tr_client_close(client);
    close_stand(s);
}

TEST(a_state_of_the_wrong_shape_ends_the_connection) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    send_state(s, 2, 0);
    assert_int_equal(tr_client_run(client, WAIT_MS, NULL), TR_DATA_LOSS);
    assert_int_equal(s->closed, 1);
    assert_int_equal(s->states, 0);
    tr_client_close(client);
    close_stand(s);
}

TEST(the_client_may_be_closed_from_a_callback) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    s->close_in_callback = client;
    send_state(s, 3, 0);
    send_state(s, 3, 0);
    assert_int_equal(tr_client_run(client, WAIT_MS, NULL), TR_CANCELLED);
    assert_int_equal(s->states, 1);
    assert_int_equal(s->closed, 0);
    close_stand(s);
}

TEST(the_client_may_be_closed_from_a_reply) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    s->close_in_callback = client;
    for (int i = 0; i < 3; i++)
        assert_int_equal(tr_client_on_reply(client, tr_client_ping(client), on_reply, s), TR_OK);
    hold(s, 3);
    tr_partner_respond(&s->partner, s->held[1], TROUPE__STATUS_CODE__STATUS_CODE_OK, "");
    while (s->replies < 3)
        uv_run(&s->loop, UV_RUN_ONCE);
    assert_int_equal(s->status, TR_CANCELLED);
    close_stand(s);
}

/* --- ends --- */

TEST(a_goodbye_is_reported_and_fails_open_requests) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    uint64_t request = tr_client_ping(client);
    hold(s, 1);
    Troupe__Goodbye goodbye = TROUPE__GOODBYE__INIT;
    goodbye.code = TROUPE__STATUS_CODE__STATUS_CODE_UNAVAILABLE;
    goodbye.reason = (char[]){"shutting down"};
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    message.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_GOODBYE;
    message.goodbye = &goodbye;
    tr_partner_send(&s->partner, &message);
    tr_error error;
    assert_int_equal(tr_client_await(client, request, WAIT_MS, NULL, &error), TR_UNAVAILABLE);
    assert_string_equal(error.message, "shutting down");
    assert_int_equal(s->closed, 1);
    assert_string_equal(s->text, "shutting down");
    assert_false(tr_client_is_open(client));
    assert_int_equal(tr_client_ping(client), 0);
    tr_client_close(client);
    close_stand(s);
}

TEST(a_lost_connection_is_unavailable) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    uint64_t request = tr_client_ping(client);
    hold(s, 1);
    tr_partner_hang_up(&s->partner);
    assert_int_equal(tr_client_await(client, request, WAIT_MS, NULL, NULL), TR_UNAVAILABLE);
    tr_client_close(client);
    close_stand(s);
}

TEST(a_frame_too_large_ends_the_connection) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    uint8_t prefix[TR_FRAME_PREFIX_MAX];
    tr_partner_send_bytes(&s->partner, prefix, tr_frame_prefix(TR_FRAME_SERVER_MAX + 1, prefix));
    assert_int_equal(tr_client_run(client, WAIT_MS, NULL), TR_DATA_LOSS);
    tr_client_close(client);
    close_stand(s);
}

TEST(nonsense_in_a_frame_ends_the_connection) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    tr_partner_send_bytes(&s->partner, "\x03\xff\xff\xff", 4);
    tr_error error;
    assert_int_equal(tr_client_run(client, WAIT_MS, &error), TR_DATA_LOSS);
    tr_client_close(client);
    close_stand(s);
}

TEST(running_ends_when_the_time_is_over) {
    stand *s = open_stand(greet_and_hold);
    tr_client *client = connect_to(s);
    assert_int_equal(tr_client_run(client, 10, NULL), TR_OK);
    assert_true(tr_client_is_open(client));
    tr_client_close(client);
    close_stand(s);
    tr_client_close(NULL);
}
