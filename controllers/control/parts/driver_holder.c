#include "control/parts/driver_holder.h"

#include <stdlib.h>

void tr_driver_holder_outline(const void *content, double step_s, tr_driver_outline *out) {
    const tr_driver *inner = content;
    inner->kind->outline(inner->content, step_s, out);
}

void tr_driver_holder_entry(const void *content, int index, tr_driver_entry *out) {
    const tr_driver *inner = content;
    inner->kind->entry(inner->content, index, out);
}

int tr_driver_holder_parameters(const void *content, tr_driver_parameter *out) {
    const tr_driver *inner = content;
    return tr_driver_parameters(*inner, out);
}

tr_status tr_driver_holder_describe(const void *content, tr_driver_sheet *sheet) {
    const tr_driver *inner = content;
    return tr_driver_describe_skills(*inner, sheet);
}

void tr_driver_holder_reach(const void *content, tr_driver_reach *out) {
    *out = tr_driver_reach_of(*(const tr_driver *)content);
    /* Who rests also foresees and has trips, which holders do not pass on. */
    out->rest = NULL;
}

bool tr_driver_holder_performs(const void *content, const char *skill) {
    const tr_driver *inner = content;
    return inner->kind->performs && inner->kind->performs(inner->content, skill);
}

struct tr_bank *tr_driver_holder_bank(void *content) {
    const tr_driver *inner = content;
    return inner->kind->bank ? inner->kind->bank(inner->content) : NULL;
}

void tr_driver_holder_destroy(void *content) {
    const tr_driver *inner = content;
    if (inner && inner->kind)
        inner->kind->destroy(inner->content);
    free(content);
}

tr_driver tr_driver_holder_held(const void *content, int index) {
    const tr_driver *inner = content, none = {0};
    return index == 0 ? *inner : none;
}
