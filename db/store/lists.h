/* Lists: the rows that belong to a row of a noun, in the order of their keys. Inside db/ only. */
#pragma once

#include "db/store/columns.h"

/* [count] structs of a table with an owner. */
typedef struct tr_row_list {
    const tr_table *table;
    void *rows;
    int count;
} tr_row_list;

/* lists: [n] in each call. Frees the rows of those that sort or load has made; they may be zeros. */
void tr_lists_deinit(tr_row_list *lists, int n);

/* Copies lists in the order of their keys. TR_INVALID_ARGUMENT: too many rows, one that its table refuses, or
 * two with the same key. The caller deinitialises `out`, also after a failure. */
tr_status tr_lists_sort(const tr_row_list *lists, int n, tr_row_list *out,
                        tr_error *error) TR_NODISCARD;

/* Reads the rows of an owner into `lists`, whose tables are set. TR_DATA_LOSS: too many, or one that its
 * table refuses. The caller deinitialises them, also after a failure. */
tr_status tr_lists_load(tr_catalogue *catalogue, tr_row_list *lists, int n, tr_row_id owner,
                        tr_error *error) TR_NODISCARD;

tr_status tr_lists_insert(tr_catalogue *catalogue, const tr_row_list *lists, int n, tr_row_id owner,
                          tr_error *error) TR_NODISCARD;

/* Adds the number of rows and their content. */
void tr_lists_digest(tr_catalogue *catalogue, const tr_row_list *lists, int n,
                     tr_digest_writer *writer, tr_error *error);
