/* Finite inputs give finite results: random models, poses, targets,
 * forces, things and pins. */
#include "cmocka_test.h"

#include "stride.h"
#include "unit/physics/scenes.h"

#include <stdlib.h>

static double spread(tr_random *r, double size) {
    return size * tr_random_normal(r);
}

static tr_vec3 vector(tr_random *r, double size) {
    double x = spread(r, size), y = spread(r, size);
    return (tr_vec3){x, y, spread(r, size)};
}

static tr_state random_state(const tr_model *model, tr_random *r) {
    tr_pose pose = tr_pose_rest(model);
    tr_state s = tr_state_at_rest(model, &pose);
    double wild = tr_random_uniform(r) < 0.2 ? 1000 : 3;
    s.pose.root_pos = vector(r, 0.5);
    s.pose.root_rot = tr_quat_exp(vector(r, 2));
    s.root_vel = vector(r, wild);
    s.root_omega = vector(r, wild);
    for (int i = 1; i < model->body_count; i++) {
        s.pose.joint[i] = tr_quat_exp(vector(r, 1));
        s.joint_rate[i] = vector(r, wild);
    }
    return s;
}

static void check_finite(const tr_world *world, tr_entity_id id) {
    const tr_model *model = tr_world_character_model(world, id);
    const tr_body_state *b = tr_world_bodies(world, id);
    const tr_vec3 *torque = tr_world_servo_torques(world, id);
    for (int i = 0; i < model->body_count; i++) {
        assert_true(tr_vec3_is_finite(b[i].com_pos) && tr_vec3_is_finite(b[i].com_vel));
        assert_true(tr_quat_is_finite(b[i].rot) && tr_vec3_is_finite(b[i].omega));
        assert_true(i == 0 || tr_vec3_is_finite(torque[i]));
    }
    int count;
    const tr_contact *contact = tr_world_contacts(world, &count);
    for (int i = 0; i < count; i++)
        assert_true(tr_vec3_is_finite(contact[i].impulse));
}

static void disturb(tr_world *world, tr_entity_id id, tr_random *r) {
    const tr_model *model = tr_world_character_model(world, id);
    tr_quat target[TR_BODY_MAX];
    for (int i = 0; i < model->body_count; i++)
        target[i] = tr_quat_exp(vector(r, 1));
    assert_int_equal(tr_world_set_targets(world, id, target), TR_OK);
    double size = tr_random_uniform(r) < 0.1 ? 1e6 : 300;
    tr_push push = {.entity = id,
                    .body = (int)(tr_random_next(r) % (uint64_t)model->body_count),
                    .point = vector(r, 0.1),
                    .force = vector(r, size),
                    .steps = 1 + (int)(tr_random_next(r) % 20)};
    assert_int_equal(tr_world_push(world, &push), TR_OK);
}

/* An object of random shape that flies, held to a body of the character in half of the worlds. */
static tr_entity_id throw_thing(tr_world *world, tr_entity_id id, tr_random *r) {
    const tr_model *model = tr_world_character_model(world, id);
    tr_object_def def = {.geom_count = 1, .mass = 0.05 + 20 * tr_random_uniform(r)};
    def.geom[0] = model->geom[tr_random_next(r) % (uint64_t)model->geom_count];
    tr_object_state at = {vector(r, 0.5), tr_quat_exp(vector(r, 1)), vector(r, 20), vector(r, 20)};
    tr_entity_id thing, pin;
    assert_int_equal(tr_world_add_object(world, &def, &at, &thing), TR_OK);
    if (tr_random_uniform(r) < 0.5)
        return thing;
    tr_pin_def tie = {.entity = {id, thing},
                      .body = {(int)(tr_random_next(r) % (uint64_t)model->body_count), 0},
                      .point = {vector(r, 0.2), vector(r, 0.2)}};
    assert_int_equal(tr_world_add_pin(world, &tie, &pin), TR_OK);
    return thing;
}

static void check_thing(const tr_world *world, tr_entity_id id) {
    tr_object_state s;
    assert_int_equal(tr_world_get_object(world, id, &s), TR_OK);
    assert_true(tr_vec3_is_finite(s.pos) && tr_vec3_is_finite(s.vel));
    assert_true(tr_quat_is_finite(s.rot) && tr_vec3_is_finite(s.omega));
}

TEST(finite_in_finite_out) {
    OWN_MEMORY tr_model *model = malloc(2 * sizeof *model);
    assert_non_null(model);
    int faults = 0;
    for (uint64_t seed = 0; seed < 150; seed += (uint64_t)suite_stride(7)) {
        tr_random r = tr_random_split(11, seed, 0);
        tr_world_def def = tr_world_def_default();
        def.step_s = seed % 3 ? 0.005 : 0.01;
        OWN(tr_world) *world = scene_world(&def);
        tr_entity_id id[2];
        for (int k = 0; k < 2; k++) {
            scene_random_model(&model[k], seed % 10 == 9 ? TR_BODY_MAX : 12, &r);
            tr_state s = random_state(&model[k], &r);
            assert_int_equal(tr_world_add_character(world, &model[k], &s, &id[k]), TR_OK);
        }
        tr_random extra = tr_random_split(11, seed, 1);
        tr_entity_id thing = throw_thing(world, id[0], &extra);
        for (int step = 0; step < 60; step++) {
            if (step % 10 == 0)
                disturb(world, id[step / 10 % 2], &r);
            if (step == 30)
                assert_int_equal(tr_world_set_servo(world, id[0], TR_SERVO_RAGDOLL), TR_OK);
            faults += tr_world_step(world) != TR_OK;
            check_finite(world, id[0]);
            check_finite(world, id[1]);
            check_thing(world, thing);
        }
    }
    assert_int_equal(faults, 0);
}
