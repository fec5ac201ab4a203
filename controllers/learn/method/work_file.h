/* Checkpoints: a work on disk, so that it continues after an interruption.
 *
 * A checkpoint is written whole and sealed (whole_file.h). It belongs to one method, model, run,
 * inputs and settings; with any others it is refused. A work that continues from a checkpoint computes
 * the same as one that was never interrupted. */
#pragma once

#include "learn/method/method.h"

enum { TR_WORK_SETTINGS_MAX = 8192 };

/* The training that a checkpoint belongs to. settings: lines "name = value"; given: hash of the
 * inputs */
typedef struct tr_work_bond {
    char method[TR_NAME_MAX], run[TR_NAME_MAX];
    uint64_t model, given;
    char settings[TR_WORK_SETTINGS_MAX];
} tr_work_bond;

/* Fills in method, settings and the hashes. TR_OUT_OF_RANGE: the settings do not fit. */
tr_status tr_work_bond_of(const tr_method *method, const tr_method_def *def, const char *run,
                          tr_work_bond *out, tr_error *error) TR_NODISCARD;

/* Lists further blocks, which the caller of the loop keeps, behind those of the method. */
typedef void (*tr_work_more)(void *context, tr_blocks *blocks);

typedef struct tr_work_file {
    const tr_method *method;
    void *work;
    const tr_work_bond *bond;
    tr_work_more more; /* NULL: none */
    void *context;
} tr_work_file;

tr_status tr_work_file_save(const tr_work_file *checkpoint, const char *path,
                            tr_error *error) TR_NODISCARD;

/* Loads into a work just created with the same definition. TR_NOT_FOUND: no such file.
 * TR_FAILED_PRECONDITION: of another build, method, model, inputs or settings, which the message
 * names; TR_INVALID_ARGUMENT: of another run; TR_DATA_LOSS: damaged. After a failure the work may
 * be destroyed only. */
tr_status tr_work_file_load(const tr_work_file *checkpoint, const char *path,
                            tr_error *error) TR_NODISCARD;

/* Begins the content with the mark of a checkpoint? */
bool tr_work_file_is(const char *content, size_t size);

/* Loads the blocks of a checkpoint in memory, whatever training it belongs to, into a work that
 * lists them; for methods that begin with what another training found. */
tr_status tr_work_file_take(void (*list)(void *work, tr_blocks *blocks), void *work,
                            const char *content, size_t size, const char *name,
                            tr_error *error) TR_NODISCARD;
