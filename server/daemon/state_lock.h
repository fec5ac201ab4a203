/* One daemon per state directory: a lock file in it (flock), held as long as the process exists,
 * and released however it ends. The file contains the holder's process id. */
#pragma once

#include "proto/status.h"

/* Takes the lock of `folder`; *out is for tr_state_lock_release. TR_FAILED_PRECONDITION: another
 * process, named in the message, holds it; TR_PERMISSION_DENIED: the file cannot be written. */
tr_status tr_state_lock_take(const char *folder, int *out, tr_error *error) TR_NODISCARD;

void tr_state_lock_release(int lock); /* -1: none */
