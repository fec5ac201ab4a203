/* The feet over a motion: lowest points and their speeds. Internal to motion. */
#pragma once

#include "motion/poses/motion.h"

/* A foot with its toe in one frame. */
typedef struct tr_sole {
    double height; /* of the lowest point, m */
    double speed;  /* of the material point that is lowest, m/s */
    double slip;   /* its horizontal part */
} tr_sole;

typedef struct tr_soles {
    tr_sole side[2]; /* left, right */
    double
        rest_low; /* height of the lowest point of all other bodies, hands and forearms ignored, m */
} tr_soles;

/* One entry per frame, to be freed by the caller; NULL when memory is short. */
tr_soles *tr_soles_measure(const tr_model *model, const tr_motion *motion);

/* 1 below `low`, 0 above `high`, smooth between. */
double tr_soles_fade(double x, double low, double high);

/* How surely a sole stands on the ground, 0 to 1: low and slow. The faster the character
 * (speed_mps), the more a captured foot slides. */
double tr_sole_contact(const tr_sole *sole, double speed_mps);

/* Mean speed of a motion over ground, m/s. */
double tr_soles_speed(const tr_motion *motion);
