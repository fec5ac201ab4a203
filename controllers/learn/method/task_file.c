#include "learn/method/task_file.h"

#include "learn/method/whole_file.h"
#include "proto/text_file.h"

#include <stdlib.h>

enum { FILE_BYTES_MAX = 1 << 16 };

tr_status tr_task_file_read(const tr_parameter_table *table, void *values, const char *path,
                            tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_whole_file_read(path, 0, FILE_BYTES_MAX, &text, &size, error);
    if (!status)
        status = tr_text_clean(text, &size, path, error);
    if (!status)
        status = tr_parameter_read(table, values, path, text, error);
    free(text);
    return status;
}
