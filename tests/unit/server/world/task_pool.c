#include "cmocka_test.h"

#include "server/world/task_pool.h"

#include <stdatomic.h>
#include <unistd.h>

enum { TASK_COUNT = 40, TURNS = 200 };

typedef struct counter {
    tr_task task; /* first */
    int turns; /* guarded by "one worker at a time" alone: a race shows under TSan, or in the sum */
    atomic_bool inside, retired;
    int64_t interval_ns, last_ns, worst_ns;
} counter;

static int64_t count(tr_task *task, int64_t now_ns) {
    counter *c = (counter *)task;
    assert_false(atomic_exchange(&c->inside, true));
    c->turns++;
    atomic_store(&c->inside, false);
    return c->turns == TURNS ? TR_TASK_RETIRE : c->interval_ns == 0 ? 0 : now_ns + c->interval_ns;
}

static void on_retired(tr_task *task) {
    atomic_store(&((counter *)task)->retired, true);
}

static void wait_for(atomic_bool *flag) {
    for (int i = 0; i < 10000 && !atomic_load(flag); i++)
        usleep(1000);
    assert_true(atomic_load(flag));
}

TEST(test_every_task_gets_its_turns) {
    for (int threads = 1; threads <= 4; threads++) {
        OWN(tr_task_pool) *pool = NULL;
        static counter task[TASK_COUNT];
        assert_int_equal(tr_task_pool_create(threads, threads, TASK_COUNT, &pool), TR_OK);
        for (int i = 0; i < TASK_COUNT; i++) {
            task[i] = (counter){.task = {.run = count, .retired = on_retired}};
            task[i].interval_ns = i % 3 * 10000;
            assert_int_equal(tr_task_pool_add(pool, &task[i].task), TR_OK);
        }
        for (int i = 0; i < TASK_COUNT; i++) {
            wait_for(&task[i].retired);
            assert_int_equal(task[i].turns, TURNS);
        }
    }
}

static int64_t park(tr_task *task, int64_t now_ns) {
    (void)now_ns;
    counter *c = (counter *)task;
    c->turns++;
    atomic_store(&c->inside, true);
    return c->turns == 3 ? TR_TASK_RETIRE : TR_TASK_PARK;
}

TEST(test_a_parked_task_runs_when_woken) {
    OWN(tr_task_pool) *pool = NULL;
    counter task = {.task = {.run = park, .retired = on_retired}};
    assert_int_equal(tr_task_pool_create(2, 2, 1, &pool), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &task.task), TR_OK);
    for (int i = 0; i < 2; i++) {
        wait_for(&task.inside);
        usleep(20000);
        assert_int_equal(task.turns, i + 1);
        atomic_store(&task.inside, false);
        tr_task_pool_wake(pool, &task.task);
    }
    wait_for(&task.retired);
}

static int64_t linger(tr_task *task, int64_t now_ns) {
    (void)now_ns;
    counter *c = (counter *)task;
    atomic_store(&c->inside, true);
    usleep(c->turns == 0 ? 30000 : 0);
    return ++c->turns == 2 ? TR_TASK_RETIRE : TR_TASK_PARK;
}

/* A wake that comes while the task runs is not lost, though it asks to be parked. */
TEST(test_a_wake_during_a_turn_is_kept) {
    OWN(tr_task_pool) *pool = NULL;
    counter task = {.task = {.run = linger, .retired = on_retired}};
    assert_int_equal(tr_task_pool_create(1, 1, 1, &pool), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &task.task), TR_OK);
    wait_for(&task.inside);
    tr_task_pool_wake(pool, &task.task);
    wait_for(&task.retired);
}

static int64_t keep_time(tr_task *task, int64_t now_ns) {
    counter *c = (counter *)task;
    if (c->last_ns != 0 && now_ns - c->last_ns > c->worst_ns)
        c->worst_ns = now_ns - c->last_ns;
    if (c->last_ns == 0)
        c->last_ns = now_ns;
    c->last_ns += c->interval_ns;
    return ++c->turns == 100 ? TR_TASK_RETIRE : c->last_ns;
}

static int64_t hog(tr_task *task, int64_t now_ns) {
    (void)now_ns;
    counter *c = (counter *)task;
    int64_t end_ns = tr_task_pool_now_ns() + 1000000;
    while (tr_task_pool_now_ns() < end_ns)
        continue;
    return atomic_load(&c->inside) ? TR_TASK_RETIRE : 0;
}

/* Tasks that always want to run take turns with those that have times to keep. */
TEST(test_a_hungry_task_does_not_starve_a_timed_one) {
    OWN(tr_task_pool) *pool = NULL;
    counter hungry = {.task = {.run = hog, .retired = on_retired}};
    counter timed = {.task = {.run = keep_time, .retired = on_retired}, .interval_ns = 5000000};
    assert_int_equal(tr_task_pool_create(1, 1, 2, &pool), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &hungry.task), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &timed.task), TR_OK);
    wait_for(&timed.retired);
    assert_int_equal(timed.turns, 100);
    atomic_store(&hungry.inside, true);
    wait_for(&hungry.retired);
}

/* A foreground task of one turn each 2 ms beside background tasks that always want to run: it is
 * taken as soon as the turn in progress ends, and they have the rest. */
static int64_t spin(tr_task *task, int64_t now_ns) {
    counter *c = (counter *)task;
    while (tr_task_pool_now_ns() < now_ns + 200000)
        continue;
    c->turns++;
    return 0;
}

static int64_t turn_in_time(tr_task *task, int64_t now_ns) {
    counter *c = (counter *)task;
    c->turns++;
    return c->turns == TURNS ? TR_TASK_RETIRE : now_ns + c->interval_ns;
}

TEST(test_the_background_has_what_is_left) {
    tr_task_pool *pool = NULL;
    static counter hogs[20], timed;
    assert_int_equal(tr_task_pool_create(1, 1, TASK_COUNT, &pool), TR_OK);
    for (int i = 0; i < 20; i++) {
        hogs[i] = (counter){.task = {.run = spin, .retired = on_retired, .background = true}};
        assert_int_equal(tr_task_pool_add(pool, &hogs[i].task), TR_OK);
    }
    timed = (counter){.task = {.run = turn_in_time, .retired = on_retired}, .interval_ns = 2000000};
    assert_int_equal(tr_task_pool_add(pool, &timed.task), TR_OK);
    wait_for(&timed.retired);
    tr_task_pool_destroy(pool);
    int turns = 0;
    for (int i = 0; i < 20; i++)
        turns += hogs[i].turns;
    /* In one queue with all, each of its turns would wait for twenty of theirs. */
    assert_in_range(turns, TURNS, TURNS * 15);
}

/* A foreground that is always due still leaves turns to the background. */
TEST(test_the_background_is_not_starved) {
    tr_task_pool *pool = NULL;
    counter busy = {.task = {.run = spin, .retired = on_retired}};
    counter quiet = {.task = {.run = count, .retired = on_retired, .background = true},
                     .turns = TURNS - 3};
    assert_int_equal(tr_task_pool_create(1, 1, 2, &pool), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &busy.task), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &quiet.task), TR_OK);
    wait_for(&quiet.retired);
    tr_task_pool_destroy(pool);
    assert_true(busy.turns > 3);
}

/* A background step that lasts until the foreground task has had all its turns. */
static atomic_bool *awaited;

static int64_t block(tr_task *task, int64_t now_ns) {
    (void)task, (void)now_ns;
    wait_for(awaited);
    return TR_TASK_RETIRE;
}

TEST(test_a_long_background_step_holds_up_no_foreground_task) {
    OWN(tr_task_pool) *pool = NULL;
    counter blocker = {.task = {.run = block, .retired = on_retired, .background = true}};
    counter timed = {.task = {.run = turn_in_time, .retired = on_retired}, .interval_ns = 1000000};
    awaited = &timed.retired;
    assert_int_equal(tr_task_pool_create(1, 1, 2, &pool), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &blocker.task), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &timed.task), TR_OK);
    wait_for(&timed.retired);
    wait_for(&blocker.retired);
}

/* The same of the foreground: of as many long steps as there are workers, none holds up the rest. */
TEST(test_long_foreground_steps_hold_up_no_other) {
    OWN(tr_task_pool) *pool = NULL;
    counter first = {.task = {.run = block, .retired = on_retired}}, second = first;
    counter timed = {.task = {.run = turn_in_time, .retired = on_retired}, .interval_ns = 1000000};
    awaited = &timed.retired;
    assert_int_equal(tr_task_pool_create(2, 1, 3, &pool), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &first.task), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &second.task), TR_OK);
    usleep(20000);
    assert_int_equal(tr_task_pool_add(pool, &timed.task), TR_OK);
    wait_for(&timed.retired);
    wait_for(&first.retired);
    wait_for(&second.retired);
}

/* A task may move itself to the background and back. */
static int64_t change_sides(tr_task *task, int64_t now_ns) {
    counter *c = (counter *)task;
    task->background = !task->background;
    return ++c->turns == TURNS ? TR_TASK_RETIRE : now_ns;
}

TEST(test_a_task_may_change_to_the_background) {
    OWN(tr_task_pool) *pool = NULL;
    static counter task[TASK_COUNT];
    assert_int_equal(tr_task_pool_create(2, 1, TASK_COUNT, &pool), TR_OK);
    for (int i = 0; i < TASK_COUNT; i++) {
        task[i] = (counter){.task = {.run = change_sides, .retired = on_retired}};
        assert_int_equal(tr_task_pool_add(pool, &task[i].task), TR_OK);
    }
    for (int i = 0; i < TASK_COUNT; i++)
        wait_for(&task[i].retired);
}

/* Two steps that would last until the foreground task has had all its turns: the second waits for
 * the first, and the other worker serves the foreground. */
TEST(test_the_background_leaves_a_worker) {
    OWN(tr_task_pool) *pool = NULL;
    counter timed = {.task = {.run = turn_in_time, .retired = on_retired}, .interval_ns = 1000000};
    counter first = {.task = {.run = block, .retired = on_retired, .background = true}};
    counter second = {.task = {.run = count, .retired = on_retired, .background = true},
                      .turns = TURNS - 1};
    awaited = &timed.retired;
    assert_int_equal(tr_task_pool_create(2, 1, 3, &pool), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &first.task), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &second.task), TR_OK);
    usleep(20000);
    assert_false(atomic_load(&second.retired));
    assert_int_equal(tr_task_pool_add(pool, &timed.task), TR_OK);
    wait_for(&first.retired);
    wait_for(&second.retired);
}

TEST(test_full) {
    OWN(tr_task_pool) *pool = NULL;
    counter first = {.task = {.run = park, .retired = on_retired}};
    counter second = first;
    assert_int_equal(tr_task_pool_create(0, 0, 1, &pool), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_task_pool_create(1, 2, 1, &pool), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_task_pool_create(1, 0, 1, &pool), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_task_pool_create(1, 1, 1, &pool), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &first.task), TR_OK);
    assert_int_equal(tr_task_pool_add(pool, &second.task), TR_RESOURCE_EXHAUSTED);
}
