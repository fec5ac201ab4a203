/* Names of models, controllers and worlds: short texts in arrays of fixed size. */
#pragma once

#include "math/byte_reader.h"
#include "model/model.h"
#include "proto/text.h"

/* Copies `text`, cut to TR_NAME_MAX - 1 bytes, and terminates it. */
static inline void tr_name_set(char name[TR_NAME_MAX], const char *text) {
    size_t size = strnlen(text, TR_NAME_MAX - 1);
    memcpy(name, text, size);
    name[size] = '\0';
}

/* Reads a name: TR_NAME_MAX bytes that end in a zero, UTF-8 up to the first. Other bytes fail. */
static inline void tr_name_read(tr_byte_reader *reader, char out[TR_NAME_MAX]) {
    tr_byte_reader_text(reader, out, TR_NAME_MAX);
    if (!tr_text_is_utf8(out))
        reader->failed = true;
}
