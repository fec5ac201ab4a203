#include "cmocka_test.h"

#include "learn/rehearsal/trial_world.h"
#include "model/mjcf.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

TEST(draws_stay_within_their_share) {
    tr_random random = tr_random_split(7, 0, 0);
    double least = 2, most = 0;
    for (int i = 0; i < 1000; i++) {
        tr_trial_world world = tr_trial_world_draw(0.1, &random);
        const double factor[] = {world.mass, world.friction, world.gravity, world.contact};
        assert_near(world.strength, 1, 0);
        for (int k = 0; k < 4; k++) {
            least = factor[k] < least ? factor[k] : least;
            most = factor[k] > most ? factor[k] : most;
        }
    }
    assert_true(least >= 0.9 && least < 0.901 && most <= 1.1 && most > 1.099);
    tr_trial_world plain = tr_trial_world_plain();
    assert_true(tr_trial_world_is_plain(&plain));
    plain.contact = 1.01;
    assert_false(tr_trial_world_is_plain(&plain));
}

TEST(a_place_has_the_factors) {
    OWN(tr_model) *model = NULL;
    assert_int_equal(tr_mjcf_load(TR_MODEL_DIR "/humanoid_limited.xml", &model, NULL), TR_OK);
    OWN(tr_controller) *stander = sway_stander(model, false);
    const tr_trial_world world = {1.5, 2, 0.6, 0.5, 0.8};
    tr_trial_place place;
    assert_int_equal(tr_trial_place_open(&world, model, stander, &place), TR_OK);
    const tr_model *there =
        tr_world_character_model(place.rehearsal.world, place.rehearsal.character);
    int knee = tr_model_find_body(model, "lshank");
    assert_near(there->mass, 2 * model->mass, 1e-9);
    assert_near(there->body[knee].mass, 2 * model->body[knee].mass, 1e-12);
    assert_near(there->body[knee].inertia.m[0], 2 * model->body[knee].inertia.m[0], 1e-12);
    for (int positive = 0; positive < 2; positive++)
        assert_near(tr_body_torque_bound(&there->body[knee], 0, positive),
                    1.5 * tr_body_torque_bound(&model->body[knee], 0, positive), 1e-9);
    const tr_world_def plain = tr_world_def_default();
    const tr_world_def *def = tr_world_definition(place.rehearsal.world);
    assert_near(def->gravity.z, 0.5 * plain.gravity.z, 1e-12);
    assert_near(def->ground_friction, 0.6 * plain.ground_friction, 1e-12);
    assert_near(def->contact_erp, 0.8 * plain.contact_erp, 1e-12);
    tr_trial_place_close(&place);
}
