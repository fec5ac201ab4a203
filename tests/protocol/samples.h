/* A filled message of any type, made from its descriptor: every field set, every list of two, every
 * choice taken in turn.
 *
 * What the schema gains is covered without a line here. */
#pragma once

#include <protobuf-c/protobuf-c.h>
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
