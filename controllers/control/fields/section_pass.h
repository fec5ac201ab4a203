/* Content that a section holds, listed once for writing and for reading: a pass takes each value from its place
 * into the section, or from the section to its place. A pass into a section changes no value. */
#pragma once

#include "control/fields/sections.h"

/* One of the two; the other is NULL. */
typedef struct tr_section_pass {
    tr_section_writer *to;
    tr_section_reader *from;
} tr_section_pass;

/* A value that is read lies between low and high. */
static inline void tr_section_pass_int(const tr_section_pass *pass, int *value, int low, int high) {
    if (pass->to)
        tr_section_put_int(pass->to, *value);
    else
        *value = (int)tr_section_get_int(pass->from, low, high);
}

static inline void tr_section_pass_bool(const tr_section_pass *pass, bool *value) {
    if (pass->to)
        tr_section_put_int(pass->to, *value);
    else
        *value = tr_section_get_bool(pass->from);
}

static inline void tr_section_pass_doubles(const tr_section_pass *pass, double *value,
                                           size_t count) {
    if (pass->to)
        tr_section_put_doubles(pass->to, value, count);
    else
        tr_section_get_doubles(pass->from, value, count);
}

static inline void tr_section_pass_text(const tr_section_pass *pass, char *text, size_t capacity) {
    if (pass->to)
        tr_section_put_text(pass->to, text);
    else
        tr_section_get_text(pass->from, text, capacity);
}
