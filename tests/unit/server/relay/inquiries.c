/* The questions of a relay's readers: equal ones are asked once, and everyone gets the answer. */
#include "cmocka_test.h"

#include "proto/message.h"
#include "server/relay/inquiries.h"

static struct {
    int sent; /* requests upstream */
    bool away;
    int answered, failed;
    uint64_t last_session;
} seen;

uint64_t __wrap_tr_upstream_send(tr_upstream *upstream, Troupe__ClientMessage *message);
uint64_t __wrap_tr_upstream_send(tr_upstream *upstream, Troupe__ClientMessage *message) {
    (void)upstream, (void)message;
    return seen.away ? 0 : (uint64_t)++seen.sent;
}

static void answered(void *context, const tr_inquirer *who, Troupe__Response *response) {
    (void)context;
    assert_int_equal(response->code, TROUPE__STATUS_CODE__STATUS_CODE_OK);
    seen.answered++;
    seen.last_session = who->session;
}

static void failed(void *context, const tr_inquirer *who, const tr_error *error) {
    (void)context, (void)who;
    assert_int_equal(error->status, TR_UNAVAILABLE);
    seen.failed++;
}

static tr_status ask(tr_inquiries *all, uint64_t session, uint32_t world, uint64_t now_ms) {
    Troupe__GetWorld get = TROUPE__GET_WORLD__INIT;
    Troupe__ClientMessage question = TROUPE__CLIENT_MESSAGE__INIT;
    tr_error error = {0};
    get.world = world;
    question.request_id = 100 + session; /* no part of the question */
    question.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_GET_WORLD;
    question.get_world = &get;
    return tr_inquiries_ask(all, NULL, &question, &(tr_inquirer){.session = session}, now_ms,
                            &error);
}

/* Answers an upstream request with `size` bytes, as the relay counts them. */
static bool take(tr_inquiries *all, uint64_t request, size_t size, uint64_t now_ms) {
    static const uint8_t bytes[] = {0x0a, 0x02, 0x08, 0x00}; /* response { request_id } */
    uint8_t data[sizeof bytes];
    ProtobufCMessage *message = NULL;
    for (size_t i = 0; i < sizeof bytes; i++)
        data[i] = bytes[i];
    data[3] = (uint8_t)request;
    assert_int_equal(
        tr_message_decode(&troupe__server_message__descriptor, data, sizeof data, &message), TR_OK);
    if (tr_inquiries_take(all, (Troupe__ServerMessage *)message, size, now_ms))
        return true;
    tr_message_destroy(message);
    return false;
}

FIXTURE(begin) {
    static tr_inquiries all;
    all = (tr_inquiries){.answered = answered, .failed = failed};
    *given = &all;
    seen.sent = seen.answered = seen.failed = 0;
    seen.away = false;
}

FIXTURE(end) {
    tr_inquiries_deinit(*given);
}

TEST(equal_questions_are_asked_once) {
    tr_inquiries *all = *given;
    for (uint64_t session = 1; session <= 50; session++)
        assert_int_equal(ask(all, session, 7, 0), TR_OK);
    assert_int_equal(ask(all, 51, 8, 0), TR_OK);
    assert_int_equal(seen.sent, 2);
    assert_true(take(all, 1, 100, 10));
    assert_int_equal(seen.answered, 50);
    assert_int_equal(seen.last_session, 50); /* in the order in which they asked */
    assert_false(take(all, 1, 100, 10));
}

TEST(an_answer_is_kept_for_a_second) {
    tr_inquiries *all = *given;
    assert_int_equal(ask(all, 1, 7, 0), TR_OK);
    assert_true(take(all, 1, 100, 500));
    assert_int_equal(ask(all, 2, 7, 500 + TR_INQUIRY_KEEP_MS - 1), TR_OK);
    assert_int_equal(seen.answered, 2);
    assert_int_equal(seen.sent, 1);
    assert_int_equal(ask(all, 3, 7, 500 + TR_INQUIRY_KEEP_MS), TR_OK);
    assert_int_equal(seen.sent, 2);
    assert_int_equal(seen.answered, 2);
}

TEST(a_long_answer_is_not_kept) {
    tr_inquiries *all = *given;
    assert_int_equal(ask(all, 1, 7, 0), TR_OK);
    assert_true(take(all, 1, TR_INQUIRY_KEEP_BYTES + 1, 0));
    assert_int_equal(all->count, 0);
    assert_int_equal(ask(all, 2, 7, 0), TR_OK);
    assert_int_equal(seen.sent, 2);
}

TEST(too_many_different_questions_are_refused) {
    tr_inquiries *all = *given;
    for (uint32_t world = 1; world <= TR_INQUIRIES_MAX; world++)
        assert_int_equal(ask(all, 1, world, 0), TR_OK);
    assert_int_equal(ask(all, 1, TR_INQUIRIES_MAX + 1, 0), TR_RESOURCE_EXHAUSTED);
    assert_int_equal(ask(all, 2, 1, 0), TR_OK); /* one that waits */
}

TEST(answers_make_room_for_new_questions) {
    tr_inquiries *all = *given;
    for (uint32_t world = 1; world <= TR_INQUIRIES_MAX; world++)
        assert_int_equal(ask(all, 1, world, 0), TR_OK);
    assert_true(take(all, 5, 100, 0));
    assert_true(take(all, 9, 100, 0));
    assert_int_equal(ask(all, 1, 1000, 0), TR_OK);
    assert_int_equal(ask(all, 1, 9, 0), TR_OK); /* the later answer is still kept */
    assert_int_equal(seen.sent, TR_INQUIRIES_MAX + 1);
    assert_int_equal(ask(all, 1, 1001, 0), TR_OK);
    assert_int_equal(ask(all, 1, 1002, 0), TR_RESOURCE_EXHAUSTED);
}

TEST(a_lost_connection_fails_all_and_a_closed_one_each) {
    tr_inquiries *all = *given;
    const tr_error lost = {TR_UNAVAILABLE, "lost"};
    for (uint64_t session = 1; session <= 3; session++)
        assert_int_equal(ask(all, session, 7, 0), TR_OK);
    tr_inquiries_fail(all, &lost);
    assert_int_equal(seen.failed, 3);
    assert_int_equal(all->count, 0);
    seen.away = true;
    assert_int_equal(ask(all, 1, 7, 0), TR_UNAVAILABLE);
    assert_int_equal(all->count, 0);
}

TEST_FIXTURE(begin, end);
