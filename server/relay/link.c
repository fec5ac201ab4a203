#include "server/relay/link.h"

#include <stdlib.h>

static void on_closed(void *context) {
    tr_link *link = context;
    tr_links *links = link->links;
    for (int i = 0; i < links->count; i++)
        if (links->link[i] == link)
            links->link[i] = NULL;
    free(link);
    if (--links->open_count == 0)
        links->closed(links->context);
}

static tr_link *add_link(tr_links *links) {
    tr_link *link = links->count < TR_LINKS_MAX ? calloc(1, sizeof *link) : NULL;
    if (!link)
        return NULL;
    tr_upstream_def def = links->def;
    link->links = links;
    def.context = link;
    def.closed = on_closed;
    if (tr_upstream_open(&def, &link->upstream)) {
        free(link);
        return NULL;
    }
    links->link[links->count++] = link;
    links->open_count++;
    return link;
}

tr_status tr_links_open(tr_links *links) {
    return add_link(links) ? TR_OK : TR_RESOURCE_EXHAUSTED;
}

void tr_links_close(tr_links *links) {
    links->closing = true;
    if (links->open_count == 0)
        links->closed(links->context);
    for (int i = 0; i < links->count; i++)
        tr_upstream_close(links->link[i]->upstream);
}

/* A free place for this world; NULL: it is there already, or all are taken. */
static uint32_t *place_for(tr_link *link, uint32_t world) {
    uint32_t *place = NULL;
    for (int i = 0; i < TR_SUBSCRIPTIONS_MAX; i++) {
        if (link->world[i] == world)
            return NULL;
        if (link->world[i] == 0)
            place = &link->world[i];
    }
    return place;
}

tr_link *tr_links_take(tr_links *links, uint32_t world) {
    uint32_t *place = NULL;
    tr_link *link = NULL;
    for (int i = 0; i < links->count && !place && !links->closing; i++) {
        link = links->link[i];
        place = place_for(link, world);
    }
    if (!place && !links->closing) {
        link = add_link(links);
        place = link ? place_for(link, world) : NULL;
    }
    if (!place)
        return NULL;
    *place = world;
    return link;
}

void tr_link_give_back(tr_link *link, uint32_t world) {
    for (int i = 0; i < TR_SUBSCRIPTIONS_MAX; i++)
        if (link->world[i] == world)
            link->world[i] = 0;
}
