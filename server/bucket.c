#include "server/bucket.h"

bool tr_bucket_take(tr_bucket *bucket, double capacity, double per_s, double amount,
                    uint64_t now_ms) {
    if (per_s <= 0)
        return true;
    if (!bucket->begun)
        *bucket = (tr_bucket){.level = capacity, .at_ms = now_ms, .begun = true};
    if (now_ms > bucket->at_ms) {
        bucket->level += per_s * (double)(now_ms - bucket->at_ms) * 1e-3;
        bucket->at_ms = now_ms;
    }
    if (bucket->level > capacity)
        bucket->level = capacity;
    const double wanted = amount < capacity ? amount : capacity, rounding = 1e-9;
    if (bucket->level < wanted - rounding)
        return false;
    bucket->level -= amount;
    return true;
}
