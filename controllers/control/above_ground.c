#include "control/above_ground.h"

tr_state tr_state_above_ground(const tr_state *state, const tr_ground *ground) {
    tr_state lowered = *state;
    lowered.pose.root_pos.z -= ground->height;
    return lowered;
}

tr_features tr_features_above_ground(const tr_sight *sight) {
    enum { ROOT_HEIGHT = 2, CENTROID_HEIGHT = 5 };
    tr_features features = tr_features_of(sight->model, sight->state, tr_sight_bodies(sight));
    features.s[ROOT_HEIGHT] -= sight->ground.height;
    features.s[CENTROID_HEIGHT] -= sight->ground.height;
    return features;
}
