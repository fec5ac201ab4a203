#include "learn/rehearsal/lost.h"

#include "control/parts/above_ground.h"
#include "control/parts/falls.h"
#include "learn/rehearsal/cost.h"

static tr_driver_entry entry_of(const tr_controller *controller, int index) {
    tr_driver_entry entry;
    controller->driver.kind->entry(controller->driver.content, index, &entry);
    return entry;
}

tr_lost_watch tr_lost_begin(const tr_controller *controller, const tr_drive *drive,
                            const tr_state *state) {
    tr_driver_entry entry = entry_of(controller, drive->entry);
    return (tr_lost_watch){.entry = drive->entry,
                           .steps = entry.steps,
                           .mirrored = drive->mirrored,
                           .has_reference = entry.end != NULL,
                           .heading_start_rad = tr_quat_heading(state->pose.root_rot)};
}

/* state: above the local ground, as references are. */
static bool misses_reference(const tr_lost_watch *watch, const tr_controller *controller,
                             const tr_state *state) {
    const tr_state *end = entry_of(controller, watch->entry).end;
    tr_quat turn = tr_quat_from_heading(-watch->heading_start_rad);
    tr_cost_root root = {tr_quat_mul(turn, state->pose.root_rot), state->pose.root_pos.z};
    if (watch->mirrored)
        root.rot = tr_quat_mirror(root.rot);
    return tr_cost_root_is_lost(&root, &(tr_cost_root){end->pose.root_rot, end->pose.root_pos.z});
}

bool tr_lost_look(const tr_lost_watch *watch, const tr_runner *runner, const tr_world *world,
                  tr_entity_id character, bool completed) {
    tr_state state;
    tr_doing doing;
    tr_runner_look(runner, &doing);
    if (doing.down)
        return true;
    if (!watch->has_reference)
        return tr_falls_is_down(world, character, false);
    /* References are known for the ends of entries only. */
    if (!completed)
        return false;
    if (tr_world_get_state(world, character, &state))
        return true;
    tr_ground ground = tr_world_local_ground(world, character);
    state = tr_state_above_ground(&state, &ground);
    return misses_reference(watch, runner->controller, &state);
}
