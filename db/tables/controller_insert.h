/* The row of a controller, as storing and copying insert it. Inside db/ only. */
#ifndef TROUPE_DB_CONTROLLER_INSERT_H
#define TROUPE_DB_CONTROLLER_INSERT_H

#define CONTROLLER_INSERT                                                                          \
    "INSERT INTO controller (name, digest, skill, model, run, clip, gain_set, step_s, cyclic, "    \
    "mirrored, duration_s, spawn_state, kind) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

#endif
