#include "server/training/training_process.h"

#include "server/config/log.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The lines of one of its outputs. */
typedef struct reader {
    uv_pipe_t pipe;
    tr_training_process *process;
    bool of_errors, is_closed;
    char bytes[4096]; /* as they arrive */
    char line[TR_TRAINING_LINE_MAX];
    size_t size;
} reader;

struct tr_training_process {
    uv_process_t handle;
    tr_training_process_def def;
    reader output, errors;
    int open; /* handles that the loop has not closed */
    bool exited, killed;
    int64_t exit_status;
    int signal;
};

/* --- the end --- */

static void on_closed(uv_handle_t *handle) {
    tr_training_process *p = handle->data;
    if (--p->open == 0)
        free(p);
}

static void close_handle(uv_handle_t *handle) {
    if (!uv_is_closing(handle))
        uv_close(handle, on_closed);
}

static void end_when_done(tr_training_process *p) {
    if (p->killed || !p->exited || !p->output.is_closed || !p->errors.is_closed)
        return;
    p->killed = true; /* no further call */
    p->def.ended(p->def.context, p->exit_status, p->signal);
    close_handle((uv_handle_t *)&p->handle);
}

static void on_exit_of_it(uv_process_t *handle, int64_t exit_status, int signal) {
    tr_training_process *p = handle->data;
    p->exited = true;
    p->exit_status = exit_status;
    p->signal = signal;
    if (p->killed)
        close_handle((uv_handle_t *)handle);
    else
        end_when_done(p);
}

/* --- lines --- */

static void finish_line(reader *r) {
    r->line[r->size] = '\0';
    if (r->size > 0 && !r->process->killed)
        r->process->def.line(r->process->def.context, r->line, r->of_errors);
    r->size = 0;
}

static void take(reader *r, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == '\n' || bytes[i] == '\r')
            finish_line(r);
        else if (r->size + 1 < sizeof r->line)
            r->line[r->size++] = bytes[i];
}

static reader *reader_of(const uv_handle_t *pipe) {
    tr_training_process *p = pipe->data;
    return pipe == (const uv_handle_t *)&p->output.pipe ? &p->output : &p->errors;
}

static void lend(uv_handle_t *pipe, size_t suggested, uv_buf_t *out) {
    reader *r = reader_of(pipe);
    (void)suggested;
    *out = uv_buf_init(r->bytes, sizeof r->bytes);
}

static void on_read(uv_stream_t *pipe, ssize_t size, const uv_buf_t *buffer) {
    reader *r = reader_of((uv_handle_t *)pipe);
    if (size >= 0) {
        take(r, buffer->base, (size_t)size);
        return;
    }
    finish_line(r);
    r->is_closed = true;
    close_handle((uv_handle_t *)pipe);
    end_when_done(r->process);
}

/* --- the start --- */

static void open_reader(tr_training_process *p, reader *r, bool of_errors) {
    r->process = p;
    r->of_errors = of_errors;
    uv_pipe_init(p->def.loop, &r->pipe, 0);
    r->pipe.data = p;
    p->open++;
}

/* The daemon's environment with one line before it; free() it. NULL: no memory. */
static char **environment_with(char *line) {
    size_t count = 0;
    while (environ[count])
        count++;
    char **all = calloc(count + 2, sizeof *all);
    if (!all)
        return NULL;
    all[0] = line;
    memcpy(all + 1, environ, count * sizeof *all);
    return all;
}

static int spawn(tr_training_process *p, char **environment) {
    const int flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE; /* as the process sees it */
    uv_stdio_container_t stdio[] = {
        {.flags = UV_IGNORE},
        {.flags = (uv_stdio_flags)flags, .data.stream = (uv_stream_t *)&p->output.pipe},
        {.flags = (uv_stdio_flags)flags, .data.stream = (uv_stream_t *)&p->errors.pipe}};
    const uv_process_options_t options = {.exit_cb = on_exit_of_it,
                                          .file = p->def.program,
                                          .args = (char **)p->def.arguments,
                                          .env = environment,
                                          .cwd = p->def.folder,
                                          .stdio_count = 3,
                                          .stdio = stdio};
    int failed = uv_spawn(p->def.loop, &p->handle, &options);
    p->handle.data = p;
    p->open++;
    return failed;
}

static void lower_priority(const tr_training_process *p) {
    int failed = uv_os_setpriority(p->handle.pid, UV_PRIORITY_BELOW_NORMAL);
    if (failed)
        tr_log_line(TR_LOG_WARN, "training.priority", "pid=%d error=\"%s\"", p->handle.pid,
                    uv_strerror(failed));
}

tr_status tr_training_process_start(const tr_training_process_def *def, tr_training_process **out,
                                    tr_error *error) {
    char parent[32];
    snprintf(parent, sizeof parent, "TROUPE_PARENT=%ld", (long)getpid());
    char **environment = environment_with(parent);
    tr_training_process *p = environment ? calloc(1, sizeof *p) : NULL;
    if (!p) {
        free(environment);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    }
    p->def = *def;
    open_reader(p, &p->output, false);
    open_reader(p, &p->errors, true);
    int failed = spawn(p, environment);
    free(environment);
    if (!failed)
        failed = uv_read_start((uv_stream_t *)&p->output.pipe, lend, on_read);
    if (!failed)
        failed = uv_read_start((uv_stream_t *)&p->errors.pipe, lend, on_read);
    if (failed) {
        tr_training_process_kill(p);
        return tr_fail(error, TR_UNAVAILABLE, "%s: %s", def->program, uv_strerror(failed));
    }
    lower_priority(p);
    *out = p;
    return TR_OK;
}

void tr_training_process_interrupt(tr_training_process *process) {
    if (!process->exited)
        (void)uv_process_kill(&process->handle, SIGINT);
}

void tr_training_process_kill(tr_training_process *process) {
    if (!process)
        return;
    process->killed = true;
    close_handle((uv_handle_t *)&process->output.pipe);
    close_handle((uv_handle_t *)&process->errors.pipe);
    if (uv_is_active((uv_handle_t *)&process->handle))
        (void)uv_process_kill(&process->handle, SIGKILL); /* its exit closes the handle */
    else
        close_handle((uv_handle_t *)&process->handle);
}
