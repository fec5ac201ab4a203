/* Snapshots of a stage.
 *
 *     head        magic, version, size of the whole, checksum of what follows the head
 *     world       its size (8 bytes) and its own snapshot
 *     performers  their number (8 bytes), then each in order of spawning: its fields, and its runner
 *                 (tr_runner_write): what was set, and the state of its driver, by its fields
 *     touches     their number (8 bytes) and one tr_touch each, sorted
 *     faults      their number (8 bytes) and the id of each entity that is frozen
 *     rigs        of each performer, in their order (tr_rig_pieces_field)
 *     intents     of each performer, in their order (tr_intent_write)
 *     look-ahead  0 or 1 (8 bytes)
 *
 * Restoring first reads everything into a draft without touching the stage; then the world is
 * restored and the draft is compared with it. Only a draft that fits is adopted; otherwise the
 * world is restored to its state before.
 *
 * Only the present version is read. */
#include "control/stage/stage_state.h"
#include "math/hash.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t snapshot_magic = 0x47535254; /* "TRSG" */
enum { SNAPSHOT_VERSION = 8 };

typedef struct snapshot_head {
    uint32_t magic, version;
    uint64_t size, checksum;
} snapshot_head;

/* Written and hashed as bytes, so that there must be no padding. */
_Static_assert(sizeof(snapshot_head) == 24, "no padding");
_Static_assert(sizeof(tr_touch) == 16, "no padding");

static const tr_state_field slot_field[] = {
    TR_STATE_INT_FIELD(tr_slot, id, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_INT_FIELD(tr_slot, gain_set, TR_SERVO_VALUES, TR_GAIN_SET_MAX - 1),
    TR_STATE_INT64_FIELD(tr_slot, controller_hash, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_INT64_FIELD(tr_slot, next_hash, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_INT_FIELD(tr_slot, performer.up_steps, 0, 1 << 30),
    TR_STATE_BOOL_FIELD(tr_slot, performer.fallen),
    TR_STATE_BOOL_FIELD(tr_slot, performer.limp),
    TR_STATE_BOOL_FIELD(tr_slot, performer.faulted),
};
enum { SLOT_FIELD_COUNT = sizeof slot_field / sizeof *slot_field };

static uint64_t hash_with(const tr_stage *stage, uint64_t world) {
    uint64_t hash = tr_hash_add(TR_HASH_START, &world, sizeof world);
    for (int i = 0; i < stage->slot_count; i++) {
        const tr_slot *slot = &stage->slot[i];
        const tr_rig_pieces *rig = &slot->performer.runner.rig;
        hash = tr_state_fields_hash(slot_field, SLOT_FIELD_COUNT, slot, hash);
        if (rig->count > 0)
            hash = tr_state_fields_hash(tr_rig_pieces_field, tr_rig_pieces_field_count, rig, hash);
        if (slot->performer.intent.given)
            hash = tr_intent_hash(&slot->performer.intent, hash);
        hash = tr_runner_hash(&slot->performer.runner, hash);
    }
    const tr_touches *touches = &stage->touches;
    const tr_fault_list *faults = &stage->faults;
    /* What few stages have enters the hash only where it is. */
    if (stage->looks_ahead)
        hash = tr_hash_add(hash, &stage->looks_ahead, sizeof stage->looks_ahead);
    hash = tr_hash_add(hash, touches->touch, (size_t)touches->count * sizeof *touches->touch);
    return tr_hash_add(hash, faults->id, (size_t)faults->count * sizeof *faults->id);
}

uint64_t tr_stage_hash(const tr_stage *stage) {
    return hash_with(stage, tr_world_hash(stage->world));
}

uint64_t tr_stage_state_hash(const tr_stage *stage) {
    return hash_with(stage, tr_world_state_hash(stage->world));
}

/* --- writing --- */

static void put_count(tr_byte_writer *writer, uint64_t count) {
    tr_byte_put(writer, &count, sizeof count);
}

/* Writes everything behind the world. */
static void put_rest(const tr_stage *stage, tr_byte_writer *writer) {
    put_count(writer, (uint64_t)stage->slot_count);
    for (int i = 0; i < stage->slot_count; i++) {
        tr_state_fields_write(slot_field, SLOT_FIELD_COUNT, &stage->slot[i], writer);
        tr_runner_write(&stage->slot[i].performer.runner, writer);
    }
    const tr_touches *touches = &stage->touches;
    put_count(writer, (uint64_t)touches->count);
    tr_byte_put(writer, touches->touch, (size_t)touches->count * sizeof *touches->touch);
    put_count(writer, (uint64_t)stage->faults.count);
    tr_byte_put(writer, stage->faults.id, (size_t)stage->faults.count * sizeof *stage->faults.id);
    for (int i = 0; i < stage->slot_count; i++)
        tr_state_fields_write(tr_rig_pieces_field, tr_rig_pieces_field_count,
                              &stage->slot[i].performer.runner.rig, writer);
    for (int i = 0; i < stage->slot_count; i++)
        tr_intent_write(&stage->slot[i].performer.intent, writer);
    put_count(writer, stage->looks_ahead);
}

static size_t size_around_world(const tr_stage *stage) {
    tr_byte_writer count = {0};
    put_rest(stage, &count);
    return sizeof(snapshot_head) + sizeof(uint64_t) + count.size;
}

size_t tr_stage_snapshot_size(const tr_stage *stage) {
    return size_around_world(stage) + tr_world_snapshot_size(stage->world);
}

tr_status tr_stage_snapshot(const tr_stage *stage, void *buffer, size_t capacity,
                            size_t *out_size) {
    size_t around = size_around_world(stage), world_size = 0;
    if (capacity < around + tr_world_snapshot_size(stage->world))
        return TR_OUT_OF_RANGE;
    unsigned char *start = buffer, *body = start + sizeof(snapshot_head);
    unsigned char *world = body + sizeof(uint64_t);
    tr_status status = tr_world_snapshot(stage->world, world, capacity - around, &world_size);
    if (status)
        return status;
    tr_byte_writer writer = {body, 0};
    put_count(&writer, world_size);
    writer.size += world_size;
    put_rest(stage, &writer);
    /* The head comes last: it covers all that follows it. */
    snapshot_head head = {snapshot_magic, SNAPSHOT_VERSION, sizeof head + writer.size,
                          tr_hash_add(TR_HASH_START, body, writer.size)};
    memcpy(start, &head, sizeof head);
    *out_size = head.size;
    return TR_OK;
}

/* --- reading --- */

/* Reads a count of items of at least `item_size` bytes each, which the remaining bytes can hold. */
static bool take_count(tr_byte_reader *source, uint64_t most, size_t item_size, uint64_t *out) {
    return tr_byte_reader_get(source, out, sizeof *out) && *out <= most &&
           *out <= source->left / item_size;
}

/* The content of a snapshot, before it is compared with the world. */
typedef struct snapshot_draft {
    const unsigned char *world; /* inside the snapshot */
    uint64_t world_size;
    int slot_count, slot_capacity;
    tr_slot *slot; /* owned */
    tr_touches touches;
    tr_fault_list faults;
    uint64_t looks_ahead;
} snapshot_draft;

/* A search looks for controllers and models here. */
typedef struct search {
    const tr_stage *stage;
    const tr_stage_library *library;
    const tr_model *model[TR_CHARACTER_MAX]; /* of the characters on stage */
    int model_count;
    /* Hashes of the library's controllers; NULL until one is first needed. */
    uint64_t *controller_hash;
} search;

static const tr_model *find_model(const search *where, uint64_t hash) {
    for (int i = 0; i < where->model_count; i++)
        if (where->model[i]->hash == hash)
            return where->model[i];
    /* Models on stage come first: those of the library are for characters that left. */
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
        if (model && !tr_controller_check(controller, model, NULL))
            where->controller_hash[i] = tr_controller_hash(controller, model);
    }
    return TR_OK;
}

/* Finds the controller with this hash, NULL for hash 0. */
static tr_status find_controller(search *where, uint64_t hash, const tr_controller **out) {
    const tr_stage_library *library = where->library;
    *out = hash ? find_on_stage(where->stage, hash) : NULL;
    if (*out || !hash)
        return TR_OK;
    if (!library || library->controller_count <= 0)
        return TR_NOT_FOUND;
    /* Hashing the library costs much, and most snapshots do not need it. */
    if (!where->controller_hash && hash_library(where))
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < library->controller_count && !*out; i++)
        if (where->controller_hash[i] == hash)
            *out = library->controllers[i];
    return *out ? TR_OK : TR_NOT_FOUND;
}

static tr_status read_slot(tr_byte_reader *source, search *where, tr_slot *out) {
    tr_performer *performer = &out->performer;
    memset(out, 0, sizeof *out);
    if (!tr_state_fields_read(slot_field, SLOT_FIELD_COUNT, source, out, NULL))
        return TR_INVALID_ARGUMENT;
    tr_status status = find_controller(where, out->controller_hash, &performer->runner.controller);
    if (!status)
        status = find_controller(where, out->next_hash, &performer->next);
    if (status)
        return status;
    return tr_runner_read(source, &performer->runner) ? TR_OK : TR_INVALID_ARGUMENT;
}

static tr_status read_slots(tr_byte_reader *source, search *where, snapshot_draft *out) {
    uint64_t count = 0;
    if (!take_count(source, TR_CHARACTER_MAX, 1, &count))
        return TR_INVALID_ARGUMENT;
    out->slot_capacity = (int)count;
    out->slot = calloc((size_t)count + 1, sizeof *out->slot);
    tr_status status = out->slot ? TR_OK : TR_RESOURCE_EXHAUSTED;
    for (; !status && out->slot_count < (int)count; out->slot_count++)
        status = read_slot(source, where, &out->slot[out->slot_count]);
    return status;
}

static bool in_order(const tr_touch *a, const tr_touch *b) {
    return a->entity[0] != b->entity[0] ? a->entity[0] < b->entity[0] : a->entity[1] < b->entity[1];
}

static bool read_touches(tr_byte_reader *source, tr_touches *out) {
    uint64_t count = 0;
    if (!take_count(source, TR_TOUCH_MAX, sizeof(tr_touch), &count) ||
        !tr_byte_reader_get(source, out->touch, (size_t)count * sizeof(tr_touch)))
        return false;
    out->count = (int)count;
    for (int i = 0; i < out->count; i++) {
        const tr_touch *touch = &out->touch[i];
        /* A stranger may have sorted them otherwise: the search needs this order. */
        if (touch->entity[0] == 0 || touch->entity[0] >= touch->entity[1] ||
            (i > 0 && !in_order(touch - 1, touch)))
            return false;
    }
    return true;
}

static bool read_faults(tr_byte_reader *source, tr_fault_list *out) {
    uint64_t count = 0;
    if (!take_count(source, TR_FAULT_MAX, sizeof *out->id, &count) ||
        !tr_byte_reader_get(source, out->id, (size_t)count * sizeof *out->id))
        return false;
    out->count = (int)count;
    return true;
}

static bool read_rigs(tr_byte_reader *source, snapshot_draft *out) {
    for (int i = 0; i < out->slot_count; i++)
        if (!tr_state_fields_read(tr_rig_pieces_field, tr_rig_pieces_field_count, source,
                                  &out->slot[i].performer.runner.rig, NULL))
            return false;
    return true;
}

static bool read_intents(tr_byte_reader *source, snapshot_draft *out) {
    for (int i = 0; i < out->slot_count; i++)
        if (!tr_intent_read(source, &out->slot[i].performer.intent))
            return false;
    return true;
}

static tr_status read_head(tr_byte_reader *source) {
    snapshot_head head;
    size_t whole = source->left;
    if (!tr_byte_reader_get(source, &head, sizeof head) || head.magic != snapshot_magic)
        return TR_INVALID_ARGUMENT;
    if (head.version != SNAPSHOT_VERSION)
        return TR_UNIMPLEMENTED;
    /* The checksum covers everything behind the head. */
    bool whole_is_there =
        head.size == whole && head.checksum == tr_hash_add(TR_HASH_START, source->at, source->left);
    return whole_is_there ? TR_OK : TR_INVALID_ARGUMENT;
}

static tr_status read_draft(tr_byte_reader *source, search *where, snapshot_draft *out) {
    tr_status status = read_head(source);
    if (status)
        return status;
    if (!take_count(source, SIZE_MAX, 1, &out->world_size))
        return TR_INVALID_ARGUMENT;
    out->world = tr_byte_reader_take(source, out->world_size);
    status = read_slots(source, where, out);
    if (status)
        return status;
    bool whole = read_touches(source, &out->touches) && read_faults(source, &out->faults) &&
                 read_rigs(source, out) && read_intents(source, out) &&
                 tr_byte_reader_get(source, &out->looks_ahead, sizeof out->looks_ahead) &&
                 out->looks_ahead <= 1 && source->left == 0;
    return whole ? TR_OK : TR_INVALID_ARGUMENT;
}

/* --- fitting --- */

static bool performer_fits(const tr_stage *stage, const tr_performer *performer,
                           const tr_model *model) {
    const tr_controller *controller = performer->runner.controller, *next = performer->next;
    const tr_rig_pieces *rig = &performer->runner.rig;
    if ((controller &&
         (tr_stage_admit(stage, controller, model) || !tr_rig_pieces_fit(rig, controller->rig))) ||
        (next && (tr_stage_admit(stage, next, model) || !tr_rig_pieces_fit(rig, next->rig))))
        return false;
    return performer->fallen || performer->up_steps == 0;
}

static bool has_object(const tr_rig_pieces *rig, int count, tr_entity_id object) {
    for (int i = 0; i < count; i++)
        if (rig->object[i] == object)
            return true;
    return false;
}

/* Are the objects of the rig in the world, and in no rig before it? */
static bool rig_fits(const tr_stage *stage, const snapshot_draft *draft, int at) {
    const tr_rig_pieces *rig = &draft->slot[at].performer.runner.rig;
    for (int i = 0; i < rig->count; i++) {
        bool taken = has_object(rig, i, rig->object[i]);
        for (int k = 0; k < at && !taken; k++) {
            const tr_rig_pieces *other = &draft->slot[k].performer.runner.rig;
            taken = has_object(other, other->count, rig->object[i]);
        }
        if (taken || !tr_world_object_def(stage->world, rig->object[i]))
            return false;
    }
    /* Unused places are 0, so that equal states have equal bytes. */
    for (int i = rig->count; i < TR_RIG_OBJECT_MAX; i++)
        if (rig->object[i] != 0)
            return false;
    return rig->count > 0 || rig->rig == 0;
}

static bool slot_fits(const tr_stage *stage, const snapshot_draft *draft, int at) {
    const tr_slot *slot = &draft->slot[at];
    const tr_model *model = tr_world_character_model(stage->world, slot->id);
    /* Only a stage that looks ahead blocks a character. */
    if (slot->performer.intent.mode == TR_INTENT_BLOCKED && !draft->looks_ahead)
        return false;
    for (int i = 0; i < at; i++)
        if (draft->slot[i].id == slot->id)
            return false;
    return model && rig_fits(stage, draft, at) && slot->gain_set < model->gain_set_count &&
           performer_fits(stage, &slot->performer, model);
}

/* Does the draft agree with the world that is now on stage? Every character is a performer. */
static bool draft_fits(const tr_stage *stage, const snapshot_draft *draft) {
    int64_t tick = tr_world_tick(stage->world);
    /* Each character of the world has one slot, and nothing else has one. */
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
    /* The draft can only be compared with the restored world, so the present one is kept
     * meanwhile. */
    tr_status status = tr_world_snapshot(stage->world, before, size, &size);
    if (!status)
        status =
            tr_world_restore(stage->world, draft->world, draft->world_size,
                             library ? library->models : NULL, library ? library->model_count : 0);
    /* The world was restored but the slots do not fit it: put the old one back. */
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

/* Puts the draft's performers, touches and faults in the place of the stage's. */
static void adopt(tr_stage *stage, snapshot_draft *draft) {
    free(stage->slot);
    stage->slot = draft->slot;
    stage->slot_count = draft->slot_count;
    stage->slot_capacity = draft->slot_capacity;
    draft->slot = NULL;
    stage->touches = draft->touches;
    stage->faults = draft->faults;
    stage->looks_ahead = draft->looks_ahead != 0;
    stage->event_count = stage->dropped_count = 0;
}

tr_status tr_stage_restore(tr_stage *stage, const void *buffer, size_t size,
                           const tr_stage_library *library) {
    tr_byte_reader source = {buffer, size, false};
    search where = {.stage = stage, .library = library};
    snapshot_draft *draft = calloc(1, sizeof *draft);
    if (!draft)
        return TR_RESOURCE_EXHAUSTED;
    find_models(&where);
    /* Read all, compare with the world, and only then replace the present state. */
    tr_status status = read_draft(&source, &where, draft);
    if (!status)
        status = restore_world(stage, draft, &where);
    if (!status)
        adopt(stage, draft);
    free(where.controller_hash);
    free(draft->slot);
    free(draft);
    return status;
}
