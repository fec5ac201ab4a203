/* A process of a training: it runs at a low priority (nice 10), its lines are read, and it ends
 * with the daemon, however that ends.
 *
 * The process is given TROUPE_PARENT, the daemon's process id: `troupe-train` then asks the system
 * to kill it when that process ends. For the event loop's thread only. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

typedef struct tr_training_process tr_training_process;

enum { TR_TRAINING_LINE_MAX = 1024 }; /* bytes with the terminator; longer lines are cut */

typedef struct tr_training_process_def {
    uv_loop_t *loop;
    const char *program, *folder; /* it runs in the folder */
    char *const *arguments;       /* ends with NULL; the first is the program's name */
    void (*line)(void *context, const char *text, bool of_errors);

    /* It has ended, and all of its lines were handed over. Called once, never after a kill; the
     * process may not be used any more. */
    void (*ended)(void *context, int64_t exit_status, int signal);
    void *context;
} tr_training_process_def;

/* Starts it, never through a shell. TR_UNAVAILABLE: the system cannot; `error` says why. */
tr_status tr_training_process_start(const tr_training_process_def *def, tr_training_process **out,
                                    tr_error *error) TR_NODISCARD;

/* Sends SIGINT: `troupe-train learn` ends after its round; at the second it ends immediately. */
void tr_training_process_interrupt(tr_training_process *process);

/* Kills it, without any further call; the loop frees the rest. NULL is allowed. */
void tr_training_process_kill(tr_training_process *process);
