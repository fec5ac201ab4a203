/* A toy kind of driver: sways on the spot by turning the first joint to and fro (driver kind
 * "toy_sway"). It shows that one folder and one row make a kind.
 *
 * Parameters: amplitude (rad) and period (s). One entry, which is a whole sway. */
#pragma once

#include "control/driver/controller.h"

extern const tr_driver_kind toy_sway_kind;

/* start:  the pose it sways about
 * side:   1: to the left first; -1: to the right */
typedef struct toy_sway {
    tr_state start;
    char gain_set[TR_NAME_MAX];
    double amplitude_rad, period_s; /* initial values of the parameters */
    int side;
} toy_sway;

/* Sways about the rest pose at steps of 5 ms; named "toy". Destroy it with tr_controller_destroy. */
tr_status toy_sway_create(const tr_model *model, tr_controller **out) TR_NODISCARD;
