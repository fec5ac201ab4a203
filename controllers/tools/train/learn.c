/* troupe-train learn: from an imported motion to a controller in the catalogue. */
#include "learn/train/checkpoint.h"
#include "learn/train/learner.h"
#include "model/mjcf.h"
#include "motion/motion.h"
#include "physics/world.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/options.h"
#include "tools/frame/progress.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"
#include "tools/train/run_record.h"
#include "tools/train/training.h"
#include "tools/train/training_store.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char *motion, *model, *catalogue, *name, *clip, *checkpoint, *from, *starts, *control;
    bool resume, list;
    int threads;
    tr_learn_parameters parameters;
} options;

/* --- the command line --- */

static bool set_parameter(options *o, const char *name, const char *value) {
    tr_error error = {0};
    if (tr_learn_parameters_set(&o->parameters, name, value, &error) == TR_OK)
        return true;
    fprintf(stderr, "troupe-train learn: %s\n", error.message);
    return false;
}

static bool take_parameter(void *context, const tr_option_value *value) {
    bool push = strcmp(value->option, "push") == 0;
    return set_parameter(context, push ? "push_n" : value->option, value->text);
}

static bool take_pair(void *context, const tr_option_value *value) {
    char name[TR_NAME_MAX];
    const char *text = NULL;
    return tr_option_pair(value, name, &text) && set_parameter(context, name, text);
}

/* What is gone on from has its open loop. */
static bool take_origin(void *context, const tr_option_value *value) {
    options *o = context;
    *(strcmp(value->option, "from") == 0 ? &o->from : &o->control) = value->text;
    o->parameters.refine_rounds = 0;
    return true;
}

static bool parse(int argc, char **argv, options *o) {
    *o = (options){.parameters = tr_learn_parameters_default()};
    o->threads = tr_option_default_threads();
    tr_option_call parameter = {take_parameter, o}, pair = {take_pair, o},
                   origin = {take_origin, o};
    const tr_option table[] = {
        {"model", TR_OPTION_TEXT, &o->model, 0, 0},
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
        {"name", TR_OPTION_TEXT, &o->name, 0, 0},
        {"clip", TR_OPTION_TEXT, &o->clip, 0, 0},
        {"gains", TR_OPTION_CALL, &parameter, 0, 0},
        {"push", TR_OPTION_CALL, &parameter, 0, 0},
        {"seed", TR_OPTION_CALL, &parameter, 0, 0},
        {"set", TR_OPTION_CALL, &pair, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->threads, 1, TR_POOL_THREAD_MAX},
        {"checkpoint", TR_OPTION_TEXT, &o->checkpoint, 0, 0},
        {"resume", TR_OPTION_FLAG, &o->resume, 0, 0},
        {"from", TR_OPTION_CALL, &origin, 0, 0},
        {"control", TR_OPTION_CALL, &origin, 0, 0},
        {"starts", TR_OPTION_TEXT, &o->starts, 0, 0},
        {"list", TR_OPTION_FLAG, &o->list, 0, 0},
    };
    if (!tr_options_take("learn", argc, argv, table, sizeof table / sizeof *table))
        return false;
    if (o->list)
        return true;
    if (optind + 1 != argc || !o->model || !o->name || (!o->catalogue && !o->checkpoint)) {
        fputs("troupe-train learn: expected MOTION, --model, --name, and --catalogue or "
              "--checkpoint\n",
              stderr);
        return false;
    }
    if (o->from && (!o->catalogue || o->control)) {
        fputs("troupe-train learn: --from needs --catalogue, and no --control\n", stderr);
        return false;
    }
    if (o->resume && !o->checkpoint) {
        fputs("troupe-train learn: --resume needs --checkpoint\n", stderr);
        return false;
    }
    o->motion = argv[optind];
    return true;
}

/* --- what the record says of the circumstances --- */

static double core_seconds(void *context) {
    (void)context;
    return tr_processor_seconds();
}

static tr_status describe_circumstances(int argc, char **argv, tr_training_record *record,
                                        tr_error *error) {
    if (record->started_ns == 0)
        record->started_ns = tr_now_ns();
    tr_describe_host(record->host, sizeof record->host);
    snprintf(record->code_version, sizeof record->code_version, "%s", TR_CODE_VERSION);
    return tr_describe_command(argc, argv, record->command, sizeof record->command, error);
}

/* --- progress --- */

static void print_value(const char *label, double value, const char *unit) {
    if (isfinite(value))
        printf("  %s %.4g%s", label, value, unit);
}

static void print_row(const tr_training_row *row) {
    static const char *const phases[] = {"refine", "guide ", "harden"};
    printf("%s %2d", phases[row->phase], row->iteration);
    print_value("core-s", row->core_seconds, "");
    print_value("cost", row->cost, "");
    print_value("sigma", row->sigma_deg, " deg");
    print_value("R2", row->r2, "");
    printf("  rollbacks %d", row->rollbacks);
    if (row->phase != TR_TRAINING_REFINE)
        print_value("train", row->push_train_n, " N");
    print_value("undisturbed", row->undisturbed_s, " s");
    print_value("push95", row->push95_n, " N");
    print_value("resists", row->resist_s, " s");
    printf("%s", row->kept ? "  kept" : "");
}

/* --- learning --- */

static tr_status learn(const options *o, tr_learner *learner, tr_error *error) {
    tr_training_record *record = tr_learner_record(learner);
    double begin = tr_wall_seconds(), share_before = tr_learner_share(learner);
    while (tr_learner_done(learner) < tr_learner_rows(learner)) {
        tr_status status = tr_learner_advance(learner, error);
        if (status != TR_OK)
            return status;
        print_row(&record->row[record->row_count - 1]);
        tr_print_share(tr_learner_share(learner), share_before, tr_wall_seconds() - begin);
        if (tr_learner_done(learner) == tr_learner_rows(learner))
            record->ended_ns = tr_now_ns();
        if (o->checkpoint && (status = tr_checkpoint_save(learner, o->checkpoint, error)) != TR_OK)
            return status;
    }
    if (record->ended_ns == 0) /* a training without rows */
        record->ended_ns = tr_now_ns();
    return TR_OK;
}

/* --- the command --- */

static tr_status read_inputs(const options *o, tr_run_inputs *inputs, tr_error *error) {
    tr_status status = TR_OK;
    if (o->control)
        status = tr_run_read_input(o->control, TR_TRAINING_CONTROL, inputs, error);
    if (status == TR_OK && o->starts)
        status = tr_run_read_input(o->starts, TR_TRAINING_STARTS, inputs, error);
    return status;
}

/* What a training is begun with, and the training. */
typedef struct lesson {
    tr_model *model;
    tr_motion *motion;
    tr_run_inputs inputs;
    tr_training training;
} lesson;

static void close_lesson(lesson *l) {
    tr_training_deinit(&l->training);
    tr_run_inputs_deinit(&l->inputs);
    tr_motion_destroy(l->motion);
    tr_model_destroy(l->model);
}

static tr_status begin(const options *o, lesson *l, tr_error *error) {
    tr_subject from = {0};
    tr_status status = o->from ? tr_subject_read(o->catalogue, o->from, &from, error) : TR_OK;
    tr_learner_def def = {.model = l->model,
                          .motion = l->motion,
                          .name = o->name,
                          .parameters = o->parameters,
                          .from = from.controller,
                          .from_model = from.model,
                          .threads = o->threads,
                          .core_seconds = core_seconds};
    if (status == TR_OK)
        status = tr_training_begin(&def, &l->inputs, &l->training, error);
    if (status == TR_OK)
        snprintf(tr_learner_record(l->training.learner)->parent, TR_NAME_MAX, "%s",
                 from.row.run_name);
    tr_subject_deinit(&from);
    if (status != TR_OK || !o->resume)
        return status;
    status = tr_checkpoint_load(l->training.learner, o->checkpoint, error);
    return status == TR_NOT_FOUND ? TR_OK : status;
}

static tr_status open_lesson(const options *o, lesson *l, tr_error *error) {
    tr_status status = tr_mjcf_load(o->model, &l->model, error);
    if (status == TR_OK)
        status = tr_motion_load(o->motion, l->model, &l->motion, error);
    if (status == TR_OK)
        status = read_inputs(o, &l->inputs, error);
    return status == TR_OK ? begin(o, l, error) : status;
}

static void print_beginning(const options *o, const tr_controller *open_loop) {
    printf("%s: %d fragments of %d steps%s, %d-D action, gains %s, %d threads\n", o->name,
           open_loop->fragment_count, open_loop->fragment[0].steps,
           open_loop->mirrored ? ", mirrored" : "", open_loop->action.size, open_loop->gain_set,
           o->threads);
    (void)fflush(stdout);
}

static tr_status store(const options *o, const lesson *l, tr_error *error) {
    const tr_controller *best = tr_learner_best(l->training.learner);
    const tr_training_result result = {.model_path = o->model,
                                       .motion_path = o->motion,
                                       .clip_path = o->clip,
                                       .model = l->model,
                                       .motion = l->motion,
                                       .record = tr_learner_record(l->training.learner),
                                       .inputs = &l->inputs,
                                       .controller = best};
    tr_status status = tr_training_store(o->catalogue, &result, error);
    if (status == TR_OK)
        printf("controller '%s' is in %s\n", best->name, o->catalogue);
    return status;
}

static tr_status run(const options *o, int argc, char **argv, tr_error *error) {
    lesson l = {0};
    tr_status status = open_lesson(o, &l, error);
    if (status == TR_OK)
        status = describe_circumstances(argc, argv, tr_learner_record(l.training.learner), error);
    if (status == TR_OK) {
        print_beginning(o, tr_learner_best(l.training.learner));
        status = learn(o, l.training.learner, error);
    }
    if (status == TR_OK && o->catalogue)
        status = store(o, &l, error);
    close_lesson(&l);
    return status;
}

static int print_parameters(void) {
    char text[8192];
    if (tr_learn_parameters_explain(text, sizeof text) != TR_OK)
        return TR_TOOL_FAILED;
    fputs(text, stdout);
    return TR_TOOL_OK;
}

static int exec(int argc, char **argv) {
    options o;
    tr_error error = {0};
    if (!parse(argc, argv, &o))
        return TR_TOOL_USAGE;
    if (o.list)
        return print_parameters();
    tr_physics_init();
    return tr_tool_end("learn", run(&o, argc, argv, &error), &error);
}

const tr_tool_command tr_tool_learn = {
    .name = "learn",
    .arguments = "MOTION --model MJCF --name NAME [--catalogue FILE] [options]",
    .summary = "learns a controller from an imported motion",
    .help =
        "MOTION is what 'troupe-train import' wrote; one that is not cyclic becomes a chain. The\n"
        "controller is learned by open-loop refinement and guided learning with pushes, and goes\n"
        "into the catalogue with its model, its clip and the record of the training.\n"
        "\n"
        "  --model MJCF        the character's model\n"
        "  --name NAME         of the controller and of the training run\n"
        "  --catalogue FILE    where the result goes; made when missing\n"
        "  --clip FILE         the source clip, to keep its digest\n"
        "  --gains SET         gain set of the model (a)\n"
        "  --push N            standard deviation of the training pushes, N (250)\n"
        "  --seed S            of everything drawn (1)\n"
        "  --threads N         all cores; does not change the result\n"
        "  --checkpoint FILE   written after every round\n"
        "  --resume            goes on from the checkpoint when it is there\n"
        "  --from CONTROLLER   learns on from a controller of the catalogue, without refinement;\n"
        "                      from one of another body with the same joints: a warm start\n"
        "  --starts MOTION     states in which a chain may have to begin, one a frame ('rise')\n"
        "  --control FILE      learns on from what 'reconstruct' found for a MOTION that is not\n"
        "                      cyclic, without refinement\n"
        "  --set NAME=VALUE    any other parameter\n"
        "  --list              the parameters with their defaults and meanings\n"
        "\n"
        "A row per round: processor seconds, mean cost, exploration, explained share of the\n"
        "variance, walks gone back, training push, seconds held undisturbed, largest push that\n"
        "95 % of the trials survive, with test_resist_trials the seconds resisted under growing\n"
        "pushes (figure 6 of the paper), and whether it is the best so far.\n"
        "\n"
        "  troupe-train learn run.motion --model humanoid.xml --name run --catalogue c.troupe\n",
    .exec = exec};
