#include "unit/db/fixture.h"

#include "db/bundles/bundle.h"
#include "db/store/rows.h"
#include "db/tables/certificates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tr_certificate_figure figures[] = {{"resisting_s", "1 N/s", 107.25},
                                          {"joint_error_rad", "rshank", 1.0 / 3.0},
                                          {"joint_error_rad", "lshank", -0.0},
                                          {"held_trials", "", 100}};
static tr_certificate_push pushes[] = {{1, 40, 192, 180}, {0, 20, 192, 192}, {0, 40, 192, 0}};

static tr_certificate_content content_of(int figure_count, int push_count) {
    return (tr_certificate_content){figure_count, push_count, figures, pushes};
}

static tr_certificate_row row_of(tr_row_id controller) {
    tr_certificate_row row = {.controller_id = controller,
                              .method = 1,
                              .command = "troupe-train certify run --seed 1",
                              .seed = 0xfedcba9876543210u,
                              .threads = 2,
                              .code_version = "0.1.0",
                              .host = "x86_64, two cores",
                              .started_ns = 1700000000123456789,
                              .ended_ns = 1700000400000000001};
    return row;
}

static tr_row_id put_controller(fixture *f) {
    return fixture_put_controller(f, "run", 1, fixture_put_model(f, "humanoid"));
}

static tr_row_id put_certificate(fixture *f, tr_row_id controller) {
    tr_certificate_row row = row_of(controller);
    tr_certificate_content content = content_of(4, 3);
    tr_row_id id = 0;
    assert_ok(tr_certificates_put(f->catalogue, &row, &content, &id, &f->error));
    return id;
}

TEST(stored_rows_are_read_in_order) {
    fixture *f = *given;
    tr_row_id controller = put_controller(f), id = put_certificate(f, controller);
    tr_certificate_row rows[2];
    tr_certificate_content content;
    int count = 2;
    assert_ok(tr_certificates_list(f->catalogue, controller, NULL, rows, &count, &f->error));
    assert_int_equal(1, count);
    assert_int_equal(id, rows[0].id);
    assert_int_equal(controller, rows[0].controller_id);
    assert_true(rows[0].seed == 0xfedcba9876543210u);
    assert_string_equal("troupe-train certify run --seed 1", rows[0].command);
    assert_ok(tr_certificates_load(f->catalogue, id, &content, &f->error));
    assert_int_equal(4, content.figure_count);
    assert_string_equal("held_trials", content.figure[0].quantity);
    assert_string_equal("lshank", content.figure[1].item);
    assert_true(content.figure[1].value == 0 && !signbit(content.figure[1].value));
    assert_true(content.figure[2].value == 1.0 / 3.0);
    assert_int_equal(3, content.push_count);
    assert_true(content.push[0].direction == 0 && content.push[0].force_n == 20);
    assert_true(content.push[2].direction == 1 && content.push[2].survived == 180);
    tr_certificate_content_deinit(&content);
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

TEST(those_of_a_skill_are_listed_alone) {
    fixture *f = *given;
    tr_row_id controller = put_controller(f), whole = put_certificate(f, controller), skill = 0;
    tr_certificate_row row = row_of(controller), rows[4];
    tr_certificate_figure figure[] = {{"held_trials", "", 100}, {TR_CERTIFICATE_SKILL, "run", 1}};
    const tr_certificate_content content = {2, 0, figure, NULL};
    row.ended_ns++;
    assert_ok(tr_certificates_put(f->catalogue, &row, &content, &skill, &f->error));
    const struct {
        const char *skill;
        int count;
        tr_row_id newest;
    } lists[] = {{NULL, 2, skill}, {"", 1, whole}, {"run", 1, skill}, {"walk", 0, 0}};
    for (int i = 0; i < 4; i++) {
        int count = 4;
        rows[0].id = 0;
        assert_ok(tr_certificates_list(f->catalogue, controller, lists[i].skill, rows, &count,
                                       &f->error));
        assert_int_equal(lists[i].count, count);
        assert_int_equal(lists[i].newest, rows[0].id);
    }
    assert_string_equal("run", tr_certificate_skill(&content));
    const tr_certificate_content none = content_of(4, 3);
    assert_string_equal("", tr_certificate_skill(&none));
}

TEST(the_same_again_is_the_row_that_is_there) {
    fixture *f = *given;
    tr_row_id controller = put_controller(f), id = put_certificate(f, controller), other = 0;
    assert_int_equal(id, put_certificate(f, controller));
    tr_certificate_row row = row_of(controller), rows[4];
    tr_certificate_content content = content_of(3, 3);
    row.ended_ns++;
    assert_ok(tr_certificates_put(f->catalogue, &row, &content, &other, &f->error));
    assert_int_not_equal(id, other);
    int count = 4;
    assert_ok(tr_certificates_list(f->catalogue, controller, NULL, rows, &count, &f->error));
    assert_int_equal(2, count);
    assert_int_equal(other, rows[0].id); /* measured last */
    assert_ok(tr_rows_remove(f->catalogue, TR_NOUN_CERTIFICATE, id, &f->error));
    assert_status(TR_NOT_FOUND, tr_rows_remove(f->catalogue, TR_NOUN_CERTIFICATE, id, &f->error));
    assert_status(TR_NOT_FOUND, tr_certificates_load(f->catalogue, id, &content, &f->error));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

TEST(malformed_ones_are_refused) {
    fixture *f = *given;
    tr_row_id controller = put_controller(f), id = 0;
    for (int i = 0; i < 14; i++) {
        tr_certificate_row row = row_of(controller);
        tr_certificate_figure figure[] = {{"a", "x", 1}, {"a", "y", 2}};
        tr_certificate_push push[] = {{0, 20, 5, 5}, {0, 40, 5, 0}};
        tr_certificate_content content = {2, 2, figure, push};
        tr_status expected = TR_INVALID_ARGUMENT;
        switch (i) {
        case 0:
            row.method = 0;
            break;
        case 1:
            row.threads = 0;
            break;
        case 2:
            row.ended_ns = row.started_ns - 1;
            break;
        case 3:
            memset(row.command, 'x', sizeof row.command);
            break;
        case 4:
            strcpy(row.host, "\xff");
            break;
        case 5:
            figure[0].value = (double)NAN;
            break;
        case 6:
            figure[0].quantity[0] = '\0';
            break;
        case 7:
            strcpy(figure[1].item, "x");
            break;
        case 8:
            push[0].direction = TR_CERTIFICATE_DIRECTION_MAX;
            break;
        case 9:
            push[0].force_n = 0;
            break;
        case 10:
            push[0].survived = 6;
            break;
        case 11:
            push[1].force_n = 20;
            break;
        case 12:
            content.figure_count = TR_CERTIFICATE_FIGURE_MAX + 1;
            break;
        default:
            row.controller_id = 77;
            expected = TR_NOT_FOUND;
        }
        f->error.message[0] = '\0';
        assert_status(expected, tr_certificates_put(f->catalogue, &row, &content, &id, &f->error));
        assert_true(f->error.message[0] != '\0');
    }
    tr_catalogue_summary summary;
    assert_ok(tr_catalogue_summarize(f->catalogue, &summary, &f->error));
    assert_int_equal(0, summary.certificates);
}

TEST(a_controller_has_a_largest_number_of_certificates) {
    fixture *f = *given;
    tr_row_id controller = put_controller(f), id = 0;
    tr_certificate_content content = content_of(1, 1);
    tr_certificate_row row = row_of(controller);
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    for (int i = 0; i < TR_CERTIFICATE_MAX; i++) {
        row.seed = (uint64_t)i;
        assert_ok(tr_certificates_put(f->catalogue, &row, &content, &id, &f->error));
    }
    row.seed = TR_CERTIFICATE_MAX;
    assert_status(TR_RESOURCE_EXHAUSTED,
                  tr_certificates_put(f->catalogue, &row, &content, &id, &f->error));
    assert_ok(tr_catalogue_commit(f->catalogue, &f->error));
}

TEST(they_go_with_their_controller) {
    fixture *f = *given;
    tr_row_id controller = put_controller(f), id = put_certificate(f, controller);
    tr_certificate_content content;
    assert_ok(tr_controllers_remove(f->catalogue, controller, &f->error));
    assert_status(TR_NOT_FOUND, tr_certificates_load(f->catalogue, id, &content, &f->error));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

static int certificates_of(fixture *f, tr_catalogue *catalogue, const char *name) {
    tr_controller_row controller;
    tr_certificate_row rows[8];
    int count = 8;
    assert_ok(tr_controllers_find(catalogue, name, &controller, &f->error));
    assert_ok(tr_certificates_list(catalogue, controller.id, NULL, rows, &count, &f->error));
    return count;
}

/* Also into a catalogue that has the controller already, under whatever name. */
TEST(bundles_carry_them) {
    fixture *f = *given;
    tr_row_id controller = put_controller(f);
    OWN(tr_catalogue) *other = NULL;
    const char *plain = fixture_file(f, "plain"), *certified = fixture_file(f, "certified");
    assert_ok(tr_bundle_export(f->catalogue, &controller, 1, plain, &f->error));
    put_certificate(f, controller);
    assert_ok(tr_bundle_export(f->catalogue, &controller, 1, certified, &f->error));
    assert_ok(tr_catalogue_open(fixture_file(f, "other"), TR_CATALOGUE_CREATE, &other, &f->error));
    tr_bundle_report report;
    assert_ok(tr_bundle_import(other, plain, TR_BUNDLE_REFUSE, &report, &f->error));
    assert_int_equal(0, report.certificates.added);
    assert_int_equal(0, certificates_of(f, other, "run"));
    assert_ok(tr_bundle_import(other, certified, TR_BUNDLE_REFUSE, &report, &f->error));
    assert_int_equal(1, report.controllers.present);
    assert_int_equal(1, report.certificates.added);
    assert_int_equal(1, certificates_of(f, other, "run"));
    assert_ok(tr_bundle_import(other, certified, TR_BUNDLE_REFUSE, &report, &f->error));
    assert_int_equal(1, report.certificates.present);
    assert_int_equal(1, certificates_of(f, other, "run"));
    assert_ok(tr_catalogue_check(other, &f->error));
}

TEST(the_check_reads_them) {
    fixture *f = *given;
    static const char *const damage[] = {
        "UPDATE certificate SET seed = 8",
        "UPDATE certificate SET method = 2",
        "UPDATE certificate SET command = 'x'",
        "UPDATE certificate SET ended_ns = ended_ns + 1",
        "UPDATE certificate_figure SET value = value + 1e-9",
        "UPDATE certificate_figure SET value = 9e999",
        "UPDATE certificate_figure SET item = 'other' WHERE quantity = 'held_trials'",
        "DELETE FROM certificate_figure WHERE item = 'lshank'",
        "UPDATE certificate_push SET survived = survived - 1 WHERE survived > 0",
        "UPDATE certificate_push SET direction = 64 WHERE direction = 1",
        "DELETE FROM certificate_push",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
        "INSERT INTO certificate_push SELECT 1, 2, i, 5, 5 FROM n",
    };
    put_certificate(f, put_controller(f));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    size_t size;
    OWN_MEMORY unsigned char *whole = fixture_read(f->path, &size);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        fixture_write(f->path, whole, size);
        fixture_sql(f->path, damage[i]);
        assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_READ, &f->catalogue, &f->error));
        if (!tr_catalogue_check(f->catalogue, &f->error))
            fail_msg("sound after: %s", damage[i]);
        tr_catalogue_close(f->catalogue);
        f->catalogue = NULL;
    }
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
