#include "cli/view.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORD_MAX = 96, CHOICE_MAX = 32 };

/* --- names of choices --- */

/* WORLD_MODE_REAL_TIME as "real-time": without what the names of an enum have in common, which is
 * the name of its value 0 without UNSPECIFIED. */
static void name_choice(const ProtobufCEnumDescriptor *choices, int value, char out[CHOICE_MAX]) {
    const ProtobufCEnumValue *none = protobuf_c_enum_descriptor_get_value(choices, 0);
    const ProtobufCEnumValue *chosen = protobuf_c_enum_descriptor_get_value(choices, value);
    size_t common = strlen(none->name) - strlen("UNSPECIFIED");
    snprintf(out, CHOICE_MAX, "%s", value != 0 && chosen ? chosen->name + common : "");
    for (char *c = out; *c; c++)
        *c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
}

bool tr_view_find_choice(const ProtobufCEnumDescriptor *choices, const char *name, unsigned *out) {
    char its_name[CHOICE_MAX];
    for (unsigned i = 0; i < choices->n_values; i++) {
        name_choice(choices, choices->values[i].value, its_name);
        if (its_name[0] && strcmp(its_name, name) == 0) {
            *out = (unsigned)choices->values[i].value;
            return true;
        }
    }
    return false;
}

/* --- values --- */

/* The shortest decimal that is this float, as a double: 0.95, not 0.949999988079071. */
static double shortest(float value) {
    enum { SURE = 6, ALWAYS = 9 };
    char text[32];
    int digits = SURE;
    do
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
    while (strtof(text, NULL) != value && ++digits <= ALWAYS);
    return strtod(text, NULL);
}

json_t *tr_view_floats(const float *values, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_real(shortest(values[i])));
    return array;
}

static json_t *choice_value(const ProtobufCEnumDescriptor *choices, int value) {
    char name[CHOICE_MAX];
    name_choice(choices, value, name);
    return json_string(name);
}

/* JSON integers end at 2^63 - 1; a larger value becomes a text of decimal digits. */
static json_t *unsigned_value(uint64_t value) {
    return value <= INT64_MAX ? json_integer((json_int_t)value)
                              : json_sprintf("%llu", (unsigned long long)value);
}

/* "2026-05-01T12:00:00Z", or null for 0. */
static json_t *time_value(int64_t unix_s) {
    time_t seconds = (time_t)unix_s;
    struct tm parts;
    char text[32];
    if (unix_s == 0 || !gmtime_r(&seconds, &parts) ||
        !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts))
        return json_null();
    return json_string(text);
}

static json_t *signed_value(const char *name, int64_t value) {
    return strstr(name, "_unix_ns")  ? time_value(value / 1000000000)
           : strstr(name, "_unix_s") ? time_value(value)
                                     : json_integer(value);
}

static json_t *doubles_value(const double *values, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_real(values[i]));
    return list;
}

#define LOAD(type) (*(const type *)at)

static json_t *scalar(tr_mapping_type type, const ProtobufCFieldDescriptor *wire, const void *at) {
    switch (type) {
    case TR_MAPPING_BOOL:
        return json_boolean(LOAD(bool));
    case TR_MAPPING_INT32:
        return json_integer(LOAD(int32_t));
    case TR_MAPPING_UINT32:
        return wire->type == PROTOBUF_C_TYPE_ENUM
                   ? choice_value(wire->descriptor, (int)LOAD(uint32_t))
                   : json_integer(LOAD(uint32_t));
    case TR_MAPPING_INT64:
        return signed_value(wire->name, LOAD(int64_t));
    case TR_MAPPING_UINT64:
        return wire->type == PROTOBUF_C_TYPE_FIXED64
                   ? json_sprintf("%016llx", (unsigned long long)LOAD(uint64_t))
                   : unsigned_value(LOAD(uint64_t));
    case TR_MAPPING_FLOAT:
        return json_real((double)LOAD(float));
    case TR_MAPPING_DOUBLE:
        return json_real(LOAD(double));
    case TR_MAPPING_TEXT:
        return json_string(LOAD(char *));
    case TR_MAPPING_STATUS:
        return json_string(tr_status_name(LOAD(tr_status)));
    default:
        return NULL;
    }
}

/* An array of numbers or texts. */
static json_t *array_value(const tr_mapping_field *field, const ProtobufCFieldDescriptor *wire,
                           const void *from) {
    const char *at = *(const char *const *)(const void *)((const char *)from + field->offset);
    tr_mapping_type type = wire->type == PROTOBUF_C_TYPE_STRING   ? TR_MAPPING_TEXT
                           : wire->type == PROTOBUF_C_TYPE_DOUBLE ? TR_MAPPING_DOUBLE
                           : wire->type == PROTOBUF_C_TYPE_FLOAT  ? TR_MAPPING_FLOAT
                                                                  : TR_MAPPING_UINT32;
    bool narrow = type == TR_MAPPING_FLOAT || type == TR_MAPPING_UINT32;
    size_t width = narrow ? sizeof(uint32_t) : 8;
    json_t *list = json_array();
    for (size_t i = 0; i < tr_mapping_count(field, from); i++)
        json_array_append_new(list, scalar(type, wire, at + i * width));
    return list;
}

/* --- fields --- */

typedef struct place {
    const tr_mapping_field *field; /* NULL: no such field */
    const ProtobufCFieldDescriptor *wire;
    const void *from; /* the struct that has it */
} place;

static place find(const tr_mapping *mapping, const void *from, const char *path) {
    char name[WORD_MAX];
    size_t size = strcspn(path, ".");
    snprintf(name, sizeof name, "%.*s", (int)size, path);
    const ProtobufCFieldDescriptor *wire =
        protobuf_c_message_descriptor_get_field_by_name(mapping->message, name);
    const tr_mapping_field *field = mapping->field;
    while (wire && field->type != TR_MAPPING_END && field->wire_offset != wire->offset)
        field++;
    if (!wire || field->type == TR_MAPPING_END)
        return (place){0};
    if (path[size] == '.')
        return find(field->mapping, (const char *)from + field->offset, path + size + 1);
    return (place){field, wire, from};
}

static json_t *value_at(const place *p) {
    const void *at = (const char *)p->from + p->field->offset;
    switch (p->field->type) {
    case TR_MAPPING_DOUBLES:
        return doubles_value(at, p->field->wire_type == TR_MAPPING_VEC3 ? 3 : 4);
    case TR_MAPPING_FLOATS:
        return tr_view_floats(at, p->field->size / sizeof(float));
    case TR_MAPPING_ARRAY:
        return array_value(p->field, p->wire, p->from);
    default:
        return scalar(p->field->type, p->wire, at);
    }
}

/* A number that is 0, an empty text, or a list without rows. */
static bool is_nothing(const place *p) {
    static const char zeros[sizeof(uint64_t)];
    const char *at = (const char *)p->from + p->field->offset;
    if (p->field->type == TR_MAPPING_LIST)
        return tr_mapping_count(p->field, p->from) == 0;
    if (p->field->type == TR_MAPPING_TEXT)
        return **(const char *const *)(const void *)at == '\0';
    return memcmp(at, zeros, p->field->size) == 0;
}

/* --- words --- */

/* One word: its key, its fields, and the words in its braces. */
typedef struct word {
    bool optional;
    char key[WORD_MAX], fields[WORD_MAX];
    const char *inner; /* NULL: no braces */
} word;

/* The place after the braces whose words begin here. */
static const char *skip_inner(const char *at) {
    for (int depth = 1; depth > 0 && *at; at++)
        depth += (*at == '{') - (*at == '}');
    return at;
}

/* Reads the next word. Returns the place after it; NULL: no more words. */
static const char *read_word(const char *at, word *out) {
    at += strspn(at, " ");
    if (*at == '\0' || *at == '}')
        return NULL;
    *out = (word){.optional = *at == '?'};
    at += out->optional;
    size_t size = strcspn(at, " {}"), key = strcspn(at, "= {}");
    const char *fields = at[key] == '=' ? at + key + 1 : at;
    snprintf(out->key, WORD_MAX, "%.*s", (int)key, at);
    snprintf(out->fields, WORD_MAX, "%.*s", (int)(at + size - fields), fields);
    if (at[size] != '{')
        return at + size;
    out->inner = at + size + 1;
    return skip_inner(out->inner);
}

/* --- views --- */

static void add_words(json_t *object, const tr_mapping *mapping, const void *from, size_t index,
                      const char *words);

static json_t *rows_value(const tr_mapping *mapping, const char *rows, size_t count,
                          const char *words) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        add_words(object, mapping, rows + i * mapping->size, i, words);
        json_array_append_new(list, object);
    }
    return list;
}

/* Both fields of "A,B". */
static json_t *pair_value(const place *first, const place *second) {
    json_t *pair = json_array();
    json_array_append_new(pair, value_at(first));
    json_array_append_new(pair, value_at(second));
    return pair;
}

static void add_word(json_t *object, const tr_mapping *mapping, const void *from, word *w) {
    char *comma = strchr(w->fields, ',');
    if (comma)
        *comma = '\0';
    place p = find(mapping, from, w->fields);
    place second = comma ? find(mapping, from, comma + 1) : p;
    assert(p.field && second.field);
    if (w->optional && is_nothing(&p))
        return;
    const char *rows =
        w->inner ? *(const char *const *)(const void *)((const char *)p.from + p.field->offset)
                 : NULL;
    json_object_set_new(
        object, w->key,
        w->inner ? rows_value(p.field->mapping, rows, tr_mapping_count(p.field, p.from), w->inner)
        : comma  ? pair_value(&p, &second)
                 : value_at(&p));
}

static void add_words(json_t *object, const tr_mapping *mapping, const void *from, size_t index,
                      const char *words) {
    word w;
    while ((words = read_word(words, &w)))
        if (*w.key == '#')
            json_object_set_new(object, w.key + 1, json_integer((json_int_t)index));
        else
            add_word(object, mapping, from, &w);
}

void tr_view_add(json_t *object, const tr_mapping *mapping, const void *from, const char *words) {
    add_words(object, mapping, from, 0, words);
}

json_t *tr_view(const tr_mapping *mapping, const void *from, const char *words) {
    json_t *object = json_object();
    tr_view_add(object, mapping, from, words);
    return object;
}

json_t *tr_view_rows(const tr_mapping *mapping, const void *rows, int count, const char *words) {
    return rows_value(mapping, rows, (size_t)count, words);
}
