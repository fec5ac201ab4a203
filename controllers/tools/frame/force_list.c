#include "tools/frame/force_list.h"

#include "proto/text.h"

#include <math.h>

static bool is_force(double n) {
    return n >= 0 && n <= 1e4;
}

static bool read_range(const char *text, tr_force_list *out) {
    double part[3];
    for (int i = 0; i < 3; i++) {
        const char *end = tr_text_number(text, &part[i]);
        if (!end || *end != (i < 2 ? ':' : '\0'))
            return false;
        text = end + 1;
    }
    double from = part[0], to = part[1], step = part[2];
    if (!is_force(from) || !is_force(to) || to < from || !(step > 0))
        return false;
    double steps = floor((to - from) / step + 1e-9);
    if (!(steps < TR_FORCE_LIST_MAX))
        return false;
    out->count = (int)steps + 1;
    for (int i = 0; i < out->count; i++)
        out->force_n[i] = from + i * step;
    return true;
}

static bool read_numbers(const char *text, tr_force_list *out) {
    const char *end = NULL;
    for (out->count = 0; out->count < TR_FORCE_LIST_MAX; text = end + 1) {
        double force_n;
        end = tr_text_number(text, &force_n);
        if (!end || !is_force(force_n))
            return false;
        out->force_n[out->count++] = force_n;
        if (*end != ',')
            return !*end;
    }
    return false;
}

bool tr_force_list_read(const char *text, tr_force_list *out) {
    return read_range(text, out) || read_numbers(text, out);
}

tr_status tr_force_list_take(void *list, const tr_option_value *value, tr_error *error) {
    if (tr_force_list_read(value->text, list))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "--%s '%s': expected at most %d forces in N: 100,140 or 60:200:20",
                   value->option, value->text, TR_FORCE_LIST_MAX);
}
