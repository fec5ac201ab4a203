#include "server/net/bucket.h"

#include <math.h>

static const double ROUNDING = 1e-9;

static void fill(tr_bucket *bucket, double capacity, double per_s, uint64_t now_ms) {
    if (!bucket->begun)
        *bucket = (tr_bucket){.level = capacity, .at_ms = now_ms, .begun = true};
    if (now_ms > bucket->at_ms) {
        bucket->level += per_s * (double)(now_ms - bucket->at_ms) * 1e-3;
        bucket->at_ms = now_ms;
    }
    if (bucket->level > capacity)
        bucket->level = capacity;
}

bool tr_bucket_take(tr_bucket *bucket, double capacity, double per_s, double amount,
                    uint64_t now_ms) {
    if (per_s <= 0)
        return true;
    fill(bucket, capacity, per_s, now_ms);
    if (bucket->level < fmin(amount, capacity) - ROUNDING)
        return false;
    bucket->level -= amount;
    return true;
}

void tr_bucket_owe(tr_bucket *bucket, double capacity, double per_s, double amount,
                   uint64_t now_ms) {
    if (per_s <= 0)
        return;
    fill(bucket, capacity, per_s, now_ms);
    bucket->level -= amount;
}

bool tr_bucket_spend(tr_bucket *bucket, double capacity, double per_s, double debt, double amount,
                     uint64_t now_ms) {
    tr_bucket_owe(bucket, capacity, per_s, amount, now_ms);
    bucket->level = fmax(bucket->level, -debt);
    return bucket->level >= -ROUNDING * per_s;
}

uint64_t tr_bucket_wait_ms(tr_bucket *bucket, double capacity, double per_s, uint64_t now_ms) {
    if (per_s <= 0)
        return 0;
    fill(bucket, capacity, per_s, now_ms);
    return bucket->level >= 0 ? 0 : (uint64_t)ceil(-bucket->level / per_s * 1e3);
}
