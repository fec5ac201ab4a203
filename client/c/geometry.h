/* Vectors and rotations of the plain structs as messages. */
#ifndef TROUPE_CLIENT_GEOMETRY_H
#define TROUPE_CLIENT_GEOMETRY_H

#include "troupe/geometry.pb-c.h"

static inline Troupe__Vec3 tr_vec3_message(const double v[3]) {
    Troupe__Vec3 message = TROUPE__VEC3__INIT;
    message.x = v[0];
    message.y = v[1];
    message.z = v[2];
    return message;
}

/* All zero stands for no rotation. */
static inline Troupe__Quat tr_quat_message(const double q[4]) {
    Troupe__Quat message = TROUPE__QUAT__INIT;
    int given = q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0;
    message.w = given ? q[0] : 1;
    message.x = q[1];
    message.y = q[2];
    message.z = q[3];
    return message;
}

#endif
