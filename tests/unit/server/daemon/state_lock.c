/* One daemon per state directory. */
#include "cmocka_test.h"

#include "server/daemon/state_lock.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(test_the_second_learns_the_process_that_holds_the_lock) {
    char folder[] = "/tmp/troupe-lock-XXXXXX", path[64], pid[32];
    int first = -1, second = -1, ends[2];
    tr_error error;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/lock", folder);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        int lock = -1;
        char status = !tr_state_lock_take(folder, &lock, NULL) ? 'y' : 'n';
        (void)!write(ends[1], &status, 1);
        pause();
    }
    char status = 0;
    assert_int_equal(read(ends[0], &status, 1), 1);
    assert_int_equal(status, 'y');
    assert_int_equal(tr_state_lock_take(folder, &second, &error), TR_FAILED_PRECONDITION);
    snprintf(pid, sizeof pid, "process %ld", (long)child);
    assert_non_null(strstr(error.message, pid));
    assert_int_equal(second, -1);

    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(tr_state_lock_take(folder, &first, &error), TR_OK);
    tr_state_lock_release(first);
    assert_int_equal(tr_state_lock_take(folder, &first, &error), TR_OK);
    tr_state_lock_release(first);
    tr_state_lock_release(-1);
    assert_int_equal(tr_state_lock_take("/nowhere/at/all", &first, &error), TR_PERMISSION_DENIED);
    unlink(path);
    rmdir(folder);
}
