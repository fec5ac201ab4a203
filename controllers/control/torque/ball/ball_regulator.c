/* One plane of a character on a ball that rolls without slip. e is the centroid from the middle of the
 * ball, z its height above the top, p the centre of pressure near the top, s where feet stand, both from
 * the middle of the ball, b the place of the ball, H angular momentum about the centroid, n its rate;
 * m, M the masses of character and ball, R the radius, g gravity. With a constant height the force on the
 * character is f = (m g (e - p) - n) / z. The ball turns about its lowest point, where its moment of
 * inertia is 7/5 M R^2; the feet's forces have a moment about that point:
 *
 *   7/5 M R b'' = m g p - 2 R f
 *
 * With a = g / z, k = 2 m / (7/5 M), h = m g / (7/5 M R), y = H / (m z), w = n / (m z), and the trunk
 * tilted by t, of inertia I:
 *
 *   e'' = (1 + k) (a (e - p) - w) - h p        b'' = -k (a (e - p) - w) + h p
 *   s' = b'        y' = w        t' = m z y / I
 *
 * The top of the ball moves at 2 b', so feet move ahead by b' on it. A sole touches the ball at one
 * point, and feet must tilt to shift it, so the pressure follows its goal u at a rate r: p' = r (u - p).
 *
 * The gains minimise the sum of squares of e, e', b', s, y, t, u and w with their costs: the Riccati
 * recursion in steps of 10 ms. */
#include "control/torque/ball/ball_regulator.h"

#include <string.h>

/* The state is e, e', b', s, p, y and t, in this order; the inputs are u and w. */
enum {
    N = TR_BALL_STATES,
    M = TR_BALL_INPUTS,
    LEAN = 0,
    LEAN_RATE,
    ROLL,
    PLACE,
    PRESSURE,
    SPIN,
    TILT,
    GOAL = 0,
    TURN,
    LOOKS = 1500,
    TERMS = 8
};
static const double LOOK_S = 0.01;

typedef struct plane {
    double push, carry, tip; /* a, k and h */
} plane;

static plane plane_of(const tr_ball_load *l) {
    /* 7/5 M: the ball turns about its lowest point. */
    const double rolling_kg = 1.4 * l->ball_kg;
    return (plane){l->gravity / l->height_m, 2 * l->kg / rolling_kg,
                   l->kg * l->gravity / (rolling_kg * l->radius_m)};
}

/* Sets A and B of x' = A x + B (u, w), the equations at the head of this file. */
static void set_rates(const tr_ball_load *load, const tr_rolling_numbers *numbers, double a[N][N],
                      double b[N][M]) {
    const plane q = plane_of(load);
    memset(a, 0, sizeof(double[N][N]));
    memset(b, 0, sizeof(double[N][M]));
    a[LEAN][LEAN_RATE] = a[PLACE][ROLL] = 1;
    a[LEAN_RATE][LEAN] = (1 + q.carry) * q.push;
    a[LEAN_RATE][PRESSURE] = -(1 + q.carry) * q.push - q.tip;
    b[LEAN_RATE][TURN] = -(1 + q.carry);
    a[ROLL][LEAN] = -q.carry * q.push;
    a[ROLL][PRESSURE] = q.carry * q.push + q.tip;
    b[ROLL][TURN] = q.carry;
    a[PRESSURE][PRESSURE] = -numbers->shift_per_s;
    b[PRESSURE][GOAL] = numbers->shift_per_s;
    b[SPIN][TURN] = 1;
    a[TILT][SPIN] = load->kg * load->height_m / numbers->trunk_kgm2;
}

static void multiply(double a[N][N], double b[N][N], double out[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            out[i][j] = 0;
            for (int k = 0; k < N; k++)
                out[i][j] += a[i][k] * b[k][j];
        }
}

static void multiply_inputs(double a[N][N], double b[N][M], double out[N][M]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            out[i][j] = 0;
            for (int k = 0; k < N; k++)
                out[i][j] += a[i][k] * b[k][j];
        }
}

/* Sets the step of one look: F = sum (A t)^n / n!, G = sum (A t)^n t / (n + 1)! B. */
static void hold(double a[N][N], double b[N][M], double f[N][N], double g[N][M]) {
    double term[N][N] = {{0}}, next[N][N], sum[N][N] = {{0}};
    for (int i = 0; i < N; i++)
        term[i][i] = 1;
    memset(f, 0, sizeof(double[N][N]));
    for (int n = 0; n < TERMS; n++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                f[i][j] += term[i][j];
                sum[i][j] += term[i][j] * LOOK_S / (n + 1);
            }
        multiply(term, a, next);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                term[i][j] = next[i][j] * LOOK_S / (n + 1);
    }
    multiply_inputs(sum, b, g);
}

/* Sets the gain of one look: K = (R + G^T P G)^-1 G^T P F. */
static void set_gain(double f[N][N], double g[N][M], double p[N][N], const double *input_cost,
                     double gain[M][N]) {
    double pg[N][M], s[M][M], rhs[M];
    multiply_inputs(p, g, pg);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            s[i][j] = i == j ? input_cost[i] : 0;
            for (int k = 0; k < N; k++)
                s[i][j] += g[k][i] * pg[k][j];
        }
    const double det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < M; i++) {
            rhs[i] = 0;
            for (int k = 0; k < N; k++)
                rhs[i] += pg[k][i] * f[k][j];
        }
        gain[GOAL][j] = (s[1][1] * rhs[0] - s[0][1] * rhs[1]) / det;
        gain[TURN][j] = (s[0][0] * rhs[1] - s[1][0] * rhs[0]) / det;
    }
}

/* Takes P one look back: P <- Q + F^T P (F - G K). P is kept symmetric, because otherwise rounding
 * errors grow. */
static void look_back(double f[N][N], double g[N][M], const double *cost, double gain[M][N],
                      double p[N][N]) {
    double pf[N][N], closed[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            closed[i][j] = f[i][j] - g[i][GOAL] * gain[GOAL][j] - g[i][TURN] * gain[TURN][j];
    multiply(p, closed, pf);
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++) {
            double sum = i == j ? cost[i] : 0;
            for (int k = 0; k < N; k++)
                sum += f[k][i] * pf[k][j];
            p[i][j] = p[j][i] = sum;
        }
}

tr_ball_regulator tr_ball_regulator_of(const tr_ball_load *load,
                                       const tr_rolling_numbers *numbers) {
    const tr_rolling_numbers *n = numbers;
    const double cost[N] = {n->lean_cost, n->lean_rate_cost, n->speed_cost, n->place_cost, 0,
                            n->spin_cost, n->tilt_cost};
    const double input_cost[M] = {1, n->turn_cost};
    double a[N][N], b[N][M], f[N][N], g[N][M], p[N][N] = {{0}};
    tr_ball_regulator regulator = {.shift_per_s = n->shift_per_s};
    set_rates(load, n, a, b);
    hold(a, b, f, g);
    for (int i = 0; i < N; i++)
        p[i][i] = cost[i];
    /* From the last look back to the first, whose gain is kept. */
    for (int look = 0; look < LOOKS; look++) {
        set_gain(f, g, p, input_cost, regulator.gain);
        look_back(f, g, cost, regulator.gain, p);
    }
    return regulator;
}

bool tr_ball_regulator_is_finite(const tr_ball_regulator *regulator) {
    bool finite = true;
    for (int i = 0; i < TR_BALL_INPUTS; i++)
        finite &= tr_all_finite(regulator->gain[i], TR_BALL_STATES);
    return finite;
}

/* Returns p' = p'_wanted + r (u - p) and w, from the state's offsets to what is wanted. */
tr_ball_rates tr_ball_regulator_rates(const tr_ball_regulator *regulator, const tr_ball_state *now,
                                      const tr_ball_state *wanted, double wanted_mps) {
    const double off[N] = {now->lean_m - wanted->lean_m,         now->lean_mps - wanted->lean_mps,
                           now->roll_mps - wanted->roll_mps,     now->place_m - wanted->place_m,
                           now->pressure_m - wanted->pressure_m, now->spin - wanted->spin,
                           now->tilt_rad - wanted->tilt_rad};
    double input[M] = {0};
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            input[i] -= regulator->gain[i][j] * off[j];
    return (tr_ball_rates){wanted_mps + regulator->shift_per_s * (input[GOAL] - off[PRESSURE]),
                           input[TURN]};
}

/* Without w, a pressure that swings at this rate moves e and b in phase: e'' = -rate^2 e, and b
 * likewise. */
tr_ball_sway tr_ball_sway_of(const tr_ball_load *load, double rate_radps) {
    const plane q = plane_of(load);
    const double squared = rate_radps * rate_radps, pull = (1 + q.carry) * q.push;
    const double lean = (pull + q.tip) / (pull + squared);
    const double roll = q.carry * q.push * (1 - lean) + q.tip;
    return (tr_ball_sway){lean, -roll / squared};
}
