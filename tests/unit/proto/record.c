/* Records: structs and messages copied by tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/record.h"

#include <string.h>
#include <troupe/envelope.pb-c.h>

typedef struct shape {
    uint32_t kind;
    double size[3], rot[4], friction;
} shape;

typedef struct thing {
    const char *name;
    int shape_count;
    const shape *shapes;
    float density;
    double pos[3];
} thing;

static const tr_record_field shape_fields[] = {
    TR_COPY(shape, Troupe__Geom, kind), TR_COPY(shape, Troupe__Geom, size),
    TR_COPY(shape, Troupe__Geom, rot), TR_COPY(shape, Troupe__Geom, friction), TR_RECORD_END};
static const tr_record shape_record = TR_RECORD(shape, troupe__geom, shape_fields);

static const tr_record_field thing_fields[] = {
    TR_COPY(thing, Troupe__SpawnObject, name), TR_COPY(thing, Troupe__SpawnObject, density),
    TR_COPY(thing, Troupe__SpawnObject, pos),
    TR_COPY_LIST(thing, shape_count, shapes, Troupe__SpawnObject, geoms, shape_record),
    TR_RECORD_END};
static const tr_record thing_record = TR_RECORD(thing, troupe__spawn_object, thing_fields);

static void test_what_is_written_is_read_again(void **state) {
    (void)state;
    const shape shapes[2] = {{.kind = 1, .size = {1, 2, 3}, .rot = {0, 1, 0, 0}, .friction = 0.5},
                             {.kind = 3}};
    const thing from = {
        .name = "ball", .shape_count = 2, .shapes = shapes, .density = 7, .pos = {4, 5, 6}};
    tr_record_memory memory = {0};
    const Troupe__SpawnObject *message = tr_record_write(&thing_record, &from, &memory);
    assert_non_null(message);
    assert_int_equal(message->n_geoms, 2);
    assert_true(message->geoms[1]->rot->w == 1); /* zeros are no rotation */
    assert_true(message->density == 7);

    thing out;
    memset(&out, 0xff, sizeof out);
    tr_record_read(&thing_record, message, &out, &memory);
    assert_string_equal(out.name, "ball");
    assert_int_equal(out.shape_count, 2);
    assert_memory_equal(&out.shapes[0], &shapes[0], sizeof shapes[0]);
    assert_true(out.density == 7);
    assert_memory_equal(out.pos, from.pos, sizeof out.pos);
    assert_false(memory.failed);
    tr_record_free(&memory);
}

static void test_an_absent_message_is_an_empty_one(void **state) {
    (void)state;
    tr_record_memory memory = {0};
    thing out = {.shape_count = 3, .density = 1, .pos = {1, 1, 1}};
    shape turned = {.rot = {0, 0, 0, 2}};
    tr_record_read(&thing_record, NULL, &out, &memory);
    tr_record_read(&shape_record, NULL, &turned, &memory);
    assert_string_equal(out.name, "");
    assert_int_equal(out.shape_count, 0);
    assert_null(out.shapes);
    assert_true(out.density == 0 && out.pos[2] == 0);
    assert_true(turned.rot[0] == 1 && turned.rot[3] == 0);
    assert_null(memory.blocks);
}

static void test_a_text_that_is_null_is_written_empty(void **state) {
    (void)state;
    tr_record_memory memory = {0};
    const thing from = {.name = NULL};
    const Troupe__SpawnObject *message = tr_record_write(&thing_record, &from, &memory);
    assert_non_null(message);
    assert_string_equal(message->name, "");
    assert_int_equal(message->n_geoms, 0);
    tr_record_free(&memory);
}

typedef struct columns {
    size_t count;
    const int64_t *iteration;
    const double *value;
} columns;

static const tr_record_field column_fields[] = {
    TR_COPY_ARRAY(columns, count, iteration, Troupe__RunMetric, iteration),
    TR_COPY_ARRAY(columns, count, value, Troupe__RunMetric, value), TR_RECORD_END};
static const tr_record column_record = TR_RECORD(columns, troupe__run_metric, column_fields);

static void test_columns_are_as_long_as_the_shortest(void **state) {
    (void)state;
    int64_t iteration[3] = {1, 2, 3};
    double value[2] = {0.5, 0.25};
    Troupe__RunMetric message = TROUPE__RUN_METRIC__INIT;
    message.n_iteration = 3, message.iteration = iteration;
    message.n_value = 2, message.value = value;
    tr_record_memory memory = {0};
    columns out = {0};
    tr_record_read(&column_record, &message, &out, &memory);
    assert_int_equal(out.count, 2);
    assert_ptr_equal(out.iteration, iteration);
}

/* Numbers keep their sign and range between types of different width. */
typedef struct numbers {
    int32_t parent;
    bool mirrored;
    double as_real;
} numbers;

static const tr_record_field number_fields[] = {
    TR_COPY(numbers, Troupe__ModelBody, parent),
    TR_COPY_AS(numbers, as_real, Troupe__ModelBody, parent), TR_RECORD_END};
static const tr_record number_record = TR_RECORD(numbers, troupe__model_body, number_fields);

static void test_numbers_keep_their_sign(void **state) {
    (void)state;
    Troupe__ModelBody message = TROUPE__MODEL_BODY__INIT;
    message.parent = -1;
    tr_record_memory memory = {0};
    numbers out = {0};
    tr_record_read(&number_record, &message, &out, &memory);
    assert_int_equal(out.parent, -1);
    assert_true(out.as_real == -1);
}

static void test_codes_out_of_the_list_are_unknown(void **state) {
    (void)state;
    assert_int_equal(tr_record_status(0), TR_OK);
    assert_int_equal(tr_record_status(5), TR_NOT_FOUND);
    assert_int_equal(tr_record_status(16), TR_UNAUTHENTICATED);
    assert_int_equal(tr_record_status(17), TR_UNKNOWN);
    assert_int_equal(tr_record_status((uint32_t)-5), TR_UNKNOWN);
    assert_int_equal(tr_record_status(UINT32_MAX), TR_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_read_again),
        cmocka_unit_test(test_an_absent_message_is_an_empty_one),
        cmocka_unit_test(test_a_text_that_is_null_is_written_empty),
        cmocka_unit_test(test_columns_are_as_long_as_the_shortest),
        cmocka_unit_test(test_numbers_keep_their_sign),
        cmocka_unit_test(test_codes_out_of_the_list_are_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
