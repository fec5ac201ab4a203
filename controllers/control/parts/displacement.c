#include "control/parts/displacement.h"

#include "math/elementary.h"
#include "math/quat.h"

tr_displacement tr_displacement_join(tr_displacement first, tr_displacement then) {
    const double c = tr_cos(first.turn_rad), s = tr_sin(first.turn_rad);
    return (tr_displacement){first.ahead_m + c * then.ahead_m - s * then.aside_m,
                             first.aside_m + s * then.ahead_m + c * then.aside_m,
                             tr_angle_wrap(first.turn_rad + then.turn_rad)};
}
