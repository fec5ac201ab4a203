/* A brief certificate for what has just been learned (certify.c). */
#pragma once

#include "tools/frame/circumstances.h"

/* controller and motion: a name of the catalogue, and a file. core_s: processor time at most; if that does
 * not suffice, nothing is stored, which is printed */
typedef struct tr_brief_certificate {
    const char *controller, *catalogue, *motion;
    const tr_command_line *command;
    int threads;
    double core_s;
} tr_brief_certificate;

/* Certifies by few trials: 20 undisturbed ones of 60 s, 8 directions of pushes from one start, no ground
 * but the plane. */
tr_status tr_certify_briefly(const tr_brief_certificate *brief, tr_error *error) TR_NODISCARD;
