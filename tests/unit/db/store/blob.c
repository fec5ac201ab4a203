#include "cmocka_test.h"

#include "db/store/blob.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double values[3] = {1.0, -0.0, 5e-324};

static tr_blob sample(void) {
    tr_blob blob = {0};
    tr_blob_writer writer = tr_blob_begin(TR_BLOB_STATE, 1, 4 + sizeof values);
    tr_blob_put_int(&writer, 0x01020304);
    tr_blob_put_doubles(&writer, values, 3);
    assert_int_equal(TR_OK, tr_blob_seal(&writer, &blob, NULL));
    return blob;
}

static tr_status read_sample(const uint8_t *data, size_t size, double *out) {
    tr_error error;
    tr_blob_reader reader = tr_blob_open((tr_blob_view){data, size}, TR_BLOB_STATE, 1, &error);
    tr_blob_get_int(&reader, 0, 0x7fffffff);
    tr_blob_get_doubles(&reader, out, 3);
    return tr_blob_close(&reader);
}

TEST(the_layout_matches_the_header) {
    static const uint8_t expected[] = {'T', 'R', 'U', 'P', 3, 0, 1, 0, 28, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t payload[] = {4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
    OWN_BY(tr_blob_deinit) tr_blob blob = sample();
    assert_int_equal(blob.size, TR_BLOB_HEADER_SIZE + 28);
    assert_memory_equal(blob.data, expected, sizeof expected);
    assert_memory_equal(blob.data + TR_BLOB_HEADER_SIZE, payload, sizeof payload);
}

TEST(doubles_keep_their_bits) {
    double out[3];
    OWN_BY(tr_blob_deinit) tr_blob blob = sample();
    assert_int_equal(TR_OK, read_sample(blob.data, blob.size, out));
    assert_memory_equal(out, values, sizeof values);
}

TEST(every_changed_byte_is_noticed) {
    double out[3];
    OWN_BY(tr_blob_deinit) tr_blob blob = sample();
    for (size_t i = 0; i < blob.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            blob.data[i] ^= (uint8_t)(1 << bit);
            assert_int_equal(TR_DATA_LOSS, read_sample(blob.data, blob.size, out));
            blob.data[i] ^= (uint8_t)(1 << bit);
        }
}

TEST(every_cut_is_noticed) {
    double out[3];
    OWN_BY(tr_blob_deinit) tr_blob blob = sample();
    for (size_t size = 0; size < blob.size; size++) {
        OWN_MEMORY uint8_t *cut =
            malloc(size + 1); /* exact, so that a sanitizer sees a read past it */
        memcpy(cut, blob.data, size);
        assert_int_equal(TR_DATA_LOSS, read_sample(cut, size, out));
    }
}

TEST(counts_and_versions_are_bounded) {
    tr_error error;
    double out[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    OWN_BY(tr_blob_deinit) tr_blob blob = sample();
    tr_blob_reader reader = tr_blob_open(tr_blob_look(&blob), TR_BLOB_STATE, 1, &error);
    assert_int_equal(0, tr_blob_get_int(&reader, 0, 5));
    assert_int_equal(TR_DATA_LOSS, tr_blob_close(&reader));

    reader = tr_blob_open(tr_blob_look(&blob), TR_BLOB_STATE, 1, &error);
    tr_blob_get_doubles(&reader, out, 8);
    assert_true(out[7] == 0);
    assert_int_equal(TR_DATA_LOSS, tr_blob_close(&reader));

    reader = tr_blob_open(tr_blob_look(&blob), TR_BLOB_STATE, 1, &error);
    assert_int_equal(TR_DATA_LOSS, tr_blob_close(&reader)); /* not read to its end */

    reader = tr_blob_open(tr_blob_look(&blob), TR_BLOB_STATE, 2, &error);
    assert_int_equal(TR_UNIMPLEMENTED, tr_blob_close(&reader));
    assert_non_null(strstr(error.message, "version"));
}

TEST(numbers_that_are_not_finite_are_not_sealed) {
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        tr_blob blob = {0};
        tr_blob_writer writer = tr_blob_begin(TR_BLOB_STATE, 1, 8);
        tr_blob_put_doubles(&writer, &bad[i], 1);
        assert_int_equal(TR_INVALID_ARGUMENT, tr_blob_seal(&writer, &blob, NULL));
        assert_null(blob.data);
    }
}
