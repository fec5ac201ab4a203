/* Height fields and meshes: bodies rest, roll and fall on them, and they are ground for
 * characters. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 81 };
static const double SPACING = 0.25;

/* A field of 20 m by 20 m, whose heights are those of `height` at its samples. */
static tr_surface *field(double (*height)(double x, double y)) {
    OWN_MEMORY float *z = malloc(SIDE * SIDE * sizeof *z);
    assert_non_null(z);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            z[j * SIDE + i] = (float)height((i - 40) * SPACING, (j - 40) * SPACING);
    tr_heights_def def = {SIDE, SIDE, SPACING, z};
    tr_surface *surface = NULL;
    assert_int_equal(tr_surface_create_heights(&def, &surface), TR_OK);
    return surface;
}

/* A box as a mesh, centred at the origin. */
static tr_surface *mesh_box(float x, float y, float z) {
    float v[8][3];
    for (int i = 0; i < 8; i++) {
        v[i][0] = i & 1 ? x : -x;
        v[i][1] = i & 2 ? y : -y;
        v[i][2] = i & 4 ? z : -z;
    }
    static const uint32_t index[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    tr_mesh_def def = {8, 12, &v[0][0], &index[0][0]};
    tr_surface *surface = NULL;
    assert_int_equal(tr_surface_create_mesh(&def, &surface), TR_OK);
    return surface;
}

/* A world without a plane, on this surface, which it takes over. */
static tr_world *world_on(tr_surface *surface) {
    tr_world_def world_def = tr_world_def_default();
    world_def.ground = false;
    tr_world *world = scene_world(&world_def);
    tr_scenery_def def = {
        .kind = TR_SCENERY_SURFACE, .rot = {1, 0, 0, 0}, .friction = 1, .surface = surface};
    assert_int_equal(tr_world_add_scenery(world, &def, NULL), TR_OK);
    tr_surface_release(surface);
    return world;
}

static double flat(double x, double y) {
    (void)x;
    (void)y;
    return 0;
}

static double slope(double x, double y) {
    (void)y;
    return 0.25 * x;
}

/* Crests along y, 1 m apart and 20 cm high: 0.4 m in x from crest to valley floor. */
static double crests(double x, double y) {
    (void)y;
    double phase = fabs(x - floor(x) - 0.5);
    return phase < 0.01 ? 0.2 : 0;
}

static double rough(double x, double y) {
    return 0.1 * tr_sin(3 * x) * tr_cos(2.3 * y) + 0.05 * tr_sin(7 * x + 5 * y);
}

TEST(everything_rests_on_a_flat_field_as_on_the_plane) {
    static const struct {
        tr_geom_kind kind;
        tr_vec3 size;
        double height;
    } row[] = {{TR_GEOM_SPHERE, {0.1, 0, 0}, 0.1},
               {TR_GEOM_CAPSULE, {0.1, 0.2, 0}, 0.3},
               {TR_GEOM_BOX, {0.1, 0.3, 0.05}, 0.05},
               {TR_GEOM_BOX, {1, 1, 0.1}, 0.1}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int mesh = 0; mesh < 2; mesh++) {
            OWN(tr_world) *world = world_on(mesh ? mesh_box(5, 5, 1) : field(flat));
            double top = mesh ? 1 : 0;
            tr_object_state at = {.pos = {0.13, 0.06, top + row[i].height + 0.02},
                                  .rot = {1, 0, 0, 0}};
            tr_entity_id id = scene_shape(world, row[i].kind, row[i].size, at);
            scene_step(world, 400);
            assert_near(scene_thing_state(world, id).pos.z, top + row[i].height, 0.003);
            assert_near(scene_thing_state(world, id).pos.x, 0.13, 0.003);
        }
    }
}

/* Edges between flat neighbours do not trip a ball. */
TEST(a_ball_rolls_over_flat_triangles) {
    OWN(tr_world) *world = world_on(field(flat));
    tr_object_state at = {
        .pos = {-4, 0.07, 0.11}, .rot = {1, 0, 0, 0}, .vel = {4, 0, 0}, .omega = {0, 4 / 0.11, 0}};
    tr_entity_id id = scene_shape(world, TR_GEOM_SPHERE, (tr_vec3){0.11, 0, 0}, at);
    for (int k = 0; k < 400; k++) {
        scene_step(world, 1);
        assert_near(scene_thing_state(world, id).pos.z, 0.11, 0.003);
    }
    assert_near(scene_thing_state(world, id).pos.x, 4, 0.1);
    assert_near(scene_thing_state(world, id).pos.y, 0.07, 0.01);
}

/* A plank across crests lies on them, and not on the valleys where its corners are. */
TEST(ridges_carry_a_plank) {
    OWN(tr_world) *world = world_on(field(crests));
    tr_object_state at = {.pos = {0, 0, 0.3}, .rot = {1, 0, 0, 0}};
    tr_entity_id id = scene_shape(world, TR_GEOM_BOX, (tr_vec3){0.75, 0.2, 0.02}, at);
    scene_step(world, 400);
    assert_near(scene_thing_state(world, id).pos.z, 0.22, 0.005);
    assert_near(tr_quat_angle(scene_thing_state(world, id).rot, tr_quat_identity()), 0, 0.02);
}

/* A capsule lies across two crests by its middle line. */
TEST(ridges_carry_a_capsule) {
    OWN(tr_world) *world = world_on(field(crests));
    tr_object_state at = {.pos = {0, 0, 0.35},
                          .rot = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, TR_PI / 2)};
    tr_entity_id id = scene_shape(world, TR_GEOM_CAPSULE, (tr_vec3){0.05, 0.7, 0}, at);
    scene_step(world, 300);
    assert_near(scene_thing_state(world, id).pos.z, 0.25, 0.006);
}

/* tan 14 degrees = 0.25: friction 1 holds, and without it the box slides at g sin. */
TEST(a_slope_holds_a_box_or_lets_it_slide) {
    for (int ice = 0; ice < 2; ice++) {
        tr_world_def world_def = tr_world_def_default();
        world_def.ground = false;
        OWN(tr_world) *world = scene_world(&world_def);
        tr_surface *surface = field(slope);
        tr_scenery_def def = {.kind = TR_SCENERY_SURFACE,
                              .rot = {1, 0, 0, 0},
                              .friction = ice ? 0 : 1,
                              .surface = surface};
        assert_int_equal(tr_world_add_scenery(world, &def, NULL), TR_OK);
        tr_surface_release(surface);
        tr_quat tilt = tr_quat_from_axis_angle((tr_vec3){0, -1, 0}, tr_atan2(0.25, 1));
        tr_object_state at = {.pos = tr_quat_rotate(tilt, (tr_vec3){2, 0, 0.0999}), .rot = tilt};
        tr_entity_id id = scene_shape(world, TR_GEOM_BOX, (tr_vec3){0.2, 0.2, 0.1}, at);
        scene_step(world, 200);
        double way = tr_vec3_distance(scene_thing_state(world, id).pos, at.pos);
        assert_near(way, ice ? 0.5 * 9.81 * tr_sin(tr_atan2(0.25, 1)) : 0, ice ? 0.04 : 0.005);
    }
}

/* Falling bodies do not sink into rough ground, and all of them stop. */
TEST(falling_bodies_stop_on_rough_ground) {
    OWN(tr_world) *world = world_on(field(rough));
    tr_random random = tr_random_seed(3);
    tr_entity_id id[60];
    for (int i = 0; i < 60; i++) {
        tr_vec3 turn = {tr_random_normal(&random), tr_random_normal(&random),
                        tr_random_normal(&random)};
        tr_object_state at = {.pos = {-4 + i % 10, -3 + i / 10.0, 0.8}, .rot = tr_quat_exp(turn)};
        tr_vec3 size = i % 3 == TR_GEOM_BOX ? (tr_vec3){0.2, 0.1, 0.06} : (tr_vec3){0.08, 0.15, 0};
        id[i] = scene_shape(world, (tr_geom_kind)(i % 3), size, at);
    }
    scene_step(world, 1000);
    for (int i = 0; i < 60; i++) {
        tr_object_state s = scene_thing_state(world, id[i]);
        tr_ground ground;
        s.pos.z += 1;
        assert_true(tr_world_ground(world, s.pos, &ground));
        assert_true(s.pos.z - 1 - ground.height > 0.02);
        if (i % 3 == TR_GEOM_BOX)
            assert_true(tr_vec3_length(s.vel) < 0.05);
    }
}

TEST(a_character_stands_on_a_field_as_on_the_plane) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *plane = scene_world(&def), *world = world_on(field(flat));
    tr_entity_id a = scene_stand(plane, model, 0.1, 0.07, 0.01);
    tr_entity_id b = scene_stand(world, model, 0.1, 0.07, 0.01);
    for (int k = 0; k < 400; k++) {
        scene_swing(plane, a, k * 0.005);
        scene_swing(world, b, k * 0.005);
        scene_step(plane, 1);
        scene_step(world, 1);
    }
    tr_state s, t;
    assert_int_equal(tr_world_get_state(plane, a, &s), TR_OK);
    assert_int_equal(tr_world_get_state(world, b, &t), TR_OK);
    assert_true(tr_vec3_distance(s.pose.root_pos, t.pose.root_pos) < 0.02);
}

/* A limp character thrown on rough ground stays on it. */
TEST(a_limp_character_lies_on_rough_ground) {
    const tr_model *model = *given;
    OWN(tr_world) *world = world_on(field(rough));
    tr_entity_id id = scene_stand(world, model, 0, 0, 0.4);
    assert_int_equal(tr_world_set_servo(world, id, TR_SERVO_RAGDOLL), TR_OK);
    scene_step(world, 1200);
    const tr_body_state *bodies = tr_world_bodies(world, id);
    for (int i = 0; i < model->body_count; i++) {
        tr_vec3 above = bodies[i].com_pos;
        tr_ground ground;
        above.z += 1;
        assert_true(tr_world_ground(world, above, &ground));
        assert_true(bodies[i].com_pos.z > ground.height);
        assert_true(tr_vec3_length(bodies[i].com_vel) < 0.1);
    }
}

/* The ground of a field is its height, and of a mesh the top under the point. */
TEST(surfaces_are_ground) {
    OWN(tr_world) *world = world_on(field(slope));
    tr_ground ground;
    assert_true(tr_world_ground(world, (tr_vec3){1.37, 0.4, 9}, &ground));
    assert_near(ground.height, 0.25 * 1.37, 1e-6);
    assert_near(ground.normal.x, -0.25 / sqrt(1 + 0.25 * 0.25), 1e-6);
    assert_true(tr_world_ground(world, (tr_vec3){1.37, 0.4, -9}, &ground));
    assert_false(tr_world_ground(world, (tr_vec3){11, 0, 9}, &ground));
    tr_surface *box = mesh_box(2, 1, 0.5F);
    tr_scenery_def bridge = {.kind = TR_SCENERY_SURFACE,
                             .pos = {0, 5, 4},
                             .rot = tr_quat_from_heading(TR_PI / 2),
                             .surface = box};
    assert_int_equal(tr_world_add_scenery(world, &bridge, NULL), TR_OK);
    tr_surface_release(box);
    assert_true(tr_world_ground(world, (tr_vec3){0.9, 6.9, 9}, &ground));
    assert_near(ground.height, 4.5, 1e-9);
    assert_true(tr_world_ground(world, (tr_vec3){0.9, 6.9, 4}, &ground));
    assert_near(ground.height, 4.5, 1e-9);
    assert_true(tr_world_ground(world, (tr_vec3){0.9, 6.9, 3.4}, &ground));
    assert_near(ground.height, 0.25 * 0.9, 1e-6);
    assert_true(tr_world_ground(world, (tr_vec3){1.5, 6.9, 9}, &ground));
    assert_near(ground.height, 0.25 * 1.5, 1e-6);
}

/* A plane as a mesh of 2 (SIDE - 1)^2 triangles, 20 m by 20 m. */
static tr_surface *fine_plane(void) {
    enum { TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };
    float(*vertex)[3] = malloc(SIDE * SIDE * sizeof *vertex);
    uint32_t(*index)[3] = malloc(TRIANGLES * sizeof *index);
    assert_true(vertex && index);
    int count = 0;
    for (int k = 0; k < SIDE * SIDE; k++) {
        vertex[k][0] = (float)((k % SIDE - 40) * SPACING);
        vertex[k][1] = (float)((k / SIDE - 40) * SPACING);
        vertex[k][2] = 0;
        if (k % SIDE == SIDE - 1 || k / SIDE == SIDE - 1)
            continue;
        uint32_t a = (uint32_t)k, b = a + 1, c = a + SIDE, d = c + 1;
        memcpy(index[count++], (uint32_t[]){a, b, d}, sizeof *index);
        memcpy(index[count++], (uint32_t[]){a, d, c}, sizeof *index);
    }
    tr_mesh_def def = {SIDE * SIDE, TRIANGLES, vertex[0], index[0]};
    tr_surface *surface = NULL;
    assert_int_equal(tr_surface_create_mesh(&def, &surface), TR_OK);
    free(vertex);
    free(index);
    return surface;
}

/* A search for the ground examines a bounded number of triangles, so a vertical line must find those
 * that it meets in a mesh of many, turned or not. */
TEST(a_fine_mesh_is_ground_however_it_is_turned) {
    for (int k = 0; k < 8; k++) {
        tr_world_def def = tr_world_def_default();
        def.ground = false;
        OWN(tr_world) *world = scene_world(&def);
        tr_surface *surface = fine_plane();
        double tilt = 0.12 * k, heading = 0.7 * k;
        tr_scenery_def plane = {
            .kind = TR_SCENERY_SURFACE,
            .rot = tr_quat_mul(tr_quat_from_heading(heading), tr_quat_exp((tr_vec3){tilt, 0, 0})),
            .surface = surface};
        assert_int_equal(tr_world_add_scenery(world, &plane, NULL), TR_OK);
        tr_surface_release(surface);
        tr_vec3 normal = tr_quat_rotate(plane.rot, (tr_vec3){0, 0, 1});
        tr_random random = tr_random_seed(5);
        for (int i = 0; i < 200; i++) {
            double x = 8 * tr_random_uniform(&random) - 4, y = 8 * tr_random_uniform(&random) - 4;
            tr_ground ground;
            assert_true(tr_world_ground(world, (tr_vec3){x, y, 9}, &ground));
            assert_near(ground.height, -(normal.x * x + normal.y * y) / normal.z, 1e-5);
            assert_near(tr_vec3_distance(ground.normal, normal), 0, 1e-5);
        }
    }
}

TEST(bad_surfaces_are_refused) {
    float z[4] = {0, 0, 0, 0}, v[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t index[3] = {0, 1, 2};
    tr_heights_def heights = {2, 2, 1, z};
    tr_mesh_def mesh = {3, 1, &v[0][0], index};
    tr_surface *surface = NULL;
    heights.columns = 1;
    assert_int_equal(tr_surface_create_heights(&heights, &surface), TR_INVALID_ARGUMENT);
    heights.columns = heights.rows = 1 << 16;
    assert_int_equal(tr_surface_create_heights(&heights, &surface), TR_INVALID_ARGUMENT);
    heights = (tr_heights_def){2, 2, 0, z};
    assert_int_equal(tr_surface_create_heights(&heights, &surface), TR_INVALID_ARGUMENT);
    heights.spacing_m = 1;
    z[3] = (float)NAN;
    assert_int_equal(tr_surface_create_heights(&heights, &surface), TR_INVALID_ARGUMENT);
    index[2] = 3;
    assert_int_equal(tr_surface_create_mesh(&mesh, &surface), TR_INVALID_ARGUMENT);
    index[2] = 1;
    assert_int_equal(tr_surface_create_mesh(&mesh, &surface), TR_INVALID_ARGUMENT);
    index[2] = 2;
    v[1][1] = (float)INFINITY;
    assert_int_equal(tr_surface_create_mesh(&mesh, &surface), TR_INVALID_ARGUMENT);
    assert_null(surface);
    tr_world_def world_def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&world_def);
    tr_scenery_def none = {.kind = TR_SCENERY_SURFACE, .rot = {1, 0, 0, 0}};
    assert_int_equal(tr_world_add_scenery(world, &none, NULL), TR_INVALID_ARGUMENT);
}

/* A world with a field and a mesh, and something on each. */
static tr_world *terrain(void) {
    tr_world *world = world_on(field(rough));
    tr_surface *box = mesh_box(1, 1, 0.2F);
    tr_scenery_def crate = {
        .kind = TR_SCENERY_SURFACE, .rot = {1, 0, 0, 0}, .friction = 1, .surface = box};
    assert_int_equal(tr_world_add_scenery(world, &crate, NULL), TR_OK);
    tr_surface_release(box);
    for (int i = 0; i < 4; i++) {
        tr_object_state at = {.pos = {0.7 * i, 0.3, 0.6}, .rot = tr_quat_exp((tr_vec3){i, 1, 2})};
        (void)scene_shape(world, TR_GEOM_BOX, (tr_vec3){0.1, 0.15, 0.05}, at);
    }
    return world;
}

TEST(a_snapshot_holds_its_surfaces) {
    OWN(tr_world) *world = terrain();
    scene_step(world, 30);
    assert_true(tr_world_snapshot_size(world) > SIDE * SIDE * sizeof(float));
    scene_check_restored(world, *given, 200);
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
