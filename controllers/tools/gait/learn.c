/* troupe-train gait learn: from a walk of motion capture to a curve of gaits over the force. */
#include "learn/gait/gait_checkpoint.h"
#include "learn/rehearsal/pool.h"
#include "tools/frame/options.h"
#include "tools/frame/progress.h"
#include "tools/gait/gait_tool.h"

#include <stdio.h>
#include <string.h>

enum { LINE_MAX_SIZE = 256 };

typedef struct options {
    tr_gait_work_def work;
    const char *checkpoint, *from, *phase;
    bool resume, list;
} options;

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    *o = (options){.work = {.model = TR_MODEL_DIR "/humanoid.xml",
                            .settings = tr_gait_settings_default(),
                            .threads = tr_option_default_threads()}};
    tr_option_settings settings = {&tr_gait_settings_table, &o->work.settings};
    tr_option_call setting = {tr_option_take_setting, &settings};
    const tr_option table[] = {
        {"model", TR_OPTION_TEXT, &o->work.model, 0, 0},
        {"set", TR_OPTION_CALL, &setting, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->work.threads, 1, TR_POOL_THREAD_MAX},
        {"checkpoint", TR_OPTION_TEXT, &o->checkpoint, 0, 0},
        {"resume", TR_OPTION_FLAG, &o->resume, 0, 0},
        {"from", TR_OPTION_TEXT, &o->from, 0, 0},
        {"phase", TR_OPTION_TEXT, &o->phase, 0, 0},
        {"list", TR_OPTION_FLAG, &o->list, 0, 0},
    };
    int first = tr_options_take("gait learn", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    if (o->list)
        return true;
    if (first + 1 != argc || !o->checkpoint || (o->from != NULL) != (o->phase != NULL)) {
        fputs("troupe-train gait learn: expected MOTION and --checkpoint; --from and --phase "
              "together\n",
              stderr);
        return false;
    }
    o->work.motion = argv[first];
    return true;
}

static tr_status print_settings(tr_error *error) {
    const tr_gait_settings defaults = tr_gait_settings_default();
    return tr_option_list_settings(&tr_gait_settings_table, &defaults, error);
}

/* --- the training --- */

static tr_status begin(const options *o, tr_gait_work *work, tr_error *error) {
    tr_status status = TR_OK;
    if (o->from)
        status = tr_gait_checkpoint_load(work->training, o->from, TR_GAIT_TRANSFER, error);
    if (!status && o->phase)
        status = tr_gait_training_restart_at(work->training, o->phase, error);
    if (status || !o->resume)
        return status;
    status = tr_gait_checkpoint_load(work->training, o->checkpoint, TR_GAIT_RESUME, error);
    if (status != TR_NOT_FOUND)
        return status;
    error->message[0] = '\0';
    return TR_OK;
}

static tr_status learn(const options *o, tr_error *error) {
    tr_gait_work work = {0};
    tr_status status = tr_gait_work_open(&o->work, &work, error);
    if (!status)
        status = begin(o, &work, error);
    while (!status && !tr_gait_training_is_done(work.training)) {
        char line[LINE_MAX_SIZE];
        status = tr_gait_training_advance(work.training, line, sizeof line, error);
        if (status || !line[0])
            continue;
        printf("%s  | %.1f core s\n", line, tr_processor_seconds());
        fflush(stdout);
        status = tr_gait_checkpoint_save(work.training, o->checkpoint, error);
    }
    if (!status)
        printf("%d anchors, %d samples, %d speeds\n",
               tr_gait_training_anchors(work.training)->count,
               tr_gait_training_samples(work.training)->count,
               tr_gait_training_speeds(work.training)->count);
    tr_gait_work_deinit(&work);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    return o->list ? print_settings(error) : learn(o, error);
}

const tr_tool_command tr_tool_gait_learn = {
    .name = "learn",
    .arguments = "MOTION --checkpoint FILE [--resume] [--set NAME=VALUE ...] [options]",
    .summary = "train a curve of gaits over the force",
    .help =
        "MOTION is a symmetric walk that 'troupe-train import' wrote: the gait learns its\n"
        "style. A base walk is searched from the published SIMBICON gait; a continuation lets the\n"
        "force from the front and from behind grow; hardening moves the whole curve under\n"
        "forces that vary. The same settings give the same bits for any number of threads.\n"
        "\n"
        "  --checkpoint FILE  written whenever a line is printed\n"
        "  --resume           continue from the checkpoint if it exists\n"
        "  --model M          character model, MJCF (the shipped humanoid.xml)\n"
        "  --set NAME=VALUE   a setting\n"
        "  --list             the settings with their defaults and meanings\n"
        "  --from FILE --phase P   begin with what another training found, also on another\n"
        "                     model, at phase base, front, back, slower, faster, harden,\n"
        "                     onset or late\n"
        "  --threads N        all cores; does not change the result\n"
        "\n"
        "  troupe-train gait learn walk.json --checkpoint walk.gait --set front_n=130\n",
    .shares = true,
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
