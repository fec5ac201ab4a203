#include "learn/balance/tread_terms.h"

#include "math/elementary.h"

#include <math.h>

enum { ANKLES, HIPS = TR_BALANCE_TURN_HIP_ROLL - TR_BALANCE_TURN_ANKLE_ROLL }; /* that sway */
enum { TURNS = TR_TREADING_SWINGS + 2 * TR_TREADING_SWAYS };

/* Returns the distance from hip to ankle, with thigh and shank of these lengths. */
static double leg_m(double thigh, double shank, double knee_rad) {
    return sqrt(thigh * thigh + shank * shank + 2 * thigh * shank * tr_cos(knee_rad));
}

/* Returns by how much more the knee bends in a leg that is shorter by `lift_m`; not finite: too
 * short. */
static double bend_of(const tr_model *model, const tr_gait_body *body, double knee_rad,
                      double lift_m) {
    const double thigh = tr_vec3_length(model->body[body->shank[0]].pos);
    const double shank = tr_vec3_length(model->body[body->foot[0]].pos);
    const double leg = leg_m(thigh, shank, knee_rad) - lift_m;
    const double cosine = (leg * leg - thigh * thigh - shank * shank) / (2 * thigh * shank);
    return leg > 0 && cosine > -1 ? tr_acos(cosine) - knee_rad : (double)NAN;
}

tr_status tr_tread_steps(const tr_model *model, const tr_balance_settings *s,
                         const tr_balance *balance, tr_treading_steps *out, tr_error *error) {
    const double looks = 2 * s->tread_s / (balance->hold * s->step_s);
    const double bend_rad = bend_of(model, &balance->body, s->knee_rad, s->tread_lift_m);
    if (!(bend_rad >= 0 && bend_rad < 2))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "tread_lift_m %g: expected less, for knees that are bent by %g rad",
                       s->tread_lift_m, s->knee_rad);
    if (looks < 2 || looks > TR_TREADING_PERIOD_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "tread_s %g: expected a cycle of 2 to %d looks, not %g", s->tread_s,
                       TR_TREADING_PERIOD_MAX, looks);
    *out = (tr_treading_steps){.period = 2 * (int)lround(looks / 2),
                               .share = TR_BALANCE_TREAD_SHARE,
                               .bend_rad = bend_rad};
    /* Ankles and hips turn against each other, so that the legs lean and the trunk does not. */
    out->sway[ANKLES][0] = -s->tread_sway_rad;
    out->sway[HIPS][0] = s->tread_sway_rad;
    return TR_OK;
}

int tr_tread_term_feature(int term) {
    return term < TURNS ? -1 : (term - TURNS) % TR_BALANCE_FEATURES;
}

bool tr_tread_term_is_free(int term) {
    const int feature = tr_tread_term_feature(term);
    if (feature < 0)
        return true;
    const tr_balance_feature_row *row = &tr_balance_feature_row_of[feature];
    const bool rolls = term - TURNS >= TR_BALANCE_FEATURES;
    return row->physical && row->lateral == rolls && feature < TR_BALANCE_DECK_ROLL;
}

double *tr_tread_term(tr_treading_steps *steps, int term) {
    if (term < TR_TREADING_SWINGS)
        return &steps->swing[term];
    if (term < TURNS)
        return &steps->sway[0][0] + (term - TR_TREADING_SWINGS);
    return &steps->place[0][0] + (term - TURNS);
}
