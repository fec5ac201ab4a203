/* Reference states: states of a character that are part of a driver's content. Pure functions. */
#pragma once

#include "control/fields/sections.h"
#include "model/state.h"

#include <stdbool.h>

/* Returns a state at the origin, upright, with joints and rates zero. */
tr_state tr_reference_identity(void);

/* Is it of unit length, to 1e-6? */
bool tr_reference_is_rotation(tr_quat q);

/* Are positions and rates finite, and rotations of unit length? */
bool tr_reference_is_sound(const tr_model *model, const tr_state *state);

/* Adds a state with the joints of `body_count` bodies to a hash. */
uint64_t tr_reference_hash(uint64_t hash, const tr_state *state, int body_count);

/* Write a state to a section, and read it. */
void tr_reference_put(tr_section_writer *writer, const tr_state *state, int body_count);
void tr_reference_get(tr_section_reader *reader, int body_count, tr_state *out);
