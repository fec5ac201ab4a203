/* Soft shapes: they give way in proportion to their softness, and land softly. */
#include "cmocka_test.h"

#include "model/model_build.h"
#include "oracle/ode_reference.h"
#include "unit/physics/scenes.h"

#include <math.h>

static const double MASS = 10, HALF = 0.1;

/* A character of one body, a box. */
static tr_model box(double softness) {
    tr_model model;
    tr_model_init(&model);
    double moment = MASS * 2 * HALF * 2 * HALF / 6;
    model.body_count = model.geom_count = model.gain_set_count = 1;
    model.body[0] = (tr_body){.name = "box",
                              .parent = -1,
                              .joint = TR_JOINT_FREE,
                              .rot = {1, 0, 0, 0},
                              .mass = MASS,
                              .inertia = tr_mat3_diagonal(moment, moment, moment),
                              .torque_limit = (double)INFINITY};
    model.geom[0] = (tr_geom){.kind = TR_GEOM_BOX,
                              .size = {HALF, HALF, HALF},
                              .rot = {1, 0, 0, 0},
                              .friction = 1,
                              .softness = softness};
    tr_model_finish(&model);
    return model;
}

/* Falls from a height for two seconds: the largest force of the ground in a step, and the depth at its end. */
static double fall(const tr_model *model, double height, const tr_stepper *stepper,
                   double *out_depth) {
    tr_world_def def = tr_world_def_default();
    def.stepper = stepper;
    OWN(tr_world) *world = scene_world(&def);
    tr_pose pose = tr_pose_rest(model);
    pose.root_pos.z = HALF + height;
    tr_state state = tr_state_at_rest(model, &pose);
    state.pose.root_pos.z = HALF + height;
    tr_entity_id id;
    double largest = 0;
    assert_int_equal(tr_world_add_character(world, model, &state, &id), TR_OK);
    for (int step = 0; step < 400; step++) {
        int count;
        double push = 0;
        assert_int_equal(tr_world_step(world), TR_OK);
        const tr_contact *contact = tr_world_contacts(world, &count);
        for (int i = 0; i < count; i++)
            push += contact[i].impulse.z / def.step_s;
        largest = fmax(largest, fabs(push));
    }
    assert_int_equal(tr_world_get_state(world, id, &state), TR_OK);
    *out_depth = HALF - state.pose.root_pos.z;
    return largest;
}

/* At rest erp depth / h = (cfm + softness) force, for each of four contacts. */
TEST(a_soft_box_sinks_as_far_as_its_softness_says) {
    const tr_stepper *const steppers[] = {NULL, &tr_stepper_ode_reference};
    const tr_world_def def = tr_world_def_default();
    for (int i = 0; i < 2; i++) {
        tr_model soft = box(2e-3);
        double depth, force = MASS * 9.81 / 4;
        fall(&soft, 0, steppers[i], &depth);
        double expected = (def.contact_cfm + 2e-3) * force * def.step_s / def.contact_erp;
        assert_true(fabs(depth / expected - 1) < 0.05);
    }
}

/* From 5 cm, at 1 m/s: a hard box stops within a step. */
TEST(a_soft_box_lands_softly) {
    tr_model hard = box(0), soft = box(2e-3);
    double unused;
    double hard_n = fall(&hard, 0.05, NULL, &unused);
    double soft_n = fall(&soft, 0.05, NULL, &unused);
    assert_true(hard_n > 0.8 * MASS * 1 / 0.005);
    assert_true(soft_n < 0.9 * hard_n);
}

TEST(softness_counts_in_the_hash_and_objects_have_none) {
    tr_model hard = box(0), soft = box(2e-3);
    assert_true(hard.hash != soft.hash);
    const tr_object_state at = {.pos = {0, 0, 1}, .rot = {1, 0, 0, 0}};
    tr_object_def def = {.geom_count = 1, .mass = 1};
    def.geom[0] = hard.geom[0];
    assert_true(tr_object_is_usable(&def, &at));
    def.geom[0] = soft.geom[0];
    assert_false(tr_object_is_usable(&def, &at));
}

BEFORE_ALL() {
    tr_physics_init();
}
