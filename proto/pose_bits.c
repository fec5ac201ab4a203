#include "proto/pose_bits.h"

#include <math.h>

enum {
    WIDTH_BITS = 5, /* before a number */
    FORM_BITS = 3,  /* before a rotation: how wide its components are, or OTHER */
    OTHER = 7,      /* w is not the largest component: two bits say which one is */
    LEVEL_BITS = 8, /* of a component, at most */
    ANGLE_BITS = 10
};

/* A component that is not the largest is at most sqrt(1/2): 127 levels. */
static const double levels_per_unit = 180;
static const double angles_per_rad = (1 << ANGLE_BITS) / 6.28318530717958648;

static void put(tr_pose_bits *bits, int64_t value, int width) {
    if (bits->at + (size_t)width > 8 * bits->size) {
        bits->ended = true;
        return;
    }
    for (int i = 0; i < width; i++, bits->at++)
        bits->bytes[bits->at / 8] |= (uint8_t)(((uint64_t)value >> i & 1) << bits->at % 8);
}

static uint32_t take(tr_pose_bits *bits, int width) {
    uint32_t value = 0;
    if (bits->at + (size_t)width > 8 * bits->size) {
        bits->ended = true;
        return 0;
    }
    for (int i = 0; i < width; i++, bits->at++)
        value |= (uint32_t)(bits->bytes[bits->at / 8] >> bits->at % 8 & 1) << i;
    return value;
}

/* In two's complement. */
static int64_t take_signed(tr_pose_bits *bits, int width) {
    int64_t value = take(bits, width);
    return width > 0 && value >> (width - 1) ? value - ((int64_t)1 << width) : value;
}

/* Of a number in two's complement; 0 takes no bits. */
static int width_of(int64_t value) {
    int width = 0;
    for (int64_t rest = value < 0 ? ~value : value; rest; rest >>= 1)
        width++;
    return value == 0 ? 0 : width + 1;
}

static int64_t nearest(double value, int width) {
    double most = ldexp(1, width - 1) - 1;
    return isnan(value) ? 0 : llround(fmin(fmax(value, -most), most));
}

void tr_pose_put_number(tr_pose_bits *bits, double value) {
    int64_t number = nearest(value, (1 << WIDTH_BITS) - 1);
    put(bits, width_of(number), WIDTH_BITS);
    put(bits, number, width_of(number));
}

double tr_pose_take_number(tr_pose_bits *bits) {
    return (double)take_signed(bits, (int)take(bits, WIDTH_BITS));
}

/* Forms below OTHER: components of 0 bits, then of 3 to 8. */
static int width_of_form(int form) {
    return form == OTHER ? LEVEL_BITS : form == 0 ? 0 : form + 2;
}

static int largest_of(const double q[4]) {
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (fabs(q[i]) > fabs(q[largest]))
            largest = i;
    return largest;
}

/* Levels of the rotation nearest to q. The largest component is not sent, and is off by what the
 * others are: with each at its nearest level the rotation may be off by almost twice as much. */
static void find_levels(const double q[4], int largest, int64_t out[4]) {
    double exact[4], below[4], least = INFINITY;
    int nearest_corner = 0;
    for (int i = 0; i < 4; i++) { /* -q is the same rotation */
        exact[i] = copysign(levels_per_unit, q[largest]) * q[i];
        below[i] = floor(exact[i]);
    }
    for (int corner = 0; corner < 16; corner++) {
        double squares = 0, follows = 0;
        for (int i = 0; i < 4; i++) {
            if (i == largest)
                continue;
            double off = below[i] + (corner >> i & 1) - exact[i];
            squares += off * off;
            follows += off * exact[i] / exact[largest];
        }
        if (squares + follows * follows < least) {
            least = squares + follows * follows;
            nearest_corner = corner;
        }
    }
    for (int i = 0; i < 4; i++)
        out[i] = nearest(below[i] + (nearest_corner >> i & 1), LEVEL_BITS);
}

void tr_pose_put_rotation(tr_pose_bits *bits, const double q[4]) {
    int largest = largest_of(q), form = largest == 0 ? 0 : OTHER;
    int64_t level[4];
    find_levels(q, largest, level);
    for (int i = 0; i < 4; i++)
        while (i != largest && width_of_form(form) < width_of(level[i]))
            form++;
    put(bits, form, FORM_BITS);
    if (form == OTHER)
        put(bits, largest, 2);
    for (int i = 0; i < 4; i++)
        if (i != largest)
            put(bits, level[i], width_of_form(form));
}

void tr_pose_take_rotation(tr_pose_bits *bits, double out[4]) {
    int form = (int)take(bits, FORM_BITS);
    int largest = form == OTHER ? (int)take(bits, 2) : 0;
    double rest = 1;
    for (int i = 0; i < 4; i++) {
        if (i == largest)
            continue;
        out[i] = (double)take_signed(bits, width_of_form(form)) / levels_per_unit;
        rest -= out[i] * out[i];
    }
    out[largest] = sqrt(fmax(rest, 0));
}

void tr_pose_put_angle(tr_pose_bits *bits, double rad) {
    put(bits, isfinite(rad) ? llround(rad * angles_per_rad) : 0, ANGLE_BITS);
}

double tr_pose_take_angle(tr_pose_bits *bits) {
    return (double)take_signed(bits, ANGLE_BITS) / angles_per_rad;
}
