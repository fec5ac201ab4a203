#include "learn/rehearsal/player.h"

#include "control/parts/falls.h"

tr_status tr_player_begin(tr_player *p, const tr_controller *controller, int entry,
                          tr_rehearsal *rehearsal, const tr_state *start) {
    *p = (tr_player){.rehearsal = rehearsal};
    tr_runner_start(&p->runner, controller, entry, false);
    tr_status status = tr_rehearsal_place(rehearsal, start);
    p->runner.rig = rehearsal->pieces;
    return status;
}

tr_status tr_player_step(tr_player *p) {
    tr_world *world = p->rehearsal->world;
    tr_status status = tr_runner_advance(&p->runner, world, p->rehearsal->character, &p->drive);
    if (!status)
        status = tr_world_step(world);
    if (!status)
        tr_runner_look(&p->runner, &p->doing);
    return status;
}

bool tr_player_is_down(const tr_player *p, bool was_down) {
    return p->doing.down ||
           tr_falls_is_down(p->rehearsal->world, p->rehearsal->character, was_down);
}
