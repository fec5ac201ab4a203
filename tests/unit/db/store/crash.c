#include "unit/db/fixture.h"

#include "db/bundles/bundle.h"
#include "db/store/rows.h"
#include "unit/db/faults.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Another count may be given as the argument. */
static int kill_count;

/* Puts runs with metrics without end, and writes the number of each to the pipe once it is put. */
static void write_for_ever(const char *path, int first, int pipe_end) {
    tr_catalogue *catalogue = NULL;
    if (tr_catalogue_open(path, TR_CATALOGUE_WRITE, &catalogue, NULL))
        _exit(1);
    for (int n = first;; n++) {
        static tr_run_metric metrics[200];
        for (int i = 0; i < 200; i++)
            metrics[i] = (tr_run_metric){"cost", i, n + i / 7.0};
        tr_row_id id;
        char name[32];
        snprintf(name, sizeof name, "run %d", n);
        tr_run_row run = fixture_run(name);
        if (tr_runs_put(catalogue, &run, &(tr_run_content){metrics, 200, NULL}, &id, NULL) !=
                TR_OK ||
            write(pipe_end, &n, sizeof n) != (ssize_t)sizeof n)
            _exit(2);
    }
}

/* Starts a writer, waits until it has reported `wanted` rows, and kills it. Returns the last
 * reported row, or `first` - 1. */
static int kill_a_writer(fixture *f, int first, int wanted, unsigned pause_us) {
    int ends[2], told = first - 1, n;
    assert_int_equal(0, pipe(ends));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        write_for_ever(f->path, first, ends[1]);
    }
    close(ends[1]);
    for (int i = 0; i < wanted && read(ends[0], &n, sizeof n) == (ssize_t)sizeof n; i++)
        told = n;
    usleep(pause_us);
    kill(child, SIGKILL);
    int status = 0;
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_true(WIFSIGNALED(status));
    while (read(ends[0], &n, sizeof n) == (ssize_t)sizeof n)
        told = n;
    close(ends[0]);
    return told;
}

TEST(what_was_acknowledged_survives_kill_9) {
    fixture *f = *given;
    int next = 0;
    for (int kills = 0; kills < kill_count; kills++) {
        tr_catalogue_close(f->catalogue);
        f->catalogue = NULL;
        int told = kill_a_writer(f, next, kills % 4, (unsigned)(kills * 7919 % 3000));
        assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_WRITE, &f->catalogue, &f->error));
        tr_catalogue_summary summary;
        assert_ok(tr_catalogue_summarize(f->catalogue, &summary, &f->error));
        assert_true(summary.runs > told); /* all reported rows; one more may have been put */
        assert_true(summary.runs <= told + 2);
        assert_ok(tr_catalogue_check(f->catalogue, &f->error));
        next = (int)summary.runs;
    }
    print_message("%d kills, %d runs whole\n", kill_count, next);
    assert_true(next > kill_count / 2);
}

/* --- faults at every change of the disk --- */

typedef tr_status (*changes)(tr_catalogue *catalogue, const char *bundle);

static tr_status import_bundle(tr_catalogue *catalogue, const char *bundle) {
    return tr_bundle_import(catalogue, bundle, TR_BUNDLE_REFUSE, NULL, NULL);
}

static tr_status remove_and_import(tr_catalogue *catalogue, const char *bundle) {
    tr_status status = tr_catalogue_begin(catalogue, NULL);
    if (!status)
        status = tr_rows_remove(catalogue, TR_NOUN_CLIP, 1, NULL);
    if (!status)
        status = tr_bundle_import(catalogue, bundle, TR_BUNDLE_REFUSE, NULL, NULL);
    return status ? status : tr_catalogue_commit(catalogue, NULL);
}

/* 0: as before, one clip; 1: as after, whole. */
static int expect_all_or_nothing(fixture *f, const char *path) {
    tr_catalogue *catalogue = NULL;
    tr_catalogue_summary summary;
    assert_ok(tr_catalogue_open(path, TR_CATALOGUE_WRITE, &catalogue, &f->error));
    assert_ok(tr_catalogue_check(catalogue, &f->error));
    assert_ok(tr_catalogue_summarize(catalogue, &summary, &f->error));
    tr_catalogue_close(catalogue);
    int after = summary.controllers == 1;
    assert_int_equal(after, summary.models);
    assert_int_equal(after, summary.runs);
    assert_int_equal(after ? 3 : 0, summary.fragments);
    assert_true(summary.clips >= 1);
    return after;
}

/* The child's exit: 0 done, 1 failed as it should and kept what it had, 2 failed otherwise. */
static void change_under_fault(fault_kind kind, int countdown, changes change, const char *path,
                               const char *bundle) {
    tr_catalogue *catalogue = NULL;
    tr_catalogue_summary summary;
    if (tr_catalogue_open(path, TR_CATALOGUE_WRITE, &catalogue, NULL))
        _exit(1);
    faults_arm(kind, countdown);
    tr_status status = change(catalogue, bundle);
    faults_arm(kind, 0);
    if (!status)
        _exit(0);
    tr_catalogue_rollback(catalogue);
    if (tr_catalogue_summarize(catalogue, &summary, NULL) || summary.controllers != 0)
        _exit(2);
    _exit(status == TR_RESOURCE_EXHAUSTED || status == TR_UNAVAILABLE || status == TR_ABORTED ? 1
                                                                                              : 3);
}

static void expect_survival(fixture *f, fault_kind kind, changes change) {
    size_t size;
    const char *bundle = fixture_file(f, "bundle");
    char path[128], wal[144], bundle_path[384];
    snprintf(bundle_path, sizeof bundle_path, "%s", bundle);
    snprintf(path, sizeof path, "%s/target", f->folder);
    snprintf(wal, sizeof wal, "%s-wal", path);
    OWN_MEMORY unsigned char *before = fixture_read(fixture_file(f, "before"), &size);
    int seen[2] = {0}, countdown = 0, status = 1;
    while (status != 0) {
        unlink(wal);
        fixture_write(path, before, size);
        countdown += fixture_stride();
        pid_t child = fork();
        if (child == 0) {
            faults_install(kind, 0);
            change_under_fault(kind, countdown, change, path, bundle_path);
        }
        assert_int_equal(child, waitpid(child, &status, 0));
        assert_true(WIFSIGNALED(status) ? kind == FAULT_KILL : WEXITSTATUS(status) < 2);
        int after = expect_all_or_nothing(f, path);
        assert_true(after || status != 0);
        seen[after]++;
    }
    print_message("up to %d changes: before %d times, after %d\n", countdown - 1, seen[0], seen[1]);
    assert_true(countdown > 10);
}

/* A bundle with a controller, and a catalogue with one clip for it to be imported into. */
static void prepare(fixture *f) {
    tr_row_id run = fixture_put_controller(f, "run", 1, fixture_put_model(f, "humanoid")), id;
    assert_ok(tr_bundle_export(f->catalogue, &run, 1, fixture_file(f, "bundle"), &f->error));
    OWN(tr_catalogue) *before = NULL;
    tr_clip_row clip = fixture_clip("there before");
    clip.first_frame++;
    assert_ok(
        tr_catalogue_open(fixture_file(f, "before"), TR_CATALOGUE_CREATE, &before, &f->error));
    assert_ok(tr_clips_put(before, &clip, &id, &f->error));
}

TEST(an_import_killed_at_any_change_is_all_or_nothing) {
    prepare(*given);
    expect_survival(*given, FAULT_KILL, import_bundle);
    expect_survival(*given, FAULT_KILL, remove_and_import);
}

TEST(a_full_disk_leaves_the_old_file) {
    prepare(*given);
    expect_survival(*given, FAULT_FULL, import_bundle);
    expect_survival(*given, FAULT_FULL, remove_and_import);
}

TEST(a_failing_disk_leaves_the_old_file) {
    prepare(*given);
    expect_survival(*given, FAULT_IO, import_bundle);
}

BEFORE_ALL() {
    kill_count = (int)suite_argument(60 / fixture_stride());
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
