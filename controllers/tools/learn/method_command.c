#include "tools/learn/method_command.h"

#include "physics/world/world.h"
#include "proto/progress.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/lead.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"
#include "tools/learn/method_loop.h"
#include "tools/learn/method_store.h"
#include "tools/learn/verdict.h"
#include "tools/measure/certify.h"

#include <stdlib.h>
#include <unistd.h>

enum {
    HARDER_MAX = 4,
    REMARK_BYTES = 2048,
    HOST_BYTES = 256
}; /* plans that are tried when the motion is lost */

/* Its skills lend their gains to previews. */
#define LENDER "hero"

/* A work in progress. stored: under its name, by this work; previewed: a preview is stored there */
typedef struct course {
    const tr_method_options *o;
    tr_method_sources sources;
    tr_method_log log;
    tr_work_bond bond;
    void *work;
    bool stored, previewed;
} course;

static tr_status check_name(const tr_method_options *o, tr_error *error) {
    return o->method->write ? TR_OK : tr_method_store_check_name(o->catalogue, o->name, error);
}

/* A resumed work replaces its own earlier result; without a checkpoint it starts anew and replaces
 * nothing. */
static tr_status resume(course *c, tr_error *error) {
    const tr_work_file file = {c->o->method, c->work, &c->bond, tr_method_log_list, &c->log};
    tr_status status = tr_work_file_load(&file, c->o->checkpoint, error);
    if (!status && check_name(c->o, NULL) == TR_ALREADY_EXISTS) {
        c->previewed = c->o->method->preview && !c->log.has_best;
        c->stored = !c->previewed;
    }
    return status == TR_NOT_FOUND ? check_name(c->o, error) : status;
}

static const tr_motion *source_of(const course *c) {
    return c->o->method->source ? c->o->method->source(c->work) : NULL;
}

static tr_status begin(course *c, int harder, tr_error *error) {
    const tr_method_options *o = c->o;
    char remark[REMARK_BYTES] = "";
    tr_status status = tr_method_sources_open(o, harder, &c->sources, error);
    if (status)
        return status;
    const tr_method_def def = {c->sources.model, c->sources.settings, c->sources.given,
                               o->name,          o->threads,          tr_method_say};
    c->log.started_ns = tr_now_ns();
    c->log.core_s = c->sources.lesson.control_s;
    status = tr_work_bond_of(o->method, &def, o->name, &c->bond, error);
    if (!status)
        status = tr_method_create(o->method, &def, &c->work, error);
    if (!status && o->resume)
        status = resume(c, error);
    const tr_method_result result = {
        .options = o, .sources = &c->sources, .source = status ? NULL : source_of(c)};
    if (!status && !o->method->write)
        status = tr_method_store_check(&result, error);
    if (!status && o->method->remark) {
        o->method->remark(&def, c->work, remark, sizeof remark);
        fputs(remark, stdout);
        (void)fflush(stdout);
    }
    return status;
}

static void end(course *c) {
    c->o->method->destroy(c->work);
    c->work = NULL;
    tr_method_log_deinit(&c->log);
    tr_method_sources_deinit(&c->sources);
}

static tr_status write_files(course *c, tr_error *error) {
    char host[HOST_BYTES];
    tr_describe_host(host, sizeof host);
    const tr_method_writing writing = {c->o->out, c->o->command.text, TR_CODE_VERSION, host,
                                       tr_now_ns()};
    tr_status status = c->o->method->write(c->work, &writing, error);
    c->stored |= !status;
    return status;
}

static tr_status store(void *context, tr_error *error) {
    course *c = context;
    if (c->o->method->write)
        return write_files(c, error);
    tr_method_result result = {.options = c->o,
                               .sources = &c->sources,
                               .log = &c->log,
                               .source = source_of(c),
                               .replaces = c->stored || c->previewed};
    tr_status status = c->o->method->best(c->work, &result.controller, error);
    if (!status)
        status = tr_method_store(&result, error);
    c->stored |= !status;
    return status;
}

/* Asks the method for a preview with the help of the library's flagship, and stores it, so that there is
 * something to look at while the work continues. */
static tr_status preview(void *context, tr_error *error) {
    course *c = context;
    tr_subject lender = {0};
    tr_method_preview made = {0};
    const double begin_s = tr_processor_seconds();
    if (!c->sources.is_planned || c->stored || !c->o->method->preview ||
        access(TR_SHIPPED_BUNDLE, R_OK) != 0)
        return TR_OK;
    tr_status status = tr_subject_read(TR_SHIPPED_BUNDLE, LENDER, &lender, error);
    const tr_method_part part = {LENDER, lender.controller, lender.model};
    if (!status)
        status = c->o->method->preview(c->work, &part, &made, error);
    if (!status && made.text[0])
        printf("%s  core_s %.3g\n", made.text, tr_processor_seconds() - begin_s);
    const tr_method_result result = {.options = c->o,
                                     .sources = &c->sources,
                                     .log = &c->log,
                                     .controller = made.controller,
                                     .replaces = c->previewed,
                                     .preview = true};
    if (!status && made.controller) {
        status = tr_method_store(&result, error);
        c->previewed |= !status;
        if (!status)
            tr_method_say(TR_PROGRESS_PREVIEW);
    }
    tr_controller_destroy(made.controller);
    tr_subject_deinit(&lender);
    return status == TR_NOT_FOUND ? TR_OK : status;
}

static void print_end(const course *c, tr_method_end end) {
    const tr_method_options *o = c->o;
    if (end == TR_METHOD_STOPPED)
        printf("stopped by Ctrl-C; ");
    if (end == TR_METHOD_TIME_UP)
        printf("the time is up; ");
    if (c->stored && o->method->write)
        printf("the result is in %s\n", o->out);
    else if (c->stored)
        printf("controller '%s' is in %s\n", o->name, o->catalogue);
    else if (c->previewed)
        printf("'%s' in %s is a preview: no row has a result yet\n", o->name, o->catalogue);
    else
        printf("nothing is stored: no row has a result yet\n");
    if (end != TR_METHOD_DONE && o->checkpoint)
        printf("the same command with --resume%s continues\n",
               end == TR_METHOD_TIME_UP ? " and more --minutes" : "");
}

/* The share of the training's time that its certificate may take. */
static const double CERTIFICATE_SHARE = 0.2;

/* The verdict on a training that took less is brief, so that it does not take longer itself. */
static const double BRIEF_S = 20;

/* A planned training is judged by trials on seeds of their own. What repeats gets a certificate. */
static tr_status judge(const course *c, tr_error *error) {
    const tr_controller *best = NULL;
    tr_ensemble *worlds = NULL;
    tr_status status = c->o->method->best(c->work, &best, error);
    if (!status)
        status = tr_ensemble_create_for(c->sources.model, best, c->o->threads, &worlds, error);
    if (!status)
        status = tr_verdict_print(worlds, c->sources.model, best, c->sources.lesson.motion,
                                  c->log.core_s < BRIEF_S, error);
    tr_ensemble_destroy(worlds);
    if (status || !tr_controller_outline(best).cyclic)
        return status;
    const tr_brief_certificate brief = {.controller = c->o->name,
                                        .catalogue = c->o->catalogue,
                                        .motion = c->sources.lesson.motion_path,
                                        .command = &c->o->command,
                                        .threads = c->o->threads,
                                        .core_s = CERTIFICATE_SHARE * c->log.core_s};
    return tr_certify_briefly(&brief, error);
}

static tr_status work(course *c, tr_error *error) {
    const tr_method_options *o = c->o;
    const tr_method_loop loop = {.method = o->method,
                                 .work = c->work,
                                 .model = c->sources.model,
                                 .log = &c->log,
                                 .bond = &c->bond,
                                 .checkpoint = o->checkpoint,
                                 .core_s = c->o->minutes > 0 ? 60 * c->o->minutes
                                                             : c->sources.lesson.plan.core_s,
                                 .last = INT64_MAX,
                                 .on_better = store,
                                 .on_preview = preview,
                                 .context = c};
    tr_method_end how;
    tr_status status = tr_method_loop_run(&loop, &how, error);
    const bool whole = how == TR_METHOD_DONE;
    if (!status && (c->log.has_best || (whole && !c->previewed))) /* with the rows since */
        status = store(c, error);
    if (!status && c->sources.is_planned && c->stored)
        status = judge(c, error);
    if (status)
        return status;
    print_end(c, how);
    if (whole && c->sources.is_planned && o->checkpoint == o->default_checkpoint)
        tr_lead_remove(o->checkpoint);
    return TR_OK;
}

/* A planned training that loses its motion is planned again, for more effort. */
static tr_status learn(course *c, tr_error *error) {
    const tr_method_options *o = c->o;
    tr_status status = tr_command_line_check(&o->command, error);
    if (!status && !o->resume)
        status = check_name(o, error);
    for (int harder = 0; !status; harder++) {
        status = begin(c, harder, error);
        const bool other = status == TR_FAILED_PRECONDITION && o->resume && c->sources.is_planned;
        if (!status)
            status = work(c, error);
        const bool again =
            c->sources.is_planned && harder < HARDER_MAX && (status == TR_ABORTED || other);
        end(c);
        if (!again)
            break;
        if (status == TR_ABORTED)
            printf("%s: planned again\n", error->message);
        status = TR_OK;
    }
    return status;
}

static tr_status learn_or_plan(const tr_method_options *o, tr_error *error) {
    course *c = calloc(1, sizeof *c);
    if (!c)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory");
    c->o = o;
    tr_status status =
        o->lesson.plans_only ? tr_method_sources_open(o, 0, &c->sources, error) : learn(c, error);
    tr_method_sources_deinit(&c->sources);
    free(c);
    return status;
}

/* Learns one part of a clip, or all. A part that fails does not keep the later ones from being learned;
 * its message is printed, and the status is that of the first. */
static tr_status learn_parts(const tr_method_options *o, tr_error *error) {
    tr_plan_part *part = calloc(TR_PLAN_PART_MAX, sizeof *part);
    tr_method_options *own = malloc(sizeof *own);
    int count = 0;
    tr_status status = part && own ? tr_method_sources_parts(o, part, &count, error)
                                   : tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory");
    if (!status && o->lesson.part > count)
        status = tr_fail(error, TR_OUT_OF_RANGE, "--part %d: the clip has %d parts", o->lesson.part,
                         count);
    tr_status first = status;
    for (int i = 0; !status && i < count; i++) {
        tr_error why = {0};
        if (!o->lesson.all_parts && i + 1 != o->lesson.part)
            continue;
        *own = *o;
        own->name = o->name == o->default_name ? own->default_name : o->name;
        tr_status now = tr_method_options_take_part(own, &part[i]) ? learn_or_plan(own, &why)
                                                                   : TR_INVALID_ARGUMENT;
        if (now && first)
            fprintf(stderr, "troupe-train %s: %s\n", o->method->command, why.message);
        if (now && !first) {
            first = now;
            *error = why;
        }
    }
    free(part);
    free(own);
    return first;
}

static tr_status run(const tr_method_options *o, tr_error *error) {
    if (o->list)
        return tr_option_list_settings(o->method->settings, o->settings, error);
    return o->lesson.part || o->lesson.all_parts ? learn_parts(o, error) : learn_or_plan(o, error);
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
        code = tr_tool_end(method->command, run(o, &error), &error);
    free(o);
    return code;
}
