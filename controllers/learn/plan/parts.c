#include "learn/plan/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part is cut where it rests, if its pieces last SHORTEST_S; one that lasts longer than LONGEST_S is
 * cut where it is calmest. It rests while root and joints are slower than this for twice REST_S. */
static const double SHORTEST_S = 1.5, LONGEST_S = 8, REST_S = 0.25;
static const double STILL_MPS = 0.12, STILL_RAD_S = 0.7;

/* Gaits whose speeds and turns differ by less are one. */
static const double SAME_SHARE = 0.1, SAME_RAD = 8 * TR_PI / 180, RUNNING_MPS = 2.2;

/* speed: [frame_count], of root or joints, as a multiple of the speed below which they rest */
typedef struct cutter {
    const tr_plan_def *def;
    double *speed;
    tr_plan_part *out;
    int count;
} cutter;

static double speed_at(const tr_model *model, const tr_motion *motion, int frame) {
    tr_state state = tr_motion_state(model, motion, frame * motion->dt_s);
    double most = 0;
    for (int i = 1; i < model->body_count; i++)
        most = fmax(most, tr_vec3_length(state.joint_rate[i]));
    return fmax(tr_vec3_length(state.root_vel) / STILL_MPS, most / STILL_RAD_S);
}

/* The largest speed near a frame. */
static double speed_around(const cutter *c, int frame) {
    const tr_motion *motion = c->def->motion;
    int reach = (int)lround(REST_S / motion->dt_s);
    double most = 0;
    for (int i = frame - reach; i <= frame + reach; i++)
        if (i >= 0 && i < motion->frame_count)
            most = fmax(most, c->speed[i]);
    return most;
}

/* The calmest frame that leaves pieces long enough; -1: the part is too short to be cut. */
static int calmest(const cutter *c, int first, int last, double *out_speed) {
    int margin = (int)ceil(SHORTEST_S / c->def->motion->dt_s), best = -1;
    *out_speed = (double)INFINITY;
    for (int i = first + margin; i <= last - margin; i++) {
        double speed = speed_around(c, i);
        if (speed < *out_speed) {
            *out_speed = speed;
            best = i;
        }
    }
    return best;
}

/* Plans the frames as if they had been imported alone. */
static tr_status plan_frames(const tr_plan_def *def, int first, int last, tr_plan_part *out) {
    const double clip_dt_s = def->account->clip->dt_s, dt_s = def->motion->dt_s;
    tr_import_account account = *def->account;
    tr_plan_def part = *def;
    tr_motion *cut = NULL;
    tr_error error = {0};
    tr_status status = tr_motion_cut(def->motion, first, last, &cut);
    out->first = account.first += (int)lround(first * dt_s / def->account->stretch / clip_dt_s);
    out->last = account.last =
        def->account->first + (int)(last * dt_s / def->account->stretch / clip_dt_s);
    part.motion = cut;
    part.account = &account;
    if (!status)
        status = tr_plan_make(&part, &out->plan, &error);
    tr_motion_destroy(cut);
    return status;
}

static const char *kind_name(const tr_plan *plan) {
    switch (plan->kind) {
    case TR_PLAN_GAIT:
    case TR_PLAN_STRIDE:
        return plan->path_mps > RUNNING_MPS ? "run" : "walk";
    case TR_PLAN_TURN:
        return "turn";
    case TR_PLAN_CHAIN:
        return plan->begins_lying ? "rise" : "stop";
    default:
        return "skill";
    }
}

static bool is_same(const tr_plan *a, const tr_plan *b) {
    return a->kind <= TR_PLAN_STRIDE && b->kind <= TR_PLAN_STRIDE &&
           fabs(a->path_mps - b->path_mps) < SAME_SHARE * b->path_mps &&
           fabs(a->turn_rad - b->turn_rad) < SAME_RAD;
}

static void add_part(cutter *c, int first, int last) {
    tr_plan_part *part = &c->out[c->count];
    int number = 1;
    if (c->count == TR_PLAN_PART_MAX || plan_frames(c->def, first, last, part))
        return;
    const char *name = kind_name(&part->plan);
    for (int i = 0; i < c->count; i++) {
        if (is_same(&part->plan, &c->out[i].plan))
            return;
        number += strncmp(c->out[i].name, name, strlen(name)) == 0;
    }
    snprintf(part->name, sizeof part->name, number > 1 ? "%s-%d" : "%s", name, number);
    c->count++;
}

static void cut(cutter *c, int first, int last) {
    double speed;
    int at = calmest(c, first, last, &speed);
    bool whole = (last - first) * c->def->motion->dt_s <= LONGEST_S;
    if (at < 0 || (whole && speed > 1)) {
        add_part(c, first, last);
        return;
    }
    cut(c, first, at);
    cut(c, at, last);
}

tr_status tr_plan_parts(const tr_plan_def *def, tr_plan_part *out, int *out_count) {
    const tr_motion *motion = def->motion;
    cutter c = {def, calloc((size_t)motion->frame_count, sizeof(double)), out, 0};
    if (!c.speed)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < motion->frame_count; i++)
        c.speed[i] = speed_at(def->model, motion, i);
    cut(&c, 0, motion->frame_count - 1);
    free(c.speed);
    *out_count = c.count;
    return TR_OK;
}
