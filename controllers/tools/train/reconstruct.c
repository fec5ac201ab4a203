/* troupe-train reconstruct: an open-loop control for an imported motion. */
#include "learn/reconstruct/reconstruct.h"
#include "learn/measure/noise.h"
#include "learn/method/whole_file.h"
#include "model/mjcf.h"
#include "motion/motion.h"
#include "tools/frame/lead.h"
#include "tools/frame/options.h"
#include "tools/frame/progress.h"
#include "tools/frame/step_list.h"
#include "tools/frame/tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct options {
    const char *motion, *model, *out, *control, *checkpoint;
    bool resume, list;
    int threads;
    tr_reconstruct_parameters parameters;
    tr_steps steps;
} options;

/* --- the command line --- */

static tr_status take_parameter(void *context, const tr_option_value *value, tr_error *error) {
    options *o = context;
    return tr_reconstruct_parameters_set(&o->parameters, value->option, value->text, error);
}

static tr_status take_pair(void *context, const tr_option_value *value, tr_error *error) {
    options *o = context;
    char name[TR_NAME_MAX];
    const char *text = NULL;
    tr_status status = tr_option_pair(value, name, &text, error);
    return status ? status : tr_reconstruct_parameters_set(&o->parameters, name, text, error);
}

static bool parse(int argc, char **argv, void *out) {
    options *o = out;
    *o = (options){.parameters = tr_reconstruct_parameters_default()};
    bool plain = false;
    tr_option_call parameter = {take_parameter, o}, pair = {take_pair, o},
                   steps = {tr_step_list_take, &o->steps};
    const tr_option table[] = {
        {"model", TR_OPTION_TEXT, &o->model, 0, 0},
        {"out", TR_OPTION_TEXT, &o->out, 0, 0},
        {"control", TR_OPTION_TEXT, &o->control, 0, 0},
        {"gains", TR_OPTION_CALL, &parameter, 0, 0},
        {"samples", TR_OPTION_CALL, &parameter, 0, 0},
        {"seed", TR_OPTION_CALL, &parameter, 0, 0},
        {"set", TR_OPTION_CALL, &pair, 0, 0},
        {"plain", TR_OPTION_FLAG, &plain, 0, 0},
        tr_option_threads(&o->threads),
        {"checkpoint", TR_OPTION_TEXT, &o->checkpoint, 0, 0},
        {"resume", TR_OPTION_FLAG, &o->resume, 0, 0},
        {"list", TR_OPTION_FLAG, &o->list, 0, 0},
        {"steps", TR_OPTION_CALL, &steps, 0, 0},
    };
    int first = tr_options_take("reconstruct", argc, argv, table, sizeof table / sizeof *table);
    if (!first)
        return false;
    tr_error error = {0};
    if (plain && tr_reconstruct_parameters_set(&o->parameters, "plain", "1", &error))
        return false;
    if (o->list)
        return true;
    if (first + 1 != argc || !o->model || !o->out) {
        fputs("troupe-train reconstruct: expected MOTION, --model and -o\n", stderr);
        return false;
    }
    if (o->resume && !o->checkpoint) {
        fputs("troupe-train reconstruct: --resume needs --checkpoint\n", stderr);
        return false;
    }
    o->motion = argv[first];
    return true;
}

/* --- progress --- */

static void print_row(const tr_reconstruction *r) {
    const tr_reconstruct_progress *p = tr_reconstruct_progress_of(r);
    bool searching = p->rounds == 0;
    printf("%s %3d  passed %d to %d of %d", searching ? "trial" : "round",
           searching ? p->trials : p->rounds, p->from, p->reached, tr_reconstruct_track(r)->count);
    if (isfinite(p->cost))
        printf("  cost %.3f", p->cost);
    if (searching && p->start > 0)
        printf("  window from %d", p->start);
    if (p->setbacks > 0)
        printf("  setbacks %d", p->setbacks);
    if (p->successes > 0)
        printf("  successes %d", p->successes);
    if (!searching) {
        char nsr[TR_NOISE_TEXT_MAX];
        tr_noise_ratio_print(p->nsr, nsr);
        printf("  NSR %s of round %d", nsr, p->kept);
    }
}

/* Performs the control found so far; prints its cost, its noise and the samples used. */
static tr_status perform(tr_reconstruction *r, const char *name, tr_motion **out, tr_error *error) {
    const tr_reconstruct_progress *p = tr_reconstruct_progress_of(r);
    tr_reconstruct_result result;
    tr_status status = tr_reconstruct_perform(r, name, &result);
    if (status)
        return tr_fail(error, status, "performance: %s", tr_status_text(status));
    char nsr[TR_NOISE_TEXT_MAX];
    tr_noise_ratio_print(result.nsr, nsr);
    printf("%s: %d trials, %d successes, %d rounds, %.0f samples, %.1f core-s, cost %.3f, NSR %s, "
           "hash %016" PRIx64 "%s\n",
           name, p->trials, p->successes, p->rounds, p->samples, tr_processor_seconds(),
           result.cost, nsr, result.hash, result.lost ? ", loses the motion" : "");
    *out = result.motion;
    return TR_OK;
}

/* The control before averaging, to compare with the one after it. */
static tr_status report_search(tr_reconstruction *r, const char *name, tr_error *error) {
    tr_motion *motion = NULL;
    tr_status status = perform(r, name, &motion, error);
    tr_motion_destroy(motion);
    return status;
}

static tr_status reconstruct(const options *o, tr_reconstruction *r, const char *name,
                             tr_error *error) {
    const tr_reconstruct_progress *p = tr_reconstruct_progress_of(r);
    double begin = tr_wall_seconds(), share_before = tr_reconstruct_share(r);
    while (p->phase != TR_RECONSTRUCT_DONE) {
        bool searching = p->phase == TR_RECONSTRUCT_SEARCH;
        tr_status status = tr_reconstruct_advance(r, error);
        if (status)
            return status;
        print_row(r);
        tr_print_share(tr_reconstruct_share(r), share_before, tr_wall_seconds() - begin);
        if (searching && p->phase == TR_RECONSTRUCT_AVERAGE)
            status = report_search(r, name, error);
        if (status)
            return status;
        if (o->checkpoint && (status = tr_reconstruct_save(r, o->checkpoint, error)))
            return status;
    }
    return TR_OK;
}

/* --- the result --- */

static tr_status write_control(const options *o, const tr_reconstruction *r, tr_error *error) {
    char *text = NULL, path[4096];
    size_t size = 0;
    int length = o->control ? snprintf(path, sizeof path, "%s", o->control)
                            : snprintf(path, sizeof path, "%s.control.json", o->out);
    if (length < 0 || (size_t)length >= sizeof path)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: the path is too long", o->out);
    tr_status status = tr_reconstruct_print(r, &text, &size);
    if (status)
        return tr_fail(error, status, "control: %s", tr_status_text(status));
    status = tr_whole_file_write(path, text, size, error);
    free(text);
    return status;
}

static tr_status report(const options *o, tr_reconstruction *r, const char *name, tr_error *error) {
    const tr_reconstruct_progress *p = tr_reconstruct_progress_of(r);
    tr_motion *motion = NULL;
    if (p->rounds > 0 && p->kept == 0)
        printf("averaging brought nothing: no round of %d is less noisy than the search, whose "
               "control is kept\n",
               p->rounds);
    tr_status status = perform(r, name, &motion, error);
    if (status)
        return status;
    status = tr_lead_save_motion(motion, o->out, error);
    tr_motion_destroy(motion);
    return !status ? write_control(o, r, error) : status;
}

static tr_status rebuild(const options *o, tr_error *error) {
    tr_model *model = NULL;
    tr_motion *motion = NULL;
    tr_reconstruction *r = NULL;
    tr_status status = tr_mjcf_load(o->model, &model, error);
    if (!status)
        status = tr_motion_load(o->motion, model, &motion, error);
    if (!status) {
        tr_reconstruct_def def = {model, motion, o->parameters, o->threads, o->steps};
        status = tr_reconstruct_create(&def, &r, error);
    }
    if (!status && o->resume) {
        status = tr_reconstruct_load(r, o->checkpoint, error);
        status = status == TR_NOT_FOUND ? TR_OK : status; /* nothing to resume: from the start */
    }
    if (!status)
        status = reconstruct(o, r, motion->name, error);
    if (!status)
        status = report(o, r, motion->name, error);
    tr_reconstruct_destroy(r);
    tr_motion_destroy(motion);
    tr_model_destroy(model);
    return status;
}

static tr_status print_parameters(tr_error *error) {
    const tr_reconstruct_parameters defaults = tr_reconstruct_parameters_default();
    return tr_option_list_settings(&tr_reconstruct_parameter_table, &defaults, error);
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    return o->list ? print_parameters(error) : rebuild(o, error);
}

const tr_tool_command tr_tool_reconstruct = {
    .name = "reconstruct",
    .arguments =
        "MOTION --model M [--plain] [--steps X:HEIGHT,...] [--samples N] [--threads N] [--seed S] "
        "[--checkpoint F [--resume]] -o OUT",
    .summary = "find an open-loop control under which the character performs a motion",
    .help =
        "Draw corrections of the servo targets, fragment by fragment, learn from the better\n"
        "ones, and move a window over the motion (Liu et al., Improving Sampling-based Motion\n"
        "Control, 2015). Write the simulated motion to OUT and the control to OUT.control.json,\n"
        "and print trials, samples, processor time, cost and noise-to-signal ratio. The result is\n"
        "the same for any number of threads.\n"
        "\n"
        "  --model M        character model, MJCF\n"
        "  -o FILE          write the simulated motion here (with .json, strip can draw it)\n"
        "  --control FILE   write the control here, JSON (OUT.control.json)\n"
        "  --plain          use the original algorithm: no adaptation, no window\n"
        "  --steps X:HEIGHT,...  on steps: from X m on along the motion's first heading the ground "
        "is HEIGHT m\n"
        "                   high, until the next X\n"
        "  --samples N      samples per fragment and trial\n"
        "  --gains NAME     gain set of the model\n"
        "  --seed S         seed of everything drawn\n"
        "  --threads N      threads (all cores)\n"
        "  --checkpoint F   save after every trial; a crash loses one trial\n"
        "  --resume         continue from the checkpoint, if the file exists\n"
        "  --set NAME=VALUE set any parameter\n"
        "  --list           print the parameters with their defaults and meanings\n"
        "\n"
        "example:\n"
        "  troupe-train reconstruct kick.json --model humanoid.xml --gains b --set rounds=8 "
        "-o sim.json\n",
    .shares = true,
    .options = sizeof(options),
    .parse = parse,
    .run = run,
};
