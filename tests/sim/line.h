/* Connections to a simulated daemon: two directions of bytes, each of which arrives in pieces, late,
 * or never. A line that stalls delivers nothing for a while; one that is reset ends on both sides,
 * with what was under way lost. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct line line;

typedef struct line_client {
    void (*bytes)(void *context, const uint8_t *bytes, size_t size);
    void (*ended)(void *context); /* the line is gone after it */
} line_client;

enum { SIM_PORT = 7400 /* where a daemon listens if it may choose */, SIM_PROCESSES = 16 };

void lines_begin(void); /* no lines, no faults */

/* How bad lines are from now on; 0: bytes arrive at once and whole. */
void lines_set_faults(int level);
void lines_set_faulty(int process); /* only those that it has made; -1: all */

/* Between two processes (-1: any): ends all lines; lets nothing arrive before, also on lines that are
 * made later. One that is dead has no lines and gets none. */
void lines_reset(int a, int b);
void lines_silence(int a, int b, int64_t until_ns);
void lines_set_dead(int process, bool dead);

/* Messages in both directions on the lines that a process has made. */
uint64_t lines_passed(int process);

/* The client's side. NULL: nothing listens. */
line *line_connect(int port, const line_client *client, void *context, bool remote);
bool line_is_remote(const line *line); /* it comes from another address */
void line_send(line *line, const uint8_t *bytes, size_t size);
void line_close(line *line);                   /* `ended` is not called */
void line_stall(line *line, int64_t until_ns); /* nothing reaches the client before */

/* When a byte arrives next on any line. */
int64_t lines_next_ns(void);
/* Delivers to clients what has arrived, and wakes the daemon for the rest. */
void lines_deliver(void);
/* Draws a fault of a line, sometimes. */
void lines_disturb(void);

/* --- the daemon's side: event_loop.c --- */

line *line_accept(int port); /* NULL: no connection waits */
bool line_waits(int port);   /* for line_accept */
size_t line_read(line *line, void *out, size_t size);
bool line_has_bytes(const line *line);
bool line_is_over(const line *line); /* its client has gone, and every byte has been read */
size_t line_room(const line *line);  /* bytes that a write takes now */
void line_write(line *line, const void *bytes, size_t size);
void line_shutdown(line *line);
void line_leave(line *line);

/* A daemon that listens, or stops to: its loop is woken when something happens on a line. */
void lines_listen(int port, void (*wake)(void *context), void *context);
void lines_stop(int port); /* the connections that wait are lost, and those that are open end */
