#include "scenes/scenario.h"

#include <math.h>
#include <string.h>

static const double chest_height_m = 1.33;

/* Middle and amplitude (rad) and phase (rad) of the wave by body. Arms and legs stay bent, clear of
 * the stops of elbows and knees. */
static const struct wave {
    const char *body;
    double middle, amplitude, phase;
} waves[] = {
    {"ltorso", 0.0, 0.05, 0.0},    {"utorso", 0.0, 0.05, 1.0},  {"head", 0.0, 0.20, 2.0},
    {"luarm", 0.0, 0.40, 0.0},     {"llarm", -0.5, -0.40, 0.5}, {"lhand", 0.0, 0.20, 1.0},
    {"ruarm", 0.0, 0.40, TR_PI},   {"rlarm", -0.5, -0.40, 3.6}, {"rhand", 0.0, 0.20, 4.0},
    {"lthigh", -0.06, -0.06, 0.0}, {"lshank", 0.12, 0.12, 0.0}, {"lfoot", -0.06, -0.06, 0.0},
    {"rthigh", -0.06, -0.06, 0.0}, {"rshank", 0.12, 0.12, 0.0}, {"rfoot", -0.06, -0.06, 0.0},
};

static const struct wave *find_wave(const char *body) {
    for (size_t i = 0; i < sizeof waves / sizeof waves[0]; i++)
        if (strcmp(waves[i].body, body) == 0)
            return &waves[i];
    return NULL;
}

tr_quat tr_scenario_target(const tr_scenario *scenario, const tr_model *model, int body,
                           double time_s) {
    const struct wave *wave = find_wave(model->body[body].name);
    if (scenario->motion != TR_MOTION_WAVE || !wave)
        return tr_quat_identity();
    double fade = time_s < 0.5 ? time_s / 0.5 : 1.0;
    double angle =
        fade * (wave->middle + wave->amplitude * sin(2.0 * TR_PI * time_s + wave->phase));
    return tr_quat_from_axis_angle(tr_vec3_make(0, 1, 0), angle);
}

void tr_scenario_targets(const tr_scenario *scenario, const tr_model *model, double time_s,
                         tr_quat *out) {
    out[0] = tr_quat_identity();
    for (int i = 1; i < model->body_count; i++)
        out[i] = tr_scenario_target(scenario, model, i, time_s);
}

tr_state tr_scenario_start(const tr_scenario *scenario, const tr_model *model, int index) {
    tr_pose pose = tr_pose_rest(model);
    double height = pose.root_pos.z;
    pose.root_pos.y = index * scenario->spacing_m;
    pose.root_pos.z += 0.01;
    tr_state state = tr_state_at_rest(model, &pose);
    double speed = scenario->motion == TR_MOTION_PUSH   ? 3.0
                   : scenario->motion == TR_MOTION_LIMP ? 1.5
                                                        : 0.0;
    double rate = speed / chest_height_m;
    state.root_omega = tr_vec3_make(-0.3 * rate, rate, 0.0);
    state.root_vel = tr_vec3_cross(state.root_omega, tr_vec3_make(0, 0, height));
    return state;
}

static tr_status add_ball(tr_scenario_run *rig, int index) {
    tr_object_def ball = {.name = "ball",
                          .geom_count = 1,
                          .geom[0] = {.kind = TR_GEOM_SPHERE,
                                      .size = {0.15, 0, 0},
                                      .rot = {1, 0, 0, 0},
                                      .friction = 1.0},
                          .mass = 5.0};
    tr_object_state state = {.pos = {0.5, index * rig->scenario->spacing_m + 0.09, 0.15},
                             .rot = {1, 0, 0, 0},
                             .vel = {-1.0, 0, 0}};
    tr_entity_id id;
    return tr_world_add_object(rig->world, &ball, &state, &id);
}

static tr_status populate(tr_scenario_run *rig) {
    for (int i = 0; i < rig->scenario->characters; i++) {
        tr_state state = tr_scenario_start(rig->scenario, rig->model, i);
        tr_status status =
            tr_world_add_character(rig->world, rig->model, &state, &rig->character[i]);
        if (!status && rig->scenario->motion == TR_MOTION_LIMP)
            status = tr_world_set_servo(rig->world, rig->character[i], TR_SERVO_RAGDOLL);
        if (!status && rig->scenario->ball)
            status = add_ball(rig, i);
        if (status)
            return status;
    }
    return TR_OK;
}

static tr_status add_field(tr_scenario_run *rig) {
    enum { SIDE = 257 };
    static const float level[SIDE * SIDE];
    tr_heights_def heights = {SIDE, SIDE, 0.25, level};
    tr_surface *surface = NULL;
    tr_status status = tr_surface_create_heights(&heights, &surface);
    tr_scenery_def def = {
        .kind = TR_SCENERY_SURFACE, .rot = {1, 0, 0, 0}, .friction = 1, .surface = surface};
    if (!status)
        status = tr_world_add_scenery(rig->world, &def, NULL);
    tr_surface_release(surface);
    return status;
}

tr_status tr_scenario_run_create(const tr_scenario *scenario, const tr_model *model,
                                 tr_world_def def, tr_scenario_run *out) {
    tr_scenario_run rig = {.scenario = scenario, .model = model};
    def.self_collision = scenario->self_collision;
    def.ground = def.ground && !scenario->field;
    tr_status status = tr_world_create(&def, &rig.world);
    if (!status && scenario->field)
        status = add_field(&rig);
    if (!status)
        status = populate(&rig);
    if (status)
        tr_scenario_run_destroy(&rig);
    else
        *out = rig;
    return status;
}

void tr_scenario_run_destroy(tr_scenario_run *rig) {
    if (rig->world)
        tr_world_destroy(rig->world);
    rig->world = NULL;
}

static double step_s(const tr_scenario_run *rig) {
    return tr_world_definition(rig->world)->step_s;
}

tr_status tr_scenario_run_step(tr_scenario_run *rig) {
    tr_quat target[TR_BODY_MAX];
    tr_scenario_targets(rig->scenario, rig->model, (rig->steps + 1) * step_s(rig), target);
    for (int i = 0; i < rig->scenario->characters; i++) {
        tr_status status = tr_world_set_targets(rig->world, rig->character[i], target);
        if (status)
            return status;
    }
    rig->steps++;
    return tr_world_step(rig->world);
}

double tr_scenario_run_tracking_error2(const tr_scenario_run *rig, int index) {
    tr_state state;
    if (tr_world_get_state(rig->world, rig->character[index], &state))
        return (double)NAN;
    double sum = 0.0, time_s = rig->steps * step_s(rig);
    for (int i = 1; i < rig->model->body_count; i++) {
        tr_quat target = tr_scenario_target(rig->scenario, rig->model, i, time_s);
        tr_quat q = state.pose.joint[i];
        tr_vec3 error = tr_quat_log(tr_quat_mul(target, tr_quat_conj(q)));
        sum += tr_vec3_dot(error, error);
    }
    return sum / (rig->model->body_count - 1);
}
