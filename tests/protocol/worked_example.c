/* The bytes of PROTOCOL.md are what they say they are, and its figures are those of limits.h. */
/* clang-format off */
#include "cmocka_test.h"
/* clang-format on */

#include "proto/frame.h"
#include "proto/message.h"
#include "troupe/envelope.pb-c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENT_MAX = 1 << 17, EXAMPLE_MAX = 256 };

/* --- reading the document --- */

static char *read_document(void) {
    FILE *file = fopen(TR_SOURCE_DIR "/proto/PROTOCOL.md", "rbe");
    assert_non_null(file);
    char *text = calloc(1, DOCUMENT_MAX);
    size_t size = fread(text, 1, DOCUMENT_MAX - 1, file);
    assert_true(size > 0 && size < DOCUMENT_MAX - 1);
    fclose(file);
    return text;
}

/* The bytes of the block "```hex NAME". Returns how many. */
static size_t read_example(const char *document, const char *name, uint8_t out[EXAMPLE_MAX]) {
    char heading[64];
    snprintf(heading, sizeof heading, "```hex %s\n", name);
    const char *at = strstr(document, heading);
    assert_non_null(at);
    at += strlen(heading);
    size_t size = 0;
    while (*at != '`') {
        char *end;
        unsigned long byte = strtoul(at, &end, 16);
        assert_true(end == at + 2 && byte < 256 && size < EXAMPLE_MAX);
        out[size++] = (uint8_t)byte;
        for (at = end; *at == ' ' || *at == '\n'; at++)
            continue;
    }
    return size;
}

/* The example is this message, both ways. Returns what it decodes to; destroy it. */
static ProtobufCMessage *check_example(const char *name, const ProtobufCMessage *message) {
    char *document = read_document();
    uint8_t bytes[EXAMPLE_MAX];
    size_t size = read_example(document, name, bytes);
    free(document);
    uint8_t *frame = NULL;
    size_t frame_size = 0;
    assert_int_equal(tr_message_frame(message, TR_FRAME_SERVER_MAX, &frame, &frame_size), TR_OK);
    assert_int_equal(frame_size, size);
    assert_memory_equal(frame, bytes, size);
    free(frame);
    tr_frame_decoder decoder;
    tr_frame_decoder_init(&decoder, TR_FRAME_BEFORE_HELLO_MAX);
    const uint8_t *at = bytes;
    tr_frame_view got;
    assert_int_equal(tr_frame_decoder_take(&decoder, &at, &size, &got), TR_OK);
    assert_non_null(got.data);
    assert_int_equal(size, 0);
    ProtobufCMessage *decoded = NULL;
    assert_int_equal(tr_message_decode(message->descriptor, got.data, got.size, &decoded), TR_OK);
    return decoded;
}

/* --- towards the daemon --- */

TEST(the_greeting) {
    Troupe__Hello hello = TROUPE__HELLO__INIT;
    hello.protocol_major = TR_PROTOCOL_MAJOR;
    hello.protocol_minor = TR_PROTOCOL_MINOR;
    hello.client_name = (char[]){"demo"};
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT;
    message.request_id = 1;
    message.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_HELLO;
    message.hello = &hello;
    Troupe__ClientMessage *got =
        (Troupe__ClientMessage *)check_example("client hello", &message.base);
    assert_string_equal(got->hello->client_name, "demo");
    tr_message_destroy(&got->base);
}

TEST(a_push) {
    Troupe__Vec3 force = TROUPE__VEC3__INIT;
    force.y = 150;
    Troupe__Push push = TROUPE__PUSH__INIT;
    push.entity = 65537;
    push.force = &force;
    push.duration_s = 0.2;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    command.world = 1;
    command.at_tick = 400;
    command.command_case = TROUPE__COMMAND__COMMAND_PUSH;
    command.push = &push;
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT;
    message.request_id = 2;
    message.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND;
    message.command = &command;
    Troupe__ClientMessage *got =
        (Troupe__ClientMessage *)check_example("client push", &message.base);
    assert_true(got->command->push->force->y == 150);
    tr_message_destroy(&got->base);
}

TEST(a_query) {
    Troupe__GetWorld get = TROUPE__GET_WORLD__INIT;
    get.world = 9;
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT;
    message.request_id = 3;
    message.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_GET_WORLD;
    message.get_world = &get;
    tr_message_destroy(check_example("client get_world", &message.base));
}

/* --- back --- */

/* Wraps a response and checks it. */
static void check_response(const char *name, Troupe__Response *response) {
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    message.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE;
    message.response = response;
    Troupe__ServerMessage *got = (Troupe__ServerMessage *)check_example(name, &message.base);
    assert_int_equal(got->response->request_id, response->request_id);
    assert_int_equal(got->response->code, response->code);
    assert_int_equal(got->response->result_case, response->result_case);
    tr_message_destroy(&got->base);
}

TEST(the_welcome) {
    Troupe__HelloResult hello = TROUPE__HELLO_RESULT__INIT;
    hello.protocol_major = TR_PROTOCOL_MAJOR;
    hello.protocol_minor = TR_PROTOCOL_MINOR;
    hello.server_version = (char[]){"0.1.0"};
    hello.session_id = 1;
    hello.frame_max = TR_FRAME_CLIENT_MAX;
    hello.server_frame_max = TR_FRAME_SERVER_MAX;
    hello.requests_max = TR_REQUESTS_MAX;
    hello.role = TROUPE__ROLE__ROLE_ADMIN;
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.request_id = 1;
    response.result_case = TROUPE__RESPONSE__RESULT_HELLO;
    response.hello = &hello;
    check_response("server welcome", &response);
}

TEST(the_challenge) {
    uint8_t nonce[32];
    for (int i = 0; i < 32; i++)
        nonce[i] = (uint8_t)i;
    Troupe__Challenge challenge = TROUPE__CHALLENGE__INIT;
    challenge.nonce.data = nonce;
    challenge.nonce.len = sizeof nonce;
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    message.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_CHALLENGE;
    message.challenge = &challenge;
    tr_message_destroy(check_example("server challenge", &message.base));
}

TEST(the_answer_to_the_push) {
    Troupe__CommandResult result = TROUPE__COMMAND_RESULT__INIT;
    result.tick = 400;
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.request_id = 2;
    response.result_case = TROUPE__RESPONSE__RESULT_COMMAND;
    response.command = &result;
    check_response("server applied", &response);
}

TEST(a_refusal) {
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.request_id = 3;
    response.code = TROUPE__STATUS_CODE__STATUS_CODE_NOT_FOUND;
    response.message = (char[]){"world 9: not found"};
    check_response("server not_found", &response);
}

TEST(an_event) {
    Troupe__Event event = TROUPE__EVENT__INIT;
    event.kind = TROUPE__EVENT_KIND__EVENT_KIND_FELL;
    event.tick = 553;
    event.entity = 65537;
    Troupe__EventBatch batch = TROUPE__EVENT_BATCH__INIT;
    batch.world = 1;
    batch.n_events = 1;
    batch.events = (Troupe__Event *[]){&event};
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    message.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_EVENTS;
    message.events = &batch;
    tr_message_destroy(check_example("server fell", &message.base));
}

/* --- the table of limits --- */

TEST(the_limits_are_those_of_the_code) {
    static const struct {
        const char *row; /* as the table has it */
        long long first, second;
    } rows[] = {
        {"| frame to the daemon before / after the handshake |", TR_FRAME_BEFORE_HELLO_MAX,
         TR_FRAME_CLIENT_MAX},
        {"| frame from the daemon |", TR_FRAME_SERVER_MAX, -1},
        {"| snapshot |", TR_SNAPSHOT_MAX, -1},
        {"| handshake / one frame from first to last byte |", TR_HELLO_TIMEOUT_MS,
         TR_FRAME_TIMEOUT_MS},
        {"| requests without an answer, per session |", TR_REQUESTS_MAX, -1},
        {"| subscriptions per session |", TR_SUBSCRIPTIONS_MAX, -1},
        {"| names / client name |", TR_WIRE_NAME_MAX, TR_CLIENT_NAME_MAX},
        {"| rows of a page |", TR_PAGE_SIZE_MAX, -1},
        {"| certificates of a controller / figures / pushes of one |", TR_CERTIFICATES_MAX,
         TR_CERTIFICATE_FIGURES_MAX},
        {"| worlds / steppers of a world |", TR_WORLDS_MAX, TR_STEPPERS_MAX},
        {"| seconds of a lease / of a step timeout |", TR_LEASE_SECONDS_MAX,
         TR_STEP_TIMEOUT_SECONDS_MAX},
        {"| seconds of a hold / by default |", TR_HOLD_SECONDS_MAX, TR_HOLD_SECONDS},
        {"| moved worlds in a list |", TR_MOVED_KEPT, -1},
        {"| commands waiting in a world / bytes of memory they take |", TR_COMMANDS_PENDING_MAX,
         TR_COMMANDS_PENDING_BYTES_MAX},
        {"| different pairs of rate and fields subscribed in a world |", TR_SUBSCRIPTION_KINDS_MAX,
         -1},
        {"| bytes of unfinished input of one key, or of one address without a key / of all clients "
         "|",
         TR_INPUT_PARTY_MAX, TR_INPUT_TOTAL_MAX},
        {"| bytes one client / all clients together may leave unread |", TR_UNREAD_MAX,
         TR_UNREAD_TOTAL_MAX},
        {"| ticks of one `Step` / ticks ahead in `at_tick` |", TR_STEP_COUNT_MAX,
         TR_AT_TICK_AHEAD_MAX},
        {"| orders of one `Advance` |", TR_ADVANCE_ORDERS_MAX, -1},
        {"| teams of a match / members of a team |", TR_MATCH_TEAMS_MAX, TR_MATCH_MEMBERS_MAX},
        {"| bouts of a match / seconds of one |", TR_MATCH_BOUTS_MAX, TR_MATCH_SECONDS_MAX},
        {"| matches that have not ended / watchers of one |", TR_MATCHES_MAX,
         TR_MATCH_WATCHERS_MAX},
        {"| recordings kept / their bytes in all |", TR_RECORDINGS_MAX,
         (long long)TR_RECORDINGS_MIB_MAX << 20},
        {"| bytes of a recording / of a part of it in one request |", TR_RECORDING_BYTES_MAX,
         TR_RECORDING_PART_MAX},
        {"| uploads under way / events of a timeline in one answer |", TR_UPLOADS_MAX,
         TR_REPLAY_EVENTS_MAX},
        {"| bytes of all recordings being replayed / of states that a replay keeps for seeking |",
         TR_REPLAY_BYTES_MAX, TR_REPLAY_KEYS_BYTES_MAX}};
    OWN_MEMORY char *document = read_document();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *at = strstr(document, rows[i].row);
        assert_non_null(at);
        char *end;
        assert_int_equal(strtoll(at + strlen(rows[i].row), &end, 10), rows[i].first);
        if (rows[i].second >= 0) {
            assert_memory_equal(end, " / ", 3);
            assert_int_equal(strtoll(end + 3, NULL, 10), rows[i].second);
        }
    }
}
