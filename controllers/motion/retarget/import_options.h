/* The options of an import as one table, used by the command line, by the record in a motion, and
 * by the reader of the record, which imports again. */
#pragma once

#include "motion/retarget/import.h"

#include <stddef.h>

/* The field of an option.
 *   NUMBER  double       COUNT  int         FLAG   bool, set by the option's presence
 *   AXIS    char, of tr_clip_options.up: x, y, z, -x, -y or -z
 *   RANGE   tr_frame_range, "A-B"
 *   CHECK   a bit of `accepted`, by the name of a check; may be given several times
 *   NOTHING  recorded once and without effect */
typedef enum tr_import_kind {
    TR_IMPORT_NUMBER,
    TR_IMPORT_COUNT,
    TR_IMPORT_FLAG,
    TR_IMPORT_AXIS,
    TR_IMPORT_RANGE,
    TR_IMPORT_CHECK,
    TR_IMPORT_NOTHING
} tr_import_kind;

/* An option.
 *   name       on the command line, without dashes, and in a record
 *   offset     of its field in tr_import
 *   low, high  bounds of numbers and counts, both included
 *   recorded   always; otherwise only where it is not the default
 *   planned    a plan chooses it, so that learning from a clip does not take it
 *   value      placeholder of its value in help; NULL: not on the command line
 *   help       one line */
typedef struct tr_import_option {
    const char *name;
    tr_import_kind kind;
    size_t offset;
    double low, high;
    bool recorded, planned;
    const char *value, *help;
} tr_import_option;

extern const tr_import_option TR_IMPORT_OPTIONS[];
extern const size_t TR_IMPORT_OPTION_COUNT;

/* Sets the field of an option from a text. TR_INVALID_ARGUMENT: it does not take this text; the
 * message names the option, the text and what is expected. */
tr_status tr_import_set(tr_import *import, const tr_import_option *option, const char *text,
                        tr_error *error) TR_NODISCARD;

/* The first option that is not the default; `planned`: of those that a plan chooses. NULL: none. */
const tr_import_option *tr_import_first_given(const tr_import *import, bool planned);

/* Whether all numbers are within their bounds. TR_INVALID_ARGUMENT names the first that is not. */
tr_status tr_import_check_bounds(const tr_import *import, tr_error *error) TR_NODISCARD;

/* The options as a motion records them (tr_motion_source.options): "import 2, dt 0.005, frames 160,
 * symmetric, ...". false: they do not fit. */
bool tr_import_print_options(const tr_import *import, char *out, size_t capacity);

/* Sets the options in such a text; options that it does not mention stay, except the procedure,
 * which becomes the first if the text records none. TR_INVALID_ARGUMENT: the text is malformed. */
tr_status tr_import_read_options(const char *text, tr_import *out, tr_error *error) TR_NODISCARD;
