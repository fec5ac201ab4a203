#include "physics/scenery_shapes.h"

#include "math/elementary.h"

#include <math.h>

static const double RAMP_THICKNESS_M = 0.5;

static tr_scenery_def box(const tr_rise_def *at, tr_quat rot, tr_vec3 centre, tr_vec3 size) {
    return (tr_scenery_def){.kind = TR_SCENERY_BOX,
                            .size = size,
                            .pos = tr_vec3_add(at->foot, tr_quat_rotate(rot, centre)),
                            .rot = rot,
                            .friction = at->friction};
}

tr_scenery_def tr_scenery_ramp(const tr_rise_def *at, double length_m, double height_m) {
    double slope = tr_atan2(height_m, length_m), thick = 0.5 * RAMP_THICKNESS_M;
    double half = 0.5 * sqrt(length_m * length_m + height_m * height_m);
    tr_quat tilt = tr_quat_from_axis_angle((tr_vec3){0, -1, 0}, slope);
    tr_quat rot = tr_quat_mul(tr_quat_from_heading(at->heading_rad), tilt);
    return box(at, rot, (tr_vec3){half, 0, -thick}, (tr_vec3){half, 0.5 * at->width_m, thick});
}

tr_scenery_def tr_scenery_step(const tr_rise_def *at, int index, double tread_m, double rise_m) {
    double half = 0.5 * rise_m * (index + 1);
    tr_quat rot = tr_quat_from_heading(at->heading_rad);
    return box(at, rot, (tr_vec3){tread_m * (index + 0.5), 0, half},
               (tr_vec3){0.5 * tread_m, 0.5 * at->width_m, half});
}
