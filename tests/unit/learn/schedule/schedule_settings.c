#include "cmocka_test.h"

#include "learn/method/task_file.h"
#include "learn/method/whole_file.h"
#include "learn/schedule/schedule_settings.h"
#include "unit/defaults.h"

#include <stdio.h>
#include <string.h>

static const char PATH[] = "schedule_settings_test.task";

static tr_status read(const char *text, tr_schedule_settings *out, tr_error *error) {
    assert_int_equal(tr_whole_file_write(PATH, text, strlen(text), NULL), TR_OK);
    tr_status status = tr_task_file_read(&tr_schedule_settings_table, out, PATH, error);
    remove(PATH);
    return status;
}

TEST(a_task_file_sets_what_it_names) {
    tr_schedule_settings settings = DEFAULTS(tr_schedule_settings, tr_schedule_settings_table);
    tr_error error = {0};
    const char *text =
        "# standing\n\nfavoured = stand   # skill\npush_high_n=320\nlate_rate = 0.3\n";
    assert_int_equal(read(text, &settings, &error), TR_OK);
    assert_string_equal(settings.favoured, "stand");
    assert_true(settings.push_high_n == 320 && settings.push_low_n == 100);
}

TEST(errors_name_file_and_line_and_change_nothing) {
    static const char *const bad[][2] = {{"batch = 5\nstaying = 3\n", ".task:2: "},
                                         {"batch = 5000\n", "batch"},
                                         {"\n\nrate\n", ".task:3: "},
                                         {"late_rate = 0.5\n", "late_rate: '0.5': expected 0.3"},
                                         {"batch = many\n", ".task:1: "}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tr_schedule_settings settings = DEFAULTS(tr_schedule_settings, tr_schedule_settings_table),
                             before = settings;
        tr_error error = {0};
        assert_int_not_equal(read(bad[i][0], &settings, &error), TR_OK);
        assert_non_null(strstr(error.message, bad[i][1]));
        assert_memory_equal(&settings, &before, sizeof before);
    }
}

TEST(defaults_are_within_their_bounds) {
    static char text[16384];
    tr_schedule_settings settings = DEFAULTS(tr_schedule_settings, tr_schedule_settings_table);
    assert_int_equal(tr_parameter_print(&tr_schedule_settings_table, &settings, text, sizeof text),
                     TR_OK);
    assert_int_equal(read(text, &settings, NULL), TR_OK);
}
