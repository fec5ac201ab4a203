#include "server/recording/recording.h"

#include "math/byte_reader.h"
#include "model/name.h"
#include "proto/text.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct snapshot_place {
    const uint8_t *data;
    uint32_t size;
} snapshot_place;

struct tr_recording {
    atomic_int references;
    tr_packet *bytes;
    tr_recording_info info;
    tr_recording_name model[TR_RECORDING_NAMES_MAX], controller[TR_RECORDING_NAMES_MAX];
    tr_recording_key *key;
    int key_capacity;
    tr_recording_event *event;
    int event_capacity;
    snapshot_place *snapshot;
    int snapshot_count, snapshot_capacity;
};

/* A text after its length in one byte. */
static void get_text(tr_byte_reader *r, char out[TR_NAME_MAX]) {
    uint32_t size = tr_byte_reader_u8(r);
    if (size >= TR_NAME_MAX) {
        r->failed = true;
        return;
    }
    tr_byte_reader_get(r, out, size);
    if (!tr_text_bytes_are_utf8(out, strnlen(out, size)))
        r->failed = true;
}

/* --- records --- */

enum { HEAD_RECORD_SIZE = 4 + 16 + 8 + 8 + 8 + 8 + 4 + 4 + TR_NAME_MAX };

static void read_data(tr_byte_reader *r, tr_record *out, uint32_t size) {
    out->size = size;
    out->data = tr_byte_reader_take(r, size);
}

/* A signed byte in two's complement. */
static int get_signed(tr_byte_reader *r) {
    int value = (int)tr_byte_reader_u8(r);
    return value < 128 ? value : value - 256;
}

static void read_event(tr_byte_reader *r, tr_record *out) {
    float magnitude;
    uint32_t kind = tr_byte_reader_u8(r) - 1;
    out->event.kind = (tr_event_kind)kind;
    out->event.entity = tr_byte_reader_u32(r);
    out->event.other = tr_byte_reader_u32(r);
    out->event.body = get_signed(r);
    out->event.other_body = get_signed(r);
    tr_byte_reader_get(r, &magnitude, sizeof magnitude);
    out->event.magnitude = (double)magnitude;
    get_text(r, out->event.text);
    if (kind >= TR_EVENT_KIND_COUNT)
        r->failed = true;
}

static void read_end(tr_byte_reader *r, tr_record *out) {
    int32_t status = (int32_t)tr_byte_reader_u32(r);
    if (status > 0 || status < TR_UNAUTHENTICATED)
        r->failed = true;
    else
        out->status = (tr_status)status;
    out->length = (int64_t)tr_byte_reader_u64(r);
    read_data(r, out, TR_RECORDING_TEXT_MAX);
}

static void read_steps(tr_byte_reader *r, tr_record *out) {
    out->width = tr_byte_reader_u16(r);
    out->count = tr_byte_reader_u16(r);
    if (out->width > TR_CHARACTER_MAX + 1 || out->count == 0)
        r->failed = true;
    read_data(r, out, out->width * out->count);
}

static bool read_record(tr_byte_reader *r, tr_record *out) {
    memset(out, 0, sizeof *out);
    out->kind = (tr_record_kind)tr_byte_reader_u8(r);
    switch (out->kind) {
    case TR_RECORD_HEAD:
        read_data(r, out, HEAD_RECORD_SIZE);
        break;
    case TR_RECORD_SNAPSHOT:
        out->tick = (int64_t)tr_byte_reader_u64(r);
        read_data(r, out, tr_byte_reader_u32(r));
        break;
    case TR_RECORD_AGAIN:
        out->tick = (int64_t)tr_byte_reader_u64(r);
        out->index = tr_byte_reader_u32(r);
        break;
    case TR_RECORD_KEY:
        read_data(r, out, tr_byte_reader_u32(r));
        break;
    case TR_RECORD_MODEL:
    case TR_RECORD_CONTROLLER:
        tr_name_read(r, out->name);
        out->hash = tr_byte_reader_u64(r);
        break;
    case TR_RECORD_COMMAND:
        out->entity = tr_byte_reader_u32(r);
        get_text(r, out->name);
        read_data(r, out, tr_byte_reader_u32(r));
        break;
    case TR_RECORD_STEPS:
        read_steps(r, out);
        break;
    case TR_RECORD_CHECK:
        out->hash = tr_byte_reader_u64(r);
        read_data(r, out, tr_byte_reader_u16(r));
        break;
    case TR_RECORD_EVENT:
        read_event(r, out);
        break;
    case TR_RECORD_END:
        read_end(r, out);
        break;
    default:
        r->failed = true;
    }
    return !r->failed;
}

/* --- chunks --- */

/* Is there a whole chunk at `at`? Moves `at` to its payload. */
static bool open_chunk(const tr_packet *bytes, size_t *at, size_t *out_end) {
    uint32_t head[2];
    if (bytes->size - *at < TR_CHUNK_HEAD_SIZE)
        return false;
    memcpy(head, bytes->bytes + *at, sizeof head);
    size_t left = bytes->size - *at - TR_CHUNK_HEAD_SIZE;
    const uint8_t *payload = bytes->bytes + *at + TR_CHUNK_HEAD_SIZE;
    if (head[0] == 0 || head[0] > TR_CHUNK_MAX || head[0] > left ||
        tr_chunk_checksum(payload, head[0]) != head[1])
        return false;
    *at += TR_CHUNK_HEAD_SIZE;
    *out_end = *at + head[0];
    return true;
}

/* tr_recording_read has checked the chunks and records up to info.size. */
bool tr_recording_next(const tr_recording *recording, tr_recording_cursor *cursor, tr_record *out) {
    if (cursor->at >= cursor->chunk_end) {
        if (cursor->at >= recording->info.size)
            return false;
        uint32_t size;
        memcpy(&size, recording->bytes->bytes + cursor->at, sizeof size);
        cursor->at += TR_CHUNK_HEAD_SIZE;
        cursor->chunk_end = cursor->at + size;
    }
    tr_byte_reader r = {recording->bytes->bytes + cursor->at, cursor->chunk_end - cursor->at,
                        false};
    bool good = read_record(&r, out);
    cursor->at = cursor->chunk_end - r.left;
    return good;
}

/* --- the first reading --- */

typedef struct survey {
    tr_recording *recording;
    tr_recording_cursor next; /* after the current record */
    int64_t position, tick;
    bool has_head, ended;
    tr_error *error;
} survey;

/* Makes room for one more element; NULL: no memory. `capacity` doubles up to `max`. */
static void *grow(void *array, int count, int *capacity, size_t element_size) {
    if (count < *capacity)
        return array;
    int wanted = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = realloc(array, (size_t)wanted * element_size);
    if (grown)
        *capacity = wanted;
    return grown;
}

static tr_status refuse(const survey *s, const char *what) {
    return tr_fail(s->error, TR_INVALID_ARGUMENT, "recording: at step %lld: %s",
                   (long long)s->position, what);
}

static tr_status no_memory(const survey *s) {
    return tr_fail(s->error, TR_RESOURCE_EXHAUSTED, "out of memory");
}

/* is_state: the world jumps to this state, rather than passing it. */
static tr_status add_key(survey *s, const uint8_t *data, uint32_t size, bool is_state) {
    tr_recording *recording = s->recording;
    tr_recording_info *info = &recording->info;
    if (info->key_count == TR_RECORDING_KEYS_MAX)
        return tr_fail(s->error, TR_RESOURCE_EXHAUSTED, "recording: more than %d states",
                       TR_RECORDING_KEYS_MAX);
    void *grown =
        grow(recording->key, info->key_count, &recording->key_capacity, sizeof *recording->key);
    if (!grown)
        return no_memory(s);
    info->key = recording->key = grown;
    bool is_jump = is_state && info->key_count > 0;
    recording->key[info->key_count++] = (tr_recording_key){
        .is_jump = is_jump, .position = s->position, .data = data, .size = size, .next = s->next};
    return TR_OK;
}

/* Handles a new state of the stage: the start, or a jump. */
static tr_status set_state(survey *s, const uint8_t *data, uint32_t size, int64_t tick) {
    if (tick < 0 || tick > INT64_MAX / 2)
        return refuse(s, "tick out of range");
    if (s->recording->info.key_count == 0)
        s->recording->info.first_tick = tick;
    else
        s->recording->info.jump_count++;
    s->tick = tick;
    return add_key(s, data, size, true);
}

static tr_status survey_snapshot(survey *s, const tr_record *record) {
    tr_recording *recording = s->recording;
    void *grown = grow(recording->snapshot, recording->snapshot_count,
                       &recording->snapshot_capacity, sizeof *recording->snapshot);
    if (!grown)
        return no_memory(s);
    recording->snapshot = grown;
    recording->snapshot[recording->snapshot_count++] = (snapshot_place){record->data, record->size};
    return set_state(s, record->data, record->size, record->tick);
}

static tr_status survey_again(survey *s, const tr_record *record) {
    uint32_t size = 0;
    const uint8_t *data = tr_recording_snapshot(s->recording, record->index, &size);
    return !data ? refuse(s, "jump to a state that the file does not contain")
                 : set_state(s, data, size, record->tick);
}

static tr_status survey_name(survey *s, const tr_record *record) {
    tr_recording_info *info = &s->recording->info;
    bool is_model = record->kind == TR_RECORD_MODEL;
    int *count = is_model ? &info->model_count : &info->controller_count;
    tr_recording_name *names = is_model ? s->recording->model : s->recording->controller;
    if (*count == TR_RECORDING_NAMES_MAX)
        return tr_fail(s->error, TR_RESOURCE_EXHAUSTED,
                       "recording: more than %d models or controllers", TR_RECORDING_NAMES_MAX);
    tr_name_set(names[*count].name, record->name);
    names[(*count)++].hash = record->hash;
    return TR_OK;
}

static tr_status add_event(survey *s, const tr_event *event) {
    tr_recording *recording = s->recording;
    tr_recording_info *info = &recording->info;
    if (info->event_count == TR_RECORDING_EVENTS_MAX) {
        info->event_dropped++;
        return TR_OK;
    }
    void *grown = grow(recording->event, info->event_count, &recording->event_capacity,
                       sizeof *recording->event);
    if (!grown)
        return no_memory(s);
    info->event = recording->event = grown;
    tr_recording_event *added = &recording->event[info->event_count++];
    added->position = s->position;
    added->event = *event;
    added->event.tick = s->tick;
    return TR_OK;
}

static tr_status survey_command(survey *s, const tr_record *record) {
    tr_event event = {.kind = TR_EVENT_APPLIED, .entity = record->entity};
    tr_name_set(event.text, record->name);
    return add_event(s, &event);
}

static tr_status survey_steps(survey *s, const tr_record *record) {
    s->position += record->count;
    s->tick += record->count;
    return TR_OK;
}

/* Takes the reason of the end. A reason that was too long was cut, perhaps within a character. */
static void take_ended_text(const tr_record *end, tr_recording_info *info) {
    memcpy(info->ended_text, end->data, TR_RECORDING_TEXT_MAX - 1);
    tr_text_mend(info->ended_text);
}

static tr_status survey_end(survey *s, const tr_record *record) {
    tr_recording_info *info = &s->recording->info;
    if (record->length != s->position)
        return refuse(s, "wrong number of steps in the end record");
    info->whole = s->ended = true;
    info->ended = record->status;
    take_ended_text(record, info);
    return TR_OK;
}

static bool read_head(const tr_record *record, tr_recording_info *info) {
    tr_byte_reader r = {record->data, record->size, false};
    info->version = tr_byte_reader_u32(&r); /* already checked */
    tr_byte_reader_get(&r, info->daemon, sizeof info->daemon);
    info->daemon[sizeof info->daemon - 1] = '\0';
    info->physics = tr_byte_reader_u64(&r);
    info->created_unix = (int64_t)tr_byte_reader_u64(&r);
    info->seed = tr_byte_reader_u64(&r);
    tr_byte_reader_get(&r, &info->step_s, sizeof info->step_s);
    uint32_t check_every = tr_byte_reader_u32(&r), key_every = tr_byte_reader_u32(&r);
    tr_name_read(&r, info->world);
    info->check_every = (int)check_every;
    info->key_every = (int)key_every;
    return !r.failed && tr_text_is_utf8(info->daemon) && info->step_s >= 0.0005 &&
           info->step_s <= 0.02 && check_every > 0 && check_every <= INT32_MAX &&
           key_every <= INT32_MAX;
}

static tr_status survey_head(survey *s, const tr_record *record) {
    if (s->has_head)
        return refuse(s, "a second head");
    s->has_head = true;
    return read_head(record, &s->recording->info) ? TR_OK
                                                  : refuse(s, "value out of range in the head");
}

static tr_status survey_record(survey *s, const tr_record *record) {
    bool has_state = s->recording->info.key_count > 0;
    if (s->ended)
        return refuse(s, "something after its end");
    if (record->kind == TR_RECORD_HEAD)
        return survey_head(s, record);
    if (!s->has_head)
        return refuse(s, "no head");
    if (record->kind == TR_RECORD_MODEL || record->kind == TR_RECORD_CONTROLLER)
        return survey_name(s, record);
    if (record->kind == TR_RECORD_SNAPSHOT)
        return survey_snapshot(s, record);
    if (record->kind == TR_RECORD_END)
        return survey_end(s, record);
    if (!has_state)
        return refuse(s, "no initial state");
    switch (record->kind) {
    case TR_RECORD_AGAIN:
        return survey_again(s, record);
    case TR_RECORD_KEY:
        return add_key(s, record->data, record->size, false);
    case TR_RECORD_COMMAND:
        return survey_command(s, record);
    case TR_RECORD_STEPS:
        return survey_steps(s, record);
    case TR_RECORD_EVENT:
        return add_event(s, &record->event);
    default:
        return TR_OK;
    }
}

static tr_status survey_chunk(survey *s, size_t at, size_t end) {
    tr_byte_reader r = {s->recording->bytes->bytes + at, end - at, false};
    tr_status status = TR_OK;
    while (r.left > 0 && !status) {
        tr_record record;
        if (!read_record(&r, &record))
            return refuse(s, "malformed record");
        s->next = (tr_recording_cursor){.at = end - r.left, .chunk_end = end};
        status = survey_record(s, &record);
    }
    return status;
}

/* Another version may have other records, so the version is checked before any is read. */
static tr_status check_version(const tr_packet *bytes, size_t at, size_t end, tr_error *error) {
    uint32_t version = 0;
    if (end - at < 1 + sizeof version || bytes->bytes[at] != TR_RECORD_HEAD)
        return tr_fail(error, TR_INVALID_ARGUMENT, "recording: no head");
    memcpy(&version, bytes->bytes + at + 1, sizeof version);
    if (version != TR_RECORDING_VERSION)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "recording: format version %u; this daemon reads version %d: replay it with "
                       "a daemon of the version that wrote it, or record it again",
                       version, TR_RECORDING_VERSION);
    return TR_OK;
}

static tr_status survey_all(survey *s) {
    const tr_packet *bytes = s->recording->bytes;
    tr_recording_info *info = &s->recording->info;
    size_t at = TR_RECORDING_MAGIC_SIZE, end = 0;
    tr_status status = TR_OK;
    info->size = at;
    while (!status && open_chunk(bytes, &at, &end)) {
        if (!s->has_head)
            status = check_version(bytes, at, end, s->error);
        if (!status)
            status = survey_chunk(s, at, end);
        at = info->size = end;
    }
    if (!status && info->key_count == 0)
        status = tr_fail(s->error, TR_DATA_LOSS,
                         "recording: cut off before the end of its initial state");
    if (!status && s->ended && info->size != bytes->size)
        status = refuse(s, "something after its end");
    info->length = s->position;
    return status;
}

tr_status tr_recording_read(tr_packet *bytes, tr_recording **out, tr_error *error) {
    if (bytes->size < TR_RECORDING_MAGIC_SIZE ||
        memcmp(bytes->bytes, TR_RECORDING_MAGIC, TR_RECORDING_MAGIC_SIZE) != 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "recording: not a recording of Troupe");
    tr_recording *recording = calloc(1, sizeof *recording);
    if (!recording)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    atomic_init(&recording->references, 1);
    recording->bytes = tr_packet_share(bytes);
    recording->info.model = recording->model;
    recording->info.controller = recording->controller;
    recording->info.ended = TR_DATA_LOSS;
    survey s = {.recording = recording, .error = error};
    tr_status status = survey_all(&s);
    return TR_GIVE(status, recording, tr_recording_release, out);
}

/* --- reading only both ends --- */

/* Reads the only record of the chunk at `at`. */
static bool read_only_record(const tr_packet *bytes, size_t at, tr_record_kind kind,
                             tr_record *out) {
    size_t end = 0;
    if (at > bytes->size || !open_chunk(bytes, &at, &end))
        return false;
    tr_byte_reader r = {bytes->bytes + at, end - at, false};
    return read_record(&r, out) && out->kind == kind && r.left == 0;
}

tr_status tr_recording_glance(const tr_packet *head, const tr_packet *tail, tr_recording_info *out,
                              tr_error *error) {
    tr_record record;
    tr_recording_info info = {.ended = TR_DATA_LOSS};
    size_t at = TR_RECORDING_MAGIC_SIZE, end = 0;
    if (head->size < at || memcmp(head->bytes, TR_RECORDING_MAGIC, at) != 0 ||
        !open_chunk(head, &at, &end))
        return tr_fail(error, TR_INVALID_ARGUMENT, "recording: not a recording of Troupe");
    tr_status status = check_version(head, at, end, error);
    if (status)
        return status;
    if (!read_only_record(head, TR_RECORDING_MAGIC_SIZE, TR_RECORD_HEAD, &record) ||
        !read_head(&record, &info))
        return tr_fail(error, TR_INVALID_ARGUMENT, "recording: value out of range in the head");
    if (tail->size == TR_END_CHUNK_SIZE && read_only_record(tail, 0, TR_RECORD_END, &record)) {
        info.whole = true;
        info.ended = record.status;
        info.length = record.length;
        take_ended_text(&record, &info);
    }
    *out = info;
    return TR_OK;
}

/* --- life --- */

tr_recording *tr_recording_share(tr_recording *recording) {
    atomic_fetch_add_explicit(&recording->references, 1, memory_order_relaxed);
    return recording;
}

void tr_recording_release(tr_recording *recording) {
    if (!recording ||
        atomic_fetch_sub_explicit(&recording->references, 1, memory_order_acq_rel) != 1)
        return;
    tr_packet_release(recording->bytes);
    free(recording->key);
    free(recording->event);
    free(recording->snapshot);
    free(recording);
}

const tr_recording_info *tr_recording_describe(const tr_recording *recording) {
    return &recording->info;
}

const uint8_t *tr_recording_snapshot(const tr_recording *recording, uint32_t index,
                                     uint32_t *out_size) {
    if (index >= (uint32_t)recording->snapshot_count)
        return NULL;
    *out_size = recording->snapshot[index].size;
    return recording->snapshot[index].data;
}
