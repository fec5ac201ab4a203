/* Rows for many members: TR_EACH(row, a, b, x, y, z) is row(a, b, x), row(a, b, y), row(a, b, z). At most 24.
 * TR_EVERY does the same, for use in a row of TR_EACH. */
#pragma once

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

/* The same family again, because a macro does not expand inside itself. */
#define TR_EVERY_1(row, a, b, x) row(a, b, x)
#define TR_EVERY_2(row, a, b, x, ...) row(a, b, x), TR_EVERY_1(row, a, b, __VA_ARGS__)
#define TR_EVERY_3(row, a, b, x, ...) row(a, b, x), TR_EVERY_2(row, a, b, __VA_ARGS__)
#define TR_EVERY_4(row, a, b, x, ...) row(a, b, x), TR_EVERY_3(row, a, b, __VA_ARGS__)
#define TR_EVERY_5(row, a, b, x, ...) row(a, b, x), TR_EVERY_4(row, a, b, __VA_ARGS__)
#define TR_EVERY_6(row, a, b, x, ...) row(a, b, x), TR_EVERY_5(row, a, b, __VA_ARGS__)
#define TR_EVERY_7(row, a, b, x, ...) row(a, b, x), TR_EVERY_6(row, a, b, __VA_ARGS__)
#define TR_EVERY_8(row, a, b, x, ...) row(a, b, x), TR_EVERY_7(row, a, b, __VA_ARGS__)
#define TR_EVERY_9(row, a, b, x, ...) row(a, b, x), TR_EVERY_8(row, a, b, __VA_ARGS__)
#define TR_EVERY_10(row, a, b, x, ...) row(a, b, x), TR_EVERY_9(row, a, b, __VA_ARGS__)
#define TR_EVERY_11(row, a, b, x, ...) row(a, b, x), TR_EVERY_10(row, a, b, __VA_ARGS__)
#define TR_EVERY_12(row, a, b, x, ...) row(a, b, x), TR_EVERY_11(row, a, b, __VA_ARGS__)
#define TR_EVERY_13(row, a, b, x, ...) row(a, b, x), TR_EVERY_12(row, a, b, __VA_ARGS__)
#define TR_EVERY_14(row, a, b, x, ...) row(a, b, x), TR_EVERY_13(row, a, b, __VA_ARGS__)
#define TR_EVERY_15(row, a, b, x, ...) row(a, b, x), TR_EVERY_14(row, a, b, __VA_ARGS__)
#define TR_EVERY_16(row, a, b, x, ...) row(a, b, x), TR_EVERY_15(row, a, b, __VA_ARGS__)
#define TR_EVERY_17(row, a, b, x, ...) row(a, b, x), TR_EVERY_16(row, a, b, __VA_ARGS__)
#define TR_EVERY_18(row, a, b, x, ...) row(a, b, x), TR_EVERY_17(row, a, b, __VA_ARGS__)
#define TR_EVERY_19(row, a, b, x, ...) row(a, b, x), TR_EVERY_18(row, a, b, __VA_ARGS__)
#define TR_EVERY_20(row, a, b, x, ...) row(a, b, x), TR_EVERY_19(row, a, b, __VA_ARGS__)
#define TR_EVERY_21(row, a, b, x, ...) row(a, b, x), TR_EVERY_20(row, a, b, __VA_ARGS__)
#define TR_EVERY_22(row, a, b, x, ...) row(a, b, x), TR_EVERY_21(row, a, b, __VA_ARGS__)
#define TR_EVERY_23(row, a, b, x, ...) row(a, b, x), TR_EVERY_22(row, a, b, __VA_ARGS__)
#define TR_EVERY_24(row, a, b, x, ...) row(a, b, x), TR_EVERY_23(row, a, b, __VA_ARGS__)
#define TR_EVERY_OF(x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21,   \
                   x22, x23, x24, name, ...) name
#define TR_EVERY(row, a, b, ...)                                                                                      \
    TR_EVERY_OF(__VA_ARGS__, TR_EVERY_24, TR_EVERY_23, TR_EVERY_22, TR_EVERY_21, TR_EVERY_20, TR_EVERY_19, TR_EVERY_18,      \
               TR_EVERY_17, TR_EVERY_16, TR_EVERY_15, TR_EVERY_14, TR_EVERY_13, TR_EVERY_12, TR_EVERY_11, TR_EVERY_10,       \
               TR_EVERY_9, TR_EVERY_8, TR_EVERY_7, TR_EVERY_6, TR_EVERY_5, TR_EVERY_4, TR_EVERY_3, TR_EVERY_2, TR_EVERY_1, 0) \
    (row, a, b, __VA_ARGS__)
/* clang-format on */
