/* Every instruction-set path gives the same bits. */
#include "cmocka_test.h"

#include "unit/physics/scenes.h"

#include <stdlib.h>

static uint64_t busy_hash(const tr_model *model, const char *kernel) {
    assert_int_equal(setenv("TROUPE_KERNEL", kernel, 1), 0);
    tr_world *world = scene_busy(model);
    scene_step(world, 300);
    uint64_t hash = tr_world_hash(world);
    tr_world_destroy(world);
    assert_int_equal(unsetenv("TROUPE_KERNEL"), 0);
    return hash;
}

/* On a processor without AVX2 both are the same path; the golden hash of tests/determinism then
 * still compares it with the others. */
TEST(paths_agree_to_the_bit) {
    const tr_model *model = *given;
    assert_int_equal(busy_hash(model, "sse2"), busy_hash(model, "avx2"));
}

SUITE_FIXTURE(scene_load_humanoid, scene_drop_humanoid);
