/* When does the daemon lack time? */
#include "cmocka_test.h"

#include "server/daemon/pressure.h"

enum { TICKS = 1000 };

/* Ten reports, a tenth of the ticks before each: a share of them too late. */
static bool verdict(tr_pressure *pressure, tr_lateness *all, int ticks, int late) {
    bool is_late = false;
    for (int i = 0; i < TR_PRESSURE_WINDOW; i++) {
        for (int k = 0; k < ticks / TR_PRESSURE_WINDOW; k++)
            tr_lateness_add(all, k < late / TR_PRESSURE_WINDOW ? 5000000 : 100000);
        is_late = tr_pressure_is_late(pressure, all);
    }
    return is_late;
}

TEST(few_late_ticks_are_no_pressure) {
    tr_pressure pressure = {0};
    tr_lateness all = {0};
    assert_false(verdict(&pressure, &all, TICKS, TICKS / 200));
}

TEST(many_late_ticks_are_until_a_window_without) {
    tr_pressure pressure = {0};
    tr_lateness all = {0};
    assert_true(verdict(&pressure, &all, TICKS, TICKS / 20));
    assert_true(tr_pressure_is_late(&pressure, &all)); /* the next window has begun */
    pressure.reports = 0;
    assert_false(verdict(&pressure, &all, TICKS, 0));
}

TEST(too_few_ticks_give_no_verdict) {
    tr_pressure pressure = {0};
    tr_lateness all = {0};
    assert_false(verdict(&pressure, &all, TR_PRESSURE_TICKS_MIN - TR_PRESSURE_WINDOW,
                         TR_PRESSURE_TICKS_MIN - TR_PRESSURE_WINDOW));
}
