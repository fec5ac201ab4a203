/* The recordings of the daemon, by name. Borrows its entries. */
#pragma once

#include "server/recording/recordings.h"

typedef struct tr_recording_index {
    int count, capacity;
    tr_recording_entry **entry; /* [count], sorted by name; names must not change */
} tr_recording_index;           /* zeroed: empty; its owner frees `entry` */

/* NULL: no recording with this name. */
tr_recording_entry *tr_recording_index_find(const tr_recording_index *index, const char *name);

/* Index of the first entry whose name is after `name`. */
int tr_recording_index_after(const tr_recording_index *index, const char *name);

/* Inserts an entry with a new name. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_recording_index_insert(tr_recording_index *index,
                                    tr_recording_entry *entry) TR_NODISCARD;
void tr_recording_index_take_out(tr_recording_index *index, const tr_recording_entry *entry);
