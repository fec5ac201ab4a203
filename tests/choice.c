/* Part of every test program: TROUPE_TEST in the environment chooses the tests to be run, by a
 * pattern with '*' and '?'. It is for tools under which a whole program takes too long (valgrind).
 * What matches nothing runs nothing, and passes. */
#include "cmocka_test.h"

#include <stdlib.h>

__attribute__((constructor)) static void choose(void) {
    const char *pattern = getenv("TROUPE_TEST");
    if (pattern)
        cmocka_set_test_filter(pattern);
}
