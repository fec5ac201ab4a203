/* Every operation of the catalogue, once for each allocation that may fail in it, SQLite's and our
 * own, once for each statement that SQLite refuses, and once for other calls of libraries and the system; the
 * linker wraps these calls. It then says why, changes nothing, and succeeds when the call does. */
#include "unit/db/fixture.h"

#include "db/bundles/bundle.h"
#include "db/store/database.h"
#include "db/store/rows.h"
#include "db/store/schema.h"
#include "db/store/upgrade.h"
#include "db/tables/certificates.h"
#include "db/tables/entries.h"
#include "db/tables/guides.h"
#include "db/tables/lineage.h"
#include "db/tables/matches.h"
#include "model/mjcf.h"

#include <limits.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUNDLE TR_SOURCE_DIR "/tests/data/db/two.troupe"

/* --- what fails --- */

/* Of the many allocations of SQLite and the calls some fail, of the others each. */
typedef enum call { ANY_ALLOCATION, OWN_ALLOCATION, STATEMENT, OTHER_CALL, CALL_COUNT } call;
static const char *const call_names[] = {"allocation", "allocation of its own", "statement",
                                         "other call"};

static struct {
    call call;
    long countdown; /* to the call that fails; 0: none does */
    long tries;     /* of each operation; the argument */
    sqlite3_mem_methods sqlite;
} memory;

static bool is_refused(bool own) {
    bool counts = memory.call == ANY_ALLOCATION || (own && memory.call == OWN_ALLOCATION);
    return counts && memory.countdown > 0 && --memory.countdown == 0;
}

static bool is_statement_refused(void) {
    return memory.call == STATEMENT && memory.countdown > 0 && --memory.countdown == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *data, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);

void *__wrap_malloc(size_t size) {
    return is_refused(true) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return is_refused(true) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *data, size_t size) {
    return is_refused(true) ? NULL : __real_realloc(data, size);
}

int __real_sqlite3_step(sqlite3_stmt *statement);
int __real_sqlite3_prepare_v2(sqlite3 *db, const char *sql, int size, sqlite3_stmt **out,
                              const char **rest);
int __wrap_sqlite3_step(sqlite3_stmt *statement);
int __wrap_sqlite3_prepare_v2(sqlite3 *db, const char *sql, int size, sqlite3_stmt **out,
                              const char **rest);

int __wrap_sqlite3_step(sqlite3_stmt *statement) {
    return is_statement_refused() ? SQLITE_NOMEM : __real_sqlite3_step(statement);
}

int __wrap_sqlite3_prepare_v2(sqlite3 *db, const char *sql, int size, sqlite3_stmt **out,
                              const char **rest) {
    if (!is_statement_refused())
        return __real_sqlite3_prepare_v2(db, sql, size, out, rest);
    *out = NULL;
    return SQLITE_NOMEM;
}

static bool is_call_refused(void) {
    return memory.call == OTHER_CALL && memory.countdown > 0 && --memory.countdown == 0;
}

#define WRAP(result, name, parameters, arguments, failure)                                         \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters {                                                              \
        return is_call_refused() ? (failure) : __real_##name arguments;                            \
    }

WRAP(int, rename, (const char *from, const char *to), (from, to), -1)
WRAP(char *, strdup, (const char *text), (text), NULL)
WRAP(int, fstat, (int file, struct stat *out), (file, out), -1)
WRAP(unsigned char *, sqlite3_serialize,
     (sqlite3 * db, const char *schema, sqlite3_int64 *size, unsigned flags),
     (db, schema, size, flags), NULL)
WRAP(sqlite3_backup *, sqlite3_backup_init,
     (sqlite3 * to, const char *its, sqlite3 *from, const char *theirs), (to, its, from, theirs),
     NULL)
WRAP(int, sqlite3_backup_step, (sqlite3_backup * backup, int pages), (backup, pages), SQLITE_IOERR)
WRAP(int, sqlite3_create_function,
     (sqlite3 * db, const char *name, int count, int flags, void *data,
      void (*value)(sqlite3_context *, int, sqlite3_value **),
      void (*step)(sqlite3_context *, int, sqlite3_value **), void (*end)(sqlite3_context *)),
     (db, name, count, flags, data, value, step, end), SQLITE_NOMEM)
WRAP(int, sqlite3_bind_int64, (sqlite3_stmt * statement, int at, sqlite3_int64 value),
     (statement, at, value), SQLITE_NOMEM)
WRAP(EVP_MD_CTX *, EVP_MD_CTX_new, (void), (), NULL)
WRAP(int, EVP_DigestInit_ex, (EVP_MD_CTX * context, const EVP_MD *type, ENGINE *engine),
     (context, type, engine), 0)
WRAP(int, EVP_DigestFinal_ex, (EVP_MD_CTX * context, unsigned char *out, unsigned *size),
     (context, out, size), 0)

static void *take_for_sqlite(int size) {
    return is_refused(false) ? NULL : memory.sqlite.xMalloc(size);
}

static void *resize_for_sqlite(void *data, int size) {
    return is_refused(false) ? NULL : memory.sqlite.xRealloc(data, size);
}

static void install(void) {
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory.sqlite);
    sqlite3_mem_methods ours = memory.sqlite;
    ours.xMalloc = take_for_sqlite;
    ours.xRealloc = resize_for_sqlite;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}

/* --- operations --- */

/* A catalogue with one row of each table, and what belongs to it outside. */
typedef struct place {
    tr_catalogue *catalogue;
    tr_error error;
    const char *path, *bundle, *exported;
    char *mjcf;
    size_t mjcf_size;
    tr_model *model;
    tr_controller *controller; /* not stored */
    tr_row_id controller_id, model_id, run_id, clip_id, lone_clip, match_id, certificate_id;
} place;

static tr_run_metric metrics[] = {{"cost", 1, 0.5}, {"cost", 2, 0.25}};

static tr_match_row match_row(const char *name) {
    tr_match_row match = {.bout_count = 2, .team_count = 2, .created_ns = 17};
    snprintf(match.name, sizeof match.name, "%s", name);
    snprintf(match.rule, sizeof match.rule, "sumo");
    return match;
}

static tr_status put_certificate(place *p, uint64_t seed, tr_row_id *out) {
    tr_certificate_figure figure[] = {{"held_trials", "", 100}, {"resisting_s", "1 N/s", 107.25}};
    tr_certificate_push push[] = {{0, 20, 4, 4}, {1, 40, 4, 3}};
    tr_certificate_row row = {.controller_id = p->controller_id,
                              .method = 1,
                              .command = "troupe-train certify one",
                              .seed = seed,
                              .threads = 1,
                              .code_version = "1",
                              .host = "two cores",
                              .started_ns = 1,
                              .ended_ns = 2};
    return tr_certificates_put(p->catalogue, &row, &(tr_certificate_content){2, 2, figure, push},
                               out, &p->error);
}

static tr_status put_guide(place *p, const char *former) {
    tr_guide guide = {.section = "skills", .summary = "runs", .former_count = 1};
    snprintf(guide.former[0], sizeof guide.former[0], "%s", former);
    return tr_guides_put(p->catalogue, p->controller_id, &guide, &p->error);
}

static tr_status do_open(place *p) {
    tr_catalogue_close(p->catalogue);
    p->catalogue = NULL;
    return tr_catalogue_open(p->path, TR_CATALOGUE_WRITE, &p->catalogue, &p->error);
}

/* What an upgrade does first. */
static tr_status do_keep_copy(place *p) {
    return tr_upgrade_keep(p->catalogue->db, p->path, tr_schema_migrations.latest, &p->error);
}

static tr_status do_open_scratch(place *p) {
    OWN(tr_catalogue) *scratch = NULL;
    tr_status status = tr_catalogue_open(BUNDLE, TR_CATALOGUE_SCRATCH, &scratch, &p->error);
    return status;
}

static tr_status do_check(place *p) {
    return tr_catalogue_check(p->catalogue, &p->error);
}

static tr_status do_summarize(place *p) {
    tr_catalogue_summary summary;
    return tr_catalogue_summarize(p->catalogue, &summary, &p->error);
}

static tr_status do_put_model(place *p) {
    tr_row_id id;
    return tr_models_put(p->catalogue, "second", p->mjcf, p->mjcf_size, &id, &p->error);
}

static tr_status do_read_model(place *p) {
    OWN_MEMORY char *text = NULL;
    OWN(tr_model) *model = NULL;
    tr_model_row row[4];
    int count = 4;
    tr_status status = tr_models_list(p->catalogue, &(tr_model_filter){0}, row, &count, &p->error);
    if (!status)
        status = tr_models_text(p->catalogue, p->model_id, &text, NULL, &p->error);
    if (!status)
        status = tr_models_load(p->catalogue, p->model_id, &model, &p->error);
    return status;
}

static tr_status do_put_clip(place *p) {
    tr_clip_row clip = fixture_clip("second");
    tr_row_id id;
    return tr_clips_put(p->catalogue, &clip, &id, &p->error);
}

static tr_status do_read_clips(place *p) {
    tr_clip_row row[2];
    int count = 2;
    tr_status status = tr_clips_list(p->catalogue, &(tr_clip_filter){0}, row, &count, &p->error);
    return status ? status : tr_clips_find(p->catalogue, "alone", row, &p->error);
}

static tr_status do_remove_clip(place *p) {
    return tr_rows_remove(p->catalogue, TR_NOUN_CLIP, p->lone_clip, &p->error);
}

static tr_status do_put_run(place *p) {
    char starts[] = "where it began";
    const tr_sections inputs = {
        1, {{"starts", false, (unsigned char *)starts, sizeof starts - 1}}, NULL};
    tr_run_row run = fixture_run("second");
    tr_row_id id;
    run.parent_count = 1;
    run.parent[0] = p->run_id;
    return tr_runs_put(p->catalogue, &run, &(tr_run_content){metrics, 2, &inputs}, &id, &p->error);
}

static tr_status do_read_runs(place *p) {
    tr_run_row row[2];
    tr_run_metric metric[8];
    OWN_BY(tr_sections_deinit) tr_sections inputs = {0};
    int rows = 2, values = 8;
    tr_status status = tr_runs_list(p->catalogue, &(tr_run_filter){0}, row, &rows, &p->error);
    if (!status)
        status = tr_runs_metrics(p->catalogue, &(tr_metric_filter){p->run_id, NULL, 0}, metric,
                                 &values, &p->error);
    if (!status)
        status = tr_runs_inputs(p->catalogue, p->run_id, &inputs, &p->error);
    return status;
}

static tr_status do_put_controller(place *p) {
    const tr_controller_entry entry = {p->controller, p->model_id, p->run_id, p->clip_id};
    tr_row_id id;
    return tr_controllers_put(p->catalogue, &entry, &id, &p->error);
}

static tr_status do_read_controllers(place *p) {
    tr_controller_row row[4];
    tr_fragment_row fragment[8];
    OWN(tr_controller) *controller = NULL;
    int rows = 4, fragments = 8;
    tr_status status =
        tr_controllers_list(p->catalogue, &(tr_controller_filter){0}, row, &rows, &p->error);
    if (!status)
        status = tr_controllers_resolve(p->catalogue, "former", row, &p->error);
    if (!status)
        status = tr_controllers_fragments(p->catalogue, p->controller_id, fragment, &fragments,
                                          &p->error);
    if (!status)
        status =
            tr_controllers_load(p->catalogue, p->controller_id, p->model, &controller, &p->error);
    return status;
}

static tr_status do_learn_again(place *p) {
    return tr_controllers_put_learned_again(p->catalogue, p->controller_id, p->controller,
                                            &p->error);
}

static tr_status do_rename(place *p) {
    return tr_controllers_rename(p->catalogue, p->controller_id, "renamed", &p->error);
}

/* A match that runs may need any controller: it ends in the same transaction. */
static tr_status do_forget(place *p) {
    const tr_entry entry = {TR_NOUN_CONTROLLER, p->controller_id, "one"};
    tr_status status = tr_catalogue_begin(p->catalogue, &p->error);
    if (!status)
        status = tr_matches_end(p->catalogue, p->match_id, TR_MATCH_DONE, "", 18, &p->error);
    if (!status)
        status = tr_entries_forget(p->catalogue, &entry, &p->error);
    if (!status)
        status = tr_catalogue_commit(p->catalogue, &p->error);
    if (status)
        tr_catalogue_rollback(p->catalogue);
    return status;
}

static tr_status do_find_entries(place *p) {
    tr_entry entry, dependent[TR_ENTRY_DEPENDENTS_MAX];
    int count = TR_ENTRY_DEPENDENTS_MAX;
    tr_status status = tr_entries_find(p->catalogue, "model:humanoid", &entry, &p->error);
    return status ? status
                  : tr_entries_dependents(p->catalogue, &entry, dependent, &count, &p->error);
}

static tr_status do_trace(place *p) {
    static tr_lineage lineage;
    return tr_lineage_trace(p->catalogue, TR_NOUN_CONTROLLER, p->controller_id, &lineage,
                            &p->error);
}

static tr_status do_put_certificate(place *p) {
    tr_row_id id;
    return put_certificate(p, 2, &id);
}

static tr_status do_read_certificates(place *p) {
    tr_certificate_row row[4];
    OWN_BY(tr_certificate_content_deinit) tr_certificate_content content = {0};
    int count = 4;
    tr_status status =
        tr_certificates_list(p->catalogue, p->controller_id, NULL, row, &count, &p->error);
    if (!status)
        status = tr_certificates_load(p->catalogue, p->certificate_id, &content, &p->error);
    return status;
}

static tr_status do_put_guide(place *p) {
    return put_guide(p, "once");
}

static tr_status do_read_guide(place *p) {
    tr_guide guide;
    return tr_guides_get(p->catalogue, p->controller_id, &guide, &p->error);
}

static tr_status do_put_match(place *p) {
    tr_match_row match = match_row("second");
    tr_row_id id;
    return tr_matches_put(p->catalogue, &match, "teams", 5, &id, &p->error);
}

static tr_status do_add_bouts(place *p) {
    tr_bout_row bout[] = {{.position = 0, .winner = 1},
                          {.position = 1, .outcome = 1, .winner = -1}};
    return tr_matches_add_bouts(p->catalogue, p->match_id, bout, 2, &p->error);
}

static tr_status do_read_matches(place *p) {
    tr_match_row row[2];
    tr_bout_row bout[4];
    OWN_MEMORY void *definition = NULL;
    size_t size;
    int rows = 2, bouts = 4;
    tr_status status = tr_matches_list(p->catalogue, &(tr_match_filter){0}, row, &rows, &p->error);
    if (!status)
        status = tr_matches_bouts(p->catalogue, p->match_id, 0, bout, &bouts, &p->error);
    if (!status)
        status = tr_matches_definition(p->catalogue, p->match_id, &definition, &size, &p->error);
    return status;
}

static tr_status do_end_match(place *p) {
    return tr_matches_end(p->catalogue, p->match_id, TR_MATCH_FAILED, "why", 18, &p->error);
}

static tr_status do_export(place *p) {
    return tr_bundle_export(p->catalogue, &p->controller_id, 1, p->exported, &p->error);
}

static tr_status do_import(place *p) {
    return tr_bundle_import(p->catalogue, p->bundle, TR_BUNDLE_RENAME, NULL, &p->error);
}

static tr_status do_check_bundle(place *p) {
    return tr_bundle_check(p->bundle, &p->error);
}

static const struct {
    const char *name;
    tr_status (*run)(place *p);
    bool changes; /* the catalogue */
} operations[] = {
    {"open", do_open, false},
    {"keep a copy", do_keep_copy, false},
    {"open a private copy", do_open_scratch, false},
    {"check", do_check, false},
    {"summarize", do_summarize, false},
    {"put a model", do_put_model, true},
    {"read models", do_read_model, false},
    {"put a clip", do_put_clip, true},
    {"read clips", do_read_clips, false},
    {"remove a clip", do_remove_clip, true},
    {"put a run", do_put_run, true},
    {"read runs", do_read_runs, false},
    {"put a controller", do_put_controller, true},
    {"read controllers", do_read_controllers, false},
    {"learn again", do_learn_again, false},
    {"rename a controller", do_rename, true},
    {"forget a controller", do_forget, true},
    {"find entries", do_find_entries, false},
    {"trace", do_trace, false},
    {"put a certificate", do_put_certificate, true},
    {"read certificates", do_read_certificates, false},
    {"put a guide", do_put_guide, true},
    {"read a guide", do_read_guide, false},
    {"put a match", do_put_match, true},
    {"add bouts", do_add_bouts, true},
    {"read matches", do_read_matches, false},
    {"end a match", do_end_match, true},
    {"export a bundle", do_export, false},
    {"import a bundle", do_import, true},
    {"check a bundle", do_check_bundle, false},
};
enum { OPERATION_COUNT = sizeof operations / sizeof operations[0] };

/* --- the test --- */

/* Fills the fixture's catalogue, and writes a bundle of a controller that is not in it. */
static void prepare(fixture *f, place *p) {
    static char bundle[384], exported[384];
    snprintf(bundle, sizeof bundle, "%s", fixture_file(f, "other.troupe"));
    snprintf(exported, sizeof exported, "%s", fixture_file(f, "exported.troupe"));
    *p = (place){.path = f->path, .bundle = bundle, .exported = exported};
    p->mjcf = fixture_model_text(&p->mjcf_size);
    p->model_id = fixture_put_model(f, "humanoid");
    assert_ok(tr_models_load(f->catalogue, p->model_id, &p->model, &f->error));
    tr_row_id other = fixture_put_controller(f, "other", 2, p->model_id);
    assert_ok(tr_bundle_export(f->catalogue, &other, 1, bundle, &f->error));
    assert_ok(tr_entries_forget(f->catalogue, &(tr_entry){TR_NOUN_CONTROLLER, other, "other"},
                                &f->error));
    p->controller_id = fixture_put_controller(f, "one", 1, p->model_id);
    tr_controller_row row;
    assert_ok(tr_controllers_get(f->catalogue, p->controller_id, &row, &f->error));
    p->run_id = row.run_id, p->clip_id = row.clip_id;
    tr_clip_row clip = fixture_clip("alone");
    clip.first_frame++;
    assert_ok(tr_clips_put(f->catalogue, &clip, &p->lone_clip, &f->error));
    tr_match_row match = match_row("first");
    assert_ok(tr_matches_put(f->catalogue, &match, "teams", 5, &p->match_id, &f->error));
    p->catalogue = f->catalogue;
    assert_ok(put_certificate(p, 1, &p->certificate_id));
    assert_ok(put_guide(p, "former"));
    p->controller = fixture_controller(p->model, "another", 3);
}

/* All rows of all tables, as one number. */
static uint64_t content_of(const tr_catalogue *catalogue) {
    uint64_t hash = 0xcbf29ce484222325u;
    sqlite3 *db = catalogue->db;
    sqlite3_stmt *tables = NULL, *rows = NULL;
    assert_int_equal(
        SQLITE_OK,
        sqlite3_prepare_v2(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1", -1,
                           &tables, NULL));
    while (sqlite3_step(tables) == SQLITE_ROW) {
        char sql[128];
        snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY 1, 2", sqlite3_column_text(tables, 0));
        assert_int_equal(SQLITE_OK, sqlite3_prepare_v2(db, sql, -1, &rows, NULL));
        while (sqlite3_step(rows) == SQLITE_ROW)
            for (int c = 0; c < sqlite3_column_count(rows); c++) {
                const unsigned char *bytes = sqlite3_column_blob(rows, c);
                int size = sqlite3_column_bytes(rows, c);
                for (int i = 0; i < size; i++)
                    hash = (hash ^ bytes[i]) * 0x100000001b3u;
                hash = (hash ^ (unsigned)size) * 0x100000001b3u;
            }
        sqlite3_finalize(rows);
    }
    sqlite3_finalize(tables);
    return hash;
}

/* Puts the file back as `data` has it, and opens it. */
static void restore(place *p, const void *data, size_t size) {
    char log[128];
    tr_catalogue_close(p->catalogue);
    p->catalogue = NULL;
    snprintf(log, sizeof log, "%s-wal", p->path);
    unlink(log);
    fixture_write(p->path, data, size);
    assert_int_equal(TR_OK, tr_catalogue_open(p->path, TR_CATALOGUE_WRITE, &p->catalogue, NULL));
}

/* How many of the calls an operation makes. */
static long calls_of(place *p, int operation) {
    memory.countdown = LONG_MAX;
    assert_int_equal(TR_OK, operations[operation].run(p));
    long count = LONG_MAX - memory.countdown;
    memory.countdown = 0;
    return count;
}

/* SQLite does not know why its statement failed. */
static bool is_expected(tr_status status) {
    return !status || status == TR_RESOURCE_EXHAUSTED || memory.call == OTHER_CALL ||
           (memory.call == STATEMENT && (status == TR_INTERNAL || status == TR_DATA_LOSS));
}

/* Fails calls of an operation, one a try; `data` is the catalogue before. */
static void expect_nothing_lost(place *p, int operation, const void *data, size_t size) {
    const char *name = operations[operation].name, *what = call_names[memory.call];
    const long count = calls_of(p, operation);
    const bool some = memory.call == ANY_ALLOCATION || memory.call == OTHER_CALL;
    const long step = some ? count / memory.tries + 1 : 1;
    restore(p, data, size);
    const uint64_t before = content_of(p->catalogue);
    print_message("%s: %ld times '%s'\n", name, count, what);
    bool ended = false;
    for (long n = 1; !ended; n += step) {
        memory.countdown = n;
        tr_status status = operations[operation].run(p);
        ended = memory.countdown > 0;
        memory.countdown = 0;
        if (!is_expected(status))
            fail_msg("%s, %s %ld: %s: %s", name, what, n, tr_status_name(status), p->error.message);
        if (status && ended)
            fail_msg("%s fails though nothing else does: %s", name, p->error.message);
        if (!p->catalogue)
            assert_int_equal(TR_OK,
                             tr_catalogue_open(p->path, TR_CATALOGUE_WRITE, &p->catalogue, NULL));
        const bool changed = content_of(p->catalogue) != before;
        if (changed != (!status && operations[operation].changes))
            fail_msg("%s, %s %ld: %s, and the catalogue has%s changed", name, what, n,
                     tr_status_name(status), changed ? "" : " not");
        if (changed) /* it can do without that one, or it has had all */
            restore(p, data, size);
    }
}

TEST(a_call_that_fails_costs_its_operation_alone) {
    fixture *f = *given;
    place p;
    prepare(f, &p);
    fixture_reopen(f);
    p.catalogue = f->catalogue;
    f->catalogue = NULL;
    tr_catalogue_close(p.catalogue);
    p.catalogue = NULL;
    size_t size;
    OWN_MEMORY unsigned char *whole = fixture_read(p.path, &size);
    for (int i = 0; i < CALL_COUNT * OPERATION_COUNT; i++) {
        memory.call = (call)(i / OPERATION_COUNT);
        restore(&p, whole, size);
        expect_nothing_lost(&p, i % OPERATION_COUNT, whole, size);
        assert_int_equal(TR_OK, tr_catalogue_check(p.catalogue, NULL));
    }
    tr_catalogue_close(p.catalogue);
    tr_controller_destroy(p.controller);
    tr_model_destroy(p.model);
    free(p.mjcf);
}

BEFORE_ALL() {
    memory.tries = suite_argument(1 + 99 / fixture_stride());
    install();
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
