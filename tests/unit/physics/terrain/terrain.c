/* Terrain from seeds: the requested slope and height, level where characters begin, the same for
 * the same seed. */
#include "cmocka_test.h"

#include "physics/terrain/terrain.h"
#include "unit/physics/scenes.h"

#include <math.h>

static tr_surface *make(const tr_terrain_def *def) {
    tr_surface *surface = NULL;
    assert_int_equal(tr_terrain_create(def, &surface), TR_OK);
    return surface;
}

static tr_world *world_on(tr_surface *surface) {
    tr_world_def def = tr_world_def_default();
    tr_world *world = scene_world(&def);
    tr_scenery_def scenery = {
        .kind = TR_SCENERY_SURFACE, .rot = {1, 0, 0, 0}, .friction = 1, .surface = surface};
    assert_int_equal(tr_world_add_scenery(world, &scenery, NULL), TR_OK);
    tr_surface_release(surface);
    return world;
}

static tr_ground ground_at(const tr_world *world, double x, double y) {
    tr_ground ground;
    assert_true(tr_world_ground(world, (tr_vec3){x, y, 50}, &ground));
    return ground;
}

TEST(hills_have_the_requested_slope) {
    tr_terrain_def def = tr_terrain_def_default(TR_TERRAIN_HILLS);
    tr_surface *surface = make(&def);
    tr_heights_def field = tr_surface_heights(surface);
    assert_int_equal(field.columns, 201);
    double steepest = 0;
    for (int j = 0; j + 1 < field.rows; j++)
        for (int i = 0; i + 1 < field.columns; i++) {
            const float *at = field.height + j * field.columns + i;
            double x = at[1] - at[0], y = at[field.columns] - at[0];
            steepest = fmax(steepest, sqrt(x * x + y * y) / field.spacing_m);
        }
    assert_near(atan(steepest), def.slope_rad, 1e-4);
    for (int i = 0; i < 9; i++)
        assert_true(field.height[100 * 201 + 96 + i] == 0);
    tr_surface_release(surface);
}

TEST(rubble_lies_between_zero_and_its_height) {
    tr_terrain_def def = tr_terrain_def_default(TR_TERRAIN_RUBBLE);
    tr_surface *surface = make(&def);
    tr_heights_def field = tr_surface_heights(surface);
    float most = 0, least = 1;
    for (int i = 0; i < field.columns * field.rows; i++) {
        most = fmaxf(most, field.height[i]);
        least = fminf(least, field.height[i]);
    }
    assert_true(least == 0 && most > 0.049f && most < 0.05f);
    tr_surface_release(surface);
}

TEST(stairs_rise_step_by_step) {
    tr_terrain_def def = tr_terrain_def_default(TR_TERRAIN_STAIRS);
    OWN(tr_world) *world = world_on(make(&def));
    assert_near(ground_at(world, 0.9, 0).height, 0, 1e-9);
    for (int i = 0; i < def.steps; i++) {
        tr_ground tread = ground_at(world, 1 + def.tread_m * (i + 0.5), 0.4);
        assert_near(tread.height, def.height_m * (i + 1), 1e-6);
        assert_near(tread.normal.z, 1, 1e-6);
    }
    assert_near(ground_at(world, 2.6, 0).height, 0, 1e-9);
}

TEST(a_ball_comes_to_rest_on_a_step) {
    tr_terrain_def def = tr_terrain_def_default(TR_TERRAIN_STAIRS);
    OWN(tr_world) *world = world_on(make(&def));
    tr_object_def ball = {.geom_count = 1, .mass = 1, .linear_damping = 1, .angular_damping = 1};
    ball.geom[0] =
        (tr_geom){.kind = TR_GEOM_SPHERE, .size = {0.05, 0, 0}, .rot = {1, 0, 0, 0}, .friction = 1};
    tr_object_state at = {.pos = {1.75, 0.1, 0.7}, .rot = {1, 0, 0, 0}};
    tr_entity_id id;
    assert_int_equal(tr_world_add_object(world, &ball, &at, &id), TR_OK);
    scene_step(world, 400);
    assert_int_equal(tr_world_get_object(world, id, &at), TR_OK);
    assert_near(at.pos.z, 3 * def.height_m + 0.05, 2e-3);
}

TEST(the_same_seed_makes_the_same_ground) {
    for (int kind = TR_TERRAIN_HILLS; kind <= TR_TERRAIN_RUBBLE; kind++) {
        tr_terrain_def def = tr_terrain_def_default((tr_terrain_kind)kind);
        tr_surface *a = make(&def), *b = make(&def);
        def.seed++;
        tr_surface *c = make(&def);
        assert_true(tr_surface_hash(a) == tr_surface_hash(b));
        assert_true(tr_surface_hash(a) != tr_surface_hash(c));
        tr_surface_release(a);
        tr_surface_release(b);
        tr_surface_release(c);
    }
}

TEST(bad_sizes_are_refused) {
    tr_surface *surface = NULL;
    tr_terrain_def def = tr_terrain_def_default(TR_TERRAIN_HILLS);
    def.cell_m = 0.01;
    assert_int_equal(tr_terrain_create(&def, &surface), TR_INVALID_ARGUMENT);
    def = tr_terrain_def_default(TR_TERRAIN_STAIRS);
    def.steps = 101;
    assert_int_equal(tr_terrain_create(&def, &surface), TR_INVALID_ARGUMENT);
    def = tr_terrain_def_default(TR_TERRAIN_RUBBLE);
    def.size_m = NAN;
    assert_int_equal(tr_terrain_create(&def, &surface), TR_INVALID_ARGUMENT);
    assert_null(surface);
}

BEFORE_ALL() {
    tr_physics_init();
}
