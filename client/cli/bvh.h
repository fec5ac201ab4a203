/* Writes the states of one character as BVH, which Blender and similar programs read.
 *
 * Metres, y up, z forward; rotations ZXY, in degrees; a joint per body and an end per leaf. Frames
 * go to a temporary file first, because the header has their number. */
#ifndef TROUPE_CLI_BVH_H
#define TROUPE_CLI_BVH_H

#include "troupe/client.h"

#include <stdio.h>

typedef struct tr_bvh_writer tr_bvh_writer;

/* Copies the needed parts of the model. NULL: no memory, or the temporary file cannot be made. */
tr_bvh_writer *tr_bvh_writer_create(const tr_client_model_detail *model);
void tr_bvh_writer_destroy(tr_bvh_writer *writer); /* NULL is allowed */

/* Adds a frame, which must have bodies (TR_CLIENT_BODIES). False: another model, or a write
 * failed. */
bool tr_bvh_writer_add(tr_bvh_writer *writer, const tr_client_character *character);

/* Writes the whole file; a failure stays in its error flag. */
void tr_bvh_writer_save(tr_bvh_writer *writer, FILE *out, double frame_s);

#endif
