#include "server/web/places.h"

#include <stddef.h>

void tr_web_places_init(tr_web_places *places, int max) {
    const int probes = max / 5;
    *places =
        (tr_web_places){.max = {[TR_WEB_PLACE_PAGE] = max - probes, [TR_WEB_PLACE_PROBE] = probes}};
    places->end = &places->first;
}

void tr_web_places_join(tr_web_places *places, tr_web_place *place) {
    place->next = NULL;
    place->link = places->end;
    *places->end = place;
    places->end = &place->next;
    places->count[place->kind]++;
}

void tr_web_places_leave(tr_web_places *places, tr_web_place *place) {
    *place->link = place->next;
    if (place->next)
        place->next->link = place->link;
    else
        places->end = place->link;
    places->count[place->kind]--;
}

static int pages_of(const tr_web_places *places, uint64_t address) {
    int count = 0;
    for (const tr_web_place *at = places->first; at; at = at->next)
        count += at->kind == TR_WEB_PLACE_PAGE && at->address == address;
    return count;
}

/* The first of this kind in this phase; `address` 0: of any address. */
static tr_web_place *first_in(const tr_web_places *places, tr_web_place_kind kind,
                              tr_web_phase phase, uint64_t address) {
    tr_web_place *at = places->first;
    while (at && (at->kind != kind || at->phase != phase || (address && at->address != address)))
        at = at->next;
    return at;
}

static tr_web_place *find_idle(const tr_web_places *places, tr_web_place_kind kind,
                               uint64_t address) {
    tr_web_place *leaving = first_in(places, kind, TR_WEB_LEAVING, address);
    return leaving ? leaving : first_in(places, kind, TR_WEB_ASKING, address);
}

/* The page that has read nothing for longest, if that is too long. */
static tr_web_place *find_unread(const tr_web_places *places, uint64_t newcomer, bool same_address,
                                 uint64_t now_ms) {
    const int own = pages_of(places, newcomer);
    tr_web_place *found = NULL;
    for (tr_web_place *at = places->first; at; at = at->next) {
        if (at->kind != TR_WEB_PLACE_PAGE || at->phase != TR_WEB_ANSWERED ||
            (same_address && at->address != newcomer) || (found && found->read_ms <= at->read_ms))
            continue;
        bool unfair = at->address != newcomer && pages_of(places, at->address) > own + 1;
        uint64_t patience_ms = unfair ? TR_WEB_UNFAIR_UNREAD_MS : TR_WEB_UNREAD_MS;
        if (now_ms - at->read_ms >= patience_ms)
            found = at;
    }
    return found;
}

static bool find_page(const tr_web_places *places, uint64_t address, uint64_t now_ms,
                      tr_web_place **out_leaves) {
    const int max = places->max[TR_WEB_PLACE_PAGE];
    const bool crowded = pages_of(places, address) >= max - max / 4;
    if (!crowded && places->count[TR_WEB_PLACE_PAGE] < max)
        return true;
    *out_leaves = find_idle(places, TR_WEB_PLACE_PAGE, crowded ? address : 0);
    if (!*out_leaves)
        *out_leaves = find_unread(places, address, crowded, now_ms);
    return *out_leaves;
}

bool tr_web_places_find(const tr_web_places *places, uint64_t address, uint64_t now_ms,
                        tr_web_place_kind *out_kind, tr_web_place **out_leaves) {
    *out_leaves = NULL;
    *out_kind = TR_WEB_PLACE_PAGE;
    if (find_page(places, address, now_ms, out_leaves))
        return true;
    *out_kind = TR_WEB_PLACE_PROBE;
    if (places->count[TR_WEB_PLACE_PROBE] < places->max[TR_WEB_PLACE_PROBE])
        return true;
    *out_leaves = find_idle(places, TR_WEB_PLACE_PROBE, 0);
    return *out_leaves;
}
