/* A token bucket: so much at once, and so much more each second. Time is an argument. Plain data. */
#ifndef TROUPE_SERVER_BUCKET_H
#define TROUPE_SERVER_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_bucket {
    double level;   /* of what may still be taken; below 0: a debt */
    uint64_t at_ms; /* when the level was that */
    bool begun;     /* else it is full */
} tr_bucket;

/* Takes `amount` if so much is there; what is larger than the bucket passes when that is full, and
 * leaves a debt that the next ones wait for. False: not enough is there, and nothing was taken.
 * `capacity` and `per_s` may change between calls; per_s 0 never fails. */
bool tr_bucket_take(tr_bucket *bucket, double capacity, double per_s, double amount,
                    uint64_t now_ms);

/* Takes `amount` whatever is there, which may leave a debt. per_s 0: nothing is counted. */
void tr_bucket_owe(tr_bucket *bucket, double capacity, double per_s, double amount,
                   uint64_t now_ms);

/* How long until there is no debt, ms; 0: there is none. */
uint64_t tr_bucket_wait_ms(tr_bucket *bucket, double capacity, double per_s, uint64_t now_ms);

#endif
