#include "tools/learn/method_command.h"

#include "physics/world.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/tool.h"
#include "tools/learn/method_loop.h"
#include "tools/learn/method_store.h"
#include "tools/train/training_store.h"

#include <stdlib.h>
#include <string.h>

/* A work in progress. stored: under its name, by this work */
typedef struct course {
    const tr_method_options *o;
    tr_method_sources sources;
    tr_method_log log;
    tr_work_bond bond;
    void *work;
    bool stored;
} course;

static tr_status check_name(const tr_method_options *o, tr_error *error) {
    return tr_training_check_name(o->catalogue, o->name, error);
}

/* A resumed work replaces its own earlier result; without a checkpoint it starts anew and replaces
 * nothing. */
static tr_status resume(course *c, tr_error *error) {
    const tr_work_file file = {c->o->method, c->work, &c->bond, tr_method_log_list, &c->log};
    tr_status status = tr_work_file_load(&file, c->o->checkpoint, error);
    if (!status)
        c->stored = check_name(c->o, NULL) == TR_ALREADY_EXISTS;
    return status == TR_NOT_FOUND ? check_name(c->o, error) : status;
}

static tr_status begin(course *c, tr_error *error) {
    const tr_method_options *o = c->o;
    tr_status status = o->resume ? TR_OK : check_name(o, error);
    if (!status)
        status = tr_method_sources_open(o, &c->sources, error);
    if (status)
        return status;
    const tr_method_def def = {c->sources.model, o->settings, c->sources.given, o->threads};
    c->log.started_ns = tr_now_ns();
    status = tr_work_bond_of(o->method, &def, o->name, &c->bond, error);
    if (!status)
        status = o->method->create(&def, &c->work, error);
    return status || !o->resume ? status : resume(c, error);
}

static tr_status store(void *context, tr_error *error) {
    course *c = context;
    tr_method_result result = {
        .options = c->o, .sources = &c->sources, .log = &c->log, .replaces = c->stored};
    tr_status status = c->o->method->best(c->work, &result.controller, error);
    if (!status)
        status = tr_method_store(&result, error);
    c->stored |= !status;
    return status;
}

static void print_end(const course *c, tr_method_end end) {
    const tr_method_options *o = c->o;
    if (end == TR_METHOD_STOPPED)
        printf("stopped by Ctrl-C; ");
    if (end == TR_METHOD_TIME_UP)
        printf("the time is up; ");
    if (c->stored)
        printf("controller '%s' is in %s\n", o->name, o->catalogue);
    else
        printf("nothing is stored: no row has a controller yet\n");
    if (end != TR_METHOD_DONE && o->checkpoint)
        printf("the same command with --resume%s continues\n",
               end == TR_METHOD_TIME_UP ? " and more --minutes" : "");
}

static tr_status work(course *c, tr_error *error) {
    const tr_method_options *o = c->o;
    const tr_method_loop loop = {.method = o->method,
                                 .work = c->work,
                                 .model = c->sources.model,
                                 .log = &c->log,
                                 .bond = &c->bond,
                                 .checkpoint = o->checkpoint,
                                 .curve = o->curve,
                                 .core_s = 60 * o->minutes,
                                 .last = INT64_MAX,
                                 .on_better = store,
                                 .context = c};
    tr_method_end end;
    tr_status status = tr_method_loop_run(&loop, &end, error);
    if (!status && c->log.has_best) /* with the rows since */
        status = store(c, error);
    if (!status)
        print_end(c, end);
    return status;
}

static tr_status learn(const tr_method_options *o, tr_error *error) {
    course *c = calloc(1, sizeof *c);
    if (!c)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory");
    c->o = o;
    tr_status status = tr_command_line_check(&o->command, error);
    if (!status)
        status = begin(c, error);
    if (!status)
        status = work(c, error);
    o->method->destroy(c->work);
    tr_method_log_deinit(&c->log);
    tr_method_sources_deinit(&c->sources);
    free(c);
    return status;
}

int tr_method_exec(const tr_method *method, int argc, char **argv) {
    tr_error error = {0};
    int code = TR_TOOL_USAGE;
    tr_method_options *o = calloc(1, sizeof *o);
    if (!o) {
        fprintf(stderr, "troupe-train %s: no memory\n", method->command);
        return TR_TOOL_FAILED;
    }
    tr_physics_init();
    if (tr_method_options_read(method, argc, argv, o))
        code = tr_tool_end(method->command,
                           o->list ? tr_option_list_settings(method->settings, o->settings, &error)
                                   : learn(o, &error),
                           &error);
    free(o);
    return code;
}
