#include "control/above_ground.h"

#include <math.h>

static const double SLOPE_MAX = 0.25; /* steeper is what no policy was trained on: a high kerb */

tr_state tr_state_above_ground(const tr_state *state, const tr_ground *ground) {
    tr_state lowered = *state;
    lowered.pose.root_pos.z -= ground->height;
    return lowered;
}

static double bounded(double slope) {
    return fmin(fmax(slope, -SLOPE_MAX), SLOPE_MAX);
}

tr_features tr_features_above_ground(const tr_sight *sight) {
    enum { ROOT_HEIGHT = 2, CENTROID_HEIGHT = 5 };
    tr_features features = tr_features_of(sight->model, sight->state, tr_sight_bodies(sight));
    features.s[ROOT_HEIGHT] -= sight->ground.height;
    features.s[CENTROID_HEIGHT] -= sight->ground.height;
    double heading = tr_quat_heading(sight->state->pose.root_rot);
    tr_vec3 normal = tr_vec3_to_heading(sight->ground.normal, heading);
    features.slope[0] = bounded(-normal.x / normal.z);
    features.slope[1] = bounded(-normal.y / normal.z);
    return features;
}
