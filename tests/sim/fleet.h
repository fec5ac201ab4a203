/* Several processes on one simulated clock: daemons, and clients that call the client library, each
 * on a fiber of its own. */
#pragma once

#include "line.h"
#include "scheduler.h"
#include "server/daemon/daemon.h"
#include "troupe/client.h"

#include <stdbool.h>
#include <stdint.h>

/* Processes. The lines of the mover alone may be bad; those of the clients are the oracle's. */
enum { CLIENTS_ALONE, FIRST_DAEMON, SECOND_DAEMON, MOVER, NEXT_MOVER, DAEMONS = 2 };
enum { FIRST_PORT = SIM_PORT, SECOND_PORT = SIM_PORT + 1 };

#define SECOND_NS 1000000000LL
#define MS_NS 1000000LL

typedef struct daemon_process {
    char *relay; /* HOST:PORT that it relays; NULL: it has its own worlds */
    tr_options options;
    tr_status status;
    tr_error error;
    sim_fiber *fiber;
    bool ended, killed, signalled;
    int64_t again_ns; /* when one that was killed is started again */
    int lives;
} daemon_process;

typedef struct sim_fleet {
    daemon_process daemon[DAEMONS]; /* the processes from FIRST_DAEMON on */
    bool over;                      /* all clients leave */
} sim_fleet;
extern sim_fleet fleet;

void fleet_begin(uint64_t seed); /* as sim_begin, without processes */
void fleet_start_daemon(int process);
/* No byte of it is seen from now on; it starts again at that time. */
void fleet_kill_daemon(int process, int64_t again_ns);
void fleet_start(int process, void (*run)(void *context), void *context);
void fleet_turn(void);
void fleet_turn_for(int64_t ns);
/* Lets everything end in order. */
void fleet_end(void);

/* --- for the fibers of clients --- */

void fleet_pause(int ms);
/* Connects, unless *client is; false: not now. */
bool fleet_connect(tr_client **client, int port, const tr_client_def *def);
void fleet_hang_up(tr_client **client);
/* The answer; a request that has none ends the connection. */
tr_status fleet_ask(tr_client **client, uint64_t request, const tr_client_reply **out);
/* As fleet_ask; ends the program if the request is refused. */
const tr_client_reply *fleet_must(tr_client **client, uint64_t request, const char *what);
/* The world of this name; NULL: none. */
const tr_client_world *fleet_find(const tr_client_reply *worlds, const char *name);

/* --- runs --- */

uint64_t run_move(uint64_t seed);
uint64_t run_relay(uint64_t seed);

/* Of all runs. */
typedef struct move_counts {
    long moved, struck, started, lost, compared;
    double gap_s; /* the longest time in which no daemon ran a world */
} move_counts;
extern move_counts moves;

typedef struct relay_counts {
    long faults, noticed, compared; /* compared: states */
} relay_counts;
extern relay_counts relays;
