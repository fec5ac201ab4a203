#include "tools/latent/latent.h"

#include <string.h>

tr_latent_check_options tr_latent_check_options_default(void) {
    return (tr_latent_check_options){.model = TR_MODEL_DIR "/humanoid.xml",
                                     .characters = 32,
                                     .steps = 1000,
                                     .goal_steps = 100,
                                     .seed = 1};
}

void tr_latent_check_options_list(tr_latent_check_options *o,
                                  tr_option table[static TR_LATENT_CHECK_OPTIONS]) {
    const tr_option own[TR_LATENT_CHECK_OPTIONS] = {
        {"model", TR_OPTION_TEXT, &o->model, 0, 0},
        tr_option_threads(&o->threads),
        {"characters", TR_OPTION_COUNT, &o->characters, 1, 100000},
        {"steps", TR_OPTION_COUNT, &o->steps, 2, 100000},
        {"goal-steps", TR_OPTION_COUNT, &o->goal_steps, 2, 100000},
        {"decisions", TR_OPTION_FLAG, &o->decisions, 0, 0},
        {"seed", TR_OPTION_SEED, &o->seed, 0, 0},
    };
    memcpy(table, own, sizeof own);
}

tr_latent_check tr_latent_check_of(const tr_latent_check_options *o,
                                   const tr_latent_subject *subject, const tr_latent_policy *policy,
                                   tr_pool *pool) {
    return (tr_latent_check){.model = subject->model,
                             .space = subject->space,
                             .policy = policy,
                             .pool = pool,
                             .characters = o->characters,
                             .steps = o->steps,
                             .goal_steps = o->goal_steps,
                             .decisions = o->decisions,
                             .seed = o->seed};
}
