/* Puppets: kinematic characters that a policy moves in a latent space (driver kind "puppet";
 * levine2012).
 *
 * A puppet pushes others and nothing pushes it. It follows its steering target: along a heading, to
 * a point or to another character, at a speed that its policy was trained for. Wherever its
 * character is put, it begins there at the nearest pose of its clips. Entries are the clips.
 * Parameters: reach_hand and reach bring the hands to points beside the character, or with held to a
 * point of the world while it is near; with aims both hands point a weapon at aim; map_hold and map
 * hold the point shown at a place of the sheet's map; the arms stay out of a pillar. Of a target
 * task: strike and target bring the task's body to a point of the world; such a puppet is not
 * steered. */
#pragma once

#include "control/driver/controller.h"
#include "control/latent/latent_motion.h"
#include "control/latent/latent_view.h"

/* start: [clips of the space], at which entries begin. view: of the space. Everything is owned.
 * aims: the body can: its elbows are hinges about y, as those that aim are bent */
typedef struct tr_latent_puppet {
    tr_latent_space *space;
    tr_latent_policy *policy;
    tr_latent_view view;
    tr_state *start;
    bool aims;
} tr_latent_puppet;

extern const tr_driver_kind tr_puppet_kind;

/* An unnamed controller of a space and its policy, as sections hold them (latent_space.h,
 * latent_policy.h), for steps of step_s. Destroy it with tr_controller_destroy. Statuses as
 * tr_latent_space_load and tr_latent_policy_load. */
tr_status tr_latent_puppet_create(const tr_sections *sections, const tr_model *model, double step_s,
                                  tr_controller **out, tr_error *error) TR_NODISCARD;
