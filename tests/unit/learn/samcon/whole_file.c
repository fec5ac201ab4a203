#include "cmocka_test.h"

#include "learn/method/whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/troupe-whole-file-XXXXXX";
static char path[64], below[80];

FIXTURE(make_folder) {
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(below, sizeof below, "%s/below", path);
}

FIXTURE(remove_folder) {
    (void)unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

static void assert_content(const char *expected) {
    OWN_MEMORY char *data = NULL;
    size_t size = 0;
    tr_error error = {0};
    assert_int_equal(tr_whole_file_read(path, 0, 100, &data, &size, &error), TR_OK);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(data, expected);
}

TEST(what_is_written_is_read) {
    tr_error error = {0};
    assert_int_equal(tr_whole_file_write(path, "first one", 9, &error), TR_OK);
    assert_content("first one");
    assert_int_equal(tr_whole_file_write(path, "two", 3, &error), TR_OK);
    assert_content("two");
    assert_int_equal(tr_whole_file_write(path, "", 0, &error), TR_OK);
    assert_content("");
}

/* A file that exists but cannot be opened is not a missing one: a resumed training must not start
 * again and write over it. */
TEST(only_a_missing_file_is_not_found) {
    char *data = NULL;
    size_t size = 0;
    tr_error error = {0};
    assert_int_equal(tr_whole_file_write(path, "old", 3, &error), TR_OK);
    assert_int_equal(tr_whole_file_read(below, 0, 9, &data, &size, &error), TR_UNAVAILABLE);
    assert_non_null(strstr(error.message, below));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(tr_whole_file_read(path, 0, 9, &data, &size, &error), TR_NOT_FOUND);
    assert_null(data);
}

TEST(other_sizes_are_refused) {
    char *data = NULL;
    size_t size = 0;
    tr_error error = {0};
    assert_int_equal(tr_whole_file_write(path, "12345", 5, &error), TR_OK);
    assert_int_equal(tr_whole_file_read(path, 6, 9, &data, &size, &error), TR_DATA_LOSS);
    assert_int_equal(tr_whole_file_read(path, 1, 4, &data, &size, &error), TR_RESOURCE_EXHAUSTED);
    assert_int_equal(tr_whole_file_read(folder, 1, 9, &data, &size, &error), TR_UNAVAILABLE);
    assert_non_null(strstr(error.message, "a folder; expected a file"));
    assert_null(data);
}

TEST(a_seal_finds_every_flipped_bit) {
    char block[4 + TR_SEAL_SIZE];
    char *end = tr_block_seal(block, tr_block_put(block, "abcd", 4));
    assert_ptr_equal(end, block + sizeof block);
    assert_true(tr_block_whole(block, sizeof block));
    for (size_t bit = 0; bit < 8 * sizeof block; bit++) {
        block[bit / 8] = (char)(block[bit / 8] ^ (1 << bit % 8));
        assert_false(tr_block_whole(block, sizeof block));
        block[bit / 8] = (char)(block[bit / 8] ^ (1 << bit % 8));
    }
}

SUITE_FIXTURE(make_folder, remove_folder);
