#include "server/match/spectators.h"

static void forget_gone(tr_spectators *s, const tr_clients *clients) {
    int kept = 0;
    for (int i = 0; i < s->count; i++)
        if (clients->is_connected(clients->context, s->session[i]))
            s->session[kept++] = s->session[i];
    s->count = kept;
}

static int find(const tr_spectators *s, uint64_t session) {
    for (int i = 0; i < s->count; i++)
        if (s->session[i] == session)
            return i;
    return -1;
}

tr_status tr_spectators_add(tr_spectators *s, const tr_clients *clients, uint64_t session) {
    forget_gone(s, clients);
    if (find(s, session) >= 0)
        return TR_OK;
    if (s->count == TR_MATCH_WATCHERS_MAX)
        return TR_RESOURCE_EXHAUSTED;
    s->session[s->count++] = session;
    return TR_OK;
}

bool tr_spectators_remove(tr_spectators *s, uint64_t session) {
    int index = find(s, session);
    if (index < 0)
        return false;
    s->session[index] = s->session[--s->count];
    return true;
}

void tr_spectators_tell(tr_spectators *s, const tr_clients *clients, tr_packet *packet,
                        bool must_arrive) {
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        if (!clients->is_connected(clients->context, s->session[i]))
            continue;
        clients->notify(clients->context, s->session[i], packet, must_arrive);
        s->session[kept++] = s->session[i];
    }
    s->count = kept;
}
