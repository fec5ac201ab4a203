/* Time, chance and threads of simulated daemons and clients. Every thread of them is a fiber of this one
 * thread; a fiber runs until it waits, or until a draw interrupts it where it takes a lock. The
 * clock stands still while nothing reads it: a reading costs a fiber some microseconds, and when
 * every fiber waits the clock jumps to the next moment at which something happens. Everything
 * follows from the seed.
 *
 * pthread_*, clock_gettime, time, and RAND_bytes of the daemon's code lead here: the linker wraps
 * them (CMakeLists.txt). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sim_fiber sim_fiber;

/* Begins again: no fibers, time 0, and chance from this seed. */
void sim_begin(uint64_t seed);

int64_t sim_now_ns(void);
uint64_t sim_draw(void);
int sim_below(int count);   /* drawn from 0 to count - 1 */
bool sim_one_in(int count); /* drawn: true once in `count` times */
uint64_t sim_steps(void);   /* turns of fibers since sim_begin */
bool sim_in_fiber(void);    /* does code of the daemon run? */

/* Everything that is observed goes into one hash. */
void sim_note(const void *data, size_t size);
uint64_t sim_hash(void);

/* A fiber belongs to the process of the fiber that starts it, or to this one of the main program. */
sim_fiber *sim_fiber_start(void (*run)(void *context), void *context);
void sim_set_process(int process);
int sim_process(void); /* whose code runs now */
sim_fiber *sim_fiber_current(void);
bool sim_fiber_has_ended(const sim_fiber *fiber);
void sim_fiber_release(sim_fiber *fiber); /* one that has ended */
int sim_fiber_count(int process);         /* that have not ended; -1: of all processes */

/* The current fiber waits until sim_wake, or until this time (INT64_MAX: for ever). */
void sim_wait(int64_t until_ns);
void sim_wake(sim_fiber *fiber);

/* Runs one turn of a drawn fiber that can run; false: all of them wait, the first until *out_ns. */
bool sim_turn(int64_t *out_ns);
void sim_advance(int64_t to_ns);

/* Ends this program with a message that has seed and step. */
_Noreturn void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void sim_show_on_failure(void (*show)(void));
