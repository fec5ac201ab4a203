/* Survive pushes: every contestant gets the same pushes, each stronger than the one before; the
 * last team with a member on its feet wins.
 *
 * Push k begins at first_s + k * interval_s with force_n + k * growth_n for duration_s against the
 * trunk, horizontally, in a direction drawn from the bout's seed, relative to the contestant's
 * heading. score[team]: pushes that its longest-lasting member survived, counted when the next push
 * begins. If several teams are in when the time is up, the highest score wins; equal scores are a
 * draw. */
#include "server/match/rules/rule.h"

#include "math/quat.h"

#include <math.h>

enum { FIRST_S, INTERVAL_S, FORCE_N, GROWTH_N, DURATION_S };
enum { PUSH_STREAM = 1 };

typedef struct pushes {
    int begun;
} pushes;

_Static_assert(sizeof(pushes) <= TR_RULE_STATE_MAX, "state of a rule");

static void push_all(tr_bout *bout, int k) {
    tr_random draw = tr_bout_stream(bout, PUSH_STREAM, (uint64_t)k);
    double angle = 2 * TR_PI * tr_random_uniform(&draw);
    double force = tr_bout_parameter(bout, FORCE_N) + k * tr_bout_parameter(bout, GROWTH_N);
    force = fmax(0, fmin(force, 0.999 * TR_PUSH_NEWTON_MAX)); /* the limit of a Push */
    tr_vec3 level = {force * tr_cos(angle), force * tr_sin(angle), 0};
    for (int i = 0; i < bout->contestant_count; i++) {
        const tr_contestant *contestant = &bout->contestant[i];
        if (contestant->out)
            continue;
        bout->score[contestant->team] = k;
        tr_bout_push(bout, contestant->entity, tr_vec3_from_heading(level, contestant->heading_rad),
                     tr_bout_parameter(bout, DURATION_S));
    }
}

static void prepare(tr_bout *bout, void *state) {
    pushes *so_far = state;
    double due =
        tr_bout_parameter(bout, FIRST_S) + so_far->begun * tr_bout_parameter(bout, INTERVAL_S);
    if (tr_bout_time_s(bout) + 1e-9 >= due)
        push_all(bout, so_far->begun++);
}

static void judge(tr_bout *bout, void *state) {
    (void)state;
    for (int i = 0; i < bout->contestant_count; i++)
        if (bout->contestant[i].fallen)
            tr_bout_out(bout, &bout->contestant[i]);
    tr_bout_end_by_last(bout);
}

const tr_rule tr_rule_survive_pushes = {
    .name = "survive_pushes",
    .parameter = {{"first_s", 0, 3600, 1},
                  {"interval_s", 0.1, 3600, 2},
                  {"force_n", 0, 100000, 100},
                  {"growth_n", -10000, 10000, 20},
                  {"duration_s", 0.005, 60, 0.2}},
    .counts = true,
    .prepare = prepare,
    .judge = judge,
};
