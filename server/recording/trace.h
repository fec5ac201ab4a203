/* Traces: short hashes of a stage's state, small enough for a recording to keep them for every
 * tick.
 *
 * A body's trace is a byte made of its reduced coordinates and their rates (the root's place and
 * velocity, a joint's quaternion and rate, an object's state): two states that differ in a bit of a
 * body have different bytes in 255 of 256 cases. In reduced coordinates a differing body does not
 * make the bodies below it differ. A step's trace is one byte per character, made of all its
 * bodies, and one byte for all objects together if there are any.
 *
 * Deterministic; reads the stage only. */
#pragma once

#include "control/stage/stage.h"

enum {
    TR_TRACE_WIDTH_MAX = TR_CHARACTER_MAX + 1,
    TR_TRACE_BODIES_MAX = TR_CHARACTER_MAX * TR_BODY_MAX + TR_OBJECT_MAX
};

/* out: [returned width]: characters in order of creation, then the objects' byte. */
int tr_trace_step(const tr_stage *stage, uint8_t out[TR_TRACE_WIDTH_MAX]);

/* out: [returned count]: the bodies of each character in the model's order, then each object; both
 * in order of creation. */
int tr_trace_bodies(const tr_stage *stage, uint8_t out[TR_TRACE_BODIES_MAX]);

/* The body whose trace is at `index` of tr_trace_bodies. out_entity is 0 past the end. */
void tr_trace_find_body(const tr_stage *stage, int index, tr_entity_id *out_entity, int *out_body);

/* The entity whose trace is at `index` of tr_trace_step; the first object for the objects' byte. 0:
 * past the end. */
tr_entity_id tr_trace_find_mover(const tr_stage *stage, int index);
