/* Port files: the number of a port that the system chose, for programs that wait for it. */
#pragma once

#include "proto/status.h"

/* path: of a file that was written; NULL: none */
typedef struct tr_port_file {
    const char *path;
} tr_port_file;

/* Writes the file as proto/sink.h does: a reader that waits for it never sees half a number. path: kept; "":
 * no file. option: that names the file, for the message. TR_PERMISSION_DENIED: it cannot be written. */
tr_status tr_port_file_write(tr_port_file *file, const char *option, const char *path, int port,
                             tr_error *error) TR_NODISCARD;

/* Removes the file, but no device, pipe or link that was written through. */
void tr_port_file_remove(const tr_port_file *file);
