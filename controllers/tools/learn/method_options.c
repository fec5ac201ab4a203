#include "tools/learn/method_options.h"

#include "learn/method/task_file.h"
#include "motion/retarget/import_options.h"
#include "motion/scan/scan.h"

#include "tools/clips/import_arguments.h"
#include "tools/frame/tool.h"

#include <assert.h>
#include <string.h>

static const char CATALOGUE[] = "trained.troupe"; /* of a clip */

/* --- settings --- */

/* Where a change is remembered: that of the same setting, if no task file came after it. */
static int place_of(const tr_method_options *o, const char *name) {
    for (int i = o->change_count - 1; i >= 0 && name && o->change[i].name; i--)
        if (strcmp(o->change[i].name, name) == 0)
            return i;
    return o->change_count;
}

/* Remembers a change and makes it, so that a mistake is named where it stands. */
static tr_status change(tr_method_options *o, const char *name, const char *value,
                        tr_error *error) {
    const int at = place_of(o, name);
    if (at == TR_METHOD_CHANGE_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "--set: more than %d of them",
                       TR_METHOD_CHANGE_MAX);
    o->change_count += at == o->change_count;
    snprintf(o->change[at].own, sizeof o->change[at].own, "%s", name ? name : "");
    o->change[at].name = name ? o->change[at].own : NULL;
    o->change[at].value = value;
    return name ? tr_parameter_set(o->method->settings, o->settings, name, value, error)
                : tr_task_file_read(o->method->settings, o->settings, value, error);
}

tr_status tr_method_options_change(const tr_method_options *o, void *settings, tr_error *error) {
    const tr_parameter_table *table = o->method->settings;
    tr_status status = TR_OK;
    for (int i = 0; !status && i < o->change_count; i++)
        status = o->change[i].name ? tr_parameter_set(table, settings, o->change[i].name,
                                                      o->change[i].value, error)
                                   : tr_task_file_read(table, settings, o->change[i].value, error);
    return status;
}

static tr_status take_task(void *options, const tr_option_value *value, tr_error *error) {
    return change(options, NULL, value->text, error);
}

static tr_status take_pair(void *options, const tr_option_value *value, tr_error *error) {
    char name[TR_NAME_MAX];
    const char *equals = strchr(value->text, '=');
    if (!equals || equals == value->text || equals - value->text >= TR_NAME_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--%s %s: expected NAME=VALUE", value->option,
                       value->text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - value->text), value->text);
    return change(options, name, equals + 1, error);
}

/* The setting of a word of the row's options, "push=push_n" or "seed". */
static void setting_of(const char *word, char out[static TR_NAME_MAX]) {
    const size_t length = strcspn(word, " "), option = strcspn(word, "= ");
    const size_t from = option < length ? option + 1 : 0;
    snprintf(out, TR_NAME_MAX, "%.*s", (int)(length - from), word + from);
}

static tr_status take_option(void *options, const tr_option_value *value, tr_error *error) {
    char setting[TR_NAME_MAX];
    setting_of(value->of, setting);
    return change(options, setting, value->text, error);
}

/* --- inputs --- */

/* A number is a frame of the clip; anything else is a controller of the catalogue. */
static bool take_frame(tr_method_options *o, const tr_option_value *value) {
    int64_t frame;
    if (!o->method->plans || strcmp(value->option, "from") != 0 ||
        !tr_option_integer(value->text, &frame) || frame > TR_CLIP_FRAME_MAX)
        return false;
    o->lesson.import.first = (int)frame;
    return true;
}

static tr_status take_input(void *options, const tr_option_value *value, tr_error *error) {
    tr_method_options *o = options;
    const tr_method_input *input = o->method->input;
    int at = 0;
    if (take_frame(o, value))
        return TR_OK;
    while (!input[at].option || strcmp(input[at].option, value->option) != 0)
        at++;
    o->input[at] = value->text;
    return input[at].implies.setting
               ? change(o, input[at].implies.setting, input[at].implies.value, error)
               : TR_OK;
}

static tr_status take_effort(void *options, const tr_option_value *value, tr_error *error) {
    tr_method_options *o = options;
    tr_plan_effort effort;
    o->lesson.effort = value->text;
    return tr_plan_effort_find(value->text, &effort)
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "--effort '%s': expected quick, normal or thorough", value->text);
}

/* The bodies of people, by what limits their torques. */
static const struct {
    const char *name, *model;
} bodies[] = {{"athlete", TR_MODEL_DIR "/athlete.xml"},
              {"human", TR_MODEL_DIR "/humanoid_limited.xml"},
              {"unlimited", TR_MODEL_DIR "/humanoid.xml"}};

static tr_status take_body(void *options, const tr_option_value *value, tr_error *error) {
    tr_method_options *o = options;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (strcmp(bodies[i].name, value->text) == 0) {
            o->model = bodies[i].model;
            return TR_OK;
        }
    return tr_fail(error, TR_INVALID_ARGUMENT, "--body '%s': expected athlete, human or unlimited",
                   value->text);
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

const char *tr_method_options_motion(const tr_method_options *o) {
    const char *motion = NULL;
    for (int i = 0; i < o->method->input_count; i++)
        if (o->method->input[i].kind == TR_INPUT_MOTION)
            motion = o->input[i];
    return motion;
}

bool tr_method_options_plan(const tr_method_options *o) {
    const char *motion = tr_method_options_motion(o);
    return o->method->plans && motion && !tr_lesson_is_motion(motion);
}

static bool is_whole(const tr_method_options *o) {
    bool whole = !o->resume || o->checkpoint;
    whole &= o->method->write ? o->out != NULL
                              : o->catalogue && o->name && strlen(o->name) < TR_NAME_MAX;
    for (int i = 0; i < o->method->input_count; i++)
        whole &= !o->method->input[i].needed || o->input[i];
    return whole;
}

static const char *named(const tr_method *method) {
    return method->named ? method->named : "--name NAME";
}

static bool complain(const tr_method *method) {
    fprintf(stderr, "troupe-train %s: expected", method->command);
    for (int i = 0; i < method->input_count; i++) {
        const tr_method_input *input = &method->input[i];
        if (input->needed)
            fprintf(stderr, " %s%s,", is_argument(input) ? input->word : "--",
                    is_argument(input) ? "" : input->option);
    }
    if (method->write)
        fputs(" and --out", stderr);
    else
        fprintf(stderr, "%s --catalogue, and %s of at most %d bytes",
                method->plans ? " of a motion also" : "", named(method), TR_NAME_MAX - 1);
    fputs("; --resume with --checkpoint\n", stderr);
    return false;
}

/* --- of a clip --- */

/* The name of a file without folder and extension. */
static void take_base_name(const char *path, char out[static TR_NAME_MAX]) {
    const char *slash = strrchr(path, '/');
    tr_text_copy(out, TR_NAME_MAX, slash ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot && dot != out)
        *dot = '\0';
}

/* Sets defaults: the clip's name, a catalogue in this folder, a checkpoint beside it. */
static bool fill_in(tr_method_options *o) {
    if (!o->name) {
        take_base_name(tr_method_options_motion(o), o->default_name);
        o->name = o->default_name;
    }
    if (!o->catalogue)
        o->catalogue = CATALOGUE;
    int length = snprintf(o->default_checkpoint, sizeof o->default_checkpoint, "%s.%s.checkpoint",
                          o->catalogue, o->name);
    if (length < 0 || (size_t)length >= sizeof o->default_checkpoint) {
        fprintf(stderr, "troupe-train %s: --catalogue: the path is too long\n", o->method->command);
        return false;
    }
    if (!o->checkpoint)
        o->checkpoint = o->default_checkpoint;
    return true;
}

bool tr_method_options_take_part(tr_method_options *o, const tr_plan_part *part) {
    char name[TR_NAME_MAX];
    const bool is_given = o->name != o->default_name && !o->lesson.all_parts;
    snprintf(name, sizeof name, "%.*s-%s", TR_NAME_MAX - 1 - TR_PLAN_PART_NAME_MAX, o->name,
             part->name);
    o->lesson.import.first = part->first;
    o->lesson.import.last = part->last;
    if (is_given)
        return true;
    memcpy(o->default_name, name, sizeof name);
    o->name = o->default_name;
    o->checkpoint = NULL;
    return fill_in(o);
}

/* What a plan chooses is refused with a clip, and what 'import' has done with its motion. */
static bool check_import(const tr_method_options *o, bool plans) {
    const tr_import_option *given = tr_import_first_given(&o->lesson.import, plans);
    const char *of_clips = o->lesson.plans_only  ? "plan"
                           : o->lesson.part      ? "part"
                           : o->lesson.all_parts ? "all"
                           : o->lesson.effort    ? "effort"
                                                 : NULL;
    if (!plans && of_clips)
        fprintf(stderr,
                "troupe-train %s: --%s: plans are made of clips, not of motions that 'import' "
                "wrote\n",
                o->method->command, of_clips);
    else if (given)
        fprintf(stderr,
                plans ? "troupe-train %s: --%s: the plan chooses how to close a clip; to choose "
                        "yourself, use 'import' with this option, then 'learn' with the motion\n"
                      : "troupe-train %s: --%s: expected with a clip; a motion is imported "
                        "already\n",
                o->method->command, given->name);
    return !given && (plans || !of_clips);
}

/* --- the command line --- */

/* Arguments by place imply settings as options do. */
static bool imply(tr_method_options *o) {
    tr_error error = {0};
    tr_status status = TR_OK;
    for (int i = 0; !status && i < o->method->input_count; i++) {
        const tr_method_input *input = &o->method->input[i];
        if (is_argument(input) && input->implies.setting && o->input[i])
            status = change(o, input->implies.setting, o->input[i], &error);
    }
    return !tr_tool_end(o->method->command, status, &error);
}

static bool finish(tr_method_options *o) {
    for (int i = 0; i < o->method->input_count && o->motions.count > 0; i++)
        if (o->method->input[i].kind == TR_INPUT_MOTIONS)
            o->input[i] = o->motions.word[0];
    const bool plans = tr_method_options_plan(o);
    if (!o->model)
        o->model = plans ? bodies[0].model : TR_MODEL_DIR "/humanoid.xml";
    if (o->method->plans && tr_method_options_motion(o) && !check_import(o, plans))
        return false;
    if (plans && !fill_in(o))
        return false;
    if (o->method->write && o->out) {
        take_base_name(o->out, o->default_name);
        o->name = o->default_name;
    }
    return imply(o) && (is_whole(o) || complain(o->method));
}

#define AT(field) offsetof(tr_method_options, field)

static const tr_argument stored = {"--catalogue F", TR_OPTION_TEXT, AT(catalogue),
                                   "where the result is stored; made if missing"};
static const tr_argument common[] = {
    {"--task FILE", TR_OPTION_CALL, 0, "settings, lines 'name = value' (controllers/recipes)",
     .take = take_task},
    {"--set NAME=VALUE", TR_OPTION_CALL, 0, "one setting, after --task", .take = take_pair},
    {"--list", TR_OPTION_FLAG, AT(list), "print the settings with their defaults and meanings"},
    {"--checkpoint FILE", TR_OPTION_TEXT, AT(checkpoint), "written after every row"},
    {"--resume", TR_OPTION_FLAG, AT(resume), "continue from the checkpoint if it exists"},
    {"--minutes M", TR_OPTION_NUMBER, AT(minutes),
     "processor time for it; it ends with the best so far, after the last row that fits", 0, 1e6},
    TR_TOOL_THREADS(tr_method_options, threads),
    {0}};
static const tr_argument of_model[] = {
    {"--model M", TR_OPTION_TEXT, AT(model), "character model, MJCF (the shipped humanoid.xml)"},
    {0}};
static const tr_argument of_body[] = {
    {"--body B", TR_OPTION_CALL, 0,
     "whose torques are limited as those of an athlete or of a human (a fit person), or are not: "
     "unlimited (athlete; for a motion that 'import' wrote: unlimited)",
     .take = take_body},
    {"--model M", TR_OPTION_TEXT, AT(model), "instead: a character model, MJCF"},
    {0}};
static const tr_argument of_clips[] = {
    {"--effort E", TR_OPTION_CALL, 0,
     "of a clip: quick, normal or thorough: pushes to survive, and time (normal)",
     .take = take_effort},
    {"--plan", TR_OPTION_FLAG, AT(lesson.plans_only),
     "of a clip: print the plan, learn nothing, and write no file"},
    {"--part N", TR_OPTION_COUNT, AT(lesson.part),
     "of a long clip: learn this of its parts, as NAME-PART; a clip that is too long shows them", 1,
     TR_PLAN_PART_MAX},
    {"--all", TR_OPTION_FLAG, AT(lesson.all_parts), "of a long clip: learn all of its parts"},
    {"--clip FILE", TR_OPTION_TEXT, AT(lesson.clip),
     "the source clip of a motion, to store its digest"},
    {0}};

static void add_all(tr_argument_list *list, const tr_argument *rows) {
    for (; rows->usage; rows++)
        tr_argument_list_add(list, rows, NULL, NULL);
}

static void add_input(tr_argument_list *list, const tr_method *method, int i) {
    const tr_method_input *input = &method->input[i];
    char usage[TR_ARGUMENT_USAGE_MAX];
    const bool several = input->kind == TR_INPUT_MOTIONS;
    snprintf(usage, sizeof usage, several ? "[%s ...]" : "[%s]", input->word);
    const tr_argument place = {.usage = usage,
                               .kind = TR_OPTION_TEXT,
                               .offset = (unsigned)(several ? AT(motions) : AT(input[i])),
                               .help = input->meaning,
                               .low = several,
                               .high = several ? TR_METHOD_MOTION_MAX : 0};
    const tr_argument option = {.kind = TR_OPTION_CALL, .help = input->meaning, .take = take_input};
    tr_argument_list_add(list, is_argument(input) ? &place : &option, input->option, input->word);
}

/* The settings that are options. A flag takes no value. */
static void add_settings(tr_argument_list *list, const tr_method *method) {
    const char *word = method->options;
    for (; word && *word; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        char option[TR_NAME_MAX], setting[TR_NAME_MAX];
        tr_parameter row = {0};
        setting_of(word, setting);
        snprintf(option, sizeof option, "%.*s", (int)strcspn(word, "= "), word);
        const bool known = tr_parameter_find(method->settings, setting, &row);
        assert(known);
        (void)known;
        const bool flag = row.kind == TR_FLAG;
        const tr_argument of_setting = {.kind = flag ? TR_OPTION_FLAG : TR_OPTION_CALL,
                                        .offset = (unsigned)(flag ? AT(settings) + row.offset : 0),
                                        .help = row.meaning,
                                        .take = flag ? NULL : take_option,
                                        .of = word};
        tr_argument_list_add(list, &of_setting, option, flag ? "" : "VALUE");
        word += length;
    }
}

static void list_rows(const tr_method *method, tr_argument_list *out) {
    for (int i = 0; i < method->input_count; i++)
        if (method->input[i].word)
            add_input(out, method, i);
    const tr_argument written = {"--out FILE", TR_OPTION_TEXT, AT(out), method->file};
    const tr_argument name = {named(method), TR_OPTION_TEXT, AT(name),
                              "of the controller and of its record"};
    tr_argument_list_add(out, method->write ? &written : &stored, NULL, NULL);
    if (!method->write)
        tr_argument_list_add(out, &name, NULL, NULL);
    add_all(out, common);
    if (!tr_method_takes_model(method))
        add_all(out, method->plans ? of_body : of_model);
    add_settings(out, method);
    if (method->plans) {
        add_all(out, of_clips);
        tr_import_arguments_list(out, AT(lesson.import), false);
    }
}

bool tr_method_options_read(const tr_method *method, int argc, char **argv,
                            tr_method_options *out) {
    tr_method_options *o = out;
    tr_argument_list list = {0};
    tr_error error = {0};
    o->method = method;
    o->lesson.import = tr_import_default();
    tr_method_reset(method, o->settings);
    tr_command_line_read(&o->command, argc, argv);
    list_rows(method, &list);
    tr_status status = tr_argument_take(list.row, argc - 1, argv + 1, o, &error);
    if (tr_tool_end(method->command, status, &error))
        return false;
    return o->list || finish(o);
}

/* --- help --- */

void tr_method_print_usage(const tr_method *method, FILE *out) {
    fprintf(out, "usage: troupe-train %s", method->command);
    for (int i = 0; i < method->input_count; i++) {
        const tr_method_input *input = &method->input[i];
        if (input->needed && !is_argument(input))
            fprintf(out, " --%s", input->option);
        if (input->needed)
            fprintf(out, " %s%s", input->word, input->kind == TR_INPUT_MOTIONS ? " ..." : "");
    }
    if (method->write || method->plans)
        fputs(method->write ? " --out FILE" : " [--catalogue F] [--name NAME]", out);
    else
        fprintf(out, " --catalogue F %s", named(method));
    fputs(" [--task FILE] [--set NAME=VALUE ...] [options]\n", out);
}

void tr_method_print_help(const tr_method *method, FILE *out) {
    tr_argument_list list = {0};
    list_rows(method, &list);
    tr_method_print_usage(method, out);
    fprintf(out, "\n%s\n\n%s\n", method->summary, method->help);
    tr_argument_print_help(list.row, out);
    if (method->plans)
        fputs("\nOf a clip, the name is the clip's, the catalogue is trained.troupe, and the "
              "checkpoint\nlies beside it, unless they are given. The options of 'import' say how "
              "to read it; the\nplan chooses how to close it.\n",
              out);
    fprintf(out, "\n  troupe-train %s %s\n", method->command, method->example);
}
