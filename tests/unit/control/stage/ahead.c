/* What lies ahead: walls, edges, stairs, beams, and other characters. */
#include "cmocka_test.h"

#include "control/stage/ahead.h"
#include "math/elementary.h"
#include "unit/control/puppet.h"

static const tr_model *model;
static tr_world *world;
static tr_entity_id self;

static tr_entity_id add_character(double x, double y, double z) {
    const tr_pose rest = tr_pose_rest(model);
    tr_state state = tr_state_at_rest(model, &rest);
    tr_entity_id id = 0;
    state.pose.root_pos = (tr_vec3){x, y, z + rest.root_pos.z};
    assert_int_equal(tr_world_add_character(world, model, &state, &id), TR_OK);
    return id;
}

FIXTURE(set_up) {
    const tr_world_def def = tr_world_def_default();
    model = *given;
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
}

FIXTURE(tear_down) {
    tr_world_destroy(world);
}

/* A box from one corner to the opposite one. */
static void put(tr_vec3 low, tr_vec3 high) {
    const tr_scenery_def box = {.kind = TR_SCENERY_BOX,
                                .size = tr_vec3_scale(tr_vec3_sub(high, low), 0.5),
                                .pos = tr_vec3_scale(tr_vec3_add(low, high), 0.5),
                                .rot = {1, 0, 0, 0},
                                .friction = 1};
    assert_int_equal(tr_world_add_scenery(world, &box, NULL), TR_OK);
}

static bool clear_to(double x, double y) {
    return tr_ahead_is_clear(world, self, (tr_stretch){0, 0, x, y});
}

TEST(a_wall_ends_the_way_half_a_metre_before) {
    put((tr_vec3){3, -5, 0}, (tr_vec3){3.2, 5, 2});
    self = add_character(0, 0, 0);
    assert_true(clear_to(2.4, 0));
    assert_false(clear_to(2.6, 0));
    assert_false(clear_to(6, 0));
    assert_true(clear_to(-6, 0));
    /* It is as wide as a character. */
    assert_false(clear_to(8, 13.5));
    assert_true(clear_to(8, 16));
}

TEST(an_edge_ends_the_way_and_a_kerb_does_not) {
    put((tr_vec3){-5, -5, 0}, (tr_vec3){3, 5, 1});
    put((tr_vec3){-5, 2, 1}, (tr_vec3){3, 5, 1.1});
    self = add_character(0, 0, 1);
    assert_true(clear_to(2.4, 0));
    assert_false(clear_to(2.6, 0));
    assert_true(clear_to(0, 4));
}

TEST(stairs_are_a_way) {
    for (int i = 0; i < 8; i++)
        put((tr_vec3){1 + 0.3 * i, -2, 0}, (tr_vec3){8, 2, 0.15 * (i + 1)});
    self = add_character(0, 0, 0);
    assert_true(clear_to(5, 0));
}

TEST(a_beam_is_in_the_way_below_the_head_alone) {
    self = add_character(0, 0, 0);
    put((tr_vec3){2, -2, 2.2}, (tr_vec3){2.3, 2, 2.4});
    assert_true(clear_to(5, 0));
    put((tr_vec3){-2.3, -2, 1.2}, (tr_vec3){-2, 2, 1.4});
    assert_false(clear_to(-5, 0));
}

TEST(a_world_without_ground_is_an_edge) {
    tr_world_def def = tr_world_def_default();
    def.ground = false;
    tr_world_destroy(world);
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    put((tr_vec3){-1, -1, -1}, (tr_vec3){1, 1, 0});
    self = add_character(0, 0, 0);
    assert_true(clear_to(0.4, 0));
    assert_false(clear_to(0.6, 0));
}

TEST(two_that_meet_pass_on_the_same_side) {
    self = add_character(0, 0, 0);
    const tr_entity_id other = add_character(4, 0.3, 0);
    const double off = tr_ahead_pass(world, self, 0, 9, 0);
    assert_true(off < -0.1);
    assert_true(tr_ahead_pass(world, other, TR_PI, 9, 0) < -0.1);
    /* One that is clearly to the right stays there. */
    assert_true(tr_ahead_pass(world, self, 0.2, 9, 0) > 0.1);
    /* Neither the one that it follows nor one behind or aside is passed. */
    assert_true(tr_ahead_pass(world, self, 0, 9, other) == 0);
    assert_true(tr_ahead_pass(world, self, TR_PI, 9, 0) == 0);
    assert_true(tr_ahead_pass(world, self, 0.8, 9, 0) == 0);
    /* Neither is one behind the place where it goes, or on a bridge. */
    assert_true(tr_ahead_pass(world, self, 0, 3, 0) == 0);
    (void)add_character(-3, 0.3, 3);
    assert_true(tr_ahead_pass(world, self, TR_PI, 9, 0) == 0);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
TEST_FIXTURE(set_up, tear_down);
