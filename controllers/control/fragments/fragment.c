#include "control/fragments/fragment.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int joint_size(const tr_body *body) {
    return body->joint == TR_JOINT_BALL ? 3 : 1;
}

tr_status tr_action_map_default(const tr_model *model, bool ankles, tr_action_map *out,
                                tr_error *error) {
    static const char *const names[] = {"ltorso", "lthigh", "lshank", "rthigh",
                                        "rshank", "lfoot",  "rfoot"};
    const int count = model->action_count > 0 ? model->action_count : 7;
    tr_action_map map = {0};
    for (int j = 0; j < count; j++) {
        int body = model->action_count > 0 ? model->action[j] : tr_model_find_body(model, names[j]);
        if (body < 0)
            return tr_fail(error, TR_NOT_FOUND,
                           "model '%s': no body '%s'; expected bodies named ltorso, lthigh, "
                           "lshank, lfoot, rthigh, rshank and rfoot, or a key 'action' that names "
                           "the joints that actions move (MODELS.md)",
                           model->name, names[j]);
        /* A foot turns in its ankle. */
        if (!ankles && (body == model->foot[0] || body == model->foot[1]))
            continue;
        map.body[map.joint_count++] = body;
        map.size += joint_size(&model->body[body]);
    }
    if (map.size > TR_ACTION_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "model '%s': its key 'action' names joints with %d numbers; expected at "
                       "most %d (MODELS.md)",
                       model->name, map.size, TR_ACTION_MAX);
    *out = map;
    return TR_OK;
}

int tr_action_component(const tr_model *model, const tr_action_map *map, int body) {
    int at = 0;
    for (int j = 0; j < map->joint_count; j++) {
        if (map->body[j] == body)
            return at;
        at += joint_size(&model->body[map->body[j]]);
    }
    return -1;
}

bool tr_action_map_is_symmetric(const tr_model *model, const tr_action_map *map) {
    for (int j = 0; j < map->joint_count; j++) {
        const tr_body *body = &model->body[map->body[j]];
        if (tr_action_component(model, map, body->mirror) < 0 ||
            model->body[body->mirror].joint != body->joint)
            return false;
    }
    return true;
}

/* Returns the rotation vector of the joint for its components; joint_components is the way back. */
static tr_vec3 joint_vector(const tr_body *body, const double *action) {
    if (body->joint == TR_JOINT_BALL)
        return (tr_vec3){action[0], action[1], action[2]};
    return tr_vec3_scale(body->axis, action[0]);
}

static void joint_components(const tr_body *body, tr_vec3 v, double *out_action) {
    if (body->joint != TR_JOINT_BALL) {
        out_action[0] = tr_vec3_dot(body->axis, v);
        return;
    }
    out_action[0] = v.x;
    out_action[1] = v.y;
    out_action[2] = v.z;
}

void tr_action_mirror(const tr_model *model, const tr_action_map *map, const double *action,
                      double *out_action) {
    for (int j = 0; j < map->joint_count; j++) {
        const tr_body *body = &model->body[map->body[j]];
        tr_vec3 v = tr_body_mirror_vector(body, joint_vector(body, action));
        int opposite = tr_action_component(model, map, body->mirror);
        assert(opposite >= 0);
        joint_components(&model->body[body->mirror], v, out_action + opposite);
        action += joint_size(body);
    }
}

void tr_action_turns(const tr_model *model, const tr_action_map *map, const double *action,
                     tr_quat *out_turn) {
    for (int j = 0; j < map->joint_count; j++) {
        const tr_body *body = &model->body[map->body[j]];
        out_turn[j] = tr_quat_exp(joint_vector(body, action));
        action += joint_size(body);
    }
}

void tr_action_turn_targets(const tr_action_map *map, const tr_quat *turn, tr_quat *target) {
    for (int j = 0; j < map->joint_count; j++)
        target[map->body[j]] = tr_quat_mul(turn[j], target[map->body[j]]);
}

void tr_action_apply(const tr_model *model, const tr_action_map *map, const double *action,
                     tr_quat *target) {
    tr_quat turn[TR_BODY_MAX];
    tr_action_turns(model, map, action, turn);
    tr_action_turn_targets(map, turn, target);
}

int tr_policy_ground_count(const tr_policy *policy) {
    int count = 0;
    for (int i = 0; i < TR_ACTION_MAX; i++)
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            if (policy->ground[i][j] != 0 && j >= count)
                count = j < TR_GROUND_SLOPES ? TR_GROUND_SLOPES : TR_GROUND_COUNT;
    return count;
}

void tr_policy_evaluate(const tr_policy *policy, int size, const tr_features *features,
                        double *out_action) {
    for (int i = 0; i < size; i++) {
        /* a = M s + a_hat + K g */
        double a = policy->offset[i];
        for (int j = 0; j < TR_FEATURE_COUNT; j++)
            a += policy->m[i][j] * features->s[j];
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            a += policy->ground[i][j] * features->ground[j];
        out_action[i] = a;
    }
}

/* The slope across changes its sign, the slope along does not; the steps change places. */
static void mirror_ground(const tr_model *model, const tr_action_map *map, const tr_policy *policy,
                          tr_policy *out) {
    static const struct {
        int from, sign;
    } image[TR_GROUND_COUNT] = {{0, 1}, {1, -1}, {3, 1}, {2, 1}};
    double column[TR_ACTION_MAX] = {0}, mirrored[TR_ACTION_MAX] = {0};
    for (int j = 0; j < TR_GROUND_COUNT; j++) {
        for (int i = 0; i < map->size; i++)
            column[i] = image[j].sign * policy->ground[i][image[j].from];
        tr_action_mirror(model, map, column, mirrored);
        for (int i = 0; i < map->size; i++)
            out->ground[i][j] = mirrored[i];
    }
}

void tr_policy_mirror(const tr_model *model, const tr_action_map *map, const tr_policy *policy,
                      tr_policy *out) {
    double column[TR_ACTION_MAX] = {0}, mirrored[TR_ACTION_MAX] = {0}; /* past the size: none */
    *out = (tr_policy){0};
    tr_action_mirror(model, map, policy->offset, out->offset);
    tr_action_mirror(model, map, policy->sigma, out->sigma);
    for (int i = 0; i < map->size; i++)
        out->sigma[i] = fabs(out->sigma[i]);
    /* Mirroring maps each feature onto itself or another one, perhaps with its sign turned. */
    for (int j = 0; j < TR_FEATURE_COUNT; j++) {
        tr_features unit = {0};
        unit.s[j] = 1;
        tr_features image = tr_features_mirror(&unit);
        for (int i = 0; i < map->size; i++) {
            column[i] = 0;
            for (int k = 0; k < TR_FEATURE_COUNT; k++)
                column[i] += policy->m[i][k] * image.s[k];
        }
        tr_action_mirror(model, map, column, mirrored);
        for (int i = 0; i < map->size; i++)
            out->m[i][j] = mirrored[i];
    }
    mirror_ground(model, map, policy, out);
}

int tr_fragment_longest(const tr_fragment *fragment, int count) {
    int steps = 1;
    for (int f = 0; f < count; f++)
        steps = fragment[f].steps > steps ? fragment[f].steps : steps;
    return steps;
}

tr_way tr_fragments_way(const tr_fragment *fragment, int count) {
    double x = 0, y = 0;
    for (int f = 0; f < count; f++) {
        x += fragment[f].end.pose.root_pos.x;
        y += fragment[f].end.pose.root_pos.y;
    }
    if (fabs(y) > fabs(x))
        return y > 0 ? TR_WAY_LEFT : TR_WAY_RIGHT;
    return x < 0 ? TR_WAY_BACK : TR_WAY_AHEAD;
}

void tr_fragment_targets(const tr_model *model, const tr_action_map *map,
                         const tr_fragment *fragment, int step, const double *action,
                         tr_quat *out_target) {
    size_t count = (size_t)model->body_count;
    memcpy(out_target, fragment->target + (size_t)step * count, count * sizeof *out_target);
    if (action)
        tr_action_apply(model, map, action, out_target);
}
