/* Snapshots of a stage.
 *
 *     head      magic, version, size of the whole, checksum of what follows the head
 *     world     its size (8 bytes) and its own snapshot
 *     slots     their number (8 bytes) and one slot_record each, in order of spawning
 *     touches   their number (8 bytes) and one tr_touch each, sorted
 *     faults    their number (8 bytes) and the id of each entity that is frozen
 *     steers    since version 2: their number (8 bytes) and one steer_record for each slot that is
 *               steered or whose helm is not yet back, in their order
 *     cues      since version 3: their number (8 bytes) and one cue_record for each slot that has
 *               been given one, in their order
 *     falls     since version 4: their number (8 bytes) and one fall_record for each slot that
 *               recovers from a fall, in their order
 *
 * Numbers are in host byte order: a snapshot is for machines of one kind. Restoring first reads
 * everything into a draft without touching the stage; then the world is restored, the draft is
 * held against it, and only a draft that fits is adopted: otherwise the world goes back to where
 * it was. */
#include "control/stage_state.h"
#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t snapshot_magic = 0x47535254; /* "TRSG" */
enum { SNAPSHOT_VERSION = 4 };

typedef struct snapshot_head {
    uint32_t magic, version;
    uint64_t size, checksum;
} snapshot_head;

enum {
    SLOT_MIRRORED = 1,
    SLOT_ENDED = 2,
    SLOT_FALLEN = 4,
    SLOT_LIMP = 8,
    SLOT_FAULTED = 16,
    SLOT_CHOOSES = 32
};

typedef struct slot_record {
    uint64_t controller_hash, next_hash;
    int64_t fragments_done;
    uint32_t id, flags;
    int32_t fragment, step, gain_set, reserved;
    double action[TR_ACTION_MAX], offset[TR_ACTION_MAX];
} slot_record;

typedef struct steer_record {
    uint32_t slot, character;
    int32_t aim, reserved;
    double heading_rad, x, y, speed_mps, turn, pace;
    char skill[TR_NAME_MAX];
} steer_record;

typedef struct cue_record {
    uint32_t slot, mirrored;
    int32_t fragment, reserved;
} cue_record;
typedef struct fall_record {
    uint32_t slot, phase;
    int32_t node, steps, up_steps, reserved;
} fall_record;

/* Written and hashed as bytes, so that there must be no padding. */
_Static_assert(sizeof(snapshot_head) == 24, "no padding");
_Static_assert(sizeof(slot_record) == 48 + 16 * TR_ACTION_MAX, "no padding");
_Static_assert(sizeof(steer_record) == 64 + TR_NAME_MAX, "no padding");
_Static_assert(sizeof(cue_record) == 16, "no padding");
_Static_assert(sizeof(fall_record) == 24, "no padding");
_Static_assert(sizeof(tr_touch) == 16, "no padding");

static slot_record record_of(const tr_slot *slot) {
    const tr_performer *performer = &slot->performer;
    const tr_runner *runner = &performer->runner;
    slot_record record = {.controller_hash = slot->controller_hash,
                          .next_hash = slot->next_hash,
                          .fragments_done = runner->fragments_done,
                          .id = slot->id,
                          .fragment = runner->fragment,
                          .step = runner->step,
                          .gain_set = slot->gain_set};
    record.flags = (runner->mirrored ? SLOT_MIRRORED : 0u) | (runner->ended ? SLOT_ENDED : 0u) |
                   (performer->fallen ? SLOT_FALLEN : 0u) | (performer->limp ? SLOT_LIMP : 0u) |
                   (performer->faulted ? SLOT_FAULTED : 0u) | (runner->chooses ? SLOT_CHOOSES : 0u);
    memcpy(record.action, runner->action, sizeof record.action);
    memcpy(record.offset, runner->offset, sizeof record.offset);
    return record;
}

static bool is_steered(const tr_slot *slot) {
    const tr_runner *runner = &slot->performer.runner;
    return !tr_wish_is_none(&runner->wish) || runner->helm.turn != 0 || runner->helm.pace != 0;
}

static int count_steered(const tr_stage *stage) {
    int count = 0;
    for (int i = 0; i < stage->slot_count; i++)
        count += is_steered(&stage->slot[i]);
    return count;
}

static steer_record steer_of(const tr_stage *stage, int i) {
    const tr_runner *runner = &stage->slot[i].performer.runner;
    const tr_wish *wish = &runner->wish;
    steer_record record = {.slot = (uint32_t)i,
                           .character = wish->character,
                           .aim = (int32_t)wish->aim,
                           .heading_rad = wish->heading_rad,
                           .x = wish->x,
                           .y = wish->y,
                           .speed_mps = wish->speed_mps,
                           .turn = runner->helm.turn,
                           .pace = runner->helm.pace};
    memcpy(record.skill, wish->skill, sizeof record.skill);
    return record;
}

static bool is_cued(const tr_slot *slot) {
    return slot->performer.runner.cue.given;
}

static int count_cued(const tr_stage *stage) {
    int count = 0;
    for (int i = 0; i < stage->slot_count; i++)
        count += is_cued(&stage->slot[i]);
    return count;
}

static cue_record cue_of(const tr_stage *stage, int i) {
    const tr_cue *cue = &stage->slot[i].performer.runner.cue;
    return (cue_record){
        .slot = (uint32_t)i, .mirrored = cue->mirrored, .fragment = (int32_t)cue->fragment};
}

static bool recovers(const tr_slot *slot) {
    return slot->performer.recovery.phase != TR_RECOVERY_NONE || slot->performer.up_steps != 0;
}

static int count_recovering(const tr_stage *stage) {
    int count = 0;
    for (int i = 0; i < stage->slot_count; i++)
        count += recovers(&stage->slot[i]);
    return count;
}

static fall_record fall_of(const tr_stage *stage, int i) {
    const tr_performer *performer = &stage->slot[i].performer;
    return (fall_record){.slot = (uint32_t)i,
                         .phase = (uint32_t)performer->recovery.phase,
                         .node = performer->recovery.node,
                         .steps = performer->recovery.steps,
                         .up_steps = performer->up_steps};
}

uint64_t tr_stage_hash(const tr_stage *stage) {
    uint64_t world = tr_world_hash(stage->world);
    uint64_t hash = tr_hash_add(TR_HASH_START, &world, sizeof world);
    for (int i = 0; i < stage->slot_count; i++) {
        slot_record record = record_of(&stage->slot[i]);
        hash = tr_hash_add(hash, &record, sizeof record);
    }
    const tr_touches *touches = &stage->touches;
    const tr_fault_list *faults = &stage->faults;
    hash = tr_hash_add(hash, touches->touch, (size_t)touches->count * sizeof *touches->touch);
    hash = tr_hash_add(hash, faults->id, (size_t)faults->count * sizeof *faults->id);
    for (int i = 0; i < stage->slot_count; i++) {
        steer_record record = steer_of(stage, i);
        if (is_steered(&stage->slot[i]))
            hash = tr_hash_add(hash, &record, sizeof record);
    }
    for (int i = 0; i < stage->slot_count; i++) {
        cue_record record = cue_of(stage, i);
        if (is_cued(&stage->slot[i]))
            hash = tr_hash_add(hash, &record, sizeof record);
    }
    for (int i = 0; i < stage->slot_count; i++) {
        fall_record record = fall_of(stage, i);
        if (recovers(&stage->slot[i]))
            hash = tr_hash_add(hash, &record, sizeof record);
    }
    return hash;
}

/* --- writing --- */

static size_t size_around_world(const tr_stage *stage) {
    return sizeof(snapshot_head) + 7 * sizeof(uint64_t) +
           (size_t)count_steered(stage) * sizeof(steer_record) +
           (size_t)count_cued(stage) * sizeof(cue_record) +
           (size_t)count_recovering(stage) * sizeof(fall_record) +
           (size_t)stage->slot_count * sizeof(slot_record) +
           (size_t)stage->touches.count * sizeof(tr_touch) +
           (size_t)stage->faults.count * sizeof(tr_entity_id);
}

size_t tr_stage_snapshot_size(const tr_stage *stage) {
    return size_around_world(stage) + tr_world_snapshot_size(stage->world);
}

static unsigned char *put(unsigned char *at, const void *data, size_t size) {
    memcpy(at, data, size);
    return at + size;
}

static unsigned char *put_count(unsigned char *at, uint64_t count) {
    return put(at, &count, sizeof count);
}

static unsigned char *put_steers(unsigned char *at, const tr_stage *stage) {
    at = put_count(at, (uint64_t)count_steered(stage));
    for (int i = 0; i < stage->slot_count; i++) {
        steer_record record = steer_of(stage, i);
        if (is_steered(&stage->slot[i]))
            at = put(at, &record, sizeof record);
    }
    return at;
}

static unsigned char *put_cues(unsigned char *at, const tr_stage *stage) {
    at = put_count(at, (uint64_t)count_cued(stage));
    for (int i = 0; i < stage->slot_count; i++) {
        cue_record record = cue_of(stage, i);
        if (is_cued(&stage->slot[i]))
            at = put(at, &record, sizeof record);
    }
    return at;
}

static unsigned char *put_falls(unsigned char *at, const tr_stage *stage) {
    at = put_count(at, (uint64_t)count_recovering(stage));
    for (int i = 0; i < stage->slot_count; i++) {
        fall_record record = fall_of(stage, i);
        if (recovers(&stage->slot[i]))
            at = put(at, &record, sizeof record);
    }
    return at;
}

tr_status tr_stage_snapshot(const tr_stage *stage, void *buffer, size_t capacity,
                            size_t *out_size) {
    if (capacity < tr_stage_snapshot_size(stage))
        return TR_OUT_OF_RANGE;
    unsigned char *start = buffer, *body = start + sizeof(snapshot_head);
    unsigned char *world = body + sizeof(uint64_t);
    size_t world_capacity = capacity - size_around_world(stage), world_size = 0;
    tr_status status = tr_world_snapshot(stage->world, world, world_capacity, &world_size);
    if (status)
        return status;

    put_count(body, world_size);
    unsigned char *at = put_count(world + world_size, (uint64_t)stage->slot_count);
    for (int i = 0; i < stage->slot_count; i++) {
        slot_record record = record_of(&stage->slot[i]);
        at = put(at, &record, sizeof record);
    }
    const tr_touches *touches = &stage->touches;
    at = put_count(at, (uint64_t)touches->count);
    at = put(at, touches->touch, (size_t)touches->count * sizeof *touches->touch);
    at = put_count(at, (uint64_t)stage->faults.count);
    at = put(at, stage->faults.id, (size_t)stage->faults.count * sizeof *stage->faults.id);
    at = put_steers(at, stage);
    at = put_cues(at, stage);
    at = put_falls(at, stage);

    snapshot_head head = {snapshot_magic, SNAPSHOT_VERSION, (uint64_t)(at - start), 0};
    head.checksum = tr_hash_add(TR_HASH_START, body, (size_t)(at - body));
    put(start, &head, sizeof head);
    *out_size = (size_t)(at - start);
    return TR_OK;
}

/* --- reading --- */

typedef struct reader {
    const unsigned char *at;
    size_t left;
} reader;

static bool take(reader *r, void *out, size_t size) {
    if (r->left < size)
        return false;
    memcpy(out, r->at, size);
    r->at += size;
    r->left -= size;
    return true;
}

/* A number of things of `item_size` bytes each, all of which are there. */
static bool take_count(reader *r, uint64_t most, size_t item_size, uint64_t *out) {
    return take(r, out, sizeof *out) && *out <= most && *out <= r->left / item_size;
}

/* What a snapshot asks for, before it is held against the world. */
typedef struct snapshot_draft {
    const unsigned char *world; /* inside the snapshot */
    uint64_t world_size;
    int slot_count;
    tr_slot slot[TR_CHARACTER_MAX];
    tr_touches touches;
    tr_fault_list faults;
} snapshot_draft;

/* Where controllers and models are looked for. */
typedef struct search {
    const tr_stage *stage;
    const tr_stage_library *library;
    const tr_model *model[TR_CHARACTER_MAX]; /* of the characters on stage */
    int model_count;
    /* Of the library's controllers, once one had to be looked for there; else NULL. */
    uint64_t *controller_hash;
} search;

static const tr_model *find_model(const search *where, uint64_t hash) {
    for (int i = 0; i < where->model_count; i++)
        if (where->model[i]->hash == hash)
            return where->model[i];
    for (int i = 0; where->library && i < where->library->model_count; i++)
        if (where->library->models[i]->hash == hash)
            return where->library->models[i];
    return NULL;
}

static const tr_controller *find_on_stage(const tr_stage *stage, uint64_t hash) {
    for (int i = 0; i < stage->slot_count; i++) {
        const tr_slot *slot = &stage->slot[i];
        if (slot->performer.runner.controller && slot->controller_hash == hash)
            return slot->performer.runner.controller;
        if (slot->performer.next && slot->next_hash == hash)
            return slot->performer.next;
    }
    return NULL;
}

/* Hashes the library's controllers; 0 stands for one that fits no model here. */
static tr_status hash_library(search *where) {
    const tr_stage_library *library = where->library;
    where->controller_hash = calloc((size_t)library->controller_count, sizeof(uint64_t));
    if (!where->controller_hash)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < library->controller_count; i++) {
        const tr_controller *controller = library->controllers[i];
        const tr_model *model = find_model(where, controller->model_hash);
        if (model && tr_controller_check(controller, model, NULL) == TR_OK)
            where->controller_hash[i] = tr_controller_hash(controller, model);
    }
    return TR_OK;
}

/* The controller with this hash, NULL for hash 0. */
static tr_status find_controller(search *where, uint64_t hash, const tr_controller **out) {
    const tr_stage_library *library = where->library;
    *out = hash ? find_on_stage(where->stage, hash) : NULL;
    if (*out || !hash)
        return TR_OK;
    if (!library || library->controller_count <= 0)
        return TR_NOT_FOUND;
    if (!where->controller_hash && hash_library(where))
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < library->controller_count && !*out; i++)
        if (where->controller_hash[i] == hash)
            *out = library->controllers[i];
    return *out ? TR_OK : TR_NOT_FOUND;
}

static tr_status read_slot(const slot_record *record, search *where, tr_slot *out) {
    tr_performer *performer = &out->performer;
    tr_runner *runner = &performer->runner;
    *out = (tr_slot){.id = record->id,
                     .gain_set = record->gain_set,
                     .controller_hash = record->controller_hash,
                     .next_hash = record->next_hash};
    performer->fallen = record->flags & SLOT_FALLEN;
    performer->limp = record->flags & SLOT_LIMP;
    performer->faulted = record->flags & SLOT_FAULTED;
    runner->fragment = record->fragment;
    runner->step = record->step;
    runner->mirrored = record->flags & SLOT_MIRRORED;
    runner->ended = record->flags & SLOT_ENDED;
    runner->chooses = record->flags & SLOT_CHOOSES;
    runner->fragments_done = record->fragments_done;
    memcpy(runner->action, record->action, sizeof record->action);
    memcpy(runner->offset, record->offset, sizeof record->offset);
    tr_status status = find_controller(where, record->controller_hash, &runner->controller);
    if (status)
        return status;
    return find_controller(where, record->next_hash, &performer->next);
}

static tr_status read_slots(reader *r, search *where, snapshot_draft *out) {
    uint64_t count = 0;
    if (!take_count(r, TR_CHARACTER_MAX, sizeof(slot_record), &count))
        return TR_INVALID_ARGUMENT;
    for (out->slot_count = 0; out->slot_count < (int)count; out->slot_count++) {
        slot_record record;
        if (!take(r, &record, sizeof record))
            return TR_INVALID_ARGUMENT;
        tr_status status = read_slot(&record, where, &out->slot[out->slot_count]);
        if (status)
            return status;
    }
    return TR_OK;
}

static bool in_order(const tr_touch *a, const tr_touch *b) {
    return a->entity[0] != b->entity[0] ? a->entity[0] < b->entity[0] : a->entity[1] < b->entity[1];
}

static tr_status read_touches(reader *r, tr_touches *out) {
    uint64_t count = 0;
    if (!take_count(r, TR_TOUCH_MAX, sizeof(tr_touch), &count) ||
        !take(r, out->touch, (size_t)count * sizeof(tr_touch)))
        return TR_INVALID_ARGUMENT;
    out->count = (int)count;
    for (int i = 0; i < out->count; i++) {
        const tr_touch *touch = &out->touch[i];
        if (touch->entity[0] == 0 || touch->entity[0] >= touch->entity[1] ||
            (i > 0 && !in_order(touch - 1, touch)))
            return TR_INVALID_ARGUMENT;
    }
    return TR_OK;
}

static tr_status read_faults(reader *r, tr_fault_list *out) {
    uint64_t count = 0;
    if (!take_count(r, TR_FAULT_MAX, sizeof *out->id, &count) ||
        !take(r, out->id, (size_t)count * sizeof *out->id))
        return TR_INVALID_ARGUMENT;
    out->count = (int)count;
    return TR_OK;
}

/* Into the slot it names; slots come in order. */
static bool read_steer(const steer_record *record, snapshot_draft *out) {
    if (record->slot >= (uint32_t)out->slot_count || record->reserved != 0)
        return false;
    tr_runner *runner = &out->slot[record->slot].performer.runner;
    if (is_steered(&out->slot[record->slot]))
        return false;
    runner->wish = (tr_wish){.aim = (tr_aim)record->aim,
                             .heading_rad = record->heading_rad,
                             .x = record->x,
                             .y = record->y,
                             .character = record->character,
                             .speed_mps = record->speed_mps};
    memcpy(runner->wish.skill, record->skill, sizeof record->skill);
    runner->helm = (tr_helm){record->turn, record->pace};
    return tr_wish_is_valid(&runner->wish) && fabs(record->turn) <= 1 && fabs(record->pace) <= 1 &&
           is_steered(&out->slot[record->slot]);
}

static tr_status read_steers(reader *r, snapshot_draft *out) {
    uint64_t count = 0;
    if (!take_count(r, TR_CHARACTER_MAX, sizeof(steer_record), &count))
        return TR_INVALID_ARGUMENT;
    for (uint64_t i = 0; i < count; i++) {
        steer_record record;
        if (!take(r, &record, sizeof record) || !read_steer(&record, out))
            return TR_INVALID_ARGUMENT;
    }
    return TR_OK;
}

/* Into the slot it names; slots come in order. What fits the controller is seen later. */
static bool read_cue(const cue_record *record, snapshot_draft *out) {
    if (record->slot >= (uint32_t)out->slot_count || record->reserved != 0 ||
        record->mirrored > 1 || is_cued(&out->slot[record->slot]))
        return false;
    out->slot[record->slot].performer.runner.cue =
        (tr_cue){true, record->fragment, record->mirrored != 0};
    return true;
}

static tr_status read_cues(reader *r, snapshot_draft *out) {
    uint64_t count = 0;
    if (!take_count(r, TR_CHARACTER_MAX, sizeof(cue_record), &count))
        return TR_INVALID_ARGUMENT;
    for (uint64_t i = 0; i < count; i++) {
        cue_record record;
        if (!take(r, &record, sizeof record) || !read_cue(&record, out))
            return TR_INVALID_ARGUMENT;
    }
    return TR_OK;
}

/* Into the slot it names; slots come in order. */
static bool read_fall(const fall_record *record, snapshot_draft *out) {
    if (record->slot >= (uint32_t)out->slot_count || record->reserved != 0 ||
        record->phase > TR_RECOVERY_TURN || recovers(&out->slot[record->slot]))
        return false;
    tr_performer *performer = &out->slot[record->slot].performer;
    performer->recovery =
        (tr_recovery){(tr_recovery_phase)record->phase, record->node, record->steps};
    performer->up_steps = record->up_steps;
    return recovers(&out->slot[record->slot]);
}

static tr_status read_falls(reader *r, snapshot_draft *out) {
    uint64_t count = 0;
    if (!take_count(r, TR_CHARACTER_MAX, sizeof(fall_record), &count))
        return TR_INVALID_ARGUMENT;
    for (uint64_t i = 0; i < count; i++) {
        fall_record record;
        if (!take(r, &record, sizeof record) || !read_fall(&record, out))
            return TR_INVALID_ARGUMENT;
    }
    return TR_OK;
}

static tr_status read_draft(reader *r, search *where, snapshot_draft *out) {
    snapshot_head head;
    uint64_t whole = r->left;
    if (!take(r, &head, sizeof head) || head.magic != snapshot_magic || head.version < 1 ||
        head.version > SNAPSHOT_VERSION || head.size != whole ||
        head.checksum != tr_hash_add(TR_HASH_START, r->at, r->left))
        return TR_INVALID_ARGUMENT;
    if (!take_count(r, SIZE_MAX, 1, &out->world_size))
        return TR_INVALID_ARGUMENT;
    out->world = r->at;
    r->at += out->world_size;
    r->left -= out->world_size;
    tr_status status = read_slots(r, where, out);
    if (!status)
        status = read_touches(r, &out->touches);
    if (!status)
        status = read_faults(r, &out->faults);
    if (!status && head.version >= 2)
        status = read_steers(r, out);
    if (!status && head.version >= 3)
        status = read_cues(r, out);
    if (!status && head.version >= 4)
        status = read_falls(r, out);
    return status ? status : r->left ? TR_INVALID_ARGUMENT : TR_OK;
}

/* --- fitting --- */

static bool all_finite(const double *values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static bool cue_fits(const tr_runner *runner) {
    const tr_controller *controller = runner->controller;
    const tr_cue *cue = &runner->cue;
    return !cue->given ||
           (controller && cue->fragment >= 0 && cue->fragment < controller->fragment_count &&
            (controller->mirrored || !cue->mirrored));
}

static bool runner_fits(const tr_stage *stage, const tr_runner *runner, const tr_model *model) {
    const tr_controller *controller = runner->controller;
    if (!controller)
        return runner->fragment == 0 && runner->step == 0 && cue_fits(runner);
    return tr_stage_admit(stage, controller, model) == TR_OK && runner->fragment >= 0 &&
           runner->fragment < controller->fragment_count && runner->step >= 0 &&
           runner->step < controller->fragment[runner->fragment].steps &&
           (!runner->chooses || (controller->graph && runner->step == 0)) && cue_fits(runner) &&
           (controller->mirrored || !runner->mirrored) && (!controller->cyclic || !runner->ended) &&
           runner->fragments_done >= 0 && runner->fragments_done <= tr_world_tick(stage->world) &&
           all_finite(runner->action, TR_ACTION_MAX) && all_finite(runner->offset, TR_ACTION_MAX);
}

static bool slot_fits(const tr_stage *stage, const snapshot_draft *draft, int at) {
    const tr_slot *slot = &draft->slot[at];
    const tr_model *model = tr_world_character_model(stage->world, slot->id);
    for (int i = 0; i < at; i++)
        if (draft->slot[i].id == slot->id)
            return false;
    const tr_controller *next = slot->performer.next;
    return model && slot->gain_set >= 0 && slot->gain_set < model->gain_set_count &&
           runner_fits(stage, &slot->performer.runner, model) &&
           tr_recovery_fits(&slot->performer.recovery, &slot->performer.runner) &&
           slot->performer.up_steps >= 0 && (slot->performer.fallen || !slot->performer.up_steps) &&
           (!next || tr_stage_admit(stage, next, model) == TR_OK);
}

/* Does the draft agree with the world that is now on stage? Every character is a performer. */
static bool draft_fits(const tr_stage *stage, const snapshot_draft *draft) {
    int64_t tick = tr_world_tick(stage->world);
    if (draft->slot_count != tr_world_characters(stage->world, NULL, 0))
        return false;
    for (int i = 0; i < draft->slot_count; i++)
        if (!slot_fits(stage, draft, i))
            return false;
    for (int i = 0; i < draft->touches.count; i++)
        if (draft->touches.touch[i].last_tick > tick || draft->touches.touch[i].last_tick < 0)
            return false;
    return true;
}

static tr_status restore_world(tr_stage *stage, const snapshot_draft *draft, const search *where) {
    const tr_stage_library *library = where->library;
    size_t size = tr_world_snapshot_size(stage->world);
    void *before = malloc(size ? size : 1);
    if (!before)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status = tr_world_snapshot(stage->world, before, size, &size);
    if (!status)
        status =
            tr_world_restore(stage->world, draft->world, draft->world_size,
                             library ? library->models : NULL, library ? library->model_count : 0);
    if (!status && !draft_fits(stage, draft)) {
        tr_status undone =
            tr_world_restore(stage->world, before, size, where->model, where->model_count);
        status = undone ? TR_INTERNAL : TR_INVALID_ARGUMENT;
    }
    free(before);
    return status;
}

static void find_models(search *where) {
    const tr_world *world = where->stage->world;
    tr_entity_id id[TR_CHARACTER_MAX];
    where->model_count = tr_world_characters(world, id, TR_CHARACTER_MAX);
    for (int i = 0; i < where->model_count; i++)
        where->model[i] = tr_world_character_model(world, id[i]);
}

tr_status tr_stage_restore(tr_stage *stage, const void *buffer, size_t size,
                           const tr_stage_library *library) {
    reader r = {buffer, size};
    search where = {.stage = stage, .library = library};
    snapshot_draft *draft = calloc(1, sizeof *draft);
    if (!draft)
        return TR_RESOURCE_EXHAUSTED;
    find_models(&where);
    tr_status status = read_draft(&r, &where, draft);
    if (!status)
        status = restore_world(stage, draft, &where);
    if (!status) {
        stage->slot_count = draft->slot_count;
        memcpy(stage->slot, draft->slot, sizeof stage->slot);
        stage->touches = draft->touches;
        stage->faults = draft->faults;
        stage->event_count = stage->dropped_count = 0;
    }
    free(where.controller_hash);
    free(draft);
    return status;
}
