/* Arguments of a command that other tables list: its rows are made before they are used. */
#pragma once

#include "proto/argument.h"

enum { TR_ARGUMENT_USAGE_MAX = 48 };

/* Zeros begin it; it ends with a NULL usage. */
typedef struct tr_argument_list {
    tr_argument row[TR_ARGUMENT_MAX + 1];
    char usage[TR_ARGUMENT_MAX][TR_ARGUMENT_USAGE_MAX];
    int count;
} tr_argument_list;

/* Adds a row, as "--option WORD"; option NULL: its own usage. An option that is there already stays the
 * only one. */
void tr_argument_list_add(tr_argument_list *list, const tr_argument *row, const char *option,
                          const char *word);
