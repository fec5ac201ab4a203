/* Which contacts are kept where there are too many, and what a step may cost. */
#include "cmocka_test.h"

#include "physics/collide/deepest.h"
#include "unit/physics/scenes.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Processor time of this thread for a step, s. */
static double step_cost(tr_world *world) {
    struct timespec from, to;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    assert_int_equal(tr_world_step(world), TR_OK);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* --- keeping the deepest --- */

/* Contacts of few different depths, so that many are equal, a tenth of them with the ground. */
static void fill(tr_world *world, int count, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    world->contact_count = count;
    memset(world->contact, 0, (size_t)count * sizeof *world->contact);
    memset(world->link, 0, (size_t)count * sizeof *world->link);
    for (int i = 0; i < count; i++) {
        world->contact[i].depth = 1e-3 * (double)(tr_random_next(&random) % 50);
        world->contact[i].entity[0] = (tr_entity_id)i;
        world->link[i].mover[0] = i;
        world->link[i].mover[1] = tr_random_next(&random) % 10 == 0 ? TR_STATIC_MOVER : 1;
    }
}

/* How many contacts from `first` on are kept before contact i: the rule, word by word. */
static int kept_before(const tr_world *world, int first, int i) {
    int count = 0;
    for (int j = first; j < world->contact_count; j++) {
        bool rests_i = world->link[i].mover[1] == TR_STATIC_MOVER;
        bool rests_j = world->link[j].mover[1] == TR_STATIC_MOVER;
        double deep_i = world->contact[i].depth, deep_j = world->contact[j].depth;
        if (rests_i != rests_j)
            count += rests_j;
        else
            count += deep_j > deep_i || (deep_j == deep_i && j < i);
    }
    return count;
}

TEST(the_deepest_are_kept_in_their_order) {
    enum { COUNT = 1500, FIRST = 100, MOST = 300 };
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        tr_entity_id expected[FIRST + MOST];
        int count = 0;
        fill(world, COUNT, seed);
        for (int i = 0; i < COUNT; i++)
            if (i < FIRST || kept_before(world, FIRST, i) < MOST)
                expected[count++] = world->contact[i].entity[0];
        assert_int_equal(count, FIRST + MOST);
        world->solver.contacts_dropped = 0;
        tr_deepest_keep(world, FIRST, MOST);
        assert_int_equal(world->contact_count, count);
        assert_int_equal(world->solver.contacts_dropped, COUNT - count);
        for (int i = 0; i < count; i++) {
            assert_int_equal(world->contact[i].entity[0], expected[i]);
            assert_int_equal(world->link[i].mover[0], (int)expected[i]);
        }
    }
    world->contact_count = 0;
}

TEST(few_contacts_are_left_alone) {
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    fill(world, 40, 1);
    world->solver.contacts_dropped = 0;
    tr_deepest_keep(world, 0, 40);
    assert_int_equal(world->contact_count, 40);
    assert_int_equal(world->solver.contacts_dropped, 0);
    world->contact_count = 0;
}

/* --- worlds --- */

/* Slabs of 6 m, of `shapes` boxes each, all in one place. */
static void pile(tr_world *world, int count, int shapes, tr_vec3 at) {
    tr_object_def def = {.name = "slab", .geom_count = shapes, .density = 1000};
    for (int g = 0; g < shapes; g++)
        def.geom[g] = (tr_geom){.kind = TR_GEOM_BOX,
                                .size = {3, 3, 0.3},
                                .pos = {0, 0, 0.01 * g},
                                .rot = {1, 0, 0, 0},
                                .friction = 1};
    for (int i = 0; i < count; i++) {
        tr_object_state state = {.pos = {at.x, at.y, at.z + 0.001 * i}, .rot = {1, 0, 0, 0}};
        tr_entity_id id;
        assert_int_equal(tr_world_add_object(world, &def, &state, &id), TR_OK);
    }
}

static tr_entity_id add_limp(tr_world *world, const tr_model *model, tr_vec3 at) {
    tr_entity_id id = scene_stand(world, model, at.x, at.y, at.z);
    assert_int_equal(tr_world_set_servo(world, id, TR_SERVO_RAGDOLL), TR_OK);
    return id;
}

TEST(the_bounds_do_not_bind_in_ordinary_worlds) {
    OWN(tr_world) *busy = scene_busy(*given);
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *crowd = scene_world(&def);
    for (int i = 0; i < TR_CHARACTER_MAX; i++)
        add_limp(crowd, *given, (tr_vec3){0.7 * (i % 8), 0.7 * (i / 8), 0});
    for (int k = 0; k < 200; k++) {
        scene_step(busy, 1);
        scene_step(crowd, 1);
        tr_solver_report one = tr_world_solver_report(busy), other = tr_world_solver_report(crowd);
        assert_int_equal(one.contacts_dropped + other.contacts_dropped, 0);
        assert_int_equal(one.searches_cut + other.searches_cut, 0);
    }
}

/* Every bound binds, and two such worlds are equal. */
TEST(a_pile_is_bounded_and_deterministic) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    tr_world *world[2];
    for (int k = 0; k < 2; k++) {
        world[k] = scene_world(&def);
        pile(world[k], 200, TR_OBJECT_GEOM_MAX, (tr_vec3){0, 0, 0.2});
        for (int i = 0; i < 8; i++)
            add_limp(world[k], model, (tr_vec3){0, 0, 0.1 * i});
        scene_step(world[k], 3);
        tr_solver_report report = tr_world_solver_report(world[k]);
        int count;
        (void)tr_world_contacts(world[k], &count);
        assert_int_equal(count, TR_CONTACT_MAX);
        assert_true(report.contacts_dropped > 0);
        assert_true(report.searches_cut > 0);
    }
    assert_true(tr_world_hash(world[0]) == tr_world_hash(world[1]));
    tr_world_destroy(world[0]);
    tr_world_destroy(world[1]);
}

/* Contacts with the ground are dropped last. */
TEST(what_stands_beside_a_pile_does_not_sink) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    pile(world, 100, 2, (tr_vec3){0, 0, 0.2});
    tr_entity_id id = scene_stand(world, model, 20, 0, 0.005);
    scene_step(world, 100);
    assert_true(tr_world_solver_report(world).contacts_dropped > 0);
    const tr_body_state *bodies = tr_world_bodies(world, id);
    assert_true(bodies[model->foot[0]].com_pos.z > 0);
    assert_true(bodies[0].com_pos.z > 0.8);
}

/* Triangles that all lie in one place: every search for the ground or for contacts meets all. */
static tr_surface *coincident(int count) {
    OWN_MEMORY uint32_t *index = malloc(3 * (size_t)count * sizeof *index);
    assert_non_null(index);
    for (int i = 0; i < 3 * count; i++)
        index[i] = (uint32_t)(i % 3);
    tr_mesh_def def = {3, count, (const float[]){-5, -5, 0, 5, -5, 0, 0, 5, 0}, index};
    tr_surface *surface = NULL;
    assert_int_equal(tr_surface_create_mesh(&def, &surface), TR_OK);
    return surface;
}

/* Without bounds this step takes over a minute of processor time, and ten under an emulator. */
TEST(hostile_scenery_costs_a_bounded_step) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_surface *surface = coincident(65532);
    tr_scenery_def scenery = {
        .kind = TR_SCENERY_SURFACE, .rot = {1, 0, 0, 0}, .friction = 1, .surface = surface};
    for (int i = 0; i < 64; i++)
        assert_int_equal(tr_world_add_scenery(world, &scenery, NULL), TR_OK);
    tr_surface_release(surface);
    pile(world, TR_OBJECT_MAX, TR_OBJECT_GEOM_MAX, (tr_vec3){0, 0, 0.2});
    for (int i = 0; i < TR_CHARACTER_MAX; i++)
        scene_stand(world, model, 0, 0, 0);
    assert_true(step_cost(world) < (getenv("TROUPE_EMULATED") ? 60 : 4));
    assert_true(tr_world_solver_report(world).searches_cut > 0);
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
