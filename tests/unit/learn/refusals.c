#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/learn/refusals.h"

#include "learn/method/whole_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct subject {
    const char *path;
    void *training;
    tr_status (*load)(void *training, const char *path, tr_error *error);
} subject;

static void expect(const subject *s, const char *data, size_t size, tr_status expected,
                   const char *text) {
    tr_error error = {0};
    assert_int_equal(tr_whole_file_write(s->path, data, size, &error), TR_OK);
    tr_status status = s->load(s->training, s->path, &error);
    if (status != expected || !strstr(error.message, text))
        fail_msg("%s: expected %s and '%s'", error.message, tr_status_name(expected), text);
}

/* Changes one byte before the seal, which is made to fit again. */
static char *changed(const char *data, size_t size, size_t at) {
    char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    copy[at]--;
    tr_block_seal(copy, copy + size - TR_SEAL_SIZE);
    return copy;
}

void refusals_check(const char *path, void *training,
                    tr_status (*load)(void *training, const char *path, tr_error *error)) {
    enum { MAGIC = 0, VERSION = 8, FIRST_SIZE = 12 };
    const subject s = {path, training, load};
    tr_error error = {0};
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(tr_whole_file_read(path, 1, (size_t)1 << 30, &data, &size, &error), TR_OK);
    char *foreign = changed(data, size, MAGIC), *older = changed(data, size, VERSION),
         *other = changed(data, size, FIRST_SIZE), *damaged = changed(data, size, size / 2);
    memcpy(damaged + size - TR_SEAL_SIZE, data + size - TR_SEAL_SIZE, TR_SEAL_SIZE);
    expect(&s, foreign, size, TR_DATA_LOSS, "or cut short");
    expect(&s, data, size - 1, TR_DATA_LOSS, "or cut short");
    expect(&s, data, 40, TR_DATA_LOSS, "expected");
    expect(&s, damaged, size, TR_DATA_LOSS, "its checksum is wrong");
    expect(&s, older, size, TR_FAILED_PRECONDITION, "written by another build");
    expect(&s, other, size, TR_FAILED_PRECONDITION, "written by another build");
    assert_int_equal(tr_whole_file_write(path, data, size, &error), TR_OK);
    free(data);
    free(foreign);
    free(older);
    free(other);
    free(damaged);
}
