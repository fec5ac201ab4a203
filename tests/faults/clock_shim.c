/* Preloaded into the daemon: the time of day leaps by a year, there and back, ten times a second.
 * The monotonic clock, by which worlds are paced, does not change. */
#include <dlfcn.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

enum { YEAR_S = 365 * 24 * 3600 };

typedef int clock_function(clockid_t clock, struct timespec *out);

static int64_t leap_s(clock_function *real) {
    struct timespec now;
    real(CLOCK_MONOTONIC, &now);
    int64_t tenths = now.tv_sec * 10 + now.tv_nsec / 100000000;
    return (tenths % 3 - 1) * (int64_t)YEAR_S;
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *out) {
    clock_function *real;
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, out);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        out->tv_sec += leap_s(real);
    return status;
}

__attribute__((visibility("default"))) int gettimeofday(struct timeval *restrict out,
                                                        void *restrict zone) {
    struct timespec now;
    (void)zone;
    int status = clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return status;
}

__attribute__((visibility("default"))) time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
