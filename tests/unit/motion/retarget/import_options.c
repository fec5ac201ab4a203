/* The options of an import as text. */
#include "cmocka_test.h"

#include "motion/retarget/import_options.h"

#include <string.h>

static tr_import read(const char *text) {
    tr_import import = tr_import_default();
    tr_error error = {0};
    if (tr_import_read_options(text, &import, &error))
        fail_msg("%s", error.message);
    return import;
}

TEST(what_is_printed_is_read) {
    tr_import import = tr_import_default();
    import.symmetric = import.stiff = true;
    import.frame_count = 160;
    import.dt_s = 1.0 / 30;
    import.return_s = 0.1 + 0.2; /* not a short decimal */
    import.from_rest_s = 0.25;
    import.to_rest_s = 0.5;
    import.clip.unit_m = 0.0254 / 0.45;
    import.clip.rate_hz = 59.94;
    import.clip.up = 'Z';
    import.clip.left_handed = true;
    import.stand = (tr_frame_range){78, 85};
    import.accepted = 1U << TR_CHECK_RATE | 1U << TR_CHECK_SIDES;
    char text[TR_MOTION_TEXT_MAX], again[TR_MOTION_TEXT_MAX];
    assert_true(tr_import_print_options(&import, text, sizeof text));
    tr_import back = read(text);
    assert_true(tr_import_print_options(&back, again, sizeof again));
    assert_string_equal(text, again);
    assert_true(back.symmetric && back.stiff && back.clip.left_handed && !back.cyclic);
    assert_true(back.dt_s == import.dt_s && back.return_s == import.return_s);
    assert_true(back.clip.unit_m == import.clip.unit_m && back.clip.up == 'Z');
    assert_int_equal(back.stand.last, 85);
    assert_int_equal(back.accepted, import.accepted);
    assert_int_equal(back.procedure, TR_IMPORT_PROCEDURE);
}

TEST(a_default_import_reads_back) {
    tr_import import = tr_import_default();
    char text[TR_MOTION_TEXT_MAX];
    assert_true(tr_import_print_options(&import, text, sizeof text));
    tr_import back = read(text);
    assert_memory_equal(&back, &import, sizeof import);
    assert_false(tr_import_print_options(&import, text, 20));
}

/* As records before there was a table have them. */
TEST(old_records_are_read) {
    tr_import import = read("dt 0.005, frames 440, cyclic, return 0.28, blend 0, smooth 0.02, "
                            "ground -1, stiff, from rest 0.3, to rest 0.2, unit 0.01, up y");
    assert_int_equal(import.procedure, TR_IMPORT_PROCEDURE_FIRST);
    assert_int_equal(import.frame_count, 440);
    assert_true(import.cyclic && import.stiff && !import.symmetric);
    assert_true(import.return_s == 0.28 && import.from_rest_s == 0.3 && import.to_rest_s == 0.2);
    assert_int_equal(import.clip.up, 'y');
    import =
        read("dt 0.005, frames 0, open, return 0, blend 0, smooth 0.02, ground -1, from lying 0.5");
    assert_true(!import.cyclic && import.from_lying_s == 0.5);
}

static void refuses(const char *text, const char *expected) {
    tr_import import = tr_import_default(), before = import;
    tr_error error = {0};
    assert_int_equal(tr_import_read_options(text, &import, &error), TR_INVALID_ARGUMENT);
    assert_memory_equal(&import, &before, sizeof import);
    if (!strstr(error.message, expected))
        fail_msg("'%s' does not say '%s'", error.message, expected);
}

TEST(other_texts_are_refused) {
    refuses("", "expected 'import ...'");
    refuses("dt 0.005, colour red", "'colour red' is not known");
    refuses("dt 0", "dt 0: expected a number from 0.0001 to 0.1");
    refuses("dt nan", "dt nan");
    refuses("frames 1.5", "whole number");
    refuses("import 5", "import 5: expected");
    refuses("up w", "one letter");
    refuses("stand 9-3", "frames A-B");
    refuses("stand 3-9x", "frames A-B");
    refuses("accept nothing", "expected sides, calibration");
}
