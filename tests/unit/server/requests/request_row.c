#include "cmocka_test.h"

#include "server/requests/request_row.h"

/* The daemon would not know a request without a row. */
TEST(every_request_has_a_row) {
    const ProtobufCMessageDescriptor *requests = &troupe__client_message__descriptor;
    int count = 0;
    for (unsigned i = 0; i < requests->n_fields; i++)
        if (requests->fields[i].flags & PROTOBUF_C_FIELD_FLAG_ONEOF) {
            if (!tr_request_row_find((Troupe__ClientMessage__RequestCase)requests->fields[i].id))
                fail_msg("server/requests/request_row.c: no row for the request %s",
                         requests->fields[i].name);
            count++;
        }
    assert_true(count > 20);
}

TEST(every_row_has_a_handler_and_every_query_a_function) {
    const ProtobufCMessageDescriptor *requests = &troupe__client_message__descriptor;
    for (unsigned i = 0; i < requests->n_fields; i++) {
        const tr_request_row *row =
            tr_request_row_find((Troupe__ClientMessage__RequestCase)requests->fields[i].id);
        if (!row)
            continue;
        assert_non_null(row->handle);
        assert_true((row->handle == tr_handle_query) == (row->inquire != NULL));
    }
}

/* A row that does not say would be served, and what it begins be lost with the daemon's machine. */
TEST(every_row_says_whether_it_is_served_in_a_drain) {
    static const Troupe__ClientMessage__RequestCase refused[] = {
        TROUPE__CLIENT_MESSAGE__REQUEST_ADD_BUNDLE,
        TROUPE__CLIENT_MESSAGE__REQUEST_CREATE_WORLD,
        TROUPE__CLIENT_MESSAGE__REQUEST_START_MATCH,
        TROUPE__CLIENT_MESSAGE__REQUEST_RECORD_BOUT,
        TROUPE__CLIENT_MESSAGE__REQUEST_START_TRAINING,
        TROUPE__CLIENT_MESSAGE__REQUEST_UPLOAD_RECORDING,
        TROUPE__CLIENT_MESSAGE__REQUEST_REPLAY};
    const ProtobufCMessageDescriptor *requests = &troupe__client_message__descriptor;
    size_t count = 0;
    for (unsigned i = 0; i < requests->n_fields; i++) {
        const tr_request_row *row =
            tr_request_row_find((Troupe__ClientMessage__RequestCase)requests->fields[i].id);
        if (!row)
            continue;
        if (row->in_drain != TR_SERVED && row->in_drain != TR_REFUSED)
            fail_msg("server/requests/request_row.c: %s does not say", requests->fields[i].name);
        count += row->in_drain == TR_REFUSED;
    }
    assert_int_equal(count, sizeof refused / sizeof *refused);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(tr_request_row_find(refused[i])->in_drain, TR_REFUSED);
}

TEST(an_unknown_request_has_no_row) {
    assert_null(tr_request_row_find((Troupe__ClientMessage__RequestCase)9999));
}

TEST(only_the_greeting_is_allowed_before_login) {
    const ProtobufCMessageDescriptor *requests = &troupe__client_message__descriptor;
    for (unsigned i = 0; i < requests->n_fields; i++) {
        const tr_request_row *row =
            tr_request_row_find((Troupe__ClientMessage__RequestCase)requests->fields[i].id);
        if (row && row->request != TROUPE__CLIENT_MESSAGE__REQUEST_HELLO &&
            row->request != TROUPE__CLIENT_MESSAGE__REQUEST_AUTHENTICATE)
            assert_true(row->role > TR_ROLE_NONE);
    }
}
