#include "client/command/fields.h"

#include "proto/limits.h"
#include "proto/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_MAX_BYTES = 96 };

typedef struct check {
    const void *message;
    const char *path; /* "scene.scenery." before the names of its fields */
    tr_error *error;
} check;

static const void *at(const check *c, size_t offset) {
    return (const uint8_t *)c->message + offset;
}

static const void *pointer_at(const check *c, size_t offset) {
    return *(const void *const *)at(c, offset);
}

tr_status tr_field_refuse(tr_error *error, const char *field, const char *expected) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected %s", field, expected);
}

static tr_status refuse(const check *c, const tr_field *field, const char *expected) {
    return tr_fail(c->error, TR_INVALID_ARGUMENT, "%s%s: expected %s", c->path, field->name,
                   expected);
}

/* --- the kinds --- */

static double number_of(const check *c, const tr_field *field) {
    const void *value = at(c, field->offset);
    switch (field->number) {
    case TR_NUMBER_DOUBLE:
        return *(const double *)value;
    case TR_NUMBER_FLOAT:
        return (double)*(const float *)value;
    case TR_NUMBER_INT32:
        return *(const int32_t *)value;
    case TR_NUMBER_UINT32:
        return *(const uint32_t *)value;
    case TR_NUMBER_INT64:
        return (double)*(const int64_t *)value;
    case TR_NUMBER_UINT64:
        return (double)*(const uint64_t *)value;
    default:
        return NAN;
    }
}

static tr_status check_range(const check *c, const tr_field *field, double value) {
    if (value >= field->low && value <= field->high)
        return TR_OK;
    return tr_fail(c->error, TR_INVALID_ARGUMENT, "%s%s: %g: expected %g to %g", c->path,
                   field->name, value, field->low, field->high);
}

static tr_status check_number(const check *c, const tr_field *field) {
    double value = number_of(c, field);
    return field->zero_too && value == 0 ? TR_OK : check_range(c, field, value);
}

static tr_status check_numbers(const check *c, const tr_field *field) {
    size_t count = *(const size_t *)at(c, field->count_offset);
    const double *value = pointer_at(c, field->offset);
    if (count > (size_t)field->most)
        return tr_fail(c->error, TR_INVALID_ARGUMENT, "%s%s: expected at most %d numbers", c->path,
                       field->name, field->most);
    tr_status status = TR_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = check_range(c, field, value[i]);
    return status;
}

static tr_status check_name(const check *c, const tr_field *field) {
    const char *name = pointer_at(c, field->offset);
    size_t size = strlen(name);
    if (tr_text_has_control(name))
        return refuse(c, field, "no control characters");
    if (name[0] == '#')
        return refuse(c, field, "a name that does not begin with '#', as '#257' is an id");
    if (size >= field->low && size <= TR_WIRE_NAME_MAX)
        return TR_OK;
    return refuse(c, field, field->low > 0 ? "1 to 47 bytes" : "at most 47 bytes");
}

static tr_status check_choice(const check *c, const tr_field *field) {
    uint32_t value = *(const uint32_t *)at(c, field->offset);
    return value <= field->high ? TR_OK : refuse(c, field, field->expected);
}

static tr_status check_vector(const check *c, const tr_field *field) {
    const Troupe__Vec3 *v = pointer_at(c, field->offset);
    if (!v || sqrt(v->x * v->x + v->y * v->y + v->z * v->z) <= field->high)
        return TR_OK;
    return tr_fail(c->error, TR_INVALID_ARGUMENT, "%s%s: expected a finite vector of at most %g",
                   c->path, field->name, field->high);
}

static double length_of(const Troupe__Quat *q) {
    return sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
}

static tr_status check_rotation(const check *c, const tr_field *field) {
    const Troupe__Quat *q = pointer_at(c, field->offset);
    if (!q || (length_of(q) > 1e-6 && length_of(q) < 1e6))
        return TR_OK;
    return refuse(c, field, "a quaternion that is finite and not zero");
}

static tr_status check_fields(const check *c, const tr_field *fields);

static tr_status check_message(const check *c, const tr_field *field, const void *message) {
    char path[PATH_MAX_BYTES];
    if (!message)
        return TR_OK;
    snprintf(path, sizeof path, "%s%s.", c->path, field->name);
    tr_status status = check_fields(&(check){message, path, c->error}, field->fields);
    return !status && field->check ? field->check(message, path, c->error) : status;
}

static tr_status check_list(const check *c, const tr_field *field) {
    size_t count = *(const size_t *)at(c, field->count_offset);
    const void *const *message = pointer_at(c, field->offset);
    tr_status status = check_range(c, field, (double)count);
    for (size_t i = 0; i < count && !status && field->fields; i++)
        status = check_message(c, field, message[i]);
    return status;
}

static tr_status check_field(const check *c, const tr_field *field) {
    switch (field->kind) {
    case TR_FIELD_ENTITY:
        return *(const uint32_t *)at(c, field->offset) != 0
                   ? TR_OK
                   : refuse(c, field, "the id of a character or object");
    case TR_FIELD_NAME:
        return check_name(c, field);
    case TR_FIELD_NUMBER:
        return check_number(c, field);
    case TR_FIELD_NUMBERS:
        return check_numbers(c, field);
    case TR_FIELD_CHOICE:
        return check_choice(c, field);
    case TR_FIELD_VECTOR:
        return check_vector(c, field);
    case TR_FIELD_ROTATION:
        return check_rotation(c, field);
    case TR_FIELD_MESSAGE:
        return check_message(c, field, pointer_at(c, field->offset));
    case TR_FIELD_LIST:
        return check_list(c, field);
    default:
        return TR_INTERNAL;
    }
}

static bool is_chosen(const check *c, const tr_field *field) {
    if (field->when_offset == 0)
        return true;
    uint32_t chosen = *(const uint32_t *)at(c, field->when_offset);
    return field->when == 0 ? chosen != 0 : chosen == (uint32_t)field->when;
}

static tr_status check_fields(const check *c, const tr_field *fields) {
    tr_status status = TR_OK;
    for (; fields && fields->kind != TR_FIELD_END && !status; fields++)
        if (is_chosen(c, fields))
            status = check_field(c, fields);
    return status;
}

tr_status tr_fields_check(const void *message, const tr_field *fields, tr_error *error) {
    return check_fields(&(check){message, "", error}, fields);
}

/* --- checked fields --- */

tr_vec3 tr_vec3_of(const Troupe__Vec3 *wire) {
    return wire ? (tr_vec3){wire->x, wire->y, wire->z} : (tr_vec3){0, 0, 0};
}

tr_quat tr_quat_of(const Troupe__Quat *wire) {
    if (!wire)
        return (tr_quat){1, 0, 0, 0};
    double length = length_of(wire);
    return (tr_quat){wire->w / length, wire->x / length, wire->y / length, wire->z / length};
}
