#include "cmocka_test.h"

#include "learn/rehearsal/ensemble.h"
#include "unit/learn/sway_suite.h"

enum { THREADS = 2, LANES = 3, ITEMS = THREADS * LANES };

static tr_ensemble *ensemble(void) {
    const tr_ensemble_def def = {model, "a", 0.005, THREADS, NULL, LANES};
    tr_ensemble *out = NULL;
    assert_int_equal(tr_ensemble_create(&def, &out), TR_OK);
    return out;
}

static void count_scenery(void *context, int item, tr_rehearsal *rehearsal) {
    ((int *)context)[item] = tr_world_scenery(rehearsal->world, NULL, 0);
}

static void count_scenery_of(void *context, const int *item, int count,
                             const tr_rehearsal_group *group) {
    for (int k = 0; k < count; k++)
        count_scenery(context, item[k], group->rehearsal[k]);
}

static void share(tr_ensemble *e, int *scenery, int count) {
    tr_ensemble_share_groups(e, count_scenery_of, scenery, count,
                             (const tr_ranks_result[]){{scenery, sizeof *scenery}, {0}});
}

TEST(worlds_of_groups_open_when_they_are_needed) {
    OWN(tr_ensemble) *e = ensemble();
    int scenery[ITEMS] = {0};
    tr_ensemble_run(e, count_scenery, scenery, ITEMS);
    share(e, scenery, THREADS);
    assert_int_equal(e->worlds, THREADS);
    share(e, scenery, ITEMS);
    assert_int_equal(e->worlds, THREADS * LANES);
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(e->group[t].count, LANES);
        assert_ptr_equal(e->group[t].rehearsal[0], &e->rehearsal[t]);
    }
}

TEST(steps_lie_in_worlds_that_open_later_too) {
    OWN(tr_ensemble) *e = ensemble();
    tr_steps steps;
    int scenery[ITEMS] = {0};
    assert_int_equal(tr_steps_read("3:0.2", &steps, NULL), TR_OK);
    assert_int_equal(tr_ensemble_lay(e, &steps), TR_OK);
    share(e, scenery, ITEMS);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(scenery[i], 1);
    for (int i = 0; i < e->worlds; i++)
        assert_int_equal(tr_world_scenery(e->rehearsal[i].world, NULL, 0), 1);
}

SUITE_FIXTURE(load, unload);
