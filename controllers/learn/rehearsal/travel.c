#include "learn/rehearsal/travel.h"

#include "control/chain/chain.h"

#include <math.h>

static const double STANDS = 0.1; /* m/s; a slower skill does not travel */

double tr_travel_way(const tr_controller *controller, double direction_rad, double seconds) {
    const tr_chain *chain = tr_chain_of(controller);
    double way = 0;
    int steps = 0;
    for (int k = 0; chain && k < chain->bank.fragment_count; k++) {
        tr_vec3 end = chain->bank.fragment[k].end.pose.root_pos;
        way += cos(direction_rad) * end.x;
        if (!chain->bank.mirrored) /* else the other half steps to the other side */
            way += sin(direction_rad) * end.y;
        steps += chain->bank.fragment[k].steps;
    }
    return steps > 0 ? way * seconds / (steps * controller->step_s) : 0;
}

double tr_travel_direction(const tr_controller *controller) {
    const bool rides = controller->rig && !tr_chain_of(controller);
    const tr_vec3 vel = controller->spawn.root_vel;
    double forth = rides ? vel.x : tr_travel_way(controller, 0, 1);
    double left = rides ? vel.y : tr_travel_way(controller, TR_PI / 2, 1);
    if (hypot(forth, left) < STANDS)
        return 0;
    if (fabs(left) > fabs(forth))
        return left > 0 ? TR_PI / 2 : -TR_PI / 2;
    return forth > 0 ? 0 : TR_PI;
}

tr_state tr_travel_along_x(const tr_state *state, double direction_rad) {
    return direction_rad == 0 ? *state : tr_state_place(state, -direction_rad, (tr_vec3){0, 0, 0});
}
