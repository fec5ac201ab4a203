/* server/training/training_process.h: a process is read to its end, and leaves nothing behind. */
#include "cmocka_test.h"

#include "server/training/training_process.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

typedef struct calls {
    int lines, ends;
    char last[64];
    int64_t exit_status;
} calls;

static void on_line(void *context, const char *text, bool of_errors) {
    calls *c = context;
    (void)of_errors;
    c->lines++;
    strncpy(c->last, text, sizeof c->last - 1);
}

static void on_ended(void *context, int64_t exit_status, int signal) {
    calls *c = context;
    (void)signal;
    c->ends++;
    c->exit_status = exit_status;
}

static tr_status start(uv_loop_t *loop, const char *program, const char *script, calls *c,
                       tr_training_process **out) {
    char *const arguments[] = {(char *)"sh", (char *)"-c", (char *)script, NULL};
    tr_error error = {0};
    return tr_training_process_start(&(tr_training_process_def){.loop = loop,
                                                                .program = program,
                                                                .folder = "/",
                                                                .arguments = arguments,
                                                                .line = on_line,
                                                                .ended = on_ended,
                                                                .context = c},
                                     out, &error);
}

/* Runs the loop to its end, which has to leave no process: neither running nor a zombie. */
static void finish(uv_loop_t *loop) {
    uv_run(loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(loop), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

TEST(its_lines_come_before_its_end) {
    uv_loop_t loop;
    calls c = {0};
    tr_training_process *process = NULL;
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_int_equal(start(&loop, "/bin/sh", "echo one; printf two; exit 3", &c, &process), TR_OK);
    finish(&loop);
    assert_true(c.lines == 2 && c.ends == 1 && c.exit_status == 3);
    assert_string_equal(c.last, "two");
}

TEST(a_killed_process_leaves_no_zombie_and_no_call) {
    uv_loop_t loop;
    calls c = {0};
    tr_training_process *process = NULL;
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_int_equal(start(&loop, "/bin/sh", "exec sleep 1000", &c, &process), TR_OK);
    tr_training_process_kill(process);
    finish(&loop);
    assert_true(c.lines == 0 && c.ends == 0);
}

TEST(a_program_that_does_not_exist_is_refused) {
    uv_loop_t loop;
    calls c = {0};
    tr_training_process *process = NULL;
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_int_equal(start(&loop, "/nowhere/sh", "", &c, &process), TR_UNAVAILABLE);
    assert_null(process);
    finish(&loop);
    assert_int_equal(c.ends, 0);
}
