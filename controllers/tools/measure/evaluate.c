/* troupe-train evaluate: what a controller of the catalogue holds and survives. */
#include "learn/measure/evaluate.h"
#include "draw/strip.h"
#include "learn/measure/ground_test.h"
#include "learn/rehearsal/steps.h"
#include "learn/rehearsal/trial.h"
#include "learn/rehearsal/trial_ground.h"
#include "motion/poses/motion.h"
#include "physics/world/world.h"
#include "tools/frame/force_list.h"
#include "tools/frame/lead.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIP_FIGURES = 24 };

/* KIND:AMOUNTS, as bump:0.04,0.06 or 'kerb up:0.05'; no amounts: the plane alone. */
typedef struct ground_list {
    tr_trial_ground_kind kind;
    tr_force_list amount;
} ground_list;

typedef struct options {
    tr_subject_use of;
    const char *motion, *strip;
    int seeds;
    double seconds, strip_after_s;
    tr_force_list push;
    ground_list ground;
    tr_steps steps;
    uint64_t seed;
    bool beyond;
} options;

/* --- the command line --- */

static const options defaults = {
    .seeds = 100, .seconds = 60, .seed = 20150815, .strip_after_s = 10};

static tr_status take_ground(void *context, const tr_option_value *value, tr_error *error) {
    ground_list *list = context;
    const char *colon = strchr(value->text, ':');
    const size_t length = colon ? (size_t)(colon - value->text) : 0;
    list->kind = tr_trial_ground_find(value->text, length);
    if (colon && list->kind < TR_TRIAL_GROUND_KINDS && tr_force_list_read(colon + 1, &list->amount))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "--ground '%s': expected a kind of ground and amounts, as bump:0.04,0.06 or "
                   "'kerb up:0.05'",
                   value->text);
}

static tr_status take_steps(void *context, const tr_option_value *value, tr_error *error) {
    return tr_steps_read(value->text, context, error);
}

static const tr_argument words[] = {
    TR_TOOL_SUBJECT("the controller"),
    {"--motion M", TR_OPTION_TEXT, offsetof(options, motion),
     "the imported motion, for comparison"},
    {"--strip SVG", TR_OPTION_TEXT, offsetof(options, strip),
     "draw a cycle of the motion above one of the simulation"},
    {"--seeds N", TR_OPTION_COUNT, offsetof(options, seeds), "undisturbed trials (100)", 1,
     TR_EVALUATE_TRIAL_MAX},
    {"--seconds S", TR_OPTION_NUMBER, offsetof(options, seconds), "length of each (60)", 0.1, 1e5},
    {"--push FORCES", TR_OPTION_CALL, offsetof(options, push), "forces in N: 100,140 or 60:200:20",
     .take = tr_force_list_take},
    {"--ground KIND:AMOUNTS", TR_OPTION_CALL, offsetof(options, ground),
     "on other ground, and nothing else: how many are still up after S seconds. Kinds: 'slope up', "
     "'slope down', 'slope across' (degrees), 'kerb up', 'kerb down', bump (0.1 m wide), uneven "
     "(m), hills (degrees), ice (coefficient of friction)",
     .take = take_ground},
    {"--beyond", TR_OPTION_FLAG, offsetof(options, beyond),
     "count only trials that end half a metre beyond where the kerb, bump or ice begins"},
    {"--steps X:HEIGHT,...", TR_OPTION_CALL, offsetof(options, steps),
     "on steps, as 'reconstruct' has them: from X m on along x the ground is so high",
     .take = take_steps},
    {"--seed S", TR_OPTION_SEED, offsetof(options, seed), "seed of the starts and phases"},
    TR_TOOL_THREADS(options, of.threads),
    {0}};

static tr_status check(void *out, tr_error *error) {
    options *o = out;
    if (o->ground.amount.count > 0 && o->steps.count > 0)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--steps: expected without --ground, whose trials have worlds of their own");
    if (o->beyond && o->ground.amount.count == 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--beyond: expected with --ground");
    return TR_OK;
}

/* --- reports --- */

static double cycle_s(const tr_controller *controller) {
    return (double)tr_evaluate_cycle(controller) * controller->step_s;
}

static tr_status report_hold(const options *o, const tr_subject *s) {
    tr_hold_test test = {.trials = o->seeds, .cap_s = o->seconds, .seed = o->seed};
    tr_hold_result result;
    tr_status status = tr_evaluate_hold(s->ensemble, s->controller, &test, &result);
    if (status)
        return status;
    double low, high;
    tr_evaluate_wilson(result.held, result.trials, &low, &high);
    printf("undisturbed: %d of %d seeds hold %g s (95 %% interval %.3f to %.3f), mean %.1f s, "
           "shortest %.1f s\n",
           result.held, result.trials, o->seconds, low, high, result.mean_s, result.shortest_s);
    return TR_OK;
}

static tr_status report_gait(const tr_subject *s, const tr_motion *motion) {
    tr_gait_report gait;
    int cycles = (int)ceil(20 / cycle_s(s->controller));
    tr_status status = tr_evaluate_gait(s->ensemble, s->controller, 5, cycles, &gait);
    if (status)
        return status;
    if (!gait.held) {
        printf("loses the motion while its way of moving is watched\n");
        return TR_OK;
    }
    printf("moves at %.2f m/s, turns %.1f deg/s, mean joint error %.1f deg\n", gait.speed_mps,
           gait.turn_rate * 180 / TR_PI, gait.pose_error_rad * 180 / TR_PI);
    if (motion) {
        tr_motion_report clip;
        status = tr_motion_describe(s->model, motion, &clip);
        if (status)
            return status;
        printf("the clip:  %.2f m/s\n", clip.speed_mps);
    }
    return TR_OK;
}

static tr_status report_pushes(const options *o, const tr_subject *s) {
    if (o->push.count)
        printf(
            "%7s %9s %15s   by direction (0 forward, then every 45 deg to the left); by phase of "
            "the cycle (*: it touches nothing)\n",
            "push N", "survived", "95 % interval");
    for (int i = 0; i < o->push.count; i++) {
        tr_push_test test = tr_push_test_default();
        tr_push_result result;
        double low, high;
        test.force_n = o->push.force_n[i];
        test.seed = o->seed;
        tr_status status = tr_evaluate_pushes(s->ensemble, s->controller, &test, &result);
        if (status)
            return status;
        tr_evaluate_wilson(result.survived, result.trials, &low, &high);
        printf("%7.0f %5d/%-3d    %.3f to %.3f  ", test.force_n, result.survived, result.trials,
               low, high);
        for (int d = 0; d < TR_PUSH_DIRECTIONS; d++)
            printf(" %2d", result.by_direction[d]);
        printf(" ;");
        for (int p = 0; p < test.phases; p++)
            printf(" %d%s", result.by_phase[p], result.aloft[p] > 0 ? "*" : "");
        printf("\n");
        fflush(stdout);
    }
    return TR_OK;
}

static tr_status report_ground(const options *o, const tr_subject *s) {
    for (int i = 0; i < o->ground.amount.count; i++) {
        const tr_ground_test test = {.kind = o->ground.kind,
                                     .amount = o->ground.amount.force_n[i],
                                     .trials = o->seeds,
                                     .seconds = o->seconds,
                                     .seed = o->seed,
                                     .beyond = o->beyond};
        double low, high;
        int held = 0;
        tr_status status =
            tr_evaluate_ground(s->ensemble->pool, s->model, s->controller, &test, &held);
        if (status)
            return status;
        tr_evaluate_wilson(held, test.trials, &low, &high);
        printf("%s %g %s: %d of %d stay up %g s%s, %.3f (%.3f to %.3f)\n",
               tr_trial_ground_rows[o->ground.kind].name, test.amount,
               tr_trial_ground_rows[o->ground.kind].unit, held, test.trials, test.seconds,
               test.beyond ? " and get beyond it" : "", (double)held / test.trials, low, high);
        fflush(stdout);
    }
    return TR_OK;
}

/* --- the strip: a cycle of the motion above two cycles of the simulation --- */

/* Poses of the simulation, turned back to the heading of the first. */
static int simulate_poses(const options *o, const tr_subject *s, double span_s,
                          tr_pose *out_poses) {
    tr_rehearsal *rehearsal = &s->ensemble->rehearsal[0];
    const tr_controller *controller = s->controller;
    double once_s = cycle_s(controller);
    int64_t first = llround(ceil(o->strip_after_s / once_s) * once_s / controller->step_s);
    tr_trial trial;
    tr_state state, origin;
    if (tr_trial_begin(&trial, controller, rehearsal, &controller->spawn))
        return 0;
    for (int i = 0; i < STRIP_FIGURES; i++) {
        tr_trial_run(&trial, rehearsal,
                     first + llround(i * span_s / STRIP_FIGURES / controller->step_s));
        if (tr_world_get_state(rehearsal->world, rehearsal->character, &state))
            return i;
        if (i == 0)
            origin = state;
        double heading = tr_quat_heading(origin.pose.root_rot);
        state = tr_state_place(&state, -heading, (tr_vec3){0, 0, 0});
        out_poses[i] = state.pose;
    }
    return STRIP_FIGURES;
}

static tr_status draw_strip(const options *o, const tr_subject *s, const tr_motion *motion,
                            tr_error *error) {
    static tr_pose simulated[STRIP_FIGURES], reference[STRIP_FIGURES];
    double span_s = cycle_s(s->controller);
    tr_strip_row rows[4] = {0};
    int count = 0;
    for (int i = 0; motion && i < STRIP_FIGURES; i++)
        reference[i] = tr_motion_pose(motion, i * tr_motion_duration(motion) / STRIP_FIGURES);
    int figures = simulate_poses(o, s, span_s, simulated);
    for (int view = 0; view < 2; view++) {
        tr_strip_view side = view == 0 ? TR_STRIP_SIDE : TR_STRIP_FRONT;
        if (motion)
            rows[count++] = (tr_strip_row){.label = "clip",
                                           .model = s->model,
                                           .poses = reference,
                                           .figure_count = STRIP_FIGURES,
                                           .view = side};
        rows[count++] = (tr_strip_row){.label = "simulated",
                                       .model = s->model,
                                       .poses = simulated,
                                       .figure_count = figures,
                                       .view = side};
    }
    tr_strip strip = {.title = s->controller->name,
                      .rows = rows,
                      .row_count = count,
                      .time_step_s = span_s / STRIP_FIGURES};
    return tr_lead_save_strip(&strip, o->strip, error);
}

/* --- the command --- */

static tr_status report_level(const options *o, const tr_subject *s, const tr_motion *motion) {
    tr_status status = report_hold(o, s);
    if (!status)
        status = report_gait(s, motion);
    return status ? status : report_pushes(o, s);
}

static tr_status measure(const void *given, const tr_subject *s, tr_error *error) {
    const options *o = given;
    tr_motion *motion = NULL;
    tr_status status = tr_ensemble_lay(s->ensemble, &o->steps);
    if (status)
        return tr_fail_if(error, status, "--steps");
    if (o->motion)
        status = tr_motion_load(o->motion, s->model, &motion, error);
    if (!status) {
        status = o->ground.amount.count > 0 ? report_ground(o, s) : report_level(o, s, motion);
        if (status)
            tr_fail_if(error, status, "%s", o->of.name);
    }
    if (!status && o->strip)
        status = draw_strip(o, s, motion, error);
    tr_motion_destroy(motion);
    return status;
}

const tr_tool_command tr_tool_evaluate = {
    .name = "evaluate",
    .summary = "test what a controller holds and which pushes it survives",
    .help = "Undisturbed: count the disturbed starts that hold the motion to the end. Pushes: 96 "
            "trials\n"
            "a force (8 directions, 12 phases), 0.2 s on the upper torso, still up 5 s later.\n"
            "A motion is lost when, at the end of a control fragment, the root is 0.3 m or 1 rad "
            "off.\n",
    .example = "  troupe-train evaluate run --catalogue db/shipped.troupe --push 100:200:20\n"
               "  troupe-train evaluate run --catalogue db/shipped.troupe --ground bump:0.06 "
               "--seconds 10\n",
    .shares = true,
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .check = check,
    .measure = measure};
