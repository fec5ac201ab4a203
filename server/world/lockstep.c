#include "server/world/lockstep.h"

#include <string.h>

tr_lockstep tr_lockstep_start(int expected) {
    return (tr_lockstep){.expected = expected, .gathered = expected <= 1};
}

static uint32_t lowest_free_order(const tr_lockstep *lockstep) {
    uint32_t order = 1;
    for (int i = 0; i < lockstep->count && lockstep->stepper[i].order <= order; i++)
        order = lockstep->stepper[i].order + 1;
    return order;
}

tr_status tr_lockstep_join(tr_lockstep *lockstep, uint64_t session, uint32_t order, int64_t tick,
                           uint32_t *out_order) {
    if (order == 0)
        order = lowest_free_order(lockstep);
    if (order > TR_STEPPER_ORDER_MAX)
        return TR_OUT_OF_RANGE;
    int at = 0;
    for (int i = 0; i < lockstep->count; i++) {
        if (lockstep->stepper[i].order == order || lockstep->stepper[i].session == session)
            return TR_ALREADY_EXISTS;
        if (lockstep->stepper[i].order < order)
            at = i + 1;
    }
    if (lockstep->count == TR_STEPPERS_MAX)
        return TR_RESOURCE_EXHAUSTED;
    memmove(&lockstep->stepper[at + 1], &lockstep->stepper[at],
            (size_t)(lockstep->count - at) * sizeof(tr_lockstep_member));
    lockstep->stepper[at] = (tr_lockstep_member){session, order, tick};
    lockstep->count++;
    if (lockstep->count >= lockstep->expected)
        lockstep->gathered = true;
    *out_order = order;
    return TR_OK;
}

tr_status tr_lockstep_leave(tr_lockstep *lockstep, uint64_t session) {
    tr_lockstep_member *stepper = tr_lockstep_find(lockstep, session);
    if (!stepper)
        return TR_NOT_FOUND;
    lockstep->count--;
    memmove(stepper, stepper + 1,
            (size_t)(&lockstep->stepper[lockstep->count] - stepper) * sizeof(tr_lockstep_member));
    return TR_OK;
}

tr_lockstep_member *tr_lockstep_find(tr_lockstep *lockstep, uint64_t session) {
    for (int i = 0; i < lockstep->count; i++)
        if (lockstep->stepper[i].session == session)
            return &lockstep->stepper[i];
    return NULL;
}

bool tr_lockstep_may_apply(const tr_lockstep *lockstep, const tr_stamp *stamp, int64_t tick) {
    if (!lockstep->gathered || stamp->tick > tick)
        return false;
    for (int i = 0; i < lockstep->count && lockstep->stepper[i].order < stamp->order; i++)
        if (lockstep->stepper[i].frontier <= tick)
            return false;
    return true;
}

bool tr_lockstep_may_step(const tr_lockstep *lockstep, int64_t tick) {
    if (!lockstep->gathered || lockstep->count == 0)
        return false;
    for (int i = 0; i < lockstep->count; i++)
        if (lockstep->stepper[i].frontier <= tick)
            return false;
    return true;
}

void tr_lockstep_rewind(tr_lockstep *lockstep, int64_t tick) {
    for (int i = 0; i < lockstep->count; i++)
        lockstep->stepper[i].frontier = tick;
}
