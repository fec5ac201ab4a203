#include "control/parts/above_ground.h"

#include "math/elementary.h"

#include <math.h>

static const double LEVEL = 0.99996;  /* cosine of 0.5 degrees */
static const double SLOPE_MAX = 0.25; /* steeper is what no policy was trained on: a high kerb */
static const double STEP_MAX_M = 0.3; /* higher is a wall */
/* The ground is looked at so far ahead of a foot, in time, and from heel to toes about its
 * centre. */
static const double AHEAD_S = 0.15, HEEL_M = 0.09, TOES_M = 0.15;
enum { LOOKS = 5 };

bool tr_ground_is_level(const tr_ground *ground) {
    return ground->normal.z >= LEVEL;
}

tr_state tr_state_above_ground(const tr_state *state, const tr_ground *ground) {
    tr_state lowered = *state;
    lowered.pose.root_pos.z -= ground->height;
    return lowered;
}

/* Returns how much higher the ground under a point is than the plane of the local ground. */
static double above_plane(const tr_sight *sight, double x, double y) {
    tr_vec3 root = sight->state->pose.root_pos, normal = sight->ground.normal;
    double rise = -(normal.x * (x - root.x) + normal.y * (y - root.y)) / normal.z;
    tr_ground under;
    if (!tr_world_ground(sight->world, (tr_vec3){x, y, root.z}, &under))
        return 0;
    return tr_within(under.height - (sight->ground.height + rise), STEP_MAX_M);
}

/* Returns the highest ground under heel, middle and toes, where the foot is and where its velocity
 * takes it. */
static double step_before(const tr_sight *sight, int side, double heading) {
    const double along[] = {-HEEL_M, 0, TOES_M};
    const tr_body_state *foot = &tr_sight_bodies(sight)[sight->model->foot[side]];
    double s, c, highest = -STEP_MAX_M;
    tr_sincos(heading, &s, &c);
    for (int k = 0; k < LOOKS; k++) {
        double t = AHEAD_S * k / (LOOKS - 1);
        double x = foot->com_pos.x + t * foot->com_vel.x;
        double y = foot->com_pos.y + t * foot->com_vel.y;
        for (int i = 0; i < 3; i++)
            highest = fmax(highest, above_plane(sight, x + along[i] * c, y + along[i] * s));
    }
    return highest;
}

tr_features tr_features_above_ground(const tr_sight *sight) {
    enum { ROOT_HEIGHT = 2, CENTROID_HEIGHT = 5 };
    tr_features features = tr_features_of(sight->model, sight->state, tr_sight_bodies(sight));
    features.s[ROOT_HEIGHT] -= sight->ground.height;
    features.s[CENTROID_HEIGHT] -= sight->ground.height;
    double heading = tr_quat_heading(sight->state->pose.root_rot);
    tr_vec3 normal = tr_vec3_to_heading(sight->ground.normal, heading);
    /* Slopes ahead and to the left, then the steps before the feet. */
    features.ground[0] = tr_within(-normal.x / normal.z, SLOPE_MAX);
    features.ground[1] = tr_within(-normal.y / normal.z, SLOPE_MAX);
    for (int side = 0; side < 2; side++)
        features.ground[TR_GROUND_SLOPES + side] = step_before(sight, side, heading);
    return features;
}
