/* troupe-bench truth: do the motions of the shipped controllers obey mechanics, and how much torque
 * do they need? One row per controller; with --joints one per joint of each. */
#include "bench/truth.h"
#include "bench/bench.h"
#include "bench/learned.h"
#include "bench/truth_mujoco.h"
#include "control/stage/stage.h"
#include "model/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_MAX = 32 };
static const double SETTLE_S = 2;

static struct {
    const char *bundle;
    double seconds, step_ms;
    int trials;
    bool joints, mujoco;
} options = {TR_BENCH_BUNDLE, 20, 1, 10, false, false};

/* One controller on its stage. */
typedef struct show {
    tr_model *model;
    tr_controller *controller;
    tr_stage *stage;
    tr_entity_id id;
    int falls;
} show;

/* --- performing --- */

static bool spawn(show *s) {
    tr_spawn_def def = {.model = s->model, .controller = s->controller};
    return !tr_stage_spawn(s->stage, &def, &s->id);
}

static bool open_show(const char *name, show *out) {
    *out = (show){0};
    if (!tr_bench_load_controller(options.bundle, name, &out->model, &out->controller))
        return false;
    tr_world_def def = tr_world_def_default();
    def.step_s = out->controller->step_s;
    return !tr_stage_create(&def, &out->stage) && spawn(out);
}

static void close_show(show *s) {
    tr_stage_destroy(s->stage);
    tr_controller_destroy(s->controller);
}

/* Counts falls, and restarts a motion that has ended. */
static bool heed_events(show *s, bool *out_ended) {
    int count, dropped;
    const tr_stage_event *event = tr_stage_events(s->stage, &count, &dropped);
    *out_ended = false;
    for (int i = 0; i < count; i++) {
        s->falls += event[i].kind == TR_STAGE_FELL || event[i].kind == TR_STAGE_FAULT;
        *out_ended = *out_ended || event[i].kind == TR_STAGE_CONTROLLER_ENDED;
    }
    return !*out_ended || (!tr_stage_despawn(s->stage, s->id) && spawn(s));
}

static bool begins_fragment(const show *s) {
    tr_doing doing;
    tr_runner_look(&tr_stage_performer(s->stage, s->id)->runner, &doing);
    return doing.between;
}

static bool perform(show *s, tr_truth_row *row) {
    double h = row->step_s;
    int settle = tr_controller_outline(s->controller).cyclic ? (int)(SETTLE_S / h) : 0,
        steps = (int)(options.seconds / h);
    const tr_world *world = tr_stage_world_const(s->stage);
    for (int k = 0; k < settle + steps; k++) {
        bool ended;
        tr_truth_before(&row->truth, world, s->id, begins_fragment(s));
        if (tr_stage_step(s->stage))
            return false;
        if (k >= settle)
            tr_truth_after(&row->truth, world, s->id);
        if (!heed_events(s, &ended))
            return false;
    }
    return true;
}

/* --- printing --- */

static void print_row(const tr_truth_row *row, int falls) {
    const tr_truth *t = &row->truth;
    double seconds = t->steps * row->step_s, mass = t->model->mass;
    double depth = tr_truth_percentile(t->depth, t->steps, 0.99);
    double jump = tr_truth_percentile(t->jump, t->steps, 0.99);
    double torque = tr_truth_percentile(t->largest, t->steps, 1);
    printf("%s,%.0f,%d,%.1e,%.1e,%.4f,%.2f,%.2f,%.1f,%.2f,%.2f,%.2f,%.0f,%.1f,%.1f,%.2f,%.2f\n",
           row->name, seconds, falls, t->newton, t->angular, t->cone, 1000 * depth,
           1000 * tr_truth_percentile(t->depth, t->steps, 1), 1000 * t->skating / t->normal,
           tr_truth_percentile(t->load, t->steps, 1), tr_truth_load_over(t, 0.02, row->step_s),
           torque / mass, jump, t->jumps[0] / fmax(1, t->firsts),
           t->jumps[1] / fmax(1, t->steps - t->firsts), t->gain / seconds, t->loss / seconds);
}

static void print_joints(const tr_truth_row *row) {
    const tr_truth *t = &row->truth;
    double mass = t->model->mass;
    for (int i = 1; i < t->model->body_count; i++) {
        const tr_truth_joint *joint = &t->joint[i];
        double limit = t->model->body[i].torque_limit / mass, rms = sqrt(joint->square / t->steps);
        printf("%s,%s,%.2f,%.2f,%.2f,%.4f\n", row->name, t->model->body[i].name, limit,
               joint->peak / mass, rms / mass, (double)joint->beyond / t->steps);
    }
}

static bool measure(const char *name, tr_truth_row *row) {
    show s;
    bool good = open_show(name, &s);
    if (good) {
        row->step_s = s.controller->step_s;
        (void)snprintf(row->name, sizeof row->name, "%s", name);
        int steps = (int)(options.seconds / row->step_s);
        good = tr_truth_create(s.model, steps, &row->truth) && perform(&s, row);
    }
    if (good && options.joints)
        print_joints(row);
    else if (good)
        print_row(row, s.falls);
    close_show(&s);
    return good;
}

/* The rows own their models, which are never changed. */
static void close_rows(tr_truth_row *rows, int count) {
    for (int i = 0; i < count; i++) {
        tr_model *model = (tr_model *)(uintptr_t)rows[i].truth.model;
        tr_truth_destroy(&rows[i].truth);
        tr_model_destroy(model);
    }
}

/* --- in MuJoCo --- */

static bool compare(const char *name) {
    const tr_truth_trials trials = {options.trials, options.seconds, options.step_ms / 1000};
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    int held;
    double mean_s;
    char *mjcf = tr_bench_load_mjcf(options.bundle, name);
    bool good = mjcf && tr_bench_load_controller(options.bundle, name, &model, &controller) &&
                tr_truth_in_mujoco(model, mjcf, controller, &trials, &held, &mean_s);
    if (good)
        printf("%s,%g,%d,%d,%.1f\n", name, options.step_ms, held, options.trials, mean_s);
    fflush(stdout);
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    free(mjcf);
    return good;
}

static int compare_all(char *const *name, int count) {
    bool good = true;
    puts("controller,step_ms,held,trials,mean_s");
    for (int i = 0; good && i < count; i++)
        good = compare(name[i]);
    return good ? 0 : 1;
}

static int exec(int word_count, char **words) {
    static tr_truth_row row[ROW_MAX];
    char *const *name = word_count ? words : tr_bench_skill;
    int wanted = word_count ? word_count : TR_BENCH_SKILLS;
    if (options.mujoco)
        return compare_all(name, wanted);
    puts(options.joints
             ? "controller,joint,limit_nm_per_kg,peak_nm_per_kg,rms_nm_per_kg,at_limit_share"
             : "controller,seconds,falls,newton_residual,angular_residual_nm,cone,"
               "depth_p99_mm,depth_max_mm,skating_mm_per_s,load_peak_bw,load_20ms_bw,"
               "torque_peak_nm_per_kg,torque_jump_p99_nm,torque_jump_first_nm,"
               "torque_jump_other_nm,energy_gain_w,energy_loss_w");
    bool good = true;
    int count = 0;
    for (; good && count < wanted; count++)
        good = measure(name[count], &row[count]);
    close_rows(row, count);
    return good ? 0 : 1;
}

static const tr_bench_option table[] = {
    {{"seconds", TR_OPTION_NUMBER, &options.seconds, 1, 3600}, "20", "of a controller without end"},
    {{"joints", TR_OPTION_FLAG, &options.joints, 0, 0},
     NULL,
     "a row for each joint of each controller"},
    {{"mujoco", TR_OPTION_FLAG, &options.mujoco, 0, 0},
     NULL,
     "instead: trials that hold in MuJoCo, where it was built with that"},
    {{"trials", TR_OPTION_COUNT, &options.trials, 1, 1000}, "10", "in MuJoCo"},
    {{"step-ms", TR_OPTION_NUMBER, &options.step_ms, 0.1, 5}, "1", "of MuJoCo"},
    TR_BENCH_BUNDLE_OPTION(&options.bundle)};

const tr_bench_command tr_bench_truth = {
    .name = "truth",
    .summary = "whether controllers obey mechanics: momentum, friction, penetration, skating, "
               "torques, energy",
    .words = "[CONTROLLER...]",
    .word_high = ROW_MAX,
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output =
        "A row for each controller, all single skills if none is named: what Newton's and Euler's "
        "laws\n"
        "leave unexplained, the worst friction of its cone, penetration, skating, loads in body\n"
        "weights (bw), torques, and energy that came from nowhere. With --mujoco: how many trials "
        "hold\n"
        "there, and the mean time until the motion is lost; mujoco_twin.h has the settings.",
    .exec = exec};
