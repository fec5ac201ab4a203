/* Variables that end with the block in which they stand, the last of them first:
 *     OWN(tr_controller) *controller = puppet_hold(model, 1, 20);    tr_controller_destroy destroys it
 *     OWN_MEMORY char *text = read_text(path);                       it is freed
 *     OWN_BY(tr_sections_deinit) tr_sections sections = {0};         that is called with its address
 * and variables of a suite, which end with the program in any order:
 *     SUITE_OWN(tr_model, model);                                    static tr_model *model
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#define OWN(type) __attribute__((cleanup(own_##type))) type
#define OWN_MEMORY OWN_BY(own_memory)
#define OWN_BY(end) __attribute__((cleanup(end)))
#define SUITE_OWN(type, name)                                                                      \
    static type *name;                                                                             \
    __attribute__((destructor)) static void end_##name(void) {                                     \
        own_##type(&name);                                                                         \
    }                                                                                              \
    struct own_end

static inline void own_memory(void *variable) {
    void *block;
    memcpy(&block, variable, sizeof block);
    free(block);
}

#define OWNED(type, end) OWNED_BY(type, end, type)
#define OWNED_BY(type, end, taken)                                                                 \
    typedef struct type type;                                                                      \
    void end(taken *);                                                                             \
    static inline void own_##type(type **variable) {                                               \
        end(*variable);                                                                            \
    }
OWNED(tr_catalogue, tr_catalogue_close)
OWNED(tr_clip, tr_clip_destroy)
OWNED(tr_controller, tr_controller_destroy)
OWNED(tr_contest, tr_contest_destroy)
OWNED(tr_ensemble, tr_ensemble_destroy)
OWNED_BY(tr_gait, tr_gait_destroy, void)
OWNED(tr_gplvm, tr_gplvm_destroy)
OWNED(tr_latent_policy, tr_latent_policy_destroy)
OWNED(tr_latent_space, tr_latent_space_destroy)
OWNED_BY(tr_learner, tr_learner_destroy, void)
OWNED(tr_model, tr_model_destroy)
OWNED(tr_motion, tr_motion_destroy)
OWNED(tr_pool, tr_pool_destroy)
OWNED_BY(tr_reconstruction, tr_reconstruct_destroy, void)
OWNED_BY(tr_schedule_training, tr_schedule_training_destroy, void)
OWNED(tr_simulation, tr_simulation_close)
OWNED(tr_stage, tr_stage_destroy)
OWNED(tr_task_pool, tr_task_pool_destroy)
OWNED(tr_tls, tr_tls_destroy)
OWNED(tr_world, tr_world_destroy)
OWNED(tr_world_loop, tr_world_loop_destroy)
