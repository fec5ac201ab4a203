/* A filled message of any type, made from its descriptor: every field set, every list of two, every
 * choice taken in turn.
 *
 * What the schema gains is covered without a line here. */
#pragma once

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tr_sample {
    const char *name; /* of the choice: "push", "response.world", ... */
    uint8_t *data;    /* encoded, malloc'ed */
    size_t size;
} tr_sample;

/* Samples of `type`, one for each choice of its oneof and of the oneofs inside it. Writes at most
 * `capacity`, returns how many. */
int tr_samples_make(const ProtobufCMessageDescriptor *type, tr_sample *out, int capacity);
void tr_samples_free(tr_sample *samples, int count);

/* Is the field one of several in a oneof? In C an optional number is the one member of a oneof. */
static inline bool tr_sample_is_alternative(const ProtobufCMessageDescriptor *type,
                                            const ProtobufCFieldDescriptor *field) {
    int members = 0;
    for (unsigned i = 0; i < type->n_fields; i++)
        members += type->fields[i].flags & PROTOBUF_C_FIELD_FLAG_ONEOF &&
                   type->fields[i].quantifier_offset == field->quantifier_offset;
    return members > 1;
}
