#include "learn/gait/gait_trial.h"

#include <math.h>

static const double STARTS_FROM_S = 10;
static const int LOOK_EVERY = 10; /* steps between looks at the heading */

/* A trial at work. */
typedef struct run {
    const tr_gait_trial_def *def;
    tr_rehearsal *rehearsal;
    tr_gait_walker walker;
    tr_force_course course;
    tr_gait_comparison comparison;
    int64_t step, steady_step;
    double heading_sum_rad;
    int looks;
    double effort_sum;
    tr_vec3 steady_pos;
    double pitch_sum_rad, root_sum_m;
} run;

static tr_status begin(run *r, const tr_gait *gait, const tr_gait_trial_def *def,
                       tr_rehearsal *rehearsal) {
    double step_s = tr_world_definition(rehearsal->world)->step_s;
    *r = (run){.def = def,
               .rehearsal = rehearsal,
               .walker = tr_gait_walker_make(gait, rehearsal->world, rehearsal->character,
                                             &def->noise, def->seed),
               .course = tr_force_course_begin(&def->force),
               .steady_step = llround(def->steady_s / step_s)};
    tr_state start = tr_gait_walker_start(rehearsal->model, &def->noise, def->seed);
    return tr_rehearsal_place(rehearsal, &start);
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

static tr_status make_step(run *r) {
    double step_s = tr_world_definition(r->rehearsal->world)->step_s,
           time_s = (double)r->step * step_s;
    const tr_gait_sight wanted = {.speed_mps = r->def->speed_mps, .stiffness = 1};
    tr_status status = push(r, time_s, step_s);
    if (!status)
        status = tr_gait_walkers_step(&r->walker, &wanted, 1);
    r->step++;
    return status;
}

static tr_vec3 root_of(const run *r) {
    const tr_body_state *bodies = tr_world_bodies(r->rehearsal->world, r->rehearsal->character);
    return tr_body_origin(r->rehearsal->model, 0, &bodies[0]);
}

static void measure_posture(run *r) {
    const tr_rehearsal *rehearsal = r->rehearsal;
    const tr_body_state *bodies = tr_world_bodies(rehearsal->world, rehearsal->character);
    tr_vec3 up = tr_quat_rotate(bodies[rehearsal->model->trunk].rot, (tr_vec3){0, 0, 1});
    r->pitch_sum_rad += tr_atan2(tr_vec3_to_heading(up, r->walker.state.heading_rad).x, up.z);
    r->root_sum_m += root_of(r).z;
}

static void measure(run *r) {
    const tr_rehearsal *rehearsal = r->rehearsal;
    const tr_body_state *bodies = tr_world_bodies(rehearsal->world, rehearsal->character);
    const tr_vec3 *torque = tr_world_servo_torques(rehearsal->world, rehearsal->character);
    /* Effort: the squared torques of all joints. */
    for (int b = 1; b < rehearsal->model->body_count; b++)
        r->effort_sum += tr_vec3_dot(torque[b], torque[b]);
    /* Heading: how far the root is turned out of the gait's frame. */
    if (r->step % LOOK_EVERY == 0) {
        double off_rad = tr_quat_heading(bodies[0].rot) - r->walker.state.heading_rad;
        r->heading_sum_rad += fabs(tr_angle_wrap(off_rad));
        r->looks++;
    }
    /* Speed and drift count from here on. */
    if (r->step == r->steady_step)
        r->steady_pos = root_of(r);
    if (r->step >= r->steady_step)
        measure_posture(r);
    if (r->def->style)
        tr_gait_compare(&r->comparison, r->def->style, rehearsal->model, &r->walker.state, bodies,
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
                                                        : (double)NAN};
    /* A shorter way would not tell the speed. */
    if (steady_s > 1) {
        tr_vec3 way = tr_vec3_sub(root_of(r), r->steady_pos);
        out->speed_mps = way.x / steady_s;
        out->drift_mps = way.y / steady_s;
        out->pitch_rad = r->pitch_sum_rad * step_s / steady_s;
        out->root_m = r->root_sum_m * step_s / steady_s;
    }
}

tr_status tr_gait_trial(const tr_gait *gait, const tr_gait_trial_def *def, tr_rehearsal *rehearsal,
                        tr_gait_outcome *out) {
    run r;
    tr_status status = begin(&r, gait, def, rehearsal);
    bool fell = false;
    int64_t steps = llround(def->duration_s / tr_world_definition(rehearsal->world)->step_s);
    while (!status && !fell && r.step < steps) {
        status = make_step(&r);
        if (status)
            break;
        fell = tr_gait_walker_has_fallen(&r.walker);
        measure(&r);
    }
    /* A world that broke counts as a fall. */
    if (status && status != TR_DATA_LOSS)
        return status;
    sum_up(&r, fell || status == TR_DATA_LOSS, out);
    return TR_OK;
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
    run r;
    int found = 0;
    tr_status status = begin(&r, gait, &def, rehearsal);
    double step_s = tr_world_definition(rehearsal->world)->step_s;
    while (!status && found < TR_GAIT_KEYFRAMES) {
        int keyframe = r.walker.state.keyframe;
        status = make_step(&r);
        if (!status &&
            (tr_gait_walker_has_fallen(&r.walker) || (double)r.step * step_s > 2 * STARTS_FROM_S))
            status = TR_FAILED_PRECONDITION;
        /* Once the walk is steady, keyframes 0 and 1 are taken as they begin, in this order. */
        bool begins = r.walker.state.keyframe != keyframe && r.walker.state.keyframe == found;
        if (!status && begins && (double)r.step * step_s > STARTS_FROM_S)
            status = take_start(&r, &out[found++]);
    }
    return status;
}
