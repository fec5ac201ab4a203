/* Views: the client's plain structs as JSON, by a walk over their mappings and the descriptors of
 * their messages.
 *
 *     json_t *object = tr_view(&tr_client_clip_mapping, clip,
 *                              "name frames=frame_count cyclic skeleton licence");
 *
 * A view is words: FIELD is shown under its own name, KEY=FIELD under another key. FIELD is the
 * message's name of it and may lead into a message: "mean_ticks=ticks.mean". "A,B" is a list of
 * two fields. "?WORD" leaves out a zero, an empty text or an empty list. "#KEY" is the row's index.
 * Types follow from the mapping and the descriptor: hashes (fixed64) are 16 hexadecimal digits,
 * enums their names ("real-time"), statuses "NOT_FOUND", times (..._unix_ns, ..._unix_s) dates or
 * null, vectors and arrays lists. "bodies{name mass_kg}" is a list of objects of the messages in
 * it.
 *
 * The caller owns the results; it may set a key again (json_object_set), which keeps its place.
 * Without memory results are incomplete, or NULL.
 *
 * A word without such a field is an error of the program: it asserts. */
#pragma once

#include "client/c/reply.h"

#include <jansson.h>

/* A new object with the keys of the view, in their order. from: a struct of the mapping. */
json_t *tr_view(const tr_mapping *mapping, const void *from, const char *words);

/* Adds them to an object. */
void tr_view_add(json_t *object, const tr_mapping *mapping, const void *from, const char *words);

/* A new array of such objects. rows: [count] structs; NULL if there are none. */
json_t *tr_view_rows(const tr_mapping *mapping, const void *rows, int count, const char *words);

/* [count] floats as an array of numbers. */
json_t *tr_view_floats(const float *values, size_t count);

/* The value that has the given name, as views show it: "real-time". False: no value has it; *out
 * keeps its value. */
bool tr_view_find_choice(const ProtobufCEnumDescriptor *choices, const char *name, unsigned *out);
