#include "learn/measure/ground_test.h"

#include "control/parts/falls.h"
#include "learn/rehearsal/player.h"
#include "learn/rehearsal/travel.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

static const double SIDE_M = 200;
static const double KERB_AT_M = 3; /* how far ahead, and one metre more by chance */
static const double BEYOND_M = 0.5;

typedef struct examination {
    const tr_ground_test *test;
    const tr_controller *controller;
    tr_ensemble_def def;
    bool *held; /* [trials] */
} examination;

static tr_trial_ground ground_of(const tr_ground_test *test, int trial) {
    /* Ground depends on the trial alone, so that it can be made again (is_beyond). */
    uint64_t seed = test->seed + (uint64_t)trial;
    tr_random draw = tr_random_seed(seed);
    return (tr_trial_ground){.kind = test->kind,
                             .amount = test->amount,
                             .side_m = SIDE_M,
                             .kerb_m = KERB_AT_M + tr_random_uniform(&draw),
                             .seed = seed};
}

static tr_status begin(const examination *e, int trial, tr_rehearsal *out, tr_player *player) {
    tr_trial_ground ground = ground_of(e->test, trial);
    /* Each trial has a world of its own, without the plane, because slopes go below it. */
    tr_status status = tr_rehearsal_open(&e->def, false, out);
    if (!status)
        status = tr_trial_ground_lay(&ground, out->world);
    tr_state start = tr_trial_disturbed_start(e->controller, e->test->seed, trial);
    start = tr_travel_along_x(&start, tr_travel_direction(e->controller));
    start.pose.root_pos.z += tr_trial_ground_height(&ground);
    return status ? status
                  : tr_player_begin(player, e->controller, e->controller->first.entry, out, &start);
}

/* Runs to the end of the test. False: the character fell, or the simulation broke. */
static bool stays_up(const examination *e, tr_player *player) {
    int64_t steps = (int64_t)ceil(e->test->seconds / e->controller->step_s);
    for (int64_t k = 0; k < steps; k++) {
        const tr_rehearsal *r = player->rehearsal;
        if (tr_player_step(player) || tr_falls_is_down(r->world, r->character, false))
            return false;
    }
    return true;
}

static bool is_beyond(const tr_ground_test *test, int trial, const tr_rehearsal *r) {
    const tr_trial_ground ground = ground_of(test, trial);
    tr_state state;
    return !tr_world_get_state(r->world, r->character, &state) &&
           state.pose.root_pos.x > ground.kerb_m + BEYOND_M;
}

static void examine(void *context, int item, int worker) {
    const examination *e = context;
    tr_rehearsal r = {0};
    tr_player player;
    (void)worker;
    e->held[item] = !begin(e, item, &r, &player) && stays_up(e, &player) &&
                    (!e->test->beyond || is_beyond(e->test, item, &r));
    tr_world_destroy(r.world);
}

tr_status tr_evaluate_ground(tr_pool *pool, const tr_model *model, const tr_controller *controller,
                             const tr_ground_test *test, int *out_held) {
    if (test->trials < 1 || !(test->seconds > 0))
        return TR_INVALID_ARGUMENT;
    examination e = {.test = test,
                     .controller = controller,
                     .def = tr_ensemble_def_for(model, controller),
                     .held = calloc((size_t)test->trials, sizeof(bool))};
    if (!e.held)
        return TR_RESOURCE_EXHAUSTED;
    tr_pool_share(pool, examine, &e, test->trials,
                  (const tr_ranks_result[]){{e.held, sizeof *e.held}, {0}});
    *out_held = 0;
    for (int i = 0; i < test->trials; i++)
        *out_held += e.held[i];
    free(e.held);
    return TR_OK;
}
