#include "fleet.h"

#include "faults/disk.h"
#include "scheduler.h"
#include "simulated.h"

#include <limits.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIBERS = 32, LIMIT_S = 300, ANSWER_MS = 20000 };

sim_fleet fleet;

static sim_fiber *started[FIBERS];
static int started_count;

/* --- daemons --- */

static daemon_process *daemon_of(int process) {
    return &fleet.daemon[process - FIRST_DAEMON];
}

static void run_daemon(void *context) {
    daemon_process *d = context;
    bool first = d == daemon_of(FIRST_DAEMON);
    char *listens = first ? "127.0.0.1:7400" : "127.0.0.1:7401";
    char *folder = first ? "/disk/state" : "/disk/second";
    char *argv[] = {"trouped", "--shipped",    "none",   "--threads", "2",     "--log-level",
                    "warn",    "--web-listen", "none",   "--listen",  listens, "--state-dir",
                    folder,    "--relay",      d->relay, NULL};
    d->status = tr_options_parse(d->relay ? 15 : 13, argv, &d->options, &d->error);
    if (!d->status)
        d->status = tr_daemon_run(&d->options, &d->error);
    d->ended = true;
}

void fleet_start_daemon(int process) {
    daemon_process *d = daemon_of(process);
    d->ended = d->killed = d->signalled = false;
    d->error = (tr_error){0};
    d->lives++;
    lines_set_dead(process, false);
    sim_set_process(process);
    d->fiber = sim_fiber_start(run_daemon, d);
    sim_set_process(CLIENTS_ALONE);
}

void fleet_kill_daemon(int process, int64_t again_ns) {
    daemon_of(process)->killed = true;
    daemon_of(process)->again_ns = again_ns;
    lines_set_dead(process, true);
}

/* For the second daemon. */
static void copy_catalogue(void) {
    int from = disk_open("/disk/state/catalogue.sqlite", false);
    int to = disk_open("/disk/second/catalogue.sqlite", true);
    size_t size = disk_size(from);
    uint8_t *bytes = malloc(size + 1);
    if (!bytes || disk_read(from, 0, bytes, size) != size || !disk_write(to, 0, bytes, size) ||
        !disk_sync(to))
        abort();
    free(bytes);
}

void fleet_begin(uint64_t seed) {
    fleet = (sim_fleet){0};
    sim_begin(seed);
    lines_begin();
    disk_return();
    copy_catalogue();
}

void fleet_start(int process, void (*run)(void *context), void *context) {
    if (started_count == FIBERS)
        abort();
    sim_set_process(process);
    started[started_count++] = sim_fiber_start(run, context);
    sim_set_process(CLIENTS_ALONE);
}

/* One that was killed ends unseen, and begins again. */
static void look_after(int process) {
    daemon_process *d = daemon_of(process);
    if (d->lives == 0)
        return;
    if (d->ended && !d->killed && !fleet.over)
        sim_fail("daemon %d ended: %s", process, d->error.message);
    if (d->killed && !d->ended && !d->signalled)
        d->signalled = simulated_signal(process, SIGTERM);
    if (!d->killed || !d->ended || sim_fiber_count(process) > 0 || fleet.over ||
        sim_now_ns() < d->again_ns)
        return;
    sim_fiber_release(d->fiber);
    fleet_start_daemon(process);
}

void fleet_turn(void) {
    int64_t next_ns = INT64_MAX;
    if (sim_now_ns() > LIMIT_S * SECOND_NS)
        sim_fail("the run does not end: %s", fleet.over ? "a process stays" : "something waits");
    for (int i = 0; i < DAEMONS; i++)
        look_after(FIRST_DAEMON + i);
    lines_deliver();
    if (sim_turn(&next_ns))
        return;
    next_ns = next_ns < lines_next_ns() ? next_ns : lines_next_ns();
    if (next_ns == INT64_MAX)
        sim_fail("everything waits, and nothing will happen");
    sim_advance(next_ns);
}

void fleet_turn_for(int64_t ns) {
    for (int64_t end_ns = sim_now_ns() + ns; sim_now_ns() < end_ns;)
        fleet_turn();
}

/* Daemons end when their clients have. */
static void end_daemons(void) {
    for (int p = CLIENTS_ALONE; p <= NEXT_MOVER; p++)
        if (p != FIRST_DAEMON && p != SECOND_DAEMON && sim_fiber_count(p) > 0)
            return;
    for (int i = 0; i < DAEMONS; i++) {
        daemon_process *d = &fleet.daemon[i];
        if (d->lives > 0 && !d->ended && !d->signalled)
            d->signalled = simulated_signal(FIRST_DAEMON + i, SIGTERM);
    }
}

void fleet_end(void) {
    fleet.over = true;
    while (sim_fiber_count(-1) > 0) {
        end_daemons();
        fleet_turn();
    }
    for (int i = 0; i < DAEMONS; i++) {
        daemon_process *d = &fleet.daemon[i];
        if (d->fiber)
            sim_fiber_release(d->fiber);
        if (d->status && !d->killed)
            sim_fail("daemon %d ended: %s", FIRST_DAEMON + i, d->error.message);
    }
    while (started_count > 0)
        sim_fiber_release(started[--started_count]);
    if (!simulated_files_closed())
        sim_fail("a daemon has left a file open");
    simulated_memory_check();
}

/* --- clients --- */

void fleet_pause(int ms) {
    sim_wait(sim_now_ns() + ms * MS_NS);
}

void fleet_hang_up(tr_client **client) {
    tr_client_close(*client);
    *client = NULL;
}

bool fleet_connect(tr_client **client, int port, const tr_client_def *given) {
    tr_client_def def = given ? *given : tr_client_def_default();
    tr_error error;
    if (*client && tr_client_is_open(*client))
        return true;
    fleet_hang_up(client);
    def.host = "127.0.0.1";
    def.port = port;
    return !tr_client_connect(&def, client, &error);
}

tr_status fleet_ask(tr_client **client, uint64_t request, const tr_client_reply **out) {
    tr_error error;
    tr_status status = tr_client_await(*client, request, ANSWER_MS, out, &error);
    if (status == TR_DEADLINE_EXCEEDED)
        sim_fail("a request has no answer after %d ms", ANSWER_MS);
    if (!tr_client_is_open(*client))
        fleet_hang_up(client);
    return status;
}

const tr_client_reply *fleet_must(tr_client **client, uint64_t request, const char *what) {
    const tr_client_reply *reply = NULL;
    tr_error error;
    if (tr_client_await(*client, request, ANSWER_MS, &reply, &error))
        sim_fail("%s: %s", what, error.message);
    return reply;
}

const tr_client_world *fleet_find(const tr_client_reply *worlds, const char *name) {
    for (int i = 0; i < worlds->count; i++)
        if (strcmp(worlds->worlds[i].name, name) == 0)
            return &worlds->worlds[i];
    return NULL;
}
