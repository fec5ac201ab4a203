#include "learn/rehearsal/names.h"

#include <string.h>

bool tr_names_next(const char **names, char out[static TR_NAME_MAX]) {
    size_t length = strcspn(*names, ",");
    if (**names == 0)
        return false;
    memset(out, 0, TR_NAME_MAX);
    memcpy(out, *names, length < TR_NAME_MAX ? length : TR_NAME_MAX - 1);
    *names += length + ((*names)[length] == ',');
    return true;
}

bool tr_names_have(const char *names, const char *name) {
    char one[TR_NAME_MAX];
    while (tr_names_next(&names, one))
        if (strcmp(one, name) == 0)
            return true;
    return false;
}
