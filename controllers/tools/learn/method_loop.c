#include "tools/learn/method_loop.h"

#include "learn/ranks/ranks.h"
#include "tools/frame/circumstances.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>

/* ---- Ctrl-C ---- */

static volatile sig_atomic_t stopped;

/* The first press ends the work after its row; the handler is gone then, so that a second one ends
 * the program. */
static void stop(int signal) {
    (void)signal;
    stopped = 1;
}

bool tr_method_loop_was_stopped(void) {
    return stopped != 0;
}

/* ---- Rows ---- */

void tr_method_say(const char *line) {
    puts(line);
    (void)fflush(stdout);
}

static tr_status compare_ranks(const tr_method_loop *loop, const tr_method_row *row,
                               tr_error *error) {
    const tr_controller *best = NULL;
    if (tr_ranks_count() == 1 || !row->best || !loop->method->best)
        return TR_OK;
    tr_status status = loop->method->best(loop->work, &best, error);
    if (!status)
        tr_ranks_compare("what it has learned", tr_controller_hash(best, loop->model));
    return status;
}

static tr_status keep_row(const tr_method_loop *loop, const tr_method_row *row, double core_s,
                          tr_error *error) {
    const tr_work_file file = {loop->method, loop->work, loop->bond, tr_method_log_list, loop->log};
    tr_status status = tr_method_log_add(loop->log, row, core_s, error);
    if (!status)
        status = compare_ranks(loop, row, error);
    if (!status && loop->checkpoint && !row->unsaved)
        status = tr_work_file_save(&file, loop->checkpoint, error);
    if (!status && loop->on_better && row->best)
        status = loop->on_better(loop->context, error);
    return status;
}

static tr_status run_row(const tr_method_loop *loop, tr_method_row *out, tr_error *error) {
    const double begin_s = tr_processor_seconds();
    tr_status status = loop->method->advance(loop->work, out, error);
    if (status)
        return status;
    const double core_s = tr_processor_seconds() - begin_s;
    if (out->text[0])
        puts(out->text);
    printf("%-10s %4lld", out->phase, (long long)out->iteration);
    for (int i = 0; i < out->metric_count; i++)
        if (isfinite(out->metric[i].value))
            printf("  %s %.4g", out->metric[i].name, out->metric[i].value);
    printf("  core_s %.4g%s", core_s, out->best ? "  best" : "");
    return keep_row(loop, out, core_s, error);
}

/* A row cannot be cut, so none begins for which, at the length of the last one, there is no time. */
static tr_method_end look_for_end(const tr_method_loop *loop, double row_s) {
    /* The signal reaches the ranks of a job at different times, if it reaches all. */
    if (tr_ranks_sum(stopped) > 0)
        return TR_METHOD_STOPPED;
    return loop->core_s > 0 && loop->log->core_s + row_s > loop->core_s ? TR_METHOD_TIME_UP
                                                                        : TR_METHOD_DONE;
}

tr_status tr_method_loop_run(const tr_method_loop *loop, tr_method_end *out_end, tr_error *error) {
    const tr_method *method = loop->method;
    const double begin_s = tr_wall_seconds(), share_before = method->share(loop->work);
    struct sigaction before;
    tr_status status = TR_OK;
    tr_method_row row = {.iteration = INT64_MIN};
    struct sigaction action = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    stopped = 0;
    sigaction(SIGINT, &action, &before);
    *out_end = TR_METHOD_DONE;
    while (!status && *out_end == TR_METHOD_DONE && !method->is_done(loop->work) &&
           row.iteration < loop->last) {
        const double core_s = loop->log->core_s;
        row = (tr_method_row){0};
        status = run_row(loop, &row, error);
        if (!status)
            tr_print_share(method->share(loop->work), share_before, tr_wall_seconds() - begin_s);
        if (!status && loop->on_preview && row.previews)
            status = loop->on_preview(loop->context, error);
        if (!status && !method->is_done(loop->work))
            *out_end = look_for_end(loop, loop->log->core_s - core_s);
    }
    sigaction(SIGINT, &before, NULL);
    return status;
}
