/* Writing what states show of one character as BVH, the format that Blender and its kin read.
 *
 * Metres, y up, z forward; rotations ZXY, in degrees; a joint per body and an end per leaf. Frames
 * go to a temporary file first, for the header counts them. */
#ifndef TROUPE_CLI_BVH_H
#define TROUPE_CLI_BVH_H

#include "troupe/client.h"

typedef struct tr_bvh_writer tr_bvh_writer;

/* Copies what it needs of the model. NULL: no memory, or no place for a temporary file. */
tr_bvh_writer *tr_bvh_writer_create(const tr_client_model_detail *model);
void tr_bvh_writer_destroy(tr_bvh_writer *writer); /* NULL is fine */

/* A frame; its bodies must be there (TR_CLIENT_BODIES). False: another model, or not written. */
bool tr_bvh_writer_add(tr_bvh_writer *writer, const tr_client_character *character);

/* The whole file. False: it could not be written; it is removed then. */
bool tr_bvh_writer_save(tr_bvh_writer *writer, const char *path, double frame_s);

#endif
