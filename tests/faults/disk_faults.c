/* The catalogue on a disk that fails, fills up and loses power: acknowledged rows are there, and no
 * row is there in part.
 *
 *     SEEDS  losses of power, by default 60 */
#include "unit/db/fixture.h"

#include "db/store/database.h"
#include "disk.h"
#include "math/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRANSACTIONS = 6, ROWS = 3, METRICS = 120 };

static struct {
    int seeds;
    tr_run_metric metric[METRICS];
} test = {.seeds = 60};

/* What became of each transaction: acknowledged, or not. */
typedef struct ledger {
    bool acknowledged[TRANSACTIONS];
} ledger;

static tr_status open_catalogue(tr_catalogue **out, tr_error *error) {
    return tr_catalogue_open("/catalogue", TR_CATALOGUE_CREATE, out, error);
}

/* Replaces the one in proto/sink.c: an upgrade keeps a copy beside the catalogue. */
bool __wrap_tr_file_replace(const char *partial, const char *path);
bool __wrap_tr_file_replace(const char *partial, const char *path) {
    return disk_rename(partial, path) && disk_sync_folders();
}

static void name_row(char *out, size_t size, int transaction, int row) {
    snprintf(out, size, "%d of transaction %d", row, transaction);
}

/* Three rows, one of several pages, as one. */
static tr_status put_all(tr_catalogue *catalogue, int transaction) {
    tr_row_id id;
    char name[TR_NAME_MAX];
    for (int row = 0; row < 2; row++) {
        name_row(name, sizeof name, transaction, row);
        tr_clip_row clip = fixture_clip(name);
        clip.first_frame = 1 + transaction;
        clip.last_frame = 100 + row;
        tr_status status = tr_clips_put(catalogue, &clip, &id, NULL);
        if (status)
            return status;
    }
    name_row(name, sizeof name, transaction, 2);
    tr_run_row run = fixture_run(name);
    run.seed = (uint64_t)transaction;
    return tr_runs_put(catalogue, &run, &(tr_run_content){test.metric, METRICS, NULL}, &id, NULL);
}

static bool transact(tr_catalogue *catalogue, int transaction) {
    if (tr_catalogue_begin(catalogue, NULL))
        return false;
    tr_status status = put_all(catalogue, transaction);
    if (status) {
        tr_catalogue_rollback(catalogue);
        return false;
    }
    return !tr_catalogue_commit(catalogue, NULL);
}

/* Rows of a transaction that are there: 0 to ROWS. */
static int count_rows(tr_catalogue *catalogue, int transaction) {
    static tr_run_row run;
    tr_clip_row clip;
    char name[TR_NAME_MAX];
    int count = 0;
    for (int row = 0; row < 2; row++) {
        name_row(name, sizeof name, transaction, row);
        count += !tr_clips_find(catalogue, name, &clip, NULL);
    }
    name_row(name, sizeof name, transaction, 2);
    return count + (!tr_runs_find(catalogue, name, &run, NULL));
}

/* Compares the rows with the acknowledged ones: NULL if the promise holds, else the error. */
static const char *compare(tr_catalogue *catalogue, const ledger *told) {
    for (int i = 0; i < TRANSACTIONS; i++) {
        int rows = count_rows(catalogue, i);
        if (rows != 0 && rows != ROWS)
            return "half a transaction is visible";
        if (told->acknowledged[i] && rows == 0)
            return "an acknowledged transaction is lost";
    }
    return NULL;
}

static void put_everything(tr_catalogue *catalogue, ledger *out) {
    for (int i = 0; i < TRANSACTIONS; i++)
        out->acknowledged[i] = transact(catalogue, i);
}

/* Opens what the platter has and compares; NULL: as promised. */
static const char *look_again(const ledger *told) {
    tr_catalogue *catalogue = NULL;
    tr_error error = {0};
    if (open_catalogue(&catalogue, &error)) {
        print_message("%s\n", error.message);
        return "the catalogue does not open";
    }
    const char *wrong = compare(catalogue, told);
    if (!wrong && tr_catalogue_check(catalogue, &error))
        wrong = "the catalogue is damaged";
    if (!wrong && transact(catalogue, TRANSACTIONS) == false)
        wrong = "nothing can be put any more";
    tr_catalogue_close(catalogue);
    return wrong;
}

/* --- the loss of power --- */

typedef enum syncing { SYNCING_AS_SHIPPED, SYNCING_OFF } syncing;

/* The calls of the whole workload, from the first to the last. */
static int count_calls(disk_fault fault) {
    OWN(tr_catalogue) *catalogue = NULL;
    ledger told = {0};
    disk_return();
    disk_arm(fault, 0, 0);
    assert_int_equal(open_catalogue(&catalogue, NULL), TR_OK);
    put_everything(catalogue, &told);
    return disk_calls();
}

/* Power goes at a call drawn from the seed; NULL: everything was as promised. */
static const char *lose_power(uint64_t seed, int calls, syncing mode) {
    tr_random random = tr_random_seed(seed);
    tr_catalogue *catalogue = NULL;
    ledger told = {0};
    disk_return();
    if (mode == SYNCING_AS_SHIPPED)
        disk_arm(DISK_POWER, 1 + (int)(tr_random_next(&random) % (uint64_t)calls), 0);
    if (!open_catalogue(&catalogue, NULL)) {
        if (mode == SYNCING_OFF) {
            sqlite3_exec(catalogue->db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
            disk_arm(DISK_POWER, 1 + (int)(tr_random_next(&random) % (uint64_t)calls), 0);
        }
        put_everything(catalogue, &told);
        disk_arm(DISK_POWER, 1, 0); /* after a run to the end too: power fails before it closes */
        tr_catalogue_close(catalogue);
    }
    disk_lose_power(tr_random_next(&random));
    return look_again(&told);
}

static void prepare_disk(void) {
    tr_catalogue *catalogue = NULL;
    disk_clear();
    assert_int_equal(open_catalogue(&catalogue, NULL), TR_OK);
    tr_catalogue_close(catalogue);
    disk_keep();
}

TEST(what_was_acknowledged_survives_a_loss_of_power) {
    prepare_disk();
    int calls = count_calls(DISK_POWER);
    for (int seed = 0; seed < test.seeds; seed++) {
        const char *wrong = lose_power((uint64_t)seed, calls, SYNCING_AS_SHIPPED);
        if (wrong)
            fail_msg("seed %d: %s", seed, wrong);
    }
    disk_losses lost = disk_lost();
    print_message("%d losses of power at one of %d calls: writes dropped %ld, torn %ld, kept %ld; "
                  "files gone %ld, back %ld; every acknowledged transaction there\n",
                  test.seeds, calls, lost.dropped, lost.torn, lost.kept, lost.files_gone,
                  lost.files_back);
    assert_true(lost.dropped > test.seeds && lost.torn > test.seeds / 2);
}

/* The test can fail: without syncing the same losses damage the catalogue. */
TEST(without_syncing_it_would_not) {
    prepare_disk();
    int calls = count_calls(DISK_POWER), harmed = 0;
    for (int seed = 0; seed < test.seeds; seed++)
        harmed += lose_power((uint64_t)seed, calls, SYNCING_OFF) != NULL;
    print_message("%d losses of power with synchronous=OFF: %d did harm\n", test.seeds, harmed);
    assert_true(harmed > test.seeds / 2);
}

/* From the first start on, while the file is being created. */
TEST(a_first_start_survives_a_loss_of_power) {
    disk_clear();
    disk_keep();
    int calls = count_calls(DISK_POWER);
    for (int seed = 0; seed < test.seeds; seed++) {
        const char *wrong = lose_power((uint64_t)seed, calls, SYNCING_AS_SHIPPED);
        if (wrong)
            fail_msg("seed %d: %s", seed, wrong);
    }
    print_message("%d losses of power during a first start\n", test.seeds);
}

/* --- errors --- */

/* The n-th call fails, and `length` - 1 after it (0: all the rest); then the disk works again. */
static const char *fail_at(disk_fault fault, int n, int length, int *out_went_on) {
    tr_catalogue *catalogue = NULL;
    ledger told = {0};
    const char *wrong = NULL;
    disk_return();
    disk_arm(fault, n, length);
    if (!open_catalogue(&catalogue, NULL)) {
        put_everything(catalogue, &told);
        disk_arm(fault, 0, 0);
        wrong = compare(catalogue, &told);
        *out_went_on += transact(catalogue, TRANSACTIONS + 1);
        tr_catalogue_close(catalogue);
    }
    disk_arm(fault, 0, 0);
    return wrong ? wrong : look_again(&told);
}

static void fail_everywhere(disk_fault fault, int length, const char *what) {
    prepare_disk();
    int calls = count_calls(fault), went_on = 0;
    for (int n = 1; n <= calls; n += fixture_stride()) {
        const char *wrong = fail_at(fault, n, length, &went_on);
        if (wrong)
            fail_msg("%s at call %d: %s", what, n, wrong);
    }
    int tried = (calls + fixture_stride() - 1) / fixture_stride();
    print_message("%s: %d of %d calls tried; continued without reopening after %d\n", what, tried,
                  calls, went_on);
    assert_true(calls > 50);
}

TEST(a_full_disk) {
    fail_everywhere(DISK_FULL, 0, "disk full, lasting");
    fail_everywhere(DISK_FULL, 1, "disk full, once");
    fail_everywhere(DISK_FULL, 5, "disk full, five times");
}

TEST(a_failing_disk) {
    fail_everywhere(DISK_ERROR, 0, "I/O error, lasting");
    fail_everywhere(DISK_ERROR, 1, "I/O error, once");
    fail_everywhere(DISK_ERROR, 5, "I/O error, five times");
}

BEFORE_ALL() {
    test.seeds = (int)suite_argument(test.seeds / ((fixture_stride() + 2) / 3));
    for (int i = 0; i < METRICS; i++)
        test.metric[i] = (tr_run_metric){"cost", i, i / 7.0};
    disk_install();
}
