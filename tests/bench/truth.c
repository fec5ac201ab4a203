/* troupe-bench truth: does what the shipped controllers do obey mechanics, and how hard do they
 * work for it? One row per controller; with --joints one per joint of each. */
#include "bench/truth.h"
#include "bench/bench.h"
#include "bench/physics_cells.h"
#include "control/stage.h"
#include "model/mjcf.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_MAX = 32 };
static const double SETTLE_S = 2;

static const char *const shipped[] = {
    "run",    "run-striding", "walk",  "walk-slow",  "walk-fast", "stand",    "kick",      "punch",
    "karate", "spin-kick",    "dance", "dance-spin", "cartwheel", "backflip", "rise-prone"};

typedef struct options {
    const char *bundle, *picture;
    double seconds;
    bool joints;
    const char *const *name;
    int name_count;
} options;

/* One controller on its stage. */
typedef struct show {
    tr_model *model;
    tr_controller *controller;
    tr_stage *stage;
    tr_entity_id id;
    int falls;
} show;

static bool parse(int argc, char **argv, options *o) {
    static const struct option names[] = {{"bundle", required_argument, NULL, 'u'},
                                          {"seconds", required_argument, NULL, 't'},
                                          {"joints", no_argument, NULL, 'j'},
                                          {"picture", required_argument, NULL, 'p'},
                                          {0}};
    *o = (options){.bundle = TR_BENCH_BUNDLE,
                   .seconds = 20,
                   .name = shipped,
                   .name_count = sizeof shipped / sizeof shipped[0]};
    bool good = true;
    for (int c; good && (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        char *end = NULL;
        if (c == 'u')
            o->bundle = optarg;
        else if (c == 'p')
            o->picture = optarg;
        else if (c == 'j')
            o->joints = true;
        else if (c == 't')
            o->seconds = strtod(optarg, &end);
        else
            good = false;
        good = good && (!end || (*end == '\0' && o->seconds >= 1 && o->seconds <= 3600));
    }
    if (optind < argc) {
        o->name = (const char *const *)(void *)(argv + optind);
        o->name_count = argc - optind;
    }
    return good && o->name_count <= ROW_MAX;
}

/* --- performing --- */

static bool spawn(show *s) {
    tr_spawn_def def = {.model = s->model, .controller = s->controller};
    return tr_stage_spawn(s->stage, &def, &s->id) == TR_OK;
}

static bool open_show(const options *o, const char *name, show *out) {
    *out = (show){0};
    if (!tr_bench_load_controller(o->bundle, name, &out->model, &out->controller))
        return false;
    tr_world_def def = tr_world_def_default();
    def.step_s = out->controller->step_s;
    return tr_stage_create(&def, &out->stage) == TR_OK && spawn(out);
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
    return !*out_ended || (tr_stage_despawn(s->stage, s->id) == TR_OK && spawn(s));
}

static bool perform(const options *o, show *s, tr_truth_row *row) {
    double h = row->step_s;
    int settle = tr_controller_outline(s->controller).cyclic ? (int)(SETTLE_S / h) : 0,
        steps = (int)(o->seconds / h);
    const tr_world *world = tr_stage_world_const(s->stage);
    for (int k = 0; k < settle + steps; k++) {
        bool ended;
        tr_truth_before(&row->truth, world, s->id);
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
    printf("%s,%.0f,%d,%.1e,%.1e,%.4f,%.2f,%.2f,%.1f,%.2f,%.2f,%.2f,%.0f,%.2f,%.2f\n", row->name,
           seconds, falls, t->newton, t->angular, t->cone, 1000 * depth,
           1000 * tr_truth_percentile(t->depth, t->steps, 1), 1000 * t->skating / t->normal,
           tr_truth_percentile(t->load, t->steps, 1), tr_truth_load_over(t, 0.02, row->step_s),
           torque / mass, jump, t->gain / seconds, t->loss / seconds);
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

static bool measure(const options *o, const char *name, tr_truth_row *row) {
    show s;
    bool good = open_show(o, name, &s);
    if (good) {
        row->step_s = s.controller->step_s;
        (void)snprintf(row->name, sizeof row->name, "%s", name);
        int steps = (int)(o->seconds / row->step_s);
        good = tr_truth_create(s.model, steps, &row->truth) && perform(o, &s, row);
    }
    if (good && o->joints)
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

static int exec(int argc, char **argv) {
    static tr_truth_row row[ROW_MAX];
    options o;
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: troupe-bench truth %s\n", tr_bench_truth.arguments);
        return 2;
    }
    puts(o.joints ? "controller,joint,limit_nm_per_kg,peak_nm_per_kg,rms_nm_per_kg,at_limit_share"
                  : "controller,seconds,falls,newton_residual,angular_residual_nm,cone,"
                    "depth_p99_mm,depth_max_mm,skating_mm_per_s,load_peak_bw,load_20ms_bw,"
                    "torque_peak_nm_per_kg,torque_jump_p99_nm,energy_gain_w,energy_loss_w");
    bool good = true;
    int count = 0;
    for (; good && count < o.name_count; count++)
        good = measure(&o, o.name[count], &row[count]);
    if (good && o.picture)
        good = tr_truth_draw(row, count, o.picture);
    close_rows(row, count);
    return good ? 0 : 1;
}

const tr_bench_command tr_bench_truth = {
    "truth", "[--seconds 20] [--joints] [--picture SVG] [--bundle FILE] [CONTROLLER...]",
    "whether controllers obey mechanics: momentum, friction, penetration, skating, torques, energy",
    exec};
