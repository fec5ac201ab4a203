/* Scenes shared by tests and benchmarks: characters that stand, wave, are pushed over or hang limp.
 *
 * A scenario says what happens; a run is one in progress, in a separate world. Deterministic. */
#pragma once

#include "physics/world/world.h"

typedef enum tr_scenario_motion {
    TR_MOTION_STAND, /* holds the rest pose */
    TR_MOTION_WAVE,  /* sinusoids about y, 23 degrees in the arms and 7 in the knees, faded in */
    TR_MOTION_PUSH,  /* holds the rest pose, starts tipping over at 3 m/s at the chest */
    TR_MOTION_LIMP   /* servos off, starts tipping over at 1.5 m/s */
} tr_scenario_motion;

typedef struct tr_scenario {
    const char *name;
    tr_scenario_motion motion;
    int characters;
    double spacing_m; /* between neighbours along y */
    bool self_collision;
    bool ball;  /* a ball of 5 kg rolls against each character's shins */
    bool field; /* on a level height field with cells of 25 cm instead of the plane */
} tr_scenario;

typedef struct tr_scenario_run {
    const tr_scenario *scenario;
    const tr_model *model;
    tr_world *world;
    tr_entity_id character[TR_CHARACTER_MAX];
    int steps; /* taken */
} tr_scenario_run;

/* The wave's rotation of one body's joint at a time. Frequency 1 Hz. */
tr_quat tr_scenario_target(const tr_scenario *scenario, const tr_model *model, int body,
                           double time_s);

/* All bodies at the end of the step that begins at time_s: out: [body_count]. */
void tr_scenario_targets(const tr_scenario *scenario, const tr_model *model, double time_s,
                         tr_quat *out);

/* The state that a scenario's character number `index` starts from: 1 cm above the ground. */
tr_state tr_scenario_start(const tr_scenario *scenario, const tr_model *model, int index);

/* A world with everything in it; `def` gives the stepper and the step. The model must outlive the
 * run. */
tr_status tr_scenario_run_create(const tr_scenario *scenario, const tr_model *model,
                                 tr_world_def def, tr_scenario_run *out) TR_NODISCARD;
void tr_scenario_run_destroy(tr_scenario_run *rig);

/* Sets the targets and steps. */
tr_status tr_scenario_run_step(tr_scenario_run *rig) TR_NODISCARD;

/* Sum over joints of squared angle between joint and target at the present time, over joints;
 * rad2. */
double tr_scenario_run_tracking_error2(const tr_scenario_run *rig, int index);
