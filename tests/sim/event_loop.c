/* libuv, as much of it as the daemon uses, on simulated time, lines and threads. The functions have
 * libuv's names, so that the daemon's code is linked to them. */
#include "line.h"
#include "scheduler.h"
#include "simulated.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

typedef enum kind { TIMER, IDLE, ASYNC, SIGNAL, TCP, PROCESS, PIPE } kind;

/* What the loop knows of a handle; the handle's u.reserved[0] leads to it. */
typedef struct part {
    kind kind;
    uv_handle_t *handle;
    bool active, closing;
    uint64_t turn; /* the turn of the loop in which it last acted, or was made */
    void (*call)(void);
    uv_close_cb closed;
    int64_t due_ms, repeat_ms; /* of a timer; of a process: its end */
    bool sent;                 /* of an async */
    const void *process;       /* of a pipe that it writes to */
    int number;                /* of a signal, or that ends a process */
    bool raised;
    line *line; /* of a connection */
    bool listens, reads, over;
    uv_alloc_cb allocate;
    uv_read_cb read;
    uv_write_t *write;
    uv_shutdown_t *shutdown;
    uint8_t *rest; /* of the write */
    size_t rest_size, rest_done;
} part;

typedef struct job {
    uv_work_t *work;
    bool done;
    sim_fiber *fiber;
    struct job *next;
} job;

enum { PARTS_MAX = 1024 };

static struct {
    part *part[PARTS_MAX];
    int count;
    job *jobs;
    uint64_t turn;
    bool stop;
    sim_fiber *fiber; /* that runs the loop; NULL: none */
} loop;

static void wake_loop(void) {
    if (loop.fiber)
        sim_wake(loop.fiber);
}

static part *part_of(const void *handle) {
    return ((const uv_handle_t *)handle)->u.reserved[0];
}

static int add(uv_loop_t *of, void *handle, kind what) {
    part *p = calloc(1, sizeof *p);
    if (!p || loop.count == PARTS_MAX)
        abort();
    *p = (part){.kind = what, .handle = handle, .turn = loop.turn};
    p->handle->loop = of;
    p->handle->u.reserved[0] = p;
    loop.part[loop.count++] = p;
    return 0;
}

/* --- the loop --- */

int uv_loop_init(uv_loop_t *l) {
    memset(l, 0, sizeof *l);
    loop.count = 0;
    loop.stop = false;
    return 0;
}

int uv_loop_close(uv_loop_t *l) {
    (void)l;
    return loop.count > 0 || loop.jobs ? UV_EBUSY : 0;
}

void uv_stop(uv_loop_t *l) {
    (void)l;
    loop.stop = true;
}

uint64_t uv_now(const uv_loop_t *l) {
    (void)l;
    return (uint64_t)(sim_now_ns() / 1000000);
}

uint64_t uv_hrtime(void) {
    return (uint64_t)sim_now_ns();
}

static bool call_read(part *p) {
    if (!p->reads || p->over || !p->line || (!line_has_bytes(p->line) && !line_is_over(p->line)))
        return false;
    uv_buf_t buffer = {0};
    p->allocate(p->handle, 65536, &buffer);
    size_t size = line_read(p->line, buffer.base, buffer.len);
    p->over = size == 0;
    p->read((uv_stream_t *)p->handle, size > 0 ? (ssize_t)size : UV_EOF, &buffer);
    return true;
}

static bool call_write(part *p) {
    if (!p->write)
        return false;
    size_t room = line_room(p->line), left = p->rest_size - p->rest_done;
    size_t size = room < left ? room : left;
    bool broken = line_is_over(p->line);
    line_write(p->line, p->rest + p->rest_done, size);
    p->rest_done += size;
    if (!broken && p->rest_done < p->rest_size)
        return size > 0;
    uv_write_t *request = p->write;
    p->write = NULL;
    free(p->rest);
    p->rest = NULL;
    request->cb(request, broken ? UV_EPIPE : 0);
    return true;
}

static bool call_shutdown(part *p) {
    uv_shutdown_t *request = p->shutdown;
    if (!request || p->write)
        return false;
    p->shutdown = NULL;
    line_shutdown(p->line);
    request->cb(request, 0);
    return true;
}

static bool call_tcp(part *p) {
    if (p->listens) {
        if (p->over || !line_waits())
            return false;
        do { /* as long as each is accepted; then not before uv_accept */
            p->over = true;
            ((uv_connection_cb)p->call)((uv_stream_t *)p->handle, 0);
        } while (!p->over && p->listens && line_waits());
        return true;
    }
    bool acted = call_write(p);
    if (!p->closing)
        acted = call_shutdown(p) || acted;
    if (!p->closing)
        acted = call_read(p) || acted;
    return acted;
}

static bool call_timer(part *p) {
    if (!p->active || p->due_ms > (int64_t)uv_now(NULL))
        return false;
    p->active = p->repeat_ms > 0;
    p->due_ms = (int64_t)uv_now(NULL) + p->repeat_ms;
    ((uv_timer_cb)p->call)((uv_timer_t *)p->handle);
    return true;
}

/* A process does nothing, and then ends, well or not. */
static bool call_process(part *p) {
    if (!p->active || p->due_ms > (int64_t)uv_now(NULL))
        return false;
    p->active = false;
    ((uv_exit_cb)p->call)((uv_process_t *)p->handle, sim_below(2), p->number);
    return true;
}

/* One line, and its end with that of the process. */
static bool call_pipe(part *p) {
    static const char said[] = "round 1\n";
    uv_buf_t buffer = {0};
    bool ends = p->sent && (!p->process || !part_of(p->process)->active);
    if (!p->reads || p->over || (p->sent && !ends))
        return false;
    p->allocate(p->handle, 65536, &buffer);
    if (!p->sent)
        memcpy(buffer.base, said, sizeof said - 1);
    p->over = ends;
    p->sent = true;
    p->read((uv_stream_t *)p->handle, ends ? UV_EOF : (ssize_t)sizeof said - 1, &buffer);
    return true;
}

static bool call_once(part *p) {
    switch (p->kind) {
    case TIMER:
        return call_timer(p);
    case TCP:
        return call_tcp(p);
    case IDLE:
        if (p->active)
            ((uv_idle_cb)p->call)((uv_idle_t *)p->handle);
        return p->active;
    case PROCESS:
        return call_process(p);
    case PIPE:
        return call_pipe(p);
    case ASYNC:
        if (!p->sent)
            return false;
        p->sent = false;
        ((uv_async_cb)p->call)((uv_async_t *)p->handle);
        return true;
    default:
        if (!p->raised)
            return false;
        p->raised = false;
        ((uv_signal_cb)p->call)((uv_signal_t *)p->handle, p->number);
        return true;
    }
}

static bool close_parts(void) {
    bool acted = false;
    for (int i = 0; i < loop.count; i++) {
        part *p = loop.part[i];
        if (!p->closing)
            continue;
        acted = true;
        memmove(&loop.part[i], &loop.part[i + 1], (size_t)(--loop.count - i) * sizeof(part *));
        i--;
        if (p->write)
            p->write->cb(p->write, UV_ECANCELED);
        if (p->shutdown)
            p->shutdown->cb(p->shutdown, UV_ECANCELED);
        if (p->line)
            line_leave(p->line);
        free(p->rest);
        if (p->closed)
            p->closed(p->handle);
        free(p);
    }
    return acted;
}

static bool finish_jobs(void) {
    bool acted = false;
    for (job **at = &loop.jobs, *j; (j = *at);) {
        if (!j->done || !sim_fiber_has_ended(j->fiber)) {
            at = &j->next;
            continue;
        }
        *at = j->next;
        sim_fiber_release(j->fiber);
        uv_work_t *work = j->work;
        free(j);
        if (work->after_work_cb)
            work->after_work_cb(work, 0);
        acted = true;
        at = &loop.jobs;
    }
    return acted;
}

/* Each part acts at most once in a turn, and those of this turn act in the next one. */
static bool turn(void) {
    static const kind order[] = {TIMER, IDLE, ASYNC, SIGNAL, TCP, PROCESS, PIPE};
    bool acted = finish_jobs();
    loop.turn++;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (int i = 0; i < loop.count; i++) {
            part *p = loop.part[i];
            if (p->kind != order[k] || p->turn == loop.turn || p->closing)
                continue;
            p->turn = loop.turn;
            acted = call_once(p) || acted;
        }
    return close_parts() || acted;
}

static int64_t next_timer_ns(void) {
    int64_t first = INT64_MAX;
    for (int i = 0; i < loop.count; i++)
        if ((loop.part[i]->kind == TIMER || loop.part[i]->kind == PROCESS) &&
            loop.part[i]->active && loop.part[i]->due_ms * 1000000 < first)
            first = loop.part[i]->due_ms * 1000000;
    return first;
}

static bool is_alive(void) {
    if (loop.jobs)
        return true;
    for (int i = 0; i < loop.count; i++)
        if (loop.part[i]->active || loop.part[i]->listens || loop.part[i]->reads ||
            loop.part[i]->write || loop.part[i]->closing || loop.part[i]->kind == ASYNC)
            return true;
    return false;
}

int uv_run(uv_loop_t *l, uv_run_mode mode) {
    (void)l, (void)mode;
    loop.fiber = sim_fiber_current();
    loop.stop = false;
    while (!loop.stop && is_alive())
        if (!turn())
            sim_wait(next_timer_ns());
    loop.fiber = NULL;
    return is_alive();
}

void uv_close(uv_handle_t *handle, uv_close_cb closed) {
    part *p = part_of(handle);
    p->closing = true;
    p->active = p->reads = false;
    if (p->listens)
        lines_stop();
    p->listens = false;
    p->closed = closed;
    wake_loop();
}

int uv_is_closing(const uv_handle_t *handle) {
    return part_of(handle)->closing;
}

int uv_is_active(const uv_handle_t *handle) {
    return part_of(handle)->active;
}

/* --- timers, idles, asyncs, signals --- */

int uv_timer_init(uv_loop_t *l, uv_timer_t *timer) {
    return add(l, timer, TIMER);
}

int uv_timer_start(uv_timer_t *timer, uv_timer_cb call, uint64_t timeout, uint64_t repeat) {
    part *p = part_of(timer);
    if (p->closing)
        return UV_EINVAL;
    p->call = (void (*)(void))call;
    p->active = true;
    p->due_ms = timeout > INT64_MAX / 4000000 ? INT64_MAX / 2000000
                                              : (int64_t)uv_now(NULL) + (int64_t)timeout;
    p->repeat_ms = (int64_t)repeat;
    return 0;
}

int uv_timer_stop(uv_timer_t *timer) {
    part_of(timer)->active = false;
    return 0;
}

int uv_idle_init(uv_loop_t *l, uv_idle_t *idle) {
    return add(l, idle, IDLE);
}

int uv_idle_start(uv_idle_t *idle, uv_idle_cb call) {
    part *p = part_of(idle);
    p->call = (void (*)(void))call;
    p->active = true;
    return 0;
}

int uv_idle_stop(uv_idle_t *idle) {
    part_of(idle)->active = false;
    return 0;
}

int uv_async_init(uv_loop_t *l, uv_async_t *async, uv_async_cb call) {
    add(l, async, ASYNC);
    part_of(async)->call = (void (*)(void))call;
    return 0;
}

int uv_async_send(uv_async_t *async) {
    part_of(async)->sent = true;
    wake_loop();
    return 0;
}

int uv_signal_init(uv_loop_t *l, uv_signal_t *signal) {
    return add(l, signal, SIGNAL);
}

int uv_signal_start(uv_signal_t *signal, uv_signal_cb call, int number) {
    part *p = part_of(signal);
    p->call = (void (*)(void))call;
    p->number = number;
    p->active = true;
    return 0;
}

bool simulated_signal(int number) {
    for (int i = 0; loop.fiber && i < loop.count; i++)
        if (loop.part[i]->kind == SIGNAL && loop.part[i]->active &&
            loop.part[i]->number == number) {
            loop.part[i]->raised = true;
            wake_loop();
            return true;
        }
    return false;
}

/* --- work on other threads, and processes --- */

static void run_job(void *context) {
    job *j = context;
    j->work->work_cb(j->work);
    j->done = true;
    wake_loop();
}

int uv_queue_work(uv_loop_t *l, uv_work_t *work, uv_work_cb call, uv_after_work_cb after) {
    job *j = calloc(1, sizeof *j);
    if (!j)
        abort();
    work->loop = l;
    work->work_cb = call;
    work->after_work_cb = after;
    j->work = work;
    j->next = loop.jobs;
    loop.jobs = j;
    j->fiber = sim_fiber_start(run_job, j);
    return 0;
}

int uv_spawn(uv_loop_t *l, uv_process_t *process, const uv_process_options_t *options) {
    add(l, process, PROCESS);
    part *p = part_of(process);
    p->call = (void (*)(void))options->exit_cb;
    p->due_ms = (int64_t)uv_now(NULL) + 1 + sim_below(3000);
    p->active = true;
    for (int i = 1; i < options->stdio_count; i++)
        part_of(options->stdio[i].data.stream)->process = process;
    return 0;
}

int uv_pipe_init(uv_loop_t *l, uv_pipe_t *pipe, int ipc) {
    (void)ipc;
    return add(l, pipe, PIPE);
}

int uv_process_kill(uv_process_t *process, int number) {
    part *p = part_of(process);
    p->number = number;
    p->due_ms = 0;
    wake_loop();
    return 0;
}

int uv_os_setpriority(uv_pid_t process, int priority) {
    (void)process, (void)priority;
    return 0;
}

/* --- connections --- */

int uv_tcp_init(uv_loop_t *l, uv_tcp_t *tcp) {
    return add(l, tcp, TCP);
}

int uv_tcp_nodelay(uv_tcp_t *tcp, int enable) {
    (void)tcp, (void)enable;
    return 0;
}

int uv_tcp_keepalive(uv_tcp_t *tcp, int enable, unsigned delay) {
    (void)tcp, (void)enable, (void)delay;
    return 0;
}

int uv_send_buffer_size(uv_handle_t *handle, int *value) {
    (void)handle, (void)value;
    return 0;
}

int uv_fileno(const uv_handle_t *handle, uv_os_fd_t *out) {
    (void)handle, (void)out;
    return UV_EBADF;
}

int uv_tcp_bind(uv_tcp_t *tcp, const struct sockaddr *address, unsigned flags) {
    (void)tcp, (void)address, (void)flags;
    return 0;
}

static int name_it(struct sockaddr *out, int *size, in_addr_t address, int port) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    if (*size < (int)sizeof *v4)
        return UV_EINVAL;
    *v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    v4->sin_addr.s_addr = htonl(address);
    *size = (int)sizeof *v4;
    return 0;
}

int uv_tcp_getsockname(const uv_tcp_t *tcp, struct sockaddr *out, int *size) {
    (void)tcp;
    return name_it(out, size, INADDR_LOOPBACK, 7400);
}

int uv_tcp_getpeername(const uv_tcp_t *tcp, struct sockaddr *out, int *size) {
    bool remote = line_is_remote(part_of(tcp)->line);
    return name_it(out, size, remote ? 0x0a000001 : INADDR_LOOPBACK, 50000);
}

int uv_listen(uv_stream_t *stream, int backlog, uv_connection_cb call) {
    (void)backlog;
    part *p = part_of(stream);
    p->call = (void (*)(void))call;
    p->listens = true;
    lines_listen(wake_loop);
    return 0;
}

int uv_accept(uv_stream_t *server, uv_stream_t *client) {
    part *p = part_of(client);
    part_of(server)->over = false;
    p->line = line_accept();
    return p->line ? 0 : UV_EAGAIN;
}

int uv_read_start(uv_stream_t *stream, uv_alloc_cb allocate, uv_read_cb read) {
    part *p = part_of(stream);
    p->allocate = allocate;
    p->read = read;
    p->reads = true;
    return 0;
}

int uv_read_stop(uv_stream_t *stream) {
    part_of(stream)->reads = false;
    return 0;
}

int uv_try_write(uv_stream_t *stream, const uv_buf_t buffers[], unsigned count) {
    part *p = part_of(stream);
    if (p->write || line_is_over(p->line))
        return p->write ? UV_EAGAIN : UV_EPIPE;
    size_t done = 0;
    for (unsigned i = 0; i < count; i++) {
        size_t room = line_room(p->line), size = buffers[i].len < room ? buffers[i].len : room;
        line_write(p->line, buffers[i].base, size);
        done += size;
        if (size < buffers[i].len)
            break;
    }
    return done > 0 ? (int)done : UV_EAGAIN;
}

int uv_write(uv_write_t *request, uv_stream_t *stream, const uv_buf_t buffers[], unsigned count,
             uv_write_cb call) {
    part *p = part_of(stream);
    if (p->write || p->closing)
        return UV_EBUSY;
    p->rest_size = p->rest_done = 0;
    for (unsigned i = 0; i < count; i++)
        p->rest_size += buffers[i].len;
    p->rest = malloc(p->rest_size + 1);
    if (!p->rest)
        abort();
    size_t at = 0;
    for (unsigned i = 0; i < count; at += buffers[i].len, i++)
        memcpy(p->rest + at, buffers[i].base, buffers[i].len);
    request->cb = call;
    request->handle = stream;
    p->write = request;
    return 0;
}

int uv_shutdown(uv_shutdown_t *request, uv_stream_t *stream, uv_shutdown_cb call) {
    request->cb = call;
    request->handle = stream;
    part_of(stream)->shutdown = request;
    wake_loop();
    return 0;
}
