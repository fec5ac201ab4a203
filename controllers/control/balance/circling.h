/* Circling: how a character turns on an object that nothing holds against turning, such as a ball.
 *
 * The trunk circles: it leans forwards and back, and to the sides a quarter of a circle later.
 * Nothing acts about the vertical, so the angular momentum about it stays, and what is below turns
 * the other way. With e the way to the aim, to the left, in rad:
 *
 *   r = min(1, gain |e|),  pitch = size sqrt(r) sin(phase),  roll = -+ size sqrt(r) cos(phase)
 *
 * with the sign of e, so that the rate, which grows with the area of the circle, is proportional to
 * e near the aim. During the first circle r grows from 0, because the character must settle. The
 * mirror image of a turn is the turn to the other side.
 *
 * Plain data and a pure function; deterministic. */
#ifndef TROUPE_CONTROL_CIRCLING_H
#define TROUPE_CONTROL_CIRCLING_H

#include <stdint.h>

/* size_rad: of the largest circle; 0: the character does not turn
 * phase_rad: from one look to the next
 * gain:      1/rad */
typedef struct tr_circling {
    double size_rad, phase_rad, gain;
} tr_circling;

/* Leans of the waist, rad, at the look with the given number, from 0. turn_rad: to the aim, to the
 * left. */
typedef struct tr_circling_lean {
    double pitch_rad, roll_rad;
} tr_circling_lean;
tr_circling_lean tr_circling_lean_of(const tr_circling *circling, int64_t looks, double turn_rad);

#endif
