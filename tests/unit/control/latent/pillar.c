/* controllers/control/latent/pillar.h: arms stay out of a pillar. */
#include "cmocka_test.h"

#include "control/latent/pillar.h"
#include "unit/control/latent/loops.h"

#include <math.h>

SUITE_OWN(tr_model, model);

BEFORE_ALL() {
    model = loops_model();
}

/* The arms hang at the sides; the left one, 0.22 m to the left, is at most 0.045 m thick. */
static tr_pillar beside(double x, double y) {
    return (tr_pillar){x, y, 0.1};
}

TEST(a_pillar_out_of_reach_changes_nothing) {
    tr_pose pose = tr_pose_rest(model), before = pose;
    const tr_pillar pillar = beside(0.5, 0.22);
    assert_true(loops_pillar_depth(model, &pillar, &pose) == 0);
    assert_true(tr_pillar_avoid(model, &pillar, &pose) == 0);
    assert_memory_equal(&pose, &before, sizeof pose);
}

TEST(depth_is_that_of_the_thickest_part) {
    const tr_pose pose = tr_pose_rest(model);
    const tr_pillar pillar = {0.12, 0.22, 0.1};
    assert_true(fabs(loops_pillar_depth(model, &pillar, &pose) - (0.1 + 0.045 - 0.12)) < 0.01);
}

/* The hand as a box, 0.3 m long and 0.04 m thick, which points ahead whichever of its axes is the long
 * one. */
TEST(a_box_is_as_long_as_its_longest_side) {
    const double half = TR_PI / 2;
    const struct {
        tr_vec3 size;
        tr_quat rot;
    } same[] = {
        {{0.15, 0.02, 0.02}, {1, 0, 0, 0}},
        {{0.02, 0.15, 0.02},
         tr_quat_mul(tr_quat_exp((tr_vec3){half, 0, 0}), tr_quat_exp((tr_vec3){0, 0, half}))},
        {{0.02, 0.02, 0.15},
         tr_quat_mul(tr_quat_exp((tr_vec3){half, 0, 0}), tr_quat_exp((tr_vec3){0, half, 0}))},
    };
    const tr_pose pose = tr_pose_rest(model);
    for (int i = 0; i < 3; i++) {
        OWN(tr_model) *boxed = loops_model();
        for (int g = 0; g < boxed->geom_count; g++)
            if (boxed->geom[g].body == boxed->hand[0]) {
                boxed->geom[g].kind = TR_GEOM_BOX;
                boxed->geom[g].size = same[i].size;
                boxed->geom[g].rot = same[i].rot;
            }
        for (double off = -0.08; off < 0.09; off += 0.02) {
            const tr_pillar ahead = {0.18, 0.22 + off, 0.05};
            const double deep = 0.05 + sqrt(2) * 0.02 - hypot(0.18 - 0.15, off);
            assert_true(fabs(loops_pillar_depth(boxed, &ahead, &pose) - fmax(deep, 0)) < 1e-9);
        }
    }
}

TEST(an_arm_moves_out_and_the_other_stays) {
    for (int i = 0; i < 24; i++) {
        const double angle = TR_PI * (i - 12) / 24; /* from the front to the left to the back */
        const tr_pillar pillar =
            beside(0.11 * tr_cos(angle + TR_PI / 2), 0.24 + 0.11 * tr_sin(angle + TR_PI / 2));
        tr_pose pose = tr_pose_rest(model), before = pose;
        assert_true(loops_pillar_depth(model, &pillar, &pose) > 0.01);
        assert_true(tr_pillar_avoid(model, &pillar, &pose) == 0);
        assert_true(loops_pillar_depth(model, &pillar, &pose) == 0);
        for (int b = 1; b < model->body_count; b++)
            if (b == model->hand[1] || b == model->body[model->hand[1]].parent || b == model->trunk)
                assert_true(tr_quat_angle(pose.joint[b], before.joint[b]) < 1e-12);
    }
}

TEST(a_pillar_through_the_trunk_is_not_avoided) {
    tr_pose pose = tr_pose_rest(model);
    const tr_pillar pillar = {0, 0, 0.4};
    assert_true(tr_pillar_avoid(model, &pillar, &pose) > 0);
}
