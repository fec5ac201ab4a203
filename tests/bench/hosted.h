/* The daemon of a benchmark, and one connection to send it requests: blocking, in protobuf-c.
 *
 * A failure is reported on stderr and ends the program: a benchmark cannot continue without it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <troupe/envelope.pb-c.h>

/* --- the daemon --- */

typedef struct tr_bench_daemon {
    pid_t process;
    int port;
    char folder[64];
} tr_bench_daemon;

/* Starts trouped as built beside the benchmark, on a free port, with the shipped catalogue.
 * threads: 0: the daemon's default. */
tr_bench_daemon tr_bench_daemon_start(int threads);

/* A relay of the daemon on this port. */
tr_bench_daemon tr_bench_relay_start(int port);

/* Ends it; false: it did not end cleanly. */
bool tr_bench_daemon_stop(tr_bench_daemon *daemon);

/* Processor time of all its threads so far, s. */
double tr_bench_daemon_cpu_s(const tr_bench_daemon *daemon);

/* Memory that it has in RAM, bytes. */
double tr_bench_daemon_memory(const tr_bench_daemon *daemon);

/* --- a connection --- */

typedef struct tr_bench_link {
    int socket;
    uint64_t next_request;
    uint8_t *buffer;
    size_t size, capacity;
} tr_bench_link;

tr_bench_link tr_bench_link_open(int port);
void tr_bench_link_close(tr_bench_link *link);

/* Gives the request the next id and waits for its response, which must be OK. Free it with
 * troupe__server_message__free_unpacked. */
Troupe__ServerMessage *tr_bench_ask(tr_bench_link *link, Troupe__ClientMessage *request);

/* A socket that has shaken hands; its answers are still to be read. */
int tr_bench_connect(int port);

/* Sends a request as one frame. */
void tr_bench_send(int socket, const Troupe__ClientMessage *request);

/* --- worlds --- */

/* A world in real time with `characters` characters on lanes of 3 m, driven by the controllers in turn,
 * whose names have commas between them. Each limp_each-th is limp; 0: none. */
uint32_t tr_bench_make_world(tr_bench_link *link, const char *name, int characters,
                             const char *controllers, int limp_each);

/* Its WorldInfo; free as above. */
Troupe__ServerMessage *tr_bench_get_world(tr_bench_link *link, uint32_t world);

/* Time of the monotonic clock, s. */
double tr_bench_clock_s(void);

/* How busy the machine is: the load average over a minute. */
double tr_bench_load(void);

_Noreturn void tr_bench_give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));
