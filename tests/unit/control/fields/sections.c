#include "cmocka_test.h"

#include "control/fields/sections.h"

#include <math.h>

static const double numbers[] = {1.5, -0.0, 1e-300};

static tr_sections make(void) {
    tr_sections sections = {0};
    tr_section_writer writer = tr_section_begin(&sections, "one");
    tr_section_put_int(&writer, -7);
    tr_section_put_doubles(&writer, numbers, 3);
    tr_section_put_text(&writer, "walk");
    tr_section_put_int(&writer, true);
    assert_int_equal(tr_section_end(&writer, NULL), TR_OK);
    writer = tr_section_begin(&sections, "two");
    assert_int_equal(tr_section_end(&writer, NULL), TR_OK);
    return sections;
}

static tr_status read_all(const tr_sections *sections, int64_t low, size_t text, tr_error *error) {
    double back[3];
    char name[16];
    tr_section_reader reader = tr_section_open(sections, "one");
    int64_t whole = tr_section_get_int(&reader, low, 0);
    tr_section_get_doubles(&reader, back, 3);
    tr_section_get_text(&reader, name, text);
    bool flag = tr_section_get_bool(&reader);
    tr_status status = tr_section_close(&reader, error);
    if (!status) {
        assert_true(whole == -7 && flag);
        assert_memory_equal(back, numbers, sizeof numbers);
        assert_string_equal(name, "walk");
    }
    return status;
}

TEST(what_is_written_is_read) {
    tr_sections sections = make();
    assert_int_equal(sections.count, 2);
    assert_int_equal(sections.section[0].size, 8 + 3 * 8 + 8 + 4 + 8);
    assert_int_equal(sections.section[1].size, 0);
    assert_int_equal(read_all(&sections, -7, 16, NULL), TR_OK);
    tr_sections_deinit(&sections);
    assert_int_equal(sections.count, 0);
}

TEST(what_is_wrong_is_data_loss_and_named) {
    OWN_BY(tr_sections_deinit) tr_sections sections = make();
    tr_section *one = &sections.section[0];
    tr_error error = {0};
    assert_int_equal(read_all(&sections, -6, 16, &error), TR_DATA_LOSS); /* below its bound */
    assert_int_equal(read_all(&sections, -7, 4, &error), TR_DATA_LOSS);  /* text too long */
    for (size_t size = one->size; one->size-- > 0;)
        assert_true(size && read_all(&sections, -7, 16, &error) == TR_DATA_LOSS);
    assert_non_null(strstr(error.message, "section 'one': cut short"));
    one->size = 8 + 3 * 8 + 8 + 4 + 8;
    double bad = (double)NAN;
    memcpy(one->bytes + 16, &bad, sizeof bad);
    assert_int_equal(read_all(&sections, -7, 16, &error), TR_DATA_LOSS);
    memcpy(one->bytes + 16, &numbers[1], sizeof bad);
    one->bytes[8 + 3 * 8 + 8 + 1] = 0; /* a zero inside a text */
    assert_int_equal(read_all(&sections, -7, 16, &error), TR_DATA_LOSS);
    one->bytes[8 + 3 * 8 + 8 + 1] = 'a';
    assert_int_equal(read_all(&sections, -7, 16, &error), TR_OK);
    tr_section_reader reader = tr_section_open(&sections, "one");
    assert_int_equal(tr_section_close(&reader, &error), TR_DATA_LOSS);
    assert_non_null(strstr(error.message, "52 bytes too many"));
    reader = tr_section_open(&sections, "three");
    assert_true(tr_section_get_double(&reader) == 0);
    assert_int_equal(tr_section_close(&reader, &error), TR_DATA_LOSS);
    assert_non_null(strstr(error.message, "section 'three': missing"));
}

TEST(what_cannot_be_kept_is_refused) {
    OWN_BY(tr_sections_deinit) tr_sections sections = make();
    const double bad = (double)INFINITY;
    tr_section_writer writer = tr_section_begin(&sections, "one");
    assert_int_equal(tr_section_end(&writer, NULL), TR_INVALID_ARGUMENT); /* is there already */
    writer = tr_section_begin(&sections, "");
    assert_int_equal(tr_section_end(&writer, NULL), TR_INVALID_ARGUMENT);
    writer = tr_section_begin(&sections, "a name of more than forty-seven bytes, which is t");
    assert_int_equal(tr_section_end(&writer, NULL), TR_INVALID_ARGUMENT);
    writer = tr_section_begin(&sections, "three");
    tr_section_put_doubles(&writer, &bad, 1);
    assert_int_equal(tr_section_end(&writer, NULL), TR_INVALID_ARGUMENT);
    char name[TR_NAME_MAX] = "n00";
    for (; sections.count < TR_SECTION_MAX; name[1]++)
        for (name[2] = '0'; name[2] <= '9' && sections.count < TR_SECTION_MAX; name[2]++) {
            writer = tr_section_begin(&sections, name);
            assert_int_equal(tr_section_end(&writer, NULL), TR_OK);
        }
    writer = tr_section_begin(&sections, "last");
    assert_int_equal(tr_section_end(&writer, NULL), TR_RESOURCE_EXHAUSTED);
}

TEST(a_section_is_no_larger_than_its_limit) {
    enum { PART = 1 << 20 };
    static unsigned char part[PART];
    OWN_BY(tr_sections_deinit) tr_sections sections = {0};
    tr_section_writer writer = tr_section_begin(&sections, "large");
    for (int i = 0; i < TR_SECTION_SIZE_MAX / PART; i++)
        tr_section_put_bytes(&writer, part, PART);
    assert_int_equal(writer.status, TR_OK);
    tr_section_put_bytes(&writer, part, 1);
    assert_int_equal(tr_section_end(&writer, NULL), TR_RESOURCE_EXHAUSTED);
}
