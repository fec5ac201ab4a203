/* libuv, as much of it as daemon and client use, on simulated time, lines and threads. The functions
 * have libuv's names, so that their code is linked to them. */
#include "line.h"
#include "scheduler.h"
#include "simulated.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

typedef enum kind { TIMER, IDLE, ASYNC, SIGNAL, TCP, PROCESS, PIPE, CHECK } kind;

typedef struct event_loop event_loop;

/* Bytes that wait. */
typedef struct bytes {
    uint8_t *data;
    size_t size, done;
} bytes;

/* What the loop knows of a handle; the handle's u.reserved[0] leads to it. */
typedef struct part {
    kind kind;
    event_loop *loop;
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
    int port;
    bool listens, reads, over;
    bool calls; /* it has made the connection */
    uv_connect_t *connect;
    uv_alloc_cb allocate;
    uv_read_cb read;
    uv_write_t *write; /* of one that calls: the first of a list by reserved[0] */
    uv_shutdown_t *shutdown;
    bytes rest;    /* of the write */
    bytes arrived; /* at one that calls */
} part;

typedef struct job {
    uv_work_t *work; /* NULL: a name is looked up */
    uv_getaddrinfo_t *lookup;
    event_loop *loop;
    bool done;
    sim_fiber *fiber;
    struct job *next;
} job;

enum { PARTS_MAX = 1024, LOOPS_MAX = 64 };

struct event_loop {
    part *part[PARTS_MAX];
    int count, of_kind[CHECK + 1];
    job *jobs;
    uint64_t turn;
    bool used, stop;
    int process;
    sim_fiber *fiber; /* that runs the loop; NULL: none */
};
static event_loop loops[LOOPS_MAX];

static void wake_loop(void *context) {
    const event_loop *loop = context;
    if (loop->fiber)
        sim_wake(loop->fiber);
}

static event_loop *loop_of(const uv_loop_t *l) {
    return l->internal_fields;
}

static part *part_of(const void *handle) {
    return ((const uv_handle_t *)handle)->u.reserved[0];
}

static int add(uv_loop_t *of, void *handle, kind what) {
    event_loop *loop = loop_of(of);
    part *p = calloc(1, sizeof *p);
    if (!p || loop->count == PARTS_MAX)
        abort();
    *p = (part){.kind = what, .loop = loop, .handle = handle, .turn = loop->turn};
    p->handle->loop = of;
    p->handle->u.reserved[0] = p;
    loop->part[loop->count++] = p;
    loop->of_kind[what]++;
    return 0;
}

/* --- the loop --- */

int uv_loop_init(uv_loop_t *l) {
    event_loop *loop = loops;
    memset(l, 0, sizeof *l);
    while (loop < loops + LOOPS_MAX && loop->used)
        loop++;
    if (loop == loops + LOOPS_MAX)
        abort();
    *loop = (event_loop){.used = true, .process = sim_process()};
    l->internal_fields = loop;
    return 0;
}

int uv_loop_close(uv_loop_t *l) {
    event_loop *loop = loop_of(l);
    loop->used = loop->count > 0 || loop->jobs;
    return loop->used ? UV_EBUSY : 0;
}

void uv_stop(uv_loop_t *l) {
    loop_of(l)->stop = true;
}

uint64_t uv_now(const uv_loop_t *l) {
    (void)l;
    return (uint64_t)(sim_now_ns() / 1000000);
}

uint64_t uv_hrtime(void) {
    return (uint64_t)sim_now_ns();
}

static bool call_read_arrived(part *p) {
    uv_buf_t buffer = {0};
    size_t left = p->arrived.size - p->arrived.done;
    if (!p->reads || (left == 0 && (p->line || p->over)))
        return false;
    p->allocate(p->handle, 65536, &buffer);
    size_t size = left < buffer.len ? left : buffer.len;
    if (size > 0)
        memcpy(buffer.base, p->arrived.data + p->arrived.done, size);
    p->arrived.done += size;
    p->over = size == 0;
    p->read((uv_stream_t *)p->handle, size > 0 ? (ssize_t)size : UV_EOF, &buffer);
    return true;
}

static bool call_read(part *p) {
    if (p->calls)
        return call_read_arrived(p);
    if (!p->reads || p->over || !p->line || (!line_has_bytes(p->line) && !line_is_over(p->line)))
        return false;
    uv_buf_t buffer = {0};
    p->allocate(p->handle, 65536, &buffer);
    size_t size = line_read(p->line, buffer.base, buffer.len);
    p->over = size == 0;
    p->read((uv_stream_t *)p->handle, size > 0 ? (ssize_t)size : UV_EOF, &buffer);
    return true;
}

/* What one that calls writes is on the line already. */
static void end_write(part *p, int code) {
    uv_write_t *request = p->write;
    p->write = p->calls ? request->reserved[0] : NULL;
    request->cb(request, code);
}

static bool call_write(part *p) {
    if (!p->write)
        return false;
    if (p->calls) {
        end_write(p, p->line ? 0 : UV_EPIPE);
        return true;
    }
    size_t room = line_room(p->line), left = p->rest.size - p->rest.done;
    size_t size = room < left ? room : left;
    bool broken = line_is_over(p->line);
    line_write(p->line, p->rest.data + p->rest.done, size);
    p->rest.done += size;
    if (!broken && p->rest.done < p->rest.size)
        return size > 0;
    free(p->rest.data);
    p->rest = (bytes){0};
    end_write(p, broken ? UV_EPIPE : 0);
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

static bool call_connect(part *p) {
    uv_connect_t *request = p->connect;
    p->connect = NULL;
    if (request)
        request->cb(request, p->line ? 0 : UV_ECONNREFUSED);
    return request != NULL;
}

static bool call_tcp(part *p) {
    if (p->connect)
        return call_connect(p);
    if (p->listens) {
        if (p->over || !line_waits(p->port))
            return false;
        do { /* as long as each is accepted; then not before uv_accept */
            p->over = true;
            ((uv_connection_cb)p->call)((uv_stream_t *)p->handle, 0);
        } while (!p->over && p->listens && line_waits(p->port));
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
    case CHECK: /* it looks at the others, and is no reason for another turn */
        if (p->active)
            ((uv_check_cb)p->call)((uv_check_t *)p->handle);
        return false;
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

static bool close_parts(event_loop *loop) {
    bool acted = false;
    for (int i = 0; i < loop->count; i++) {
        part *p = loop->part[i];
        if (!p->closing)
            continue;
        acted = true;
        memmove(&loop->part[i], &loop->part[i + 1], (size_t)(--loop->count - i) * sizeof(part *));
        loop->of_kind[p->kind]--;
        i--;
        if (p->connect)
            p->connect->cb(p->connect, UV_ECANCELED);
        while (p->write)
            end_write(p, UV_ECANCELED);
        if (p->shutdown)
            p->shutdown->cb(p->shutdown, UV_ECANCELED);
        if (p->line)
            (p->calls ? line_close : line_leave)(p->line);
        free(p->rest.data);
        free(p->arrived.data);
        if (p->closed)
            p->closed(p->handle);
        free(p);
    }
    return acted;
}

static bool finish_jobs(event_loop *loop) {
    bool acted = false;
    for (job **at = &loop->jobs, *j; (j = *at);) {
        if (!j->done || (j->fiber && !sim_fiber_has_ended(j->fiber))) {
            at = &j->next;
            continue;
        }
        *at = j->next;
        if (j->fiber)
            sim_fiber_release(j->fiber);
        uv_work_t *work = j->work;
        uv_getaddrinfo_t *lookup = j->lookup;
        free(j);
        if (lookup)
            lookup->cb(lookup, 0, lookup->addrinfo);
        else if (work->after_work_cb)
            work->after_work_cb(work, 0);
        acted = true;
        at = &loop->jobs;
    }
    return acted;
}

/* Each part acts at most once in a turn, and those of this turn act in the next one. */
static bool turn(event_loop *loop) {
    static const kind order[] = {TIMER, IDLE, ASYNC, SIGNAL, TCP, PROCESS, PIPE, CHECK};
    bool acted = finish_jobs(loop);
    loop->turn++;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (int i = 0; loop->of_kind[order[k]] > 0 && i < loop->count; i++) {
            part *p = loop->part[i];
            if (p->kind != order[k] || p->turn == loop->turn || p->closing)
                continue;
            p->turn = loop->turn;
            acted = call_once(p) || acted;
        }
    return close_parts(loop) || acted;
}

static int64_t next_timer_ns(const event_loop *loop) {
    int64_t first = INT64_MAX;
    for (int i = 0; i < loop->count; i++)
        if ((loop->part[i]->kind == TIMER || loop->part[i]->kind == PROCESS) &&
            loop->part[i]->active && loop->part[i]->due_ms * 1000000 < first)
            first = loop->part[i]->due_ms * 1000000;
    return first;
}

static bool is_alive(const event_loop *loop) {
    if (loop->jobs)
        return true;
    for (int i = 0; i < loop->count; i++) {
        const part *p = loop->part[i];
        if (p->active || p->listens || p->reads || p->write || p->connect || p->closing ||
            p->kind == ASYNC)
            return true;
    }
    return false;
}

int uv_run(uv_loop_t *l, uv_run_mode mode) {
    event_loop *loop = loop_of(l);
    bool acted = false;
    loop->fiber = sim_fiber_current();
    loop->stop = false;
    while (!loop->stop && is_alive(loop) && !(acted && mode == UV_RUN_ONCE)) {
        acted = turn(loop);
        if (!acted)
            sim_wait(next_timer_ns(loop));
    }
    loop->fiber = NULL;
    return is_alive(loop);
}

void uv_close(uv_handle_t *handle, uv_close_cb closed) {
    part *p = part_of(handle);
    p->closing = true;
    p->active = p->reads = false;
    if (p->listens)
        lines_stop(p->port);
    p->listens = false;
    p->closed = closed;
    wake_loop(p->loop);
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

int uv_check_init(uv_loop_t *l, uv_check_t *check) {
    return add(l, check, CHECK);
}

int uv_check_start(uv_check_t *check, uv_check_cb call) {
    part *p = part_of(check);
    p->call = (void (*)(void))call;
    p->active = true;
    return 0;
}

int uv_async_init(uv_loop_t *l, uv_async_t *async, uv_async_cb call) {
    add(l, async, ASYNC);
    part_of(async)->call = (void (*)(void))call;
    return 0;
}

int uv_async_send(uv_async_t *async) {
    part_of(async)->sent = true;
    wake_loop(part_of(async)->loop);
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

static bool raise_in(event_loop *loop, int number) {
    for (int i = 0; loop->fiber && i < loop->count; i++)
        if (loop->part[i]->kind == SIGNAL && loop->part[i]->active &&
            loop->part[i]->number == number) {
            loop->part[i]->raised = true;
            wake_loop(loop);
            return true;
        }
    return false;
}

bool simulated_signal(int process, int number) {
    for (event_loop *loop = loops; loop < loops + LOOPS_MAX; loop++)
        if (loop->used && loop->process == process && raise_in(loop, number))
            return true;
    return false;
}

/* --- work on other threads, and processes --- */

static void run_job(void *context) {
    job *j = context;
    j->work->work_cb(j->work);
    j->done = true;
    wake_loop(j->loop);
}

static void append_job(const uv_loop_t *l, job *j) {
    j->loop = loop_of(l);
    j->next = j->loop->jobs;
    j->loop->jobs = j;
}

int uv_queue_work(uv_loop_t *l, uv_work_t *work, uv_work_cb call, uv_after_work_cb after) {
    job *j = calloc(1, sizeof *j);
    if (!j)
        abort();
    work->loop = l;
    work->work_cb = call;
    work->after_work_cb = after;
    j->work = work;
    append_job(l, j);
    j->fiber = sim_fiber_start(run_job, j);
    return 0;
}

/* Every name is that of this machine. */
int uv_getaddrinfo(uv_loop_t *l, uv_getaddrinfo_t *lookup, uv_getaddrinfo_cb call, const char *node,
                   const char *service, const struct addrinfo *hints) {
    struct found {
        struct addrinfo info;
        struct sockaddr_in address;
    } *found = calloc(1, sizeof *found);
    job *j = calloc(1, sizeof *j);
    (void)node, (void)hints;
    if (!found || !j)
        abort();
    found->address.sin_family = AF_INET;
    found->address.sin_port = htons((uint16_t)atoi(service));
    found->info.ai_addr = (struct sockaddr *)&found->address;
    lookup->addrinfo = &found->info;
    lookup->cb = call;
    j->lookup = lookup;
    j->done = true;
    append_job(l, j);
    return 0;
}

void uv_freeaddrinfo(struct addrinfo *found) {
    free(found);
}

int uv_cancel(uv_req_t *request) {
    (void)request;
    return UV_EBUSY;
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
    wake_loop(p->loop);
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

static int port_in(const struct sockaddr *address) {
    return ntohs(((const struct sockaddr_in *)address)->sin_port);
}

int uv_tcp_bind(uv_tcp_t *tcp, const struct sockaddr *address, unsigned flags) {
    int port = port_in(address);
    (void)flags;
    part_of(tcp)->port = port > 0 ? port : SIM_PORT;
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
    return name_it(out, size, INADDR_LOOPBACK, part_of(tcp)->port);
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
    lines_listen(p->port, wake_loop, p->loop);
    return 0;
}

int uv_accept(uv_stream_t *server, uv_stream_t *client) {
    part *p = part_of(client);
    part_of(server)->over = false;
    p->line = line_accept(part_of(server)->port);
    return p->line ? 0 : UV_EAGAIN;
}

/* --- those that call --- */

static void on_arrived(void *context, const uint8_t *data, size_t size) {
    part *p = context;
    bytes *b = &p->arrived;
    size_t left = b->size - b->done;
    uint8_t *both = malloc(left + size);
    if (!both)
        abort();
    memcpy(mempcpy(both, b->data ? b->data + b->done : both, left), data, size);
    free(b->data);
    *b = (bytes){both, left + size, 0};
    wake_loop(p->loop);
}

static void on_ended(void *context) {
    part *p = context;
    p->line = NULL;
    wake_loop(p->loop);
}

int uv_tcp_connect(uv_connect_t *request, uv_tcp_t *tcp, const struct sockaddr *address,
                   uv_connect_cb call) {
    static const line_client caller = {on_arrived, on_ended};
    part *p = part_of(tcp);
    p->calls = true;
    p->line = line_connect(port_in(address), &caller, p, false);
    p->connect = request;
    request->cb = call;
    request->handle = (uv_stream_t *)tcp;
    return 0;
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
    request->cb = call;
    request->handle = stream;
    if (p->calls) {
        uv_write_t **end = &p->write;
        while (*end)
            end = (uv_write_t **)&(*end)->reserved[0];
        for (unsigned i = 0; p->line && i < count; i++)
            line_send(p->line, (const uint8_t *)buffers[i].base, buffers[i].len);
        request->reserved[0] = NULL;
        *end = request;
        return 0;
    }
    if (p->write || p->closing)
        return UV_EBUSY;
    p->rest = (bytes){0};
    for (unsigned i = 0; i < count; i++)
        p->rest.size += buffers[i].len;
    p->rest.data = malloc(p->rest.size + 1);
    if (!p->rest.data)
        abort();
    size_t at = 0;
    for (unsigned i = 0; i < count; at += buffers[i].len, i++)
        memcpy(p->rest.data + at, buffers[i].base, buffers[i].len);
    p->write = request;
    return 0;
}

int uv_shutdown(uv_shutdown_t *request, uv_stream_t *stream, uv_shutdown_cb call) {
    request->cb = call;
    request->handle = stream;
    part_of(stream)->shutdown = request;
    wake_loop(part_of(stream)->loop);
    return 0;
}
