#include "tools/frame/argument_list.h"

#include <assert.h>
#include <string.h>

static bool has(const tr_argument_list *list, const char *usage) {
    const size_t length = strcspn(usage, " ");
    for (int i = 0; i < list->count; i++)
        if (strcspn(list->usage[i], " ") == length && strncmp(list->usage[i], usage, length) == 0)
            return true;
    return false;
}

void tr_argument_list_add(tr_argument_list *list, const tr_argument *row, const char *option,
                          const char *word) {
    char *usage = list->usage[list->count];
    assert(list->count < TR_ARGUMENT_MAX);
    if (option)
        snprintf(usage, sizeof list->usage[0], "--%s%s%s", option, *word ? " " : "", word);
    else
        snprintf(usage, sizeof list->usage[0], "%s", row->usage);
    if (has(list, usage))
        return;
    list->row[list->count] = *row;
    list->row[list->count++].usage = usage;
}
