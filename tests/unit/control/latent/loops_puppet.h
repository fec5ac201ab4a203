/* A puppet in the space of loops.h, made by hand: its policy prefers the loop that turns towards the
 * goal. */
#pragma once

#include "control/driver/runner.h"
#include "control/latent/puppet.h"
#include "unit/control/latent/loops.h"

typedef struct loops_puppet_definition {
    tr_latent_choice choice;
    tr_latent_task task;
    bool stands; /* feet stand where the loops say so */
} loops_puppet_definition;

loops_puppet_definition loops_puppet_def(void);

/* Named "walker"; the caller destroys it. */
tr_controller *loops_puppet(const tr_model *model, const loops_puppet_definition *def);

/* A world with one character, which begins as its controller says. */
typedef struct loops_scene {
    tr_world *world;
    tr_entity_id id;
    tr_runner runner;
} loops_scene;

loops_scene loops_begin(const tr_model *model, const tr_controller *controller);
