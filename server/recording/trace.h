/* Traces: what a recording keeps of a stage's state, small enough to be kept of every tick.
 *
 * A body's trace is a byte made of its reduced coordinates and their rates (the root's place and
 * velocity, a joint's quaternion and rate, an object's state): two states that differ in a bit of
 * a body have another byte in 255 of 256 cases. In reduced coordinates a body that differs does not
 * make those below it differ. A step's trace is one byte a character, made of all its bodies, and
 * one more for all objects together when there are any.
 *
 * Deterministic; reads the stage only. */
#ifndef TROUPE_SERVER_TRACE_H
#define TROUPE_SERVER_TRACE_H

#include "control/stage.h"

enum {
    TR_TRACE_WIDTH_MAX = TR_CHARACTER_MAX + 1,
    TR_TRACE_BODIES_MAX = TR_CHARACTER_MAX * TR_BODY_MAX + TR_OBJECT_MAX
};

/* out: [the width that is returned]: characters in order of creation, then the objects' byte. */
int tr_trace_step(const tr_stage *stage, uint8_t out[TR_TRACE_WIDTH_MAX]);

/* out: [the count that is returned]: the bodies of each character in the model's order, then each
 * object; both in order of creation. */
int tr_trace_bodies(const tr_stage *stage, uint8_t out[TR_TRACE_BODIES_MAX]);

/* Whose trace is at `index` of tr_trace_bodies. out_entity is 0 past the end. */
void tr_trace_find_body(const tr_stage *stage, int index, tr_entity_id *out_entity, int *out_body);

/* Whose trace is at `index` of tr_trace_step; of the objects' byte the first object. 0: past the
 * end. */
tr_entity_id tr_trace_find_mover(const tr_stage *stage, int index);

#endif
