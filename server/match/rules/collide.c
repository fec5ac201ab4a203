/* Run into each other: some time after the first touch between two teams, the team whose members
 * stayed on their feet longer wins.
 *
 * A character that falls, before the touch or after it, is out. score[team]: seconds until its
 * members went out, added up. If all stand, or the teams never met, it is a draw. */
#include "server/match/rules/rule.h"

enum { SETTLE_S };

typedef struct clash {
    bool has_met;
    double met_s;
} clash;

_Static_assert(sizeof(clash) <= TR_RULE_STATE_MAX, "state of a rule");

static void count_seconds(tr_bout *bout) {
    for (int i = 0; i < bout->contestant_count; i++) {
        tr_contestant *contestant = &bout->contestant[i];
        if (contestant->fallen)
            tr_bout_out(bout, contestant);
        if (!contestant->out)
            bout->score[contestant->team] += bout->match->world.world.step_s;
    }
}

static void judge(tr_bout *bout, void *state) {
    clash *so_far = state;
    count_seconds(bout);
    if (bout->met && !so_far->has_met)
        *so_far = (clash){true, tr_bout_time_s(bout)};
    if (so_far->has_met &&
        tr_bout_time_s(bout) >= so_far->met_s + tr_bout_parameter(bout, SETTLE_S))
        tr_bout_end_by_score(bout, "the dust has settled");
}

static void time_up(tr_bout *bout, void *state) {
    const clash *so_far = state;
    if (so_far->has_met)
        tr_bout_end_by_score(bout, "the time was up");
    else
        tr_bout_draw(bout, "they never met");
}

const tr_rule tr_rule_collide = {
    .name = "collide",
    .parameter = {{"settle_s", 0, 60, 3}},
    .judge = judge,
    .time_up = time_up,
};
