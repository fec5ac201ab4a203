/* The loops of networks, built once per instruction set (kernels.cmake). */
#include "control/scheduler/network_kernel.h"

/* out += f0 b0 + f1 b1 + ..., summed from the left: the order of a plain sum, with fewer loads. */
enum { TOGETHER = 4 };

static void add_rows(const float factor[TOGETHER], const float *b, int columns,
                     float *restrict out) {
    const float f0 = factor[0], f1 = factor[1], f2 = factor[2], f3 = factor[3];
    const float *restrict b0 = b, *restrict b1 = b0 + columns, *restrict b2 = b1 + columns,
                          *restrict b3 = b2 + columns;
    /* Rectified inputs are often 0. */
    if (f0 == 0 && f1 == 0 && f2 == 0 && f3 == 0)
        return;
    for (int c = 0; c < columns; c++)
        out[c] = (((out[c] + f0 * b0[c]) + f1 * b1[c]) + f2 * b2[c]) + f3 * b3[c];
}

static void add_row(float factor, const float *restrict b, int columns, float *restrict out) {
    if (factor == 0)
        return;
    for (int c = 0; c < columns; c++)
        out[c] += factor * b[c];
}

void TR_NETWORK_MULTIPLY(const tr_network_product *p) {
    for (int r = 0; r < p->rows; r++) {
        const float *a = p->a + (size_t)r * (size_t)p->inner, *b = p->b;
        float *out = p->out + (size_t)r * (size_t)p->columns;
        int k = 0;
        for (; k + TOGETHER <= p->inner; k += TOGETHER, b += TOGETHER * p->columns)
            add_rows(a + k, b, p->columns, out);
        for (; k < p->inner; k++, b += p->columns)
            add_row(a[k], b, p->columns, out);
    }
}
