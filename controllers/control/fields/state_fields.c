#include "control/fields/state_fields.h"

#include "math/hash.h"

static const size_t element_size[] = {[TR_STATE_BOOL] = sizeof(bool),
                                      [TR_STATE_INT] = sizeof(int),
                                      [TR_STATE_INT64] = sizeof(int64_t),
                                      [TR_STATE_DOUBLE] = sizeof(double),
                                      [TR_STATE_TEXT] = sizeof(char)};

_Static_assert(sizeof(bool) == 1 && sizeof(int) == 4, "sizes of fields in bytes are fixed");

static size_t size_of(const tr_state_field *field) {
    return element_size[field->type] * (size_t)field->count;
}

void tr_state_fields_write(const tr_state_field *field, int count, const void *base,
                           tr_byte_writer *writer) {
    for (int i = 0; i < count; i++)
        tr_byte_put(writer, (const char *)base + field[i].offset, size_of(&field[i]));
}

uint64_t tr_state_fields_hash(const tr_state_field *field, int count, const void *base,
                              uint64_t hash) {
    /* Field by field, because bytes between members are not defined. */
    for (int i = 0; i < count; i++)
        hash = tr_hash_add(hash, (const char *)base + field[i].offset, size_of(&field[i]));
    return hash;
}

/* NaN is out of any bounds. */
static bool is_within(const tr_state_field *field, double value) {
    return value >= field->low && value <= field->high;
}

static bool is_text(const unsigned char *bytes, int count) {
    const unsigned char *end = memchr(bytes, 0, (size_t)count);
    for (const unsigned char *at = end; at && at < bytes + count; at++)
        if (*at != 0)
            return false;
    return end != NULL;
}

static bool is_sound(const tr_state_field *field, const unsigned char *bytes) {
    if (field->type == TR_STATE_TEXT)
        return is_text(bytes, field->count);
    for (int i = 0; i < field->count; i++) {
        int whole;
        int64_t large;
        double number = bytes[i]; /* of a bool */
        if (field->type == TR_STATE_INT) {
            memcpy(&whole, bytes + (size_t)i * sizeof whole, sizeof whole);
            number = whole;
        } else if (field->type == TR_STATE_INT64) {
            memcpy(&large, bytes + (size_t)i * sizeof large, sizeof large);
            number = (double)large;
        } else if (field->type == TR_STATE_DOUBLE) {
            memcpy(&number, bytes + (size_t)i * sizeof number, sizeof number);
        }
        /* Padding does not exist here: each element is checked against the bounds of its field. */
        if (!is_within(field, number))
            return false;
    }
    return true;
}

bool tr_state_fields_read(const tr_state_field *field, int count, tr_byte_reader *source,
                          void *base, const char **out_field) {
    for (int i = 0; i < count; i++) {
        size_t size = size_of(&field[i]);
        const unsigned char *bytes = tr_byte_reader_take(source, size);
        bool sound = bytes && is_sound(&field[i], bytes);
        if (!sound && out_field)
            *out_field = bytes ? field[i].name : NULL;
        if (!sound)
            return false;
        memcpy((char *)base + field[i].offset, bytes, size);
    }
    return true;
}
