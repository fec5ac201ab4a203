/* Matches that resume after a restart. If the names of a match cannot be fetched, it is handed over
 * with the error, so that it ends and does not stay running unseen; while the daemon ends, the
 * match does not change. */
#include "cmocka_test.h"

#include "server/match/match_resume.h"

#include <string.h>

/* The linker puts these in the place of the catalogue's and the library's. */
static tr_match_recall recall;
static tr_status fetched;
static tr_library_fetched on_names;
static void *names_context;

tr_status __wrap_tr_match_store_recall(tr_catalogue_thread *thread, const tr_match_recall *what);
tr_status __wrap_tr_library_fetch(tr_library *library, const tr_library_needs *needs,
                                  tr_library_fetched done, void *context);

tr_status __wrap_tr_match_store_recall(tr_catalogue_thread *thread, const tr_match_recall *what) {
    (void)thread;
    recall = *what;
    return TR_OK;
}

tr_status __wrap_tr_library_fetch(tr_library *library, const tr_library_needs *needs,
                                  tr_library_fetched done, void *context) {
    (void)library;
    (void)needs;
    on_names = done;
    names_context = context;
    return fetched;
}

typedef struct told {
    int count, ends;
    tr_error error;
} told;

static void on_found(void *context, tr_contest *take_contest, const tr_error *error) {
    told *t = context;
    t->count++;
    t->error = *error;
    tr_contest_destroy(take_contest);
}

static void on_ended(void *context, const tr_error *error) {
    told *t = context;
    (void)error;
    t->ends++;
}

/* The report on a match when fetching its names ends with this status. */
static void resume(tr_status status, told *t) {
    static const tr_match_services services;
    static tr_match_row row;
    static tr_match_def def = {.bout_count = 1, .team_count = 1};
    const tr_error none = {0};
    *t = (told){0};
    fetched = status;
    tr_match_resume_all(&services, &(tr_match_recall){on_found, on_ended, t});
    tr_contest *contest = tr_contest_create(&row, &def);
    assert_non_null(contest);
    recall.found(recall.context, contest, &none);
    recall.ended(recall.context, &none);
}

TEST(test_names_that_cannot_be_fetched_are_reported) {
    told t;
    resume(TR_RESOURCE_EXHAUSTED, &t);
    assert_int_equal(t.count, 1);
    assert_int_equal(t.error.status, TR_RESOURCE_EXHAUSTED);
    assert_non_null(strstr(t.error.message, "cannot be fetched"));
    assert_int_equal(t.ends, 1);
}

TEST(test_a_match_does_not_change_while_the_daemon_ends) {
    told t;
    resume(TR_UNAVAILABLE, &t);
    assert_int_equal(t.count, 0);
    assert_int_equal(t.ends, 1);
}

/* The daemon serves from the end on: until then nobody could watch or cancel the match. */
TEST(test_the_end_waits_for_the_names_of_every_match) {
    const tr_error gone = {.status = TR_NOT_FOUND};
    told t;
    resume(TR_OK, &t);
    assert_int_equal(t.count, 0);
    assert_int_equal(t.ends, 0);
    on_names(names_context, &gone);
    assert_int_equal(t.count, 1);
    assert_int_equal(t.ends, 1);
}
