#pragma once

/* Of the repetitions of a test, one of so many: 1 in a plain build, `sanitized` under a sanitizer, where each costs ten
 * times as much and the test is about memory. TROUPE_TEST_STRIDE in the environment asks for another number, for
 * valgrind; no test takes more than its `sanitized`. Defined in suite.c. */
int suite_stride(int sanitized);
