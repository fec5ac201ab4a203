#include "learn/measure/noise.h"
#include "learn/method/method.h"
#include "learn/method/whole_file.h"
#include "learn/reconstruct/reconstruct.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- settings and inputs --- */

#define AT(field) offsetof(tr_reconstruct_parameters, field)

static const tr_parameter listed[] = {
    {"gains", TR_NAME, AT(gain_set), 0, 0, "a", "gain set of the model"},
    {"cycles", TR_COUNT, AT(cycles), 1, 1000, "1", "times that a cyclic motion is run through"},
    {"arms", TR_COUNT, AT(arms), 0, 1, "0", "1: the shoulders are sampled too"},
    {"plain", TR_COUNT, AT(plain), 0, 1, "0", "1: the original algorithm"},
    {"samples", TR_COUNT, AT(samples), 4, 10000, "200", "Ns, per fragment and trial"},
    {"tau", TR_REAL, AT(tau), 0, 0.5, "0", "that of the time scale's logarithm; 0: not scaled"},
    {"trials_max", TR_COUNT, AT(trials_max), 1, 100000, "1000",
     "trials before the search is given up"},
    {"budget", TR_REAL, AT(budget), 0, 1e12, "0",
     "plain: samples to spend, instead of the first success; 0: none"},
    {"rounds", TR_COUNT, AT(rounds), 0, 1000, "0", "averaging rounds after the search"},
    {"carried_kg", TR_REAL, AT(carried_kg), 0, 100, "0",
     "mass of a ball in the right hand; 0: none"},
    {"weight_velocity", TR_REAL, AT(weight_velocity), 0, 1e3, "0.1", "eq. 20: its velocity"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "of everything drawn"},
};

/* Constants now (tr_reconstruct_amounts_default, track.h, and where they are used). */
static const char retired[] =
    "weight_pose=4 weight_root=4 weight_effector=10 weight_balance=1 weight_centroid=3 "
    "weight_angular=0.03 weight_action=0.5 weight_trunk=2 weight_reach=5 weight_support=5 "
    "weight_tau=0.5 step_s=0.005 fragment_s=0.1 rollback=5 shrink=0.7 "
    "elite_share=0.1 omega=0.1 window=50 updates_min=5 updates_max=20 patience=5 margin=15 "
    "good=0.3 "
    "stalls_max=20 cost_max=15 successes=1";

const tr_parameter_table tr_reconstruct_parameter_table = {
    .row = listed, .count = sizeof listed / sizeof *listed, .retired = retired};

tr_reconstruct_amounts tr_reconstruct_amounts_default(void) {
    return (tr_reconstruct_amounts){.elite_share = 0.1,
                                    .omega_rad = 0.1,
                                    .window = {.size = 50,
                                               .updates_min = 5,
                                               .updates_max = 20,
                                               .patience = 5,
                                               .margin = 15,
                                               .good = 0.3},
                                    .stalls_max = 20,
                                    .cost_max = 15,
                                    .successes = 1};
}

enum { MOTION, STEPS, INPUTS };
static const tr_method_input inputs[INPUTS] = {
    [MOTION] = {.role = "motion",
                .word = "MOTION",
                .meaning = "what 'troupe-train import' wrote",
                .kind = TR_INPUT_MOTION,
                .needed = true},
    [STEPS] = {.role = "steps",
               .option = "steps",
               .word = "X:HEIGHT,...",
               .meaning = "on steps: from X m on along the motion's first heading the ground is "
                          "HEIGHT m high, until the next X",
               .kind = TR_INPUT_TEXT},
};

static tr_status create(const tr_method_def *given, void **out, tr_error *error) {
    const char *steps = given->given[STEPS].content;
    tr_reconstruct_def def = {.model = given->model,
                              .motion = given->given[MOTION].motion,
                              .parameters = *(const tr_reconstruct_parameters *)given->settings,
                              .threads = given->threads};
    tr_reconstruction *r = NULL;
    tr_status status = steps ? tr_steps_read(steps, &def.steps, error) : TR_OK;
    if (!status)
        status = tr_reconstruct_create(&def, &r, error);
    if (!status)
        *out = r;
    return status;
}

/* --- rows --- */

static tr_status perform(tr_reconstruction *r, tr_reconstruct_result *out, tr_error *error) {
    return tr_fail_if(error, tr_reconstruct_perform(r, out), "performance");
}

/* The figures of the control found so far. */
static tr_status describe(tr_reconstruction *r, tr_method_row *row, tr_error *error) {
    const tr_reconstruct_progress *p = &r->progress;
    tr_reconstruct_result result = {0};
    char nsr[TR_NOISE_TEXT_MAX];
    tr_status status = perform(r, &result, error);
    if (status)
        return status;
    tr_noise_ratio_print(result.nsr, nsr);
    snprintf(row->text, sizeof row->text,
             "%s: %d trials, %d successes, %d rounds, %.0f samples, cost %.3f, NSR %s, "
             "hash %016" PRIx64 "%s",
             r->name, p->trials, p->successes, p->rounds, p->samples, result.cost, nsr, result.hash,
             result.lost ? ", loses the motion" : "");
    tr_motion_destroy(result.motion);
    return TR_OK;
}

static tr_status advance(void *given, tr_method_row *out, tr_error *error) {
    tr_reconstruction *r = given;
    const tr_reconstruct_progress *p = &r->progress;
    const tr_reconstruct_phase before = p->phase;
    const bool searching = before == TR_RECONSTRUCT_SEARCH;
    tr_status status = tr_reconstruct_advance(r, error);
    if (status)
        return status;
    *out = (tr_method_row){.iteration = p->trials + p->rounds, .best = p->phase != before};
    snprintf(out->phase, sizeof out->phase, "%s", searching ? "trial" : "round");
    tr_method_row_add(out, "from", p->from);
    tr_method_row_add(out, "reached", p->reached);
    tr_method_row_add(out, "fragments", r->track->count);
    tr_method_row_add(out, "cost", p->cost);
    tr_method_row_add(out, "window", searching ? p->start : (double)NAN);
    tr_method_row_add(out, "setbacks", p->setbacks);
    tr_method_row_add(out, "successes", p->successes);
    tr_method_row_add(out, "nsr", searching ? (double)NAN : p->nsr);
    tr_method_row_add(out, "kept", searching ? (double)NAN : p->kept);
    /* A control is found where the search ends; averaging may improve it. */
    return out->best ? describe(r, out, error) : TR_OK;
}

static bool is_done(const void *given) {
    return ((const tr_reconstruction *)given)->progress.phase == TR_RECONSTRUCT_DONE;
}

/* --- the result --- */

static tr_status write_text(const char *path, char *text, size_t size, tr_error *error) {
    tr_status status = tr_whole_file_write(path, text, size, error);
    free(text);
    return status;
}

static tr_status write_motion(tr_reconstruction *r, const char *path, tr_error *error) {
    tr_reconstruct_result result = {0};
    char *text = NULL;
    size_t size = 0;
    tr_status status = perform(r, &result, error);
    if (status)
        return status;
    status = tr_motion_print(result.motion, &text, &size);
    tr_motion_destroy(result.motion);
    return status ? tr_fail_if(error, status, "motion") : write_text(path, text, size, error);
}

static tr_status write_result(void *given, const tr_method_writing *writing, tr_error *error) {
    char *text = NULL, path[4096];
    size_t size = 0;
    const int length = snprintf(path, sizeof path, "%s.control.json", writing->out);
    if (length < 0 || (size_t)length >= sizeof path)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--out: the path is too long");
    tr_status status = tr_reconstruct_print(given, &text, &size);
    if (status)
        return tr_fail_if(error, status, "control");
    status = write_text(path, text, size, error);
    return status ? status : write_motion(given, writing->out, error);
}

const tr_method tr_reconstruct_method = {
    .name = "reconstruct",
    .command = "reconstruct",
    .summary = "find an open-loop control under which the character performs a motion",
    .help =
        "Draw corrections of the servo targets, fragment by fragment, learn from the better\n"
        "ones, and move a window over the motion (Liu et al., Improving Sampling-based Motion\n"
        "Control, 2015). Write the simulated motion to OUT and the control to "
        "OUT.control.json,\n"
        "and print trials, samples, cost and noise-to-signal ratio. The result is the same for\n"
        "any number of threads.\n",
    .example = "kick.json --gains b --set rounds=8 --out sim.json",
    .settings = &tr_reconstruct_parameter_table,
    .options = "samples gains seed",
    .input = inputs,
    .input_count = INPUTS,
    .create = create,
    .advance = advance,
    .is_done = is_done,
    .share = tr_reconstruct_share,
    .file = "write the simulated motion here (with .json, strip can draw it)",
    .write = write_result,
    .list = tr_reconstruct_list,
    .destroy = tr_reconstruct_destroy,
};
