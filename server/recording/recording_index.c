#include "server/recording/recording_index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Index of the first entry whose name is not before `name`; *out_found: it has this name. */
static int lower_bound(const tr_recording_index *index, const char *name, bool *out_found) {
    int low = 0, high = index->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(index->entry[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *out_found = low < index->count && strcmp(index->entry[low]->name, name) == 0;
    return low;
}

tr_recording_entry *tr_recording_index_find(const tr_recording_index *index, const char *name) {
    bool found = false;
    int at = lower_bound(index, name, &found);
    return found ? index->entry[at] : NULL;
}

int tr_recording_index_after(const tr_recording_index *index, const char *name) {
    bool found = false;
    int at = lower_bound(index, name, &found);
    return found ? at + 1 : at;
}

tr_status tr_recording_index_insert(tr_recording_index *index, tr_recording_entry *entry) {
    bool found = false;
    if (index->count == index->capacity) {
        int capacity = index->capacity == 0 ? 64 : 2 * index->capacity;
        tr_recording_entry **grown =
            realloc(index->entry, (size_t)capacity * sizeof(tr_recording_entry *));
        if (!grown)
            return TR_RESOURCE_EXHAUSTED;
        index->entry = grown;
        index->capacity = capacity;
    }
    int at = lower_bound(index, entry->name, &found);
    assert(!found);
    memmove(&index->entry[at + 1], &index->entry[at],
            (size_t)(index->count - at) * sizeof(tr_recording_entry *));
    index->entry[at] = entry;
    index->count++;
    return TR_OK;
}

void tr_recording_index_take_out(tr_recording_index *index, const tr_recording_entry *entry) {
    bool found = false;
    int at = lower_bound(index, entry->name, &found);
    assert(found);
    index->count--;
    memmove(&index->entry[at], &index->entry[at + 1],
            (size_t)(index->count - at) * sizeof(tr_recording_entry *));
}
