#include "unit/db/fixture.h"

#include "model/mjcf.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void expect_same_state(const tr_state *a, const tr_state *b, int bodies) {
    size_t count = (size_t)bodies;
    assert_memory_equal(&a->pose.root_pos, &b->pose.root_pos, sizeof a->pose.root_pos);
    assert_memory_equal(&a->pose.root_rot, &b->pose.root_rot, sizeof a->pose.root_rot);
    assert_memory_equal(a->pose.joint, b->pose.joint, count * sizeof *a->pose.joint);
    assert_memory_equal(&a->root_vel, &b->root_vel, sizeof a->root_vel);
    assert_memory_equal(&a->root_omega, &b->root_omega, sizeof a->root_omega);
    assert_memory_equal(a->joint_rate, b->joint_rate, count * sizeof *a->joint_rate);
}

static void expect_same(const tr_controller *a, const tr_controller *b, int bodies) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->skill, b->skill);
    assert_string_equal(a->model_name, b->model_name);
    assert_string_equal(tr_controller_bank(a)->gain_set, tr_controller_bank(b)->gain_set);
    assert_true(a->model_hash == b->model_hash);
    assert_memory_equal(&a->step_s, &b->step_s, sizeof a->step_s);
    assert_int_equal(tr_controller_bank(a)->cyclic, tr_controller_bank(b)->cyclic);
    assert_int_equal(tr_controller_bank(a)->mirrored, tr_controller_bank(b)->mirrored);
    assert_memory_equal(&tr_controller_bank(a)->action, &tr_controller_bank(b)->action,
                        sizeof tr_controller_bank(a)->action);
    assert_int_equal(tr_controller_bank(a)->fragment_count, tr_controller_bank(b)->fragment_count);
    expect_same_state(&a->spawn, &b->spawn, bodies);
    for (int i = 0; i < tr_controller_bank(a)->fragment_count; i++) {
        const tr_fragment *x = &tr_controller_bank(a)->fragment[i],
                          *y = &tr_controller_bank(b)->fragment[i];
        assert_int_equal(x->steps, y->steps);
        assert_memory_equal(x->target, y->target, (size_t)(x->steps * bodies) * sizeof *x->target);
        assert_memory_equal(&x->policy, &y->policy, sizeof x->policy);
        expect_same_state(&x->start, &y->start, bodies);
        expect_same_state(&x->end, &y->end, bodies);
    }
}

TEST(a_stored_controller_is_read_to_the_bit) {
    fixture *f = *given;
    tr_row_id model_id = fixture_put_model(f, "humanoid");
    tr_row_id id = fixture_put_controller(f, "run", 11, model_id);
    fixture_reopen(f);
    OWN(tr_model) *model = NULL;
    OWN(tr_controller) *out = NULL;
    assert_ok(tr_models_load(f->catalogue, model_id, &model, &f->error));
    assert_ok(tr_controllers_load(f->catalogue, id, model, &out, &f->error));
    OWN(tr_controller) *put = fixture_controller(model, "run", 11);
    expect_same(put, out, model->body_count);
    assert_true(tr_controller_hash(put, model) == tr_controller_hash(out, model));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

TEST(rows_name_what_a_controller_depends_on) {
    fixture *f = *given;
    tr_row_id model = fixture_put_model(f, "humanoid");
    tr_row_id id = fixture_put_controller(f, "run", 1, model);
    tr_controller_row row;
    assert_ok(tr_controllers_find(f->catalogue, "run", &row, &f->error));
    assert_int_equal(id, row.id);
    assert_string_equal("humanoid", row.model_name);
    assert_string_equal("run", row.run_name);
    assert_string_equal("run", row.clip_name);
    assert_int_equal(3, row.fragment_count);
    assert_true(fabs(row.duration_s - 2 * 16 * 0.005) < 1e-12);
    tr_fragment_row fragments[3];
    int count = 2;
    assert_status(TR_INVALID_ARGUMENT,
                  tr_controllers_fragments(f->catalogue, id, fragments, &count, &f->error));
    count = 3;
    assert_ok(tr_controllers_fragments(f->catalogue, id, fragments, &count, &f->error));
    assert_int_equal(4, fragments[1].steps);
    assert_int_equal(2, fragments[2].position);
}

/* By its content under any name; with two names, the first; without a name, nothing. */
TEST(a_controller_is_found_by_its_content) {
    fixture *f = *given;
    tr_row_id model = fixture_put_model(f, "humanoid");
    tr_row_id walk = fixture_put_controller(f, "walk", 1, model);
    tr_row_id run = fixture_put_controller(f, "run", 2, model);
    tr_controller_row one, other, found;
    assert_ok(tr_controllers_get(f->catalogue, walk, &one, &f->error));
    assert_ok(tr_controllers_get(f->catalogue, run, &other, &f->error));
    assert_ok(tr_controllers_find_content(f->catalogue, &one.digest, &found, &f->error));
    assert_int_equal(walk, found.id);
    assert_ok(tr_controllers_find_content(f->catalogue, &other.digest, &found, &f->error));
    assert_int_equal(run, found.id);
    tr_row_id again = fixture_put_controller(f, "amble", 1, model);
    assert_ok(tr_controllers_find_content(f->catalogue, &one.digest, &found, &f->error));
    assert_int_equal(again, found.id);
    assert_string_equal("amble", found.name);
    assert_ok(tr_controllers_remove(f->catalogue, run, &f->error));
    assert_status(TR_NOT_FOUND,
                  tr_controllers_find_content(f->catalogue, &other.digest, &found, &f->error));
}

TEST(equal_fragments_are_kept_once) {
    fixture *f = *given;
    tr_row_id model_id = fixture_put_model(f, "humanoid");
    tr_row_id first = fixture_put_controller(f, "run", 1, model_id), second = 0;
    OWN(tr_model) *model = NULL;
    assert_ok(tr_models_load(f->catalogue, model_id, &model, &f->error));
    OWN(tr_controller) *chain = fixture_controller(model, "chain", 1);
    tr_controller_bank(chain)->cyclic = tr_controller_bank(chain)->mirrored = false;
    tr_controller_entry entry = {chain, model_id, 0, 0};
    assert_ok(tr_controllers_put(f->catalogue, &entry, &second, &f->error));
    tr_catalogue_summary summary;
    assert_ok(tr_catalogue_summarize(f->catalogue, &summary, &f->error));
    assert_int_equal(2, summary.controllers);
    assert_int_equal(3, summary.fragments);
    assert_ok(tr_controllers_remove(f->catalogue, first, &f->error));
    assert_ok(tr_catalogue_summarize(f->catalogue, &summary, &f->error));
    assert_int_equal(3, summary.fragments);
    tr_controller_row row;
    assert_ok(tr_controllers_get(f->catalogue, second, &row, &f->error));
    assert_int_equal(0, row.run_id);
    assert_string_equal("", row.clip_name);
    assert_ok(tr_controllers_remove(f->catalogue, second, &f->error));
    assert_ok(tr_catalogue_summarize(f->catalogue, &summary, &f->error));
    assert_int_equal(0, summary.fragments);
}

TEST(what_does_not_fit_leaves_nothing_behind) {
    fixture *f = *given;
    tr_row_id model_id = fixture_put_model(f, "humanoid"), id = 0;
    OWN(tr_model) *model = NULL;
    assert_ok(tr_models_load(f->catalogue, model_id, &model, &f->error));
    OWN(tr_controller) *controller = fixture_controller(model, "run", 1);
    tr_controller_entry entry = {controller, model_id, 0, 0};
    entry.run_id = 99;
    assert_status(TR_NOT_FOUND, tr_controllers_put(f->catalogue, &entry, &id, &f->error));
    entry.run_id = 0;
    entry.model_id = 99;
    assert_status(TR_NOT_FOUND, tr_controllers_put(f->catalogue, &entry, &id, &f->error));
    entry.model_id = model_id;
    tr_controller_bank(controller)->fragment[2].target[3].x = NAN;
    assert_true(tr_controllers_put(f->catalogue, &entry, &id, &f->error) != TR_OK);
    tr_controller_bank(controller)->fragment[2].target[3] = tr_quat_identity();
    controller->model_hash++;
    assert_true(tr_controllers_put(f->catalogue, &entry, &id, &f->error) != TR_OK);
    assert_int_equal(0, id);
    tr_catalogue_summary summary;
    assert_ok(tr_catalogue_summarize(f->catalogue, &summary, &f->error));
    assert_int_equal(0, summary.controllers);
    assert_int_equal(0, summary.fragments);
}

TEST(another_model_is_refused_on_loading) {
    fixture *f = *given;
    tr_row_id model_id = fixture_put_model(f, "humanoid");
    tr_row_id id = fixture_put_controller(f, "run", 1, model_id);
    OWN(tr_model) *other = NULL;
    tr_controller *out = NULL;
    assert_ok(tr_mjcf_load(TR_MODEL_DIR "/humanoid51.xml", &other, &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_controllers_load(f->catalogue, id, other, &out, &f->error));
    assert_null(out);
}

TEST(lists_are_filtered_and_paged) {
    fixture *f = *given;
    tr_row_id model = fixture_put_model(f, "humanoid");
    const char *const names[] = {"walk", "run", "run2", "kick"};
    for (int i = 0; i < 4; i++)
        fixture_put_controller(f, names[i], (uint64_t)i, model);
    tr_controller_row rows[4];
    int count = 4;
    tr_controller_filter filter = {.prefix = "run"};
    assert_ok(tr_controllers_list(f->catalogue, &filter, rows, &count, &f->error));
    assert_int_equal(2, count);
    assert_string_equal("run", rows[0].name);
    count = 4;
    tr_controller_filter by_run = {.run = rows[1].run_id, .model = model, .skill = "run_slow"};
    assert_ok(tr_controllers_list(f->catalogue, &by_run, rows, &count, &f->error));
    assert_int_equal(1, count);
    assert_string_equal("run2", rows[0].name);
    count = 2;
    tr_controller_filter after = {.after = "run"};
    assert_ok(tr_controllers_list(f->catalogue, &after, rows, &count, &f->error));
    assert_int_equal(2, count);
    assert_string_equal("walk", rows[1].name);
    count = 4;
    tr_controller_filter none = {.skill = "swim"};
    assert_ok(tr_controllers_list(f->catalogue, &none, rows, &count, &f->error));
    assert_int_equal(0, count);
}

TEST(a_damaged_row_is_reported_on_loading) {
    fixture *f = *given;
    tr_row_id model_id = fixture_put_model(f, "humanoid");
    tr_row_id id = fixture_put_controller(f, "run", 1, model_id);
    static const char *const damage[] = {
        "UPDATE controller SET skill = 'walk'",
        "UPDATE controller SET duration_s = 1.0",
        "UPDATE fragment SET step_s = 2 * step_s WHERE id = 2",
        "INSERT INTO controller_fragment SELECT controller, 3, fragment FROM controller_fragment "
        "WHERE position = 1",
        "UPDATE controller_fragment SET fragment = 1 WHERE position = 2",
        "DELETE FROM controller_fragment WHERE position = 1",
        "UPDATE fragment SET policy = zeroblob(length(policy)) WHERE id = 2",
        "UPDATE fragment SET steps = 3 WHERE id = 2",
        "UPDATE fragment SET start_state = end_state WHERE id = 3",
        "UPDATE controller SET spawn_state = substr(spawn_state, 1, 40)",
        "UPDATE model SET mjcf = mjcf || ' '",
    };
    size_t size;
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    OWN_MEMORY unsigned char *whole = fixture_read(f->path, &size);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        tr_model *model = NULL;
        tr_controller *out = NULL;
        fixture_write(f->path, whole, size);
        fixture_sql(f->path, damage[i]);
        fixture_reopen(f);
        tr_status status = tr_models_load(f->catalogue, model_id, &model, &f->error);
        if (!status)
            status = tr_controllers_load(f->catalogue, id, model, &out, &f->error);
        if (status != TR_DATA_LOSS)
            fail_msg("%s: %s", damage[i], tr_status_name(status));
        assert_null(out);
        assert_status(TR_DATA_LOSS, tr_catalogue_check(f->catalogue, &f->error));
        tr_model_destroy(model);
        tr_catalogue_close(f->catalogue);
        f->catalogue = NULL;
    }
}

/* A kind without fragments, by its sections alone. */
TEST(a_controller_without_a_bank_is_read_again) {
    fixture *f = *given;
    tr_row_id model_id = fixture_put_model(f, "humanoid"), id = 0;
    OWN(tr_model) *model = NULL;
    OWN(tr_controller) *out = NULL;
    tr_controller_row row;
    tr_fragment_row fragment;
    int count = 1;
    assert_ok(tr_models_load(f->catalogue, model_id, &model, &f->error));
    OWN(tr_controller) *balance = puppet_balance(model, 3);
    snprintf(balance->name, sizeof balance->name, "balance");
    snprintf(balance->model_name, sizeof balance->model_name, "humanoid");
    const tr_controller_entry entry = {balance, model_id, 0, 0};
    assert_ok(tr_controllers_put(f->catalogue, &entry, &id, &f->error));
    fixture_reopen(f);
    assert_ok(tr_controllers_get(f->catalogue, id, &row, &f->error));
    assert_int_equal(row.fragment_count, 0);
    assert_ok(tr_controllers_fragments(f->catalogue, id, &fragment, &count, &f->error));
    assert_int_equal(count, 0);
    assert_ok(tr_controllers_load(f->catalogue, id, model, &out, &f->error));
    assert_true(tr_controller_hash(out, model) == tr_controller_hash(balance, model));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

TEST(a_name_is_given_once) {
    fixture *f = *given;
    tr_row_id model = fixture_put_model(f, "humanoid");
    tr_row_id run = fixture_put_controller(f, "run", 1, model);
    tr_controller_row row;
    tr_fragment_row fragments[2];
    int count = 2;
    fixture_put_controller(f, "walk", 2, model);
    assert_status(TR_ALREADY_EXISTS, tr_controllers_rename(f->catalogue, run, "walk", &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_controllers_rename(f->catalogue, run, " walk", &f->error));
    assert_ok(tr_controllers_rename(f->catalogue, run, "run", &f->error));
    assert_ok(tr_controllers_rename(f->catalogue, run, "jog", &f->error));
    assert_status(TR_NOT_FOUND, tr_controllers_resolve(f->catalogue, "run", &row, &f->error));
    assert_ok(tr_controllers_resolve(f->catalogue, "jog", &row, &f->error));
    const tr_guide guide = {
        .section = "skills", .summary = "runs", .former_count = 1, .former = {"run"}};
    assert_ok(tr_guides_put(f->catalogue, run, &guide, &f->error));
    assert_ok(tr_controllers_resolve(f->catalogue, "run", &row, &f->error));
    assert_string_equal("jog", row.name);
    assert_status(TR_INVALID_ARGUMENT,
                  tr_controllers_fragments(f->catalogue, run, fragments, &count, &f->error));
}

TEST(a_guide_that_cannot_be_stored_is_refused) {
    fixture *f = *given;
    tr_row_id id = fixture_put_controller(f, "run", 1, fixture_put_model(f, "humanoid"));
    const tr_guide guides[] = {
        {.section = "", .summary = "runs"},
        {.section = "skills", .summary = " runs"},
        {.section = "skills", .summary = "runs", .former_count = 1},
        {.section = "skills", .summary = "runs", .former_count = TR_GUIDE_FORMER_MAX + 1},
        {.section = "skills", .summary = "runs", .former_count = -1},
        {.section = "skills", .summary = "runs", .former_count = 2, .former = {"a", "a"}}};
    for (size_t i = 0; i < sizeof guides / sizeof *guides; i++)
        assert_status(TR_INVALID_ARGUMENT, tr_guides_put(f->catalogue, id, &guides[i], &f->error));
    assert_string_equal("former_name: name 'a': given twice", f->error.message);
    tr_guide none;
    assert_ok(tr_guides_get(f->catalogue, id, &none, &f->error));
    assert_string_equal("", none.section);
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
