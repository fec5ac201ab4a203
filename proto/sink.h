/* Sinks: the one way in which programs write files for their users, and end standard output.
 *
 * A plain file is written beside its place and renamed when it is whole, so that a reader finds the
 * old file or the new one. A symbolic link stays: the file that it names is replaced. Devices,
 * pipes and files with several names are written through. "-" and /dev/stdout are standard output;
 * what the program prints later then goes to standard error, so that the pipe holds the file
 * alone. Every failure to write is an error. Not for several threads at one path. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TR_SINK_PATH_MAX = 4096 };

typedef struct tr_sink {
    FILE *file;                    /* to write to */
    char shown[256];               /* the path, for messages */
    char place[TR_SINK_PATH_MAX];  /* what is replaced; "": written through */
    char beside[TR_SINK_PATH_MAX]; /* the file that replaces it */
} tr_sink;

/* TR_INVALID_ARGUMENT: a path that is empty or too long; TR_NOT_FOUND: its folder does not exist;
 * TR_PERMISSION_DENIED, TR_UNAVAILABLE: it cannot be written. */
tr_status tr_sink_open(tr_sink *sink, const char *path, tr_error *error) TR_NODISCARD;

/* Brings the file to its place. With a failure in `so_far` the old file stays, and that status is
 * returned. TR_UNAVAILABLE: not all could be written. */
tr_status tr_sink_close(tr_sink *sink, tr_status so_far, tr_error *error) TR_NODISCARD;

/* Opens, writes data[size] and closes. */
tr_status tr_sink_write(const char *path, const void *data, size_t size,
                        tr_error *error) TR_NODISCARD;

/* Renames `partial`, which is complete and on disk, to `path` and syncs the folder: opening `path`
 * finds the complete old file or the complete new one. False: errno says why. */
bool tr_file_replace(const char *partial, const char *path) TR_NODISCARD;

/* The exit status of a program whose standard output cannot be written. */
enum { TR_EXIT_OUTPUT = 5 };

/* Flushes standard output. TR_UNAVAILABLE: not all that was printed could be written. */
tr_status tr_standard_output_flush(tr_error *error) TR_NODISCARD;

/* What main returns: `code`, or, if that is 0 and standard output could not be written, TR_EXIT_OUTPUT
 * after a message on standard error. */
int tr_standard_output_end(const char *program, int code);
