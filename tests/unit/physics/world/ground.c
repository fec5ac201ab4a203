/* The ground under points, and the smoothed ground under characters. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

static tr_world *empty(bool plane) {
    tr_world_def def = tr_world_def_default();
    def.ground = plane;
    return scene_world(&def);
}

static uint32_t add_box(tr_world *world, tr_vec3 pos, tr_vec3 half, tr_quat rot) {
    tr_scenery_def def = {.size = half, .pos = pos, .rot = rot, .friction = 1};
    uint32_t id = 0;
    assert_int_equal(tr_world_add_scenery(world, &def, &id), TR_OK);
    return id;
}

static tr_ground under(const tr_world *world, double x, double y, double z) {
    tr_ground ground = {-1e9, {0, 0, 0}};
    assert_true(tr_world_ground(world, (tr_vec3){x, y, z}, &ground));
    return ground;
}

TEST(the_plane_is_at_zero) {
    OWN(tr_world) *world = empty(true), *void_world = empty(false);
    tr_ground ground = {7, {0, 0, 0}};
    assert_near(under(world, 3, 4, 100).height, 0, 0);
    assert_near(under(world, 3, 4, -1).height, 0, 0);
    assert_false(tr_world_ground(void_world, (tr_vec3){0, 0, 5}, &ground));
    assert_near(ground.height, 7, 0);
    assert_false(tr_world_ground(world, (tr_vec3){(double)NAN, 0, 5}, &ground));
}

TEST(a_bridge_is_ground_on_it_and_not_below) {
    OWN(tr_world) *world = empty(true);
    add_box(world, (tr_vec3){0, 0, 2.9}, (tr_vec3){5, 1, 0.1}, tr_quat_identity());
    assert_near(under(world, 0, 0, 1).height, 0, 0);
    assert_near(under(world, 0, 0, 2.79).height, 0, 0);
    assert_near(under(world, 0, 0, 2.85).height, 3, 1e-12);
    assert_near(under(world, 0, 0, 4).height, 3, 1e-12);
    assert_near(under(world, 0, 1.5, 4).height, 0, 0);
}

/* z = x tan a on the top face, and the normal of that face. */
TEST(a_ramp_has_its_slope) {
    OWN(tr_world) *world = empty(false);
    double a = 0.3;
    tr_quat tilt = tr_quat_from_axis_angle((tr_vec3){0, -1, 0}, a);
    add_box(world, tr_quat_rotate(tilt, (tr_vec3){0, 0, -1}), (tr_vec3){5, 5, 1}, tilt);
    for (double x = -2; x <= 2; x += 0.5) {
        tr_ground ground = under(world, x, 0.3, 9);
        assert_near(ground.height, x * tr_sin(a) / tr_cos(a), 1e-12);
        assert_near(ground.normal.x, -tr_sin(a), 1e-12);
        assert_near(ground.normal.z, tr_cos(a), 1e-12);
    }
}

/* Kinematic objects are ground, of every shape, where they are now; free ones are not. */
TEST(kinematic_objects_are_ground) {
    static const struct {
        tr_geom_kind kind;
        tr_vec3 size;
        tr_quat rot;
        double x, height;
    } row[] = {
        {TR_GEOM_SPHERE, {0.5, 0, 0}, {1, 0, 0, 0}, 0.3, 1.4},
        {TR_GEOM_BOX, {0.5, 0.5, 0.2}, {1, 0, 0, 0}, 0.3, 1.2},
        {TR_GEOM_CAPSULE, {0.5, 0.5, 0}, {1, 0, 0, 0}, 0.3, 1.9},
        {TR_GEOM_CAPSULE, {0.3, 1, 0}, {0.70710678118654752, 0, 0.70710678118654752, 0}, 0.5, 1.3},
        {TR_GEOM_CAPSULE,
         {0.3, 1, 0},
         {0.70710678118654752, 0, 0.70710678118654752, 0},
         1.1,
         1.28284271247461900},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        OWN(tr_world) *world = empty(true);
        tr_object_def def = {.geom_count = 1, .mass = 10};
        def.geom[0] =
            (tr_geom){.kind = row[i].kind, .size = row[i].size, .rot = row[i].rot, .friction = 1};
        tr_object_state at = {.pos = {0, 0, 0.5}, .rot = {1, 0, 0, 0}, .vel = {0, 0, 1}};
        tr_entity_id id;
        assert_int_equal(tr_world_add_object(world, &def, &at, &id), TR_OK);
        assert_near(under(world, row[i].x, 0, 9).height, 0, 0);
        assert_int_equal(tr_world_set_kinematic(world, id, true), TR_OK);
        scene_step(world, 100);
        assert_near(under(world, row[i].x, 0, 9).height, row[i].height, 1e-9);
        assert_near(under(world, 5, 0, 9).height, 0, 0);
    }
}

/* Puts a character at a place, and returns the ground that the world knows there without a step. */
static tr_ground local_at(tr_world *world, const tr_model *model, double x, double y, double z) {
    tr_entity_id id = scene_stand(world, model, x, y, z);
    tr_ground ground = tr_world_local_ground(world, id);
    assert_int_equal(tr_world_remove_character(world, id), TR_OK);
    return ground;
}

TEST(a_level_is_met_exactly_at_any_height) {
    const tr_model *model = *given;
    const double heights[] = {-1000, -5, 0.05, 50, 1000};
    for (int i = 0; i < 5; i++) {
        OWN(tr_world) *world = empty(false);
        double h = heights[i] - 1 + 1; /* as the top is computed */
        add_box(world, (tr_vec3){0, 0, h - 1}, (tr_vec3){50, 50, 1}, tr_quat_identity());
        tr_ground ground = local_at(world, model, 0.3, 0.7, h);
        assert_near(ground.height, h, 0);
        assert_near(ground.normal.z, 1, 0);
    }
}

TEST(the_local_ground_of_a_slope_is_the_slope) {
    const tr_model *model = *given;
    OWN(tr_world) *world = empty(false);
    double a = 0.2;
    tr_quat tilt = tr_quat_from_axis_angle((tr_vec3){0, -1, 0}, a);
    add_box(world, tr_quat_rotate(tilt, (tr_vec3){0, 0, -1}), (tr_vec3){9, 9, 1}, tilt);
    tr_ground ground = local_at(world, model, 1.5, 0, 1);
    assert_near(ground.height, 1.5 * tr_sin(a) / tr_cos(a), 1e-12);
    assert_near(ground.normal.x, -tr_sin(a), 1e-12);
}

/* Slides a character across x at 2 m/s; returns the largest change of the ground's height in one
 * step. */
static double largest_jump(tr_world *world, const tr_model *model, double *out_end) {
    tr_entity_id id = scene_stand(world, model, -1, 0, 0.1);
    assert_int_equal(tr_world_set_kinematic(world, id, true), TR_OK);
    tr_state s;
    assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
    s.root_vel.x = 2;
    assert_int_equal(tr_world_set_state(world, id, &s), TR_OK);
    double last = tr_world_local_ground(world, id).height, worst = 0;
    for (int k = 0; k < 200; k++) {
        scene_step(world, 1);
        double now = tr_world_local_ground(world, id).height;
        worst = fmax(worst, fabs(now - last));
        last = now;
    }
    *out_end = last;
    return worst;
}

TEST(a_kerb_is_a_short_ramp) {
    const tr_model *model = *given;
    OWN(tr_world) *world = empty(true);
    double end;
    add_box(world, (tr_vec3){3, 0, 0}, (tr_vec3){3, 5, 0.08}, tr_quat_identity());
    assert_true(largest_jump(world, model, &end) < 0.04);
    assert_near(end, 0.08, 1e-12);
}

/* A wall beside a character or a bar overhead is not its ground. */
TEST(walls_and_bars_are_not_the_ground) {
    const tr_model *model = *given;
    OWN(tr_world) *world = empty(true);
    double end;
    add_box(world, (tr_vec3){0, 0.25, 0.4}, (tr_vec3){5, 0.1, 0.4}, tr_quat_identity());
    add_box(world, (tr_vec3){0, 0, 2.2}, (tr_vec3){0.3, 3, 0.1}, tr_quat_identity());
    assert_near(largest_jump(world, model, &end), 0, 0);
    assert_near(end, 0, 0);
}

TEST(above_a_gap_the_last_ground_stays) {
    const tr_model *model = *given;
    OWN(tr_world) *world = empty(false);
    double end;
    add_box(world, (tr_vec3){-2, 0, 0}, (tr_vec3){1.8, 3, 0.1}, tr_quat_identity());
    assert_near(largest_jump(world, model, &end), 0, 1e-12);
    assert_near(end, 0.1, 1e-12);
}

TEST(over_a_cliff_it_is_the_ground_below) {
    const tr_model *model = *given;
    OWN(tr_world) *world = empty(false);
    double end;
    add_box(world, (tr_vec3){-2, 0, 0}, (tr_vec3){1.8, 3, 0.1}, tr_quat_identity());
    add_box(world, (tr_vec3){0, 0, -2}, (tr_vec3){9, 9, 0.1}, tr_quat_identity());
    assert_near(largest_jump(world, model, &end), 2, 1e-9);
    assert_near(end, -1.9, 1e-12);
}

TEST(a_lift_takes_its_ground_along) {
    const tr_model *model = *given;
    OWN(tr_world) *world = empty(true);
    tr_object_def def = {.geom_count = 1, .mass = 10};
    def.geom[0] =
        (tr_geom){.kind = TR_GEOM_BOX, .size = {1, 1, 0.1}, .rot = {1, 0, 0, 0}, .friction = 1};
    tr_object_state at = {.pos = {0, 0, -0.05}, .rot = {1, 0, 0, 0}, .vel = {0, 0, 1}};
    tr_entity_id lift;
    assert_int_equal(tr_world_add_object(world, &def, &at, &lift), TR_OK);
    assert_int_equal(tr_world_set_kinematic(world, lift, true), TR_OK);
    tr_entity_id id = scene_stand(world, model, 0, 0, 0.06);
    scene_step(world, 400);
    assert_near(tr_world_local_ground(world, id).height, 2.05, 1e-9);
    tr_state s;
    assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
    assert_near(s.pose.root_pos.z, 3.0, 0.02);
}

/* A block at each of the points alone, wherever the character stands and looks; beyond 1 m it is 1 m. */
TEST(the_ground_ahead_is_seen_from_the_root) {
    const tr_model *model = *given;
    for (int at = 1; at < TR_GROUND_AHEAD; at++) {
        OWN(tr_world) *world = empty(at % 2 != 0);
        const tr_quat turn = tr_quat_from_heading(0.3 * at);
        const tr_vec3 place = {at, -2, 0}, ahead = {at / 3 * 0.25, (at % 3 - 1) * 0.2, 0};
        tr_entity_id id = scene_stand(world, model, place.x, place.y, 0);
        tr_state s;
        assert_int_equal(tr_world_get_state(world, id, &s), TR_OK);
        s.pose.root_rot = turn;
        assert_int_equal(tr_world_set_state(world, id, &s), TR_OK);
        add_box(world, tr_vec3_add(place, tr_quat_rotate(turn, ahead)),
                (tr_vec3){0.02, 0.02, 0.1 * at}, turn);
        double seen[TR_GROUND_AHEAD];
        tr_world_ground_ahead(world, id, seen);
        for (int i = 0; i < TR_GROUND_AHEAD; i++)
            assert_near(seen[i], i == at ? fmin(0.1 * at, 1) : at % 2 ? 0 : -1, 1e-12);
        tr_world_ground_ahead(world, id + 1, seen);
        assert_near(seen[at], 0, 0);
    }
}

TEST(scenery_can_be_removed) {
    OWN(tr_world) *world = empty(true), *fresh = empty(true);
    uint32_t ids[3] = {0, 0, 0}, listed[3];
    for (int i = 0; i < 3; i++)
        ids[i] = add_box(world, (tr_vec3){i, 0, 0}, (tr_vec3){0.4, 1, 0.5 + 0.1 * i},
                         tr_quat_identity());
    assert_int_equal(ids[0], 1);
    assert_int_equal(tr_world_remove_scenery(world, ids[1]), TR_OK);
    assert_int_equal(tr_world_remove_scenery(world, ids[1]), TR_NOT_FOUND);
    assert_null(tr_world_scenery_def(world, ids[1]));
    assert_near(under(world, 1, 0, 9).height, 0, 0);
    assert_near(under(world, 2, 0, 9).height, 0.7, 1e-12);
    static unsigned char bytes[1 << 16];
    size_t size;
    assert_int_equal(tr_world_snapshot(world, bytes, sizeof bytes, &size), TR_OK);
    assert_int_equal(tr_world_restore(fresh, bytes, size, NULL, 0), TR_OK);
    assert_int_equal(tr_world_hash(fresh), tr_world_hash(world));
    assert_int_equal(tr_world_scenery(fresh, listed, 3), 2);
    assert_int_equal(listed[1], 3);
    assert_int_equal(add_box(fresh, (tr_vec3){0, 0, 0}, (tr_vec3){1, 1, 1}, tr_quat_identity()), 4);
}

/* A snapshot taken on a kerb continues to the bit, local ground and all. */
TEST(a_snapshot_keeps_the_local_ground) {
    const tr_model *model = *given;
    OWN(tr_world) *world = empty(true);
    add_box(world, (tr_vec3){3, 0, 0}, (tr_vec3){3, 5, 0.08}, tr_quat_identity());
    tr_entity_id id = scene_stand(world, model, 0.05, 0, 0.1);
    scene_step(world, 10);
    const double height = tr_world_local_ground(world, id).height;
    assert_true(height > 0.02 && height < 0.07);
    scene_check_restored(world, model, 60);
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
