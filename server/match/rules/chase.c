/* Chase: every character tries to run into the nearest standing member of another team
 * (liu2015-guided, figure 11). Falling puts no character out: characters that can get up continue
 * (control/recovery/recovery.h).
 *
 * score[team]: falls of members of other teams. When the time is up, the highest score wins. */
#include "server/match/rules/rule.h"

#include <math.h>
#include <string.h>

enum { SPEED_MPS, LOOK_S };

typedef struct chase {
    bool down[TR_CHARACTER_MAX]; /* of each contestant, after the last step */
} chase;

_Static_assert(sizeof(chase) <= TR_RULE_STATE_MAX, "state of a rule");

/* The nearest member of another team, preferring those that stand; NULL: there is no other. */
static const tr_contestant *find_prey(const tr_bout *bout, const tr_contestant *hunter) {
    const tr_contestant *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < bout->contestant_count; i++) {
        const tr_contestant *other = &bout->contestant[i];
        double x = other->pos.x - hunter->pos.x, y = other->pos.y - hunter->pos.y;
        double far = sqrt(x * x + y * y) + (other->fallen ? 1e6 : 0);
        if (other->team != hunter->team && far < least) {
            least = far;
            best = other;
        }
    }
    return best;
}

/* A character that cannot be steered, or whose speed cannot, does what it can. */
static void hunt(tr_bout *bout, const tr_contestant *hunter) {
    const tr_contestant *prey = find_prey(bout, hunter);
    if (!prey)
        return;
    tr_intent intent = {.wish = {.aim = TR_AIM_CHARACTER,
                                 .character = prey->entity,
                                 .speed_mps = tr_bout_parameter(bout, SPEED_MPS)}};
    tr_status status = tr_bout_steer(bout, hunter, &intent);
    intent.wish.speed_mps = 0;
    if (status)
        status = tr_bout_steer(bout, hunter, &intent);
    (void)status;
}

static void prepare(tr_bout *bout, void *state) {
    (void)state;
    double every = tr_bout_parameter(bout, LOOK_S) / bout->match->world.world.step_s;
    if (bout->tick % (int64_t)fmax(1, every) != 0)
        return;
    for (int i = 0; i < bout->contestant_count; i++)
        hunt(bout, &bout->contestant[i]);
}

static void judge(tr_bout *bout, void *state) {
    chase *so_far = state;
    for (int i = 0; i < bout->contestant_count; i++) {
        const tr_contestant *contestant = &bout->contestant[i];
        bool fell = contestant->fallen && !so_far->down[i];
        for (int t = 0; fell && t < bout->match->team_count; t++)
            bout->score[t] += t != contestant->team;
        so_far->down[i] = contestant->fallen;
    }
}

const tr_rule tr_rule_chase = {
    .name = "chase",
    .parameter = {{"speed_mps", 0, 20, 1.3}, {"look_s", 0.01, 60, 0.5}},
    .counts = true,
    .prepare = prepare,
    .judge = judge,
};
