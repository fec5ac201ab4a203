/* A token bucket: allows a burst of `capacity` and `per_s` more each second. Time is an argument.
 * Plain data. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct tr_bucket {
    double level;   /* amount that may still be taken; below 0: a debt */
    uint64_t at_ms; /* time of that level */
    bool begun;     /* false: the bucket is full */
} tr_bucket;

/* Takes `amount` if the bucket holds it. An amount larger than the bucket is taken when the bucket
 * is full, and leaves a debt that later calls wait for. False: the bucket holds too little, and
 * nothing was taken. `capacity` and `per_s` may change between calls; with per_s 0 it never
 * fails. */
bool tr_bucket_take(tr_bucket *bucket, double capacity, double per_s, double amount,
                    uint64_t now_ms);

/* Takes `amount` whatever the level, which may leave a debt. per_s 0: nothing is counted. */
void tr_bucket_owe(tr_bucket *bucket, double capacity, double per_s, double amount,
                   uint64_t now_ms);

/* The same, with a debt of at most `debt`. False: there is one. */
bool tr_bucket_spend(tr_bucket *bucket, double capacity, double per_s, double debt, double amount,
                     uint64_t now_ms);

/* Time until the debt is paid, ms; 0: no debt. */
uint64_t tr_bucket_wait_ms(tr_bucket *bucket, double capacity, double per_s, uint64_t now_ms);
