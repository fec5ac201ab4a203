#include "cmocka_test.h"

#include "math/hash.h"
#include "model/mjcf.h"
#include "server/world/snapshot.h"
#include "unit/control/puppet.h"

#include <string.h>

static tr_stage *make_stage(tr_model **out_model) {
    tr_world_def def = tr_world_def_default();
    tr_stage *stage = NULL;
    tr_entity_id id = 0;
    *out_model = puppet_model();
    assert_int_equal(tr_stage_create(&def, &stage), TR_OK);
    tr_spawn_def spawn = {.model = *out_model};
    assert_int_equal(tr_stage_spawn(stage, &spawn, &id), TR_OK);
    return stage;
}

/* A snapshot with one of everything. */
static tr_packet *write_example(void) {
    OWN(tr_model) *model = NULL;
    OWN(tr_stage) *stage = make_stage(&model);
    char models[1][TR_NAME_MAX] = {"humanoid"};
    char controllers[2][TR_NAME_MAX] = {"run", "walk"};
    tr_label label = {65537, 77, "Ada"};
    tr_saved_command pending = {400, 3, 17, 3, 78, (const uint8_t *)"abc", 3};
    tr_saved saved = {.seed = 99,
                      .model_count = 1,
                      .controller_count = 2,
                      .label_count = 1,
                      .pending_count = 1,
                      .model = models,
                      .controller = controllers,
                      .label = &label,
                      .pending = &pending};
    tr_packet *packet = NULL;
    assert_int_equal(tr_snapshot_write(&saved, stage, &packet), TR_OK);
    return packet;
}

TEST(test_round_trip) {
    tr_packet *packet = write_example();
    tr_saved *saved = NULL;
    assert_int_equal(tr_snapshot_read(packet->bytes, packet->size, &saved, NULL), TR_OK);
    assert_true(saved->seed == 99);
    assert_int_equal(saved->model_count, 1);
    assert_string_equal(saved->controller[1], "walk");
    assert_int_equal(saved->label[0].entity, 65537);
    assert_string_equal(saved->label[0].text, "Ada");
    assert_true(saved->label[0].owner == 77 && saved->pending[0].account == 78);
    assert_true(saved->pending[0].tick == 400 && saved->pending[0].request == 17);
    assert_memory_equal(saved->pending[0].message, "abc", 3);
    assert_true(saved->stage_size > 1000);
    tr_saved_destroy(saved);
    tr_packet_release(packet);
}

static void seal(tr_packet *packet) {
    uint64_t checksum = tr_hash_add(TR_HASH_START, packet->bytes + 16, packet->size - 16);
    memcpy(packet->bytes + 8, &checksum, sizeof checksum);
}

static tr_packet *copy(const tr_packet *packet, size_t size) {
    tr_packet *out = tr_packet_create(size);
    assert_non_null(out);
    memcpy(out->bytes, packet->bytes, size);
    return out;
}

TEST(test_every_truncation_is_refused) {
    tr_packet *packet = write_example();
    for (size_t size = 0; size < packet->size; size++) {
        if (size > 1000 && size % 97 != 0)
            continue;
        tr_packet *cut = copy(packet, size);
        tr_saved *saved = NULL;
        tr_error error = {0};
        if (size >= 16)
            seal(cut); /* past the checksum, so that the lengths must be found out */
        assert_int_equal(tr_snapshot_read(cut->bytes, cut->size, &saved, &error),
                         TR_INVALID_ARGUMENT);
        assert_null(saved);
        assert_string_not_equal(error.message, "");
        tr_packet_release(cut);
    }
    tr_packet_release(packet);
}

/* Every state carries labels; a client could not read a state with one that is not UTF-8. */
TEST(test_texts_are_utf8) {
    tr_packet *packet = write_example();
    uint8_t *label = memmem(packet->bytes, packet->size, "Ada", 3);
    tr_saved *saved = NULL;
    assert_non_null(label);
    label[1] = 0xff;
    seal(packet);
    assert_int_equal(tr_snapshot_read(packet->bytes, packet->size, &saved, NULL),
                     TR_INVALID_ARGUMENT);
    tr_packet_release(packet);
}

/* Changed bytes behind a corrected checksum are read or refused, and never harm (for
 * sanitizers). */
TEST(test_changed_bytes_are_read_or_refused) {
    tr_packet *packet = write_example();
    tr_random random = tr_random_seed(4);
    int refused = 0;
    for (int i = 0; i < 20000; i++) {
        tr_packet *changed = copy(packet, packet->size);
        for (int n = 0; n < 3; n++) {
            size_t at = 16 + (size_t)(tr_random_uniform(&random) * 300);
            changed->bytes[at] = (uint8_t)tr_random_next(&random);
        }
        seal(changed);
        tr_saved *saved = NULL;
        if (tr_snapshot_read(changed->bytes, changed->size, &saved, NULL))
            refused++;
        tr_saved_destroy(saved);
        tr_packet_release(changed);
    }
    assert_true(refused > 1000);
    tr_packet_release(packet);
}

TEST(test_a_flipped_bit_is_seen) {
    tr_packet *packet = write_example();
    for (size_t i = 0; i < packet->size; i += 13) {
        tr_saved *saved = NULL;
        packet->bytes[i] ^= 1;
        assert_int_equal(tr_snapshot_read(packet->bytes, packet->size, &saved, NULL),
                         TR_INVALID_ARGUMENT);
        packet->bytes[i] ^= 1;
    }
    tr_packet_release(packet);
}

BEFORE_ALL() {
    tr_physics_init();
}
