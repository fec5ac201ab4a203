#include "learn/gait/gait_trial.h"

#include "control/falls.h"

#include <math.h>
#include <string.h>

static const double FALL_HEIGHT_SHARE = 0.63, FALL_UPRIGHTNESS = 0.4;
static const double TURN_FROM_S = 1, STARTS_FROM_S = 10;
static const int LOOK_EVERY = 10; /* steps between looks at the heading */

tr_gait_noise tr_gait_noise_default(void) {
    return (tr_gait_noise){
        .joint_rad = 0.03, .target_rad = 0.01, .speed_low_mps = 0.3, .speed_high_mps = 0.7};
}

/* A trial at work. */
typedef struct run {
    const tr_gait *gait;
    const tr_gait_trial_def *def;
    tr_rehearsal *rehearsal;
    tr_gait_state state;
    tr_force_course course;
    tr_random noise;
    tr_gait_comparison comparison;
    int64_t step, steady_step;
    double rest_m; /* height of the root at rest */
    double heading_sum_rad;
    int looks;
    double effort_sum;
    tr_vec3 steady_pos;
} run;

static tr_vec3 draw(tr_random *random, double size) {
    double x = tr_random_normal(random), y = tr_random_normal(random);
    return (tr_vec3){size * x, size * y, size * tr_random_normal(random)};
}

static tr_state disturbed_start(const run *r) {
    const tr_model *model = r->rehearsal->model;
    const tr_gait_noise *noise = &r->def->noise;
    tr_random random = tr_random_split(r->def->seed, 2, 0);
    tr_pose rest = tr_pose_rest(model);
    tr_state state = tr_state_at_rest(model, &rest);
    double share = tr_random_uniform(&random);
    state.root_vel.x =
        noise->speed_low_mps + share * (noise->speed_high_mps - noise->speed_low_mps);
    state.root_vel.y = 0.1 * (tr_random_uniform(&random) - 0.5);
    for (int b = 1; b < model->body_count; b++)
        state.pose.joint[b] = tr_quat_exp(draw(&random, noise->joint_rad));
    return state;
}

static tr_status begin(run *r) {
    const tr_gait_trial_def *def = r->def;
    r->course = tr_force_course_begin(&def->force);
    r->noise = tr_random_split(def->seed, 3, 0);
    r->rest_m = tr_pose_rest(r->rehearsal->model).root_pos.z;
    r->steady_step = llround(def->steady_s / tr_world_definition(r->rehearsal->world)->step_s);
    tr_state start = disturbed_start(r);
    return tr_rehearsal_place(r->rehearsal, &start);
}

/* A turn of that standard deviation about each axis, from even draws: a fifth of a trial's time would
 * go into normal ones. */
static tr_quat small_turn(tr_random *random, double size_rad) {
    double half = 0.5 * 1.7320508075688772 * size_rad;
    double x = half * (2 * tr_random_uniform(random) - 1);
    double y = half * (2 * tr_random_uniform(random) - 1);
    double z = half * (2 * tr_random_uniform(random) - 1);
    return tr_quat_normalize((tr_quat){1, x, y, z});
}

static tr_status apply(run *r, tr_gait_servos *servos) {
    tr_world *world = r->rehearsal->world;
    tr_entity_id id = r->rehearsal->character;
    for (int b = 1; b < r->rehearsal->model->body_count; b++)
        servos->target[b] =
            tr_quat_mul(small_turn(&r->noise, r->def->noise.target_rad), servos->target[b]);
    tr_status status = tr_world_set_targets(world, id, servos->target);
    if (!status)
        status = tr_world_set_gains(world, id, servos->kp, servos->kd);
    if (!status)
        status = tr_world_set_feedforward(world, id, servos->torque, 1);
    return status;
}

static tr_status push(run *r, double time_s, double step_s) {
    tr_push act = {.entity = r->rehearsal->character,
                   .body = r->rehearsal->model->trunk,
                   .force = tr_force_course_next(&r->course, time_s, step_s),
                   .steps = 1};
    if (act.force.x == 0 && act.force.y == 0)
        return TR_OK;
    return tr_world_push(r->rehearsal->world, &act);
}

static void steer(const run *r, double time_s, tr_gait_sight *sight) {
    sight->speed_mps = r->def->speed_mps;
    if (r->def->turn_rad_s == 0)
        return;
    double wanted_rad = r->def->turn_rad_s * fmax(0, time_s - TURN_FROM_S);
    sight->has_target = true;
    sight->turn_rad = tr_angle_wrap(wanted_rad - tr_quat_heading(sight->bodies[0].rot));
}

static tr_status make_step(run *r) {
    tr_world *world = r->rehearsal->world;
    double step_s = tr_world_definition(world)->step_s, time_s = (double)r->step * step_s;
    tr_gait_sight sight;
    tr_gait_servos servos;
    tr_status status = push(r, time_s, step_s);
    if (!status)
        status = tr_gait_look(world, r->rehearsal->character, &sight);
    if (status)
        return status;
    steer(r, time_s, &sight);
    tr_gait_step(r->gait, &r->state, &sight, &servos);
    status = apply(r, &servos);
    if (!status)
        status = tr_world_step(world);
    r->step++;
    return status;
}

static bool has_fallen(const run *r) {
    const tr_world *world = r->rehearsal->world;
    const tr_model *model = r->rehearsal->model;
    tr_entity_id id = r->rehearsal->character;
    const tr_body_state *bodies = tr_world_bodies(world, id);
    tr_vec3 up = tr_quat_rotate(bodies[model->trunk].rot, (tr_vec3){0, 0, 1});
    double height_m = tr_body_origin(model, 0, &bodies[0]).z;
    return up.z < FALL_UPRIGHTNESS || height_m < FALL_HEIGHT_SHARE * r->rest_m ||
           tr_falls_is_down(world, id, false);
}

static tr_vec3 root_of(const run *r) {
    const tr_body_state *bodies = tr_world_bodies(r->rehearsal->world, r->rehearsal->character);
    return tr_body_origin(r->rehearsal->model, 0, &bodies[0]);
}

static void measure(run *r) {
    const tr_rehearsal *rehearsal = r->rehearsal;
    const tr_body_state *bodies = tr_world_bodies(rehearsal->world, rehearsal->character);
    const tr_vec3 *torque = tr_world_servo_torques(rehearsal->world, rehearsal->character);
    for (int b = 1; b < rehearsal->model->body_count; b++)
        r->effort_sum += tr_vec3_dot(torque[b], torque[b]);
    if (r->step % LOOK_EVERY == 0) {
        double off_rad = tr_quat_heading(bodies[0].rot) - r->state.heading_rad;
        r->heading_sum_rad += fabs(tr_angle_wrap(off_rad));
        r->looks++;
    }
    if (r->step == r->steady_step)
        r->steady_pos = root_of(r);
    if (r->def->style)
        tr_gait_compare(&r->comparison, r->def->style, rehearsal->model, &r->state, bodies,
                        tr_world_definition(rehearsal->world)->step_s);
}

static void sum_up(const run *r, bool fell, tr_gait_outcome *out) {
    double step_s = tr_world_definition(r->rehearsal->world)->step_s;
    double steady_s = (double)(r->step - r->steady_step) * step_s;
    *out = (tr_gait_outcome){.fell = fell,
                             .survived_s = (double)r->step * step_s,
                             .heading_rad = r->heading_sum_rad / fmax(1, r->looks),
                             .effort = r->effort_sum / fmax(1, (double)r->step),
                             .style_rad = r->def->style ? tr_gait_comparison_error(&r->comparison)
                                                        : (double)NAN,
                             .strikes = r->state.strikes};
    if (steady_s > 1) {
        tr_vec3 way = tr_vec3_sub(root_of(r), r->steady_pos);
        out->speed_mps = way.x / steady_s;
        out->drift_mps = way.y / steady_s;
    }
}

tr_status tr_gait_trial(const tr_gait *gait, const tr_gait_trial_def *def, tr_rehearsal *rehearsal,
                        tr_gait_outcome *out) {
    run r = {.gait = gait, .def = def, .rehearsal = rehearsal};
    tr_status status = begin(&r);
    bool fell = false;
    int64_t steps = llround(def->duration_s / tr_world_definition(rehearsal->world)->step_s);
    while (!status && !fell && r.step < steps) {
        status = make_step(&r);
        if (status)
            break;
        fell = has_fallen(&r);
        measure(&r);
    }
    if (status && status != TR_DATA_LOSS)
        return status;
    sum_up(&r, fell || status == TR_DATA_LOSS, out);
    return TR_OK;
}

int tr_gait_trial_poses(const tr_gait *gait, const tr_gait_trial_def *def, tr_rehearsal *rehearsal,
                        int first, int every, tr_pose *out, int capacity) {
    run r = {.gait = gait, .def = def, .rehearsal = rehearsal};
    int taken = 0;
    if (begin(&r))
        return 0;
    while (taken < capacity && !make_step(&r) && !has_fallen(&r)) {
        tr_state state;
        if (r.step < first || (r.step - first) % every != 0)
            continue;
        if (tr_world_get_state(rehearsal->world, rehearsal->character, &state))
            break;
        out[taken++] = state.pose;
    }
    return taken;
}

static tr_status take_start(const run *r, tr_state *out) {
    tr_state state;
    tr_status status = tr_world_get_state(r->rehearsal->world, r->rehearsal->character, &state);
    if (status)
        return status;
    state = tr_state_place(&state, -tr_quat_heading(state.pose.root_rot), (tr_vec3){0, 0, 0});
    state.pose.root_pos.x = state.pose.root_pos.y = 0;
    *out = state;
    return TR_OK;
}

tr_status tr_gait_trial_starts(const tr_gait *gait, tr_rehearsal *rehearsal, tr_state *out) {
    const tr_gait_trial_def def = {
        .noise = {.speed_low_mps = gait->own_mps / 2, .speed_high_mps = gait->own_mps / 2}};
    run r = {.gait = gait, .def = &def, .rehearsal = rehearsal};
    int found = 0;
    tr_status status = begin(&r);
    double step_s = tr_world_definition(rehearsal->world)->step_s;
    while (!status && found < TR_GAIT_KEYFRAMES) {
        int keyframe = r.state.keyframe;
        status = make_step(&r);
        if (!status && (has_fallen(&r) || (double)r.step * step_s > 2 * STARTS_FROM_S))
            status = TR_FAILED_PRECONDITION;
        bool begins = r.state.keyframe != keyframe && r.state.keyframe == found;
        if (!status && begins && (double)r.step * step_s > STARTS_FROM_S)
            status = take_start(&r, &out[found++]);
    }
    return status;
}
