#include "learn/gait/gait_exam.h"

#include "learn/gait/gait_haul.h"

#include <math.h>
#include <string.h>

static const double RACE_SHARE = 0.9;
static const double STYLE_UNKNOWN_RAD = 1; /* of a gait that never takes two steps in a row */

/* A trial without a steady part says nothing of speed and drift. */
static bool tells_speed(const tr_gait_trial_def *def) {
    return def->steady_s < def->duration_s;
}

static double trial_cost(const tr_gait_weights *w, const tr_gait_trial_def *def,
                         const tr_gait_outcome *o) {
    /* Shum et al., eq. 6: the share of the time that it did not walk, and a fall. */
    double cost = w->survival * (1 - o->survived_s / def->duration_s);
    if (o->fell)
        return cost + w->fall;
    double wanted_mps = def->speed_mps > 0 ? def->speed_mps : w->wanted_mps;
    /* Eq. 7: speed, drift, heading and look; the effort is ours. */
    if (tells_speed(def))
        cost += w->speed * fabs(o->speed_mps - wanted_mps) +
                w->slow * fmax(0, w->least_mps - o->speed_mps) + w->drift * fabs(o->drift_mps);
    cost += w->heading * o->heading_rad + w->effort * o->effort;
    if (def->style)
        cost += w->style * (isnan(o->style_rad) ? STYLE_UNKNOWN_RAD : o->style_rad);
    return cost;
}

/* outcome: [made], in the order of the trials. */
static void sum_up(const tr_gait_exam *exam, const tr_gait_outcome *outcome, int made,
                   tr_gait_result *out) {
    tr_gait_result r = {.made = made};
    double shares = 0, squares = 0;
    int timed = 0, looked_at = 0;
    for (int i = 0; i < made; i++) {
        const tr_gait_outcome *o = &outcome[i];
        double share = o->survived_s / exam->trial[i].duration_s;
        r.cost += trial_cost(&exam->weights, &exam->trial[i], o);
        shares += share;
        squares += share * share;
        if (o->fell)
            continue;
        r.survived++;
        /* A walker that never took two steps in a row has no style. */
        if (exam->trial[i].style && isfinite(o->style_rad)) {
            looked_at++;
            r.style_rad += o->style_rad;
        }
        if (!tells_speed(&exam->trial[i]))
            continue;
        timed++;
        r.speed_mps += o->speed_mps;
    }
    /* Trials that a lost race left out count as falls at once. */
    int left = exam->count - made;
    r.cost = (r.cost + left * (exam->weights.survival + exam->weights.fall)) / exam->count;
    /* Eq. 6: the variance of the shares. */
    r.cost += exam->weights.variance * fmax(0, squares / made - shares * shares / made / made);
    r.speed_mps /= fmax(1, timed);
    r.style_rad /= fmax(1, looked_at);
    *out = r;
}

/* Makes a haul as a trial: its speed is that of the box, its heading the box's turn. */
static tr_status haul(const tr_gait *gait, const tr_gait_trial_def *def, const tr_model *model,
                      tr_gait_outcome *out) {
    tr_gait_haul_def h = tr_gait_haul_default();
    tr_gait_haul_outcome box;
    h.duration_s = def->duration_s;
    h.noise = def->noise;
    h.seed = def->seed;
    tr_status status = tr_gait_haul(gait, model, &h, &box);
    if (status)
        return status;
    *out = (tr_gait_outcome){.fell = box.fell,
                             .survived_s = box.survived_s,
                             .speed_mps = box.way_m / box.survived_s,
                             .heading_rad = box.yaw_rad,
                             .style_rad = (double)NAN};
    return TR_OK;
}

static tr_status make_trial(const tr_gait *gait, const tr_gait_trial_def *def,
                            tr_rehearsal *rehearsal, tr_gait_outcome *out) {
    return def->hauls ? haul(gait, def, rehearsal->model, out)
                      : tr_gait_trial(gait, def, rehearsal, out);
}

tr_status tr_gait_examine(const tr_gait *gait, const tr_gait_exam *exam, tr_rehearsal *rehearsal,
                          tr_gait_result *out) {
    tr_gait_outcome outcome[TR_GAIT_EXAM_MAX];
    int made = 0;
    bool out_of_race = false;
    while (made < exam->count && !out_of_race) {
        const tr_gait_trial_def *def = &exam->trial[made];
        tr_status status = make_trial(gait, def, rehearsal, &outcome[made]);
        if (status)
            return status;
        /* A candidate that falls early makes no more trials. */
        out_of_race = exam->races && outcome[made].survived_s < RACE_SHARE * def->duration_s;
        made++;
    }
    sum_up(exam, outcome, made, out);
    return TR_OK;
}

typedef struct shared {
    const tr_gait *gait;
    const tr_gait_exam *exam;
    tr_gait_outcome outcome[TR_GAIT_EXAM_MAX];
    tr_status status[TR_GAIT_EXAM_MAX];
} shared;

static void run_trial(void *context, int item, tr_rehearsal *rehearsal) {
    shared *s = context;
    s->status[item] = make_trial(s->gait, &s->exam->trial[item], rehearsal, &s->outcome[item]);
}

tr_status tr_gait_examine_all(const tr_gait *gait, const tr_gait_exam *exam, tr_ensemble *ensemble,
                              tr_gait_result *out) {
    shared s = {.gait = gait, .exam = exam};
    tr_ensemble_share(ensemble, run_trial, &s, exam->count,
                      (const tr_ranks_result[]){
                          {s.outcome, sizeof *s.outcome}, {s.status, sizeof *s.status}, {0}});
    for (int i = 0; i < exam->count; i++)
        if (s.status[i])
            return s.status[i];
    sum_up(exam, s.outcome, exam->count, out);
    return TR_OK;
}
