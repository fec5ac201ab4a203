#include "cmocka_test.h"

#include "control/fragments/fragment.h"
#include "unit/control/puppet.h"

static void assert_same_rotation(tr_quat a, tr_quat b, double tolerance) {
    tr_vec3 e = tr_quat_log(tr_quat_mul(tr_quat_conj(a), b));
    assert_true(tr_vec3_length(e) <= tolerance);
}

TEST(default_maps_are_those_of_the_paper) {
    const tr_model *model = *given;
    tr_action_map map;
    assert_int_equal(tr_action_map_default(model, false, &map, NULL), TR_OK);
    assert_int_equal(map.joint_count, 5);
    assert_int_equal(map.size, 11);
    assert_int_equal(map.body[0], tr_model_find_body(model, "ltorso"));
    assert_int_equal(map.body[4], tr_model_find_body(model, "rshank"));
    assert_int_equal(tr_action_component(model, &map, map.body[1]), 3);
    assert_int_equal(tr_action_component(model, &map, 0), -1);
    assert_int_equal(tr_action_map_default(model, true, &map, NULL), TR_OK);
    assert_int_equal(map.joint_count, 7);
    assert_int_equal(map.size, 17);
    assert_true(tr_action_map_is_symmetric(model, &map));
    map.joint_count--;
    assert_false(tr_action_map_is_symmetric(model, &map));
}

TEST(default_map_needs_the_names) {
    tr_model model = *(const tr_model *)*given;
    tr_action_map map = {.size = 99};
    tr_error error;
    model.body[tr_model_find_body(&model, "rthigh")].name[0] = 'x';
    assert_int_equal(tr_action_map_default(&model, false, &map, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "no body 'rthigh'"));
    assert_non_null(strstr(error.message, "a key 'action'"));
    assert_int_equal(map.size, 99);
}

/* Feet act where ankles do; 24 numbers are the most. */
TEST(a_model_names_the_joints_of_actions) {
    static const char *const names[] = {"head",   "lfoot", "lhand", "luarm", "ltorso",
                                        "utorso", "ruarm", "rhand", "rfoot"};
    tr_model model = *(const tr_model *)*given;
    tr_action_map map;
    tr_error error;
    for (int i = 0; i < 3; i++)
        model.action[model.action_count++] = tr_model_find_body(&model, names[i]);
    assert_int_equal(tr_action_map_default(&model, true, &map, NULL), TR_OK);
    assert_int_equal(map.joint_count, 3);
    assert_int_equal(map.body[1], model.foot[0]);
    assert_int_equal(tr_action_map_default(&model, false, &map, NULL), TR_OK);
    assert_int_equal(map.joint_count, 2);
    assert_int_equal(map.body[1], tr_model_find_body(&model, "lhand"));
    for (int i = 3; i < 9; i++)
        model.action[model.action_count++] = tr_model_find_body(&model, names[i]);
    assert_int_equal(tr_action_map_default(&model, true, &map, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "numbers; expected at most 24"));
}

TEST(policy_is_affine) {
    tr_policy policy = {.offset = {0.5, -1}};
    tr_features features = {0};
    double action[2];
    policy.m[0][3] = 2;
    policy.m[1][17] = -0.25;
    features.s[3] = 10;
    features.s[17] = 8;
    tr_policy_evaluate(&policy, 2, &features, action);
    assert_near(action[0], 20.5, 0);
    assert_near(action[1], -3, 0);
    assert_int_equal(0, tr_policy_ground_count(&policy));
    policy.ground[1][0] = 2;
    policy.ground[1][1] = -4;
    features.ground[0] = 0.5;
    features.ground[1] = 0.25;
    assert_int_equal(TR_GROUND_SLOPES, tr_policy_ground_count(&policy));
    tr_policy_evaluate(&policy, 2, &features, action);
    assert_near(action[0], 20.5, 0);
    assert_near(action[1], -3, 0); /* 2 * 0.5 = 4 * 0.25 */
    features.ground[1] = 0;
    tr_policy_evaluate(&policy, 2, &features, action);
    assert_near(action[1], -2, 0);
    policy.ground[0][3] = -10;
    features.ground[3] = 0.5;
    assert_int_equal(TR_GROUND_COUNT, tr_policy_ground_count(&policy));
    tr_policy_evaluate(&policy, 2, &features, action);
    assert_near(action[0], 15.5, 0);
}

TEST(actions_turn_in_front_of_the_targets) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 1, 3, 5);
    const tr_action_map *map = &tr_controller_bank(controller)->action;
    double action[TR_ACTION_MAX] = {0};
    tr_quat plain[TR_BODY_MAX], turned[TR_BODY_MAX];
    action[0] = 0.3;  /* ltorso about x */
    action[6] = -0.2; /* lshank about its axis */
    tr_fragment_targets(model, map, &tr_controller_bank(controller)->fragment[0], 2, NULL, plain);
    tr_fragment_targets(model, map, &tr_controller_bank(controller)->fragment[0], 2, action,
                        turned);
    int shank = tr_model_find_body(model, "lshank");
    tr_quat bend = tr_quat_from_axis_angle(model->body[shank].axis, -0.2);
    tr_quat lean = tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, 0.3);
    int torso = tr_model_find_body(model, "ltorso");
    for (int b = 1; b < model->body_count; b++) {
        tr_quat expected = plain[b];
        if (b == shank)
            expected = tr_quat_mul(bend, plain[b]);
        if (b == torso)
            expected = tr_quat_mul(lean, plain[b]);
        assert_same_rotation(turned[b], expected, 1e-14);
        assert_memory_equal(
            &plain[b],
            &tr_controller_bank(controller)->fragment[0].target[2 * model->body_count + b],
            sizeof plain[b]);
    }
}

TEST(mirroring_twice_changes_nothing) {
    const tr_model *model = *given;
    tr_action_map map;
    assert_int_equal(tr_action_map_default(model, true, &map, NULL), TR_OK);
    double action[TR_ACTION_MAX] = {0}, image[TR_ACTION_MAX] = {0}, back[TR_ACTION_MAX];
    for (int i = 0; i < map.size; i++)
        action[i] = i + 1;
    tr_action_mirror(model, &map, action, image);
    tr_action_mirror(model, &map, image, back);
    for (int i = 0; i < map.size; i++)
        assert_near(back[i], action[i], 1e-15);
    /* ltorso: an axial vector; lthigh (3..5) and rthigh (7..9) change places */
    assert_near(image[0], -1, 1e-15);
    assert_near(image[1], 2, 1e-15);
    assert_near(image[2], -3, 1e-15);
    assert_near(image[7], -action[3], 1e-15);
    assert_near(image[8], action[4], 1e-15);
}

/* mirror(exp(a) t) = exp(mirror a) mirror(t), bit for bit: the products differ in signs only. */
TEST(mirror_goes_through_the_action) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 1, 1, 9);
    const tr_action_map *map = &tr_controller_bank(controller)->action;
    const tr_quat *plain = tr_controller_bank(controller)->fragment[0].target;
    tr_random random = tr_random_seed(3);
    double action[TR_ACTION_MAX], image[TR_ACTION_MAX];
    for (int i = 0; i < map->size; i++)
        action[i] = 0.2 * tr_random_normal(&random);
    tr_action_mirror(model, map, action, image);
    tr_quat turned[TR_BODY_MAX], mirrored[TR_BODY_MAX];
    tr_fragment_targets(model, map, &tr_controller_bank(controller)->fragment[0], 0, action,
                        turned);
    for (int b = 0; b < model->body_count; b++)
        mirrored[model->body[b].mirror] = tr_quat_mirror(plain[b]);
    tr_action_apply(model, map, image, mirrored);
    for (int b = 1; b < model->body_count; b++) {
        tr_quat expected = tr_quat_mirror(turned[b]), got = mirrored[model->body[b].mirror];
        assert_near(got.w, expected.w, 0);
        assert_near(got.x, expected.x, 0);
        assert_near(got.y, expected.y, 0);
        assert_near(got.z, expected.z, 0);
    }
}

/* The mirrored policy sees the mirrored state as the policy sees the state. */
TEST(a_mirrored_policy_answers_the_mirror_image) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 1, 1, 4);
    const tr_action_map *map = &tr_controller_bank(controller)->action;
    tr_policy *policy = &tr_controller_bank(controller)->fragment[0].policy;
    tr_random random = tr_random_seed(6);
    tr_features features, image;
    for (int i = 0; i < map->size; i++)
        for (int j = 0; j < TR_GROUND_COUNT; j++)
            policy->ground[i][j] = tr_random_normal(&random);
    features.ground[0] = 0.1;
    features.ground[1] = -0.2;
    features.ground[2] = 0.05;
    features.ground[3] = 0.02;
    double action[TR_ACTION_MAX], expected[TR_ACTION_MAX], found[TR_ACTION_MAX];
    for (int j = 0; j < TR_FEATURE_COUNT; j++)
        features.s[j] = tr_random_normal(&random);
    image = tr_features_mirror(&features);
    tr_policy mirrored;
    tr_policy_mirror(model, map, policy, &mirrored);
    tr_policy_evaluate(policy, map->size, &features, action);
    tr_action_mirror(model, map, action, expected);
    tr_policy_evaluate(&mirrored, map->size, &image, found);
    for (int i = 0; i < map->size; i++)
        assert_near(found[i], expected[i], 1e-14);
}

/* The sum of all fragments counts: a side step sways back before it goes. */
TEST(the_way_is_the_nearest_quarter_turn) {
    static const struct {
        double x, y;
        tr_way way;
    } cases[] = {{1, 0.9, TR_WAY_AHEAD},
                 {0.1, 1, TR_WAY_LEFT},
                 {-1, -0.9, TR_WAY_BACK},
                 {-0.1, -1, TR_WAY_RIGHT},
                 {0, 0, TR_WAY_AHEAD}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_fragment fragment[2] = {0};
        fragment[0].end.pose.root_pos = (tr_vec3){-0.5 * cases[i].x, -0.5 * cases[i].y, 0.9};
        fragment[1].end.pose.root_pos = (tr_vec3){1.5 * cases[i].x, 1.5 * cases[i].y, 0.9};
        assert_int_equal(tr_fragments_way(fragment, 2), cases[i].way);
    }
}

SUITE_FIXTURE(puppet_load, puppet_unload);
