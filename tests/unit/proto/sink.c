#include "cmocka_test.h"

#include "proto/sink.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/troupe-sink-XXXXXX";
static char path[64], other[64];

FIXTURE(make_folder) {
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(other, sizeof other, "%s/other", folder);
}

FIXTURE(empty_folder) {
    (void)unlink(path);
    (void)unlink(other);
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder); /* fails where a temporary file was left */
}

static void put(const char *at, const char *text) {
    tr_error error = {0};
    tr_status status = tr_sink_write(at, text, strlen(text), &error);
    if (status)
        fail_msg("%s", error.message);
}

static void put_here(const char *at) {
    FILE *file = fopen(at, "w");
    assert_non_null(file);
    fclose(file);
}

static void assert_content(const char *at, const char *expected) {
    char text[64] = "";
    FILE *file = fopen(at, "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_int_equal(size, strlen(expected));
    assert_string_equal(text, expected);
}

static struct stat about(const char *at) {
    struct stat info;
    assert_int_equal(lstat(at, &info), 0);
    return info;
}

TEST_WITH(a_plain_file_is_replaced_whole, NULL, empty_folder) {
    put(path, "first one");
    assert_int_equal(chmod(path, 0640), 0);
    int reader = open(path, O_RDONLY | O_CLOEXEC);
    put(path, "two");
    assert_content(path, "two");
    assert_int_equal(about(path).st_mode & 07777, 0640);
    char old[16] = "";
    assert_int_equal(read(reader, old, sizeof old), 9); /* a reader keeps the old one */
    close(reader);
}

TEST_WITH(links_stay_and_their_targets_are_written, NULL, empty_folder) {
    put(other, "old");
    assert_int_equal(symlink("other", path), 0);
    put(path, "new");
    assert_true(S_ISLNK(about(path).st_mode));
    assert_content(other, "new");
    assert_int_equal(unlink(other), 0);
    put(path, "made"); /* a link to nothing */
    assert_true(S_ISLNK(about(path).st_mode));
    assert_content(other, "made");
}

TEST_WITH(a_file_with_two_names_keeps_both, NULL, empty_folder) {
    put(path, "old");
    assert_int_equal(link(path, other), 0);
    put(path, "new");
    assert_content(other, "new");
    assert_int_equal(about(path).st_nlink, 2);
}

TEST_WITH(pipes_and_devices_are_written_through, NULL, empty_folder) {
    char text[8] = "", open_file[32];
    int ends[2];
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    put(path, "piped");
    assert_int_equal(read(reader, text, sizeof text), 5);
    assert_true(S_ISFIFO(about(path).st_mode));
    close(reader);
    put("/dev/null", "gone");
    assert_true(S_ISCHR(about("/dev/null").st_mode));
    assert_int_equal(pipe(ends), 0);
    snprintf(open_file, sizeof open_file, "/dev/fd/%d", ends[1]);
    put(open_file, "passed");
    assert_int_equal(read(ends[0], text, sizeof text), 6);
    close(ends[0]);
    close(ends[1]);
}

TEST_WITH(a_failed_write_is_an_error_and_leaves_the_old_file, NULL, empty_folder) {
    tr_error error = {0};
    struct rlimit old, low = {4, 4};
    put(path, "old");
    assert_int_equal(tr_sink_write("/dev/full", "x", 1, &error), TR_UNAVAILABLE);
    assert_string_equal(error.message, "/dev/full: cannot be written: No space left on device");
    assert_int_equal(tr_sink_write(folder, "x", 1, &error), TR_UNAVAILABLE);
    assert_int_equal(tr_sink_write("/dev/fd/x", "x", 1, &error), TR_NOT_FOUND);
    assert_int_equal(tr_sink_write("/dev/fd/999", "x", 1, &error), TR_UNAVAILABLE);
    assert_int_equal(tr_sink_write("/dev/null/x", "x", 1, &error), TR_NOT_FOUND);
    assert_int_equal(tr_sink_write("/no/such", "x", 1, &error), TR_NOT_FOUND);
    assert_string_equal(error.message, "/no/such: cannot be written: No such file or directory");
    char longer[2 * TR_SINK_PATH_MAX];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(tr_sink_write("", "x", 1, &error), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_sink_write(longer, "x", 1, &error), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_sink_write("/dev/stderr", "", 0, &error), TR_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    low.rlim_max = old.rlim_max;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    assert_int_equal(tr_sink_write(path, "longer", 6, &error), TR_UNAVAILABLE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_content(path, "old");
}

TEST_WITH(a_failure_before_the_end_leaves_the_old_file, NULL, empty_folder) {
    tr_sink sink;
    tr_error error = {0};
    put(path, "old");
    assert_int_equal(tr_sink_open(&sink, path, &error), TR_OK);
    fputs("half", sink.file);
    assert_int_equal(tr_sink_close(&sink, TR_NOT_FOUND, &error), TR_NOT_FOUND);
    assert_content(path, "old");
}

/* A path may be as long as the system's; one that its neighbour would pass is refused. */
TEST_WITH(a_folder_full_of_unfinished_files_is_left_alone, NULL, empty_folder) {
    char name[96], deep[TR_SINK_PATH_MAX + 8] = "";
    tr_error error = {0};
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "%s/.troupe-%ld-%d.new", folder, (long)getpid(), i);
        put_here(name);
    }
    assert_int_equal(tr_sink_write(path, "x", 1, &error), TR_UNAVAILABLE);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "%s/.troupe-%ld-%d.new", folder, (long)getpid(), i);
        assert_int_equal(unlink(name), 0);
    }
    while (strlen(deep) + 2 < TR_SINK_PATH_MAX)
        strcat(deep, "/.");
    memcpy(deep + strlen(deep) - 1, "x", 1);
    assert_int_not_equal(tr_sink_write(deep, "x", 1, &error), TR_OK);
    assert_int_equal(tr_sink_close(&(tr_sink){0}, TR_ABORTED, &error), TR_ABORTED);
}

TEST(a_program_that_could_not_print_says_so) {
    int kept = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    fflush(stdout);
    assert_int_equal(tr_standard_output_end("tool", 0), 0);
    assert_int_equal(tr_standard_output_end("tool", 3), 3);
    assert_int_equal(dup2(full, STDOUT_FILENO), STDOUT_FILENO);
    fputs("text", stdout);
    assert_int_equal(tr_standard_output_end("tool", 0), TR_EXIT_OUTPUT);
    fputs("text", stdout);
    assert_int_equal(tr_standard_output_end("tool", 3), 3);
    dup2(kept, STDOUT_FILENO);
    clearerr(stdout);
    close(kept);
    close(full);
}

TEST(standard_output_holds_the_file_alone) {
    char text[16] = "";
    int ends[2], kept = dup(STDOUT_FILENO);
    fflush(stdout);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
    close(ends[1]);
    put("-", "one ");
    put("/dev/stdout", "two");
    struct stat out, err;
    assert_int_equal(fstat(STDOUT_FILENO, &out), 0);
    assert_int_equal(fstat(STDERR_FILENO, &err), 0);
    assert_int_equal(read(ends[0], text, sizeof text - 1), 7);
    assert_string_equal(text, "one two");
    assert_int_equal(out.st_ino, err.st_ino); /* what is printed later */
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(ends[0]);
}

SUITE_FIXTURE(make_folder, remove_folder);
