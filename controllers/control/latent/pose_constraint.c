#include "control/latent/pose_constraint.h"

#include <math.h>
#include <string.h>

enum { ROW_MAX = 3 * TR_POSE_CONSTRAINT_MAX, COLUMN_MAX = 3 * TR_BODY_MAX, ROUNDS = 8 };

/* Damping, against 1 for a joint that moves the point as far as the bodies; the least mean square
 * movement of a turn, m2; a distance that counts as none, m; the largest turn of a joint in a
 * round, rad; by which a hinge is bent, rad. */
static const double DAMPING = 0.02, LEAST_METRIC = 1e-4, NEAR_M = 1e-4, TURN_MAX_RAD = 0.3,
                    BEND_RAD = 0.5;

/* A linearised problem. Row i requires J dy = r; column k turns `joint[k]` about `axis[k]`. */
typedef struct problem {
    int rows, columns;
    double jacobian[ROW_MAX][COLUMN_MAX], rest[ROW_MAX];
    double metric[COLUMN_MAX];
    int joint[COLUMN_MAX];
    tr_vec3 axis[COLUMN_MAX]; /* body frame */
} problem;

static bool is_below(const tr_model *model, int body, int joint) {
    while (body > joint)
        body = model->body[body].parent;
    return body == joint;
}

/* Does the joint of `body` move for the constraint? */
static bool moves(const tr_model *model, const tr_pose_constraint *c, int joint) {
    return joint != c->base && is_below(model, joint, c->base) && is_below(model, c->body, joint);
}

/* --- columns --- */

/* The way of a point per radian about a world axis through `centre`, or per metre of a slide. */
static tr_vec3 way_of(const tr_body *body, tr_vec3 axis, tr_vec3 centre, tr_vec3 point) {
    return body->joint == TR_JOINT_SLIDE ? axis : tr_vec3_cross(axis, tr_vec3_sub(point, centre));
}

/* Returns the mean square of the ways that the bodies make. */
static double movement(const tr_model *model, const tr_body_state *bodies, int joint,
                       tr_vec3 centre, tr_vec3 axis) {
    double sum = 0;
    for (int i = joint; i < model->body_count; i++)
        if (is_below(model, i, joint)) {
            tr_vec3 way = way_of(&model->body[joint], axis, centre, bodies[i].com_pos);
            sum += tr_vec3_dot(way, way);
        }
    return LEAST_METRIC + sum / model->body_count;
}

static void add_column(const tr_model *model, const tr_pose_constraint *constraints, int count,
                       const tr_body_state *bodies, int joint, tr_vec3 axis, problem *p) {
    tr_vec3 turned = tr_quat_rotate(bodies[joint].rot, axis);
    tr_vec3 centre = tr_body_point(model, joint, model->body[joint].anchor, &bodies[joint]);
    int k = p->columns++, row = 0;
    p->joint[k] = joint;
    p->axis[k] = axis;
    p->metric[k] = movement(model, bodies, joint, centre, turned);
    for (int i = 0; i < count; i++) {
        const tr_pose_constraint *c = &constraints[i];
        tr_vec3 at = tr_body_point(model, c->body, c->point, &bodies[c->body]), way = {0, 0, 0};
        if (moves(model, c, joint))
            way = way_of(&model->body[joint], turned, centre, at);
        /* A plane takes one row, a point three. */
        if (tr_vec3_dot(c->normal, c->normal) > 0) {
            p->jacobian[row++][k] = tr_vec3_dot(c->normal, way);
            continue;
        }
        p->jacobian[row++][k] = way.x;
        p->jacobian[row++][k] = way.y;
        p->jacobian[row++][k] = way.z;
    }
}

static void add_columns(const tr_model *model, const tr_pose_constraint *constraints, int count,
                        const tr_body_state *bodies, problem *p) {
    for (int joint = 1; joint < model->body_count; joint++) {
        bool any = false;
        for (int i = 0; i < count; i++)
            any |= moves(model, &constraints[i], joint);
        if (!any)
            continue;
        if (tr_body_has_axis(&model->body[joint])) {
            add_column(model, constraints, count, bodies, joint, model->body[joint].axis, p);
            continue;
        }
        add_column(model, constraints, count, bodies, joint, (tr_vec3){1, 0, 0}, p);
        add_column(model, constraints, count, bodies, joint, (tr_vec3){0, 1, 0}, p);
        add_column(model, constraints, count, bodies, joint, (tr_vec3){0, 0, 1}, p);
    }
}

/* --- rows --- */

/* Fills the rests; returns the largest distance that a constraint is off. */
static double add_rows(const tr_model *model, const tr_pose_constraint *constraints, int count,
                       const tr_body_state *bodies, problem *p) {
    double worst = 0;
    for (int i = 0; i < count; i++) {
        const tr_pose_constraint *c = &constraints[i];
        tr_vec3 off =
            tr_vec3_sub(c->target, tr_body_point(model, c->body, c->point, &bodies[c->body]));
        if (tr_vec3_dot(c->normal, c->normal) > 0) {
            double depth = fmax(0, tr_vec3_dot(c->normal, off));
            worst = fmax(worst, depth);
            p->rest[p->rows++] = depth;
            continue;
        }
        worst = fmax(worst, tr_vec3_length(off));
        p->rest[p->rows++] = off.x;
        p->rest[p->rows++] = off.y;
        p->rest[p->rows++] = off.z;
    }
    return worst;
}

/* --- the step --- */

/* Solves (J M^-1 J^T + damping I) z = r by Cholesky's factors; z overwrites p->rest. */
static void solve(problem *p) {
    double a[ROW_MAX][ROW_MAX] = {{0}};
    const int n = p->rows;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            /* Cholesky of J M^-1 J^T + damping I, row by row. */
            double sum = i == j ? DAMPING : 0;
            for (int k = 0; k < p->columns; k++)
                sum += p->jacobian[i][k] * p->jacobian[j][k] / p->metric[k];
            for (int k = 0; k < j; k++)
                sum -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrt(fmax(sum, DAMPING)) : sum / a[j][j];
        }
    for (int i = 0; i < n; i++) {
        /* L y = r, then L^T x = y. */
        for (int k = 0; k < i; k++)
            p->rest[i] -= a[i][k] * p->rest[k];
        p->rest[i] /= a[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            p->rest[i] -= a[k][i] * p->rest[k];
        p->rest[i] /= a[i][i];
    }
}

static void clamp_axis(const tr_body *body, tr_quat *q) {
    if (!tr_body_has_axis(body) || !body->limited)
        return;
    double angle = tr_quat_angle_about(*q, body->axis);
    *q = tr_quat_from_axis_angle(body->axis, fmin(fmax(angle, body->range[0]), body->range[1]));
}

static void apply(const tr_model *model, const problem *p, tr_pose *pose) {
    for (int k = 0; k < p->columns;) {
        int joint = p->joint[k];
        tr_vec3 turn = {0, 0, 0};
        for (; k < p->columns && p->joint[k] == joint; k++) {
            /* dy = M^-1 J^T z */
            double angle = 0;
            for (int i = 0; i < p->rows; i++)
                angle += p->jacobian[i][k] * p->rest[i] / p->metric[k];
            turn = tr_vec3_add_scaled(turn, angle, p->axis[k]);
        }
        double size = tr_vec3_length(turn);
        if (size > TURN_MAX_RAD)
            turn = tr_vec3_scale(turn, TURN_MAX_RAD / size);
        pose->joint[joint] = tr_quat_normalize(tr_quat_mul(pose->joint[joint], tr_quat_exp(turn)));
        clamp_axis(&model->body[joint], &pose->joint[joint]);
    }
}

static double square_of(const problem *p) {
    double sum = 0;
    for (int i = 0; i < p->rows; i++)
        sum += p->rest[i] * p->rest[i];
    return sum;
}

/* Leaves the best pose of the rounds; returns the largest distance that a constraint is off. */
static double search(const tr_model *model, const tr_pose_constraint *constraints, int count,
                     tr_pose *pose) {
    tr_pose best = *pose;
    double least = (double)INFINITY, left = 0;
    for (int round = 0;; round++) {
        problem p = {0};
        tr_pose_constraint active[TR_POSE_CONSTRAINT_MAX];
        tr_body_state bodies[TR_BODY_MAX];
        tr_pose_forward(model, pose, bodies);
        /* Leaves out the planes that their points are on the right side of: they hold already. */
        int kept = 0;
        for (int i = 0; i < count; i++) {
            const tr_pose_constraint *c = &constraints[i];
            tr_vec3 off =
                tr_vec3_sub(c->target, tr_body_point(model, c->body, c->point, &bodies[c->body]));
            if (tr_vec3_dot(c->normal, c->normal) > 0 && tr_vec3_dot(c->normal, off) <= 0)
                continue;
            active[kept++] = *c;
        }
        double worst = add_rows(model, active, kept, bodies, &p), square = square_of(&p);
        /* Rounds may make it worse, for example where a hinge meets its limit: the best pose is
         * kept. */
        if (square < least) {
            best = *pose;
            least = square;
            left = worst;
        }
        if (worst < NEAR_M || round == ROUNDS) {
            *pose = best;
            return left;
        }
        add_columns(model, active, kept, bodies, &p);
        solve(&p);
        apply(model, &p, pose);
    }
}

/* A straight limb cannot be shortened by small turns. So where the search ends short of the
 * constraints, it begins once more with the hinges bent. */
double tr_pose_constrain(const tr_model *model, const tr_pose_constraint *constraints, int count,
                         tr_pose *pose) {
    tr_pose bent = *pose;
    double left = search(model, constraints, count, pose);
    if (left < NEAR_M)
        return left;
    /* Bends the limited hinges that the constraints move towards the middle of their ranges. */
    for (int joint = 1; joint < model->body_count; joint++) {
        const tr_body *body = &model->body[joint];
        bool any = false;
        for (int i = 0; i < count; i++)
            any |= moves(model, &constraints[i], joint);
        if (!any || body->joint != TR_JOINT_HINGE || !body->limited)
            continue;
        double angle = tr_quat_angle_about(bent.joint[joint], body->axis),
               way = 0.5 * (body->range[0] + body->range[1]) - angle;
        angle += fmin(fmax(way, -BEND_RAD), BEND_RAD);
        bent.joint[joint] = tr_quat_from_axis_angle(body->axis, angle);
    }
    double again = search(model, constraints, count, &bent);
    if (again >= NEAR_M)
        return left;
    *pose = bent;
    return again;
}
