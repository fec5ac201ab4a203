/* Race: the first to cover the distance in the direction of the race wins.
 *
 * score[team]: the distance of its best member, m, along the direction from its start. A character
 * that falls is out unless falls are allowed. When all are out, or the time is up, the longest
 * distance wins. */
#include "server/match/rules/rule.h"

enum { DISTANCE_M, DIRECTION_RAD, FALL_IS_OUT };

static double progress(const tr_bout *bout, const tr_contestant *contestant) {
    tr_vec3 way = tr_vec3_sub(contestant->pos, contestant->start);
    double direction = tr_bout_parameter(bout, DIRECTION_RAD);
    return way.x * tr_cos(direction) + way.y * tr_sin(direction);
}

/* If several arrive in one step, the one that got further is first. */
static void judge(tr_bout *bout, void *state) {
    (void)state;
    bool fall_is_out = tr_bout_parameter(bout, FALL_IS_OUT) != 0;
    bool finished = false, somebody_in = false;
    for (int i = 0; i < bout->contestant_count; i++) {
        tr_contestant *contestant = &bout->contestant[i];
        if (fall_is_out && contestant->fallen)
            tr_bout_out(bout, contestant);
        if (contestant->out)
            continue;
        somebody_in = true;
        double so_far = progress(bout, contestant);
        if (so_far > bout->score[contestant->team])
            bout->score[contestant->team] = so_far;
        finished |= so_far >= tr_bout_parameter(bout, DISTANCE_M);
    }
    if (finished)
        tr_bout_end_by_score(bout, "over the line");
    else if (!somebody_in)
        tr_bout_end_by_score(bout, "all fell; the furthest wins");
}

const tr_rule tr_rule_race = {
    .name = "race",
    .parameter = {{"distance_m", 0.1, 10000, 20},
                  {"direction_rad", -10, 10, 0},
                  {"fall_is_out", 0, 1, 1}},
    .judge = judge,
};
