/* Names: short texts of fixed room, as models, controllers and worlds have them. */
#ifndef TROUPE_SERVER_NAME_H
#define TROUPE_SERVER_NAME_H

#include "model/model.h"

#include <string.h>

/* Copies `text`, cut to TR_NAME_MAX - 1 bytes, and terminates it. */
static inline void tr_name_set(char name[TR_NAME_MAX], const char *text) {
    size_t size = strnlen(text, TR_NAME_MAX - 1);
    memcpy(name, text, size);
    name[size] = '\0';
}

#endif
