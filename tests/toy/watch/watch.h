/* A toy kind of driver with a rig: stands and turns its chest towards the ball that it brought (driver
 * kind "toy_watch"). It shows that a driver sees the objects of its rig.
 *
 * Parameter: reach (rad). One entry of 20 steps. The rig: a ball that rolls past, a bat pinned to the
 * right hand, and a gate on a post. */
#pragma once

#include "control/driver/controller.h"

extern const tr_driver_kind toy_watch_kind;

enum { TOY_WATCH_BALL, TOY_WATCH_BAT, TOY_WATCH_POST, TOY_WATCH_GATE, TOY_WATCH_OBJECTS };

/* Stands in the rest pose at steps of 5 ms; named "watch". Destroy it with tr_controller_destroy. */
tr_status toy_watch_create(const tr_model *model, tr_controller **out) TR_NODISCARD;
