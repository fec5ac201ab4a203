/* The recordings that are there, by name. Holds what it is given and owns none of it. */
#ifndef TROUPE_SERVER_RECORDING_INDEX_H
#define TROUPE_SERVER_RECORDING_INDEX_H

#include "server/recording/recordings.h"

typedef struct tr_recording_index {
    int count, capacity;
    tr_recording_entry **entry; /* [count], names rising; a name is not changed while it is here */
} tr_recording_index;           /* zeroed: empty */

void tr_recording_index_deinit(tr_recording_index *index);

/* NULL: none of this name. */
tr_recording_entry *tr_recording_index_find(const tr_recording_index *index, const char *name);

/* Place of the first whose name comes after `name`. */
int tr_recording_index_after(const tr_recording_index *index, const char *name);

/* Of a name that is not there. TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_recording_index_insert(tr_recording_index *index,
                                    tr_recording_entry *entry) TR_NODISCARD;
void tr_recording_index_take_out(tr_recording_index *index, const tr_recording_entry *entry);

#endif
