#include "cmocka_test.h"

#include "model/mjcf.h"
#include "model/name.h"
#include "server/recording/fingerprint.h"
#include "server/recording/recorder.h"
#include "server/recording/recording.h"
#include "server/recording/trace.h"
#include "server/world/snapshot.h"
#include "unit/control/puppet.h"

#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    tr_model *model;
    tr_controller *sway;
    tr_stage *stage;
    tr_entity_id entity;
    tr_cast cast;
} fixture;

FIXTURE(set_up) {
    static fixture f;
    f = (fixture){.model = puppet_model()};
    f.sway = puppet_sway(f.model, 4, 20, 3);
    tr_name_set(f.sway->name, "sway");
    tr_physics_init();
    tr_world_def def = tr_world_def_default();
    assert_int_equal(tr_stage_create(&def, &f.stage), TR_OK);
    tr_spawn_def spawn = {.model = f.model, .controller = f.sway};
    assert_int_equal(tr_stage_spawn(f.stage, &spawn, &f.entity), TR_OK);
    assert_int_equal(tr_cast_add_model(&f.cast, f.model, "humanoid"), TR_OK);
    assert_int_equal(tr_cast_add_controller(&f.cast, f.sway), TR_OK);
    *given = &f;
}

FIXTURE(tear_down) {
    fixture *f = *given;
    tr_stage_destroy(f->stage);
    tr_controller_destroy(f->sway);
    tr_model_destroy(f->model);
}

static tr_packet *snapshot(const fixture *f) {
    tr_packet *packet = NULL;
    tr_saved saved = {.seed = 7};
    assert_int_equal(tr_snapshot_write(&saved, f->stage, &packet), TR_OK);
    return packet;
}

static tr_packet *packet_of(const void *data, size_t size) {
    tr_packet *packet = tr_packet_create(size);
    assert_non_null(packet);
    if (size > 0)
        memcpy(packet->bytes, data, size);
    return packet;
}

static tr_recorder *start(const fixture *f, int key_every) {
    tr_recorder *recorder = NULL;
    tr_recorder_def def = {.world = "arena",
                           .created_unix = 1000,
                           .seed = 7,
                           .cast = &f->cast,
                           .check_every = 10,
                           .key_every = key_every};
    tr_packet *begun = snapshot(f);
    assert_int_equal(tr_recorder_start(&def, f->stage, begun, &recorder), TR_OK);
    tr_packet_release(begun);
    return recorder;
}

static void run(const fixture *f, tr_recorder *recorder, int steps) {
    for (int i = 0; i < steps; i++) {
        assert_int_equal(tr_stage_step(f->stage), TR_OK);
        tr_recorder_step(recorder, f->stage);
        if (tr_recorder_look(recorder).key_due) {
            tr_packet *key = snapshot(f);
            tr_recorder_key(recorder, key);
            tr_packet_release(key);
        }
    }
}

/* 25 steps, a command, 25 steps, a reset to where it began, 10 steps. */
static tr_packet *record(const fixture *f, int key_every) {
    tr_packet *begun = snapshot(f), *message = packet_of("push", 4);
    tr_recorder *recorder = start(f, key_every);
    run(f, recorder, 25);
    tr_recorder_command(recorder, "push", message, 0);
    tr_event event = {.kind = TR_EVENT_FELL, .entity = f->entity};
    tr_recorder_event(recorder, &event);
    run(f, recorder, 25);
    const tr_model *models[1] = {f->model};
    const tr_controller *controllers[1] = {f->sway};
    tr_stage_library library = {models, 1, controllers, 1};
    tr_saved *saved = NULL;
    assert_int_equal(tr_snapshot_read(begun->bytes, begun->size, &saved, NULL), TR_OK);
    assert_int_equal(tr_stage_restore(f->stage, saved->stage, saved->stage_size, &library), TR_OK);
    tr_saved_destroy(saved);
    tr_recorder_jump(recorder, f->stage, begun);
    run(f, recorder, 10);
    tr_recorder_end(recorder, TR_OK, "stopped");
    tr_packet *bytes = tr_recorder_take(recorder);
    assert_non_null(bytes);
    assert_true(tr_recorder_look(recorder).ended);
    tr_recorder_destroy(recorder);
    tr_packet_release(begun);
    tr_packet_release(message);
    return bytes;
}

static tr_recording *read_whole(tr_packet *bytes) {
    tr_recording *recording = NULL;
    tr_error error = {0};
    tr_status status = tr_recording_read(bytes, &recording, &error);
    if (status)
        print_error("%s\n", error.message);
    assert_int_equal(status, TR_OK);
    return recording;
}

TEST_WITH(test_events_of_every_kind_are_read, set_up, tear_down) {
    const fixture *f = *given;
    tr_recorder *recorder = start(f, 20);
    for (int kind = 0; kind < TR_EVENT_KIND_COUNT; kind++) {
        run(f, recorder, 1);
        tr_event event = {.kind = (tr_event_kind)kind, .entity = f->entity};
        tr_recorder_event(recorder, &event);
    }
    run(f, recorder, 1);
    tr_recorder_end(recorder, TR_OK, "stopped");
    tr_packet *bytes = tr_recorder_take(recorder);
    tr_recorder_destroy(recorder);
    tr_recording *recording = read_whole(bytes);
    assert_int_equal(tr_recording_describe(recording)->length, TR_EVENT_KIND_COUNT + 1);
    tr_recording_release(recording);
    tr_packet_release(bytes);
}

/* A recording of a build whose slides differ must not pass for one of this build. */
TEST(the_fingerprint_has_joints_of_every_kind) {
    tr_model *model = NULL;
    int seen[TR_JOINT_SLIDE + 1] = {0};
    tr_physics_init();
    assert_int_equal(
        tr_mjcf_parse(tr_fingerprint_figure, strlen(tr_fingerprint_figure), "figure", &model, NULL),
        TR_OK);
    for (int i = 0; i < model->body_count; i++)
        seen[model->body[i].joint]++;
    for (int kind = TR_JOINT_FREE; kind <= TR_JOINT_SLIDE; kind++)
        assert_true(seen[kind] > 0);
    assert_true(tr_fingerprint() != 0);
    tr_model_destroy(model);
}

TEST_WITH(test_written_bytes_are_read, set_up, tear_down) {
    const fixture *f = *given;
    tr_packet *bytes = record(f, 20);
    tr_recording *recording = read_whole(bytes);
    const tr_recording_info *info = tr_recording_describe(recording);
    assert_string_equal(info->world, "arena");
    assert_true(info->seed == 7 && info->created_unix == 1000);
    assert_true(info->physics == tr_fingerprint());
    assert_int_equal(info->length, 60);
    assert_int_equal(info->first_tick, 0);
    assert_int_equal(info->check_every, 10);
    assert_int_equal(info->jump_count, 1);
    assert_int_equal(info->key_count, 5); /* start, 20, 40, the jump at 50, 60 */
    assert_int_equal(info->key[3].position, 50);
    assert_true(info->key[3].data == info->key[0].data);
    assert_true(info->whole);
    assert_int_equal(info->ended, TR_OK);
    assert_string_equal(info->ended_text, "stopped");
    assert_int_equal(info->model_count, 1);
    assert_string_equal(info->model[0].name, "humanoid");
    assert_true(info->model[0].hash == f->model->hash);
    assert_int_equal(info->controller_count, 1);
    assert_true(info->controller[0].hash == tr_controller_hash(f->sway, f->model));
    assert_int_equal(info->event_count, 2);
    assert_int_equal(info->event[0].event.kind, TR_EVENT_APPLIED);
    assert_string_equal(info->event[0].event.text, "push");
    assert_int_equal(info->event[1].position, 25);
    assert_int_equal(info->event[1].event.tick, 25);
    assert_int_equal(info->size, bytes->size);
    tr_recording_release(recording);
    tr_packet_release(bytes);
}

/* Cut off anywhere, it is read to the last chunk that is whole, or refused. */
TEST_WITH(test_cut_anywhere, set_up, tear_down) {
    const fixture *f = *given;
    tr_packet *bytes = record(f, 0);
    int64_t length = 0;
    for (size_t size = 0; size < bytes->size; size++) {
        tr_packet *cut = packet_of(bytes->bytes, size);
        tr_recording *recording = NULL;
        tr_status status = tr_recording_read(cut, &recording, NULL);
        if (!status) {
            const tr_recording_info *info = tr_recording_describe(recording);
            assert_true(info->length >= length && info->size <= size);
            assert_false(info->whole);
            length = info->length;
        } else {
            assert_true(status == TR_DATA_LOSS || status == TR_INVALID_ARGUMENT);
            assert_int_equal(length, 0);
        }
        tr_recording_release(recording);
        tr_packet_release(cut);
    }
    tr_packet_release(bytes);
}

/* A wrong byte ends the readable part before its chunk. */
TEST_WITH(test_damage_is_found, set_up, tear_down) {
    const fixture *f = *given;
    tr_packet *bytes = record(f, 0);
    for (size_t at = 0; at < bytes->size; at += 7) {
        tr_packet *damaged = packet_of(bytes->bytes, bytes->size);
        tr_recording *recording = NULL;
        damaged->bytes[at] ^= 0x10;
        if (!tr_recording_read(damaged, &recording, NULL))
            assert_false(tr_recording_describe(recording)->whole);
        tr_recording_release(recording);
        tr_packet_release(damaged);
    }
    tr_packet_release(bytes);
}

/* Gives the first chunk a head of another version, with its checksum. */
static void expect_version_refused(const fixture *f, uint32_t version, const char *expected) {
    tr_packet *bytes = record(f, 0);
    tr_recording *recording = NULL;
    tr_error error = {0};
    uint8_t *chunk = bytes->bytes + TR_RECORDING_MAGIC_SIZE;
    uint32_t size;
    memcpy(&size, chunk, sizeof size);
    memcpy(chunk + TR_CHUNK_HEAD_SIZE + 1, &version, sizeof version);
    uint32_t checksum = tr_chunk_checksum(chunk + TR_CHUNK_HEAD_SIZE, size);
    memcpy(chunk + 4, &checksum, sizeof checksum);
    assert_int_equal(tr_recording_read(bytes, &recording, &error), TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, expected));
    tr_packet_release(bytes);
}

TEST_WITH(test_other_version_is_refused, set_up, tear_down) {
    expect_version_refused(*given, TR_RECORDING_VERSION + 1,
                           "version 5; this daemon reads version 4");
    expect_version_refused(*given, TR_RECORDING_VERSION - 1,
                           "a daemon of the version that wrote it");
}

/* Lists of recordings show the name of the world; a client could not read one that is not UTF-8. */
TEST_WITH(test_texts_are_utf8, set_up, tear_down) {
    const fixture *f = *given;
    tr_packet *bytes = record(f, 0);
    tr_recording *recording = NULL;
    uint8_t *chunk = bytes->bytes + TR_RECORDING_MAGIC_SIZE;
    uint32_t size;
    memcpy(&size, chunk, sizeof size);
    chunk[TR_CHUNK_HEAD_SIZE + size - TR_NAME_MAX] = 0xff; /* it stands last */
    uint32_t checksum = tr_chunk_checksum(chunk + TR_CHUNK_HEAD_SIZE, size);
    memcpy(chunk + 4, &checksum, sizeof checksum);
    assert_int_equal(tr_recording_read(bytes, &recording, NULL), TR_INVALID_ARGUMENT);
    tr_packet_release(bytes);
}

TEST(test_not_a_recording) {
    static const char *const texts[] = {"", "TRRECRD1", "TRRECRD2", "HIERARCHY\nROOT hips\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tr_packet *bytes = packet_of(texts[i], strlen(texts[i]));
        tr_recording *recording = NULL;
        assert_int_not_equal(tr_recording_read(bytes, &recording, NULL), TR_OK);
        assert_null(recording);
        tr_packet_release(bytes);
    }
}

/* A bit in one body changes that body's trace and its character's, and no other. */
TEST_WITH(test_trace_names_the_body, set_up, tear_down) {
    const fixture *f = *given;
    enum { BODY = 5 };
    uint8_t before[TR_TRACE_BODIES_MAX], after[TR_TRACE_BODIES_MAX];
    uint8_t step_before[TR_TRACE_WIDTH_MAX], step_after[TR_TRACE_WIDTH_MAX];
    tr_state at;
    tr_world *world = tr_stage_world(f->stage);
    int count = tr_trace_bodies(f->stage, before);
    assert_int_equal(count, f->model->body_count);
    assert_int_equal(tr_trace_step(f->stage, step_before), 1);
    assert_int_equal(tr_world_get_state(world, f->entity, &at), TR_OK);
    at.joint_rate[BODY].y += 1e-9;
    assert_int_equal(tr_world_set_state(world, f->entity, &at), TR_OK);
    assert_int_equal(tr_trace_bodies(f->stage, after), count);
    assert_int_equal(tr_trace_step(f->stage, step_after), 1);
    assert_int_not_equal(step_before[0], step_after[0]);
    for (int i = 0; i < count; i++)
        assert_true((before[i] != after[i]) == (i == BODY));
    tr_entity_id entity = 0;
    int body = 0;
    tr_trace_find_body(f->stage, BODY, &entity, &body);
    assert_int_equal(entity, f->entity);
    assert_int_equal(body, BODY);
    tr_trace_find_body(f->stage, count, &entity, &body);
    assert_int_equal(entity, 0);
}

/* At most 1 MB a character-hour at 5 ms, without key frames. */
TEST_WITH(test_size_of_an_hour, set_up, tear_down) {
    const fixture *f = *given;
    enum { STEPS = 4000, HOUR = 720000 };
    tr_recorder_def def = {.world = "arena", .cast = &f->cast};
    tr_packet *begun = snapshot(f);
    tr_recorder *recorder = NULL;
    assert_int_equal(tr_recorder_start(&def, f->stage, begun, &recorder), TR_OK);
    tr_packet *head = tr_recorder_take(recorder);
    run(f, recorder, STEPS);
    tr_recorder_flush(recorder);
    tr_packet *steps = tr_recorder_take(recorder);
    double hour = (double)head->size + (double)steps->size * HOUR / STEPS;
    print_message("a character-hour: %.0f bytes, %zu of them before the first step\n", hour,
                  head->size);
    assert_true(hour < 1e6);
    tr_packet_release(head);
    tr_packet_release(steps);
    tr_packet_release(begun);
    tr_recorder_destroy(recorder);
}
