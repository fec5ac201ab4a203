/* Text files as they come from editors and exporters of any system: the one reader for all formats.
 *
 * A byte order mark of UTF-8 is skipped. Ctrl-Z and zero bytes at the end, which old systems write, are
 * cut off. Lines that end in CR alone end in LF; CR LF stays, as CR is white space in every format
 * here. UTF-16, UTF-32 and zero bytes elsewhere are refused by their name. */
#pragma once

#include "proto/status.h"

#include <stddef.h>
#include <stdio.h>

/* The text of a file of at most size_max bytes, with a zero byte after it; the caller frees it. A
 * pipe works too. TR_NOT_FOUND: no such file; TR_PERMISSION_DENIED; TR_RESOURCE_EXHAUSTED:
 * larger, or no memory; TR_INVALID_ARGUMENT: not such a text; TR_UNAVAILABLE: it cannot be opened or
 * read. The message begins with `path`. */
tr_status tr_text_file_read(const char *path, size_t size_max, char **out, size_t *out_size,
                            tr_error *error) TR_NODISCARD;

/* All bytes of a file, as they are, and a zero byte: no text is expected. Otherwise the same. */
tr_status tr_bytes_file_read(const char *path, size_t size_max, char **out, size_t *out_size,
                             tr_error *error) TR_NODISCARD;

/* Why a text of settings, "name = value" or "name: value" in groups of braces, is refused, in the words of
 * libconfig, which stopped at `line`, or better ones. Returns TR_INVALID_ARGUMENT. */
tr_status tr_text_refuse_settings(const char *path, const char *text, int line, const char *what,
                                  tr_error *error);

/* A text from an open file; `name` is for messages. */
tr_status tr_text_stream_read(FILE *file, const char *name, size_t size_max, char **out,
                              size_t *out_size, tr_error *error) TR_NODISCARD;

/* The same for a text in memory, in place: text[*size] and a byte of room after it. */
tr_status tr_text_clean(char *text, size_t *size, const char *name, tr_error *error) TR_NODISCARD;
