/* troupe-train schedule learn: deep Q-learning over the fragments of a controller. */
#include "learn/method/task_file.h"
#include "learn/ranks/ranks.h"
#include "learn/schedule/schedule_training.h"
#include "proto/sink.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/command_line.h"
#include "tools/frame/options.h"
#include "tools/frame/progress.h"
#include "tools/frame/subject.h"
#include "tools/schedule/schedule.h"
#include "tools/schedule/schedule_store.h"

#include <stdio.h>
#include <string.h>

typedef struct options {
    const char *name, *catalogue, *as, *task, *checkpoint, *curve;
    tr_schedule_settings settings;
    double minutes; /* of processor time; 0: as many as it takes */
    bool resume, list;
    int threads;
    tr_command_line command;
} options;

/* Options count in their order: --set after --task. */
static tr_status take_task(void *context, const tr_option_value *value, tr_error *error) {
    options *o = context;
    o->task = value->text;
    return tr_task_file_read(&tr_schedule_settings_table, &o->settings, value->text, error);
}

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    *o = (options){.settings = tr_schedule_settings_default(),
                   .threads = tr_option_default_threads()};
    tr_command_line_read(&o->command, argc, argv);
    tr_option_settings settings = {&tr_schedule_settings_table, &o->settings};
    tr_option_call task = {take_task, o}, pair = {tr_option_take_setting, &settings};
    const tr_option table[] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
        {"as", TR_OPTION_TEXT, &o->as, 0, 0},
        {"task", TR_OPTION_CALL, &task, 0, 0},
        {"set", TR_OPTION_CALL, &pair, 0, 0},
        {"checkpoint", TR_OPTION_TEXT, &o->checkpoint, 0, 0},
        {"resume", TR_OPTION_FLAG, &o->resume, 0, 0},
        {"curve", TR_OPTION_TEXT, &o->curve, 0, 0},
        {"minutes", TR_OPTION_NUMBER, &o->minutes, 0, 1e6},
        {"list", TR_OPTION_FLAG, &o->list, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->threads, 1, TR_POOL_THREAD_MAX},
    };
    int first = tr_options_take("schedule learn", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (o->list)
        return true;
    if (first + 1 != argc || !o->catalogue || !o->as || strlen(o->as) >= TR_NAME_MAX ||
        (o->resume && !o->checkpoint)) {
        fputs("troupe-train schedule learn: expected NAME, --catalogue and --as; --resume with "
              "--checkpoint\n",
              stderr);
        return false;
    }
    o->name = argv[first];
    return true;
}

static tr_status print_settings(tr_error *error) {
    const tr_schedule_settings defaults = tr_schedule_settings_default();
    return tr_option_list_settings(&tr_schedule_settings_table, &defaults, error);
}

/* --- rows --- */

static double percent(int64_t part, int64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_requests(const tr_request_tally *r) {
    printf("performed %d of %d requests, begun %d, median %.1f s, falls %d  ", r->performed,
           r->planned, r->begun, r->begun_median_s, r->fell);
}

static void print_task(const options *o, const tr_schedule_row *row) {
    const tr_request_tally *r = &row->requests;
    if (o->settings.asks)
        print_requests(r);
    else if (o->settings.falls)
        printf("steady after %d of %d falls, mean %.1f s, %g N %3.0f %%  ", r->performed,
               r->planned, r->begun_median_s, o->settings.test_low_n,
               percent(row->low.survived, row->low.trials));
    else if (o->settings.turns)
        printf("reached %d of %d headings, median %.2f s, trials lost %d  ", r->performed,
               r->planned, r->begun_median_s, r->fell);
    else
        printf("held %d of %d, mean %.1f s  ", r->performed, r->planned, row->mean_s);
}

static void print_pushes(const options *o, const tr_schedule_row *row) {
    printf("undisturbed %3.0f %% (jumps %.1f %%)  %g N %3.0f %%, back %3.0f %%  %g N %3.0f %%  "
           "jumps %4.1f %%  ",
           percent(row->undisturbed.survived, row->undisturbed.trials),
           percent(row->undisturbed.jumps, row->undisturbed.decisions), o->settings.test_low_n,
           percent(row->low.survived, row->low.trials), percent(row->low.back, row->low.trials),
           o->settings.test_high_n, percent(row->high.survived, row->high.trials),
           percent(row->high.jumps, row->high.decisions));
}

static void print_row(const options *o, const tr_schedule_row *row, double share_before,
                      double elapsed_s) {
    printf("%8lld  falls %5lld  MA[V] %5.1f  ", (long long)row->transitions, (long long)row->falls,
           row->average_q);
    if (row->requests.planned > 0)
        print_task(o, row);
    else
        print_pushes(o, row);
    printf("%s%.0f core s", row->best ? "best  " : "", tr_processor_seconds());
    tr_print_share((double)row->transitions / o->settings.transitions, share_before, elapsed_s);
    (void)fflush(stdout);
}

/* Writes the learning curve as CSV, whole after each test. */
static tr_status write_curve(const options *o, const tr_schedule_row *row, int count,
                             tr_error *error) {
    tr_sink sink;
    if (!o->curve || !tr_ranks_lead())
        return TR_OK;
    tr_status status = tr_sink_open(&sink, o->curve, error);
    if (status)
        return status;
    fputs("transitions,episodes,falls,average_q,undisturbed,low,low_back,high,high_jumps,"
          "performed,score\n",
          sink.file);
    for (int i = 0; i < count; i++) {
        const tr_schedule_row *r = &row[i];
        fprintf(sink.file, "%lld,%lld,%lld,%.3f,%d,%d,%d,%d,%.4f,%d,%.4f\n",
                (long long)r->transitions, (long long)r->episodes, (long long)r->falls,
                r->average_q, r->undisturbed.survived, r->low.survived, r->low.back,
                r->high.survived, percent(r->high.jumps, r->high.decisions) / 100,
                r->requests.performed, r->score);
    }
    return tr_sink_close(&sink, TR_OK, error);
}

/* --- the training --- */

typedef struct work {
    const options *o;
    tr_subject subject;
    tr_schedule_training *training;
    int64_t started_ns;
} work;

static tr_status begin(work *w, tr_error *error) {
    const options *o = w->o;
    tr_status status = tr_subject_read(o->catalogue, o->name, &w->subject, error);
    if (status)
        return status;
    const tr_schedule_training_def def = {w->subject.model, w->subject.controller, o->settings,
                                          o->threads};
    status = tr_schedule_training_create(&def, &w->training, error);
    if (status || !o->resume)
        return status;
    status = tr_schedule_checkpoint_load(w->training, o->checkpoint, error);
    if (status != TR_NOT_FOUND)
        return status;
    error->message[0] = '\0';
    return TR_OK;
}

static tr_status store(work *w, tr_error *error) {
    const options *o = w->o;
    int count = 0;
    const tr_schedule_row *row = tr_schedule_training_rows(w->training, &count);
    const tr_schedule_result result = {.source = &w->subject.row,
                                       .name = o->as,
                                       .command = o->command.text,
                                       .settings = &o->settings,
                                       .controller = tr_schedule_training_best(w->training),
                                       .row = row,
                                       .row_count = count,
                                       .threads = o->threads,
                                       .started_ns = w->started_ns};
    return tr_schedule_store(o->catalogue, &result, error);
}

static tr_status advance(work *w, tr_error *error) {
    const options *o = w->o;
    int count = 0;
    double begin_s = tr_wall_seconds();
    const tr_schedule_row *row = tr_schedule_training_rows(w->training, &count);
    double before = count ? (double)row[count - 1].transitions / o->settings.transitions : 0;
    tr_status status = tr_schedule_training_advance(w->training, error);
    if (status)
        return status;
    row = tr_schedule_training_rows(w->training, &count);
    print_row(o, &row[count - 1], before, tr_wall_seconds() - begin_s);
    status = write_curve(o, row, count, error);
    if (!status && o->checkpoint)
        status = tr_schedule_checkpoint_save(w->training, o->checkpoint, error);
    return status;
}

static bool is_time_up(const options *o) {
    return o->minutes > 0 && tr_processor_seconds() >= 60 * o->minutes;
}

static tr_status learn(const options *o, tr_error *error) {
    work w = {.o = o, .started_ns = tr_now_ns()};
    tr_status status = begin(&w, error);
    while (!status && !tr_schedule_training_is_done(w.training) && !is_time_up(o))
        status = advance(&w, error);
    if (!status)
        status = store(&w, error);
    tr_schedule_training_destroy(w.training);
    tr_subject_deinit(&w.subject);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    if (o->list)
        return print_settings(error);
    tr_status status = tr_command_line_check(&o->command, error);
    return status ? status : learn(o, error);
}

const tr_tool_command tr_tool_schedule_learn = {
    .name = "learn",
    .arguments = "NAME --catalogue F --as NEW [--task FILE] [--set NAME=VALUE ...] [options]",
    .summary = "learn which fragment of a controller comes next",
    .help =
        "NAME is a chain, a control graph or a balance with postures, of the catalogue. Worlds\n"
        "decide in lockstep; after a fall they roll back and try again. The command prints a row\n"
        "for every test, and finally stores the best network in the catalogue as NEW, with the\n"
        "record of the training. The same settings give the same bits for any number of threads.\n"
        "\n"
        "  --catalogue F      holds NAME, and is written\n"
        "  --as NEW           name of the scheduled controller; replaced if it exists\n"
        "  --task FILE        lines 'name = value'; files of shipped tasks lie in\n"
        "                     controllers/recipes/schedule\n"
        "  --set NAME=VALUE   one setting, after --task\n"
        "  --list             the settings with their defaults and meanings\n"
        "  --checkpoint FILE  written after every test\n"
        "  --resume           continue from the checkpoint if it exists\n"
        "  --minutes M        processor time after which it ends with the best so far\n"
        "  --curve FILE       the learning curve, CSV\n"
        "  --threads N        all cores; does not change the result\n"
        "\n"
        "  troupe-train schedule learn locomotion --catalogue mine.troupe --as steady \\\n"
        "    --task controllers/recipes/schedule/push-recovery.task\n",
    .shares = true,
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
