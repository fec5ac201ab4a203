#include "cmocka_test.h"

#include "unit/control/latent/loops.h"

#include <string.h>

enum { FRAMES = LOOP_FRAMES * LOOP_COUNT, STEPS = FRAMES - LOOP_COUNT };

tr_model *loops_model(void) {
    tr_model *model = NULL;
    tr_error error = {0};
    if (tr_mjcf_load(TR_MODEL_DIR "/humanoid.xml", &model, &error))
        fail_msg("%s", error.message);
    return model;
}

/* Legs swing; the loops differ in the left knee's channel. */
static void fill_pose(const tr_model *model, int loop, double phase, double *out) {
    int size = tr_pose_vector_size(model);
    for (int k = 0; k < size; k++)
        out[k] = 0;
    out[0] = 0.9;
    out[tr_pose_vector_channel(model, tr_model_find_body(model, "lthigh")) + 1] =
        0.4 * tr_cos(phase);
    out[tr_pose_vector_channel(model, tr_model_find_body(model, "rthigh")) + 1] =
        -0.4 * tr_cos(phase);
    out[tr_pose_vector_channel(model, tr_model_find_body(model, "lshank"))] =
        0.3 + 0.2 * tr_sin(phase);
    out[tr_pose_vector_channel(model, tr_model_find_body(model, "utorso")) + 2] = 0.2 * (loop - 1);
}

tr_latent_space_def loops_definition(const tr_model *model) {
    static double point[FRAMES][LOOP_DIMENSION], pose[FRAMES * TR_POSE_VECTOR_MAX];
    static tr_root_step root[STEPS];
    static unsigned char standing[FRAMES];
    tr_latent_space_def def = {.dt_s = 1.0 / 30,
                               .dimension = LOOP_DIMENSION,
                               .frame_count = FRAMES,
                               .clip_count = LOOP_COUNT,
                               .pose_size = tr_pose_vector_size(model),
                               .point = point[0],
                               .pose = pose,
                               .root = root,
                               .standing = standing};
    def.kernels = (tr_latent_kernels){.pose_scale = 4,
                                      .pose_noise = 1e-4,
                                      .velocity_amplitude = 15,
                                      .step_scale = 1,
                                      .place_scale = 2,
                                      .velocity_noise = 1e-4,
                                      .dynamics = {0.05, 0.5, 1e-4},
                                      .pose_spread_m = 0.1};
    int bodies[TR_SUPPORT_MAX];
    def.support_count =
        tr_support_find(model, bodies, tr_support_bodies(model, bodies), def.support);
    for (int i = 0; i < TR_POSE_BODY_MAX; i++)
        def.reference.joint[i] = tr_quat_identity();
    for (int c = 0, step = 0; c < LOOP_COUNT; c++) {
        def.clip[c] = (tr_latent_clip){
            .name = "loop", .first = c * LOOP_FRAMES, .count = LOOP_FRAMES, .mirrored = c == 2};
        for (int i = 0; i < LOOP_FRAMES; i++) {
            int f = c * LOOP_FRAMES + i;
            double phase = 2 * TR_PI * i / (LOOP_FRAMES - 1);
            point[f][0] = tr_cos(phase);
            point[f][1] = tr_sin(phase);
            point[f][2] = 0.35 * (c - 1);
            standing[f] = phase < TR_PI ? 1 : 0;
            fill_pose(model, c, phase, pose + f * def.pose_size);
            if (i > 0)
                root[step++] = (tr_root_step){LOOP_TURN * (c - 1), LOOP_FORWARD, 0};
        }
    }
    return def;
}

tr_latent_space *loops_make(const tr_model *model) {
    tr_latent_space_def def = loops_definition(model);
    tr_latent_space *space = NULL;
    tr_error error = {0};
    if (tr_latent_space_create(model, &def, &space, &error))
        fail_msg("%s", error.message);
    return space;
}

/* A pillar that the arms are out of leaves the pose as it is. */
static bool is_out(const tr_model *model, const tr_pillar *pillar, const tr_pose *pose) {
    tr_pose moved = *pose;
    return tr_pillar_avoid(model, pillar, &moved) == 0 && memcmp(&moved, pose, sizeof moved) == 0;
}

double loops_pillar_depth(const tr_model *model, const tr_pillar *pillar, const tr_pose *pose) {
    /* The widest pillar there that they are out of is thinner by the depth. */
    tr_pillar least = *pillar, most = *pillar;
    if (is_out(model, pillar, pose))
        return 0;
    for (least.radius_m = -1; most.radius_m - least.radius_m > 1e-12;) {
        const double middle = (least.radius_m + most.radius_m) / 2;
        const tr_pillar between = {pillar->x, pillar->y, middle};
        if (is_out(model, &between, pose))
            least.radius_m = middle;
        else
            most.radius_m = middle;
    }
    return pillar->radius_m - least.radius_m;
}
