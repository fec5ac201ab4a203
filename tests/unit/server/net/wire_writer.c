/* Protobuf written from its end to its beginning. */
#include "cmocka_test.h"

#include "server/net/wire_writer.h"

#include <string.h>
#include <troupe/state.pb-c.h>

/* A ContactState written backwards is what protobuf-c writes of the same values. */
TEST(test_same_bytes_as_protobuf_c) {
    float normal[3] = {0, 0, 1};
    Troupe__ContactState contact = TROUPE__CONTACT_STATE__INIT;
    contact.entity0 = 300;
    contact.body0 = -1;
    contact.n_normal = 3;
    contact.normal = normal;
    contact.depth = 0.25f;
    uint8_t expected[64];
    size_t size = troupe__contact_state__pack(&contact, expected);

    tr_wire_writer w = tr_wire_writer_start(sizeof expected);
    tr_packet *packet = NULL;
    tr_wire_put_float(&w, 7, contact.depth);
    tr_wire_put_floats(&w, 6, normal, 3);
    tr_wire_put_sint(&w, 4, contact.body1);
    tr_wire_put_sint(&w, 3, contact.body0);
    tr_wire_put_uint(&w, 2, contact.entity1);
    tr_wire_put_uint(&w, 1, contact.entity0);
    assert_int_equal(tr_wire_finish(&w, &packet), TR_OK);
    assert_int_equal(packet->size, size);
    assert_memory_equal(packet->bytes, expected, size);
    tr_packet_release(packet);
}

/* Written bytes stay in place while the block grows, and the block does not grow past the
 * maximum. */
TEST(test_grows_up_to_its_maximum) {
    enum { COUNT = 5000 };
    for (int fits = 0; fits <= 1; fits++) {
        tr_wire_writer w = tr_wire_writer_start(4 * COUNT - !fits);
        tr_packet *packet = NULL;
        for (uint32_t i = COUNT; i > 0; i--)
            tr_wire_put_raw(&w, &(uint32_t){i - 1}, 4);
        assert_int_equal(tr_wire_finish(&w, &packet), fits ? TR_OK : TR_OUT_OF_RANGE);
        for (uint32_t i = 0; fits && i < COUNT; i++)
            assert_memory_equal(packet->bytes + (size_t)4 * i, &i, 4);
        tr_packet_release(packet);
    }
}

/* Bytes that follow are a part of the message that is wrapped around them, and of the maximum. */
TEST(test_wraps_the_following_bytes) {
    tr_packet *inner = tr_packet_create(3), *packet = NULL;
    assert_non_null(inner);
    memcpy(inner->bytes, "abc", 3);
    tr_wire_writer w = tr_wire_writer_before(inner, 5);
    tr_wire_wrap(&w, 2, 0);
    assert_int_equal(tr_wire_finish(&w, &packet), TR_OK);
    assert_int_equal(packet->size, 5);
    assert_memory_equal(packet->bytes,
                        "\x12\x03"
                        "abc",
                        5);
    tr_packet_release(packet);

    w = tr_wire_writer_before(inner, 4);
    tr_wire_wrap(&w, 2, 0);
    assert_int_equal(tr_wire_finish(&w, &packet), TR_OUT_OF_RANGE);
    tr_packet_release(inner);
}
