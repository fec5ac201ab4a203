/* troupe-train learn: from a clip, or an imported motion, to a controller in the catalogue. */
#include "learn/train/checkpoint.h"
#include "motion/clips/scan.h"
#include "motion/retarget/import_options.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/lead.h"
#include "tools/frame/tool.h"
#include "tools/train/lesson.h"
#include "tools/train/practice.h"
#include "tools/train/training_store.h"
#include "tools/train/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HARDER_MAX = 4 }; /* plans that are tried when the motion is lost */

typedef struct options {
    tr_lesson_def lesson;
    tr_import_arguments import;
    const char *clip, *checkpoint, *effort;
    char default_name[TR_NAME_MAX], default_checkpoint[TR_LESSON_PATH_MAX];
    double minutes; /* 0: the plan's */
    bool resume, list, is_motion, plans_only;
    int argc;
    char **argv;
} options;

/* ---- The command line ---- */

enum { OPTION_MAX = 64 };

static bool complain(const char *text) {
    fprintf(stderr, "troupe-train learn: %s\n", text);
    return false;
}

static tr_status set_parameter(options *o, const char *name, const char *value, tr_error *error) {
    tr_lesson_def *l = &o->lesson;
    tr_status status = tr_learn_parameters_set(&l->parameters, name, value, error);
    int at = 0;
    if (status)
        return status;
    while (at < l->change_count && strcmp(l->change[at].name, name) != 0)
        at++;
    if (at == TR_LESSON_CHANGE_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "--set: more than %d of them",
                       TR_LESSON_CHANGE_MAX);
    snprintf(l->change[at].name, TR_NAME_MAX, "%s", name);
    l->change[at].value = value;
    l->change_count += at == l->change_count;
    return TR_OK;
}

static tr_status take_parameter(void *context, const tr_option_value *value, tr_error *error) {
    bool push = strcmp(value->option, "push") == 0;
    return set_parameter(context, push ? "push_n" : value->option, value->text, error);
}

static tr_status take_pair(void *context, const tr_option_value *value, tr_error *error) {
    char name[TR_NAME_MAX];
    const char *text = NULL;
    tr_status status = tr_option_pair(value, name, &text, error);
    return status ? status : set_parameter(context, name, text, error);
}

/* A number is a frame of the clip; anything else is a controller of the catalogue. */
static tr_status take_from(void *context, const tr_option_value *value, tr_error *error) {
    (void)error;
    options *o = context;
    char *end = NULL;
    long frame = strtol(value->text, &end, 10);
    if (*value->text && !*end && frame >= 0 && frame <= TR_CLIP_FRAME_MAX)
        o->import.import.first = (int)frame;
    else {
        o->lesson.from = value->text;
        o->lesson.parameters.refine_rounds = 0; /* it has its open loop */
    }
    return TR_OK;
}

static tr_status take_control(void *context, const tr_option_value *value, tr_error *error) {
    (void)error;
    options *o = context;
    o->lesson.control = value->text;
    o->lesson.parameters.refine_rounds = 0;
    return TR_OK;
}

/* Returns what tr_options_take does. */
static int parse_options(options *o, int argc, char **argv) {
    tr_option_call parameter = {take_parameter, o}, pair = {take_pair, o}, from = {take_from, o},
                   control = {take_control, o};
    tr_option table[OPTION_MAX];
    size_t count = tr_import_arguments_list(&o->import, table);
    tr_lesson_def *l = &o->lesson;
    const tr_option own[] = {
        {"model", TR_OPTION_TEXT, &l->model, 0, 0},
        {"catalogue", TR_OPTION_TEXT, &l->catalogue, 0, 0},
        {"name", TR_OPTION_TEXT, &l->name, 0, 0},
        {"effort", TR_OPTION_TEXT, &o->effort, 0, 0},
        {"minutes", TR_OPTION_NUMBER, &o->minutes, 0, 1e5},
        {"clip", TR_OPTION_TEXT, &o->clip, 0, 0},
        {"gains", TR_OPTION_CALL, &parameter, 0, 0},
        {"push", TR_OPTION_CALL, &parameter, 0, 0},
        {"seed", TR_OPTION_CALL, &parameter, 0, 0},
        {"set", TR_OPTION_CALL, &pair, 0, 0},
        {"threads", TR_OPTION_COUNT, &l->threads, 1, TR_POOL_THREAD_MAX},
        {"checkpoint", TR_OPTION_TEXT, &o->checkpoint, 0, 0},
        {"resume", TR_OPTION_FLAG, &o->resume, 0, 0},
        {"control", TR_OPTION_CALL, &control, 0, 0},
        {"starts", TR_OPTION_TEXT, &l->starts, 0, 0},
        {"plan", TR_OPTION_FLAG, &o->plans_only, 0, 0},
        {"list", TR_OPTION_FLAG, &o->list, 0, 0},
    };
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, "from") == 0)
            table[i] = (tr_option){"from", TR_OPTION_CALL, &from, 0, 0};
    memcpy(table + count, own, sizeof own);
    return tr_options_take("learn", argc, argv, table, count + sizeof own / sizeof *own);
}

/* The name of a file without folder and extension. */
static void take_base_name(const char *path, char out[static TR_NAME_MAX]) {
    const char *slash = strrchr(path, '/');
    tr_text_copy(out, TR_NAME_MAX, slash ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot && dot != out)
        *dot = '\0';
}

/* Sets defaults: the clip's name, a catalogue in this folder, a checkpoint beside it. */
static bool fill_in(options *o) {
    tr_lesson_def *l = &o->lesson;
    if (!l->name) {
        take_base_name(l->source, o->default_name);
        l->name = o->default_name;
    }
    if (!l->catalogue)
        l->catalogue = "trained.troupe";
    int length = snprintf(o->default_checkpoint, sizeof o->default_checkpoint, "%s.%s.checkpoint",
                          l->catalogue, l->name);
    if (length < 0 || (size_t)length >= sizeof o->default_checkpoint)
        return complain("--catalogue: the path is too long");
    if (!o->checkpoint)
        o->checkpoint = o->default_checkpoint;
    return true;
}

/* What a plan chooses is refused with a clip, and what 'import' has done with its motion. */
static bool check_import(const options *o) {
    const tr_import_option *given = tr_import_first_given(&o->lesson.import, !o->is_motion);
    if (!given)
        return true;
    fprintf(stderr,
            o->is_motion
                ? "troupe-train learn: --%s: expected with a clip; a motion is imported already\n"
                : "troupe-train learn: --%s: the plan chooses how to close a clip; to choose "
                  "yourself, use 'import' with this option, then 'learn' with the motion\n",
            given->name);
    return false;
}

static bool check(const options *o) {
    const tr_lesson_def *l = &o->lesson;
    if (!check_import(o))
        return false;
    if (o->is_motion && o->plans_only)
        return complain("--plan: plans are made of clips, not of motions that 'import' wrote");
    if (o->is_motion && (!l->name || (!l->catalogue && !o->checkpoint)))
        return complain("of a motion: expected --name, and --catalogue or --checkpoint");
    if (o->is_motion && o->effort)
        return complain("--effort: plans are made of clips, not of motions that 'import' wrote");
    if (l->from && (!l->catalogue || l->control))
        return complain("--from CONTROLLER needs --catalogue, and no --control");
    if (o->resume && !o->checkpoint)
        return complain("--resume needs --checkpoint");
    return true;
}

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    *o = (options){.import = tr_import_arguments_default(), .argc = argc, .argv = argv};
    o->lesson = (tr_lesson_def){.model = TR_MODEL_DIR "/humanoid.xml",
                                .effort = TR_EFFORT_NORMAL,
                                .parameters = tr_learn_parameters_default(),
                                .threads = tr_option_default_threads()};
    o->lesson.parameters.paired = 1;
    int first = parse_options(o, argc, argv);
    if (!first)
        return false;
    if (o->list)
        return true;
    if (first + 1 != argc)
        return complain("expected one CLIP or MOTION");
    if (o->effort && !tr_plan_effort_find(o->effort, &o->lesson.effort))
        return complain("--effort: expected quick, normal or thorough");
    o->lesson.source = argv[first];
    o->lesson.import = o->import.import;
    o->is_motion = tr_lesson_is_motion(argv[first]);
    return check(o) && (o->is_motion || fill_in(o));
}

/* ---- The record ---- */

static tr_status describe_circumstances(const options *o, tr_training_record *record,
                                        tr_error *error) {
    if (record->started_ns == 0)
        record->started_ns = tr_now_ns();
    tr_describe_host(record->host, sizeof record->host);
    snprintf(record->code_version, sizeof record->code_version, "%s", TR_CODE_VERSION);
    return tr_describe_command(o->argc, o->argv, record->command, sizeof record->command, error);
}

static int rows_of(const tr_training_record *record, tr_training_phase phase) {
    int count = 0;
    for (int i = 0; i < record->row_count; i++)
        count += record->row[i].phase == phase;
    return count;
}

/* Records the number of rounds made, so that a training that ended early is reproduced up to
 * there. */
static tr_status record_rounds(const tr_learn_parameters *parameters, tr_training_record *record,
                               tr_error *error) {
    tr_learn_parameters p = *parameters;
    int guided = rows_of(record, TR_TRAINING_GUIDE);
    p.refine_rounds = rows_of(record, TR_TRAINING_REFINE);
    p.iterations = guided < p.iterations ? guided : p.iterations;
    p.harden_rounds = rows_of(record, TR_TRAINING_HARDEN);
    tr_status status = tr_learn_parameters_print(&p, record->parameters, sizeof record->parameters);
    return !status ? TR_OK : tr_fail(error, status, "the record exceeds its buffer");
}

/* ---- Learning ---- */

/* A lesson in progress. */
typedef struct course {
    const options *o;
    tr_lesson lesson;
    bool stored; /* under its name, by this training */
    bool whole;  /* it ended as its parameters say */
} course;

static tr_training_result result_of(const course *c, const tr_training_record *record) {
    const options *o = c->o;
    return (tr_training_result){.method = "chain",
                                .model_path = o->lesson.model,
                                .motion_path = c->lesson.motion_path,
                                .clip_path = o->is_motion ? o->clip : NULL,
                                .model = c->lesson.model,
                                .motion = c->lesson.motion,
                                .record = record,
                                .inputs = &c->lesson.inputs,
                                .controller = tr_learner_best(c->lesson.training.learner),
                                .replaces = c->stored};
}

static tr_status store(void *context, tr_error *error) {
    course *c = context;
    const options *o = c->o;
    tr_learner *learner = c->lesson.training.learner;
    tr_training_record *record = malloc(sizeof *record);
    if (!record)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the record");
    *record = *tr_learner_record(learner);
    if (record->ended_ns == 0)
        record->ended_ns = tr_now_ns();
    const tr_training_result result = result_of(c, record);
    tr_status status =
        c->whole ? TR_OK : record_rounds(tr_learner_parameters(learner), record, error);
    if (!status)
        status = tr_training_store(o->lesson.catalogue, &result, error);
    c->stored |= !status;
    free(record);
    return status;
}

static void print_beginning(const course *c) {
    const tr_controller *begin = tr_learner_best(c->lesson.training.learner);
    const tr_bank *bank = tr_controller_bank(begin);
    double period_s = tr_motion_duration(c->lesson.motion);
    int fragments = bank->fragment_count * (bank->mirrored ? 2 : 1);
    double stretched_s = fragments * bank->fragment[0].steps * begin->step_s;
    printf("%s: %d fragments of %d steps%s, %d-D action, gains %s, %d threads\n", begin->name,
           bank->fragment_count, bank->fragment[0].steps, bank->mirrored ? ", mirrored" : "",
           bank->action.size, bank->gain_set, c->o->lesson.threads);
    if (fabs(stretched_s / period_s - 1) > 0.001)
        printf("%.3f s become %.3f s, %.1f %% %s, for whole fragments\n", period_s, stretched_s,
               100 * fabs(stretched_s / period_s - 1),
               stretched_s > period_s ? "slower" : "faster");
    (void)fflush(stdout);
}

static tr_status check_name(const options *o, tr_error *error) {
    return o->lesson.catalogue ? tr_training_check_name(o->lesson.catalogue, o->lesson.name, error)
                               : TR_OK;
}

/* A resumed training replaces its own earlier result; without a checkpoint it starts anew and
 * replaces nothing. */
static tr_status load_checkpoint(course *c, tr_error *error) {
    if (!c->o->resume)
        return TR_OK;
    tr_status status = tr_checkpoint_load(c->lesson.training.learner, c->o->checkpoint, error);
    if (!status)
        c->stored = check_name(c->o, NULL) == TR_ALREADY_EXISTS;
    return status == TR_NOT_FOUND ? check_name(c->o, error) : status;
}

/* Checks before hours of training what would be refused after them. */
static tr_status check_result(const course *c, tr_error *error) {
    const tr_training_result result = result_of(c, tr_learner_record(c->lesson.training.learner));
    return c->o->lesson.catalogue ? tr_training_check_inputs(c->o->lesson.catalogue, &result, error)
                                  : TR_OK;
}

static tr_status open_course(course *c, int harder, tr_error *error) {
    tr_status status = tr_lesson_open(&c->o->lesson, harder, &c->lesson, error);
    if (!status)
        status = load_checkpoint(c, error);
    if (!status)
        status = check_result(c, error);
    if (!status)
        status = describe_circumstances(c->o, tr_learner_record(c->lesson.training.learner), error);
    return status;
}

static void print_end(const course *c, tr_practice_end end) {
    const options *o = c->o;
    const char *name = o->lesson.name;
    if (end == TR_PRACTICE_STOPPED)
        printf("stopped by Ctrl-C; ");
    if (end == TR_PRACTICE_TIME_UP)
        printf("the time is up; ");
    if (c->stored)
        printf("controller '%s' is in %s\n", name, o->lesson.catalogue);
    else
        printf("nothing is stored: no round is tested yet\n");
    if (end != TR_PRACTICE_DONE && o->checkpoint)
        printf("the same command with --resume%s continues\n",
               end == TR_PRACTICE_TIME_UP ? " and more --minutes" : "");
}

static double time_limit_s(const course *c) {
    if (c->o->minutes > 0)
        return 60 * c->o->minutes;
    return c->lesson.is_planned ? c->lesson.plan.core_s : 0;
}

static tr_status practise(course *c, tr_error *error) {
    const options *o = c->o;
    tr_learner *learner = c->lesson.training.learner;
    const tr_practice practice = {.learner = learner,
                                  .checkpoint = o->checkpoint,
                                  .core_s = time_limit_s(c),
                                  .on_better = o->lesson.catalogue ? store : NULL,
                                  .context = c};
    tr_practice_end end;
    print_beginning(c);
    tr_status status = tr_practice_run(&practice, &end, error);
    c->whole = !status && end == TR_PRACTICE_DONE;
    if (c->whole && o->lesson.catalogue)
        status = store(c, error);
    if (status)
        return status;
    if (c->lesson.is_planned && c->stored)
        status = tr_verdict_print(tr_learner_ensemble(learner), tr_learner_best(learner),
                                  c->lesson.motion, error);
    if (o->lesson.catalogue)
        print_end(c, end);
    if (c->whole && !o->is_motion && o->checkpoint == o->default_checkpoint)
        tr_lead_remove(o->checkpoint);
    return status;
}

static tr_status plan(const options *o, tr_error *error) {
    tr_lesson lesson = {0};
    tr_status status = tr_lesson_plan(&o->lesson, &lesson, error);
    tr_lesson_deinit(&lesson);
    return status;
}

/* A planned training that loses its motion is planned again, for more effort. */
static tr_status learn(const options *o, tr_error *error) {
    course c = {.o = o};
    tr_status status = o->resume ? TR_OK : check_name(o, error);
    for (int harder = 0; !status; harder++) {
        status = open_course(&c, harder, error);
        bool other = status == TR_FAILED_PRECONDITION && o->resume && c.lesson.is_planned;
        if (!status)
            status = practise(&c, error);
        bool again = !o->is_motion && harder < HARDER_MAX && (status == TR_ABORTED || other);
        tr_lesson_deinit(&c.lesson);
        if (!again)
            break;
        if (status == TR_ABORTED)
            printf("%s: planned again\n", error->message);
        status = TR_OK;
    }
    return status;
}

/* ---- The command ---- */

static tr_status print_parameters(tr_error *error) {
    const tr_learn_parameters defaults = tr_learn_parameters_default();
    return tr_option_list_settings(&tr_learn_parameter_table, &defaults, error);
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    if (o->list)
        return print_parameters(error);
    return o->plans_only ? plan(o, error) : learn(o, error);
}

static void explain(FILE *out) {
    fputs("\nWith a clip, the options of 'import' may be given that say how to read it; the plan\n"
          "chooses how to close it:\n",
          out);
    tr_import_arguments_explain(out, false);
    fputs("\n  troupe-train learn walk.bvh\n"
          "  troupe-train learn kick.bvh --effort quick --name side-kick --catalogue mine.troupe\n",
          out);
}

const tr_tool_command tr_tool_learn = {
    .name = "learn",
    .arguments =
        "CLIP | MOTION [--effort quick|normal|thorough] [--plan] [--name NAME] [--catalogue FILE]",
    .summary = "learn a controller from a clip",
    .help =
        "From a clip, plan everything: the frames to repeat, how to close them, and how to learn\n"
        "them; print the plan and its reasons. From a MOTION that 'import' wrote, learn with the\n"
        "given parameters; a motion that is not cyclic becomes a chain. Whenever the controller\n"
        "is better than before, it is stored in the catalogue with its model, its clip and the\n"
        "record of the training. Ctrl-C and a time limit end with the best so far.\n"
        "\n"
        "  --effort E          quick, normal or thorough: pushes to survive, and time (normal)\n"
        "  --name NAME         name of the controller and of the training run (the clip's)\n"
        "  --catalogue FILE    store the result here; made when missing (trained.troupe)\n"
        "  --model MJCF        the character's model (the shipped humanoid.xml)\n"
        "  --plan              of a clip: print the plan, learn nothing, and write no file\n"
        "  --minutes M         end after this processor time of all threads (the effort's)\n"
        "  --threads N         threads (all cores); does not change the result\n"
        "  --seed S            seed of everything drawn (1)\n"
        "  --resume            continue from the checkpoint, if the file exists; under the same "
        "name\n"
        "  --checkpoint FILE   write this after every round (beside the catalogue)\n"
        "  --from CONTROLLER   continue a controller of the catalogue, without refinement and "
        "with\n"
        "                      its reference states, so give the motion that it was learned from;\n"
        "                      one of another body with the same joints makes a warm start,\n"
        "                      one of the same body with other limits of torque keeps its "
        "references too\n"
        "  --clip FILE         the source clip of a motion, to store its digest\n"
        "  --starts MOTION     states in which a chain may begin, one a frame ('rise' writes "
        "them)\n"
        "  --control FILE      continue from the control that 'reconstruct' found for a MOTION, "
        "without\n"
        "                      refinement; its second half must not be mirrored\n"
        "  --gains SET --push N --set NAME=VALUE   parameters, which override the plan's\n"
        "  --list              print the parameters with their defaults and meanings\n"
        "\n"
        "It prints a row per round:\n"
        "  processor seconds, mean cost, exploration, explained share of the variance,\n"
        "  rollbacks of the walk, training push, seconds held undisturbed,\n"
        "  the largest push that 95 % of the trials survive,\n"
        "  with test_resist_trials the seconds resisted under growing pushes (figure 6 of the\n"
        "  paper), and whether the controller is the best so far.\n",
    .explain = explain,
    .shares = true,
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
