/* A body for a rig: the athlete's bodies, joints and motors in the rig's proportions.
 *
 * Places come from the rig's joints, shapes and masses from its skin, or without one from the
 * athlete's by the lengths of bones. Both sides are made alike. Limits of joints are the athlete's; torques
 * grow with mass, gains with mass and height (the torque of a weight), damping with the root of the
 * height as well (the time of a fall). In the rest pose the limbs hang. */
#pragma once

#include "model/model.h"
#include "motion/clips/scene.h"
#include "motion/clips/skeleton.h"

/* The density of human tissue as a whole, kg/m3 (Krzywicki & Chinn 1967: 1.03 to 1.07 without air;
 * 985 with the air of the lungs, Donnelly & Sintek 1984). */
#define TR_TISSUE_KG_M3 985.0

/* What to make a body from.
 *   model        the athlete, whose bodies have the names of athlete.xml
 *   clip         the rig as its file holds it (tr_clip_read), with a map of all needed parts
 *   skin         no vertices: none
 *   name         of the new model
 *   mass_kg      of all; 0: by volume
 *   height_m     sole to top; 0: by the customary unit nearest to a person */
typedef struct tr_body_def {
    const tr_model *model;
    const tr_clip *clip;
    const tr_skeleton *map;
    const tr_skin *skin;
    const char *name;
    double mass_kg, height_m;
} tr_body_def;

/* What was found on the way. touching: pairs of bodies that overlap in the rest pose and therefore
 * never collide, beside the athlete's. by_skin: bit of each body whose shape is the skin's */
typedef struct tr_body_account {
    double unit_m, height_m, volume_m3;
    int touching;
    uint32_t by_skin;
} tr_body_account;

/* On success *out is the caller's, to be given to tr_model_destroy. TR_INVALID_ARGUMENT: a bone that no
 * body can be made of, or a mass that no figure has; the message names it and the remedy. */
tr_status tr_body_make(const tr_body_def *def, tr_model **out, tr_body_account *out_account,
                       tr_error *error) TR_NODISCARD;

/* Another mass for a model: masses, torques and gains grow alike. */
void tr_body_scale_mass(tr_model *model, double factor);
