/* Limp characters under violent pushes: energy only decreases, momentum stays. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

#include <math.h>

static tr_entity_id limp(tr_world *world, const tr_model *model) {
    tr_entity_id id = scene_stand(world, model, 0, 0, 0);
    assert_int_equal(tr_world_set_servo(world, id, TR_SERVO_RAGDOLL), TR_OK);
    return id;
}

/* 0.1 s of it, sideways and up. */
static void yank(tr_world *world, tr_entity_id id, const char *body, double force_n) {
    const tr_model *model = tr_world_character_model(world, id);
    tr_push push = {.entity = id,
                    .body = tr_model_find_body(model, body),
                    .force = {force_n, 0.3 * force_n, 0.2 * force_n},
                    .steps = 20};
    assert_int_equal(tr_world_push(world, &push), TR_OK);
    scene_step(world, 20);
}

TEST(a_yanked_limp_body_never_gains_energy) {
    static const char *const body[] = {"lfoot", "lhand", "head", "utorso"};
    static const double force[] = {300, 1000, 3000};
    for (int k = 0; k < 12; k++) {
        tr_world_def def = tr_world_def_default();
        OWN(tr_world) *world = scene_world(&def);
        tr_entity_id id = limp(world, *given);
        scene_step(world, 100);
        double rest = scene_energy(world, id);
        yank(world, id, body[k / 3], force[k % 3]);
        double least = scene_energy(world, id), spent = least - rest;
        for (int i = 0; i < 600; i++) {
            scene_step(world, 1);
            double now = scene_energy(world, id);
            assert_true(now < least + 0.5 + 0.005 * spent); /* what joints and ground press back */
            least = fmin(least, now);
        }
    }
}

TEST(a_yanked_limp_body_in_flight_keeps_its_momentum) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    def.gravity = (tr_vec3){0, 0, 0};
    def.ground = false;
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = limp(world, model);
    yank(world, id, "lfoot", 3000);
    tr_momentum p = tr_body_momentum(model, tr_world_bodies(world, id));
    double energy = scene_energy(world, id), highest = 0;
    for (int i = 0; i < 400; i++) {
        scene_step(world, 1);
        tr_momentum now = tr_body_momentum(model, tr_world_bodies(world, id));
        assert_near(tr_vec3_distance(now.com_vel, p.com_vel), 0, 1e-9 * tr_vec3_length(p.com_vel));
        assert_near(tr_vec3_distance(now.angular, p.angular), 0, 1e-9 * tr_vec3_length(p.angular));
        highest = fmax(highest, scene_energy(world, id));
    }
    assert_true(highest < energy * 1.001);
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
