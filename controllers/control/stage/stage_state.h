/* The inside of a stage, shared by stage.c and stage_snapshot.c. */
#pragma once

#include "control/stage/stage.h"
#include "control/stage/touches.h"

enum { TR_FAULT_MAX = TR_CHARACTER_MAX + TR_OBJECT_MAX };

/* A performer with what the stage must remember about it. Hashes identify the controllers in
 * snapshots and are 0 without a controller. */
typedef struct tr_slot {
    tr_entity_id id;
    int gain_set; /* last applied; to be applied again after the character was limp */
    uint64_t controller_hash, next_hash;
    tr_performer performer;
} tr_slot;

/* Entities that were frozen at the end of the last step. */
typedef struct tr_fault_list {
    int count;
    tr_entity_id id[TR_FAULT_MAX];
} tr_fault_list;

struct tr_stage {
    tr_world *world;
    bool looks_ahead;
    int slot_count, slot_capacity;
    tr_slot *slot; /* [slot_capacity], in order of spawning; owned */
    tr_touches touches;
    tr_fault_list faults;
    /* Reports on the last step; no part of the state. */
    int event_count, dropped_count;
    tr_stage_event event[TR_STAGE_EVENT_MAX];
    tr_touch_contact scratch[TR_CONTACT_MAX];
};

/* May `controller` drive characters of `model` in this stage? As tr_stage_set_controller. */
tr_status tr_stage_admit(const tr_stage *stage, const tr_controller *controller,
                         const tr_model *model);
