/* Rows for many members: TR_EACH(row, a, b, x, y, z) is row(a, b, x), row(a, b, y), row(a, b, z). At most 24. */
#ifndef TROUPE_PROTO_EACH_H
#define TROUPE_PROTO_EACH_H

/* clang-format off */
#define TR_EACH_1(row, a, b, x) row(a, b, x)
#define TR_EACH_2(row, a, b, x, ...) row(a, b, x), TR_EACH_1(row, a, b, __VA_ARGS__)
#define TR_EACH_3(row, a, b, x, ...) row(a, b, x), TR_EACH_2(row, a, b, __VA_ARGS__)
#define TR_EACH_4(row, a, b, x, ...) row(a, b, x), TR_EACH_3(row, a, b, __VA_ARGS__)
#define TR_EACH_5(row, a, b, x, ...) row(a, b, x), TR_EACH_4(row, a, b, __VA_ARGS__)
#define TR_EACH_6(row, a, b, x, ...) row(a, b, x), TR_EACH_5(row, a, b, __VA_ARGS__)
#define TR_EACH_7(row, a, b, x, ...) row(a, b, x), TR_EACH_6(row, a, b, __VA_ARGS__)
#define TR_EACH_8(row, a, b, x, ...) row(a, b, x), TR_EACH_7(row, a, b, __VA_ARGS__)
#define TR_EACH_9(row, a, b, x, ...) row(a, b, x), TR_EACH_8(row, a, b, __VA_ARGS__)
#define TR_EACH_10(row, a, b, x, ...) row(a, b, x), TR_EACH_9(row, a, b, __VA_ARGS__)
#define TR_EACH_11(row, a, b, x, ...) row(a, b, x), TR_EACH_10(row, a, b, __VA_ARGS__)
#define TR_EACH_12(row, a, b, x, ...) row(a, b, x), TR_EACH_11(row, a, b, __VA_ARGS__)
#define TR_EACH_13(row, a, b, x, ...) row(a, b, x), TR_EACH_12(row, a, b, __VA_ARGS__)
#define TR_EACH_14(row, a, b, x, ...) row(a, b, x), TR_EACH_13(row, a, b, __VA_ARGS__)
#define TR_EACH_15(row, a, b, x, ...) row(a, b, x), TR_EACH_14(row, a, b, __VA_ARGS__)
#define TR_EACH_16(row, a, b, x, ...) row(a, b, x), TR_EACH_15(row, a, b, __VA_ARGS__)
#define TR_EACH_17(row, a, b, x, ...) row(a, b, x), TR_EACH_16(row, a, b, __VA_ARGS__)
#define TR_EACH_18(row, a, b, x, ...) row(a, b, x), TR_EACH_17(row, a, b, __VA_ARGS__)
#define TR_EACH_19(row, a, b, x, ...) row(a, b, x), TR_EACH_18(row, a, b, __VA_ARGS__)
#define TR_EACH_20(row, a, b, x, ...) row(a, b, x), TR_EACH_19(row, a, b, __VA_ARGS__)
#define TR_EACH_21(row, a, b, x, ...) row(a, b, x), TR_EACH_20(row, a, b, __VA_ARGS__)
#define TR_EACH_22(row, a, b, x, ...) row(a, b, x), TR_EACH_21(row, a, b, __VA_ARGS__)
#define TR_EACH_23(row, a, b, x, ...) row(a, b, x), TR_EACH_22(row, a, b, __VA_ARGS__)
#define TR_EACH_24(row, a, b, x, ...) row(a, b, x), TR_EACH_23(row, a, b, __VA_ARGS__)
#define TR_EACH_OF(x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21,   \
                   x22, x23, x24, name, ...) name
#define TR_EACH(row, a, b, ...)                                                                                      \
    TR_EACH_OF(__VA_ARGS__, TR_EACH_24, TR_EACH_23, TR_EACH_22, TR_EACH_21, TR_EACH_20, TR_EACH_19, TR_EACH_18,      \
               TR_EACH_17, TR_EACH_16, TR_EACH_15, TR_EACH_14, TR_EACH_13, TR_EACH_12, TR_EACH_11, TR_EACH_10,       \
               TR_EACH_9, TR_EACH_8, TR_EACH_7, TR_EACH_6, TR_EACH_5, TR_EACH_4, TR_EACH_3, TR_EACH_2, TR_EACH_1, 0) \
    (row, a, b, __VA_ARGS__)
/* clang-format on */

#endif
