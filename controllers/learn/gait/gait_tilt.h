/* Tilt: how a gait must change under a constant force, by statics alone.
 *
 * To a walker a horizontal force F is gravity that is turned by F / (m g). A gait that is turned with
 * it stands under F as it stood without: pelvis and trunk lean against the force, thighs turn the
 * other way, and ankles keep the feet level. The centroid, at the height h, then is F h / (m g)
 * further ahead of the feet; the balance feedback counts from there. All of this is linear in F and
 * in the parameters of a gait, so that it costs nothing at run time: it is where searches begin.
 */
#pragma once

#include "control/gait/gait_parameters.h"
#include "model/model.h"

/* Turns a gait for force_n more along its heading; negative: from the front. The result is within the
 * bounds. lean: 0, or up to 1: the trunk leans farther, and the stance knee stiffens with what it
 * bears. value: [TR_GAIT_SIZE]. */
void tr_gait_tilt(const tr_model *model, double lean, double force_n, double *value);
