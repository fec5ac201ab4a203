/* The daemon from one seed: its own code on simulated time, lines, disk and threads, with clients
 * that act at random, and faults. Prints seed and hash of each run; a failure prints seed and step.
 *
 *     test_sim [FIRST [COUNT]]      runs COUNT seeds from FIRST on, the first of them twice
 *     test_sim FIRST 1 log          one seed, with the daemon's messages
 *     test_sim FIRST COUNT move     a world moves between two daemons
 *     test_sim FIRST COUNT relay    spectators behind a relay
 *     test_sim FIRST COUNT hour     an hour of service without faults, and its ratio to processor time
 *     test_sim FIRST COUNT FOLDER   also the seeds that name the files of FOLDER */
#include "audit.h"
#include "db/bundles/bundle.h"
#include "db/tables/clips.h"
#include "db/tables/runs.h"
#include "faults/disk.h"
#include "fleet.h"
#include "scheduler.h"
#include "server/daemon/daemon.h"
#include "server/requests/request_row.h"
#include "simulated.h"

#include <dirent.h>
#include <limits.h>
#include <openssl/evp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIVES = 3, CATALOGUE_MAX = 64 << 20 };

_Noreturn void __real__exit(int status);
void __gcov_dump(void) __attribute__((weak)); /* of a build that counts branches */
#define LIMIT_NS (120 * SECOND_NS)            /* for a start, an end, an audit */
#define ANSWER_LIMIT_NS (10 * SECOND_NS)

static struct {
    bool ended;
    tr_status status;
    tr_error error;
    sim_fiber *fiber;
} life;

static struct { char path[64], clips[64]; } config;

static void run_daemon(void *context) {
    char *argv[] = {"trouped",     "--listen",     "127.0.0.1:0", "--state-dir",
                    "/disk/state", "--shipped",    "none",        "--threads",
                    "2",           "--web-listen", "none",        "--log-level",
                    "warn",        "--config",     config.path,   NULL};
    static tr_options options;
    (void)context;
    life.error = (tr_error){0};
    life.status =
        tr_options_parse((int)(sizeof argv / sizeof *argv) - 1, argv, &options, &life.error);
    if (!life.status)
        life.status = tr_daemon_run(&options, &life.error);
    life.ended = true;
}

static void begin_life(void) {
    life.ended = false;
    disk_arm(DISK_POWER, 0, 0); /* a full disk has room again */
    simulated_memory_refuse(0, 0);
    life.fiber = sim_fiber_start(run_daemon, NULL);
}

static int64_t earlier(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* One turn of everything; clients act while `acting`. */
static void turn(bool acting) {
    int64_t next_ns = INT64_MAX;
    lines_deliver();
    if (acting)
        clients_act();
    if (sim_turn(&next_ns))
        return;
    next_ns = earlier(next_ns, lines_next_ns());
    if (acting)
        next_ns = earlier(next_ns, clients_next_ns());
    if (next_ns == INT64_MAX)
        sim_fail("everything waits, and nothing will happen");
    sim_advance(next_ns);
}

static void live_until(int64_t end_ns) {
    int64_t started_ns = sim_now_ns() + SECOND_NS / 4;
    while (sim_now_ns() < end_ns && !life.ended) {
        turn(true);
        if (sim_one_in(2000))
            lines_disturb();
        if (sim_one_in(8000))
            disk_arm(DISK_FULL, 1, 1 + sim_below(20));
        if (sim_one_in(4000) && sim_now_ns() > started_ns)
            simulated_memory_refuse(1 + sim_below(500), 1 + sim_below(25));
    }
}

static void await_end(void) {
    int64_t limit_ns = sim_now_ns() + LIMIT_NS;
    while (!life.ended || sim_fiber_count(-1) > 0) {
        turn(false);
        if (sim_now_ns() > limit_ns)
            sim_fail("the daemon does not end");
    }
    sim_fiber_release(life.fiber);
    if (!simulated_files_closed())
        sim_fail("the daemon has left a file open");
    simulated_memory_check();
}

/* A loss of power: no byte reaches the disk or a client after it; what the daemon still does is
 * seen by no one. */
static void lose_power(void) {
    disk_arm(DISK_POWER, 1, 0);
    simulated_memory_refuse(0, 0);
    clients_leave();
    while (!life.ended && !simulated_signal(0, SIGTERM))
        turn(false);
    await_end();
    disk_lose_power(sim_draw());
}

/* One allocation of a start fails: it starts, or says that there is no memory. */
static void start_without_memory(void) {
    begin_life();
    simulated_memory_refuse(1 + sim_below(2000), 1);
    for (int64_t end_ns = sim_now_ns() + 3 * SECOND_NS; sim_now_ns() < end_ns && !life.ended;)
        turn(false);
    if (!life.ended)
        return;
    if (life.status != TR_RESOURCE_EXHAUSTED)
        sim_fail("the daemon ended: %s: %s", tr_status_name(life.status), life.error.message);
    await_end();
    begin_life();
}

static void end_faults(void) {
    lines_set_faults(0);
    disk_arm(DISK_POWER, 0, 0);
    simulated_memory_refuse(0, 0);
}

/* Without faults every request is answered soon, commands apart: they may wait for a step. */
static void await_answers(void) {
    int64_t limit_ns = sim_now_ns() + ANSWER_LIMIT_NS;
    end_faults();
    clients_rest(true);
    while (clients_owed() > 0 && !life.ended) {
        turn(true);
        if (sim_now_ns() > limit_ns)
            sim_fail("a request of field %u has no answer", clients_owed());
    }
    if (!life.ended)
        clients_check_events();
    clients_rest(false);
}

static void end_in_order(void) {
    simulated_memory_refuse(0, 0);
    while (!life.ended && !simulated_signal(0, SIGTERM))
        turn(false);
    clients_leave();
    await_end();
    if (life.status)
        sim_fail("the daemon ended: %s", life.error.message);
}

/* Without faults: every promise was kept, and everything is served. */
static void check_promises(void) {
    end_faults();
    clients_leave();
    clients_begin_audit();
    int64_t limit_ns = sim_now_ns() + LIMIT_NS;
    while (!clients_have_audited()) {
        turn(true);
        if (life.ended)
            sim_fail("the daemon ended: %s", life.error.message);
        if (sim_now_ns() > limit_ns)
            sim_fail("the daemon does not answer after the faults");
    }
    clients_leave();
    clients_end_audit();
}

static void begin_run(uint64_t seed) {
    sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, (int)(seed % INT_MAX) + 1, NULL);
    sim_begin(seed);
    lines_begin();
    disk_return();
    clients_begin();
}

static uint64_t run_seed(uint64_t seed) {
    begin_run(seed);
    for (int i = 0; i < LIVES; i++) {
        bool short_of_memory = sim_one_in(4); /* matches may wait for the next life */
        lines_set_faults(sim_below(3));
        if (short_of_memory)
            start_without_memory();
        else
            begin_life();
        live_until(sim_now_ns() + (500 + sim_below(4000)) * 1000000LL);
        if (life.ended)
            sim_fail("the daemon ended: %s", life.error.message);
        if (sim_one_in(3)) {
            await_answers();
            if (!short_of_memory)
                check_promises();
            end_in_order();
        } else {
            lose_power();
        }
    }
    begin_life();
    live_until(sim_now_ns() + SECOND_NS);
    check_promises();
    end_in_order();
    return sim_hash();
}

static uint64_t run_hour(uint64_t seed) {
    begin_run(seed);
    model.light = true;
    lines_set_faults(0);
    begin_life();
    while (sim_now_ns() < 3600 * SECOND_NS && !life.ended)
        turn(true);
    await_answers();
    end_in_order();
    return sim_hash();
}

/* --- the first catalogue --- */

static char *read_file(const char *path, size_t *out_size) {
    char *bytes = malloc(CATALOGUE_MAX);
    FILE *file = fopen(path, "rb");
    if (!bytes || !file)
        abort();
    *out_size = fread(bytes, 1, CATALOGUE_MAX, file);
    fclose(file);
    return bytes;
}

/* With the test's controllers, as a daemon on a real disk makes it. */
static void make_catalogue(void) {
    char folder[] = "/tmp/troupe-sim-XXXXXX", path[64];
    tr_catalogue *catalogue = NULL;
    tr_error error = {0};
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/catalogue.sqlite", folder);
    tr_status status = tr_catalogue_open(path, TR_CATALOGUE_CREATE, &catalogue, &error);
    if (!status)
        status = tr_bundle_import(catalogue, TR_PUPPETS, TR_BUNDLE_REFUSE, NULL, &error);
    const tr_clip_row clip = {
        .name = "sway", .skeleton = "mass", .frame_count = 2, .frames_per_s = 60, .last_frame = 1};
    const tr_run_row run = {.name = "sway", .threads = 1, .command = "troupe-train learn walk.bvh"};
    tr_row_id id;
    if (!status)
        status = tr_clips_put(catalogue, &clip, &id, &error);
    if (!status)
        status = tr_runs_put(catalogue, &run, NULL, &id, &error);
    if (status) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    tr_catalogue_close(catalogue);
    size_t size = 0;
    char *bytes = read_file(path, &size);
    unlink(path);
    rmdir(folder);
    disk_install();
    int file = disk_open("/disk/state/catalogue.sqlite", true);
    if (file < 0 || !disk_write(file, 0, bytes, size) || !disk_sync(file))
        abort();
    disk_keep();
    free(bytes);
}

static void write_key(FILE *file, const char *name, const char *password, const char *end) {
    static const uint8_t salt[TR_KEY_SALT_SIZE] = {1};
    char text[TR_SCRAM_VERIFIER_TEXT_MAX];
    tr_scram_verifier verifier;
    if (tr_scram_verifier_make(password, salt, TR_SCRAM_ITERATIONS, &verifier))
        abort();
    tr_scram_verifier_format(&verifier, text);
    fprintf(file, "{ name = \"%s\"; role = \"%s\"; hash = \"%s\"; }%s", name, name, text, end);
}

int __real_PKCS5_PBKDF2_HMAC(const char *key, int size, const uint8_t *salt, int salt_size,
                             int rounds, const EVP_MD *digest, int out_size, uint8_t *out);
int __wrap_PKCS5_PBKDF2_HMAC(const char *key, int size, const uint8_t *salt, int salt_size,
                             int rounds, const EVP_MD *digest, int out_size, uint8_t *out);
/* What it gives for the keys of the configuration is computed once. */
int __wrap_PKCS5_PBKDF2_HMAC(const char *key, int size, const uint8_t *salt, int salt_size,
                             int rounds, const EVP_MD *digest, int out_size, uint8_t *out) {
    static struct { uint8_t of[64], out[64]; } known[2];
    uint8_t of[64] = {0};
    if (size + salt_size > 64 || out_size > 64)
        return 0;
    memcpy(mempcpy(of, key, (size_t)size), salt, (size_t)salt_size);
    int at = memcmp(known[0].of, of, sizeof of) == 0 || known[0].of[0] == 0 ? 0 : 1;
    if (memcmp(known[at].of, of, sizeof of) != 0) {
        memcpy(known[at].of, of, sizeof of);
        if (!__real_PKCS5_PBKDF2_HMAC(key, size, salt, salt_size, rounds, digest, out_size,
                                      known[at].out))
            return 0;
    }
    memcpy(out, known[at].out, (size_t)out_size);
    return 1;
}

static void make_config(void) {
    char clip[80];
    int file = memfd_create("config", 0);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    snprintf(config.path, sizeof config.path, "/proc/self/fd/%d", file);
    snprintf(config.clips, sizeof config.clips, "/tmp/troupe-sim-clips-XXXXXX");
    if (!out || !mkdtemp(config.clips))
        abort();
    snprintf(clip, sizeof clip, "%s/walk.bvh", config.clips);
    fclose(fopen(clip, "w"));
    fprintf(out,
            "anonymous = \"admin\"; max_clients = %d; connections_per_address = %d;\n"
            "roles = { director = { worlds = %d; };\n"
            "          player = { characters = %d; subscriptions = %d; }; };\n"
            "training = { clips = \"%s\"; program = \"/train\"; limit = 2; };\nkeys = (",
            CONNECTIONS_MAX, REMOTE_MAX, DIRECTOR_WORLDS, PLAYER_CHARACTERS, PLAYER_SUBSCRIPTIONS,
            config.clips);
    write_key(out, "director", SIM_DIRECTOR_KEY, ",");
    write_key(out, "player", SIM_PLAYER_KEY, ");\n");
    fflush(out);
}

static void remove_config(void) {
    char clip[80];
    snprintf(clip, sizeof clip, "%s/walk.bvh", config.clips);
    unlink(clip);
    rmdir(config.clips);
}

/* The first row whose count is 0; 0: none. */
static unsigned first_without(bool ok) {
    for (unsigned i = 1; i < ROWS_MAX; i++)
        if (tr_request_row_find((Troupe__ClientMessage__RequestCase)i) &&
            (ok ? client_counts[i].ok : client_counts[i].sent) == 0)
            return i;
    return 0;
}

/* What a seed has left; the counts are of all seeds so far. */
typedef struct outcome {
    uint64_t hash, steps;
    long verified, restored;
    client_count counts[ROWS_MAX];
    move_counts moves;
    relay_counts relays;
} outcome;

/* Runs a seed in a process of its own, so that no seed finds what another has left in the libraries,
 * and the same seed alone gives the same hash. */
static outcome run_alone(uint64_t (*run)(uint64_t seed), uint64_t seed) {
    static outcome *shared;
    int status = 0;
    if (!shared)
        shared =
            mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        sim_fail("no memory");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        *shared = (outcome){.hash = run(seed)};
        shared->steps = sim_steps();
        shared->verified = audit_verified;
        shared->restored = clients_restored;
        memcpy(shared->counts, client_counts, sizeof client_counts);
        shared->moves = moves;
        shared->relays = relays;
        fflush(stdout);
        if (__gcov_dump)
            __gcov_dump();
        __real__exit(EXIT_SUCCESS);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        sim_fail("no process for seed %llu", (unsigned long long)seed);
    if (WIFSIGNALED(status))
        fprintf(stderr, "seed %llu: signal %d\n", (unsigned long long)seed, WTERMSIG(status));
    if (status != 0)
        exit(EXIT_FAILURE); /* it has said why */
    audit_verified = shared->verified;
    clients_restored = shared->restored;
    memcpy(client_counts, shared->counts, sizeof client_counts);
    moves = shared->moves;
    relays = shared->relays;
    return *shared;
}

/* Seeds that found a defect. */
static void run_kept(const char *path) {
    DIR *folder = opendir(path);
    if (!folder)
        sim_fail("%s: no such folder", path);
    for (const struct dirent *file; (file = readdir(folder));)
        if (file->d_name[0] != '.')
            (void)run_alone(run_seed, strtoull(file->d_name, NULL, 10));
    closedir(folder);
}

/* Kinds of runs. */
static const struct {
    const char *name;
    uint64_t (*run)(uint64_t seed);
} kinds[] = {{"", run_seed}, {"hour", run_hour}, {"move", run_move}, {"relay", run_relay}};

static void show_counts(uint64_t count) {
    long sent = 0, ok = 0;
    for (int i = 0; i < ROWS_MAX; i++)
        sent += client_counts[i].sent, ok += client_counts[i].ok;
    printf(
        "%llu seeds: %ld requests, %ld of them OK; %ld recordings verified, %ld worlds restored\n",
        (unsigned long long)count, sent, ok, audit_verified, clients_restored);
    if (count >= 8 && first_without(false) > 0)
        sim_fail("no client has sent a request of field %u", first_without(false));
    if (count >= 250 && first_without(true) > 0)
        sim_fail("no request of field %u was served", first_without(true));
}

static void show_moves(void) {
    printf("%ld worlds moved and %ld were lost with their daemon; %ld faults, %ld copies started "
           "by hand, %ld states equal; none ran for at most %.2f s\n",
           moves.moved, moves.lost, moves.struck, moves.started, moves.compared, moves.gap_s);
}

static void show_relays(void) {
    printf("%ld states behind a relay were those of the daemon; %ld faults, %ld silences noticed\n",
           relays.compared, relays.faults, relays.noticed);
}

static void show_ratio(uint64_t count) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    double s = (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
               1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    printf("an hour of service in %.1f s of processor time: %.0f times real time\n",
           s / (double)count, 3600 * (double)count / s);
}

int main(int argc, char **argv) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const char *third = argc > 3 ? argv[3] : "";
    bool logs = argc > 3 && strcmp(argv[argc - 1], "log") == 0;
    size_t kind = sizeof kinds / sizeof *kinds - 1;
    while (kind > 0 && strcmp(kinds[kind].name, third) != 0)
        kind--;
    simulated_log(logs);
    sim_show_on_failure(remove_config);
    simulated_memory_install();
    make_catalogue();
    make_config();
    for (uint64_t seed = first; seed < first + count; seed++) {
        const outcome one = run_alone(kinds[kind].run, seed);
        printf("seed %llu: %016llx, %llu steps\n", (unsigned long long)seed,
               (unsigned long long)one.hash, (unsigned long long)one.steps);
        if (seed == first && kind != 1 && run_alone(kinds[kind].run, seed).hash != one.hash)
            sim_fail("the same seed gave another hash");
    }
    if (kind == 0 && third[0] != '\0' && !logs)
        run_kept(third);
    if (kind == 0)
        show_counts(count);
    else if (kind == 1)
        show_ratio(count);
    else if (kind == 2)
        show_moves();
    else
        show_relays();
    remove_config();
    return 0;
}
