/* NPZ files of NumPy: a ZIP archive of arrays (NAME.npy), stored or deflated.
 *
 * Arrays of little-endian float32 or float64 in C order, of at most four dimensions, become
 * doubles; with `mixed` also integers, and what else the archive holds is left out (pickled objects are
 * never read). One member that is not an array is kept as text: policy.json, the description of a
 * policy. Reading trusts nothing and takes no more memory than the caps below. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { TR_NPZ_ARRAY_MAX = 64, TR_NPZ_NAME_MAX = 64, TR_NPZ_DIMENSION_MAX = 4 };
#define TR_NPZ_SIZE_MAX ((size_t)1 << 26) /* bytes of a member, and doubles of all arrays times 8 */

/* value: [size], owned */
typedef struct tr_npz_array {
    char name[TR_NPZ_NAME_MAX];
    int dimensions;
    size_t shape[TR_NPZ_DIMENSION_MAX], size;
    double *value;
} tr_npz_array;

/* description: terminated, or NULL: no such member; owned */
typedef struct tr_npz {
    int count;
    tr_npz_array array[TR_NPZ_ARRAY_MAX];
    char *description;
} tr_npz;

/* A file in memory. name: for messages. mixed: above */
typedef struct tr_npz_file {
    const void *data;
    size_t size;
    const char *name;
    bool mixed;
} tr_npz_file;

/* TR_INVALID_ARGUMENT: not such a file; the message names the array.
 * TR_RESOURCE_EXHAUSTED: past a cap. */
tr_status tr_npz_parse(const tr_npz_file *file, tr_npz *out, tr_error *error) TR_NODISCARD;
void tr_npz_deinit(tr_npz *npz); /* of zeros is fine */

/* NULL: no such array. */
const tr_npz_array *tr_npz_find(const tr_npz *npz, const char *name);

/* "64 x 3", for messages. Returns `out`. */
enum { TR_NPZ_SHAPE_TEXT_MAX = 100 };
const char *tr_npz_shape_text(const tr_npz_array *array, char out[static TR_NPZ_SHAPE_TEXT_MAX]);
