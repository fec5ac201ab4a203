/* Entries of a catalogue by what people call them, whatever they are: to find, to tell what depends
 * on them, and to forget.
 *
 * See catalogue.h for threading, statuses and errors. */
#pragma once

#include "db/store/catalogue.h"
#include "model/model.h"

enum { TR_ENTRY_NAME_MAX = 80, TR_ENTRY_DEPENDENTS_MAX = 32 };

typedef struct tr_entry {
    tr_noun kind;
    tr_row_id id;
    char name[TR_ENTRY_NAME_MAX]; /* of a fragment: its digest */
} tr_entry;

/* text: "NAME", or "KIND:NAME", which finds certificates (the last of a controller) and fragments (by the
 * beginning of a digest, 8 to 64 hexadecimal digits) too. TR_NOT_FOUND;
 * TR_INVALID_ARGUMENT: no such kind, or several entries have this name. */
tr_status tr_entries_find(tr_catalogue *catalogue, const char *text, tr_entry *out,
                          tr_error *error) TR_NODISCARD;

/* What refers to the entry and would not be whole without it: runs that continued a run, controllers
 * made of a clip, matches that run and may name a controller. *count: room in out; then those written,
 * controllers first, in the order of kinds and names. */
tr_status tr_entries_dependents(tr_catalogue *catalogue, const tr_entry *entry, tr_entry *out,
                                int *count, tr_error *error) TR_NODISCARD;

/* Removes the entry and what belongs to it: a controller's certificates and the fragments that no
 * other controller holds, a run's metrics, a match's bouts. TR_FAILED_PRECONDITION: something depends
 * on it, which the message names. */
tr_status tr_entries_forget(tr_catalogue *catalogue, const tr_entry *entry,
                            tr_error *error) TR_NODISCARD;
