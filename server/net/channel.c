#include "server/net/channel.h"

#include "server/config/address.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Gives a v4 peer of a v6 socket the name that it has on a v4 socket. */
static void name_peer(tr_channel *channel, const struct sockaddr *address) {
    if (uv_ip_name(address, channel->peer, sizeof channel->peer) != 0)
        snprintf(channel->peer, sizeof channel->peer, "?");
    if (strncmp(channel->peer, "::ffff:", 7) == 0 && strchr(channel->peer, '.'))
        memmove(channel->peer, channel->peer + 7, strlen(channel->peer + 7) + 1);
}

void tr_channel_init(tr_channel *channel, const tr_channel_kind *kind,
                     const struct sockaddr *address) {
    *channel = (tr_channel){.kind = kind, .peer = "?"};
    if (!address)
        return;
    channel->local = tr_sockaddr_is_loopback(address);
    name_peer(channel, address);
}

void tr_channel_listen(tr_channel *channel, const tr_channel_listener *listener, void *context,
                       void *reader) {
    channel->listener = listener;
    channel->context = context;
    channel->reader = reader;
}

tr_status tr_channel_read(tr_channel *channel, bool on) {
    assert(!channel->closing);
    return channel->kind->read(channel, on);
}

tr_status tr_channel_finish(tr_channel *channel) {
    assert(!channel->closing);
    return channel->kind->finish(channel);
}

void tr_channel_close(tr_channel *channel) {
    assert(!channel->closing);
    channel->closing = true;
    channel->kind->close(channel);
}
