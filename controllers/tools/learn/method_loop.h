/* The loop that runs a work of any method: prints its rows and the time left, keeps its log and
 * its checkpoint, and ends early when the time is up or the user presses Ctrl-C. */
#pragma once

#include "learn/method/work_file.h"
#include "tools/learn/method_log.h"

/* How it runs.
 *   bond        what a checkpoint belongs to; needed with checkpoint
 *   checkpoint  written after each row that can be continued; NULL: none
 *   core_s      processor time; no row after the first begins that would go beyond it if it takes as long
 *               as the last; 0: no limit
 *   last        iteration after which it ends
 *   on_better   called when a row gives a new best controller; on_preview: when a preview can be made;
 *               either may be NULL */
typedef struct tr_method_loop {
    const tr_method *method;
    void *work;
    const tr_model *model;
    tr_method_log *log;
    const tr_work_bond *bond;
    const char *checkpoint;
    double core_s;
    int64_t last;
    tr_status (*on_better)(void *context, tr_error *error);
    tr_status (*on_preview)(void *context, tr_error *error);
    void *context;
} tr_method_loop;

typedef enum tr_method_end {
    TR_METHOD_DONE,
    TR_METHOD_TIME_UP,
    TR_METHOD_STOPPED /* by Ctrl-C */
} tr_method_end;

/* For tr_method_def. */
void tr_method_say(const char *line);

/* Did Ctrl-C end the loop that ran last? */
bool tr_method_loop_was_stopped(void);

tr_status tr_method_loop_run(const tr_method_loop *loop, tr_method_end *out_end,
                             tr_error *error) TR_NODISCARD;
