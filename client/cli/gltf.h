/* Writes the states of one character as glTF 2.0 in one file (.glb): a node per body with a rounded limb
 * as heavy as the body, and the motion as an animation. Metres, y up, z forward. */
#ifndef TROUPE_CLI_GLTF_H
#define TROUPE_CLI_GLTF_H

#include "troupe/client.h"

#include <stdio.h>

typedef struct tr_gltf_writer tr_gltf_writer;

/* Copies the needed parts of the model. NULL: no memory. */
tr_gltf_writer *tr_gltf_writer_create(const tr_client_model_detail *model);
void tr_gltf_writer_destroy(tr_gltf_writer *writer); /* NULL is allowed */

/* Adds a frame, which must have bodies (TR_CLIENT_BODIES). False: another model, or no memory. */
bool tr_gltf_writer_add(tr_gltf_writer *writer, const tr_client_character *character);

/* Writes the whole file; a failure to write stays in its error flag. False: no memory. */
bool tr_gltf_writer_save(const tr_gltf_writer *writer, FILE *out, double frame_s);

#endif
