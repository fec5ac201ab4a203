/* Contacts of characters and objects: support, friction, scenery, throws, pins, crowds. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

TEST(impulses_carry_the_weight) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 0.005);
    scene_step(world, 400);
    double sum = 0;
    int count;
    const tr_contact *contact = tr_world_contacts(world, &count);
    assert_true(count >= 4);
    for (int i = 0; i < count; i++) {
        assert_int_equal(contact[i].entity[0], id);
        assert_int_equal(contact[i].entity[1], 0);
        assert_int_equal(contact[i].body[1], -1);
        assert_near(contact[i].normal.z, 1, 1e-9);
        assert_true(contact[i].impulse.z >= 0);
        sum += contact[i].impulse.z;
    }
    assert_near(sum / def.step_s, 9.81 * model->mass, 0.02 * 9.81 * model->mass);
}

/* A sliding box stops after v^2 / (2 mu g), and not on ice. */
TEST(friction_stops_a_box_and_a_patch_lets_it_slide) {
    for (int ice = 0; ice < 2; ice++) {
        tr_world_def def = tr_world_def_default();
        def.ground_friction = 0.5;
        OWN(tr_world) *world = scene_world(&def);
        tr_scenery_def patch = {.kind = TR_SCENERY_PATCH,
                                .size = {9, 9, 0},
                                .rot = {1, 0, 0, 0},
                                .friction = ice ? 0 : 0.5};
        assert_int_equal(tr_world_add_scenery(world, &patch, NULL), TR_OK);
        tr_object_state at = {.pos = {0, 0, 0.0499}, .rot = {1, 0, 0, 0}, .vel = {2, 0, 0}};
        tr_entity_id id = scene_shape(world, TR_GEOM_BOX, (tr_vec3){0.2, 0.2, 0.05}, at);
        scene_step(world, 300);
        double want = ice ? 2 * 1.5 : 4 / (2 * 0.5 * 9.81);
        assert_near(scene_thing_state(world, id).pos.x, want, 0.04);
        assert_near(scene_thing_state(world, id).vel.x, ice ? 2 : 0, 0.02);
    }
}

/* A ball rolls on without sinking, and keeps its speed. */
TEST(a_ball_rolls) {
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_object_state at = {
        .pos = {0, 0, 0.11}, .rot = {1, 0, 0, 0}, .vel = {5, 0, 0}, .omega = {0, 5 / 0.11, 0}};
    tr_entity_id id = scene_shape(world, TR_GEOM_SPHERE, (tr_vec3){0.11, 0, 0}, at);
    scene_step(world, 400);
    assert_near(scene_thing_state(world, id).pos.x, 10, 0.2);
    assert_near(scene_thing_state(world, id).pos.z, 0.11, 0.002);
}

TEST(a_bump_holds_a_box_up) {
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_scenery_def bump = {
        .size = {0.5, 0.5, 0.1}, .pos = {0, 0, 0.1}, .rot = {1, 0, 0, 0}, .friction = 1};
    assert_int_equal(tr_world_add_scenery(world, &bump, NULL), TR_OK);
    tr_object_state at = {.pos = {0, 0, 0.4}, .rot = {1, 0, 0, 0}};
    tr_entity_id id = scene_shape(world, TR_GEOM_BOX, (tr_vec3){0.1, 0.1, 0.1}, at);
    scene_step(world, 400);
    assert_near(scene_thing_state(world, id).pos.z, 0.3, 0.003);
}

/* How far a box slides in one second down a ramp of 20 degrees, m. */
static double slide(double friction) {
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    OWN(tr_world) *world = scene_world(&def);
    tr_quat tilt = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, TR_PI / 9);
    tr_scenery_def ramp = {.size = {5, 1, 0.5}, .rot = tilt, .friction = friction};
    assert_int_equal(tr_world_add_scenery(world, &ramp, NULL), TR_OK);
    tr_object_state at = {.pos = tr_quat_rotate(tilt, (tr_vec3){-2, 0, 0.5999}), .rot = tilt};
    tr_entity_id id = scene_shape(world, TR_GEOM_BOX, (tr_vec3){0.2, 0.2, 0.1}, at);
    scene_step(world, 200);
    double way = tr_vec3_distance(scene_thing_state(world, id).pos, at.pos);
    return way;
}

/* tan 20 degrees = 0.364 divides holding from sliding by g (sin - mu cos) t^2 / 2. */
TEST(a_ramp_holds_a_box_or_lets_it_slide) {
    double sine = tr_sin(TR_PI / 9), cosine = tr_cos(TR_PI / 9);
    assert_true(slide(0.45) < 0.01);
    assert_near(slide(0.1), 0.5 * 9.81 * (sine - 0.1 * cosine), 0.03);
}

/* Two balls that meet head-on: momentum is kept, and they do not pass through each other. */
TEST(a_throw_meets_a_ball) {
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    def.gravity.z = 0;
    OWN(tr_world) *world = scene_world(&def);
    tr_object_state a = {.pos = {-1, 0, 0}, .rot = {1, 0, 0, 0}, .vel = {4, 0, 0}};
    tr_object_state b = {.pos = {1, 0, 0}, .rot = {1, 0, 0, 0}};
    tr_entity_id thrown = scene_shape(world, TR_GEOM_SPHERE, (tr_vec3){0.1, 0, 0}, a);
    tr_entity_id target = scene_shape(world, TR_GEOM_SPHERE, (tr_vec3){0.1, 0, 0}, b);
    scene_step(world, 200);
    a = scene_thing_state(world, thrown);
    b = scene_thing_state(world, target);
    assert_near(a.vel.x + b.vel.x, 4, 1e-9);
    assert_true(b.vel.x > 1.9);
    assert_true(b.pos.x - a.pos.x > 0.19);
}

TEST(a_pin_holds_a_swinging_ball) {
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_object_state at = {
        .pos = {0, 0, 1.5}, .rot = {1, 0, 0, 0}, .vel = {2, 0, 0}, .omega = {0, -4, 0}};
    tr_entity_id id = scene_shape(world, TR_GEOM_SPHERE, (tr_vec3){0.05, 0, 0}, at), pin;
    tr_pin_def def_pin = {.entity = {id, 0}, .point = {{0, 0, 0.5}, {0, 0, 2}}};
    assert_int_equal(tr_world_add_pin(world, &def_pin, &pin), TR_OK);
    double highest = 0;
    for (int k = 0; k < 1000; k++) {
        scene_step(world, 1);
        tr_object_state s = scene_thing_state(world, id);
        tr_vec3 held = tr_vec3_add(s.pos, tr_quat_rotate(s.rot, (tr_vec3){0, 0, 0.5}));
        assert_true(tr_vec3_distance(held, (tr_vec3){0, 0, 2}) < 0.01);
        highest = fmax(highest, s.pos.z);
    }
    assert_true(highest > 1.6 && highest < 1.5 + 4 / (2 * 9.81) + 0.01);
    assert_int_equal(tr_world_remove_pin(world, pin), TR_OK);
    assert_int_equal(tr_world_remove_pin(world, pin), TR_NOT_FOUND);
    scene_step(world, 200);
    assert_true(scene_thing_state(world, id).pos.z < 1);
}

/* A foot pinned to a board that hangs in the air lifts the board along. */
TEST(a_pin_ties_a_body_to_an_object) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 1), pin;
    tr_vec3 foot = tr_world_bodies(world, id)[model->foot[0]].com_pos;
    tr_object_state at = {.pos = {foot.x, foot.y, foot.z - 0.1}, .rot = {1, 0, 0, 0}};
    tr_entity_id board = scene_shape(world, TR_GEOM_BOX, (tr_vec3){0.15, 0.05, 0.01}, at);
    tr_pin_def tie = {.entity = {id, board},
                      .body = {model->foot[0], 0},
                      .point = {model->body[model->foot[0]].com, {0, 0, 0.1}}};
    assert_int_equal(tr_world_add_pin(world, &tie, &pin), TR_OK);
    for (int k = 0; k < 400; k++) {
        scene_step(world, 1);
        tr_object_state s = scene_thing_state(world, board);
        tr_vec3 held = tr_vec3_add(s.pos, tr_quat_rotate(s.rot, (tr_vec3){0, 0, 0.1}));
        tr_vec3 holder = tr_world_bodies(world, id)[model->foot[0]].com_pos;
        assert_true(tr_vec3_distance(held, holder) < 0.06);
    }
    /* With the character goes its pin. */
    assert_int_equal(tr_world_remove_character(world, id), TR_OK);
    assert_int_equal(tr_world_remove_pin(world, pin), TR_NOT_FOUND);
    scene_step(world, 10);
}

static void check_intact(const tr_world *world, tr_entity_id id) {
    const tr_model *model = tr_world_character_model(world, id);
    const tr_body_state *b = tr_world_bodies(world, id);
    for (int i = 0; i < model->body_count; i++) {
        assert_true(tr_vec3_is_finite(b[i].com_pos));
        assert_true(b[i].com_pos.z > -0.1 && b[i].com_pos.z < 3);
        assert_true(tr_vec3_length(b[i].com_vel) < 30);
        assert_true(tr_vec3_distance(b[i].com_pos, b[0].com_pos) < 1.3);
    }
}

TEST(four_characters_collide_and_stay_intact) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id[4];
    int touching = 0;
    for (int k = 0; k < 4; k++) {
        double x = k % 2 ? 0.5 : -0.5, y = k / 2 ? 0.5 : -0.5;
        id[k] = scene_stand(world, model, x, y, 0.01);
        tr_state s;
        assert_int_equal(tr_world_get_state(world, id[k], &s), TR_OK);
        s.root_vel = (tr_vec3){-4 * x, -4 * y, 0};
        assert_int_equal(tr_world_set_state(world, id[k], &s), TR_OK);
    }
    for (int step = 0; step < 600; step++) {
        scene_step(world, 1);
        int count;
        const tr_contact *contact = tr_world_contacts(world, &count);
        for (int i = 0; i < count; i++)
            touching += contact[i].entity[1] != 0 && contact[i].entity[1] != contact[i].entity[0];
        for (int k = 0; k < 4; k++)
            check_intact(world, id[k]);
    }
    assert_true(touching > 100);
}

/* An arm swung into the body stops at it, and passes without self-collision. */
TEST(self_collision_can_be_had_or_not) {
    const tr_model *model = *given;
    for (int self = 0; self < 2; self++) {
        tr_world_def def = tr_world_def_default();
        def.self_collision = self;
        def.gravity.z = 0;
        OWN(tr_world) *world = scene_world(&def);
        tr_entity_id id = scene_stand(world, model, 0, 0, 1);
        tr_quat target[TR_BODY_MAX];
        for (int i = 0; i < model->body_count; i++)
            target[i] = tr_quat_identity();
        target[tr_model_find_body(model, "luarm")] =
            tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, -0.9);
        assert_int_equal(tr_world_set_targets(world, id, target), TR_OK);
        scene_step(world, 200);
        int count, own = 0;
        const tr_contact *contact = tr_world_contacts(world, &count);
        for (int i = 0; i < count; i++)
            own += contact[i].entity[0] == contact[i].entity[1];
        assert_true(self ? own > 0 : own == 0);
    }
}

/* A character alone does the same to the bit whether or not others are far away in its world. */
TEST(islands_do_not_disturb_each_other) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *alone = scene_world(&def), *crowd = scene_world(&def);
    tr_entity_id a = scene_stand(alone, model, 0, 0, 0.2);
    tr_entity_id far = scene_stand(crowd, model, 5, 5, 0.2),
                 b = scene_stand(crowd, model, 0, 0, 0.2);
    assert_int_equal(tr_world_set_servo(crowd, far, TR_SERVO_RAGDOLL), TR_OK);
    tr_state s, t;
    scene_step(alone, 300);
    scene_step(crowd, 300);
    assert_int_equal(tr_world_get_state(alone, a, &s), TR_OK);
    assert_int_equal(tr_world_get_state(crowd, b, &t), TR_OK);
    assert_memory_equal(&s, &t, sizeof s);
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
