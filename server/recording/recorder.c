#include "server/recording/recorder.h"

#include "math/hash.h"
#include "model/name.h"
#include "server/config/version.h"
#include "server/recording/fingerprint.h"
#include "server/recording/recording.h"
#include "server/recording/trace.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_SIZE = 64 << 10,  /* a chunk is closed when its payload exceeds this */
    CHUNK_STEPS = 200,      /* ... or has this many steps */
    READY_MAX = 32 << 20,   /* bytes written and not taken */
    STEPS_MAX = UINT16_MAX, /* of one record */
    SNAPSHOTS_MAX = 64      /* kept, for jumps to the same state */
};

/* A growing byte buffer that keeps its first failure. */
typedef struct buffer {
    uint8_t *bytes;
    size_t size, capacity;
    bool failed;
} buffer;

struct tr_recorder {
    const tr_cast *cast;
    int model_count, controller_count; /* of the cast, already named in the file */
    int check_every, key_every;
    int64_t position;
    bool key_due, ended;
    tr_status status;
    char reason[TR_RECORDING_TEXT_MAX];
    buffer chunk; /* payload of the one in progress */
    buffer ready; /* whole chunks */
    size_t total; /* bytes written in total */
    int chunk_steps;
    size_t steps_at; /* offset in `chunk` of the open steps record; 0: none is open */
    int steps_width;
    uint64_t snapshot[SNAPSHOTS_MAX]; /* hashes of the written snapshots, by index */
    int snapshot_count;
};

uint32_t tr_chunk_checksum(const void *data, size_t size) {
    uint64_t hash = tr_hash_add(TR_HASH_START, data, size);
    return (uint32_t)(hash ^ hash >> 32);
}

/* --- bytes --- */

static uint8_t *extend(buffer *b, size_t size) {
    if (b->failed)
        return NULL;
    if (b->size + size > b->capacity) {
        size_t capacity = b->capacity * 2 > b->size + size ? b->capacity * 2 : b->size + size;
        uint8_t *bytes = realloc(b->bytes, capacity);
        if (!bytes) {
            b->failed = true;
            return NULL;
        }
        b->bytes = bytes;
        b->capacity = capacity;
    }
    b->size += size;
    return b->bytes + b->size - size;
}

static void put(buffer *b, const void *data, size_t size) {
    uint8_t *at = extend(b, size);
    if (at && size > 0)
        memcpy(at, data, size);
}

static void put_u8(buffer *b, uint32_t value) {
    uint8_t byte = (uint8_t)value;
    put(b, &byte, 1);
}

static void put_u16(buffer *b, uint32_t value) {
    uint16_t number = (uint16_t)value;
    put(b, &number, sizeof number);
}

static void put_u32(buffer *b, uint32_t value) {
    put(b, &value, sizeof value);
}

static void put_u64(buffer *b, uint64_t value) {
    put(b, &value, sizeof value);
}

/* --- chunks --- */

static void fall_silent(tr_recorder *r, tr_status status) {
    if (!r->status)
        r->status = status;
    r->ended = true;
}

void tr_recorder_flush(tr_recorder *r) {
    r->steps_at = 0;
    r->chunk_steps = 0;
    if (r->chunk.size > 0) {
        put_u32(&r->ready, (uint32_t)r->chunk.size);
        put_u32(&r->ready, tr_chunk_checksum(r->chunk.bytes, r->chunk.size));
        put(&r->ready, r->chunk.bytes, r->chunk.size);
        r->total += TR_CHUNK_HEAD_SIZE + r->chunk.size;
        r->chunk.size = 0;
    }
    if (r->chunk.failed || r->ready.failed || r->ready.size > READY_MAX)
        fall_silent(r, TR_RESOURCE_EXHAUSTED);
}

/* Begins a record of about `size` bytes. False: the recorder has stopped, write nothing. */
static bool begin(tr_recorder *r, tr_record_kind kind, size_t size) {
    if (r->ended)
        return false;
    r->steps_at = 0;
    if (r->chunk.size + size > CHUNK_SIZE)
        tr_recorder_flush(r);
    if (r->total + r->chunk.size + size > TR_RECORDING_BYTES_MAX)
        tr_recorder_end(r, TR_RESOURCE_EXHAUSTED, "the recording has reached its largest size");
    if (r->ended)
        return false;
    put_u8(&r->chunk, kind);
    return true;
}

static void put_bytes(tr_recorder *r, const void *data, size_t size) {
    put_u32(&r->chunk, (uint32_t)size);
    put(&r->chunk, data, size);
}

static void put_text(tr_recorder *r, const char *text) {
    size_t size = strnlen(text, TR_NAME_MAX - 1);
    put_u8(&r->chunk, (uint32_t)size);
    put(&r->chunk, text, size);
}

/* --- records --- */

static void put_head(tr_recorder *r, const tr_recorder_def *def, const tr_stage *stage) {
    const tr_world *world = tr_stage_world_const(stage);
    char name[TR_NAME_MAX] = {0}, daemon[16] = TR_SERVER_VERSION;
    tr_name_set(name, def->world);
    if (!begin(r, TR_RECORD_HEAD, sizeof name + 64))
        return;
    put_u32(&r->chunk, TR_RECORDING_VERSION);
    put(&r->chunk, daemon, sizeof daemon);
    put_u64(&r->chunk, tr_fingerprint());
    put(&r->chunk, &def->created_unix, sizeof def->created_unix);
    put_u64(&r->chunk, def->seed);
    put(&r->chunk, &tr_world_definition(world)->step_s, sizeof(double));
    put_u32(&r->chunk, (uint32_t)r->check_every);
    put_u32(&r->chunk, (uint32_t)r->key_every);
    put(&r->chunk, name, sizeof name);
}

static void put_name(tr_recorder *r, tr_record_kind kind, const char *text, uint64_t hash) {
    char name[TR_NAME_MAX] = {0};
    tr_name_set(name, text);
    if (!begin(r, kind, sizeof name + sizeof hash))
        return;
    put(&r->chunk, name, sizeof name);
    put_u64(&r->chunk, hash);
}

/* Names the items of the cast that the file does not name yet. */
static void put_cast(tr_recorder *r) {
    const tr_cast *cast = r->cast;
    for (; r->model_count < cast->model_count; r->model_count++)
        put_name(r, TR_RECORD_MODEL, cast->model_name[r->model_count],
                 cast->model[r->model_count]->hash);
    for (; r->controller_count < cast->controller_count; r->controller_count++) {
        const tr_controller *controller = cast->controller[r->controller_count];
        uint64_t hash = 0;
        for (int i = 0; i < cast->model_count && hash == 0; i++)
            if (cast->model[i]->hash == controller->model_hash)
                hash = tr_controller_hash(controller, cast->model[i]);
        put_name(r, TR_RECORD_CONTROLLER, controller->name, hash);
    }
}

/* Writes a state, or only its index if it was written before. */
static void put_snapshot(tr_recorder *r, const tr_stage *stage, const tr_packet *snapshot) {
    uint64_t tick = (uint64_t)tr_world_tick(tr_stage_world_const(stage));
    uint64_t hash = tr_hash_add(TR_HASH_START, snapshot->bytes, snapshot->size);
    for (int i = 0; i < r->snapshot_count && i < SNAPSHOTS_MAX; i++)
        if (r->snapshot[i] == hash) {
            if (!begin(r, TR_RECORD_AGAIN, sizeof tick + sizeof(uint32_t)))
                return;
            put_u64(&r->chunk, tick);
            put_u32(&r->chunk, (uint32_t)i);
            return;
        }
    if (!begin(r, TR_RECORD_SNAPSHOT, snapshot->size))
        return;
    put_u64(&r->chunk, tick);
    put_bytes(r, snapshot->bytes, snapshot->size);
    if (r->snapshot_count < SNAPSHOTS_MAX)
        r->snapshot[r->snapshot_count] = hash;
    r->snapshot_count++;
}

void tr_recorder_jump(tr_recorder *r, const tr_stage *stage, const tr_packet *snapshot) {
    put_cast(r);
    put_snapshot(r, stage, snapshot);
}

void tr_recorder_command(tr_recorder *r, const char *name, const tr_packet *message,
                         tr_entity_id entity) {
    put_cast(r);
    if (!begin(r, TR_RECORD_COMMAND, message->size))
        return;
    put_u32(&r->chunk, entity);
    put_text(r, name);
    put_bytes(r, message->bytes, message->size);
}

static void put_check(tr_recorder *r, const tr_stage *stage) {
    uint8_t body[TR_TRACE_BODIES_MAX];
    int count = tr_trace_bodies(stage, body);
    if (!begin(r, TR_RECORD_CHECK, (size_t)count + 16))
        return;
    put_u64(&r->chunk, tr_stage_hash(stage));
    put_u16(&r->chunk, (uint32_t)count);
    put(&r->chunk, body, (size_t)count);
}

/* Successive steps share one record, whose count is updated. */
static bool extends_record(const tr_recorder *r, int width, uint16_t *out_count) {
    if (r->steps_at == 0 || r->steps_width != width)
        return false;
    memcpy(out_count, r->chunk.bytes + r->steps_at, sizeof *out_count);
    return *out_count < STEPS_MAX;
}

static void put_step(tr_recorder *r, const tr_stage *stage) {
    uint8_t trace[TR_TRACE_WIDTH_MAX];
    uint16_t count = 0;
    int width = tr_trace_step(stage, trace);
    if (!extends_record(r, width, &count)) {
        if (!begin(r, TR_RECORD_STEPS, (size_t)width * CHUNK_STEPS))
            return;
        put_u16(&r->chunk, (uint32_t)width);
        r->steps_at = r->chunk.size;
        r->steps_width = width;
        put_u16(&r->chunk, 0);
    }
    put(&r->chunk, trace, (size_t)width);
    if (r->chunk.failed) {
        fall_silent(r, TR_RESOURCE_EXHAUSTED);
        return;
    }
    count++;
    memcpy(r->chunk.bytes + r->steps_at, &count, sizeof count);
}

void tr_recorder_step(tr_recorder *r, const tr_stage *stage) {
    if (r->ended)
        return;
    if (r->chunk_steps >= CHUNK_STEPS)
        tr_recorder_flush(r);
    put_step(r, stage);
    r->position++;
    r->chunk_steps++;
    if (r->position % r->check_every == 0)
        put_check(r, stage);
    r->key_due = r->key_every > 0 && r->position % r->key_every == 0;
}

void tr_recorder_key(tr_recorder *r, const tr_packet *snapshot) {
    r->key_due = false;
    if (begin(r, TR_RECORD_KEY, snapshot->size))
        put_bytes(r, snapshot->bytes, snapshot->size);
}

void tr_recorder_event(tr_recorder *r, const tr_event *event) {
    float magnitude = (float)event->magnitude;
    if (!begin(r, TR_RECORD_EVENT, sizeof event->text + 32))
        return;
    put_u8(&r->chunk, (uint32_t)event->kind + 1);
    put_u32(&r->chunk, event->entity);
    put_u32(&r->chunk, event->other);
    put_u8(&r->chunk, (uint32_t)event->body);
    put_u8(&r->chunk, (uint32_t)event->other_body);
    put(&r->chunk, &magnitude, sizeof magnitude);
    put_text(r, event->text);
}

void tr_recorder_end(tr_recorder *r, tr_status status, const char *why) {
    if (r->ended)
        return;
    int32_t code = status;
    memcpy(r->reason, why, strnlen(why, sizeof r->reason - 1));
    tr_recorder_flush(r); /* a separate last chunk, where readers find it */
    put_u8(&r->chunk, TR_RECORD_END);
    put(&r->chunk, &code, sizeof code);
    put_u64(&r->chunk, (uint64_t)r->position);
    put(&r->chunk, r->reason, sizeof r->reason);
    tr_recorder_flush(r);
    fall_silent(r, status);
}

/* --- life --- */

tr_status tr_recorder_start(const tr_recorder_def *def, const tr_stage *stage,
                            const tr_packet *snapshot, tr_recorder **out) {
    tr_recorder *r = calloc(1, sizeof *r);
    if (!r)
        return TR_RESOURCE_EXHAUSTED;
    r->cast = def->cast;
    r->check_every = def->check_every > 0 ? def->check_every : TR_RECORDER_CHECK_EVERY;
    r->key_every = def->key_every;
    put(&r->ready, TR_RECORDING_MAGIC, TR_RECORDING_MAGIC_SIZE);
    r->total = TR_RECORDING_MAGIC_SIZE;
    put_head(r, def, stage);
    tr_recorder_flush(r); /* a separate chunk: a list of recordings reads only this */
    put_cast(r);
    put_snapshot(r, stage, snapshot);
    tr_recorder_flush(r);
    if (r->ended) {
        tr_status status = r->status;
        tr_recorder_destroy(r);
        return status;
    }
    *out = r;
    return TR_OK;
}

void tr_recorder_destroy(tr_recorder *r) {
    if (!r)
        return;
    free(r->chunk.bytes);
    free(r->ready.bytes);
    free(r);
}

tr_recorder_progress tr_recorder_look(const tr_recorder *r) {
    bool unready = r->chunk.size > 0 && !r->ended;
    return (tr_recorder_progress){
        r->position, r->key_due && !r->ended, unready, r->ended, r->status, r->reason};
}

tr_packet *tr_recorder_take(tr_recorder *r) {
    if (r->ready.size == 0 || r->ready.failed)
        return NULL;
    tr_packet *packet = tr_packet_create(r->ready.size);
    if (!packet) {
        fall_silent(r, TR_RESOURCE_EXHAUSTED);
        return NULL;
    }
    memcpy(packet->bytes, r->ready.bytes, r->ready.size);
    r->ready.size = 0;
    return packet;
}

void tr_recorder_must_hold(const tr_recorder *r, tr_invariant *broken) {
    TR_MUST_BE(broken, r->model_count, <=, r->cast->model_count);
    TR_MUST_BE(broken, r->controller_count, <=, r->cast->controller_count);
    TR_MUST(broken, r->steps_at == 0 || r->chunk.failed || r->steps_at < r->chunk.size);
    TR_MUST_BE(broken, r->chunk_steps, <=, CHUNK_STEPS);
    TR_MUST_BE(broken, r->ready.size, <=, r->total);
}
