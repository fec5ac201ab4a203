/* Memory that runs out: the n-th allocation of the daemon fails, for every n over a whole session
 * (accept, handshake, requests of every kind, spawns, steps, states, the catalogue) and over its
 * start. Every request is answered or its connection ends; nothing hangs, nothing crashes; and when
 * there is memory again the next client is served.
 *
 * The daemon is a process of this program, in which malloc, calloc and realloc of this project's
 * code are wrapped by the linker, and SQLite's allocations by its own hook. The client is here.
 *
 *     STRIDE [START]
 *         try each STRIDE-th allocation of a session only, by default 101; 1: all; and each START-th of
 *         the start, by default a third as many */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/daemon/daemon.h"
#include "troupe/client.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPLY_MS = 20000, FOLDER_SIZE = 64, PATH_SIZE = 128 };

/* Shared by both processes. */
typedef struct ration {
    atomic_long countdown; /* the allocation that fails; 0: none */
    atomic_long length;    /* ... and so many in all */
    atomic_long count;     /* since the last arming */
    atomic_long failed;
} ration;

static struct {
    ration *ration;
    bool rationed; /* this process */
    char folder[FOLDER_SIZE];
    pid_t daemon;
    int port, descriptor; /* of the ration */
    long stride, start_stride;
} test = {.stride = 101};

/* --- the daemon's memory --- */

static bool is_refused(void) {
    if (!test.rationed)
        return false;
    long n = atomic_fetch_add(&test.ration->count, 1) + 1;
    long first = atomic_load(&test.ration->countdown);
    if (first == 0 || n < first || n >= first + atomic_load(&test.ration->length))
        return false;
    atomic_fetch_add(&test.ration->failed, 1);
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size) {
    return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size) {
    return is_refused() ? NULL : __real_realloc(block, size);
}

static sqlite3_mem_methods sqlite_memory;

static void *sqlite_malloc(int size) {
    return is_refused() ? NULL : sqlite_memory.xMalloc(size);
}

static void *sqlite_realloc(void *block, int size) {
    return is_refused() ? NULL : sqlite_memory.xRealloc(block, size);
}

static void ration_sqlite(void) {
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_memory);
    sqlite3_mem_methods rationed = sqlite_memory;
    rationed.xMalloc = sqlite_malloc;
    rationed.xRealloc = sqlite_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &rationed);
}

static void arm(long countdown, long length) {
    atomic_store(&test.ration->countdown, 0);
    atomic_store(&test.ration->count, 0);
    atomic_store(&test.ration->failed, 0);
    atomic_store(&test.ration->length, length);
    atomic_store(&test.ration->countdown, countdown);
}

/* --- the daemon's process --- */

static void path_of(const char *name, char out[PATH_SIZE]) {
    snprintf(out, PATH_SIZE, "%s/%s", test.folder, name);
}

/* This program over again, so that nothing of the test is left in it. */
static void become_daemon(void) {
    char descriptor[16];
    snprintf(descriptor, sizeof descriptor, "%d", test.descriptor);
    execl("/proc/self/exe", "daemon", "--daemon", descriptor, test.folder, (char *)NULL);
    _exit(3);
}

static _Noreturn void run_daemon(void) {
    char port_file[PATH_SIZE], state[PATH_SIZE], log[PATH_SIZE];
    path_of("port", port_file), path_of("state", state), path_of("log", log);
    char *argv[] = {"trouped",     "--listen",  "127.0.0.1:0", "--port-file", port_file,
                    "--state-dir", state,       "--shipped",   "none",        "--bundle",
                    TR_PUPPETS,    "--threads", "1",           NULL};
    int file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    dup2(file, STDERR_FILENO);
    ration_sqlite();
    test.rationed = true;
    tr_options options;
    tr_error error = {0};
    int count = (int)(sizeof argv / sizeof *argv) - 1;
    tr_status status = tr_options_parse(count, argv, &options, &error);
    if (!status)
        status = tr_daemon_run(&options, &error);
    if (status)
        fprintf(stderr, "trouped: %s\n", error.message);
    fflush(NULL);
    exit(!status ? 0 : 1);
}

/* The port once it is there; 0: the daemon has ended, with *out_status. */
static int await_port(int *out_status) {
    char path[PATH_SIZE];
    path_of("port", path);
    for (int i = 0; i < 60000; i++) {
        FILE *file = fopen(path, "re");
        int port = 0;
        if (file && fscanf(file, "%d", &port) == 1 && port > 0) {
            fclose(file);
            return port;
        }
        if (file)
            fclose(file);
        if (waitpid(test.daemon, out_status, WNOHANG) == test.daemon) {
            test.daemon = 0;
            return 0;
        }
        usleep(1000);
    }
    fail_msg("the daemon does not start and does not end");
    return 0;
}

static int start_daemon(int *out_status) {
    char path[PATH_SIZE];
    path_of("port", path);
    unlink(path);
    pid_t daemon = fork();
    assert_true(daemon >= 0);
    if (daemon == 0)
        become_daemon();
    test.daemon = daemon;
    test.port = await_port(out_status);
    return test.port;
}

static void show_log(void) {
    char path[PATH_SIZE], line[512];
    path_of("log", path);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (!strstr(line, "level=info"))
            print_message("  %s", line);
    if (file)
        fclose(file);
}

static void expect_alive(long n) {
    int status = 0;
    if (waitpid(test.daemon, &status, WNOHANG) == 0)
        return;
    test.daemon = 0;
    show_log();
    fail_msg("allocation %ld: the daemon ended with %x", n, (unsigned)status);
}

static void stop_daemon(void) {
    int status = 0;
    kill(test.daemon, SIGTERM);
    int waited = 0;
    for (; waited < 60000 && waitpid(test.daemon, &status, WNOHANG) == 0; waited++)
        usleep(1000);
    if (waited == 60000)
        fail_msg("the daemon does not end");
    test.daemon = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        show_log();
        fail_msg("the daemon ended with %x", (unsigned)status);
    }
}

/* --- a session --- */

/* The requests, in order; false: the connection has ended. */
typedef struct session {
    tr_client *client;
    int answered, refused;
    bool ended;
    uint32_t world;
    uint32_t entity;
    uint8_t snapshot[1 << 18];
    size_t snapshot_size;
} session;

static session now;

/* NULL: the session has ended, or the request was refused. A request without an answer fails the
 * test. */
static const tr_client_reply *ask(uint64_t request, const char *what) {
    if (now.ended)
        return NULL;
    const tr_client_reply *reply = NULL;
    tr_error error = {0};
    tr_status status = tr_client_await(now.client, request, REPLY_MS, &reply, &error);
    if (status == TR_DEADLINE_EXCEEDED) {
        show_log();
        fail_msg("%s: no answer; allocation %ld failed", what,
                 atomic_load(&test.ration->countdown));
    }
    if (status == TR_UNAVAILABLE || status == TR_CANCELLED)
        now.ended = true;
    else
        now.answered++;
    now.refused += status != TR_OK;
    return !status ? reply : NULL;
}

static void use_catalogue(tr_client *c) {
    ask(tr_client_ping(c), "ping");
    ask(tr_client_list_models(c, NULL), "list models");
    ask(tr_client_list_controllers(c, NULL), "list controllers");
    ask(tr_client_get_model(c, "humanoid"), "get model");
    ask(tr_client_get_controller(c, "sway"), "get controller");
    ask(tr_client_list_worlds(c), "list worlds");
}

static void use_world(tr_client *c) {
    tr_client_at here = {.world = now.world};
    tr_client_spawn_def spawn = {.controller = "sway", .label = "Ada"};
    const tr_client_reply *reply = ask(tr_client_spawn_character(c, here, &spawn), "spawn");
    uint32_t entity = reply ? reply->applied.entity : 0;
    tr_client_subscribe_def watch = {now.world, 100, 0, true};
    ask(tr_client_subscribe(c, &watch), "subscribe");
    ask(tr_client_step(c, here, 20), "step");
    tr_client_push_def push = {.entity = entity, .force = {50, 0, 0}, .duration_s = 0.1};
    ask(tr_client_push(c, here, &push), "push");
    tr_client_order order = {.entity = entity, .choose = true, .fragment = 3, .push = &push};
    tr_client_advance_def advance = {.ticks = 5, .order_count = 1, .orders = &order};
    ask(tr_client_advance(c, now.world, &advance), "advance");
    ask(tr_client_get_state(c, now.world, 63), "get state");
    reply = ask(tr_client_snapshot(c, here), "snapshot");
    size_t size = 0;
    if (reply && reply->applied.size <= sizeof now.snapshot) {
        size = reply->applied.size;
        memcpy(now.snapshot, reply->applied.data, size);
    }
    ask(tr_client_set_controller(c, here, entity, "hold"), "set controller");
    ask(tr_client_step(c, here, 5), "step");
    if (size > 0)
        ask(tr_client_restore(c, here, now.snapshot, size), "restore");
    ask(tr_client_reset(c, here), "reset");
    ask(tr_client_despawn(c, here, entity), "despawn");
    ask(tr_client_destroy_world(c, now.world), "destroy world");
}

/* A whole session; true: everything was done. */
static bool play_session(const char *world) {
    now = (session){0};
    tr_client_def def = tr_client_def_default();
    tr_error error = {0};
    def.port = test.port;
    def.connect_timeout_ms = REPLY_MS;
    if (tr_client_connect(&def, &now.client, &error))
        return false;
    use_catalogue(now.client);
    tr_client_world_def made = tr_client_world_def_default();
    made.name = world;
    made.mode = TR_CLIENT_STEPPED;
    const tr_client_reply *reply = ask(tr_client_create_world(now.client, &made), "create world");
    if (reply) {
        now.world = reply->world.id;
        use_world(now.client);
    }
    tr_client_close(now.client);
    return !now.ended && now.refused == 0;
}

/* Worlds that a session could not destroy. */
static void sweep(void) {
    tr_client_def def = tr_client_def_default();
    tr_client *client = NULL;
    def.port = test.port;
    if (tr_client_connect(&def, &client, NULL))
        fail_msg("the daemon admits no client any more");
    const tr_client_reply *reply = tr_client_ask(client, tr_client_list_worlds(client));
    uint32_t world[64];
    int count = reply->count;
    for (int i = 0; i < count && i < 64; i++)
        world[i] = reply->worlds[i].id;
    for (int i = 0; i < count && i < 64; i++)
        (void)tr_client_ask(client, tr_client_destroy_world(client, world[i]));
    tr_client_close(client);
}

/* --- the tests --- */

static long fail_in_session(long n, long length) {
    char name[48];
    snprintf(name, sizeof name, "world %ld", n);
    arm(n, length);
    (void)play_session(name);
    long failed = atomic_load(&test.ration->failed);
    arm(0, 0);
    expect_alive(n);
    sweep();
    if (n % 32 == 1 || test.stride > 1) {
        snprintf(name, sizeof name, "after %ld", n);
        if (!play_session(name)) {
            show_log();
            fail_msg("allocation %ld: afterwards a session was not served", n);
        }
    }
    return failed;
}

static void over_sessions(long length, const char *what) {
    int status = 0;
    arm(0, 0);
    assert_int_not_equal(0, start_daemon(&status));
    assert_true(play_session("first"));
    arm(0, 0);
    assert_true(play_session("second"));
    long total = atomic_load(&test.ration->count), tried = 0, refused = 0, ended = 0;
    for (long n = 1; n <= total; n += test.stride, tried++) {
        fail_in_session(n, length);
        refused += now.refused > 0;
        ended += now.ended;
    }
    stop_daemon();
    print_message("%s: %ld of %ld allocations of a session tried\n", what, tried, total);
    assert_true(total > 100);
}

static void one_allocation_of_a_session_fails(void **state) {
    (void)state;
    over_sessions(1, "one fails");
}

static void many_allocations_of_a_session_fail(void **state) {
    (void)state;
    over_sessions(25, "25 in a row fail");
}

/* A world of this name with a recording of the same. */
static void record_world(tr_client *c, const char *name) {
    tr_client_world_def made = tr_client_world_def_default();
    made.name = name;
    made.mode = TR_CLIENT_STEPPED;
    const tr_client_reply *reply = tr_client_ask(c, tr_client_create_world(c, &made));
    assert_int_equal(reply->status, TR_OK);
    const tr_client_at here = {.world = reply->world.id};
    const tr_client_record_def record = {.name = name};
    reply = tr_client_ask(c, tr_client_start_recording(c, here, &record));
    assert_int_equal(reply->status, TR_OK);
    reply = tr_client_ask(c, tr_client_stop_recording(c, here));
    assert_int_equal(reply->status, TR_OK);
}

static const tr_client_reply *fetch_or_send(tr_client *client, bool sends) {
    static const uint8_t data[100];
    const tr_client_upload_def part = {.name = "sent", .data = data, .size = sizeof data};
    return tr_client_ask(client, sends ? tr_client_upload_recording(client, &part)
                                       : tr_client_download_recording(client, "filmed", 0));
}

/* The reason is memory, not that there is no such recording or that a part is too large. */
static void a_file_is_not_fetched_or_sent_without_memory(void **state) {
    (void)state;
    enum { ALLOCATIONS = 16 };
    int status = 0, refused = 0, wrong = 0;
    tr_client_def def = tr_client_def_default();
    tr_client *client = NULL;
    arm(0, 0);
    def.port = start_daemon(&status);
    assert_int_equal(tr_client_connect(&def, &client, NULL), TR_OK);
    record_world(client, "filmed");
    for (int n = 0; n < 2 * ALLOCATIONS && client; n++) {
        arm(n / 2 + 1, 1);
        tr_status told = fetch_or_send(client, n % 2 != 0)->status;
        arm(0, 0);
        refused += told == TR_RESOURCE_EXHAUSTED;
        wrong += told == TR_NOT_FOUND || told == TR_INVALID_ARGUMENT;
        if (told == TR_UNAVAILABLE || told == TR_CANCELLED) { /* the connection's memory */
            tr_client_close(client);
            client = NULL;
            (void)!tr_client_connect(&def, &client, NULL);
        }
    }
    tr_client_close(client);
    stop_daemon();
    assert_int_equal(wrong, 0);
    assert_true(refused > 0);
}

/* It starts, or says why not and ends with 1. */
static void an_allocation_of_the_start_fails(void **state) {
    (void)state;
    int status = 0;
    arm(0, 0);
    assert_int_not_equal(0, start_daemon(&status));
    long total = atomic_load(&test.ration->count), tried = 0, started = 0;
    stop_daemon();
    for (long n = 1; n <= total; n += test.start_stride, tried++) {
        arm(n, 1);
        if (start_daemon(&status) != 0) {
            arm(0, 0);
            started++;
            stop_daemon();
        } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 1) {
            show_log();
            fail_msg("allocation %ld of the start: ended with %x", n, (unsigned)status);
        }
    }
    arm(0, 0);
    assert_int_not_equal(0, start_daemon(&status));
    assert_true(play_session("after"));
    stop_daemon();
    print_message("%ld of %ld allocations of a start tried; it started all the same %ld times\n",
                  tried, total, started);
}

static ration *map_ration(int descriptor) {
    return mmap(NULL, sizeof(ration), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
}

static int set_up(void **state) {
    (void)state;
    bool in_memory = access("/dev/shm", W_OK) == 0;
    snprintf(test.folder, sizeof test.folder, "%s/troupe-memory-XXXXXX",
             in_memory ? "/dev/shm" : "/tmp");
    test.descriptor = memfd_create("ration", 0);
    if (test.descriptor < 0 || ftruncate(test.descriptor, sizeof *test.ration) != 0)
        return -1;
    test.ration = map_ration(test.descriptor);
    return !mkdtemp(test.folder) || test.ration == MAP_FAILED ? -1 : 0;
}

static int tear_down(void **state) {
    (void)state;
    char command[PATH_SIZE + 16];
    if (test.daemon > 0)
        kill(test.daemon, SIGKILL);
    snprintf(command, sizeof command, "rm -rf '%s'", test.folder);
    return system(command);
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "--daemon") == 0) {
        test.ration = map_ration(atoi(argv[2]));
        snprintf(test.folder, sizeof test.folder, "%s", argv[3]);
        run_daemon();
    }
    if (argc > 1)
        test.stride = atol(argv[1]);
    test.start_stride = argc > 2 ? atol(argv[2]) : 3 * test.stride;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_allocation_of_a_session_fails),
        cmocka_unit_test(many_allocations_of_a_session_fail),
        cmocka_unit_test(a_file_is_not_fetched_or_sent_without_memory),
        cmocka_unit_test(an_allocation_of_the_start_fails),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
