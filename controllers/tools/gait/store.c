/* troupe-train gait store: a trained curve of gaits into a catalogue, as a controller. */
#include "control/gait/gait_driver.h"
#include "learn/gait/gait_checkpoint.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/options.h"
#include "tools/frame/progress.h"
#include "tools/gait/gait_tool.h"
#include "tools/train/run_record.h"
#include "tools/train/training_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    tr_gait_work_def work;
    const char *checkpoint, *from, *phase, *name, *catalogue;
    int argc;
    char **argv;
} options;

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    *o = (options){.work = {.model = TR_MODEL_DIR "/humanoid.xml",
                            .settings = tr_gait_settings_default(),
                            .threads = 1},
                   .argc = argc,
                   .argv = argv};
    tr_option_settings settings = {&tr_gait_settings_table, &o->work.settings};
    tr_option_call setting = {tr_option_take_setting, &settings};
    const tr_option table[] = {
        {"model", TR_OPTION_TEXT, &o->work.model, 0, 0},
        {"set", TR_OPTION_CALL, &setting, 0, 0},
        {"checkpoint", TR_OPTION_TEXT, &o->checkpoint, 0, 0},
        {"from", TR_OPTION_TEXT, &o->from, 0, 0},
        {"phase", TR_OPTION_TEXT, &o->phase, 0, 0},
        {"name", TR_OPTION_TEXT, &o->name, 0, 0},
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
    };
    int first = tr_options_take("gait store", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    bool both = (o->from != NULL) == (o->phase != NULL);
    if (first + 1 != argc || !o->checkpoint || !o->name || !o->catalogue || !both) {
        fputs("troupe-train gait store: expected MOTION, --checkpoint, --name and --catalogue; "
              "--from and --phase together\n",
              stderr);
        return false;
    }
    o->work.motion = argv[first];
    return true;
}

static tr_status record_of(const options *o, const tr_motion *motion, tr_training_record *out,
                           tr_error *error) {
    *out = (tr_training_record){.seed = o->work.settings.seed, .threads = o->work.threads};
    out->started_ns = out->ended_ns = tr_now_ns();
    snprintf(out->name, sizeof out->name, "%s", o->name);
    snprintf(out->clip, sizeof out->clip, "%.*s", (int)sizeof out->clip - 1, motion->name);
    snprintf(out->code_version, sizeof out->code_version, "%s", TR_CODE_VERSION);
    tr_describe_host(out->host, sizeof out->host);
    tr_status status = tr_parameter_print(&tr_gait_settings_table, &o->work.settings,
                                          out->parameters, sizeof out->parameters);
    size_t used = strlen(out->parameters);
    if (!status && o->phase &&
        snprintf(out->parameters + used, sizeof out->parameters - used, TR_GAIT_PHASE " = %s\n",
                 o->phase) >= (int)(sizeof out->parameters - used))
        status = TR_OUT_OF_RANGE;
    if (status)
        return tr_fail(error, status, "the settings exceed a record");
    return tr_describe_command(o->argc, o->argv, out->command, sizeof out->command, error);
}

static tr_status put(const options *o, const tr_gait_work *work, tr_error *error) {
    tr_training_record *record = malloc(sizeof *record);
    tr_run_inputs inputs = {0};
    tr_controller *controller = NULL;
    tr_status status = record ? record_of(o, work->motion, record, error) : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = tr_gait_work_controller(work, o->name, &controller, error);
    if (!status)
        status = tr_run_read_input(o->checkpoint, TR_GAIT_FOUND, &inputs, error);
    if (!status && o->from)
        status = tr_run_read_input(o->from, TR_GAIT_START, &inputs, error);
    const tr_training_result result = {.method = "gait",
                                       .model_path = o->work.model,
                                       .motion_path = o->work.motion,
                                       .model = work->model,
                                       .motion = work->motion,
                                       .record = record,
                                       .inputs = &inputs,
                                       .controller = controller};
    if (!status)
        status = tr_training_store(o->catalogue, &result, error);
    if (!status)
        printf("%s: '%s', %d rows of forces\n", o->catalogue, o->name,
               tr_gait_of(controller)->force.count);
    tr_run_inputs_deinit(&inputs);
    tr_controller_destroy(controller);
    free(record);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    tr_gait_work work = {0};
    tr_status status = tr_training_check_name(o->catalogue, o->name, error);
    if (!status)
        status = tr_gait_work_open(&o->work, &work, error);
    if (!status)
        status = tr_gait_checkpoint_load(work.training, o->checkpoint, TR_GAIT_ADOPT, error);
    if (!status)
        status = put(o, &work, error);
    tr_gait_work_deinit(&work);
    return status;
}

const tr_tool_command tr_tool_gait_store = {
    .name = "store",
    .arguments = "MOTION --checkpoint FILE --name NAME --catalogue DB [--from FILE --phase P] "
                 "[--set NAME=VALUE ...]",
    .summary = "keep a trained gait in a catalogue, as a controller",
    .help =
        "The controller is spawned and steered like every other. The checkpoint, with anchors and\n"
        "samples, is kept with the training's record.\n"
        "\n"
        "  --checkpoint FILE  that 'gait learn' wrote\n"
        "  --from FILE --phase P   as given to 'gait learn', so that 'reproduce' can repeat it\n"
        "  --name NAME        of controller and record; the catalogue must not have it\n"
        "  --catalogue DB     made if missing\n"
        "  --set NAME=VALUE   the settings it was learned with, for the record\n"
        "  --model M          character model, MJCF (the shipped humanoid.xml)\n"
        "\n"
        "  troupe-train gait store walk.json --checkpoint walk.gait --name gait-walk \\\n"
        "    --catalogue troupe.db\n",
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
