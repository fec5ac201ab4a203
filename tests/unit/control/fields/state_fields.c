#include "cmocka_test.h"

#include "control/fields/state_fields.h"
#include "math/hash.h"

#include <math.h>

/* With padding before `large` and after `name`. */
typedef struct thing {
    bool flag;
    int whole[3];
    int64_t large;
    double number;
    char name[5];
} thing;

static const tr_state_field table[] = {
    TR_STATE_BOOL_FIELD(thing, flag),
    TR_STATE_INT_FIELD(thing, whole, -1, 7),
    TR_STATE_INT64_FIELD(thing, large, 0, TR_STATE_STEPS),
    TR_STATE_DOUBLE_FIELD(thing, number, -2, TR_STATE_ANY),
    TR_STATE_TEXT_FIELD(thing, name),
};
enum { COUNT = sizeof table / sizeof *table, SIZE = 1 + 12 + 8 + 8 + 5 };
enum { WHOLE = 1, LARGE = 13, NUMBER = 21, NAME = 29 }; /* where they lie in bytes */

static const thing example = {true, {-1, 0, 7}, INT64_C(1) << 40, -1.5, "abcd"};

static size_t write(const thing *from, unsigned char *out) {
    tr_byte_writer writer = {out, 0};
    tr_state_fields_write(table, COUNT, from, &writer);
    return writer.size;
}

static bool read(const unsigned char *bytes, size_t size, thing *out, const char **field) {
    tr_byte_reader source = {bytes, size, false};
    return tr_state_fields_read(table, COUNT, &source, out, field);
}

TEST(what_is_written_is_read) {
    unsigned char bytes[SIZE];
    thing back = {0};
    assert_int_equal(write(&example, NULL), SIZE);
    assert_int_equal(write(&example, bytes), SIZE);
    assert_true(read(bytes, SIZE, &back, NULL));
    assert_true(back.flag && back.whole[0] == -1 && back.whole[2] == 7);
    assert_true(back.large == example.large && back.number == -1.5);
    assert_string_equal(back.name, "abcd");
}

TEST(padding_is_neither_written_nor_hashed) {
    unsigned char one[SIZE], other[SIZE];
    thing noisy;
    memset(&noisy, 0xa5, sizeof noisy);
    noisy.flag = example.flag;
    memcpy(noisy.whole, example.whole, sizeof noisy.whole);
    noisy.large = example.large;
    noisy.number = example.number;
    memcpy(noisy.name, example.name, sizeof noisy.name);
    write(&example, one);
    write(&noisy, other);
    assert_memory_equal(one, other, SIZE);
    assert_true(tr_state_fields_hash(table, COUNT, &example, TR_HASH_START) ==
                tr_state_fields_hash(table, COUNT, &noisy, TR_HASH_START));
    noisy.whole[1]++;
    assert_true(tr_state_fields_hash(table, COUNT, &example, TR_HASH_START) !=
                tr_state_fields_hash(table, COUNT, &noisy, TR_HASH_START));
}

TEST(every_prefix_is_too_short) {
    unsigned char bytes[SIZE];
    thing back;
    write(&example, bytes);
    for (size_t size = 0; size < SIZE; size++) {
        const char *field = "untouched";
        assert_false(read(bytes, size, &back, &field));
        assert_null(field);
    }
}

static void expect_refused(size_t at, const void *bytes, size_t size, const char *name) {
    unsigned char all[SIZE];
    thing back;
    const char *field = NULL;
    write(&example, all);
    memcpy(all + at, bytes, size);
    assert_false(read(all, SIZE, &back, &field));
    assert_string_equal(field, name);
}

TEST(what_is_out_of_its_bounds_is_named) {
    const int low = -2, high = 8;
    const int64_t negative = -1;
    const double less = -2.5, bad[] = {(double)NAN, (double)INFINITY};
    expect_refused(0, &(unsigned char){2}, 1, "flag");
    expect_refused(WHOLE, &low, sizeof low, "whole");
    expect_refused(WHOLE + 8, &high, sizeof high, "whole");
    expect_refused(LARGE, &negative, sizeof negative, "large");
    expect_refused(NUMBER, &less, sizeof less, "number");
    expect_refused(NUMBER, &bad[0], sizeof bad[0], "number");
    expect_refused(NUMBER, &bad[1], sizeof bad[1], "number");
    expect_refused(NAME, "abcde", 5, "name");
    expect_refused(NAME, "a\0c\0", 5, "name"); /* something behind its end */
}
