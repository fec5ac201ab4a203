#include "cmocka_test.h"

#include "control/stage/stage_state.h"
#include "math/hash.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A stage in the middle of things: two characters at work in different halves and steps, one limp,
 * one asked to change its controller, one with an offset and steered, and a ball on its way. */
typedef struct play {
    const tr_model *model;
    tr_controller *controller[2];
    tr_stage *stage;
} play;

static tr_stage *open_stage(void) {
    tr_stage *stage = NULL;
    tr_world_def def = tr_world_def_default();
    tr_physics_init();
    assert_int_equal(tr_stage_create(&def, &stage), TR_OK);
    return stage;
}

static void run(tr_stage *stage, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
}

static void throw_ball(tr_stage *stage) {
    tr_entity_id id = 0;
    tr_object_def def = {.geom_count = 1, .mass = 2};
    tr_object_state state = {.pos = {1.4, 0, 1.3}, .rot = {1, 0, 0, 0}, .vel = {-8, 0, 0}};
    def.geom[0] = (tr_geom){
        .kind = TR_GEOM_SPHERE, .size = {0.1, 0, 0}, .rot = {1, 0, 0, 0}, .friction = 0.5};
    assert_int_equal(tr_world_add_object(tr_stage_world(stage), &def, &state, &id), TR_OK);
}

static play open_play(const tr_model *model) {
    play p = {model, {puppet_sway(model, 3, 9, 4), puppet_sway(model, 2, 20, 5)}, open_stage()};
    tr_controller_bank(p.controller[0])->mirrored = true;
    tr_chain_of(p.controller[0])->steering =
        (tr_steering){.speed_mps = 1, .turn_rad_s = 0.5, .faster_mps = 0.2, .turn = {0.1, -0.1}};
    tr_entity_id id[4];
    for (int i = 0; i < 4; i++) {
        const tr_controller *controller = i == 3 ? NULL : p.controller[i % 2];
        tr_spawn_def def = {.model = model, .controller = controller, .pos = {0.8 * i, 0, 0}};
        assert_int_equal(tr_stage_spawn(p.stage, &def, &id[i]), TR_OK);
    }
    const double offset[17] = {0.05, -0.02};
    throw_ball(p.stage);
    run(p.stage, 31);
    assert_int_equal(tr_stage_set_parameter(p.stage, id[0], TR_ACTION_OFFSET, offset, 17, NULL),
                     TR_OK);
    assert_int_equal(tr_stage_set_controller(p.stage, id[1], p.controller[0]), TR_OK);
    assert_int_equal(tr_stage_set_limp(p.stage, id[2], true), TR_OK);
    tr_steering_target target = {.aim = TR_AIM_CHARACTER, .character = id[1], .speed_mps = 1.1};
    assert_int_equal(tr_stage_set_target(p.stage, id[0], &target), TR_OK);
    assert_int_equal(tr_stage_set_entry(p.stage, id[0], 0, true), TR_OK);
    run(p.stage, 2);
    assert_true(puppet_doing(p.stage, id[0]).mirrored);
    assert_false(puppet_doing(p.stage, id[0]).between);
    assert_true(tr_stage_performer(p.stage, id[0])->runner.cue.given);
    assert_non_null(tr_stage_performer(p.stage, id[1])->next);
    return p;
}

static void close_play(play *p) {
    tr_stage_destroy(p->stage);
    tr_controller_destroy(p->controller[0]);
    tr_controller_destroy(p->controller[1]);
}

/* Restores with both controllers at hand: one of them may have left the stage since. */
static tr_status restore(const play *p, tr_stage *stage, const void *bytes, size_t size) {
    const tr_controller *controllers[] = {p->controller[1], p->controller[0]};
    tr_stage_library library = {&p->model, 1, controllers, 2};
    return tr_stage_restore(stage, bytes, size, &library);
}

static unsigned char *take_snapshot(const tr_stage *stage, size_t *out_size) {
    size_t capacity = tr_stage_snapshot_size(stage);
    unsigned char *bytes = malloc(capacity);
    assert_non_null(bytes);
    assert_int_equal(tr_stage_snapshot(stage, bytes, capacity, out_size), TR_OK);
    assert_int_equal(*out_size, capacity);
    return bytes;
}

TEST(two_snapshots_of_one_state_are_equal) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size[2];
    unsigned char *bytes[2];
    bytes[0] = take_snapshot(p.stage, &size[0]);
    run(p.stage, 20);
    assert_int_equal(restore(&p, p.stage, bytes[0], size[0]), TR_OK);
    bytes[1] = take_snapshot(p.stage, &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

TEST(what_is_missing_is_not_found) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    OWN_MEMORY unsigned char *bytes = take_snapshot(p.stage, &size);
    OWN(tr_stage) *fresh = open_stage();
    uint64_t empty = tr_stage_hash(fresh);
    const tr_controller *controllers[] = {p.controller[0], p.controller[1]};
    tr_stage_library library = {&p.model, 1, controllers, 1};
    assert_int_equal(tr_stage_restore(fresh, bytes, size, &library), TR_NOT_FOUND);
    library = (tr_stage_library){NULL, 0, controllers, 2};
    assert_int_equal(tr_stage_restore(fresh, bytes, size, &library), TR_NOT_FOUND);
    assert_int_equal(tr_stage_restore(fresh, bytes, size, NULL), TR_NOT_FOUND);
    assert_true(tr_stage_hash(fresh) == empty);
}

TEST(a_small_buffer_is_out_of_range) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t capacity = tr_stage_snapshot_size(p.stage), size = 7;
    OWN_MEMORY unsigned char *bytes = malloc(capacity);
    assert_int_equal(tr_stage_snapshot(p.stage, bytes, capacity - 1, &size), TR_OUT_OF_RANGE);
    assert_int_equal(tr_stage_snapshot(p.stage, bytes, 0, &size), TR_OUT_OF_RANGE);
    assert_int_equal(size, 7);
}

/* Restores from a block of exactly this size, so that a sanitizer sees a read past it. */
TEST(a_restored_stage_takes_more_characters) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    OWN_MEMORY unsigned char *bytes = take_snapshot(p.stage, &size);
    assert_int_equal(restore(&p, p.stage, bytes, size), TR_OK);
    tr_entity_id ids[16] = {0};
    int before = tr_world_characters(tr_stage_world(p.stage), ids, 16);
    for (int i = 0; i < 5; i++) {
        tr_spawn_def def = {.model = p.model, .controller = p.controller[0], .pos = {2 * i, 4, 0}};
        assert_int_equal(tr_stage_spawn(p.stage, &def, &ids[0]), TR_OK);
        assert_ptr_equal(tr_stage_performer(p.stage, ids[0])->runner.controller, p.controller[0]);
    }
    run(p.stage, 3);
    assert_int_equal(tr_world_characters(tr_stage_world(p.stage), ids, 16), before + 5);
}

static tr_status restore_from(const play *p, const unsigned char *bytes, size_t size) {
    OWN_MEMORY unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    tr_status status = restore(p, p->stage, copy, size);
    return status;
}

/* The stage does not change. */
TEST(other_versions_are_refused) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    OWN_MEMORY unsigned char *bytes = take_snapshot(p.stage, &size);
    uint64_t hash = tr_stage_hash(p.stage);
    for (uint32_t version = 0; version <= 9; version++) {
        memcpy(bytes + 4, &version, sizeof version);
        assert_int_equal(restore_from(&p, bytes, size), version == 8 ? TR_OK : TR_UNIMPLEMENTED);
        assert_true(tr_stage_hash(p.stage) == hash);
    }
}

TEST(every_truncation_is_refused) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    OWN_MEMORY unsigned char *bytes = take_snapshot(p.stage, &size);
    uint64_t hash = tr_stage_hash(p.stage);
    for (size_t n = 0; n < size; n += n < 256 || n + 4096 > size ? 1 : 97)
        assert_int_equal(restore_from(&p, bytes, n), TR_INVALID_ARGUMENT);
    assert_true(tr_stage_hash(p.stage) == hash);
}

TEST(every_flipped_bit_is_refused) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    OWN_MEMORY unsigned char *bytes = take_snapshot(p.stage, &size);
    uint64_t hash = tr_stage_hash(p.stage);
    tr_random random = tr_random_seed(99);
    for (int n = 0; n < 1000; n++) {
        uint64_t word = tr_random_next(&random);
        size_t at = n < 192 ? (size_t)n / 8 : (size_t)(word >> 8) % size;
        unsigned char bit = (unsigned char)(1u << (n < 192 ? (unsigned)n % 8 : (unsigned)word % 8));
        bytes[at] ^= bit;
        uint32_t version;
        memcpy(&version, bytes + 4, sizeof version);
        assert_int_equal(restore_from(&p, bytes, size),
                         version == 8 ? TR_INVALID_ARGUMENT : TR_UNIMPLEMENTED);
        bytes[at] ^= bit;
    }
    assert_true(tr_stage_hash(p.stage) == hash);
}

static void seal(unsigned char *bytes, size_t size) {
    uint64_t checksum = tr_hash_add(TR_HASH_START, bytes + 24, size - 24);
    memcpy(bytes + 16, &checksum, sizeof checksum);
}

/* Of four intents and the look-ahead, with which a snapshot ends. */
static size_t intents_size(void) {
    const tr_intent_state none = {0};
    tr_byte_writer count = {0};
    tr_intent_write(&none, &count);
    return 4 * count.size + 8;
}

/* Where the slots of a snapshot begin, behind their number. */
static size_t slots_of(const unsigned char *bytes) {
    uint64_t world_size;
    memcpy(&world_size, bytes + 24, sizeof world_size);
    return 24 + 8 + (size_t)world_size + 8;
}

/* Of the first performer, a chain: where its cue's entry and the number of fragments done lie, and
 * how long it is. */
enum {
    FIELDS = 4 + 4 + 8 + 8 + 4 + 3,
    TARGET = 4 + 3 * 8 + 4 + 8 + TR_NAME_MAX,
    CUE_ENTRY = FIELDS + TARGET + 1,
    STATE = CUE_ENTRY + 4 + 1 + 8 * TR_DRIVER_VALUE_MAX,
    DONE = STATE + 4 + 4 + 1,
    PERFORMER = DONE + 8 + 8 * TR_ACTION_MAX + 16 + 1
};

/* A character without a performer could not be driven or despawned. */
TEST(a_character_without_performer_is_refused) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    OWN_MEMORY unsigned char *bytes = take_snapshot(p.stage, &size);
    uint64_t hash = tr_stage_hash(p.stage), count;
    size_t slots = slots_of(bytes);
    memcpy(&count, bytes + slots - 8, sizeof count);
    assert_int_equal(count, 4);
    count--;
    memcpy(bytes + slots - 8, &count, sizeof count);
    memmove(bytes + slots, bytes + slots + PERFORMER, size - slots - PERFORMER);
    uint64_t less = size - PERFORMER;
    memcpy(bytes + 8, &less, sizeof less);
    seal(bytes, less);
    assert_int_equal(restore(&p, p.stage, bytes, less), TR_INVALID_ARGUMENT);
    assert_true(tr_stage_hash(p.stage) == hash);
}

TEST(a_cue_to_no_entry_is_refused) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    unsigned char *bytes = take_snapshot(p.stage, &size),
                  *cue = bytes + slots_of(bytes) + CUE_ENTRY;
    int32_t entry;
    memcpy(&entry, cue, sizeof entry);
    assert_int_equal(cue[-1], true);
    assert_int_equal(entry, 0);
    for (entry = -1; entry <= 3; entry++) {
        memcpy(cue, &entry, sizeof entry);
        seal(bytes, size);
        assert_int_equal(restore(&p, p.stage, bytes, size),
                         entry >= 0 && entry < 3 ? TR_OK : TR_INVALID_ARGUMENT);
    }
    free(bytes);
}

/* A parameter beyond its bounds could not have been set. */
TEST(a_parameter_out_of_its_bounds_is_refused) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    OWN_MEMORY unsigned char *bytes = take_snapshot(p.stage, &size);
    unsigned char *values = bytes + slots_of(bytes) + CUE_ENTRY + 5;
    double value = 0;
    memcpy(&value, values, sizeof value);
    assert_near(value, 0.05, 0);
    const double cases[] = {10, -10, 10.1, (double)NAN};
    for (int i = 0; i < 4; i++) {
        memcpy(values, &cases[i], sizeof value);
        seal(bytes, size);
        assert_int_equal(restore(&p, p.stage, bytes, size), i < 2 ? TR_OK : TR_INVALID_ARGUMENT);
    }
    value = 0.5;
    memcpy(values, &value, sizeof value);
    memcpy(values + 17 * sizeof value, &value, sizeof value); /* past the last parameter */
    seal(bytes, size);
    assert_int_equal(restore(&p, p.stage, bytes, size), TR_INVALID_ARGUMENT);
}

TEST(a_block_without_look_ahead_is_refused) {
    OWN_BY(close_play) play p = open_play(*given);
    p.stage->slot[0].performer.intent = (tr_intent_state){.given = true, .mode = TR_INTENT_BLOCKED};
    for (int looks = 0; looks < 2; looks++) {
        size_t size = 0;
        p.stage->looks_ahead = looks;
        OWN_MEMORY unsigned char *bytes = take_snapshot(p.stage, &size);
        assert_int_equal(restore(&p, p.stage, bytes, size), looks ? TR_OK : TR_INVALID_ARGUMENT);
    }
}

/* The rigs are before the intents. None of these characters has one. */
TEST(an_object_beyond_those_of_the_rig_is_refused) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    OWN_MEMORY unsigned char *bytes = take_snapshot(p.stage, &size);
    const tr_entity_id ball = 5;
    assert_non_null(tr_world_object_def(tr_stage_world(p.stage), ball));
    for (size_t i = 1; i <= TR_RIG_OBJECT_MAX; i++) {
        unsigned char *object = bytes + size - intents_size() - i * sizeof ball,
                      none[sizeof ball] = {0};
        assert_memory_equal(object, none, sizeof none);
        memcpy(object, &ball, sizeof ball);
        seal(bytes, size);
        assert_int_equal(restore(&p, p.stage, bytes, size), TR_INVALID_ARGUMENT);
        memcpy(object, none, sizeof none);
    }
    seal(bytes, size);
    assert_int_equal(restore(&p, p.stage, bytes, size), TR_OK);
}

/* Hostile: flipped bits under a corrected checksum. Most are refused and leave the stage unchanged;
 * a snapshot that still describes a stage must run. */
TEST(a_forged_snapshot_never_crashes) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    OWN_MEMORY unsigned char *good = take_snapshot(p.stage, &size), *bytes = malloc(size);
    uint64_t hash = tr_stage_hash(p.stage);
    tr_random random = tr_random_seed(5);
    int refused = 0, adopted = 0;
    size_t tail =
        size - 3700; /* four performers and a few touches: flipped more often than the world */
    for (int n = 0; n < 500; n++) {
        memcpy(bytes, good, size);
        uint64_t word = tr_random_next(&random);
        size_t from = n % 4 ? tail : 24;
        size_t at = from + (size_t)(word >> 16) % (size - from);
        bytes[at] ^= (unsigned char)(1 + (word & 0x7f));
        seal(bytes, size);
        if (restore_from(&p, bytes, size)) {
            assert_true(tr_stage_hash(p.stage) == hash);
            refused++;
            continue;
        }
        adopted++;
        run(p.stage, 2);
        assert_int_equal(restore_from(&p, good, size), TR_OK);
        assert_true(tr_stage_hash(p.stage) == hash);
    }
    assert_true(refused > 50);
    assert_true(adopted > 50); /* a flip in an action or offset is still a stage */
}

TEST(events_are_not_part_of_a_snapshot) {
    OWN_BY(close_play) play p = open_play(*given);
    size_t size = 0;
    int count = -1, dropped = -1;
    OWN_MEMORY unsigned char *bytes = take_snapshot(p.stage, &size);
    assert_int_equal(restore(&p, p.stage, bytes, size), TR_OK);
    tr_stage_events(p.stage, &count, &dropped);
    assert_int_equal(count, 0);
    assert_int_equal(dropped, 0);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
