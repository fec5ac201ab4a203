/* clang-format off */
#include "cmocka_test.h"
/* clang-format on */

#include "proto/message.h"
#include "proto/limits.h"
#include "troupe/envelope.pb-c.h"

#include <stdlib.h>
#include <string.h>

static tr_status decode(const uint8_t *data, size_t size, Troupe__ClientMessage **out) {
    ProtobufCMessage *message = NULL;
    tr_status status = tr_message_decode(&troupe__client_message__descriptor, data, size, &message);
    *out = (Troupe__ClientMessage *)message;
    return status;
}

/* --- texts --- */

TEST(a_text_that_is_not_utf8_is_refused_however_deep) {
    Troupe__SpawnCharacter spawn = TROUPE__SPAWN_CHARACTER__INIT;
    char label[] = "ok";
    spawn.label = label;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    command.command_case = TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER;
    command.spawn_character = &spawn;
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT;
    message.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND;
    message.command = &command;
    uint8_t bytes[64];
    size_t size = protobuf_c_message_pack(&message.base, bytes);
    Troupe__ClientMessage *got = NULL;
    assert_int_equal(decode(bytes, size, &got), TR_OK);
    assert_string_equal(got->command->spawn_character->label, "ok");
    tr_message_destroy(&got->base);
    label[1] = '\xff';
    size = protobuf_c_message_pack(&message.base, bytes);
    assert_int_equal(decode(bytes, size, &got), TR_INVALID_ARGUMENT);
    assert_null(got);
}

/* protobuf-c would cut it there, and "a\0b" would be another name for "a". */
TEST(a_text_with_a_zero_byte_is_refused_however_deep) {
    char label[] = "a.b";
    uint8_t bytes[64];
    Troupe__SpawnCharacter spawn = TROUPE__SPAWN_CHARACTER__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT, *got = NULL;
    spawn.label = label;
    command.command_case = TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER;
    command.spawn_character = &spawn;
    message.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND;
    message.command = &command;
    size_t size = protobuf_c_message_pack(&message.base, bytes);
    assert_int_equal(decode(bytes, size, &got), TR_OK);
    tr_message_destroy(&got->base);
    got = NULL;
    uint8_t *dot = memchr(bytes, '.', size);
    assert_non_null(dot);
    *dot = 0;
    assert_int_equal(decode(bytes, size, &got), TR_INVALID_ARGUMENT);
    assert_null(got);
}

/* --- memory --- */

/* create_world { scene { scenery {} ... } }: two bytes on the wire, over a hundred in memory. */
static size_t write_swelling(uint8_t *out, size_t count) {
    Troupe__Scenery empty = TROUPE__SCENERY__INIT;
    Troupe__Scenery **pieces = calloc(count, sizeof *pieces);
    for (size_t i = 0; i < count; i++)
        pieces[i] = &empty;
    Troupe__Scene scene = TROUPE__SCENE__INIT;
    scene.n_scenery = count;
    scene.scenery = pieces;
    Troupe__CreateWorld create = TROUPE__CREATE_WORLD__INIT;
    create.scene = &scene;
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT;
    message.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_CREATE_WORLD;
    message.create_world = &create;
    size_t size = protobuf_c_message_pack(&message.base, out);
    free((void *)pieces);
    return size;
}

TEST(a_message_that_swells_is_refused) {
    enum { MANY = 1000000, FEW = 256 };
    uint8_t *bytes = malloc(3 * MANY);
    Troupe__ClientMessage *got = NULL;
    size_t size = write_swelling(bytes, FEW);
    assert_int_equal(decode(bytes, size, &got), TR_OK);
    assert_int_equal(got->create_world->scene->n_scenery, FEW);
    tr_message_destroy(&got->base);
    size = write_swelling(bytes, MANY);
    assert_true(size < (size_t)TR_FRAME_CLIENT_MAX);
    assert_int_equal(decode(bytes, size, &got), TR_RESOURCE_EXHAUSTED);
    free(bytes);
}

TEST(the_largest_snapshot_fits_into_a_frame) {
    uint8_t *data = calloc(1, TR_SNAPSHOT_MAX);
    Troupe__Restore restore = TROUPE__RESTORE__INIT;
    restore.data.data = data;
    restore.data.len = TR_SNAPSHOT_MAX;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    command.world = UINT32_MAX;
    command.at_tick = INT64_MAX;
    command.command_case = TROUPE__COMMAND__COMMAND_RESTORE;
    command.restore = &restore;
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT;
    message.request_id = UINT64_MAX;
    message.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND;
    message.command = &command;
    uint8_t *frame = NULL;
    size_t size = 0;
    assert_int_equal(tr_message_frame(&message.base, TR_FRAME_CLIENT_MAX, &frame, &size), TR_OK);
    Troupe__ClientMessage *got = NULL;
    assert_int_equal(decode(frame + 4, size - 4, &got), TR_OK);
    assert_int_equal(got->command->restore->data.len, TR_SNAPSHOT_MAX);
    tr_message_destroy(&got->base);
    free(frame);
    assert_int_equal(tr_message_frame(&message.base, TR_SNAPSHOT_MAX, &frame, &size),
                     TR_OUT_OF_RANGE);
    free(data);
}

/* --- unknown fields --- */

TEST(fields_of_a_newer_peer_are_passed_over) {
    static const uint8_t bytes[] = {0x08, 0x07, 0x5a, 0x00, 0xba,
                                    0x3e, 0x02, 'h',  'i'}; /* id 7, ping {}, field 999 */
    Troupe__ClientMessage *got = NULL;
    assert_int_equal(decode(bytes, sizeof bytes, &got), TR_OK);
    assert_int_equal(got->request_id, 7);
    assert_int_equal(got->request_case, TROUPE__CLIENT_MESSAGE__REQUEST_PING);
    assert_int_equal(got->base.n_unknown_fields, 0);
    tr_message_destroy(&got->base);
}

TEST(memory_counts_all_that_a_message_holds) {
    Troupe__Vec3 force = TROUPE__VEC3__INIT;
    Troupe__Push push = TROUPE__PUSH__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    double offset[3] = {0};
    Troupe__SetOffset set = TROUPE__SET_OFFSET__INIT;
    size_t bare = tr_message_memory(&command.base);
    assert_int_equal(bare, sizeof command);
    command.command_case = TROUPE__COMMAND__COMMAND_PUSH;
    command.push = &push;
    push.body = (char *)"lfoot";
    push.force = &force;
    assert_int_equal(tr_message_memory(&command.base),
                     sizeof command + sizeof push + sizeof "lfoot" + sizeof force);
    set.n_offset = 3;
    set.offset = offset;
    assert_int_equal(tr_message_memory(&set.base), sizeof set + sizeof offset);
}

TEST(an_empty_message_holds_no_request) {
    Troupe__ClientMessage *got = NULL;
    assert_int_equal(decode((const uint8_t *)"", 0, &got), TR_OK);
    assert_int_equal(got->request_case, TROUPE__CLIENT_MESSAGE__REQUEST__NOT_SET);
    tr_message_destroy(&got->base);
    tr_message_destroy(NULL);
}

/* A choice by type needs each type once. */
static void assert_types_are_unique(const ProtobufCMessageDescriptor *message) {
    for (unsigned i = 0; i < message->n_fields; i++)
        for (unsigned k = 0; k < i; k++)
            if (message->fields[i].flags & message->fields[k].flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
                assert_ptr_not_equal(message->fields[i].descriptor, message->fields[k].descriptor);
}

TEST(test_a_message_chooses_its_place_by_its_type) {
    Troupe__ClientMessage message = TROUPE__CLIENT_MESSAGE__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    Troupe__Throw throw = TROUPE__THROW__INIT;
    tr_message_choose(&command.base, &throw.base);
    tr_message_choose(&message.base, &command.base);
    assert_int_equal(message.request_case, TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND);
    assert_ptr_equal(message.command, &command);
    assert_int_equal(command.command_case, TROUPE__COMMAND__COMMAND_THROW);
    assert_ptr_equal(command.throw_, &throw);
    assert_types_are_unique(&troupe__client_message__descriptor);
    assert_types_are_unique(&troupe__command__descriptor);
    assert_types_are_unique(&troupe__order__descriptor);
}
