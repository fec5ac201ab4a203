#include "cmocka_test.h"

#include "control/parts/falls.h"
#include "unit/control/puppet.h"

static tr_world *world_with(const tr_model *model, const tr_state *state, tr_entity_id *out_id) {
    tr_world *world = NULL;
    tr_world_def def = tr_world_def_default();
    tr_physics_init();
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    assert_int_equal(tr_world_add_character(world, model, state, out_id), TR_OK);
    assert_int_equal(tr_world_step(world), TR_OK);
    return world;
}

static tr_state rest(const tr_model *model) {
    tr_pose pose = tr_pose_rest(model);
    return tr_state_at_rest(model, &pose);
}

TEST(standing_is_up) {
    const tr_model *model = *given;
    tr_state state = rest(model);
    tr_entity_id id;
    OWN(tr_world) *world = world_with(model, &state, &id);
    assert_false(tr_falls_is_down(world, id, false));
    assert_false(tr_falls_is_down(world, id, true));
    assert_false(tr_falls_is_down(world, id + 999, true));
}

TEST(lying_on_the_trunk_is_down) {
    const tr_model *model = *given;
    tr_state state = rest(model);
    tr_entity_id id;
    state.pose.root_rot = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, TR_PI / 2);
    state.pose.root_pos.z = 0.4;
    OWN(tr_world) *world = world_with(model, &state, &id);
    for (int i = 0; i < 200; i++)
        assert_int_equal(tr_world_step(world), TR_OK);
    assert_true(tr_falls_is_down(world, id, false));
    assert_true(tr_falls_is_down(world, id, true));
}

/* In the air, so that only lean and height speak. */
TEST(lean_and_height_decide_without_contact) {
    static const struct {
        double lean_deg, height;
        bool down, still_down;
    } table[] = {
        {0, 1.2, false, false},  {40, 0.9, false, false}, {50, 0.9, false, true},
        {70, 0.9, false, true},  {70, 0.6, false, true},  {70, 0.43, true, true},
        {50, 0.43, false, true}, {40, 0.6, false, true},
    };
    const tr_model *model = *given;
    tr_pose pose = tr_pose_rest(model);
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = NULL;
    tr_entity_id id;
    def.ground = false;
    tr_state state = rest(model);
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    assert_int_equal(tr_world_add_character(world, model, &state, &id), TR_OK);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double lean = table[i].lean_deg * TR_PI / 180;
        state.pose.root_rot = tr_quat_from_axis_angle((tr_vec3){0.6, 0.8, 0}, lean);
        state.pose.root_pos.z = table[i].height * pose.root_pos.z;
        assert_int_equal(tr_world_set_state(world, id, &state), TR_OK);
        assert_int_equal(tr_falls_is_down(world, id, false), table[i].down);
        assert_int_equal(tr_falls_is_down(world, id, true), table[i].still_down);
    }
}

SUITE_FIXTURE(puppet_load, puppet_unload);
