/* A character on its support, on a stage. */
#pragma once

#include "control/stage/stage.h"
#include "control/torque/torque.h"
#include "learn/methods.h"

/* object: the first of its rig, a board or a ball; 0: none */
typedef struct ride {
    tr_stage *stage;
    tr_entity_id id, object;
} ride;

ride ride_begin(const tr_model *model, const tr_controller *controller);
ride ride_begin_in(const tr_model *model, const tr_controller *controller, tr_vec3 gravity);
void ride_end(const ride *r);
void ride_run(const ride *r, double seconds);
tr_state ride_state(const ride *r);
tr_object_state ride_object(const ride *r);

/* Changes made to the content of a controller are seen by what follows. */
tr_torque *ride_content(const tr_controller *controller);

/* What a method makes with these settings; NULL: with its defaults. */
tr_status ride_make(const tr_method *method, const tr_model *model, const void *settings,
                    tr_controller **out, tr_error *error);
