/* The shipped models load in MuJoCo and mean the same there. */
#include "cmocka_test.h"

#include "model/inertia.h"
#include "model/mjcf.h"
#include "model/state.h"

#include <math.h>
#include <mujoco/mujoco.h>

static void check_body(const mjModel *theirs, const mjData *data, int body, const tr_model *ours,
                       const tr_body_state *state) {
    int id = mj_name2id(theirs, mjOBJ_BODY, ours->body[body].name);
    assert_true(id > 0);
    assert_true(fabs(theirs->body_mass[id] - ours->body[body].mass) < 1e-9);
    const mjtNum *moment = theirs->body_inertia + 3 * id;
    tr_mat3 diagonal = tr_mat3_diagonal(moment[0], moment[1], moment[2]);
    tr_vec3 difference = tr_vec3_sub(tr_inertia_principal(&diagonal),
                                     tr_inertia_principal(&ours->body[body].inertia));
    assert_true(tr_vec3_length(difference) < 1e-8);
    const mjtNum *com = data->xipos + 3 * id;
    assert_true(tr_vec3_distance((tr_vec3){com[0], com[1], com[2]}, state[body].com_pos) < 1e-9);
    int joint = theirs->body_jntadr[id];
    assert_int_equal(theirs->jnt_limited[joint] != 0, ours->body[body].limited);
    assert_true(fabs(theirs->jnt_range[2 * joint + 1] - ours->body[body].range[1]) < 1e-12);
}

static void check_model(const char *path) {
    tr_model *ours;
    tr_error error;
    assert_int_equal(tr_mjcf_load(path, &ours, &error), TR_OK);
    char message[1000] = "";
    mjModel *theirs = mj_loadXML(path, NULL, message, sizeof message);
    assert_string_equal(message, "");
    assert_non_null(theirs);
    if (!theirs)
        return;
    assert_int_equal(theirs->nv, ours->dof_count);
    assert_int_equal(theirs->nbody, ours->body_count + 1);
    assert_int_equal(theirs->ngeom, ours->geom_count + 1);
    mjData *data = mj_makeData(theirs);
    mj_forward(theirs, data);
    tr_pose pose = tr_pose_rest(ours);
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(ours, &pose, bodies);
    for (int i = 0; i < ours->body_count; i++)
        check_body(theirs, data, i, ours, bodies);
    mj_deleteData(data);
    mj_deleteModel(theirs);
    tr_model_destroy(ours);
}

TEST(test_humanoid_is_the_same_in_mujoco) {
    check_model(TR_MODEL_DIR "/humanoid.xml");
}

TEST(test_humanoid51_is_the_same_in_mujoco) {
    check_model(TR_MODEL_DIR "/humanoid51.xml");
}

TEST(test_other_proportions_are_the_same_in_mujoco) {
    check_model(TR_MODEL_DIR "/humanoid_long_legs.xml");
    check_model(TR_MODEL_DIR "/humanoid_heavy_arms.xml");
    check_model(TR_MODEL_DIR "/humanoid_limited.xml");
    check_model(TR_MODEL_DIR "/athlete.xml");
}
