#include "unit/db/fixture.h"

#include "db/store/rows.h"

#include "model/mjcf.h"

#include <stdlib.h>
#include <string.h>

TEST(text_and_model_come_back) {
    fixture *f = *given;
    size_t size, size_out = 0;
    OWN_MEMORY char *text = fixture_model_text(&size), *out = NULL;
    OWN(tr_model) *parsed = NULL, *model = NULL;
    tr_model_row row;
    tr_row_id id = fixture_put_model(f, "humanoid");
    fixture_reopen(f);

    assert_ok(tr_models_text(f->catalogue, id, &out, &size_out, &f->error));
    assert_int_equal(size, size_out);
    assert_memory_equal(text, out, size);
    assert_int_equal(0, out[size]);
    assert_ok(tr_mjcf_parse(text, size, "humanoid", &parsed, &f->error));
    assert_ok(tr_models_load(f->catalogue, id, &model, &f->error));
    assert_true(parsed->hash == model->hash);
    assert_ok(tr_models_find(f->catalogue, "humanoid", &row, &f->error));
    assert_int_equal(row.id, id);
    assert_int_equal(row.text_size, size);
    assert_int_equal(row.body_count, model->body_count);
    assert_int_equal(row.dof_count, model->dof_count);
}

TEST(equal_content_is_accepted_other_content_of_a_name_is_refused) {
    fixture *f = *given;
    size_t size;
    OWN_MEMORY char *text = fixture_model_text(&size);
    tr_row_id id = fixture_put_model(f, "humanoid"), other = 0;
    assert_int_equal(id, fixture_put_model(f, "humanoid"));
    text[size - 1] = ' '; /* was a line feed: the same model in other bytes */
    assert_status(TR_ALREADY_EXISTS,
                  tr_models_put(f->catalogue, "humanoid", text, size, &other, &f->error));
    assert_non_null(strstr(f->error.message, "humanoid"));
    assert_int_equal(0, other);
    assert_true(fixture_put_model(f, "twin") != id);
}

TEST(what_is_no_model_is_refused) {
    fixture *f = *given;
    tr_row_id id = 0;
    size_t size;
    OWN_MEMORY char *text = fixture_model_text(&size);
    static const char broken[] = "<mujoco><worldbody>", latin[] = "<mujoco model=\"K\xf6rper\"/>";
    assert_status(TR_INVALID_ARGUMENT,
                  tr_models_put(f->catalogue, "m", broken, strlen(broken), &id, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_models_put(f->catalogue, "m", latin, strlen(latin), &id, &f->error));
    assert_status(TR_INVALID_ARGUMENT, tr_models_put(f->catalogue, "m", "", 0, &id, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_models_put(f->catalogue, " m", text, size, &id, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_models_put(f->catalogue, "m", text, TR_MODEL_TEXT_MAX + 1u, &id, &f->error));
    tr_catalogue_summary summary;
    assert_ok(tr_catalogue_summarize(f->catalogue, &summary, &f->error));
    assert_int_equal(0, summary.models);
}

TEST(lists_page_by_name) {
    fixture *f = *given;
    tr_model_row rows[4];
    int count = 2;
    const char *const names[] = {"c", "a2", "a1", "b"};
    for (int i = 0; i < 4; i++)
        fixture_put_model(f, names[i]);
    assert_ok(tr_models_list(f->catalogue, &(tr_model_filter){0}, rows, &count, &f->error));
    assert_int_equal(2, count);
    assert_string_equal("a1", rows[0].name);
    assert_string_equal("a2", rows[1].name);
    count = 4;
    tr_model_filter next = {.after = "a2"}, prefix = {.prefix = "a"};
    assert_ok(tr_models_list(f->catalogue, &next, rows, &count, &f->error));
    assert_int_equal(2, count);
    assert_string_equal("c", rows[1].name);
    count = 4;
    assert_ok(tr_models_list(f->catalogue, &prefix, rows, &count, &f->error));
    assert_int_equal(2, count);
    count = 0;
    assert_status(TR_INVALID_ARGUMENT,
                  tr_models_list(f->catalogue, &(tr_model_filter){0}, rows, &count, &f->error));
}

TEST(a_name_too_long_to_be_there_is_not_repeated) {
    fixture *f = *given;
    tr_model_row row;
    char name[400] = "a";
    while (strlen(name) < 300)
        strcat(name, "ö");
    assert_status(TR_NOT_FOUND, tr_models_find(f->catalogue, name, &row, &f->error));
    assert_null(strstr(f->error.message, "ö")); /* of which it could hold half a one */
    assert_non_null(strstr(f->error.message, "47"));
}

TEST(a_needed_model_is_not_removed) {
    fixture *f = *given;
    tr_row_id model = fixture_put_model(f, "humanoid");
    tr_row_id controller = fixture_put_controller(f, "run", 1, model);
    assert_status(TR_FAILED_PRECONDITION,
                  tr_rows_remove(f->catalogue, TR_NOUN_MODEL, model, &f->error));
    assert_ok(tr_controllers_remove(f->catalogue, controller, &f->error));
    assert_ok(tr_rows_remove(f->catalogue, TR_NOUN_MODEL, model, &f->error));
    assert_status(TR_NOT_FOUND, tr_rows_remove(f->catalogue, TR_NOUN_MODEL, model, &f->error));
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
