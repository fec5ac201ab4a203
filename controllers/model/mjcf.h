/* MJCF reader: the subset of MuJoCo's XML that describes one character.
 *
 * Read elements: mujoco, compiler (angle, autolimits), option (ignored but for a warning-free
 * load), default (class-less geom and joint defaults), worldbody (plane geoms are ignored: the
 * ground belongs to the world), body (pos, quat, euler not supported), inertial, freejoint, joint
 * (ball, hinge; range, limited), geom (sphere, capsule, box; size, fromto, pos, quat, mass,
 * density, friction), contact/exclude, and under custom: the gains, torque limits and marks
 * described in MODELS.md. Anything else is an error: the message names the file, the line, the
 * element and what was expected. */
#ifndef TROUPE_MODEL_MJCF_H
#define TROUPE_MODEL_MJCF_H

#include "model/model.h"

#include <stddef.h>

/* Reads `path`. TR_NOT_FOUND: no such file. TR_INVALID_ARGUMENT: broken or unsupported; *out is
 * untouched. On success *out is heap-allocated; destroy it with tr_model_destroy. */
tr_status tr_mjcf_load(const char *path, tr_model **out, tr_error *error) TR_NODISCARD;

/* Reads `size` bytes of XML; `name` stands for the file in messages. */
tr_status tr_mjcf_parse(const char *text, size_t size, const char *name, tr_model **out,
                        tr_error *error) TR_NODISCARD;

void tr_model_destroy(tr_model *model); /* NULL is fine */

#endif
