/* troupe-train balance learn: from a stance on an object to feedback that holds it there. */
#include "learn/method/task_file.h"
#include "model/mjcf.h"
#include "tools/balance/balance_store.h"
#include "tools/balance/balance_tool.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/command_line.h"
#include "tools/frame/options.h"
#include "tools/frame/progress.h"
#include "tools/frame/subject.h"

#include <stdio.h>
#include <string.h>

typedef struct options {
    const char *catalogue, *as, *from, *stance, *model, *checkpoint;
    tr_balance_settings settings;
    double minutes; /* of processor time; 0: as many as it takes */
    bool resume, list;
    int threads;
    tr_command_line command;
} options;

/* Options count in their order: --set after --task. */
static tr_status take_task(void *context, const tr_option_value *value, tr_error *error) {
    options *o = context;
    return tr_task_file_read(&tr_balance_settings_table, &o->settings, value->text, error);
}

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    *o = (options){.model = TR_MODEL_DIR "/humanoid.xml",
                   .settings = tr_balance_settings_default(),
                   .threads = tr_option_default_threads()};
    tr_command_line_read(&o->command, argc, argv);
    tr_option_settings settings = {&tr_balance_settings_table, &o->settings};
    tr_option_call task = {take_task, o}, pair = {tr_option_take_setting, &settings};
    const tr_option table[] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
        {"as", TR_OPTION_TEXT, &o->as, 0, 0},
        {"from", TR_OPTION_TEXT, &o->from, 0, 0},
        {"stance", TR_OPTION_TEXT, &o->stance, 0, 0},
        {"model", TR_OPTION_TEXT, &o->model, 0, 0},
        {"task", TR_OPTION_CALL, &task, 0, 0},
        {"set", TR_OPTION_CALL, &pair, 0, 0},
        {"minutes", TR_OPTION_NUMBER, &o->minutes, 0, 1e6},
        {"checkpoint", TR_OPTION_TEXT, &o->checkpoint, 0, 0},
        {"resume", TR_OPTION_FLAG, &o->resume, 0, 0},
        {"list", TR_OPTION_FLAG, &o->list, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->threads, 1, TR_POOL_THREAD_MAX},
    };
    int first = tr_options_take("balance learn", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (o->list)
        return true;
    if (first != argc || !o->catalogue || !o->as || strlen(o->as) >= TR_NAME_MAX ||
        (o->resume && !o->checkpoint)) {
        fprintf(stderr,
                "troupe-train balance learn: expected --catalogue, and --as of at most %d bytes; "
                "--resume with --checkpoint\n",
                TR_NAME_MAX - 1);
        return false;
    }
    return true;
}

static tr_status print_settings(tr_error *error) {
    const tr_balance_settings defaults = tr_balance_settings_default();
    return tr_option_list_settings(&tr_balance_settings_table, &defaults, error);
}

static void print_row(const options *o, const tr_balance_row *row) {
    printf("%-10s %4d  ", row->phase, row->iteration);
    if (row->trained_s > 0)
        printf("trials at %4.1f N %4.1f of %4.1f s  ", row->push_n, row->trained_s, row->cap_s);
    printf("test at %g N: %3d of %d hold 60 s, mean %4.1f s, drift %.2f m, on one foot %.2f  "
           "%s%.0f core s\n",
           o->settings.push_n, row->test.held, row->test.trials, row->test.mean_s,
           row->test.drift_m, row->test.one_foot, row->best ? "best  " : "",
           tr_processor_seconds());
    (void)fflush(stdout);
}

static bool is_time_up(const options *o) {
    return o->minutes > 0 && tr_processor_seconds() >= 60 * o->minutes;
}

static tr_status give(const options *o, const tr_subject *from, tr_balance_learning *learning,
                      tr_error *error) {
    const tr_balance *policy = tr_balance_of(from->controller);
    const tr_treading *treading = tr_treading_of(from->controller);
    return policy ? tr_balance_learning_give(learning, policy, treading ? &treading->steps : NULL,
                                             error)
                  : tr_fail(error, TR_INVALID_ARGUMENT,
                            "--from: '%s' does not balance; 'balance learn' makes such "
                            "controllers",
                            o->from);
}

static tr_status begin(const options *o, const tr_model *model, tr_subject *out_from,
                       tr_balance_learning **out, tr_error *error) {
    tr_subject stance = {0};
    tr_status status = o->stance ? tr_subject_read(o->catalogue, o->stance, &stance, error) : TR_OK;
    if (!status)
        status = tr_balance_learning_create(model, &o->settings,
                                            o->stance ? &stance.controller->spawn : NULL,
                                            o->threads, out, error);
    tr_subject_deinit(&stance);
    if (!status && o->from)
        status = tr_subject_read(o->catalogue, o->from, out_from, error);
    if (!status && o->from)
        status = give(o, out_from, *out, error);
    if (status || !o->resume)
        return status;
    status = tr_balance_checkpoint_load(*out, o->checkpoint, error);
    if (status != TR_NOT_FOUND)
        return status;
    error->message[0] = '\0';
    return TR_OK;
}

static tr_status advance(const options *o, tr_balance_learning *learning, tr_error *error) {
    tr_balance_row row;
    tr_status status = TR_OK;
    while (!status && !tr_balance_learning_is_done(learning) && !is_time_up(o)) {
        status = tr_balance_learning_advance(learning, &row, error);
        if (!status)
            print_row(o, &row);
        if (!status && o->checkpoint)
            status = tr_balance_checkpoint_save(learning, o->checkpoint, error);
    }
    return status ? status : tr_balance_learning_finish(learning, error);
}

static tr_status learn(const options *o, const tr_model *model, tr_error *error) {
    tr_balance_learning *learning = NULL;
    tr_subject from = {0};
    int64_t started_ns = tr_now_ns();
    tr_status status = begin(o, model, &from, &learning, error);
    if (!status)
        status = advance(o, learning, error);
    const tr_balance_result result = {.name = o->as,
                                      .command = o->command.text,
                                      .model_path = o->model,
                                      .model = model,
                                      .settings = &o->settings,
                                      .learning = learning,
                                      .from = o->from && !status ? from.controller : NULL,
                                      .threads = o->threads,
                                      .started_ns = started_ns};
    if (!status)
        status = tr_balance_store(o->catalogue, &result, error);
    tr_subject_deinit(&from);
    tr_balance_learning_destroy(learning);
    return status;
}

static tr_status train(const options *o, tr_error *error) {
    tr_model *model = NULL;
    tr_status status = tr_mjcf_load(o->model, &model, error);
    if (!status)
        status = learn(o, model, error);
    tr_model_destroy(model);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    if (o->list)
        return print_settings(error);
    tr_status status = tr_command_line_check(&o->command, error);
    return status ? status : train(o, error);
}

const tr_tool_command tr_tool_balance_learn = {
    .name = "learn",
    .arguments = "--catalogue F --as NEW [--task FILE] [--set NAME=VALUE ...] [options]",
    .summary = "learn to stay on a board, a ball or a skateboard",
    .help =
        "Makes the object and a stance on it, identifies how turning the joints moves both,\n"
        "computes a linear-quadratic regulator, and searches from there. The command prints a row\n"
        "for every test, and finally stores the best policy in the catalogue as NEW, with the\n"
        "record of the training. The same settings give the same bits for any number of threads.\n"
        "\n"
        "  --catalogue F      made if missing\n"
        "  --as NEW           name of the controller; replaced if it exists\n"
        "  --from CONTROLLER  of the catalogue: the search begins at its gains, without\n"
        "                     identification; of the same stance, hold and model\n"
        "  --stance CONTROLLER  with object = ground: hold the pose in which this one is spawned\n"
        "  --task FILE        lines 'name = value'; files of shipped tasks lie in\n"
        "                     controllers/recipes/balance\n"
        "  --set NAME=VALUE   one setting, after --task\n"
        "  --list             the settings with their defaults and meanings\n"
        "  --checkpoint FILE  written after every test of the search\n"
        "  --resume           continue from the checkpoint if it exists\n"
        "  --model M          character model, MJCF (the shipped humanoid.xml)\n"
        "  --minutes M        processor time after which it ends with the best so far\n"
        "  --threads N        all cores; does not change the result\n"
        "\n"
        "  troupe-train balance learn --catalogue mine.troupe --as bongo \\\n"
        "    --task controllers/recipes/balance/bongo.task\n",
    .shares = true,
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
