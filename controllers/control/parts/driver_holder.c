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

void tr_driver_holder_nearest(const void *content, const tr_model *model, const tr_state *state,
                              int *out_entry, bool *out_mirrored) {
    const tr_driver *inner = content;
    inner->kind->nearest(inner->content, model, state, out_entry, out_mirrored);
}

int tr_driver_holder_trips(const void *content, const tr_driver_trip **out) {
    const tr_driver *inner = content;
    return inner->kind->trips ? inner->kind->trips(inner->content, out) : 0;
}

void tr_driver_holder_reach_all(const void *content, tr_driver_reach *out) {
    *out = tr_driver_reach_of(*(const tr_driver *)content);
}

void tr_driver_holder_reach(const void *content, tr_driver_reach *out) {
    tr_driver_holder_reach_all(content, out);
    /* Who rests also foresees and has trips. */
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
