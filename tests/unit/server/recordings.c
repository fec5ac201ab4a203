/* A recording that is deleted while the last of it is being written: it is gone at once, and
 * whoever waits for its bytes is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/recordings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void on_done(tr_recordings_job *job) {
    tr_status *told = job->context;
    *told = job->error.status;
}

static void on_failed(void *context, uint32_t world, tr_status status, const char *why) {
    (void)context;
    (void)world;
    fail_msg("status %d: %s", (int)status, why);
}

static void test_deleted_while_it_is_written(void **state) {
    (void)state;
    char folder[] = "/tmp/troupe-recordings-XXXXXX", path[64];
    uv_loop_t loop;
    tr_error error = {0};
    tr_recordings *recordings = NULL;
    tr_status told = TR_OK;
    uint64_t id = 0;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(uv_loop_init(&loop), 0);
    const tr_recordings_def def = {.loop = &loop, .folder = folder, .failed = on_failed};
    assert_int_equal(tr_recordings_open(&def, &recordings, &error), TR_OK);

    const tr_recording_entry entry = {.name = "short", .world = "stage"};
    assert_int_equal(tr_recordings_begin(recordings, &entry, 1, &id, &error), TR_OK);
    tr_packet *bytes = tr_packet_create(64);
    memset(bytes->bytes, 0, 64);
    tr_recordings_append(recordings, id, bytes); /* a write begins */
    tr_recordings_end(recordings, id, 1, TR_OK, "stopped");
    tr_recordings_job *job = calloc(1, sizeof *job);
    job->context = &told;
    job->done = on_done;
    job->size = 64;
    memcpy(job->name, "short", sizeof "short");
    assert_int_equal(tr_recordings_read(recordings, job), TR_OK); /* waits for the last bytes */

    assert_int_equal(tr_recordings_remove(recordings, "short", &error), TR_OK);
    assert_null(tr_recordings_find(recordings, "short"));
    assert_int_equal(tr_recordings_remove(recordings, "short", &error), TR_NOT_FOUND);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_not_equal(told, TR_OK);
    assert_null(tr_recordings_at(recordings, 0));

    tr_recordings_close(recordings);
    assert_int_equal(uv_loop_close(&loop), 0);
    snprintf(path, sizeof path, "%s/short.trec", folder);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_deleted_while_it_is_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
