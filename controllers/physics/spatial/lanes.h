/* The four numbers of a tr_v4 as four independent lanes. Internal to physics/. */
#pragma once

#include "physics/spatial/spatial.h"

#include <stdint.h>
#include <string.h>

typedef long long tr_v4_mask __attribute__((vector_size(32))); /* a lane is all ones or zero */

/* Four numbers in a row, one instruction each; memcpy goes by halves, which stalls what reads the
 * whole. */
typedef double tr_v4_row __attribute__((vector_size(32), aligned(8), may_alias));

TR_INLINE tr_v4 tr_v4_load(const double *from) {
    return *(const tr_v4_row *)from;
}

TR_INLINE void tr_v4_store(tr_v4 a, double *to) {
    *(tr_v4_row *)to = a;
}

TR_INLINE tr_v4 tr_v4_all(double x) {
    return (tr_v4){x, x, x, x};
}

TR_INLINE tr_v4 tr_v4_select(tr_v4_mask mask, tr_v4 yes, tr_v4 no) {
    return (tr_v4)((mask & (tr_v4_mask)yes) | (~mask & (tr_v4_mask)no));
}

TR_INLINE tr_v4 tr_v4_abs(tr_v4 a) {
    const long long kept = INT64_MAX; /* all but the sign */
    return (tr_v4)((tr_v4_mask)a & (tr_v4_mask){kept, kept, kept, kept});
}

/* Bit k is set where lane k is. */
TR_INLINE int tr_v4_bits(tr_v4_mask mask) {
#ifdef __AVX__
    return __builtin_ia32_movmskpd256((tr_v4)mask);
#else
    return (int)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

TR_INLINE tr_v4 tr_v4_sqrt(tr_v4 a) {
    return (tr_v4){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
}

TR_INLINE void tr_v4_transpose(tr_v4 row[4]) {
    tr_v4 a = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
    tr_v4 b = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
    tr_v4 c = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
    tr_v4 d = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
    row[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    row[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    row[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
