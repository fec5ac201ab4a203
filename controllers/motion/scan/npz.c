#include "motion/scan/npz.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

static const char DESCRIPTION[] = "policy.json";

/* A member being read: its name in the archive and its bytes, with a zero after the last. */
typedef struct member {
    const char *file, *name;
    bool mixed;
    char *bytes;
    size_t size;
} member;

void tr_npz_deinit(tr_npz *npz) {
    for (int i = 0; i < npz->count; i++)
        free(npz->array[i].value);
    free(npz->description);
    *npz = (tr_npz){0};
}

const tr_npz_array *tr_npz_find(const tr_npz *npz, const char *name) {
    for (int i = 0; i < npz->count; i++)
        if (strcmp(npz->array[i].name, name) == 0)
            return &npz->array[i];
    return NULL;
}

const char *tr_npz_shape_text(const tr_npz_array *array, char out[static TR_NPZ_SHAPE_TEXT_MAX]) {
    size_t at = 0;
    snprintf(out, TR_NPZ_SHAPE_TEXT_MAX, "one number");
    for (int d = 0; d < array->dimensions; d++)
        at += (size_t)snprintf(out + at, TR_NPZ_SHAPE_TEXT_MAX - at, d ? " x %zu" : "%zu",
                               array->shape[d]);
    return out;
}

static tr_status fail_member(const member *m, tr_error *error, const char *text) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "%.120s: %.80s: %s", m->file, m->name, text);
}

/* --- the header of an array: a Python dictionary, as NumPy writes it --- */

/* Returns the text after 'KEY': in the header; NULL: no such key. */
static const char *find_key(const char *header, const char *key) {
    const char *at = strstr(header, key);
    if (!at)
        return NULL;
    at += strlen(key);
    return at + strspn(at, " ");
}

static bool read_shape(const char *header, tr_npz_array *out) {
    const char *at = find_key(header, "'shape':");
    if (!at || *at++ != '(')
        return false;
    out->size = 1;
    /* Lengths follow between commas, up to the closing bracket. */
    for (;;) {
        at += strspn(at, " ,");
        if (*at == ')')
            return true;
        char *end;
        unsigned long long length = strtoull(at, &end, 10);
        if (end == at || *at == '-' || length > TR_NPZ_SIZE_MAX ||
            out->dimensions == TR_NPZ_DIMENSION_MAX)
            return false;
        out->shape[out->dimensions++] = (size_t)length;
        out->size *= (size_t)length;
        if (out->size > TR_NPZ_SIZE_MAX)
            return false;
        at = end;
    }
}

/* A kind of numbers: 'f' or 'i', and its size, 4 or 8; '\0': not one that can be read. */
typedef struct number_kind {
    char letter;
    size_t size;
} number_kind;

static number_kind kind_of(const char *header, bool mixed) {
    const char *kind = find_key(header, "'descr':");
    bool known = kind && strncmp(kind, "'<", 2) == 0 && (kind[3] == '4' || kind[3] == '8') &&
                 kind[4] == '\'' && (kind[2] == 'f' || (mixed && kind[2] == 'i'));
    return known ? (number_kind){kind[2], (size_t)(kind[3] - '0')} : (number_kind){0};
}

static bool is_c_order(const char *header) {
    const char *order = find_key(header, "'fortran_order':");
    return order && strncmp(order, "False", 5) == 0;
}

static double read_number(const char *bytes, number_kind kind) {
    union {
        float single;
        double full;
        int32_t small;
        int64_t large;
    } value;
    memcpy(&value, bytes, kind.size);
    if (kind.letter == 'i')
        return kind.size == 4 ? (double)value.small : (double)value.large;
    return kind.size == 4 ? (double)value.single : value.full;
}

/* Returns the header's length, which has two bytes in version 1 of the format, four in later
 * ones. */
static size_t find_header(const member *m, size_t *out_at) {
    static const char magic[] = "\x93NUMPY";
    uint16_t small;
    uint32_t large;
    if (m->size < 12 || memcmp(m->bytes, magic, 6) != 0)
        return 0;
    memcpy(&small, m->bytes + 8, sizeof small);
    memcpy(&large, m->bytes + 8, sizeof large);
    *out_at = m->bytes[6] == 1 ? 10 : 12;
    return m->bytes[6] == 1 ? small : large;
}

static tr_status read_array(const member *m, const char *header, const char *data, size_t size,
                            tr_npz_array *out, tr_error *error) {
    number_kind kind = kind_of(header, m->mixed);
    if (!kind.letter)
        return fail_member(m, error, "expected numbers of dtype float32 or float64, little-endian");
    if (!is_c_order(header))
        return fail_member(m, error, "expected C order; numpy.ascontiguousarray makes it");
    if (!read_shape(header, out))
        return fail_member(m, error, "its shape: expected at most 4 dimensions and 2^26 numbers");
    if (size != out->size * kind.size)
        return fail_member(m, error, "its bytes do not fill its shape");
    out->value = malloc((out->size ? out->size : 1) * sizeof *out->value);
    if (!out->value)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.120s: no memory", m->file);
    for (size_t i = 0; i < out->size; i++)
        out->value[i] = read_number(data + i * kind.size, kind);
    return TR_OK;
}

static tr_status add_array(const member *m, tr_npz *out, tr_error *error) {
    size_t at = 0, length = find_header(m, &at);
    if (length == 0 || length > m->size - at)
        return fail_member(m, error, "not an array as numpy.savez writes it");
    if (out->count == TR_NPZ_ARRAY_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.120s: more than %d arrays", m->file,
                       TR_NPZ_ARRAY_MAX);
    tr_npz_array array = {0};
    /* The name without ".npy". */
    int name = (int)strlen(m->name) - 4;
    if (name < 1 || name >= TR_NPZ_NAME_MAX)
        return fail_member(m, error, "expected a name of 1 to 63 bytes");
    memcpy(array.name, m->name, (size_t)name);
    /* An archive may hold two members of one name. */
    if (tr_npz_find(out, array.name))
        return fail_member(m, error, "this array is there twice");
    char *header = strndup(m->bytes + at, length);
    if (!header)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.120s: no memory", m->file);
    bool skip = m->mixed && !kind_of(header, true).letter;
    tr_status status =
        skip ? TR_OK
             : read_array(m, header, m->bytes + at + length, m->size - at - length, &array, error);
    free(header);
    if (!status && !skip)
        out->array[out->count++] = array;
    return status;
}

/* --- the archive --- */

static bool is_array(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".npy") == 0;
}

static tr_status read_member(zip_t *archive, zip_uint64_t index, member *m, tr_error *error) {
    zip_stat_t stat;
    if (zip_stat_index(archive, index, 0, &stat) || !(stat.valid & ZIP_STAT_SIZE) ||
        stat.size > TR_NPZ_SIZE_MAX)
        return fail_member(m, error, "expected at most 64 MiB");
    m->size = (size_t)stat.size;
    m->bytes = malloc(m->size + 1);
    zip_file_t *file = m->bytes ? zip_fopen_index(archive, index, 0) : NULL;
    zip_int64_t got = file ? zip_fread(file, m->bytes, stat.size) : -1;
    char beyond;
    if (got >= 0 && zip_fread(file, &beyond, 1) != 0) /* at the end the checksum is compared */
        got = -1;
    if (file)
        zip_fclose(file);
    if (got < 0 || (size_t)got != m->size)
        return fail_member(m, error, "cannot be read: the archive is damaged");
    /* The description is read as text. */
    m->bytes[m->size] = 0;
    return TR_OK;
}

static tr_status add_member(zip_t *archive, zip_uint64_t index, const tr_npz_file *file,
                            tr_npz *out, size_t *left, tr_error *error) {
    member m = {.file = file->name, .name = zip_get_name(archive, index, 0), .mixed = file->mixed};
    if (!m.name || (!is_array(m.name) && strcmp(m.name, DESCRIPTION) != 0))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%.120s: %.80s: expected arrays (.npy) and policy.json alone", file->name,
                       m.name ? m.name : "a file without a name");
    tr_status status = read_member(archive, index, &m, error);
    if (!status && m.size > *left)
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.120s: more than 64 MiB", m.file);
    /* All members share one limit: a small archive can unpack to very much. */
    *left -= status ? 0 : m.size;
    if (!status && is_array(m.name))
        status = add_array(&m, out, error);
    else if (!status && !out->description) {
        out->description = m.bytes;
        m.bytes = NULL;
    }
    free(m.bytes);
    return status;
}

static zip_t *open_archive(const void *data, size_t size, const char *name, tr_error *error) {
    zip_error_t why;
    zip_error_init(&why);
    zip_source_t *source = zip_source_buffer_create(data, size, 0, &why);
    zip_t *archive = source ? zip_open_from_source(source, ZIP_RDONLY, &why) : NULL;
    if (!archive) {
        (void)tr_fail(error, TR_INVALID_ARGUMENT, "%.120s: not a ZIP archive (%.100s)", name,
                      zip_error_strerror(&why));
        zip_source_free(source);
    }
    zip_error_fini(&why);
    return archive;
}

tr_status tr_npz_parse(const tr_npz_file *file, tr_npz *out, tr_error *error) {
    zip_t *archive = open_archive(file->data, file->size, file->name, error);
    if (!archive)
        return TR_INVALID_ARGUMENT;
    tr_npz npz = {0};
    tr_status status = TR_OK;
    zip_int64_t members = zip_get_num_entries(archive, 0);
    size_t left = TR_NPZ_SIZE_MAX;
    for (zip_int64_t i = 0; !status && i < members; i++)
        status = add_member(archive, (zip_uint64_t)i, file, &npz, &left, error);
    zip_discard(archive);
    if (status)
        tr_npz_deinit(&npz);
    else
        *out = npz;
    return status;
}
