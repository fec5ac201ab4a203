/* Sumo: a character that leaves the ring is out; so is one that falls, unless falls are allowed.
 * The last team in wins.
 *
 * The ring is drawn on the ground; a character is inside as long as its root is above it.
 * score[team]: seconds until its last member went out. If several teams are in when the time is up,
 * it is a draw. */
#include "server/match/rules/rule.h"

#include <math.h>

enum { RADIUS_M, CENTER_X_M, CENTER_Y_M, FALL_IS_OUT };

static bool is_in_ring(const tr_bout *bout, const tr_contestant *contestant) {
    double x = contestant->pos.x - tr_bout_parameter(bout, CENTER_X_M);
    double y = contestant->pos.y - tr_bout_parameter(bout, CENTER_Y_M);
    return sqrt(x * x + y * y) <= tr_bout_parameter(bout, RADIUS_M);
}

static void judge(tr_bout *bout, void *state) {
    (void)state;
    bool fall_is_out = tr_bout_parameter(bout, FALL_IS_OUT) != 0;
    for (int i = 0; i < bout->contestant_count; i++) {
        tr_contestant *contestant = &bout->contestant[i];
        if (!is_in_ring(bout, contestant) || (fall_is_out && contestant->fallen))
            tr_bout_out(bout, contestant);
        if (!contestant->out)
            bout->score[contestant->team] = tr_bout_time_s(bout);
    }
    tr_bout_end_by_last(bout);
}

const tr_rule tr_rule_sumo = {
    .name = "sumo",
    .parameter = {{"radius_m", 0.5, 1000, 3},
                  {"center_x_m", -10000, 10000, 0},
                  {"center_y_m", -10000, 10000, 0},
                  {"fall_is_out", 0, 1, 1}},
    .judge = judge,
};
