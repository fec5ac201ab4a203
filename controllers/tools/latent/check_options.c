#include "tools/latent/latent.h"

tr_latent_check_options tr_latent_check_options_default(void) {
    return (tr_latent_check_options){.model = TR_MODEL_DIR "/humanoid.xml",
                                     .characters = 32,
                                     .steps = 1000,
                                     .goal_steps = 100,
                                     .seed = 1};
}

tr_status tr_latent_check_options_check(const tr_latent_check_options *o, tr_error *error) {
    return o->goal_steps <= o->steps
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT, "--goal-steps: expected at most --steps");
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
