#include "motion/retarget/import_options.h"

#include "proto/option.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM_SIZE = 96 };

#define FIELD(member) offsetof(tr_import, member)
#define CLIP_FIELD(member) (offsetof(tr_import, clip) + offsetof(tr_clip_options, member))

const tr_import_option TR_IMPORT_OPTIONS[] = {
    {"import", TR_IMPORT_COUNT, FIELD(procedure), TR_IMPORT_PROCEDURE_FIRST, TR_IMPORT_PROCEDURE,
     true, false, NULL, "procedure of the import"},
    {"dt", TR_IMPORT_NUMBER, FIELD(dt_s), 1e-4, 0.1, true, false, "S",
     "time step of the motion (0.005)"},
    {"frames", TR_IMPORT_COUNT, FIELD(frame_count), 0, TR_CLIP_FRAME_MAX, true, true, "N",
     "exactly N frames; the motion is stretched to fit"},
    {"open", TR_IMPORT_NOTHING, 0, 0, 0, false, false, NULL, "an open motion"},
    {"cyclic", TR_IMPORT_FLAG, FIELD(cyclic), 0, 0, false, true, "",
     "the last frame is the first again; the gap is spread over the cycle"},
    {"symmetric", TR_IMPORT_FLAG, FIELD(symmetric), 0, 0, false, true, "",
     "a cyclic gait whose second half mirrors the first"},
    {"alike", TR_IMPORT_FLAG, FIELD(alike), 0, 0, false, true, "",
     "both sides do the same, as in a flip: two cycles, the second mirrored"},
    {"return", TR_IMPORT_NUMBER, FIELD(return_s), 0, 10, true, true, "S",
     "cyclic by a blended way back of S seconds to the first pose"},
    {"blend", TR_IMPORT_NUMBER, FIELD(blend_s), 0, 10, true, true, "S",
     "cyclic by blending the gap away over the last S seconds"},
    {"smooth", TR_IMPORT_NUMBER, FIELD(smooth_s), 0, 1, true, false, "S",
     "Gaussian smoothing, standard deviation (0.02)"},
    {"ground", TR_IMPORT_NUMBER, FIELD(ground), -1, 100, true, false, "P",
     "put percentile P of the lowest foot point on the ground (fit the contacts)"},
    {"stiff", TR_IMPORT_FLAG, FIELD(stiff), 0, 0, false, false, "",
     "do not bend toes, wrists and legs to meet the ground"},
    {"from-rest", TR_IMPORT_NUMBER, FIELD(from_rest_s), 0, 10, false, true, "S",
     "begin in the rest pose, S seconds before the clip"},
    {"to-rest", TR_IMPORT_NUMBER, FIELD(to_rest_s), 0, 10, false, true, "S",
     "end in the rest pose, S seconds after the clip, and stay as long"},
    {"from-lying", TR_IMPORT_NUMBER, FIELD(from_lying_s), 0, 10, false, true, "S",
     "begin lying, arms and legs spread, S seconds before the clip"},
    {"unit", TR_IMPORT_NUMBER, CLIP_FIELD(unit_m), 1e-6, 1e3, false, false, "M",
     "metres per unit of the file (detected)"},
    {"rate", TR_IMPORT_NUMBER, CLIP_FIELD(rate_hz), 1, 1e4, false, false, "HZ",
     "frames per second (the file's; 120 for AMC)"},
    {"up", TR_IMPORT_AXIS, CLIP_FIELD(up), 0, 0, false, false, "X",
     "up axis of the file (detected)"},
    {"left-handed", TR_IMPORT_FLAG, CLIP_FIELD(left_handed), 0, 0, false, false, "",
     "the axes of the file are left-handed, as Unity's"},
    {"stand", TR_IMPORT_RANGE, FIELD(stand), 0, TR_CLIP_FRAME_MAX, false, false, "A-B",
     "calibrate by frames A to B, in which the character stands upright (found)"},
    {"accept", TR_IMPORT_CHECK, FIELD(accepted), 0, 0, false, false, "CHECK",
     "import although this check refuses; may be repeated"},
};
const size_t TR_IMPORT_OPTION_COUNT = sizeof TR_IMPORT_OPTIONS / sizeof *TR_IMPORT_OPTIONS;

static const void *field_of(const tr_import *import, const tr_import_option *option) {
    return (const char *)import + option->offset;
}

/* ---- Setting ---- */

static tr_status expected(const tr_import_option *option, const char *text, const char *what,
                          tr_error *error) {
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s %.40s: expected %s; %s", option->name, text,
                   what, option->help);
}

static tr_status expected_between(const tr_import_option *option, const char *text,
                                  tr_error *error) {
    char what[80];
    snprintf(what, sizeof what, "%s from %g to %g",
             option->kind == TR_IMPORT_COUNT ? "a whole number" : "a number", option->low,
             option->high);
    return expected(option, text, what, error);
}

static bool is_within(const tr_import_option *option, double value) {
    return value >= option->low && value <= option->high &&
           (option->kind != TR_IMPORT_COUNT || value == floor(value));
}

static bool set_axis(const char *text, char *out) {
    bool down = text[0] == '-';
    const char *axis = text + (down || text[0] == '+');
    if (!axis[0] || axis[1] || !strchr("xyz", axis[0]))
        return false;
    *out = down ? (char)(axis[0] - 'a' + 'A') : axis[0];
    return true;
}

static bool set_range(const char *text, tr_frame_range *out) {
    tr_frame_range range;
    int used = 0;
    if (sscanf(text, "%7d-%7d%n", &range.first, &range.last, &used) != 2 || text[used] ||
        range.first < 0 || range.last < range.first)
        return false;
    *out = range;
    return true;
}

tr_status tr_import_set(tr_import *import, const tr_import_option *option, const char *text,
                        tr_error *error) {
    void *target = (char *)import + option->offset;
    double number;
    int check;
    switch (option->kind) {
    case TR_IMPORT_NUMBER:
    case TR_IMPORT_COUNT:
        if (!tr_option_real(text, &number) || !is_within(option, number))
            return expected_between(option, text, error);
        if (option->kind == TR_IMPORT_COUNT)
            *(int *)target = (int)number;
        else
            *(double *)target = number;
        return TR_OK;
    case TR_IMPORT_FLAG:
        *(bool *)target = true;
        return TR_OK;
    case TR_IMPORT_AXIS:
        return set_axis(text, target)
                   ? TR_OK
                   : expected(option, text, "one letter, x, y or z, or -x, -y or -z", error);
    case TR_IMPORT_RANGE:
        return set_range(text, target) ? TR_OK : expected(option, text, "frames A-B", error);
    case TR_IMPORT_CHECK:
        check = tr_check_find(text);
        if (check < 0)
            return expected(option, text, tr_check_names(), error);
        *(unsigned *)target |= 1U << check;
        return TR_OK;
    case TR_IMPORT_NOTHING:
        return TR_OK;
    }
    return TR_INTERNAL;
}

static double number_of(const tr_import *import, const tr_import_option *option) {
    const void *target = field_of(import, option);
    return option->kind == TR_IMPORT_COUNT ? *(const int *)target : *(const double *)target;
}

tr_status tr_import_check_bounds(const tr_import *import, tr_error *error) {
    const tr_import standard = tr_import_default();
    for (size_t i = 0; i < TR_IMPORT_OPTION_COUNT; i++) {
        const tr_import_option *o = &TR_IMPORT_OPTIONS[i];
        if (o->kind != TR_IMPORT_NUMBER && o->kind != TR_IMPORT_COUNT)
            continue;
        double value = number_of(import, o);
        char text[32];
        snprintf(text, sizeof text, "%g", value);
        if (value != number_of(&standard, o) && !is_within(o, value))
            return expected_between(o, text, error);
    }
    return TR_OK;
}

/* ---- The record ---- */

/* The shortest decimal that reads back as the same number. */
static void print_number(double value, char *out, size_t capacity) {
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, capacity, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            return;
    }
}

/* The value of an option as text; empty for those without one. */
static void print_value(const tr_import *import, const tr_import_option *option, char *out,
                        size_t capacity) {
    const void *target = field_of(import, option);
    out[0] = '\0';
    if (option->kind == TR_IMPORT_NUMBER || option->kind == TR_IMPORT_COUNT)
        print_number(number_of(import, option), out, capacity);
    if (option->kind == TR_IMPORT_AXIS) {
        char up = *(const char *)target;
        bool down = up >= 'A' && up <= 'Z';
        snprintf(out, capacity, "%s%c", down ? "-" : "", down ? up - 'A' + 'a' : up);
    }
    if (option->kind == TR_IMPORT_RANGE) {
        const tr_frame_range *range = target;
        snprintf(out, capacity, "%d-%d", range->first, range->last);
    }
}

static bool is_default(const tr_import *import, const tr_import_option *option) {
    static const size_t size[] = {[TR_IMPORT_NUMBER] = sizeof(double),
                                  [TR_IMPORT_COUNT] = sizeof(int),
                                  [TR_IMPORT_FLAG] = sizeof(bool),
                                  [TR_IMPORT_AXIS] = sizeof(char),
                                  [TR_IMPORT_RANGE] = sizeof(tr_frame_range),
                                  [TR_IMPORT_CHECK] = sizeof(unsigned),
                                  [TR_IMPORT_NOTHING] = 0};
    const tr_import standard = tr_import_default();
    return memcmp(field_of(import, option), field_of(&standard, option), size[option->kind]) == 0;
}

const tr_import_option *tr_import_first_given(const tr_import *import, bool planned) {
    for (size_t i = 0; i < TR_IMPORT_OPTION_COUNT; i++)
        if ((!planned || TR_IMPORT_OPTIONS[i].planned) &&
            !is_default(import, &TR_IMPORT_OPTIONS[i]))
            return &TR_IMPORT_OPTIONS[i];
    return NULL;
}

typedef struct record {
    char *out;
    size_t capacity, used;
} record;

static void add_item(record *r, const char *name, const char *value) {
    if (r->used < r->capacity)
        r->used += (size_t)snprintf(r->out + r->used, r->capacity - r->used, "%s%s%s%s",
                                    r->used ? ", " : "", name, *value ? " " : "", value);
}

bool tr_import_print_options(const tr_import *import, char *out, size_t capacity) {
    record r = {.capacity = capacity};
    r.out = out;
    for (size_t i = 0; i < TR_IMPORT_OPTION_COUNT; i++) {
        const tr_import_option *o = &TR_IMPORT_OPTIONS[i];
        char value[ITEM_SIZE];
        if (is_default(import, o) && !o->recorded)
            continue;
        print_value(import, o, value, sizeof value);
        for (int check = 0; o->kind == TR_IMPORT_CHECK && check < TR_CHECK_COUNT; check++)
            if (import->accepted >> check & 1U)
                add_item(&r, o->name, tr_check_name((tr_check)check));
        if (o->kind != TR_IMPORT_CHECK)
            add_item(&r, o->name, value);
    }
    return r.used < capacity;
}

/* Whether an item begins with the option's name, in which old records have spaces for hyphens;
 * *out_value is what follows. */
static bool has_name(const char *item, const tr_import_option *option, const char **out_value) {
    size_t length = strlen(option->name);
    for (size_t i = 0; i < length; i++)
        if (item[i] != option->name[i] && !(option->name[i] == '-' && item[i] == ' '))
            return false;
    if (item[length] && item[length] != ' ')
        return false;
    *out_value = item + length + (item[length] == ' ');
    return true;
}

static tr_status read_item(const char *item, tr_import *out, tr_error *error) {
    const char *value;
    for (size_t i = 0; i < TR_IMPORT_OPTION_COUNT; i++)
        if (has_name(item, &TR_IMPORT_OPTIONS[i], &value))
            return tr_import_set(out, &TR_IMPORT_OPTIONS[i], value, error);
    return tr_fail(error, TR_INVALID_ARGUMENT, "options of an import: '%.40s' is not known", item);
}

tr_status tr_import_read_options(const char *text, tr_import *out, tr_error *error) {
    tr_import import = *out;
    char rest[TR_MOTION_TEXT_MAX], *save = NULL;
    snprintf(rest, sizeof rest, "%s", text);
    import.procedure = TR_IMPORT_PROCEDURE_FIRST;
    tr_status status = TR_OK;
    int count = 0;
    for (char *at = strtok_r(rest, ",", &save); at && !status; at = strtok_r(NULL, ",", &save)) {
        status = read_item(at + strspn(at, " "), &import, error);
        count++;
    }
    if (!status && count == 0)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "options of an import: expected 'import ...'");
    if (!status)
        *out = import;
    return status;
}
