#include "control/torque/skate/board_scene.h"

#include "physics/spatial/dynamics.h"

static tr_vec3 middle_of(const tr_board_scene_def *def, int side, int body) {
    const tr_foot_sole *sole = &def->sole[side];
    return tr_body_point(def->dynamics->model, body, tr_vec3_lerp(sole->low, sole->high, 0.5),
                         &def->bodies[body]);
}

void tr_board_scene_look(const tr_board_scene_def *def, tr_board_scene *out) {
    const tr_dynamics *d = def->dynamics;
    const int side[2] = {def->standing, 1 - def->standing};
    tr_vec3 place[2], vel[2];
    out->heading_rad = tr_quat_heading(def->deck->rot);
    const tr_quat turn = tr_quat_from_heading(out->heading_rad);
    for (int k = 0; k < 3; k++)
        out->axis[k] = tr_quat_rotate(turn, (tr_vec3){k == 0, k == 1, k == 2});
    for (int foot = 0; foot < 2; foot++) {
        const int body = d->model->foot[side[foot]];
        place[foot] = middle_of(def, side[foot], body);
        out->body[foot] = body;
        const tr_v4 sole = tr_v4_from(place[foot]) - d->origin;
        out->sole[foot] = tr_v4_to(sole);
        vel[foot] = tr_v4_to(d->velocity[body].lin + tr_v4_cross(d->velocity[body].ang, sole));
    }
    /* All from the standing sole, along the axes of the board. */
    const tr_vec3 centroid_vel = tr_vec3_scale(tr_v4_to(d->momentum.lin), 1 / d->model->mass);
    out->standing_vel = tr_vec3_along(out->axis, vel[TR_STANDING]);
    out->centroid = tr_vec3_along(out->axis, tr_vec3_negate(out->sole[TR_STANDING]));
    out->centroid_vel = tr_vec3_along(out->axis, tr_vec3_sub(centroid_vel, vel[TR_STANDING]));
    out->pushing = tr_vec3_along(out->axis, tr_vec3_sub(place[TR_PUSHING], place[TR_STANDING]));
    out->pushing_vel = tr_vec3_along(out->axis, tr_vec3_sub(vel[TR_PUSHING], vel[TR_STANDING]));
    out->gap_m = place[TR_PUSHING].z - def->ground_m;
    out->board_mps = tr_vec3_dot(def->deck->vel, out->axis[0]);
}
