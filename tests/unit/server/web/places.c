/* Which connection gets a place at the web port, and which makes room. */
#include "cmocka_test.h"

#include "server/web/places.h"

enum { MAX = 20, PAGES = 16, PROBES = 4, OF_AN_ADDRESS = 12, HERE = 1, THERE = 2 };

typedef struct fixture {
    tr_web_places places;
    tr_web_place place[MAX + 1];
    int count;
    uint64_t now_ms;
} fixture;

FIXTURE(set_up) {
    static fixture f;
    f = (fixture){.now_ms = 100000};
    tr_web_places_init(&f.places, MAX);
    *given = &f;
}

/* A newcomer that gets a place; returns the connection that had to leave for it. */
static tr_web_place *enter(fixture *f, uint64_t address, tr_web_place_kind expected) {
    tr_web_place *leaves = NULL, *place = &f->place[f->count++];
    assert_true(tr_web_places_find(&f->places, address, f->now_ms, &place->kind, &leaves));
    assert_int_equal(place->kind, expected);
    if (leaves)
        tr_web_places_leave(&f->places, leaves);
    place->address = address;
    tr_web_places_join(&f->places, place);
    return leaves;
}

static void answer(fixture *f, tr_web_place *place) {
    place->phase = TR_WEB_ANSWERED;
    place->read_ms = f->now_ms;
}

/* So many connections of an address, each being sent an answer since now. */
static void crowd(fixture *f, uint64_t address, int count) {
    for (int i = 0; i < count; i++) {
        assert_null(enter(f, address, TR_WEB_PLACE_PAGE));
        answer(f, &f->place[f->count - 1]);
    }
}

TEST(test_an_address_has_three_quarters_of_the_pages) {
    fixture *f = *given;
    crowd(f, HERE, OF_AN_ADDRESS);
    assert_null(enter(f, HERE, TR_WEB_PLACE_PROBE));
    assert_null(enter(f, THERE, TR_WEB_PLACE_PAGE));
}

TEST(test_probes_find_a_place_when_all_pages_are_busy) {
    fixture *f = *given;
    crowd(f, HERE, OF_AN_ADDRESS);
    crowd(f, THERE, PAGES - OF_AN_ADDRESS);
    for (int i = 0; i < PROBES; i++)
        assert_null(enter(f, THERE, TR_WEB_PLACE_PROBE));
    assert_ptr_equal(enter(f, THERE, TR_WEB_PLACE_PROBE), &f->place[PAGES]);
}

TEST(test_the_idle_make_room_the_oldest_first) {
    fixture *f = *given;
    crowd(f, HERE, OF_AN_ADDRESS);
    f->place[3].phase = f->place[7].phase = TR_WEB_ASKING;
    assert_ptr_equal(enter(f, HERE, TR_WEB_PLACE_PAGE), &f->place[3]);
    tr_web_places_leave(&f->places, &f->place[7]);
    tr_web_places_join(&f->places, &f->place[7]); /* heard of again */
    assert_ptr_equal(enter(f, HERE, TR_WEB_PLACE_PAGE), &f->place[OF_AN_ADDRESS]);
}

TEST(test_closing_connections_make_room_before_asking_ones) {
    fixture *f = *given;
    crowd(f, HERE, OF_AN_ADDRESS);
    for (int i = 0; i < PROBES; i++)
        assert_null(enter(f, HERE, TR_WEB_PLACE_PROBE));
    f->place[f->count - 1].phase = TR_WEB_LEAVING;
    assert_ptr_equal(enter(f, HERE, TR_WEB_PLACE_PROBE), &f->place[OF_AN_ADDRESS + PROBES - 1]);
}

TEST(test_a_connection_that_reads_nothing_makes_room) {
    fixture *f = *given;
    crowd(f, HERE, OF_AN_ADDRESS);
    f->now_ms += TR_WEB_UNREAD_MS;
    for (int i = 0; i < OF_AN_ADDRESS; i++)
        if (i != 5)
            f->place[i].read_ms = f->now_ms;
    assert_ptr_equal(enter(f, HERE, TR_WEB_PLACE_PAGE), &f->place[5]);
    answer(f, &f->place[OF_AN_ADDRESS]);
    assert_null(enter(f, HERE, TR_WEB_PLACE_PROBE)); /* all others read */
}

/* An address with few connections does not wait for one with many. */
TEST(test_an_address_with_more_makes_room_sooner) {
    fixture *f = *given;
    crowd(f, HERE, OF_AN_ADDRESS);
    crowd(f, THERE, PAGES - OF_AN_ADDRESS);
    f->now_ms += TR_WEB_UNFAIR_UNREAD_MS;
    assert_ptr_equal(enter(f, THERE, TR_WEB_PLACE_PAGE), &f->place[0]);
    answer(f, &f->place[PAGES]);
    assert_null(enter(f, HERE, TR_WEB_PLACE_PROBE)); /* it has more itself */
}

TEST(test_without_a_place_a_newcomer_is_refused) {
    fixture *f = *given;
    tr_web_place_kind kind;
    tr_web_place *leaves = NULL;
    crowd(f, HERE, OF_AN_ADDRESS);
    for (int i = 0; i < PROBES; i++) {
        assert_null(enter(f, HERE, TR_WEB_PLACE_PROBE));
        answer(f, &f->place[f->count - 1]);
    }
    assert_false(tr_web_places_find(&f->places, HERE, f->now_ms, &kind, &leaves));
    assert_null(leaves);
}

TEST_FIXTURE(set_up, NULL);
