/* troupe-bench demand: what a motion asks of a body, before anything learns it: is its longest flight
 * one under gravity, and do the joints stay within the limits of strength on the ground?
 *
 * In the sagittal plane, by Newton and Euler from the poses. A body's need f = m (a - g) and the rate
 * of its angular momentum sum up to the force F of the ground and its moment about the origin. Each
 * foot carries half of them, and the torque of a joint is the moment about it of all that lies
 * beyond. In flight nothing carries, so if F is not 0, the motion does not fall with g.
 * Toes are left out: how far a foot's force is in front of them is not known. */
#include "bench/bench.h"
#include "model/mjcf.h"
#include "motion/poses/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double GRAVITY = 9.81, LIFTED_M = 0.02;
static const double EDGE_S =
    0.03; /* beside flights and ends, where poses have no second derivative */

static struct {
    const char *model;
    bool joints;
} options = {TR_MODEL_DIR "/humanoid_limited.xml", false};

/* Of one frame: each body's need and the rate of its angular momentum about y, and their sums. */
typedef struct need {
    tr_body_state body[TR_BODY_MAX];
    tr_vec3 force[TR_BODY_MAX], sum;
    double turn[TR_BODY_MAX], moment; /* about y; moment: about the origin */
    tr_momentum momentum;
    double low_m; /* lowest point of all bodies */
} need;

static double spin(const tr_model *model, int i, const tr_body_state *body) {
    tr_vec3 omega = tr_quat_rotate_inverse(body->rot, body->omega);
    return tr_quat_rotate(body->rot, tr_mat3_apply(&model->body[i].inertia, omega)).y;
}

/* The moment about y of a force at `arm` from the axis. */
static double about_y(tr_vec3 arm, tr_vec3 force) {
    return tr_vec3_cross(arm, force).y;
}

static void look(const tr_model *model, const tr_motion *motion, int frame, need *out) {
    double h = motion->dt_s;
    tr_body_state before[TR_BODY_MAX], after[TR_BODY_MAX];
    tr_state state = tr_motion_state(model, motion, (frame - 0.5) * h);
    tr_state_forward(model, &state, before);
    state = tr_motion_state(model, motion, (frame + 0.5) * h);
    tr_state_forward(model, &state, after);
    state = tr_motion_state(model, motion, frame * h);
    tr_state_forward(model, &state, out->body);
    out->momentum = tr_body_momentum(model, out->body);
    out->low_m = tr_body_lowest_point(model, -1, out->body);
    out->sum = (tr_vec3){0, 0, 0};
    out->moment = 0;
    for (int i = 0; i < model->body_count; i++) {
        tr_vec3 rate = tr_vec3_scale(tr_vec3_sub(after[i].com_vel, before[i].com_vel), 1 / h);
        rate.z += GRAVITY;
        out->force[i] = tr_vec3_scale(rate, model->body[i].mass);
        out->turn[i] = (spin(model, i, &after[i]) - spin(model, i, &before[i])) / h;
        out->sum = tr_vec3_add(out->sum, out->force[i]);
        out->moment += about_y(out->body[i].com_pos, out->force[i]) + out->turn[i];
    }
}

static bool lies_beyond(const tr_model *model, int body, int joint) {
    while (body > joint)
        body = model->body[body].parent;
    return body == joint;
}

/* The torque of a joint about the lateral axis, on the body beyond it. */
static double torque(const tr_model *model, const need *n, int joint) {
    tr_vec3 at = tr_body_origin(model, joint, &n->body[joint]);
    double sum = 0;
    int feet = 0;
    for (int i = joint; i < model->body_count; i++) {
        if (!lies_beyond(model, i, joint))
            continue;
        sum += about_y(tr_vec3_sub(n->body[i].com_pos, at), n->force[i]) + n->turn[i];
        feet += i == model->foot[0] || i == model->foot[1];
    }
    return sum - 0.5 * feet * (n->moment - about_y(at, n->sum));
}

/* --- flight --- */

typedef struct flight {
    int first, last; /* frames; first > last: none */
} flight;

static flight longest_flight(const need *n, int count) {
    flight best = {1, 0};
    for (int first = 0, last; first < count; first = last + 1) {
        for (last = first; last < count && n[last].low_m > LIFTED_M; last++)
            ;
        if (last - 1 - first > best.last - best.first)
            best = (flight){first, last - 1};
    }
    return best;
}

/* On the ground, and not at an edge of it. */
static bool stands(const need *n, int count, int frame, double dt_s) {
    int edge = (int)lround(EDGE_S / dt_s);
    for (int k = frame - edge; k <= frame + edge; k++)
        if (k < 0 || k >= count || n[k].low_m > LIFTED_M)
            return false;
    return true;
}

static void print_flight(const tr_motion *motion, const need *n, int count) {
    flight f = longest_flight(n, count);
    if (f.last - f.first < 4) {
        printf("%s,0,,,,,,,,,\n", motion->name);
        return;
    }
    const tr_momentum *up = &n[f.first].momentum, *down = &n[f.last].momentum;
    double s = (f.last - f.first) * motion->dt_s, least = INFINITY, most = -INFINITY, top = 0;
    for (int k = f.first; k <= f.last; k++) {
        least = fmin(least, n[k].momentum.angular.y);
        most = fmax(most, n[k].momentum.angular.y);
        top = fmax(top, n[k].momentum.com_pos.z);
    }
    double low = down->com_pos.z;
    for (int k = f.last; k < count; k++)
        low = fmin(low, n[k].momentum.com_pos.z);
    double needed = (down->com_pos.z - up->com_pos.z) / s + GRAVITY * s / 2;
    double hits = needed - GRAVITY * s;
    printf("%s,%.3f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.1f,%.1f\n", motion->name, s, up->com_vel.z,
           needed, up->com_pos.z, top, down->com_pos.z, hits,
           1 + hits * hits / (2 * GRAVITY * fmax(1e-3, down->com_pos.z - low)), least, most);
}

/* --- joints --- */

static void print_joints(const tr_model *model, const tr_motion *motion, const need *n, int count) {
    for (int i = 1; i < model->body_count; i++) {
        double peak[2] = {0, 0}, at_s[2] = {0, 0};
        bool is_toe = i == model->toe[0] || i == model->toe[1];
        for (int k = 0; k < count && !is_toe; k++) {
            if (!stands(n, count, k, motion->dt_s))
                continue;
            double t = torque(model, &n[k], i);
            int side = t > 0;
            if (fabs(t) > peak[side]) {
                peak[side] = fabs(t);
                at_s[side] = k * motion->dt_s;
            }
        }
        for (int side = 0; side < 2 && !is_toe; side++)
            printf("%s,%s,%s,%.2f,%.2f,%.2f\n", motion->name, model->body[i].name, side ? "+" : "-",
                   tr_body_torque_bound(&model->body[i],
                                        model->body[i].joint == TR_JOINT_HINGE ? 0 : 1, side) /
                       model->mass,
                   peak[side] / model->mass, at_s[side]);
    }
}

static bool measure(const tr_model *model, const char *path) {
    tr_motion *motion = NULL;
    tr_error error = {0};
    if (tr_motion_load(path, model, &motion, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    need *n = calloc((size_t)motion->frame_count, sizeof *n);
    for (int k = 0; n && k < motion->frame_count; k++)
        look(model, motion, k, &n[k]);
    if (n && options.joints)
        print_joints(model, motion, n, motion->frame_count);
    else if (n)
        print_flight(motion, n, motion->frame_count);
    bool good = n != NULL;
    free(n);
    tr_motion_destroy(motion);
    return good;
}

static int exec(int count, char **words) {
    tr_model *model = NULL;
    tr_error error = {0};
    if (tr_mjcf_load(options.model, &model, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    puts(options.joints ? "motion,joint,direction,limit_nm_kg,peak_nm_kg,at_s"
                        : "motion,flight_s,rises_mps,must_rise_mps,leaves_m,top_m,lands_m,hits_mps,"
                          "brakes_bw,angular_least,angular_most");
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = measure(model, words[i]);
    tr_model_destroy(model);
    return good ? 0 : 1;
}

static const tr_bench_option table[] = {
    {{"joints", TR_OPTION_FLAG, &options.joints, 0, 0}, NULL, "a row for each joint and direction"},
    {{"model", TR_OPTION_TEXT, &options.model, 0, 0},
     "MODEL",
     "model of the motions; humanoid_limited.xml if not given"}};

const tr_bench_command tr_bench_demand = {
    .name = "demand",
    .summary = "what motions ask of a body: flight under gravity, and torques on the ground",
    .words = "MOTION...",
    .word_low = 1,
    .word_high = 64,
    .option = table,
    .option_count = sizeof table / sizeof *table,
    .output =
        "A row for each motion, of its longest flight:\n"
        "  rises_mps, must_rise_mps     speed of the centre of mass at take-off, and the one that "
        "g\n"
        "                               needs for this flight\n"
        "  leaves_m, top_m, lands_m     heights of the centre of mass\n"
        "  hits_mps, brakes_bw          its speed at landing, and the mean force in body weights\n"
        "                               that stops it at its lowest point\n"
        "  angular_least, angular_most  angular momentum about the lateral axis, kg m2/s\n"
        "With --joints: limit and peak on the ground, N m/kg.",
    .exec = exec};
