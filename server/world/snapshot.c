#include "server/world/snapshot.h"

#include "control/fields/bytes.h"
#include "math/hash.h"
#include "model/name.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'T', 'R', 'W', 'O', 'R', 'L', 'D', '3'};
enum { HEAD_SIZE = sizeof magic + sizeof(uint64_t), LABEL_MAX = TR_CHARACTER_MAX };

/* --- writing --- */

static void put_u32(tr_byte_writer *w, uint32_t value) {
    tr_byte_put(w, &value, sizeof value);
}

static void put_pending(tr_byte_writer *w, const tr_saved_command *command) {
    tr_byte_put(w, &command->tick, sizeof command->tick);
    tr_byte_put(w, &command->order, sizeof command->order);
    tr_byte_put(w, &command->request, sizeof command->request);
    tr_byte_put(w, &command->session, sizeof command->session);
    tr_byte_put(w, &command->account, sizeof command->account);
    put_u32(w, command->size);
    tr_byte_put(w, command->message, command->size);
}

/* Everything between the checksum and the stage's bytes. */
static void put_body(tr_byte_writer *w, const tr_saved *saved, size_t stage_size) {
    tr_byte_put(w, &saved->seed, sizeof saved->seed);
    put_u32(w, (uint32_t)saved->fault_rule);
    put_u32(w, (uint32_t)saved->model_count);
    put_u32(w, (uint32_t)saved->controller_count);
    tr_byte_put(w, saved->model, (size_t)saved->model_count * TR_NAME_MAX);
    tr_byte_put(w, saved->controller, (size_t)saved->controller_count * TR_NAME_MAX);
    put_u32(w, (uint32_t)saved->label_count);
    for (int i = 0; i < saved->label_count; i++) {
        put_u32(w, saved->label[i].entity);
        tr_byte_put(w, &saved->label[i].owner, sizeof saved->label[i].owner);
        tr_byte_put(w, saved->label[i].text, TR_NAME_MAX);
    }
    put_u32(w, (uint32_t)saved->pending_count);
    for (int i = 0; i < saved->pending_count; i++)
        put_pending(w, &saved->pending[i]);
    put_u32(w, (uint32_t)stage_size);
}

tr_status tr_snapshot_write(const tr_saved *saved, const tr_stage *stage, tr_packet **out) {
    size_t stage_size = tr_stage_snapshot_size(stage);
    tr_byte_writer count = {0};
    put_body(&count, saved, stage_size);
    size_t size = HEAD_SIZE + count.size + stage_size;
    if (size > TR_SNAPSHOT_MAX)
        return TR_OUT_OF_RANGE;
    tr_packet *packet = tr_packet_create(size);
    if (!packet)
        return TR_RESOURCE_EXHAUSTED;
    tr_byte_writer body = {packet->bytes + HEAD_SIZE, 0};
    put_body(&body, saved, stage_size);
    size_t written = 0;
    tr_status status = tr_stage_snapshot(stage, body.at + body.size, stage_size, &written);
    if (status || written != stage_size) {
        tr_packet_release(packet);
        return status ? status : TR_INTERNAL;
    }
    uint64_t checksum = tr_hash_add(TR_HASH_START, packet->bytes + HEAD_SIZE, size - HEAD_SIZE);
    memcpy(packet->bytes, magic, sizeof magic);
    memcpy(packet->bytes + sizeof magic, &checksum, sizeof checksum);
    *out = packet;
    return TR_OK;
}

/* --- reading --- */

/* Allocates at least one element, so that NULL always means no memory. */
static void *get_array(tr_byte_reader *r, int count, size_t element_size) {
    void *array = calloc((size_t)count + 1, element_size);
    if (!array)
        r->failed = true;
    return array;
}

static void get_names(tr_byte_reader *r, int count, char (*out)[TR_NAME_MAX]) {
    for (int i = 0; i < count && !r->failed; i++)
        tr_name_read(r, out[i]);
}

static void get_labels(tr_byte_reader *r, tr_saved *saved) {
    saved->label_count =
        (int)tr_byte_reader_count(r, LABEL_MAX, sizeof(uint32_t) + sizeof(uint64_t) + TR_NAME_MAX);
    saved->label = get_array(r, saved->label_count, sizeof *saved->label);
    for (int i = 0; i < saved->label_count && !r->failed; i++) {
        saved->label[i].entity = tr_byte_reader_u32(r);
        tr_byte_reader_get(r, &saved->label[i].owner, sizeof saved->label[i].owner);
        tr_name_read(r, saved->label[i].text);
    }
}

static void get_pending(tr_byte_reader *r, tr_saved *saved) {
    saved->pending_count =
        (int)tr_byte_reader_count(r, TR_COMMANDS_PENDING_MAX, 5 * sizeof(uint64_t) + 4);
    saved->pending = get_array(r, saved->pending_count, sizeof *saved->pending);
    for (int i = 0; i < saved->pending_count && !r->failed; i++) {
        tr_saved_command *command = &saved->pending[i];
        tr_byte_reader_get(r, &command->tick, sizeof command->tick);
        tr_byte_reader_get(r, &command->order, sizeof command->order);
        tr_byte_reader_get(r, &command->request, sizeof command->request);
        tr_byte_reader_get(r, &command->session, sizeof command->session);
        tr_byte_reader_get(r, &command->account, sizeof command->account);
        command->size = tr_byte_reader_u32(r);
        command->message = tr_byte_reader_take(r, command->size);
    }
}

static void get_body(tr_byte_reader *r, tr_saved *saved) {
    tr_byte_reader_get(r, &saved->seed, sizeof saved->seed);
    uint32_t fault_rule = tr_byte_reader_u32(r);
    if (fault_rule >= TR_FAULT_RULE_COUNT)
        r->failed = true;
    else
        saved->fault_rule = (tr_fault_rule)fault_rule;
    saved->model_count = (int)tr_byte_reader_count(r, TR_CAST_MODEL_MAX, TR_NAME_MAX);
    saved->controller_count = (int)tr_byte_reader_count(r, TR_CAST_CONTROLLER_MAX, TR_NAME_MAX);
    saved->model = get_array(r, saved->model_count, TR_NAME_MAX);
    saved->controller = get_array(r, saved->controller_count, TR_NAME_MAX);
    get_names(r, saved->model_count, saved->model);
    get_names(r, saved->controller_count, saved->controller);
    get_labels(r, saved);
    get_pending(r, saved);
    saved->stage_size = tr_byte_reader_u32(r);
    saved->stage = tr_byte_reader_take(r, saved->stage_size);
    if (r->left != 0)
        r->failed = true;
}

tr_status tr_snapshot_read(const uint8_t *bytes, size_t size, tr_saved **out, tr_error *error) {
    uint64_t checksum = 0;
    if (size < HEAD_SIZE || size > TR_SNAPSHOT_MAX || memcmp(bytes, magic, sizeof magic) != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "data: not a snapshot of this version");
    memcpy(&checksum, bytes + sizeof magic, sizeof checksum);
    if (checksum != tr_hash_add(TR_HASH_START, bytes + HEAD_SIZE, size - HEAD_SIZE))
        return tr_fail(error, TR_INVALID_ARGUMENT, "data: the checksum is wrong; is it cut short?");
    tr_saved *saved = calloc(1, sizeof *saved);
    if (!saved)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_byte_reader r = {bytes + HEAD_SIZE, size - HEAD_SIZE, false};
    get_body(&r, saved);
    if (r.failed) {
        tr_saved_destroy(saved);
        return tr_fail(error, TR_INVALID_ARGUMENT, "data: a count or length in it is out of range");
    }
    *out = saved;
    return TR_OK;
}

void tr_saved_destroy(tr_saved *saved) {
    if (!saved)
        return;
    free(saved->model);
    free(saved->controller);
    free(saved->label);
    free(saved->pending);
    free(saved);
}
