#include "learn/train/ground_answer.h"

#include <math.h>

static const double STEP_M = 0.05;    /* at which the lift is exact */
static const double LIFT_SHARE = 0.5; /* from a whole lift training found less */
static const double BENT_RAD = 0.05;  /* least bend of a knee: a straight one has no derivative */

void tr_ground_answer_level(tr_policy *policy, const tr_features *origin) {
    static const int vectors[] = {3, 6, 9, 12}; /* c, c_dot, d_l, d_r (features.h) */
    for (int i = 0; i < TR_ACTION_MAX; i++)
        for (int j = 0; j < TR_GROUND_SLOPES; j++)
            for (int v = 0; v < 4; v++)
                /* A slope g raises what lies at horizontal offset o by g o: K takes back what M
                 * makes of that height. */
                policy->ground[i][j] -= policy->m[i][vectors[v] + 2] * origin->s[vectors[v] + j];
}

/* A leg of the model: its bodies, and where its joints begin in an action. */
typedef struct leg {
    int thigh, shank, foot;
    int hip, knee, ankle;
} leg;

/* Finds the leg of a side; false: it cannot be lifted. */
static bool find_leg(const tr_model *model, const tr_action_map *map, int side, leg *out) {
    leg l = {.foot = model->foot[side]};
    l.shank = model->body[l.foot].parent;
    l.thigh = l.shank < 0 ? -1 : model->body[l.shank].parent;
    if (l.thigh < 0 || model->body[l.thigh].joint != TR_JOINT_BALL ||
        model->body[l.foot].joint != TR_JOINT_BALL ||
        model->body[l.shank].joint != TR_JOINT_HINGE || model->body[l.shank].axis.y < 0.99)
        return false;
    l.hip = tr_action_component(model, map, l.thigh);
    l.knee = tr_action_component(model, map, l.shank);
    l.ankle = tr_action_component(model, map, l.foot);
    *out = l;
    return l.hip >= 0 && l.knee >= 0 && l.ankle >= 0;
}

/* Returns the angle between the thigh and the line from hip to ankle; a, b: lengths of thigh and
 * shank, m. */
static double hip_angle(double a, double b, double knee) {
    return atan2(b * sin(knee), a + b * cos(knee));
}

void tr_ground_answer_lift(const tr_model *model, const tr_action_map *map, tr_fragment *fragment) {
    for (int side = 0; side < 2; side++) {
        leg l;
        if (!find_leg(model, map, side, &l))
            continue;
        double a = tr_vec3_length(model->body[l.shank].pos);
        double b = tr_vec3_length(model->body[l.foot].pos);
        double knee = fmax(tr_quat_log(fragment->start.pose.joint[l.shank]).y, BENT_RAD);
        /* The law of cosines gives the length from hip to ankle, and the bend that makes it a step
         * shorter. */
        double length = sqrt(a * a + b * b + 2 * a * b * cos(knee)) - STEP_M;
        double cosine = (length * length - a * a - b * b) / (2 * a * b);
        double shorter = acos(fmin(fmax(cosine, -1), 1)), gain = LIFT_SHARE / STEP_M;
        double bends = gain * (shorter - knee);
        /* The hip turns back what the bend turns the leg, so that the leg shortens in its
         * direction. */
        double flexes = gain * (hip_angle(a, b, shorter) - hip_angle(a, b, knee));
        int column = TR_GROUND_SLOPES + side;
        /* Component 1 of a ball is about y, where a negative angle lifts the thigh; the ankle keeps
         * the sole. */
        fragment->policy.ground[l.hip + 1][column] = -flexes;
        fragment->policy.ground[l.knee][column] = bends;
        fragment->policy.ground[l.ankle + 1][column] = flexes - bends;
    }
}
