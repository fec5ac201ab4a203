/* Last one standing: a character that is down for longer than allowed is out; the last team with a
 * member in wins.
 *
 * A character that gets up in time stays in. score[team]: seconds until its last member went down
 * and stayed down. If several teams stand when the time is up, the one with the most members in
 * wins; equal numbers are a draw. */
#include "server/match/rules/rule.h"

enum { DOWN_S };

typedef struct falls {
    int32_t ticks_down[TR_CHARACTER_MAX]; /* [contestant], since it last stood */
} falls;

_Static_assert(sizeof(falls) <= TR_RULE_STATE_MAX, "state of a rule");

static void judge(tr_bout *bout, void *state) {
    falls *so_far = state;
    double allowed = tr_bout_parameter(bout, DOWN_S) / bout->match->world.world.step_s;
    for (int i = 0; i < bout->contestant_count; i++) {
        tr_contestant *contestant = &bout->contestant[i];
        so_far->ticks_down[i] = contestant->fallen ? so_far->ticks_down[i] + 1 : 0;
        if (so_far->ticks_down[i] > allowed)
            tr_bout_out(bout, contestant);
        if (!contestant->fallen && !contestant->out)
            bout->score[contestant->team] = tr_bout_time_s(bout);
    }
    tr_bout_end_by_last(bout);
}

/* The scores remain seconds; the number of members decides. */
static void time_up(tr_bout *bout, void *state) {
    (void)state;
    int best = 0, equals = 1;
    for (int i = 1; i < bout->match->team_count; i++) {
        int more = tr_bout_members_in(bout, i) - tr_bout_members_in(bout, best);
        best = more > 0 ? i : best;
        equals = more > 0 ? 1 : equals + (more == 0);
    }
    if (equals == 1)
        tr_bout_win(bout, best, "the most standing when the time was up");
    else
        tr_bout_draw(bout, "as many standing when the time was up");
}

const tr_rule tr_rule_last_standing = {
    .name = "last_standing",
    .parameter = {{"down_s", 0, 60, 0}},
    .judge = judge,
    .time_up = time_up,
};
