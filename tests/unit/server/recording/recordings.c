/* Recordings as files. One that is deleted while its last bytes are being written disappears
 * without delay, and a client that waits for the bytes gets an error. Bytes are on the disk before
 * more are written, so that a power loss takes only the last ones; a sync that fails ends the
 * recording. */
#include "cmocka_test.h"

#include "server/recording/recordings.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* In the place of libc's: what a disk without power would still have. Called on libuv's threads. */
static atomic_llong synced_size = -1;
static atomic_int folder_syncs, failing_syncs;

int fdatasync(int file) {
    struct stat info;
    if (atomic_load(&failing_syncs) > 0 && atomic_fetch_sub(&failing_syncs, 1) > 0) {
        errno = EIO;
        return -1;
    }
    assert(fstat(file, &info) == 0);
    atomic_store(&synced_size, info.st_size);
    return (int)syscall(SYS_fdatasync, file);
}

int fsync(int file) {
    struct stat info;
    assert(fstat(file, &info) == 0);
    atomic_fetch_add(&folder_syncs, S_ISDIR(info.st_mode) ? 1 : 0);
    return (int)syscall(SYS_fsync, file);
}

static void on_done(tr_recordings_job *job) {
    tr_status *told = job->context;
    *told = job->error.status;
}

static void on_failed(void *context, uint32_t world, tr_status status, const char *why) {
    (void)context;
    (void)world;
    fail_msg("status %d: %s", (int)status, why);
}

TEST(test_deleted_while_it_is_written) {
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

/* A folder with one recording "long" that is being written; on_failed counts into `failures`. */
typedef struct scene {
    char folder[40], path[64];
    uv_loop_t loop;
    tr_recordings *recordings;
    uint64_t id;
    int failures;
} scene;

static void count_failure(void *context, uint32_t world, tr_status status, const char *why) {
    scene *s = context;
    (void)why;
    assert_int_equal(world, 1);
    assert_int_equal(status, TR_UNAVAILABLE);
    s->failures++;
}

static void begin(scene *s) {
    tr_error error = {0};
    const tr_recording_entry entry = {.name = "long", .world = "stage"};
    *s = (scene){.folder = "/tmp/troupe-recordings-XXXXXX"};
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->path, sizeof s->path, "%s/long.trec", s->folder);
    assert_int_equal(uv_loop_init(&s->loop), 0);
    const tr_recordings_def def = {
        .loop = &s->loop, .folder = s->folder, .context = s, .failed = count_failure};
    assert_int_equal(tr_recordings_open(&def, &s->recordings, &error), TR_OK);
    assert_int_equal(tr_recordings_begin(s->recordings, &entry, 1, &s->id, &error), TR_OK);
    atomic_store(&synced_size, -1);
    atomic_store(&folder_syncs, 0);
}

static tr_packet *zeros(size_t size) {
    tr_packet *bytes = tr_packet_create(size);
    memset(bytes->bytes, 0, size);
    return bytes;
}

static void append(scene *s, size_t size) {
    tr_recordings_append(s->recordings, s->id, zeros(size));
}

static void end(scene *s) {
    tr_recordings_close(s->recordings);
    assert_int_equal(uv_loop_close(&s->loop), 0);
    unlink(s->path);
    assert_int_equal(rmdir(s->folder), 0);
}

TEST(test_bytes_are_on_the_disk_before_more_are_written) {
    scene s;
    begin(&s);
    for (int i = 1; i <= 3; i++) { /* the recording grows all the while */
        append(&s, 100);
        uv_run(&s.loop, UV_RUN_DEFAULT);
        assert_int_equal(atomic_load(&synced_size), 100 * i);
        assert_int_equal(tr_recordings_find(s.recordings, "long")->size, 100 * i);
    }
    assert_int_equal(atomic_load(&folder_syncs), 1); /* its name too */
    tr_recordings_end(s.recordings, s.id, 1, TR_OK, "stopped");
    uv_run(&s.loop, UV_RUN_DEFAULT);
    assert_int_equal(tr_recordings_find(s.recordings, "long")->state, TR_RECORDING_ENDED);
    end(&s);
}

TEST(test_a_sync_that_fails_ends_the_recording) {
    scene s;
    begin(&s);
    append(&s, 100);
    uv_run(&s.loop, UV_RUN_DEFAULT);
    atomic_store(&failing_syncs, 1);
    append(&s, 100);
    uv_run(&s.loop, UV_RUN_DEFAULT);
    assert_int_equal(s.failures, 1);
    assert_int_equal(tr_recordings_find(s.recordings, "long")->state, TR_RECORDING_CUT);
    append(&s, 100); /* thrown away */
    uv_run(&s.loop, UV_RUN_DEFAULT);
    assert_int_equal(s.failures, 1);
    atomic_store(&failing_syncs, 0);
    end(&s);
}

/* --- who waits for the last bytes --- */

enum { READERS = 3 };

static void read_when_ended(scene *s, tr_status told[READERS]) {
    for (int i = 0; i < READERS; i++) {
        tr_recordings_job *job = calloc(1, sizeof *job);
        assert_non_null(job);
        told[i] = TR_INTERNAL;
        *job = (tr_recordings_job){.done = on_done, .context = &told[i], .name = "long"};
        assert_int_equal(tr_recordings_read(s->recordings, job), TR_OK);
    }
}

/* Stopped by a client, ended with its world, and cut by a disk that fails: all are answered, once. */
TEST(test_readers_are_answered_however_the_recording_ends) {
    for (int way = 0; way < 3; way++) {
        scene s;
        tr_status told[READERS];
        begin(&s);
        append(&s, 100); /* a write is in progress */
        append(&s, 100);
        atomic_store(&failing_syncs, way == 2 ? 2 : 0);
        if (way == 1)
            tr_recordings_leave(s.recordings, 1);
        else
            tr_recordings_end(s.recordings, s.id, 1, TR_OK, "stopped");
        read_when_ended(&s, told);
        uv_run(&s.loop, UV_RUN_DEFAULT);
        for (int i = 0; i < READERS; i++)
            assert_int_equal(told[i], TR_OK);
        assert_int_equal(tr_recordings_find(s.recordings, "long")->state,
                         way == 0 ? TR_RECORDING_ENDED : TR_RECORDING_CUT);
        atomic_store(&failing_syncs, 0);
        end(&s);
    }
}

/* --- how much is kept --- */

enum { MIB = 1 << 20 };

/* A file of this size that is listed: a head, and a hole behind it. */
static void keep(const char *folder, const char *name, off_t size) {
    char path[96];
    uint8_t file[TR_RECORDING_HEAD_SIZE] = TR_RECORDING_MAGIC;
    const double step_s = 0.005;
    const uint32_t version = TR_RECORDING_VERSION, every = 1;
    uint8_t *record = file + TR_RECORDING_MAGIC_SIZE + TR_CHUNK_HEAD_SIZE;
    const uint32_t chunk[2] = {1 + 4 + 16 + 8 + 8 + 8 + 8 + 4 + 4 + TR_NAME_MAX};
    record[0] = TR_RECORD_HEAD;
    memcpy(record + 1, &version, 4);
    memcpy(record + 45, &step_s, 8);
    memcpy(record + 53, &every, 4);
    memcpy(record + 57, &every, 4);
    const uint32_t checksum = tr_chunk_checksum(record, chunk[0]);
    memcpy(file + TR_RECORDING_MAGIC_SIZE, chunk, 4);
    memcpy(file + TR_RECORDING_MAGIC_SIZE + 4, &checksum, 4);
    snprintf(path, sizeof path, "%s/%s.trec", folder, name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file, sizeof file, 1, out), 1);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(truncate(path, size), 0);
}

static void fill(const char *folder, int left_mib) {
    char name[16];
    for (int at = 0, number = 0; at < TR_RECORDINGS_MIB_MAX - left_mib; number++) {
        int size = TR_RECORDING_BYTES_MAX / MIB;
        if (size > TR_RECORDINGS_MIB_MAX - left_mib - at)
            size = TR_RECORDINGS_MIB_MAX - left_mib - at;
        snprintf(name, sizeof name, "kept-%d", number);
        keep(folder, name, (off_t)size * MIB);
        at += size;
    }
}

static tr_status upload(tr_recordings *recordings, uv_loop_t *loop, uint64_t session,
                        const char *name, uint64_t offset) {
    tr_status told = TR_OK;
    tr_recordings_job *job = calloc(1, sizeof *job);
    job->context = &told;
    job->done = on_done;
    job->asker.session = session;
    job->offset = offset;
    job->bytes = zeros(MIB);
    snprintf(job->name, sizeof job->name, "%s", name);
    tr_status status = tr_recordings_upload(recordings, job);
    if (status) {
        tr_packet_release(job->bytes);
        free(job);
        return status;
    }
    uv_run(loop, UV_RUN_DEFAULT);
    return told;
}

TEST(test_uploads_under_way_count) {
    char folder[] = "/tmp/troupe-recordings-XXXXXX", command[64];
    uv_loop_t loop;
    tr_error error = {0};
    tr_recordings *recordings = NULL;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(uv_loop_init(&loop), 0);
    fill(folder, 3);
    const tr_recordings_def def = {.loop = &loop, .folder = folder, .failed = on_failed};
    assert_int_equal(tr_recordings_open(&def, &recordings, &error), TR_OK);
    assert_non_null(tr_recordings_find(recordings, "kept-63"));

    assert_int_equal(upload(recordings, &loop, 1, "a", 0), TR_OK);
    assert_int_equal(upload(recordings, &loop, 2, "b", 0), TR_OK);
    assert_int_equal(upload(recordings, &loop, 1, "a", MIB), TR_OK);
    assert_int_equal(upload(recordings, &loop, 3, "c", 0), TR_RESOURCE_EXHAUSTED);
    assert_int_equal(upload(recordings, &loop, 1, "a", 2 * MIB), TR_RESOURCE_EXHAUSTED);
    /* What it had sent made room. */
    assert_int_equal(upload(recordings, &loop, 1, "a", 2 * MIB), TR_OUT_OF_RANGE);
    assert_int_equal(upload(recordings, &loop, 2, "b", MIB), TR_OK);
    assert_int_equal(upload(recordings, &loop, 3, "c", 0), TR_OK);

    tr_recordings_close(recordings);
    assert_int_equal(uv_loop_close(&loop), 0);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static int files_of_uploads(const char *folder) {
    int count = 0;
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (const struct dirent *file; (file = readdir(files));)
        count += strncmp(file->d_name, ".upload-", 8) == 0;
    closedir(files);
    return count;
}

/* What a session has begun goes with it: places, bytes and files; others keep theirs. */
TEST(test_uploads_end_with_their_session) {
    scene s;
    char name[16];
    begin(&s);
    for (int i = 0; i < TR_UPLOADS_MAX; i++) {
        snprintf(name, sizeof name, "part-%d", i);
        assert_int_equal(upload(s.recordings, &s.loop, 1 + (uint64_t)(i % 2), name, 0), TR_OK);
    }
    assert_int_equal(files_of_uploads(s.folder), TR_UPLOADS_MAX);
    assert_int_equal(upload(s.recordings, &s.loop, 3, "more", 0), TR_RESOURCE_EXHAUSTED);

    tr_recordings_session_left(s.recordings, 1);
    assert_int_equal(files_of_uploads(s.folder), TR_UPLOADS_MAX / 2);
    assert_int_equal(upload(s.recordings, &s.loop, 3, "more", 0), TR_OK);
    assert_int_equal(upload(s.recordings, &s.loop, 3, "part-0", MIB), TR_OUT_OF_RANGE);
    assert_int_equal(upload(s.recordings, &s.loop, 2, "part-1", MIB), TR_OK);
    tr_recordings_session_left(s.recordings, 2);
    tr_recordings_session_left(s.recordings, 3);
    assert_int_equal(files_of_uploads(s.folder), 0);
    end(&s);
}

static void count_full(void *context, uint32_t world, tr_status status, const char *why) {
    int *count = context;
    (void)why;
    assert_int_equal(world, 2);
    assert_int_equal(status, TR_RESOURCE_EXHAUSTED);
    ++*count;
}

/* Two are recorded while there is room for one of them: what the first has queued is taken. */
TEST(test_queued_bytes_of_others_count) {
    char folder[] = "/tmp/troupe-recordings-XXXXXX", command[64];
    int full = 0;
    uint64_t first, second;
    uv_loop_t loop;
    tr_error error = {0};
    tr_recordings *recordings = NULL;
    const tr_recording_entry entries[] = {{.name = "first"}, {.name = "second"}};
    assert_non_null(mkdtemp(folder));
    assert_int_equal(uv_loop_init(&loop), 0);
    fill(folder, 3);
    const tr_recordings_def def = {
        .loop = &loop, .folder = folder, .context = &full, .failed = count_full};
    assert_int_equal(tr_recordings_open(&def, &recordings, &error), TR_OK);
    assert_int_equal(tr_recordings_begin(recordings, &entries[0], 1, &first, &error), TR_OK);
    assert_int_equal(tr_recordings_begin(recordings, &entries[1], 2, &second, &error), TR_OK);

    for (int i = 0; i < 2; i++) /* one is being written, one waits */
        tr_recordings_append(recordings, first, zeros(MIB));
    tr_recordings_append(recordings, second, zeros(MIB));
    assert_int_equal(full, 0);
    assert_int_equal(upload(recordings, &loop, 1, "a", 0), TR_RESOURCE_EXHAUSTED);
    tr_recordings_append(recordings, second, zeros(MIB));
    assert_int_equal(full, 1);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(tr_recordings_find(recordings, "first")->size, 2 * MIB);
    assert_int_equal(tr_recordings_find(recordings, "second")->size,
                     MIB); /* its upload was in progress */
    assert_int_equal(upload(recordings, &loop, 1, "a", 0), TR_RESOURCE_EXHAUSTED);

    tr_recordings_close(recordings);
    assert_int_equal(uv_loop_close(&loop), 0);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}
