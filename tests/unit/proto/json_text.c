#include "cmocka_test.h"

#include "proto/json_text.h"

#include <string.h>

static tr_status parse(const char *text, size_t size, json_t **out, tr_error *error) {
    return tr_json_parse(text, size, "file.json", out, error);
}

TEST(a_mark_and_a_trailing_ctrl_z_are_skipped) {
    static const char text[] = "\xEF\xBB\xBF{\"a\": 1}\r\n\x1A";
    json_t *root = NULL;
    tr_error error = {0};
    assert_int_equal(parse(text, sizeof text - 1, &root, &error), TR_OK);
    assert_int_equal(json_integer_value(json_object_get(root, "a")), 1);
    json_decref(root);
}

TEST(a_key_that_stands_twice_is_refused) {
    static const char text[] = "{\"a\": 1,\n \"a\": 2}";
    json_t *root = NULL;
    tr_error error = {0};
    assert_int_equal(parse(text, sizeof text - 1, &root, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "file.json:2: duplicate object key"));
}

TEST(an_unknown_key_is_refused_by_its_name) {
    tr_error error = {0};
    json_t *map = json_pack("{s:i, s:i}", "name", 1, "units", 2);
    assert_int_equal(tr_json_only(map, "name units", "map.json", "", &error), TR_OK);
    assert_int_equal(tr_json_only(map, "name unit", "map.json", "", &error), TR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "map.json: unknown key 'units'; did you mean 'unit'?");
    assert_int_equal(tr_json_only(map, "name parts", "map.json", "parts", &error),
                     TR_INVALID_ARGUMENT);
    assert_string_equal(error.message,
                        "map.json: parts: unknown key 'units'; known keys: name parts");
    json_decref(map);
    json_t *list = json_array();
    assert_int_equal(tr_json_only(list, "name", "map.json", "parts", &error), TR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "map.json: parts: expected an object { }");
    json_decref(list);
}

TEST(what_is_no_json_is_refused_with_its_line) {
    json_t *root = NULL;
    tr_error error = {0};
    assert_int_equal(parse("{", 1, &root, &error), TR_INVALID_ARGUMENT);
    assert_int_equal(parse("\xFF\xFE{\0", 4, &root, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "UTF-16"));
    assert_int_equal(tr_json_load("/no/such", 10, &root, &error), TR_NOT_FOUND);
    assert_int_equal(tr_json_load(TR_SOURCE_DIR "/CMakePresets.json", 1 << 20, &root, &error),
                     TR_OK);
    json_decref(root);
    assert_int_equal(tr_json_only(NULL, "name", "map.json", "", &error), TR_INVALID_ARGUMENT);
}
