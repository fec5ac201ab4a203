#include "control/torque/skate/trucks.h"

#include <math.h>

static const double LEAST_ALONG = 0.1; /* of a truck's axis, along the board */
static const double LEAST_NMPRAD = 1, LARGEST_PM = 100;

bool tr_trucks_has_pin(const tr_rig_pin *pin, int deck) {
    return pin->def.kind == TR_PIN_HINGE && pin->member[1] == deck && pin->def.spring > 0 &&
           fabs(pin->def.axis.x) > LEAST_ALONG;
}

/* Front and rear give the same sign, because both the tilt and the place change theirs. */
tr_trucks tr_trucks_of(const tr_rig *rig, int deck) {
    tr_trucks trucks = {0};
    double front = 0, rear = 0;
    for (int i = 0; i < rig->pin_count; i++) {
        const tr_pin_def *pin = &rig->pin[i].def;
        if (!tr_trucks_has_pin(&rig->pin[i], deck))
            continue;
        /* tan a of trucks.h; 1 + tan^2 a = 1 / cos^2 a. */
        const double tangent = pin->axis.z / pin->axis.x;
        trucks.turn_pm += pin->point[1].x > 0 ? tangent : -tangent;
        trucks.stiffness_nmprad += pin->spring * (1 + tangent * tangent);
        front = fmax(front, pin->point[1].x);
        rear = fmin(rear, pin->point[1].x);
    }
    trucks.turn_pm = front > rear ? trucks.turn_pm / (front - rear) : 0;
    return trucks;
}

bool tr_trucks_are_usable(const tr_trucks *trucks) {
    return trucks->turn_pm == 0
               ? trucks->stiffness_nmprad == 0
               : trucks->turn_pm > 0 && trucks->turn_pm < LARGEST_PM &&
                     trucks->stiffness_nmprad >= LEAST_NMPRAD && isfinite(trucks->stiffness_nmprad);
}
