#include "tools/learn/method_options.h"

#include "learn/method/task_file.h"
#include "learn/rehearsal/pool.h"

#include <string.h>

enum { OPTIONS_MAX = 16 };

/* Options count in their order: --set after --task. */
static tr_status take_task(void *settings, const tr_option_value *value, tr_error *error) {
    const tr_option_settings *s = settings;
    return tr_task_file_read(s->table, s->values, value->text, error);
}

static bool is_argument(const tr_method_input *input) {
    return !input->option;
}

bool tr_method_takes_model(const tr_method *method) {
    bool takes = false;
    for (int i = 0; i < method->input_count; i++)
        takes |= method->input[i].gives_model;
    return takes;
}

/* Its other words must be the argument of the method, if it has one. */
static bool take_argument(const tr_method *method, int argc, char **argv, int first,
                          tr_method_options *o) {
    for (int i = 0; i < method->input_count; i++)
        if (is_argument(&method->input[i]) && first < argc)
            o->input[i] = argv[first++];
    return first == argc;
}

static bool is_whole(const tr_method_options *o) {
    bool whole =
        o->catalogue && o->name && strlen(o->name) < TR_NAME_MAX && (!o->resume || o->checkpoint);
    for (int i = 0; i < o->method->input_count; i++)
        whole &= !o->method->input[i].needed || o->input[i];
    return whole;
}

static bool complain(const tr_method *method) {
    fprintf(stderr, "troupe-train %s: expected", method->command);
    for (int i = 0; i < method->input_count; i++) {
        const tr_method_input *input = &method->input[i];
        if (input->needed)
            fprintf(stderr, " %s%s,", is_argument(input) ? input->word : "--",
                    is_argument(input) ? "" : input->option);
    }
    fprintf(stderr, " --catalogue, and --name of at most %d bytes; --resume with --checkpoint\n",
            TR_NAME_MAX - 1);
    return false;
}

bool tr_method_options_read(const tr_method *method, int argc, char **argv,
                            tr_method_options *out) {
    tr_method_options *o = out;
    tr_option_settings settings = {method->settings, o->settings};
    tr_option_call task = {take_task, &settings}, pair = {tr_option_take_setting, &settings};
    tr_option table[OPTIONS_MAX] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
        {"name", TR_OPTION_TEXT, &o->name, 0, 0},
        {"task", TR_OPTION_CALL, &task, 0, 0},
        {"set", TR_OPTION_CALL, &pair, 0, 0},
        {"list", TR_OPTION_FLAG, &o->list, 0, 0},
        {"checkpoint", TR_OPTION_TEXT, &o->checkpoint, 0, 0},
        {"resume", TR_OPTION_FLAG, &o->resume, 0, 0},
        {"minutes", TR_OPTION_NUMBER, &o->minutes, 0, 1e6},
        {"curve", TR_OPTION_TEXT, &o->curve, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->threads, 1, TR_POOL_THREAD_MAX},
    };
    size_t count = 10;
    o->method = method;
    o->model = TR_MODEL_DIR "/humanoid.xml";
    o->threads = tr_option_default_threads();
    tr_parameter_reset(method->settings, o->settings);
    tr_command_line_read(&o->command, argc, argv);
    if (!tr_method_takes_model(method))
        table[count++] = (tr_option){"model", TR_OPTION_TEXT, &o->model, 0, 0};
    for (int i = 0; i < method->input_count; i++)
        if (!is_argument(&method->input[i]))
            table[count++] =
                (tr_option){method->input[i].option, TR_OPTION_TEXT, &o->input[i], 0, 0};
    const int first = tr_options_take(method->command, argc, argv, table, count);
    if (!first)
        return false;
    return o->list || (take_argument(method, argc, argv, first, o) && is_whole(o)) ||
           complain(method);
}

/* --- help --- */

void tr_method_print_usage(const tr_method *method, FILE *out) {
    fprintf(out, "usage: troupe-train %s", method->command);
    for (int i = 0; i < method->input_count; i++) {
        const tr_method_input *input = &method->input[i];
        if (input->needed && !is_argument(input))
            fprintf(out, " --%s", input->option);
        if (input->needed)
            fprintf(out, " %s", input->word);
    }
    fputs(" --catalogue F --name NAME [--task FILE] [--set NAME=VALUE ...] [options]\n", out);
}

static void print_option(FILE *out, const char *option, const char *word, const char *meaning) {
    char text[64];
    snprintf(text, sizeof text, "%s%s%s%s", option ? "--" : "", option ? option : "",
             option && *word ? " " : "", word);
    fprintf(out, "  %-20s %s\n", text, meaning);
}

void tr_method_print_help(const tr_method *method, FILE *out) {
    tr_method_print_usage(method, out);
    fprintf(out, "\n%s\n\n%s\n", method->summary, method->help);
    for (int i = 0; i < method->input_count; i++)
        print_option(out, method->input[i].option, method->input[i].word, method->input[i].meaning);
    print_option(out, "catalogue", "F", "where the result is stored; made if missing");
    print_option(out, "name", "NAME", "of the controller and of its record");
    if (!tr_method_takes_model(method))
        print_option(out, "model", "M", "character model, MJCF (the shipped humanoid.xml)");
    print_option(out, "task", "FILE", "settings, lines 'name = value' (controllers/recipes)");
    print_option(out, "set", "NAME=VALUE", "one setting, after --task");
    print_option(out, "list", "", "print the settings with their defaults and meanings");
    print_option(out, "checkpoint", "FILE", "written after every row");
    print_option(out, "resume", "", "continue from the checkpoint if it exists");
    print_option(out, "minutes", "M", "processor time after which it ends with the best so far");
    print_option(out, "curve", "FILE", "the rows so far, CSV");
    print_option(out, "threads", "N", "all cores; does not change the result");
    fprintf(out, "\n  troupe-train %s %s\n", method->command, method->example);
}
