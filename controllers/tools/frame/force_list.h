/* Forces to measure at, as commands take them after --push. */
#pragma once

#include "proto/option.h"

enum { TR_FORCE_LIST_MAX = 100 };

typedef struct tr_force_list {
    int count;
    double force_n[TR_FORCE_LIST_MAX];
} tr_force_list;

/* Numbers between commas, or FROM:TO:STEP, none below zero. false: neither, or more than
 * TR_FORCE_LIST_MAX. */
bool tr_force_list_read(const char *text, tr_force_list *out);

/* A TR_OPTION_CALL whose context is a tr_force_list: as tr_force_list_read, in N. TR_INVALID_ARGUMENT: neither, or more than TR_FORCE_LIST_MAX. */
tr_status tr_force_list_take(void *list, const tr_option_value *value,
                             tr_error *error) TR_NODISCARD;
