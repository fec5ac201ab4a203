/* The requests of a relay to the daemon upstream for one world, and the answers that readers
 * get. */
#include "cmocka_test.h"

#include "server/relay/relayed_world.h"

#include <stdlib.h>
#include <string.h>

enum { SENT_MAX = 256 };

static struct {
    int count;
    struct {
        tr_upstream *upstream;
        bool subscribes, events;
        uint32_t fields;
    } sent[SENT_MAX];
    int opened;
    int states; /* that a reader was offered */
} seen;

uint64_t __wrap_tr_upstream_request(tr_upstream *upstream, ProtobufCMessage *body);
uint64_t __wrap_tr_upstream_request(tr_upstream *upstream, ProtobufCMessage *body) {
    assert_true(seen.count < SENT_MAX);
    bool subscribes = body->descriptor == &troupe__subscribe__descriptor;
    const Troupe__Subscribe *subscribe = subscribes ? (const Troupe__Subscribe *)body : NULL;
    seen.sent[seen.count].upstream = upstream;
    seen.sent[seen.count].subscribes = subscribes;
    seen.sent[seen.count].events = subscribes && subscribe->events;
    seen.sent[seen.count].fields = subscribes ? subscribe->fields : 0;
    return (uint64_t)++seen.count;
}

tr_status __wrap_tr_upstream_open(const tr_upstream_def *def, tr_upstream **out);
tr_status __wrap_tr_upstream_open(const tr_upstream_def *def, tr_upstream **out) {
    static char session[TR_LINKS_MAX];
    (void)def;
    *out = (tr_upstream *)(void *)&session[seen.opened++];
    return TR_OK;
}

static void on_state(void *reader) {
    (void)reader;
    seen.states++;
}

static void on_ended(void *subscriber, const tr_subscription *subscription) {
    (void)subscriber, (void)subscription;
}

static const tr_subscriber_kind reader = {.state = on_state, .ended = on_ended};

typedef struct scene {
    tr_links links;
    tr_tally tally;
    tr_relayed_world *world;
} scene;

FIXTURE(begin) {
    static scene it;
    Troupe__WorldInfo info = TROUPE__WORLD_INFO__INIT;
    it = (scene){0};
    memset(&seen, 0, sizeof seen);
    info.id = 7;
    info.step_s = 0.005;
    assert_int_equal(tr_links_open(&it.links), TR_OK);
    it.world = tr_relayed_world_create(&it.links, &it.tally, &info);
    assert_non_null(it.world);
    *given = &it;
}

FIXTURE(end) {
    scene *it = *given;
    tr_subscriptions_end(&it->world->subscriptions);
    tr_relayed_world_destroy(it->world);
    for (int i = 0; i < it->links.count; i++)
        free(it->links.link[i]);
}

static tr_subscription *subscribe(scene *it, uint32_t every_ticks, uint32_t fields, bool events) {
    const tr_subscription_def def = {
        .kind = &reader, .every_ticks = every_ticks, .fields = fields, .events = events};
    tr_subscription *subscription = NULL;
    assert_int_equal(tr_subscribe(&it->world->subscriptions, &def, NULL, &subscription), TR_OK);
    return subscription;
}

/* Answers the last request, on this link. */
static bool answer(scene *it, int link, Troupe__StatusCode code) {
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.request_id = (uint64_t)seen.count;
    response.code = code;
    return tr_relayed_world_response(it->world, it->links.link[link], &response);
}

static bool take_state(scene *it, int link) {
    static const uint8_t bytes[] = {0x08, 0x07};
    return tr_relayed_world_state(it->world, it->links.link[link],
                                  &(tr_relayed_state){bytes, sizeof bytes, 0});
}

TEST(a_refusal_is_tried_again_ever_more_rarely) {
    scene *it = *given;
    (void)subscribe(it, 1, 1, false);
    int tried_at[16] = {0}, count = 0;
    assert_true(answer(it, 0, TROUPE__STATUS_CODE__STATUS_CODE_RESOURCE_EXHAUSTED));
    for (int second = 1; second <= 200; second++) {
        int before = seen.count;
        tr_relayed_world_retry(it->world);
        if (seen.count == before)
            continue;
        tried_at[count++] = second;
        assert_true(answer(it, 0, TROUPE__STATUS_CODE__STATUS_CODE_RESOURCE_EXHAUSTED));
    }
    static const int expected[] = {1, 3, 7, 15, 31, 63, 123, 183};
    assert_int_equal(count, 8);
    assert_memory_equal(tried_at, expected, sizeof expected);
}

TEST(a_success_ends_the_pause) {
    scene *it = *given;
    (void)subscribe(it, 1, 1, false);
    assert_true(answer(it, 0, TROUPE__STATUS_CODE__STATUS_CODE_RESOURCE_EXHAUSTED));
    tr_relayed_world_retry(it->world);
    assert_true(answer(it, 0, TROUPE__STATUS_CODE__STATUS_CODE_OK));
    assert_int_equal(it->world->slot[TR_STATE_CLASS_MAX - 1].pause_s, 0);
    tr_relayed_world_retry(it->world);
    assert_int_equal(seen.count, 2);
}

TEST(states_of_the_previous_kind_are_dropped) {
    scene *it = *given;
    tr_subscription *first = subscribe(it, 1, 1, false);
    assert_true(answer(it, 0, TROUPE__STATUS_CODE__STATUS_CODE_OK));
    assert_true(take_state(it, 0));
    assert_int_equal(seen.states, 1);
    tr_subscription_end(first);
    (void)subscribe(it, 2, 4, false);
    assert_int_equal(it->links.count, 1);
    assert_false(take_state(it, 0));
    assert_int_equal(seen.states, 1);
    assert_true(answer(it, 0, TROUPE__STATUS_CODE__STATUS_CODE_OK));
    assert_true(take_state(it, 0));
    assert_int_equal(seen.states, 2);
}

TEST(a_new_class_leaves_the_events_where_they_are) {
    scene *it = *given;
    (void)subscribe(it, 1, 1, true);
    assert_true(answer(it, 0, TROUPE__STATUS_CODE__STATUS_CODE_OK));
    int before = seen.count;
    (void)subscribe(it, 2, 4, true);
    assert_int_equal(seen.count, before + 1); /* the new one alone */
    assert_true(seen.sent[before].upstream != seen.sent[before - 1].upstream);
    assert_int_equal(seen.sent[before].fields, 4);
    assert_false(seen.sent[before].events);
}

TEST(events_pass_to_states_on_the_same_session) {
    scene *it = *given;
    (void)subscribe(it, 0, 0, true);
    assert_int_equal(seen.count, 1);
    (void)subscribe(it, 1, 1, false);
    assert_int_equal(seen.count, 2); /* without Unsubscribe between */
    assert_true(seen.sent[1].subscribes && seen.sent[1].events);
    assert_ptr_equal(seen.sent[1].upstream, seen.sent[0].upstream);
    assert_int_equal(it->links.count, 1);
}

/* The carrier's last reader leaves, and another class of states is wanted: its Subscribe comes on
 * the carrier's session, and its earlier session is left. */
TEST(events_pass_to_other_states_on_the_session_that_brings_them) {
    scene *it = *given;
    tr_subscription *first = subscribe(it, 1, 1, true);
    assert_true(answer(it, 0, TROUPE__STATUS_CODE__STATUS_CODE_OK));
    (void)subscribe(it, 2, 4, true);
    assert_true(answer(it, 1, TROUPE__STATUS_CODE__STATUS_CODE_OK));
    assert_true(take_state(it, 0) && take_state(it, 1));
    const tr_upstream *carrier = it->links.link[0]->upstream;
    int before = seen.count;
    tr_subscription_end(first);
    assert_int_equal(seen.count, before + 2);
    assert_false(seen.sent[before].subscribes);
    assert_true(seen.sent[before].upstream != carrier);
    assert_ptr_equal(seen.sent[before + 1].upstream, carrier);
    assert_true(seen.sent[before + 1].subscribes && seen.sent[before + 1].events);
    assert_int_equal(seen.sent[before + 1].fields, 4);
    assert_true(answer(it, 0, TROUPE__STATUS_CODE__STATUS_CODE_OK));
    assert_false(take_state(it, 1));
    assert_true(take_state(it, 0));
}

TEST_FIXTURE(begin, end);
