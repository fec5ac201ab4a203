/* Golden hashes of simulated scenes: the same for every optimisation level, sanitizer and
 * instruction set.
 *
 * They change with a change of the dynamics, of humanoid.xml or of ODE's collision code, and the
 * first of each scene with the form of snapshots. When such a change is meant, put in the hash that the failing test prints, and say
 * so in the commit. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

#include <inttypes.h>

static void check(const char *scene, uint64_t hash, uint64_t golden) {
    if (hash != golden)
        print_error("%s: 0x%016" PRIx64 "ULL\n", scene, hash);
    assert_true(hash == golden);
}

/* One humanoid, swinging its limbs: what the learner trains on. */
TEST(a_single_character) {
    const tr_model *model = *given;
    tr_world_def def = tr_world_def_default();
    OWN(tr_world) *world = scene_world(&def);
    tr_entity_id id = scene_stand(world, model, 0, 0, 0.01);
    for (int k = 0; k < 400; k++) {
        scene_swing(world, id, (k + 1) * 0.005);
        scene_step(world, 1);
    }
    check("single", tr_world_hash(world), 0xfbf618a46242adb6ULL);
    check("single, states alone", tr_world_state_hash(world), 0x2f933adda87727c5ULL);
}

TEST(everything_together) {
    OWN(tr_world) *world = scene_busy(*given);
    scene_step(world, 300);
    check("busy", tr_world_hash(world), 0xfa1e9f8816ac18e7ULL);
    check("busy, states alone", tr_world_state_hash(world), 0xb4639025ccc59985ULL);
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
