#include "physics/collide/line_contact.h"

#include <math.h>

/* Cosines: normal to face, and capsule to normal. Six degrees off the face one end is far enough
 * from it to be left out. */
static const double ON_FACE = 0.999, ALONG_FACE = 0.1;
static const double SHORTEST_M = 1e-3, PARALLEL = 1e-9;

/* The face whose outward normal is nearest to `normal`. */
static int face_of(const tr_shape_pose *box, tr_vec3 normal, double *out_cosine) {
    int face = 0;
    *out_cosine = 0;
    for (int k = 0; k < 3; k++) {
        double cosine = tr_vec3_dot(box->axis[k], normal);
        if (fabs(cosine) > fabs(*out_cosine)) {
            face = k;
            *out_cosine = cosine;
        }
    }
    return face;
}

bool tr_line_clip(const double from[3], const double along[3], const double half[3], int face,
                  double parallel, double out[2]) {
    for (int k = 0; k < 3; k++) {
        if (k == face)
            continue;
        if (fabs(along[k]) < parallel) {
            if (fabs(from[k]) > half[k])
                return false;
            continue;
        }
        double a = (-half[k] - from[k]) / along[k], b = (half[k] - from[k]) / along[k];
        out[0] = fmax(out[0], fmin(a, b));
        out[1] = fmin(out[1], fmax(a, b));
    }
    return out[0] < out[1];
}

int tr_line_contact(const tr_shape_pose *capsule, tr_vec3 capsule_size, const tr_shape_pose *box,
                    tr_vec3 box_size, tr_vec3 normal, tr_touching out[2]) {
    double cosine, half[3] = {box_size.x, box_size.y, box_size.z};
    int face = face_of(box, normal, &cosine);
    tr_vec3 u = capsule->axis[2], start = tr_vec3_sub(capsule->centre, box->centre);
    if (fabs(cosine) < ON_FACE || fabs(tr_vec3_dot(u, normal)) > ALONG_FACE)
        return 0;
    double from[3], along[3], part[2] = {-capsule_size.y, capsule_size.y};
    for (int k = 0; k < 3; k++) {
        from[k] = tr_vec3_dot(box->axis[k], start);
        along[k] = tr_vec3_dot(box->axis[k], u);
    }
    /* Of the capsule's middle line, the part over the face. */
    if (!tr_line_clip(from, along, half, face, PARALLEL, part) || part[1] - part[0] <= SHORTEST_M)
        return 0;
    double side = cosine > 0 ? 1 : -1;
    tr_vec3 outward = tr_vec3_scale(box->axis[face], side);
    int count = 0;
    for (int end = 0; end < 2; end++) {
        double height = side * (from[face] + part[end] * along[face]) - half[face];
        double depth = capsule_size.x - height;
        tr_vec3 middle = tr_vec3_add_scaled(capsule->centre, part[end], u);
        tr_vec3 lowest = tr_vec3_add_scaled(middle, -capsule_size.x, outward);
        if (depth >= 0)
            out[count++] = (tr_touching){lowest, outward, depth};
    }
    return count;
}
