#include "control/torque/board/ride_scene.h"

#include "math/elementary.h"
#include "physics/spatial/dynamics.h"

#include <math.h>

static const double GRAVITY_MPS2 = 9.81;

/* Wheels are solid cylinders, each on a hinge of the board. */
static void add_wheel(const tr_rig_pin *pin, const tr_rig *rig, double ahead, tr_ride_board *out) {
    const tr_object_def *wheel = &rig->object[pin->member[0]].def;
    const double radius = wheel->geom[0].size.x, along = ahead * pin->def.point[1].y;
    /* A wheel that rolls adds I / r^2, of a solid cylinder m / 2. */
    out->kg += wheel->mass / 2;
    out->drag_kgps += pin->def.damping / (radius * radius);
    out->rear_m = fmin(out->rear_m, along);
    out->front_m = fmax(out->front_m, along);
}

tr_ride_board tr_ride_board_of(const tr_rig *rig, int board, int leading) {
    tr_ride_board out = {0};
    const double ahead = leading ? -1 : 1;
    for (int i = 0; i < rig->object_count; i++)
        out.kg += rig->object[i].def.mass;
    for (int i = 0; i < rig->pin_count; i++) {
        const tr_rig_pin *pin = &rig->pin[i];
        if (pin->def.kind == TR_PIN_HINGE && pin->member[1] == board && pin->member[0] >= 0)
            add_wheel(pin, rig, ahead, &out);
    }
    for (int i = 0; i < rig->object_count; i++) {
        const tr_rig_object *object = &rig->object[i];
        /* Moments about the rear axle: the deck counts as a rod, wheels as points. */
        const double arm =
            ahead * (object->state.pos.y - rig->object[board].state.pos.y) - out.rear_m;
        const double length = i == board ? 2 * object->def.geom[0].size.y : 0;
        out.nose_nm += object->def.mass * arm * GRAVITY_MPS2;
        out.deck_kgm2 += object->def.mass * (arm * arm + length * length / 12);
    }
    return out;
}

static void set_axes(const tr_ride_scene_def *def, tr_ride_scene *out) {
    const double ahead = def->leading ? -1 : 1;
    out->heading_rad = tr_quat_heading(def->deck->rot);
    const tr_quat turn = tr_quat_from_heading(out->heading_rad);
    out->axis[0] = tr_quat_rotate(turn, (tr_vec3){0, ahead, 0});
    out->axis[1] = tr_quat_rotate(turn, (tr_vec3){-ahead, 0, 0});
    out->axis[2] = (tr_vec3){0, 0, 1};
    /* The deck is long in y; the foot in front says which end is its nose. */
    const tr_vec3 nose = tr_quat_rotate(def->deck->rot, (tr_vec3){0, ahead, 0});
    out->nose_rad = tr_asin(tr_within(nose.z, 1));
    out->nose_rad_s = -tr_vec3_dot(def->deck->omega, out->axis[1]);
    out->yaw_rad_s = def->deck->omega.z;
    out->speed_mps = tr_vec3_dot(def->deck->vel, out->axis[0]);
}

static tr_vec3 board_vel_at(const tr_object_state *deck, tr_vec3 at) {
    return tr_vec3_add(deck->vel, tr_vec3_cross(deck->omega, tr_vec3_sub(at, deck->pos)));
}

void tr_ride_scene_look(const tr_ride_scene_def *def, tr_ride_scene *out) {
    const tr_dynamics *d = def->dynamics;
    const tr_vec3 mass_at = tr_v4_to(d->origin);
    set_axes(def, out);
    const tr_vec3 origin = tr_vec3_add_scaled(def->deck->pos, def->board->rear_m, out->axis[0]);
    for (int side = 0; side < 2; side++) {
        const int body = d->model->foot[side];
        const tr_foot_sole *sole = &def->sole[side];
        const tr_vec3 at = tr_body_point(d->model, body, tr_vec3_lerp(sole->low, sole->high, 0.5),
                                         &def->bodies[body]);
        const tr_v4 from = tr_v4_from(at) - d->origin;
        const tr_vec3 vel =
            tr_v4_to(d->velocity[body].lin + tr_v4_cross(d->velocity[body].ang, from));
        out->body[side] = body;
        out->sole[side] = tr_v4_to(from);
        out->foot[side] = tr_vec3_along(out->axis, tr_vec3_sub(at, origin));
        out->slip[side] = tr_vec3_along(out->axis, tr_vec3_sub(vel, board_vel_at(def->deck, at)));
    }
    const tr_vec3 vel = tr_vec3_scale(tr_v4_to(d->momentum.lin), 1 / d->model->mass);
    const tr_vec3 turning = {0, 0, out->yaw_rad_s};
    /* The velocity that a point fixed to the board has where the centroid is. */
    const tr_vec3 below = tr_vec3_add(board_vel_at(def->deck, origin),
                                      tr_vec3_cross(turning, tr_vec3_sub(mass_at, origin)));
    out->centroid = tr_vec3_along(out->axis, tr_vec3_sub(mass_at, origin));
    out->centroid_vel = tr_vec3_along(out->axis, tr_vec3_sub(vel, below));
}
