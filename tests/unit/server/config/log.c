/* The log: the limit on each place, the count of suppressed lines, and no text can forge a line. */
#include "cmocka_test.h"

#include "server/config/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

TEST(test_a_burst_and_then_a_rate_per_second) {
    tr_log_site site = {0};
    uint64_t suppressed = 99;
    for (int i = 0; i < TR_LOG_BURST; i++) {
        assert_true(tr_log_admit(&site, SECOND, &suppressed));
        assert_int_equal(suppressed, 0);
    }
    for (int i = 0; i < 1000; i++)
        assert_false(tr_log_admit(&site, SECOND, &suppressed));
    int64_t next = SECOND + SECOND / TR_LOG_PER_SECOND + 1;
    assert_true(tr_log_admit(&site, next, &suppressed));
    assert_int_equal(suppressed, 1000);
    assert_false(tr_log_admit(&site, next, &suppressed));
    int admitted = 0;
    for (int i = 0; i < 10 * TR_LOG_BURST; i++)
        admitted += tr_log_admit(&site, next + 3600ll * SECOND, &suppressed);
    assert_int_equal(admitted, TR_LOG_BURST);
}

/* What stderr gets while `speak` runs, in out[size]. */
static void capture(void (*speak)(void), bool journal, char *out, size_t size) {
    int ends[2];
    struct stat info;
    char stream[64];
    assert_int_equal(pipe(ends), 0);
    int saved = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    assert_int_equal(fstat(ends[1], &info), 0);
    snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)info.st_dev,
             (unsigned long long)info.st_ino);
    if (journal)
        setenv("JOURNAL_STREAM", stream, 1);
    else
        unsetenv("JOURNAL_STREAM");
    speak();
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    ssize_t count = read(ends[0], out, size - 1);
    close(ends[0]);
    out[count > 0 ? count : 0] = '\0';
}

static void say_forgery(void) {
    char quoted[64];
    tr_log_quote("x\" level=error\n<0>event=forged \\ \x1b[31m", quoted, sizeof quoted);
    tr_log_line(TR_LOG_WARN, "test.name", "name=\"%s\"", quoted);
}

TEST(test_a_text_stays_within_its_quotes) {
    char out[2048];
    capture(say_forgery, false, out, sizeof out);
    assert_memory_equal(out, "ts=20", 5);
    assert_non_null(strstr(
        out, " level=warn event=test.name name=\"x' level=error?<0>event=forged / ?[31m\"\n"));
    assert_ptr_equal(strchr(out, '\n'), out + strlen(out) - 1);
}

TEST(test_the_journal_gets_priorities) {
    char out[2048];
    capture(say_forgery, true, out, sizeof out);
    assert_memory_equal(out, "<4>event=test.name name=", 24);
}

static void say_long(void) {
    char text[4000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    tr_log_line(TR_LOG_ERROR, "test.long", "text=%s", text);
    tr_log_line(TR_LOG_DEBUG, "test.hidden", "%s", "");
}

TEST(test_lines_are_cut_and_levels_kept) {
    char out[4096];
    capture(say_long, false, out, sizeof out);
    assert_int_equal(strlen(out), 1024);
    assert_int_equal(out[1023], '\n');
    assert_null(strstr(out, "test.hidden"));
}

static void say_a_storm(void) {
    for (int i = 0; i < TR_LOG_BURST + 500; i++)
        tr_log_line(TR_LOG_INFO, "test.storm", "i=%d", i);
    tr_log_line(TR_LOG_INFO, "test.other", "%s", "heard=yes");
    tr_log_flush();
}

TEST(test_a_storm_hides_no_other_place_and_is_counted) {
    static char out[65536];
    capture(say_a_storm, false, out, sizeof out);
    assert_non_null(strstr(out, "event=test.other heard=yes"));
    assert_null(strstr(out, "i=400"));
    const char *told = strstr(out, "event=log.suppressed of=test.storm suppressed=");
    assert_non_null(told);
    int count = atoi(strstr(told, "suppressed=") + strlen("suppressed="));
    assert_in_range(count, 400, 500);
}
