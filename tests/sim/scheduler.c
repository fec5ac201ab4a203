#include "scheduler.h"

#include "math/random.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

enum {
    STACK_SIZE = 1 << 20,
    FIBERS_MAX = 256,
    READING_NS = 20000,    /* a look at the clock costs this */
    INTERRUPTED_ONE_IN = 8 /* times that a lock is taken */
};

#define EPOCH_S 1790000000 /* the wall clock at time 0 */

struct sim_fiber {
    ucontext_t
        first; /* its beginning; a switch between two is a jump, which makes no system call */
    jmp_buf here;
    bool begun;
    void *stack;
    void (*run)(void *context);
    void *argument;
    bool waits, ended;
    int process;
    int64_t until_ns, spent_ns;
    const void *condition; /* it waits for this one; NULL: none */
};

static struct {
    uint64_t seed, steps, hash;
    tr_random random;
    int64_t now_ns;
    sim_fiber *fiber[FIBERS_MAX], *current;
    int top;      /* no fiber stands there or behind */
    jmp_buf here; /* of the main program */
    void *free_stack[FIBERS_MAX];
    int free_stacks;
    int process; /* of what the main program starts */
    void (*show)(void);
} sim;

void sim_begin(uint64_t seed) {
    for (int i = 0; i < FIBERS_MAX; i++)
        if (sim.fiber[i])
            abort(); /* the daemon before has not ended */
    sim.seed = seed;
    sim.steps = 0;
    sim.hash = 0xcbf29ce484222325ULL;
    sim.random = tr_random_seed(seed);
    sim.now_ns = 1000000000;
}

int64_t sim_now_ns(void) {
    return sim.now_ns;
}

uint64_t sim_draw(void) {
    return tr_random_next(&sim.random);
}

int sim_below(int count) {
    return (int)(sim_draw() % (uint64_t)count);
}

bool sim_one_in(int count) {
    return sim_below(count) == 0;
}

uint64_t sim_steps(void) {
    return sim.steps;
}

void sim_set_process(int process) {
    sim.process = process;
}

int sim_process(void) {
    return sim.current ? sim.current->process : sim.process;
}

bool sim_in_fiber(void) {
    return sim.current != NULL;
}

void sim_note(const void *data, size_t size) {
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        sim.hash = (sim.hash ^ bytes[i]) * 0x100000001b3ULL;
}

uint64_t sim_hash(void) {
    return sim.hash;
}

void sim_show_on_failure(void (*show)(void)) {
    sim.show = show;
}

void sim_fail(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("seed %llu failed at step %llu, %.6f s: %s\n", (unsigned long long)sim.seed,
           (unsigned long long)sim.steps, (double)sim.now_ns * 1e-9, text);
    if (sim.show)
        sim.show();
    fflush(NULL);
    _Exit(1);
}

/* --- fibers --- */

static void leave(void) {
    if (!_setjmp(sim.current->here))
        _longjmp(sim.here, 1);
}

static void enter(sim_fiber *fiber) {
    sim.current = fiber;
    if (!_setjmp(sim.here)) {
        if (fiber->begun)
            _longjmp(fiber->here, 1);
        fiber->begun = true;
        setcontext(&fiber->first);
    }
    sim.current = NULL;
}

static void begin_fiber(void) {
    sim_fiber *self = sim.current;
    self->run(self->argument);
    self->ended = true;
    leave();
}

static void *take_stack(void) {
    if (sim.free_stacks > 0)
        return sim.free_stack[--sim.free_stacks];
    void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
        abort();
    return stack;
}

sim_fiber *sim_fiber_start(void (*run)(void *context), void *context) {
    int at = 0;
    while (at < FIBERS_MAX && sim.fiber[at])
        at++;
    sim_fiber *fiber = at < FIBERS_MAX ? calloc(1, sizeof *fiber) : NULL;
    if (!fiber)
        abort();
    fiber->stack = take_stack();
    fiber->run = run;
    fiber->process = sim_process();
    fiber->argument = context;
    getcontext(&fiber->first);
    fiber->first.uc_stack.ss_sp = fiber->stack;
    fiber->first.uc_stack.ss_size = STACK_SIZE;
    makecontext(&fiber->first, begin_fiber, 0);
    sim.fiber[at] = fiber;
    sim.top = at < sim.top ? sim.top : at + 1;
    return fiber;
}

sim_fiber *sim_fiber_current(void) {
    return sim.current;
}

bool sim_fiber_has_ended(const sim_fiber *fiber) {
    return fiber->ended;
}

static void drop(int at) {
    sim.free_stack[sim.free_stacks++] = sim.fiber[at]->stack;
    free(sim.fiber[at]);
    sim.fiber[at] = NULL;
    while (sim.top > 0 && !sim.fiber[sim.top - 1])
        sim.top--;
}

void sim_fiber_release(sim_fiber *fiber) {
    for (int i = 0; i < sim.top; i++)
        if (sim.fiber[i] == fiber)
            drop(i);
}

int sim_fiber_count(int process) {
    int count = 0;
    for (int i = 0; i < sim.top; i++)
        count += sim.fiber[i] && !sim.fiber[i]->ended &&
                 (process < 0 || sim.fiber[i]->process == process);
    return count;
}

void sim_wait(int64_t until_ns) {
    sim_fiber *self = sim.current;
    self->waits = true;
    self->until_ns = until_ns;
    leave();
}

void sim_wake(sim_fiber *fiber) {
    fiber->waits = false;
    fiber->condition = NULL;
}

static bool can_run(const sim_fiber *fiber) {
    return fiber && !fiber->ended && (!fiber->waits || fiber->until_ns <= sim.now_ns);
}

bool sim_turn(int64_t *out_ns) {
    sim_fiber *ready[FIBERS_MAX];
    int count = 0;
    *out_ns = INT64_MAX;
    for (int i = 0; i < sim.top; i++) {
        sim_fiber *fiber = sim.fiber[i];
        if (can_run(fiber))
            ready[count++] = fiber;
        else if (fiber && !fiber->ended && fiber->until_ns < *out_ns)
            *out_ns = fiber->until_ns;
    }
    if (count == 0)
        return false;
    sim_fiber *next = ready[sim_below(count)];
    sim_wake(next);
    sim.steps++;
    enter(next);
    return true;
}

void sim_advance(int64_t to_ns) {
    if (to_ns > sim.now_ns)
        sim.now_ns = to_ns;
}

/* --- the clock --- */

int __wrap_nanosleep(const struct timespec *time, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest) {
    (void)rest;
    sim_wait(sim.now_ns + time->tv_sec * 1000000000 + time->tv_nsec);
    return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
time_t __wrap_time(time_t *out);
int __real_clock_gettime(clockid_t clock, struct timespec *out);

int __wrap_clock_gettime(clockid_t clock, struct timespec *out) {
    if (!sim.current)
        return __real_clock_gettime(clock, out);
    sim.now_ns += READING_NS;
    sim.current->spent_ns += READING_NS;
    int64_t ns = clock == CLOCK_THREAD_CPUTIME_ID ? sim.current->spent_ns : sim.now_ns;
    *out = (struct timespec){ns / 1000000000, ns % 1000000000};
    if (clock == CLOCK_REALTIME)
        out->tv_sec += EPOCH_S;
    return 0;
}

time_t __wrap_time(time_t *out) {
    time_t now = EPOCH_S + (time_t)(sim.now_ns / 1000000000);
    if (out)
        *out = now;
    return now;
}

int __wrap_RAND_bytes(unsigned char *out, int size);
int __wrap_RAND_bytes(unsigned char *out, int size) {
    for (int i = 0; i < size; i++)
        out[i] = (unsigned char)sim_draw();
    return 1;
}

/* Of always as many digits: the daemon writes it down. */
pid_t __wrap_getpid(void);
pid_t __wrap_getpid(void) {
    return 12345;
}

/* --- threads --- */

typedef struct thread_start {
    void *(*run)(void *argument);
    void *argument;
} thread_start;

static void run_thread(void *context) {
    thread_start start = *(thread_start *)context;
    free(context);
    start.run(start.argument);
}

int __wrap_pthread_create(pthread_t *out, const pthread_attr_t *attributes,
                          void *(*run)(void *argument), void *argument);
int __wrap_pthread_join(pthread_t thread, void **out);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
                                  const struct timespec *until);
int __wrap_pthread_cond_signal(pthread_cond_t *condition);
int __wrap_pthread_cond_broadcast(pthread_cond_t *condition);
int __real_pthread_mutex_lock(pthread_mutex_t *lock);

int __wrap_pthread_create(pthread_t *out, const pthread_attr_t *attributes,
                          void *(*run)(void *argument), void *argument) {
    (void)attributes;
    thread_start *start = malloc(sizeof *start);
    if (!start)
        return EAGAIN;
    *start = (thread_start){run, argument};
    *out = (pthread_t)(uintptr_t)sim_fiber_start(run_thread, start);
    return 0;
}

/* The fiber that joins looks again each millisecond. */
int __wrap_pthread_join(pthread_t thread, void **out) {
    sim_fiber *fiber = (sim_fiber *)(uintptr_t)thread;
    (void)out;
    while (!fiber->ended)
        sim_wait(sim.now_ns + 1000000);
    sim_fiber_release(fiber);
    return 0;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock) {
    if (!sim.current)
        return __real_pthread_mutex_lock(lock);
    if (sim_one_in(INTERRUPTED_ONE_IN))
        leave();
    while (pthread_mutex_trylock(lock) == EBUSY)
        leave();
    return 0;
}

static void await_condition(const void *condition, pthread_mutex_t *lock, int64_t until_ns) {
    sim.current->condition = condition;
    pthread_mutex_unlock(lock);
    sim_wait(until_ns);
    sim.current->condition = NULL;
    while (pthread_mutex_trylock(lock) == EBUSY)
        leave();
}

int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
    /* In every second seed some waits end for no reason, as POSIX allows. */
    bool spurious = sim.seed % 2 == 0 && sim_one_in(16);
    await_condition(condition, lock, spurious ? sim.now_ns + 1 + sim_below(1000000) : INT64_MAX);
    return 0;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
                                  const struct timespec *until) {
    int64_t until_ns = (int64_t)until->tv_sec * 1000000000 + until->tv_nsec;
    await_condition(condition, lock, until_ns);
    return sim.now_ns >= until_ns ? ETIMEDOUT : 0;
}

int __wrap_pthread_cond_signal(pthread_cond_t *condition) {
    sim_fiber *waiting[FIBERS_MAX];
    int count = 0;
    for (int i = 0; i < sim.top; i++)
        if (sim.fiber[i] && sim.fiber[i]->waits && sim.fiber[i]->condition == condition)
            waiting[count++] = sim.fiber[i];
    if (count > 0)
        sim_wake(waiting[sim_below(count)]);
    return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *condition) {
    for (int i = 0; i < sim.top; i++)
        if (sim.fiber[i] && sim.fiber[i]->waits && sim.fiber[i]->condition == condition)
            sim_wake(sim.fiber[i]);
    return 0;
}
