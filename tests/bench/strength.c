/* troupe-bench strength: the torque that each skill needs in each joint, by axis and direction,
 * compared with the limits of a model, and the controllers that stay up within them.
 *
 * With --joints a row for each joint, axis and direction: limit, peak and rms without limits, N
 * m/kg. Otherwise a row for each controller: the trials that hold without the limits and with them,
 * and the share of steps in which a joint is at its limit. A trial begins in the spawn state,
 * disturbed as for certificates (trial.h). It holds when the character does not fall, and is up at
 * the end: after the given seconds, or when a skill that ends has ended. */
#include "bench/bench.h"
#include "bench/learned.h"
#include "control/parts/falls.h"
#include "learn/measure/evaluate.h"
#include "learn/rehearsal/trial.h"
#include "model/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const side_name[] = {"-", "+"};

static struct {
    const char *bundle, *limits;
    double seconds;
    int trials;
    bool joints;
} options = {TR_BENCH_BUNDLE, TR_MODEL_DIR "/humanoid_limited.xml", 20, 10, false};

/* --- what the servos do --- */

/* By body, axis and direction. */
typedef struct effort {
    int64_t steps, limited; /* limited: with a joint at its limit */
    double peak[TR_BODY_MAX][3][2], square[TR_BODY_MAX][3][2];
} effort;

static void note(effort *e, const tr_model *model, const tr_vec3 *torque) {
    bool limited = false;
    e->steps++;
    for (int i = 1; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        bool hinge = body->joint == TR_JOINT_HINGE;
        double axis[3] = {hinge ? tr_vec3_dot(torque[i], body->axis) : torque[i].x, torque[i].y,
                          torque[i].z};
        for (int k = 0; k < (hinge ? 1 : 3); k++) {
            int side = axis[k] > 0;
            double size = fabs(axis[k]);
            e->peak[i][k][side] = fmax(e->peak[i][k][side], size);
            e->square[i][k][side] += size * size;
            limited |= size >= tr_body_torque_bound(body, k, side) * (1 - 1e-6);
        }
    }
    e->limited += limited;
}

/* --- trials --- */

typedef struct subject {
    tr_model *model;
    tr_controller *controller;
    int64_t steps;
} subject;

static tr_status make_world(const subject *s, int trial, tr_rehearsal *out) {
    tr_world_def def = tr_world_def_default();
    def.step_s = s->controller->step_s;
    *out = (tr_rehearsal){.model = s->model};
    tr_state start = tr_trial_disturbed_start(s->controller, 20150815, trial);
    tr_status status = tr_world_create(&def, &out->world);
    return status ? status : tr_world_add_character(out->world, s->model, &start, &out->character);
}

/* Never down again once it was up, and up at the end. */
static bool holds(const subject *s, const tr_rehearsal *r, effort *e) {
    tr_runner runner;
    bool down = tr_falls_is_down(r->world, r->character, true);
    tr_runner_start(&runner, s->controller, 0, false);
    for (int64_t k = 0; k < s->steps; k++) {
        if (tr_runner_advance(&runner, r->world, r->character, NULL) || tr_world_step(r->world))
            return false;
        note(e, s->model, tr_world_servo_torques(r->world, r->character));
        bool is_down = tr_falls_is_down(r->world, r->character, down);
        if (is_down && !down)
            return false;
        down = is_down;
    }
    return !down;
}

static int try_all(const subject *s, effort *e) {
    int held = 0;
    for (int trial = 0; trial < options.trials; trial++) {
        tr_rehearsal r;
        held += !make_world(s, trial, &r) && holds(s, &r, e);
        tr_world_destroy(r.world);
    }
    return held;
}

/* --- limits --- */

static void lift_limits(tr_model *model) {
    for (int i = 1; i < model->body_count; i++) {
        model->body[i].torque_limit = (double)INFINITY;
        model->body[i].torque_by_axis = false;
    }
}

/* Those of the bodies of the same names, for each kilogram alike. */
static void take_limits(tr_model *model, const tr_model *from) {
    double scale = model->mass / from->mass;
    for (int i = 1; i < model->body_count; i++) {
        int other = tr_model_find_body(from, model->body[i].name);
        if (other < 0)
            continue;
        tr_body *body = &model->body[i];
        body->torque_by_axis = from->body[other].torque_by_axis;
        body->torque_limit = scale * from->body[other].torque_limit;
        for (int k = 0; k < 3; k++)
            for (int side = 0; side < 2; side++)
                body->torque_range[k][side] = scale * from->body[other].torque_range[k][side];
    }
}

/* --- rows --- */

static void print_joints(const char *name, const tr_model *limited, const effort *e) {
    static const char axes[] = "xyz";
    double mass = limited->mass;
    for (int i = 1; i < limited->body_count; i++) {
        const tr_body *body = &limited->body[i];
        bool hinge = body->joint == TR_JOINT_HINGE;
        for (int k = 0; k < (hinge ? 1 : 3); k++)
            for (int side = 0; side < 2; side++)
                printf("%s,%s,%c,%s,%.2f,%.2f,%.2f\n", name, body->name, hinge ? 'y' : axes[k],
                       side_name[side], tr_body_torque_bound(body, k, side) / mass,
                       e->peak[i][k][side] / mass,
                       sqrt(e->square[i][k][side] / (double)e->steps) / mass);
    }
}

static bool measure(const char *name, const tr_model *limits) {
    subject s;
    static effort without, within;
    memset(&without, 0, sizeof without);
    memset(&within, 0, sizeof within);
    if (!tr_bench_load_controller(options.bundle, name, &s.model, &s.controller))
        return false;
    bool cyclic = tr_controller_outline(s.controller).cyclic;
    s.steps = cyclic ? (int64_t)ceil(options.seconds / s.controller->step_s)
                     : tr_evaluate_cycle(s.controller);
    lift_limits(s.model);
    int free_held = try_all(&s, &without);
    take_limits(s.model, limits);
    if (options.joints) {
        print_joints(name, s.model, &without);
    } else {
        int held = try_all(&s, &within);
        printf("%s,%d,%d,%d,%.4f\n", name, free_held, held, options.trials,
               (double)within.limited / (double)within.steps);
    }
    fflush(stdout);
    tr_controller_destroy(s.controller);
    tr_model_destroy(s.model);
    return true;
}

static int exec(int count, char **words) {
    char *const *name = count ? words : tr_bench_skill;
    tr_model *limits = NULL;
    tr_error error = {0};
    bool good = !tr_mjcf_load(options.limits, &limits, &error);
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    puts(options.joints ? "controller,joint,axis,direction,limit_nm_kg,peak_nm_kg,rms_nm_kg"
                        : "controller,held_without,held_within,trials,share_of_steps_at_a_limit");
    for (int i = 0; good && i < (count ? count : TR_BENCH_SKILLS); i++)
        good = measure(name[i], limits);
    tr_model_destroy(limits);
    return good ? 0 : 1;
}

static const tr_bench_option table[] = {
    {{"joints", TR_OPTION_FLAG, &options.joints, 0, 0},
     NULL,
     "a row for each joint, axis and direction"},
    {{"trials", TR_OPTION_COUNT, &options.trials, 1, 1000}, "10", "of each controller"},
    {{"seconds", TR_OPTION_NUMBER, &options.seconds, 0.1, 3600},
     "20",
     "of a trial of a skill without end"},
    {{"limits", TR_OPTION_TEXT, &options.limits, 0, 0},
     "MODEL",
     "whose limits hold; humanoid_limited.xml if not given"},
    TR_BENCH_BUNDLE_OPTION(&options.bundle)};

const tr_bench_command tr_bench_strength = {
    .name = "strength",
    .summary = "torques of each joint against limits of strength, and who stays up within them",
    .words = "[CONTROLLER...]",
    .word_high = 64,
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output = "A row for each controller, all single skills if none is named: the trials that hold "
              "without\n"
              "the limits and within them, and the share of steps with a joint at its limit. With "
              "--joints:\n"
              "limit, peak and rms without limits, N m/kg.",
    .exec = exec};
