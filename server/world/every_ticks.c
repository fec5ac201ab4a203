#include "server/world/every_ticks.h"

#include "server/world/encode.h"

#include <math.h>

static uint32_t ticks_between(double rate_hz, double step_s) {
    if (rate_hz == 0)
        return 0;
    double ticks = round(1 / (rate_hz * step_s));
    return ticks < 1 ? 1 : ticks > 1e6 ? 1000000 : (uint32_t)ticks;
}

tr_status tr_every_ticks(const Troupe__Subscribe *subscribe, double step_s, uint32_t *out,
                         tr_error *error) {
    double highest = 1 / step_s;
    if (!(subscribe->rate_hz >= 0 && subscribe->rate_hz <= highest * 1.000001))
        return tr_fail(error, TR_INVALID_ARGUMENT, "rate_hz: %g: expected 0 to %g",
                       subscribe->rate_hz, highest);
    if (subscribe->fields > TR_STATE_FIELDS_ALL)
        return tr_fail(error, TR_INVALID_ARGUMENT, "fields: expected bits of StateField");
    if (subscribe->fields & ((uint32_t)TROUPE__STATE_FIELD__STATE_FIELD_SURFACES |
                             (uint32_t)TROUPE__STATE_FIELD__STATE_FIELD_SNAPSHOT))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "fields: surfaces and snapshots come with GetState and Advance alone");
    *out = ticks_between(subscribe->rate_hz, step_s);
    return TR_OK;
}
