/* troupe-train reconstruct: an open-loop control for an imported motion. */
#include "learn/reconstruct/reconstruct.h"
#include "learn/measure/noise.h"
#include "learn/method/whole_file.h"
#include "model/mjcf.h"
#include "motion/poses/motion.h"
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
    bool resume, list, plain;
    int threads;
    tr_reconstruct_parameters parameters;
    tr_steps steps;
} options;

/* --- the command line --- */

static tr_status take_parameter(void *settings, const tr_option_value *value, tr_error *error) {
    return tr_reconstruct_parameters_set(settings, value->option, value->text, error);
}

static tr_status take_pair(void *settings, const tr_option_value *value, tr_error *error) {
    tr_option_settings s = {&tr_reconstruct_parameter_table, settings};
    return tr_option_take_setting(&s, value, error);
}

static void preset(void *out) {
    ((options *)out)->parameters = tr_reconstruct_parameters_default();
}

static const tr_argument words[] = {
    {"[MOTION]", TR_OPTION_TEXT, offsetof(options, motion), "what 'troupe-train import' wrote"},
    {"--model M", TR_OPTION_TEXT, offsetof(options, model), "character model, MJCF"},
    {"--out FILE", TR_OPTION_TEXT, offsetof(options, out),
     "write the simulated motion here (with .json, strip can draw it)"},
    {"--control FILE", TR_OPTION_TEXT, offsetof(options, control),
     "write the control here, JSON (OUT.control.json)"},
    {"--plain", TR_OPTION_FLAG, offsetof(options, plain),
     "use the original algorithm: no adaptation, no window"},
    {"--steps X:HEIGHT,...", TR_OPTION_CALL, offsetof(options, steps),
     "on steps: from X m on along the motion's first heading the ground is HEIGHT m high, until "
     "the next X",
     .take = tr_step_list_take},
    {"--samples N", TR_OPTION_CALL, offsetof(options, parameters), "samples per fragment and trial",
     .take = take_parameter},
    {"--gains NAME", TR_OPTION_CALL, offsetof(options, parameters), "gain set of the model",
     .take = take_parameter},
    {"--seed S", TR_OPTION_CALL, offsetof(options, parameters), "seed of everything drawn",
     .take = take_parameter},
    TR_TOOL_THREADS(options, threads),
    {"--checkpoint F", TR_OPTION_TEXT, offsetof(options, checkpoint),
     "save after every trial; a crash loses one trial"},
    {"--resume", TR_OPTION_FLAG, offsetof(options, resume),
     "continue from the checkpoint, if the file exists"},
    {"--set NAME=VALUE", TR_OPTION_CALL, offsetof(options, parameters), "set any parameter",
     .take = take_pair},
    {"--list", TR_OPTION_FLAG, offsetof(options, list),
     "print the parameters with their defaults and meanings"},
    {0}};

static tr_status check(void *given, tr_error *error) {
    options *o = given;
    if (o->plain)
        o->parameters.plain = 1;
    if (!o->list && (!o->motion || !o->model || !o->out))
        return tr_fail(error, TR_INVALID_ARGUMENT, "expected MOTION, --model and --out");
    return o->resume && !o->checkpoint
               ? tr_fail(error, TR_INVALID_ARGUMENT, "--resume: expected with --checkpoint")
               : TR_OK;
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
    .summary = "find an open-loop control under which the character performs a motion",
    .help =
        "Draw corrections of the servo targets, fragment by fragment, learn from the better\n"
        "ones, and move a window over the motion (Liu et al., Improving Sampling-based Motion\n"
        "Control, 2015). Write the simulated motion to OUT and the control to OUT.control.json,\n"
        "and print trials, samples, processor time, cost and noise-to-signal ratio. The result is\n"
        "the same for any number of threads.\n",
    .example = "  troupe-train reconstruct kick.json --model humanoid.xml --gains b --set rounds=8 "
               "-o sim.json\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .preset = preset,
    .check = check,
    .run = run,
};
