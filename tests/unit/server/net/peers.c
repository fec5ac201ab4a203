/* How many connections an address may have. */
#include "cmocka_test.h"

#include "server/net/peers.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 3 };

/* A connection, and where it is counted. */
typedef struct connection {
    tr_channel channel;
    tr_peer *peer;
} connection;

FIXTURE(set_up) {
    static tr_peers peers;
    peers = (tr_peers){.limit = LIMIT};
    *given = &peers;
}

static tr_status join(tr_peers *peers, connection *c, const char *address) {
    struct sockaddr_storage socket = {0};
    if (uv_ip4_addr(address, 1, (struct sockaddr_in *)&socket) != 0)
        assert_int_equal(uv_ip6_addr(address, 1, (struct sockaddr_in6 *)&socket), 0);
    tr_channel_init(&c->channel, NULL, (const struct sockaddr *)&socket);
    return tr_peers_join(peers, &c->channel, &c->peer);
}

static void leave(tr_peers *peers, const connection *c) {
    tr_peers_leave(peers, c->peer, &c->channel);
}

TEST(test_connections_are_admitted_then_refused_then_closed) {
    tr_peers *peers = *given;
    connection c[LIMIT + TR_PEERS_CROWDED_MAX + 1], other;
    for (int i = 0; i < LIMIT + TR_PEERS_CROWDED_MAX; i++) {
        assert_int_equal(join(peers, &c[i], "192.0.2.1"), TR_OK);
        assert_int_equal(c[i].channel.crowded, i >= LIMIT);
    }
    assert_int_equal(join(peers, &c[LIMIT + TR_PEERS_CROWDED_MAX], "192.0.2.1"),
                     TR_RESOURCE_EXHAUSTED);
    assert_int_equal(join(peers, &other, "192.0.2.2"), TR_OK);
    assert_false(other.channel.crowded);
    assert_int_equal(peers->refused, TR_PEERS_CROWDED_MAX + 1);
    for (int i = 0; i < LIMIT + TR_PEERS_CROWDED_MAX; i++)
        leave(peers, &c[i]);
    leave(peers, &other);
}

/* Connections that wait for their refusal take no place of an admitted one. */
TEST(test_there_is_room_as_soon_as_one_leaves) {
    tr_peers *peers = *given;
    connection c[LIMIT], told, next;
    for (int i = 0; i < LIMIT; i++)
        assert_int_equal(join(peers, &c[i], "192.0.2.1"), TR_OK);
    assert_int_equal(join(peers, &told, "192.0.2.1"), TR_OK);
    assert_true(told.channel.crowded);
    leave(peers, &c[0]);
    assert_int_equal(join(peers, &next, "192.0.2.1"), TR_OK);
    assert_false(next.channel.crowded);
    leave(peers, &told);
    leave(peers, &next);
    for (int i = 1; i < LIMIT; i++)
        leave(peers, &c[i]);
}

TEST(test_a_network_of_version_6_is_one_address) {
    tr_peers *peers = *given;
    connection c[LIMIT + 1], other;
    for (int i = 0; i <= LIMIT; i++) {
        char address[32];
        snprintf(address, sizeof address, "2001:db8::%x", i + 1);
        assert_int_equal(join(peers, &c[i], address), TR_OK);
        assert_int_equal(c[i].channel.crowded, i == LIMIT);
    }
    assert_int_equal(join(peers, &other, "2001:db8:0:1::1"), TR_OK);
    assert_false(other.channel.crowded);
    leave(peers, &other);
    for (int i = 0; i <= LIMIT; i++)
        leave(peers, &c[i]);
}

TEST(test_an_address_of_version_4_is_the_same_on_both) {
    tr_peers *peers = *given;
    connection c[LIMIT + 1];
    for (int i = 0; i <= LIMIT; i++)
        assert_int_equal(join(peers, &c[i], i % 2 == 0 ? "192.0.2.1" : "::ffff:192.0.2.1"), TR_OK);
    assert_true(c[LIMIT].channel.crowded);
    for (int i = 0; i <= LIMIT; i++)
        leave(peers, &c[i]);
}

TEST(test_this_machine_is_not_counted) {
    tr_peers *peers = *given;
    const char *const own[] = {"127.0.0.1", "::1", "127.1.2.3", "::ffff:127.0.0.1"};
    for (int i = 0; i < 1000; i++) {
        connection c;
        assert_int_equal(join(peers, &c, own[i % 4]), TR_OK);
        assert_false(c.channel.crowded);
        assert_null(c.peer);
        leave(peers, &c);
    }
}

TEST(test_the_limit_changes) {
    tr_peers *peers = *given;
    connection c[10];
    for (int i = 0; i < 10; i++) {
        peers->limit = i < 5 ? 0 : 6; /* none, then room for one more */
        assert_int_equal(join(peers, &c[i], "192.0.2.1"), TR_OK);
        assert_int_equal(c[i].channel.crowded, i > 5);
    }
    for (int i = 0; i < 10; i++)
        leave(peers, &c[i]);
}

/* At random, against a plain count of each. */
TEST(test_many_addresses_come_and_go) {
    enum { ADDRESSES = 5000, TURNS = 100000 };
    tr_peers *peers = *given;
    OWN_MEMORY connection *held = calloc(ADDRESSES * LIMIT, sizeof *held);
    OWN_MEMORY int *count = calloc(ADDRESSES, sizeof *count);
    uint32_t random = 1;
    assert_non_null(held);
    assert_non_null(count);
    for (int i = 0; i < TURNS; i++) {
        random = random * 1664525 + 1013904223;
        int at = (int)(random >> 8) % ADDRESSES;
        if ((random >> 4 & 1) != 0 && count[at] > 0) {
            leave(peers, &held[at * LIMIT + --count[at]]);
            continue;
        }
        connection c;
        char address[32];
        snprintf(address, sizeof address, "10.1.%d.%d", at >> 8, at & 255);
        assert_int_equal(join(peers, &c, address), TR_OK);
        assert_int_equal(c.channel.crowded, count[at] == LIMIT);
        if (c.channel.crowded)
            leave(peers, &c);
        else
            held[at * LIMIT + count[at]++] = c;
    }
    for (int at = 0; at < ADDRESSES; at++)
        while (count[at] > 0)
            leave(peers, &held[at * LIMIT + --count[at]]);
}

TEST_FIXTURE(set_up, NULL);
