/* Small models built by hand and scenes shared by the tests of physics. */
#pragma once

#include "math/random.h"
#include "model/mjcf.h"
#include "physics/world/world.h"

/* |a - b| <= tolerance, in double precision (cmocka 1.1 compares floats). */
#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* The shipped humanoid; the test fails when it does not load. Destroy with tr_model_destroy. */
tr_model *scene_humanoid(void);

/* The same as the fixture of a group of tests: *state is the model. */
int scene_load_humanoid(void **state);
int scene_drop_humanoid(void **state);

/* A model of `count` bodies without geoms: sphere-like masses of 1 kg, each 1 m below its joint,
 * the joint of body i at the mass of body i - 1; the root weighs root_mass. Gain set 0 is all zero:
 * no servo. */
void scene_chain(tr_model *model, int count, tr_joint_kind joint, double root_mass);

/* A random tree of at most `most` bodies with random geoms, limits, gains and torque limits. */
void scene_random_model(tr_model *model, int most, tr_random *random);

/* Three normal numbers of that standard deviation. */
tr_vec3 scene_random_vector(tr_random *random, double size);

/* Low enough to fall within some steps; a share of the states moves wildly. */
tr_state scene_random_state(const tr_model *model, double wild_share, tr_random *random);

/* The contacts of the last step, their impulses and the solver's report are the same to the bit. */
void scene_check_same_contacts(const tr_world *one, const tr_world *other);

tr_world *scene_world(const tr_world_def *def);

/* Checks with the kernel of each instruction set (TROUPE_KERNEL). */
void scene_with_each_kernel(void (*check)(const tr_model *model), const tr_model *model);

/* The humanoid at rest, `height` above the ground, at (x, y). */
tr_entity_id scene_stand(tr_world *world, const tr_model *model, double x, double y, double height);

/* An object of one shape, such an object of 2 kg with a friction of 1, and the state of an object. */
tr_entity_id scene_thing(tr_world *world, const tr_geom *geom, double mass, tr_object_state at);
tr_entity_id scene_shape(tr_world *world, tr_geom_kind kind, tr_vec3 size, tr_object_state at);
tr_object_state scene_thing_state(const tr_world *world, tr_entity_id id);

/* Targets of a 1 Hz swing of all limbs at time t. */
void scene_swing(tr_world *world, tr_entity_id id, double t);

/* Two humanoids running into each other, a ball on a pin, a board, a barrow, a bump, a push: everything that
 * has state. */
tr_world *scene_busy(const tr_model *model);

void scene_step(tr_world *world, int steps);

/* Steps the world, and another into which its snapshot was restored; both must end the same.
 * model: of its characters */
void scene_check_restored(tr_world *world, const tr_model *model, int steps);

/* Kinetic energy plus m g z, J. */
double scene_energy(const tr_world *world, tr_entity_id id);
