#include "db/store/pack.h"

#include "db/store/blob.h"
#include "db/store/database.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FORM_STORED, FORM_DEFLATED, FORM_QUATERNIONS, FORM_PLANES, FORM_GRID };
enum { HEADER_SIZE = 5 };
#define GRID 0x1p-20

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
    if (first == 0 || first > size)
        return found;
    if (blob[4] == TR_BLOB_TARGETS && second > 0 && second <= size) {
        found = (series){COUNTS_AT + 8, first, second};
        end = found.at + count_of(found) * sizeof(double);
    } else if (blob[4] == TR_BLOB_STATE) {
        found = (series){COUNTS_AT + 4 + ROOT_SIZE, 1, first};
        end = found.at + (count_of(found) + 3 * first) * sizeof(double);
    }
    return end == size ? found : (series){0};
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double fetch_double(const unsigned char *at) {
    return double_of((uint64_t)fetch_u32(at) | (uint64_t)fetch_u32(at + 4) << 32);
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
    bool is_w;
} number;

static number number_of(const unsigned char *blob, series s, size_t turn) {
    size_t step = turn % s.steps, part = 3 - turn / s.steps % 4, body = turn / (4 * s.steps);
    return (number){place_of(s, step, body, part), predict(blob, s, step, body, part), part == 0};
}

/* What the prediction missed: the difference of the bits; or whole numbers of the grid, and of w the
 * sign. */
static uint64_t error_of(number n, uint64_t bits, int form) {
    if (form == FORM_QUATERNIONS)
        return bits - n.guess;
    if (n.is_w)
        return (bits ^ n.guess) >> 63;
    double steps = (double_of(bits) - double_of(n.guess)) / GRID;
    return fabs(steps) < 0x1p52 ? (uint64_t)llrint(steps) : 0;
}

static uint64_t correct(number n, uint64_t error, int form) {
    if (form == FORM_QUATERNIONS)
        return n.guess + error;
    if (n.is_w)
        return n.guess ^ error << 63;
    return bits_of(double_of(n.guess) + (double)(int64_t)error * GRID);
}

/* errors: [8][count], by the place of their bytes. False: in this form a number would come back with
 * other bits. */
static bool put_errors(const unsigned char *blob, series s, int form, unsigned char *errors) {
    size_t count = count_of(s);
    for (size_t turn = 0; turn < count; turn++) {
        number n = number_of(blob, s, turn);
        uint64_t bits = bits_of(fetch_double(blob + n.place));
        uint64_t error = error_of(n, bits, form);
        if (correct(n, error, form) != bits)
            return false;
        for (size_t byte = 0; byte < 8; byte++)
            errors[byte * count + turn] = (unsigned char)(fold(error) >> (8 * byte));
    }
    return true;
}

static void get_errors(const unsigned char *errors, series s, int form, unsigned char *blob) {
    size_t count = count_of(s);
    for (size_t turn = 0; turn < count; turn++) {
        number n = number_of(blob, s, turn);
        uint64_t folded = 0;
        for (size_t byte = 0; byte < 8; byte++)
            folded |= (uint64_t)errors[byte * count + turn] << (8 * byte);
        uint64_t bits = correct(n, unfold(folded), form);
        store_u32(blob + n.place, (uint32_t)bits);
        store_u32(blob + n.place + 4, (uint32_t)(bits >> 32));
    }
}

/* --- planes: words of eight bytes sorted by the place of their bytes, after what is left over --- */

static void put_planes(const unsigned char *raw, size_t size, unsigned char *planes) {
    size_t odd = size % 8, count = size / 8;
    memcpy(planes, raw, odd);
    for (size_t i = 0; i < 8 * count; i++)
        planes[odd + i % 8 * count + i / 8] = raw[odd + i];
}

static void get_planes(const unsigned char *planes, size_t size, unsigned char *raw) {
    size_t odd = size % 8, count = size / 8;
    memcpy(raw, planes, odd);
    for (size_t i = 0; i < 8 * count; i++)
        raw[odd + i] = planes[odd + i % 8 * count + i / 8];
}

/* --- packing --- */

/* Deflates `content` behind the header of `out`, which has room for `size`, if that is shorter than
 * `*used`. */
static void try_form(int form, const unsigned char *content, size_t size, unsigned char *out,
                     size_t *used) {
    uLongf length = (uLongf)*used;
    unsigned char *deflated = malloc(*used + 1);
    if (deflated &&
        compress2(deflated, &length, content, (uLong)size, Z_BEST_COMPRESSION) == Z_OK &&
        length < *used) {
        out[0] = (unsigned char)form;
        memcpy(out + HEADER_SIZE, deflated, length);
        *used = length;
    }
    free(deflated);
}

/* `out` has room for the header and for `size` bytes. Returns the bytes used: the shortest form. A
 * form for which there is no memory is left out. */
static size_t pack(const unsigned char *raw, size_t size, unsigned char *out) {
    series s = series_in(raw, size);
    size_t used = size;
    out[0] = FORM_STORED;
    store_u32(out + 1, (uint32_t)size);
    memcpy(out + HEADER_SIZE, raw, size);
    unsigned char *sorted = malloc(size + 1);
    if (sorted && s.steps) {
        memcpy(sorted, raw, size);
        int form = FORM_GRID;
        if (!put_errors(raw, s, form, sorted + s.at))
            (void)put_errors(raw, s, form = FORM_QUATERNIONS, sorted + s.at);
        try_form(form, sorted, size, out, &used);
    } else if (sorted) {
        try_form(FORM_DEFLATED, raw, size, out, &used);
        put_planes(raw, size, sorted);
        try_form(FORM_PLANES, sorted, size, out, &used);
    }
    free(sorted);
    return HEADER_SIZE + used;
}

static void pack_value(sqlite3_context *context, int count, sqlite3_value **value) {
    (void)count;
    if (sqlite3_value_type(value[0]) == SQLITE_NULL)
        return;
    const unsigned char *raw = sqlite3_value_blob(value[0]);
    size_t size = (size_t)sqlite3_value_bytes(value[0]);
    unsigned char *out = sqlite3_malloc64(HEADER_SIZE + size);
    if (!out) {
        sqlite3_result_error_nomem(context);
        return;
    }
    size_t used = pack(raw ? raw : (const unsigned char *)"", size, out);
    sqlite3_result_blob64(context, out, used, sqlite3_free);
}

/* --- unpacking --- */

/* Turns what was inflated back into what was packed. */
static int restore_order(int form, unsigned char *content, size_t size) {
    series s = series_in(content, size);
    if (form == FORM_DEFLATED)
        return SQLITE_OK;
    const bool predicted = form == FORM_QUATERNIONS || form == FORM_GRID;
    if (predicted && !s.steps)
        return SQLITE_CORRUPT;
    unsigned char *sorted = malloc(size + 1);
    if (!sorted)
        return SQLITE_NOMEM;
    memcpy(sorted, content, size);
    if (predicted)
        get_errors(sorted + s.at, s, form, content);
    else
        get_planes(sorted, size, content);
    free(sorted);
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
    if (packed[0] > FORM_GRID || uncompress(out, &made, content, (uLong)left) != Z_OK ||
        made != size)
        return SQLITE_CORRUPT;
    return restore_order(packed[0], out, size);
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
    if (sqlite3_create_function(db, "pack", 1, flags, NULL, pack_value, NULL, NULL) == SQLITE_OK &&
        sqlite3_create_function(db, "unpack", 1, flags, NULL, unpack_value, NULL, NULL) ==
            SQLITE_OK)
        return TR_OK;
    return tr_database_fail(db, "catalogue", error);
}
