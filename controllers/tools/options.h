/* Values of options that several commands take.
 *
 * `command` is the command's name, for messages. A wrong value is told on stderr, false returned
 * and nothing set. */
#ifndef TROUPE_TOOLS_OPTIONS_H
#define TROUPE_TOOLS_OPTIONS_H

#include "model/model.h"

#include <stdbool.h>

typedef struct tr_option_value {
    const char *command, *option; /* without dashes */
    const char *text;
} tr_option_value;

/* A number from low to high. */
bool tr_option_number(const tr_option_value *value, double low, double high, double *out);

/* A whole number from 1 to high. */
bool tr_option_count(const tr_option_value *value, int high, int *out);

/* NAME=VALUE, taken apart; *out_value points into the text. */
bool tr_option_pair(const tr_option_value *value, char out_name[static TR_NAME_MAX],
                    const char **out_value);

/* Threads when none are asked for: one a processor, as many as a pool has. */
int tr_option_default_threads(void);

#endif
