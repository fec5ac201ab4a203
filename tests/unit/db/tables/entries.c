#include "unit/db/fixture.h"

#include "db/store/database.h"
#include "db/tables/certificates.h"
#include "db/tables/entries.h"
#include "db/tables/matches.h"

#include <stdio.h>
#include <string.h>

/* A controller "walk" of the model "humanoid", with a certificate, a run and a clip of its name; and a
 * run "jog" that continued that run. */
typedef struct rows {
    tr_row_id controller, run;
} rows;

static rows put_rows(fixture *f) {
    rows out = {0};
    tr_row_id model = fixture_put_model(f, "humanoid"), id = 0;
    tr_run_row run, later = fixture_run("jog");
    tr_certificate_row certificate = {
        .method = 1, .threads = 1, .command = "certify", .code_version = "1", .host = "h"};
    tr_certificate_content content = {0};
    out.controller = fixture_put_controller(f, "walk", 1, model);
    assert_ok(tr_runs_find(f->catalogue, "walk", &run, &f->error));
    out.run = run.id;
    later.parent_count = 1;
    later.parent[0] = out.run;
    assert_ok(tr_runs_put(f->catalogue, &later, NULL, &id, &f->error));
    certificate.controller_id = out.controller;
    assert_ok(tr_certificates_put(f->catalogue, &certificate, &content, &id, &f->error));
    return out;
}

static tr_entry find(fixture *f, const char *text) {
    tr_entry entry;
    assert_ok(tr_entries_find(f->catalogue, text, &entry, &f->error));
    return entry;
}

TEST(names_find_entries_and_kinds_tell_them_apart) {
    fixture *f = *given;
    rows r = put_rows(f);
    tr_entry entry = {.id = -1};
    assert_int_equal(find(f, "controller:walk").id, r.controller);
    assert_int_equal(find(f, "run:walk").id, r.run);
    assert_int_equal(find(f, "clip:walk").kind, TR_NOUN_CLIP);
    assert_int_equal(find(f, "humanoid").kind, TR_NOUN_MODEL);
    assert_string_equal(find(f, "certificate:walk").name, "walk");
    assert_status(TR_INVALID_ARGUMENT, tr_entries_find(f->catalogue, "walk", &entry, &f->error));
    assert_non_null(strstr(f->error.message, "expected controller:walk or run:walk"));
    assert_status(TR_NOT_FOUND, tr_entries_find(f->catalogue, "clip:jog", &entry, &f->error));
    assert_status(TR_NOT_FOUND, tr_entries_find(f->catalogue, "fragment:00", &entry, &f->error));
    assert_status(TR_INVALID_ARGUMENT, tr_entries_find(f->catalogue, "cat:x", &entry, &f->error));
    assert_int_equal(entry.id, -1);
}

TEST(what_another_needs_stays) {
    fixture *f = *given;
    put_rows(f);
    tr_entry run = find(f, "run:walk"), model = find(f, "humanoid"), jog = find(f, "jog");
    assert_status(TR_FAILED_PRECONDITION, tr_entries_forget(f->catalogue, &run, &f->error));
    assert_non_null(strstr(f->error.message, "controller 'walk', run 'jog' depend on it"));
    assert_status(TR_FAILED_PRECONDITION, tr_entries_forget(f->catalogue, &model, &f->error));
    assert_non_null(strstr(f->error.message, "controller 'walk' depends on it"));
    assert_ok(tr_entries_forget(f->catalogue, &jog, &f->error));
    tr_entry walk = find(f, "controller:walk");
    assert_ok(tr_entries_forget(f->catalogue, &walk, &f->error));
    assert_ok(tr_entries_forget(f->catalogue, &run, &f->error));
    assert_status(TR_NOT_FOUND, tr_entries_find(f->catalogue, "run:walk", &run, &f->error));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

TEST(a_certificate_goes_alone_and_with_its_controller) {
    fixture *f = *given;
    put_rows(f);
    tr_entry certificate = find(f, "certificate:walk"), walk = find(f, "controller:walk");
    assert_ok(tr_entries_forget(f->catalogue, &certificate, &f->error));
    assert_status(TR_NOT_FOUND,
                  tr_entries_find(f->catalogue, "certificate:walk", &certificate, &f->error));
    assert_ok(tr_entries_forget(f->catalogue, &walk, &f->error));
    tr_catalogue_summary summary;
    assert_ok(tr_catalogue_summarize(f->catalogue, &summary, &f->error));
    assert_int_equal(summary.controllers, 0);
    assert_int_equal(summary.fragments, 0);
}

TEST(a_running_match_keeps_controllers) {
    fixture *f = *given;
    put_rows(f);
    tr_match_row match = {.bout_count = 1, .team_count = 2, .name = "duel", .rule = "sumo"};
    tr_entry walk = find(f, "controller:walk");
    tr_row_id id = 0;
    assert_ok(tr_matches_put(f->catalogue, &match, "x", 1, &id, &f->error));
    assert_status(TR_FAILED_PRECONDITION, tr_entries_forget(f->catalogue, &walk, &f->error));
    assert_non_null(strstr(f->error.message, "match 'duel' depends on it"));
    assert_ok(tr_matches_end(f->catalogue, id, TR_MATCH_DONE, "", 1, &f->error));
    assert_ok(tr_entries_forget(f->catalogue, &walk, &f->error));
    tr_entry duel = find(f, "duel");
    assert_ok(tr_entries_forget(f->catalogue, &duel, &f->error));
}

TEST(many_that_depend_are_named_in_part) {
    fixture *f = *given;
    put_rows(f);
    tr_entry walk = find(f, "controller:walk"), model = find(f, "humanoid"), few[2];
    char name[] = "later-0", text[TR_ENTRY_NAME_MAX + 16];
    int count = 2;
    for (; name[6] < '6'; name[6]++) {
        tr_run_row run = fixture_run(name);
        tr_row_id id = 0;
        run.seed = (uint64_t)name[6], run.parent_count = 1, run.parent[0] = find(f, "run:walk").id;
        assert_ok(tr_runs_put(f->catalogue, &run, NULL, &id, &f->error));
    }
    tr_entry run = find(f, "run:walk");
    assert_status(TR_FAILED_PRECONDITION, tr_entries_forget(f->catalogue, &run, &f->error));
    assert_non_null(strstr(f->error.message, " and others depend on it"));
    assert_ok(tr_entries_dependents(f->catalogue, &run, few, &count, &f->error));
    assert_int_equal(count, 2);
    /* a fragment is found by the beginning of its digest, and goes with its controller alone */
    tr_fragment_row fragments[4];
    count = 4;
    assert_ok(tr_controllers_fragments(f->catalogue, walk.id, fragments, &count, &f->error));
    snprintf(text, sizeof text, "fragment:");
    tr_digest_format(&fragments[0].digest, text + 9);
    text[9 + 12] = '\0';
    tr_entry fragment = find(f, text);
    assert_status(TR_FAILED_PRECONDITION, tr_entries_forget(f->catalogue, &fragment, &f->error));
    assert_ok(tr_entries_forget(f->catalogue, &walk, &f->error));
    assert_status(TR_FAILED_PRECONDITION, tr_entries_forget(f->catalogue, &fragment, &f->error));
    assert_non_null(strstr(f->error.message, "it goes with the last that holds it"));
    assert_ok(tr_entries_forget(f->catalogue, &model, &f->error));
}

TEST(a_beginning_of_several_digests_is_refused) {
    fixture *f = *given;
    put_rows(f);
    tr_entry entry;
    fixture_reopen(f);
    assert_ok(tr_database_exec(f->catalogue->db,
                               "PRAGMA foreign_keys = OFF; UPDATE fragment SET digest = "
                               "CAST(x'aaaaaaaaaa' || substr(digest, 6) AS BLOB)",
                               &f->error));
    assert_status(TR_INVALID_ARGUMENT,
                  tr_entries_find(f->catalogue, "fragment:AAAAAAAA", &entry, &f->error));
    assert_non_null(strstr(f->error.message, "several begin so"));
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
