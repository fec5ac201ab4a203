/* clang-format off */
#include "cmocka_test.h"
/* clang-format on */

#include "proto/message.h"
#include "proto/limits.h"
#include "troupe/envelope.pb-c.h"

#include <protobuf-c/protobuf-c.h>
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
    OWN_MEMORY uint8_t *bytes = malloc(3 * MANY);
    Troupe__ClientMessage *got = NULL;
    size_t size = write_swelling(bytes, FEW);
    assert_int_equal(decode(bytes, size, &got), TR_OK);
    assert_int_equal(got->create_world->scene->n_scenery, FEW);
    tr_message_destroy(&got->base);
    size = write_swelling(bytes, MANY);
    assert_true(size < (size_t)TR_FRAME_CLIENT_MAX);
    assert_int_equal(decode(bytes, size, &got), TR_RESOURCE_EXHAUSTED);
}

TEST(the_largest_snapshot_fits_into_a_frame) {
    OWN_MEMORY uint8_t *data = calloc(1, TR_SNAPSHOT_MAX);
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

/* --- every field of every message --- */

/* A message with each field once, repeated ones twice, written by its descriptor. The text number `wrong` has
 * `byte` in it. */
typedef struct filler {
    uint8_t bytes[1 << 17];
    size_t size;
    int texts, wrong;
    char byte;
} filler;

static void put_varint(filler *f, uint64_t value) {
    for (; value > 0x7f; value >>= 7)
        f->bytes[f->size++] = (uint8_t)(value | 0x80);
    f->bytes[f->size++] = (uint8_t)value;
}

static void fill(filler *f, const ProtobufCMessageDescriptor *type);

/* The content of a message, moved behind its length. */
static void put_inner(filler *f, const ProtobufCMessageDescriptor *type) {
    const size_t begin = f->size;
    f->size += 3;
    fill(f, type);
    const size_t size = f->size - begin - 3;
    assert_true(size < 1 << 21);
    for (int i = 0; i < 3; i++)
        f->bytes[begin + (size_t)i] = (uint8_t)((size >> (7 * i) & 0x7f) | (i < 2 ? 0x80 : 0));
}

static void put_field(filler *f, const ProtobufCFieldDescriptor *field) {
    const bool is_wide =
        field->type == PROTOBUF_C_TYPE_DOUBLE || field->type == PROTOBUF_C_TYPE_FIXED64;
    if (is_wide || field->type == PROTOBUF_C_TYPE_FLOAT) {
        put_varint(f, field->id << 3 | (is_wide ? 1 : 5));
        f->size += is_wide ? 8 : 4;
    } else if (field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_BYTES) {
        put_varint(f, field->id << 3 | 2);
        put_varint(f, 3);
        memcpy(f->bytes + f->size, "abc", 3);
        if (field->type == PROTOBUF_C_TYPE_STRING && f->texts++ == f->wrong)
            f->bytes[f->size + 1] = (uint8_t)f->byte;
        f->size += 3;
    } else if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        put_varint(f, field->id << 3 | 2);
        put_inner(f, field->descriptor);
    } else {
        put_varint(f, field->id << 3);
        put_varint(f, UINT64_MAX);
    }
}

static void fill(filler *f, const ProtobufCMessageDescriptor *type) {
    for (unsigned i = 0; i < type->n_fields; i++)
        for (int k = type->fields[i].label == PROTOBUF_C_LABEL_REPEATED ? 2 : 1; k > 0; k--)
            put_field(f, &type->fields[i]);
}

static tr_status decode_filled(filler *f, const ProtobufCMessageDescriptor *type, int wrong,
                               char byte) {
    ProtobufCMessage *message = NULL;
    memset(f, 0, sizeof *f);
    f->wrong = wrong;
    f->byte = byte;
    fill(f, type);
    tr_status status = tr_message_decode(type, f->bytes, f->size, &message);
    if (!status)
        assert_true(tr_message_memory(message) >= type->sizeof_message);
    tr_message_destroy(message);
    return status;
}

/* Of a oneof the last is kept, and the others are walked all the same. */
static void expect_checked(filler *f, const ProtobufCMessageDescriptor *type) {
    if (decode_filled(f, type, -1, 0))
        fail_msg("%s: refused", type->name);
    const int texts = f->texts;
    const size_t size = f->size;
    for (int i = 0; i < texts; i++) {
        if (decode_filled(f, type, i, '\0') != TR_INVALID_ARGUMENT)
            fail_msg("%s: text %d of %d may have a zero", type->name, i, texts);
        (void)decode_filled(f, type, i, '\xff');
    }
    (void)decode_filled(f, type, -1, 0);
    for (size_t cut = 0; cut < size; cut += 1 + size / 500) {
        ProtobufCMessage *message = NULL;
        if (!tr_message_decode(type, f->bytes, cut, &message))
            tr_message_destroy(message);
    }
}

TEST(every_message_is_checked_in_every_field) {
    OWN_MEMORY filler *f = malloc(sizeof *f);
    assert_non_null(f);
    const ProtobufCMessageDescriptor *const outer[] = {&troupe__client_message__descriptor,
                                                       &troupe__server_message__descriptor};
    for (int o = 0; o < 2; o++)
        for (unsigned i = 0; i < outer[o]->n_fields; i++)
            if (outer[o]->fields[i].type == PROTOBUF_C_TYPE_MESSAGE)
                expect_checked(f, outer[o]->fields[i].descriptor);
}

TEST(an_empty_text_has_no_zero) {
    static const uint8_t bytes[] = {0x0a, 0};
    ProtobufCMessage *message = NULL;
    assert_int_equal(tr_message_decode(&troupe__clip__descriptor, bytes, 2, &message), TR_OK);
    tr_message_destroy(message);
}
