#include "math/quat.h"

tr_quat tr_quat_from_mat3(const tr_mat3 *r) {
    const double *m = r->m;
    double trace = m[0] + m[4] + m[8];
    tr_quat q;
    if (trace > 0) {
        double s = 2.0 * sqrt(trace + 1.0);
        q = (tr_quat){0.25 * s, (m[7] - m[5]) / s, (m[2] - m[6]) / s, (m[3] - m[1]) / s};
    } else if (m[0] > m[4] && m[0] > m[8]) {
        double s = 2.0 * sqrt(1.0 + m[0] - m[4] - m[8]);
        q = (tr_quat){(m[7] - m[5]) / s, 0.25 * s, (m[1] + m[3]) / s, (m[2] + m[6]) / s};
    } else if (m[4] > m[8]) {
        double s = 2.0 * sqrt(1.0 + m[4] - m[0] - m[8]);
        q = (tr_quat){(m[2] - m[6]) / s, (m[1] + m[3]) / s, 0.25 * s, (m[5] + m[7]) / s};
    } else {
        double s = 2.0 * sqrt(1.0 + m[8] - m[0] - m[4]);
        q = (tr_quat){(m[3] - m[1]) / s, (m[2] + m[6]) / s, (m[5] + m[7]) / s, 0.25 * s};
    }
    return tr_quat_normalize(q);
}

tr_quat tr_quat_between(tr_vec3 a, tr_vec3 b) {
    double w = 1 + tr_vec3_dot(a, b);
    if (w < 1e-9) {
        w = 0;
        b = fabs(a.y) < 0.9 ? tr_vec3_make(0, 1, 0) : tr_vec3_make(1, 0, 0);
    }
    tr_vec3 axis = tr_vec3_cross(a, b);
    return tr_quat_normalize((tr_quat){w, axis.x, axis.y, axis.z});
}
