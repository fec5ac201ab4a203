/* A stored match whose definition is decoded while memory runs out: the error is reported, and the
 * match is not taken for damaged, which would end it. */
#include "cmocka_test.h"

#include "server/catalogue/inquiry.h"
#include "server/match/match_inquiry.h"
#include "server/match/match_store.h"

#include <stdlib.h>
#include <string.h>

/* The linker puts this in the place of the decoder. */
static tr_status decoded;

tr_status __wrap_tr_message_decode(const ProtobufCMessageDescriptor *type, const uint8_t *data,
                                   size_t size, ProtobufCMessage **out);

tr_status __wrap_tr_message_decode(const ProtobufCMessageDescriptor *type, const uint8_t *data,
                                   size_t size, ProtobufCMessage **out) {
    (void)type, (void)data, (void)size, (void)out;
    return decoded;
}

/* A catalogue with one match that runs. */
typedef struct scene {
    char folder[40], path[64];
    tr_catalogue *catalogue;
} scene;

static void begin(scene *s) {
    tr_error error = {0};
    tr_row_id id = 0;
    const tr_match_row match = {
        .name = "duel", .rule = "collide", .bout_count = 1, .team_count = 2};
    *s = (scene){.folder = "/tmp/troupe-matches-XXXXXX"};
    assert_non_null(mkdtemp(s->folder));
    (void)snprintf(s->path, sizeof s->path, "%s/catalogue", s->folder);
    assert_int_equal(tr_catalogue_open(s->path, TR_CATALOGUE_CREATE, &s->catalogue, &error), TR_OK);
    assert_int_equal(tr_matches_put(s->catalogue, &match, "bytes", 5, &id, &error), TR_OK);
}

static void end(scene *s) {
    char command[64];
    (void)snprintf(command, sizeof command, "rm -r %s", s->folder);
    assert_int_equal(system(command), 0);
}

/* --- at a start --- */

typedef struct told {
    int found, ended;
    tr_status why_not; /* of what was found */
    tr_error error;
} told;

static void on_found(void *context, tr_contest *take_contest, const tr_error *error) {
    told *t = context;
    t->found++;
    t->why_not = error->status;
    tr_contest_destroy(take_contest);
}

static void on_ended(void *context, const tr_error *error) {
    told *t = context;
    t->ended++;
    t->error = *error;
}

/* The report when decoding ends with this status. */
static told recall(tr_status status) {
    scene s;
    uv_loop_t loop;
    tr_catalogue_thread *thread = NULL;
    told t = {0};
    begin(&s);
    decoded = status;
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_int_equal(tr_catalogue_thread_start(&loop, s.catalogue, &thread), TR_OK);
    const tr_match_recall what = {.found = on_found, .ended = on_ended, .context = &t};
    assert_int_equal(tr_match_store_recall(thread, &what), TR_OK);
    tr_catalogue_thread_stop(thread); /* what was asked for is done first */
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    end(&s);
    return t;
}

TEST(test_a_match_does_not_change_without_memory) {
    told t = recall(TR_RESOURCE_EXHAUSTED);
    assert_int_equal(t.found, 0);
    assert_int_equal(t.ended, 1);
    assert_int_equal(t.error.status, TR_RESOURCE_EXHAUSTED);
    assert_string_equal(t.error.message, "out of memory");
}

TEST(test_a_damaged_match_is_found_with_its_error) {
    told t = recall(TR_INVALID_ARGUMENT);
    assert_int_equal(t.found, 1);
    assert_int_equal(t.why_not, TR_DATA_LOSS);
    assert_int_equal(t.error.status, TR_OK);
}

/* --- for a client --- */

static tr_error show(tr_status status) {
    scene s;
    tr_error error = {0};
    Troupe__GetMatch get = TROUPE__GET_MATCH__INIT;
    Troupe__ClientMessage request = TROUPE__CLIENT_MESSAGE__INIT;
    get.name = (char *)"duel";
    request.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_GET_MATCH;
    request.get_match = &get;
    begin(&s);
    decoded = status;
    tr_inquiry inquiry = {.catalogue = s.catalogue, .request = &request, .error = &error};
    status = tr_inquiry_run(&inquiry, tr_inquiry_get_match);
    assert_int_equal(status, error.status);
    tr_packet_release(inquiry.answer);
    tr_catalogue_close(s.catalogue);
    end(&s);
    return error;
}

TEST(test_a_client_learns_whether_memory_or_data_failed) {
    tr_error error = show(TR_RESOURCE_EXHAUSTED);
    assert_int_equal(error.status, TR_RESOURCE_EXHAUSTED);
    assert_string_equal(error.message, "out of memory");
    error = show(TR_INVALID_ARGUMENT);
    assert_int_equal(error.status, TR_DATA_LOSS);
    assert_non_null(strstr(error.message, "damaged"));
}
