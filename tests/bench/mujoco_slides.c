/* Slides, hinges and balls in flight with servos: the same motion here and in MuJoCo. */
#include "bench/mujoco_twin.h"
#include "model/mjcf.h"
#include "physics/world/world.h"

#include <stdio.h>
#include <string.h>

static const char MJCF[] =
    "<mujoco model='slides'><compiler angle='radian' autolimits='true'/><worldbody>"
    "<body name='base'><freejoint/><geom type='box' size='.2 .1 .1' mass='5'/>"
    "<body name='mast' pos='0 0 .3' quat='1 .2 .3 -.1'>"
    "<joint type='slide' axis='1 2 3' pos='.1 0 0' range='-.5 .5'/>"
    "<geom size='.05' pos='.02 .03 .1' mass='2'/>"
    "<body name='boom' pos='0 .1 .4' quat='1 0 .5 0'>"
    "<joint type='hinge' axis='0 1 1' pos='0 .05 0' range='-2 2'/>"
    "<geom type='box' size='.05 .2 .05' mass='1.5'/>"
    "<body name='car' pos='0 .4 0'><joint type='slide' axis='0 1 0' range='-1 .3'/>"
    "<geom type='box' size='.1 .05 .02' mass='1'/>"
    "<body name='hook' pos='0 .2 -.1'><joint type='ball' range='0 3'/>"
    "<geom size='.04' pos='0 0 -.2' mass='.7'/></body></body></body></body>"
    "<body name='tail' pos='-.4 0 0'><joint type='slide' axis='1 0 0' range='-.4 .4'/>"
    "<geom type='box' size='.05 .05 .1' mass='1'/></body></body></worldbody>"
    "<custom><text name='gains a' data='* 60 3'/></custom></mujoco>";

static const double SECONDS = 0.2, FAR = 0.01;

static tr_state start_of(const tr_model *model) {
    tr_pose pose = tr_pose_rest(model);
    tr_state s = tr_state_at_rest(model, &pose);
    s.pose.root_pos.z += 5;
    s.pose.root_rot = tr_quat_exp((tr_vec3){0.3, -0.5, 0.8});
    s.root_vel = (tr_vec3){1, -2, 3};
    s.root_omega = (tr_vec3){2, 3, -1};
    for (int i = 1; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        bool single = tr_body_has_axis(body);
        s.pose.joint[i] =
            tr_quat_exp(single ? tr_vec3_scale(body->axis, 0.05 * i) : (tr_vec3){0.2, 0.4, -0.3});
        s.joint_rate[i] = single ? tr_vec3_scale(body->axis, 0.7 - 0.2 * i) : (tr_vec3){1, -2, 1};
    }
    return s;
}

/* The largest distance of a body between two states. */
static double apart(const tr_model *model, const tr_state *a, const tr_state *b) {
    tr_body_state at[TR_BODY_MAX], there[TR_BODY_MAX];
    double most = 0;
    tr_state_forward(model, a, at);
    tr_state_forward(model, b, there);
    for (int i = 0; i < model->body_count; i++) {
        double way = tr_vec3_distance(at[i].com_pos, there[i].com_pos);
        double turn = tr_quat_angle(at[i].rot, there[i].rot);
        most = way > most ? way : most;
        most = turn > most ? turn : most;
    }
    return most;
}

/* Moves both for a while; returns how far apart they are then, and how far the character moved. Negative:
 * one of them stopped. */
static double fly(const tr_model *model, double step_s, double *out_moved) {
    tr_world *world = NULL;
    tr_entity_id id;
    tr_world_def def = tr_world_def_default();
    tr_twin *twin = tr_twin_create(model, MJCF, step_s);
    tr_state start = start_of(model), ours, theirs;
    tr_quat target[TR_BODY_MAX];
    int steps = (int)(SECONDS / step_s + 0.5);
    for (int i = 0; i < TR_BODY_MAX; i++)
        target[i] = tr_quat_identity();
    def.step_s = step_s;
    def.ground = def.self_collision = false;
    bool good = twin && !tr_world_create(&def, &world) &&
                !tr_world_add_character(world, model, &start, &id) &&
                !tr_world_set_targets(world, id, target);
    if (good)
        tr_twin_put(twin, &start);
    good = good && tr_twin_step(twin, 0, target, steps);
    for (int k = 0; good && k < steps; k++)
        good = !tr_world_step(world);
    good = good && !tr_world_get_state(world, id, &ours);
    double off = -1;
    if (good) {
        tr_twin_get(twin, &theirs);
        off = apart(model, &ours, &theirs);
        *out_moved = apart(model, &start, &ours);
    }
    tr_world_destroy(world);
    tr_twin_destroy(twin);
    return off;
}

int main(void) {
    tr_model *model = NULL;
    tr_error error = {0};
    double moved;
    if (tr_mjcf_parse(MJCF, sizeof MJCF - 1, "slides", &model, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    double coarse = fly(model, 0.002, &moved), fine = fly(model, 0.0005, &moved);
    printf("in %g s bodies move by %g m or rad; apart from MuJoCo's by %g at 2 ms, %g at 0.5 ms\n",
           SECONDS, moved, coarse, fine);
    tr_model_destroy(model);
    return fine >= 0 && fine < FAR && fine < 0.4 * coarse ? 0 : 1;
}
