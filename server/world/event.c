#include "server/world/event.h"

#include <stdlib.h>

static bool grow(tr_event_list *list) {
    int capacity = list->capacity == 0 ? 64 : list->capacity * 2;
    if (capacity > TR_EVENT_LIST_MAX)
        return false;
    tr_event *event = realloc(list->event, (size_t)capacity * sizeof *event);
    if (!event)
        return false;
    list->event = event;
    list->capacity = capacity;
    return true;
}

void tr_event_list_add(tr_event_list *list, const tr_event *event) {
    if (list->count == list->capacity && !grow(list)) {
        list->dropped++;
        free(event->command);
        return;
    }
    list->event[list->count++] = *event;
}

void tr_event_list_cut(tr_event_list *list, int count) {
    for (int i = count; i < list->count; i++)
        free(list->event[i].command);
    list->count = count;
}

void tr_event_list_clear(tr_event_list *list) {
    tr_event_list_cut(list, 0);
    list->dropped = 0;
}

void tr_event_list_deinit(tr_event_list *list) {
    tr_event_list_clear(list);
    free(list->event);
    *list = (tr_event_list){0};
}
