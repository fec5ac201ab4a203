#include "cmocka_test.h"

#include "unit/defaults.h"
#include "unit/learn/sway.h"

#include "learn/samcon/skill.h"
#include "model/mjcf.h"
#include "physics/world/world.h"

#include <math.h>
#include <stdio.h>

tr_model *sway_model(void) {
    tr_model *model = NULL;
    tr_error error = {0};
    tr_physics_init();
    if (tr_mjcf_load(TR_SOURCE_DIR "/controllers/model/humanoid.xml", &model, &error))
        fail_msg("%s", error.message);
    return model;
}

static void lean(const tr_model *model, tr_pose *pose, double angle_rad) {
    static const char *const turned[] = {"lthigh", "rthigh"};
    static const char *const opposed[] = {"lfoot", "rfoot"};
    for (int side = 0; side < 2; side++) {
        int thigh = tr_model_find_body(model, turned[side]);
        int foot = tr_model_find_body(model, opposed[side]);
        pose->joint[thigh] = tr_quat_exp((tr_vec3){angle_rad, 0, 0});
        pose->joint[foot] = tr_quat_exp((tr_vec3){-angle_rad, 0, 0});
    }
}

tr_motion *sway_motion(const tr_model *model, bool symmetric) {
    enum { FRAMES = 80 };
    tr_motion *motion = NULL;
    assert_int_equal(tr_motion_create(model, FRAMES, 0.01, &motion), TR_OK);
    for (int i = 0; i < FRAMES; i++)
        lean(model, &motion->poses[i], 3 * TR_PI / 180 * sin(2 * TR_PI * i / FRAMES));
    motion->cyclic = true;
    motion->symmetric = symmetric;
    snprintf(motion->name, sizeof motion->name, "sway");
    return motion;
}

tr_controller *sway_stander(const tr_model *model, bool ankles) {
    tr_controller *stander = NULL;
    tr_motion *motion = sway_motion(model, false);
    tr_skill_def def = {"stand", "a", 0.005, ankles};
    assert_int_equal(tr_skill_create(model, motion, &def, &stander, NULL), TR_OK);
    tr_motion_destroy(motion);
    tr_pose rest = tr_pose_rest(model);
    stander->spawn = tr_state_at_rest(model, &rest);
    for (int k = 0; k < tr_controller_bank(stander)->fragment_count; k++) {
        tr_fragment *fragment = &tr_controller_bank(stander)->fragment[k];
        fragment->start = fragment->end = stander->spawn;
        for (int i = 0; i < fragment->steps * model->body_count; i++)
            fragment->target[i] = tr_quat_identity();
    }
    return stander;
}

tr_ensemble *sway_ensemble(const tr_model *model, int threads) {
    int lanes = threads < TR_QUARTET_MAX ? threads : TR_QUARTET_MAX;
    tr_ensemble_def def = {model, "a", 0.005, threads, NULL, lanes};
    tr_ensemble *ensemble = NULL;
    assert_int_equal(tr_ensemble_create(&def, &ensemble), TR_OK);
    return ensemble;
}

tr_learn_parameters sway_parameters(void) {
    tr_learn_parameters p = DEFAULTS(tr_learn_parameters, tr_learn_parameter_table);
    p.paired = 0;
    p.refine_rounds = 2;
    p.refine_visits = 4;
    p.refine_skipped = 1;
    p.refine_samples = 40;
    p.refine_sigma_deg = 3;
    p.iterations = 2;
    p.visits = 30;
    p.first_samples = 20;
    p.samples = 16;
    p.first_sigma_deg = 2;
    p.push_n = 20;
    p.push_ramp = 1;
    p.harden_rounds = 1;
    p.harden_updates = 1;
    p.harden_directions = 4;
    p.harden_best = 2;
    p.harden_trials = 2;
    p.harden_push_n = 40;
    p.harden_after_s = 0.3;
    p.test_trials = 2;
    p.test_cap_s = 1;
    p.test_grid_n = 100;
    p.test_settle_s = 0.2;
    p.test_after_s = 0.3;
    return p;
}
