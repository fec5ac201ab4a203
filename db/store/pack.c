#include "db/store/pack.h"

#include "db/store/blob.h"
#include "db/store/database.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FORM_STORED, FORM_DEFLATED, FORM_QUATERNIONS };
enum { HEADER_SIZE = 5 };

static uint32_t fetch_u32(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void store_u32(unsigned char *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

/* --- series of quaternions in a blob: [steps][bodies] (w, x, y, z) --- */

typedef struct series {
    size_t at; /* bytes in front of it, which are kept, as are those behind it */
    size_t steps, bodies;
} series;

static size_t count_of(series s) {
    return 4 * s.steps * s.bodies;
}

/* The series in targets, or the joints of a state (encoding.h); no steps: it is something else. */
static series series_in(const unsigned char *blob, size_t size) {
    enum { COUNTS_AT = TR_BLOB_HEADER_SIZE, ROOT_SIZE = 13 * sizeof(double) };
    series found = {0};
    if (size < COUNTS_AT + 8 || memcmp(blob, "TRUP", 4) != 0 || blob[5] != 0)
        return found;
    size_t first = fetch_u32(blob + COUNTS_AT), second = fetch_u32(blob + COUNTS_AT + 4), end = 0;
    if (first == 0 || first > size || second > size)
        return found;
    if (blob[4] == TR_BLOB_TARGETS && second > 0) {
        found = (series){COUNTS_AT + 8, first, second};
        end = found.at + count_of(found) * sizeof(double);
    } else if (blob[4] == TR_BLOB_STATE) {
        found = (series){COUNTS_AT + 4 + ROOT_SIZE, 1, first};
        end = found.at + (count_of(found) + 3 * first) * sizeof(double);
    }
    return end == size ? found : (series){0};
}

static double fetch_double(const unsigned char *at) {
    uint64_t bits = (uint64_t)fetch_u32(at) | (uint64_t)fetch_u32(at + 4) << 32;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Where the number `part` of a body's quaternion at a step stands. */
static size_t place_of(series s, size_t step, size_t body, size_t part) {
    return s.at + ((step * s.bodies + body) * 4 + part) * sizeof(double);
}

/* x, y or z: the parabola through the three steps before, or as much of it as there is. */
static double predict_axis(const unsigned char *blob, series s, size_t step, size_t body,
                           size_t part) {
    double before[3] = {0};
    for (size_t back = 1; back <= 3 && back <= step; back++)
        before[back - 1] = fetch_double(blob + place_of(s, step - back, body, part));
    if (step < 2)
        return before[0];
    if (step == 2)
        return 2 * before[0] - before[1];
    return 3 * before[0] - 3 * before[1] + before[2];
}

/* w: what is left of the unit length, with the sign of the step before. */
static double predict_w(const unsigned char *blob, series s, size_t step, size_t body) {
    double left = 1;
    for (size_t part = 1; part < 4; part++) {
        double axis = fetch_double(blob + place_of(s, step, body, part));
        left -= axis * axis;
    }
    double w = left > 0 ? sqrt(left) : 0;
    bool negative = step > 0 && fetch_double(blob + place_of(s, step - 1, body, 0)) < 0;
    return negative ? -w : w;
}

/* The bits of the prediction; zero where it is not finite, for bits of NaN differ by machine. */
static uint64_t predict(const unsigned char *blob, series s, size_t step, size_t body,
                        size_t part) {
    double value =
        part == 0 ? predict_w(blob, s, step, body) : predict_axis(blob, s, step, body, part);
    return isfinite(value) ? bits_of(value) : 0;
}

/* Errors have small absolute values: the sign moves to the lowest bit. */
static uint64_t fold(uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t unfold(uint64_t folded) {
    return folded >> 1 ^ (0 - (folded & 1));
}

/* A number of a series by its turn: of each body all z, all y, all x, all w, so that what predicts a
 * number comes before it. */
typedef struct number {
    size_t place;   /* in the blob */
    uint64_t guess; /* the bits predicted for it */
} number;

static number number_of(const unsigned char *blob, series s, size_t turn) {
    size_t step = turn % s.steps, part = 3 - turn / s.steps % 4, body = turn / (4 * s.steps);
    return (number){place_of(s, step, body, part), predict(blob, s, step, body, part)};
}

/* errors: [8][count], by the place of their bytes. */
static void put_errors(const unsigned char *blob, series s, unsigned char *errors) {
    size_t count = count_of(s);
    for (size_t turn = 0; turn < count; turn++) {
        number n = number_of(blob, s, turn);
        uint64_t folded = fold(bits_of(fetch_double(blob + n.place)) - n.guess);
        for (size_t byte = 0; byte < 8; byte++)
            errors[byte * count + turn] = (unsigned char)(folded >> (8 * byte));
    }
}

static void get_errors(const unsigned char *errors, series s, unsigned char *blob) {
    size_t count = count_of(s);
    for (size_t turn = 0; turn < count; turn++) {
        number n = number_of(blob, s, turn);
        uint64_t folded = 0;
        for (size_t byte = 0; byte < 8; byte++)
            folded |= (uint64_t)errors[byte * count + turn] << (8 * byte);
        uint64_t bits = unfold(folded) + n.guess;
        store_u32(blob + n.place, (uint32_t)bits);
        store_u32(blob + n.place + 4, (uint32_t)(bits >> 32));
    }
}

/* --- packing --- */

/* Deflates `raw` into `out`, which has room for `capacity`; 0: it does not fit, so that it does not
 * pay. */
static size_t deflate_into(const unsigned char *raw, size_t size, unsigned char *out,
                           size_t capacity) {
    uLongf used = (uLongf)capacity;
    int code = compress2(out, &used, raw, (uLong)size, Z_BEST_COMPRESSION);
    return code == Z_OK ? (size_t)used : 0;
}

/* A copy of `raw` with errors in the place of numbers; NULL: no memory. */
static unsigned char *with_errors(const unsigned char *raw, size_t size, series s) {
    unsigned char *copy = malloc(size);
    if (!copy)
        return NULL;
    memcpy(copy, raw, size);
    put_errors(raw, s, copy + s.at);
    return copy;
}

/* `out` has room for the header and for `size` bytes. Returns the bytes used, 0: no memory. */
static size_t pack(const unsigned char *raw, size_t size, unsigned char *out) {
    series s = series_in(raw, size);
    unsigned char *errors = s.steps ? with_errors(raw, size, s) : NULL;
    if (s.steps && !errors)
        return 0;
    out[0] = errors ? FORM_QUATERNIONS : FORM_DEFLATED;
    store_u32(out + 1, (uint32_t)size);
    size_t used = deflate_into(errors ? errors : raw, size, out + HEADER_SIZE, size);
    free(errors);
    if (used == 0) { /* what does not shrink is stored */
        out[0] = FORM_STORED;
        memcpy(out + HEADER_SIZE, raw, size);
        used = size;
    }
    return HEADER_SIZE + used;
}

static void pack_value(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    if (sqlite3_value_type(value[0]) == SQLITE_NULL)
        return;
    const unsigned char *raw = sqlite3_value_blob(value[0]);
    size_t size = (size_t)sqlite3_value_bytes(value[0]);
    unsigned char *out = sqlite3_malloc64(HEADER_SIZE + size);
    size_t used = out ? pack(raw ? raw : (const unsigned char *)"", size, out) : 0;
    if (used)
        sqlite3_result_blob64(context, out, used, sqlite3_free);
    else
        sqlite3_result_error_nomem(context);
    if (!used)
        sqlite3_free(out);
}

/* --- unpacking --- */

/* Turns errors back into numbers; SQLITE_CORRUPT: the header in front of them names no series. */
static int without_errors(unsigned char *blob, size_t size) {
    series s = series_in(blob, size);
    if (!s.steps)
        return SQLITE_CORRUPT;
    size_t errors_size = count_of(s) * sizeof(double);
    unsigned char *errors = malloc(errors_size);
    if (!errors)
        return SQLITE_NOMEM;
    memcpy(errors, blob + s.at, errors_size);
    get_errors(errors, s, blob);
    free(errors);
    return SQLITE_OK;
}

/* out: [size], the size that the packed value names. */
static int unpack(const unsigned char *packed, size_t packed_size, unsigned char *out,
                  size_t size) {
    const unsigned char *content = packed + HEADER_SIZE;
    size_t left = packed_size - HEADER_SIZE;
    if (packed[0] == FORM_STORED) {
        if (left != size)
            return SQLITE_CORRUPT;
        memcpy(out, content, size);
        return SQLITE_OK;
    }
    uLongf made = (uLongf)size;
    if (packed[0] > FORM_QUATERNIONS || uncompress(out, &made, content, (uLong)left) != Z_OK ||
        made != size)
        return SQLITE_CORRUPT;
    return packed[0] == FORM_QUATERNIONS ? without_errors(out, size) : SQLITE_OK;
}

static void unpack_value(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    if (sqlite3_value_type(value[0]) == SQLITE_NULL)
        return;
    const unsigned char *packed = sqlite3_value_blob(value[0]);
    size_t packed_size = (size_t)sqlite3_value_bytes(value[0]);
    size_t size = packed && packed_size >= HEADER_SIZE ? fetch_u32(packed + 1) : SIZE_MAX;
    if (size > TR_VALUE_SIZE_MAX) {
        sqlite3_result_error_code(context, SQLITE_CORRUPT);
        return;
    }
    unsigned char *out = sqlite3_malloc64(size + 1);
    int code = out ? unpack(packed, packed_size, out, size) : SQLITE_NOMEM;
    if (code == SQLITE_OK)
        sqlite3_result_blob64(context, out, size, sqlite3_free);
    else
        sqlite3_result_error_code(context, code);
    if (code != SQLITE_OK)
        sqlite3_free(out);
}

tr_status tr_pack_register(sqlite3 *db, tr_error *error) {
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int code = sqlite3_create_function_v2(db, "pack", 1, flags, NULL, pack_value, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_create_function_v2(db, "unpack", 1, flags, NULL, unpack_value, NULL, NULL,
                                          NULL);
    return code == SQLITE_OK ? TR_OK : tr_database_fail(db, "catalogue", error);
}
