/* A world: characters, free objects and scenery that move together at a fixed step.
 *
 * The world keeps geometry and finds contacts with Open Dynamics Engine and moves everything as
 * articulated bodies, O(n), with implicit PD servos and one contact solver (articulated.c).
 *
 * Threading: a world belongs to one thread at a time; different worlds may step on different
 * threads. Call tr_physics_init once in main first. Deterministic: the state after a step is a
 * function of the state before it and of the calls made in between, in their order, to the bit. No
 * clock, no global random numbers.
 *
 * Entities are named by ids with generations; 0 is the static ground. Calls with the id of a
 * removed entity return TR_NOT_FOUND. Returned pointers live until the next call that changes the
 * world. */
#pragma once

#include "physics/scene/definitions.h"
#include "proto/invariant.h"
#include "proto/status.h"

/* Prepares ODE; idempotent; call in main before threads start. */
void tr_physics_init(void);

/* 5 ms, gravity -9.81, ground with mu 1, self-collision on. */
tr_world_def tr_world_def_default(void);

/* An empty world, which the caller destroys. TR_INVALID_ARGUMENT: a field of `def` is out of its
 * range or not finite; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_world_create(const tr_world_def *def, tr_world **out) TR_NODISCARD;

/* Destroys the world with all that it owns, but not the models; NULL is fine. */
void tr_world_destroy(tr_world *world);

const tr_world_def *tr_world_definition(const tr_world *world);

/* Steps since creation; a restore brings the snapshot's count back. */
int64_t tr_world_tick(const tr_world *world);
double tr_world_time_s(const tr_world *world); /* tick * step_s */

/* The tick is 0 again, no step is reported, and the local ground of each character is found anew: for
 * trials in one world, of which none may depend on how long those before took, on how they ended and
 * on what scenery they had. */
void tr_world_rewind(tr_world *world);

/* --- characters --- */

/* Adds a character; `model` must outlive the world. TR_RESOURCE_EXHAUSTED past TR_CHARACTER_MAX;
 * TR_INVALID_ARGUMENT for a state that is not finite. Servos start on, with gain set 0 and the pose
 * of `state` as target. */
tr_status tr_world_add_character(tr_world *world, const tr_model *model, const tr_state *state,
                                 tr_entity_id *out_id) TR_NODISCARD;
tr_status tr_world_remove_character(tr_world *world, tr_entity_id id) TR_NODISCARD;

/* NULL: no such character. */
const tr_model *tr_world_character_model(const tr_world *world, tr_entity_id id);

/* Ids in order of creation, at most `capacity` of them; returns how many characters there are. */
int tr_world_characters(const tr_world *world, tr_entity_id *out_ids, int capacity);

/* The state after the last step; a state that was read can be set again to the bit. Setting takes a
 * finite state with quaternions that are not zero, otherwise TR_INVALID_ARGUMENT; it normalises
 * them, puts hinges and slides on their axes, and ends a fault. Allocates nothing. */
tr_status tr_world_get_state(const tr_world *world, tr_entity_id id, tr_state *out) TR_NODISCARD;
tr_status tr_world_set_state(tr_world *world, tr_entity_id id, const tr_state *state) TR_NODISCARD;

/* The same state where it stands, until the world changes. NULL: no such character. */
const tr_state *tr_world_state(const tr_world *world, tr_entity_id id);

/* World poses and velocities of the bodies: [body_count]. NULL: no such character. */
const tr_body_state *tr_world_bodies(const tr_world *world, tr_entity_id id);

/* The rotation of one of them alone, to the bit, which costs less. The identity: no such body. */
tr_quat tr_world_body_rotation(const tr_world *world, tr_entity_id id, int body);

/* Targets of the PD servos for the end of the coming step, kept until changed.
 * target: [body_count] joint quaternions; [0] is unused. Hinges and slides use the twist of their
 * target about the axis. */
tr_status tr_world_set_targets(tr_world *world, tr_entity_id id,
                               const tr_quat *target) TR_NODISCARD;

/* The servos' targets, unit quaternions: [body_count]. NULL: no such character. */
const tr_quat *tr_world_targets(const tr_world *world, tr_entity_id id);

/* Servo gains: an index into model->gain_set, or TR_SERVO_RAGDOLL for no servo (damping only).
 * TR_SERVO_VALUES is the value after tr_world_set_gains; it cannot be set here. */
tr_status tr_world_set_servo(tr_world *world, tr_entity_id id, int gain_set) TR_NODISCARD;

/* Servo gains by value, kept until changed here or by tr_world_set_servo. kp: N m/rad, kd: N m
 * s/rad, [body_count]; [0] is unused. TR_INVALID_ARGUMENT: a gain outside 0 to 1e6. */
tr_status tr_world_set_gains(tr_world *world, tr_entity_id id, const double *kp,
                             const double *kd) TR_NODISCARD;

/* Torques that the servos add to their law in the coming `steps` steps; within the torque limits,
 * and without effect while the servos are off. torque: [body_count] joint frame, N m, of a hinge
 * along its axis, and so of a slide, N; [0] is unused; may be NULL when steps is 0, which ends them.
 * TR_INVALID_ARGUMENT: a torque above 1e6 N m or not finite, or steps below 0. */
tr_status tr_world_set_feedforward(tr_world *world, tr_entity_id id, const tr_vec3 *torque,
                                   int steps) TR_NODISCARD;

/* Torques that the servos applied in the last step: [body_count], joint frame, N m. NULL: no such
 * character. */
const tr_vec3 *tr_world_servo_torques(const tr_world *world, tr_entity_id id);

/* --- free objects: spheres, boxes, capsules, and compounds of them (boards) --- */

/* TR_INVALID_ARGUMENT: a size outside 0.1 mm to 10 km, a mass outside 0.1 g to 1000 t, a density
 * outside 0.01 to 1e6 kg/m3, or something not finite; TR_RESOURCE_EXHAUSTED past TR_OBJECT_MAX. */
tr_status tr_world_add_object(tr_world *world, const tr_object_def *def,
                              const tr_object_state *state, tr_entity_id *out_id) TR_NODISCARD;

/* Does a world with room take it? */
bool tr_object_is_usable(const tr_object_def *def, const tr_object_state *state);

tr_status tr_world_remove_object(tr_world *world, tr_entity_id id) TR_NODISCARD;
const tr_object_def *tr_world_object_def(const tr_world *world, tr_entity_id id);
tr_status tr_world_get_object(const tr_world *world, tr_entity_id id,
                              tr_object_state *out) TR_NODISCARD;
tr_status tr_world_set_object(tr_world *world, tr_entity_id id,
                              const tr_object_state *state) TR_NODISCARD;
int tr_world_objects(const tr_world *world, tr_entity_id *out_ids, int capacity);

/* --- kinematic characters and objects: they move others, and nothing moves them --- */

/* A kinematic entity moves with its velocity, which setting its state changes, or follows the poses
 * that the caller sets; forces, gravity, servos and limits do not act on it. Its bodies push and
 * carry others, with friction; contacts with these are reported, contacts with the static world and
 * with other kinematic entities are not computed. false: it is free again, at its present
 * velocity. */
tr_status tr_world_set_kinematic(tr_world *world, tr_entity_id id, bool kinematic) TR_NODISCARD;
bool tr_world_is_kinematic(const tr_world *world, tr_entity_id id); /* false for no such entity */

/* Sets the place of a kinematic entity at the end of the coming step; its velocities follow from
 * that. Without another call it stays there, at rest. Objects: the place of the centre of mass.
 * TR_FAILED_PRECONDITION: it is not kinematic; TR_INVALID_ARGUMENT: not finite, further than 1000
 * km from the origin, or a quaternion that is zero. */
tr_status tr_world_move_character(tr_world *world, tr_entity_id id,
                                  const tr_pose *pose) TR_NODISCARD;
tr_status tr_world_move_object(tr_world *world, tr_entity_id id, tr_vec3 pos,
                               tr_quat rot) TR_NODISCARD;

/* Carries a kinematic object along a straight line to `pos` in `steps` steps, without turning it.
 * It starts and stops gently: its share of the way is (1 - cos(pi t)) / 2 at the share t of the
 * time. shuttle: then back to the start, and so on. Setting its state or its pose ends it. Statuses
 * as tr_world_move_object; TR_INVALID_ARGUMENT also for steps outside 1 to 1e9. */
tr_status tr_world_carry_object(tr_world *world, tr_entity_id id, tr_vec3 pos, int64_t steps,
                                bool shuttle) TR_NODISCARD;

/* --- static scenery: solids, and patches of ground with their own friction --- */

/* Scenery has separate numbers, from 1 in the order of adding, never used twice; contacts with
 * it are contacts with entity 0. out_id may be NULL. TR_RESOURCE_EXHAUSTED past TR_SCENERY_MAX;
 * TR_INVALID_ARGUMENT: a size that is not positive, something not finite, or no surface where there
 * should be one. */
tr_status tr_world_add_scenery(tr_world *world, const tr_scenery_def *def,
                               uint32_t *out_id) TR_NODISCARD;
tr_status tr_world_remove_scenery(tr_world *world, uint32_t id) TR_NODISCARD;

/* Ids in order of adding, at most `capacity` of them; returns how many there are. */
int tr_world_scenery(const tr_world *world, uint32_t *out_ids, int capacity);
const tr_scenery_def *tr_world_scenery_def(const tr_world *world, uint32_t id); /* NULL: none */

/* --- the ground: the plane, solid scenery and kinematic objects --- */

/* The ground under a point: the highest top of all solids that begin at or below it. Under a bridge
 * that is the ground below the bridge, on the bridge it is the bridge. False: nothing is below. */
bool tr_world_ground(const tr_world *world, tr_vec3 point, tr_ground *out);

/* The ground around a character's root, smoothed: a plane through the ground within 0.25 m, so that
 * a kerb is a short ramp and a slope is a slope. Computed after each step, and when a character is
 * added or its state set; above a gap the last one stays. Height 0 and upright if no character has
 * the id. */
tr_ground tr_world_local_ground(const tr_world *world, tr_entity_id id);

/* Heights of the ground ahead of a character above its local ground, m, within 1 m: five rows from
 * the root on, 0.25 m apart, along the root's x axis seen from above; each 0.2 m to the right, in
 * the middle, and 0.2 m to the left. -1 where nothing is below; what begins more than 1 m above the
 * local ground is no ground. 0 if no character has the id. */
enum { TR_GROUND_AHEAD = 15 };
void tr_world_ground_ahead(const tr_world *world, tr_entity_id id, double out[TR_GROUND_AHEAD]);

/* --- pins: a point of one body held to a point or a line of another, or of the world (liu2017:
 * feet on boards, wheels on axles) --- */

/* The bodies collide with each other as before. A pin ends with either entity, or when it breaks.
 * TR_NOT_FOUND: no such entity; TR_INVALID_ARGUMENT: no such body, a body with itself, no axis, a
 * range beyond half a turn or 10 km, something not finite; TR_UNIMPLEMENTED: the tests' stepper
 * has no tracks and no springs. */
tr_status tr_world_add_pin(tr_world *world, const tr_pin_def *def,
                           tr_entity_id *out_id) TR_NODISCARD;

/* Does a world take it, if it has room and the bodies that the pin names? */
bool tr_pin_is_usable(const tr_pin_def *def);

tr_status tr_world_remove_pin(tr_world *world, tr_entity_id id) TR_NODISCARD;

/* Removes the pins of a body of `id`, -1: of all its bodies, that hold `other`. Returns how many. */
int tr_world_let_go(tr_world *world, tr_entity_id id, int body, tr_entity_id other);

/* Is there a pin of this kind between the same points of the same bodies? */
bool tr_world_has_pin(const tr_world *world, const tr_pin_def *def);

/* Ids in order of adding, at most `capacity` of them; returns how many there are. */
int tr_world_pins(const tr_world *world, tr_entity_id *out_ids, int capacity);

/* Those that broke in the last step; until the next one. */
const tr_broken_pin *tr_world_broken_pins(const tr_world *world, int *out_count);

/* --- disturbances --- */

/* TR_RESOURCE_EXHAUSTED past TR_PUSH_MAX pushes acting together. */
tr_status tr_world_push(tr_world *world, const tr_push *push) TR_NODISCARD;
int tr_world_pushes(const tr_world *world, tr_push *out, int capacity); /* those still acting */

/* --- stepping --- */

/* One step of h. TR_DATA_LOSS: a character or object became non-finite; it is frozen at its last
 * finite state with zero velocity, and tr_world_faults names it while it is frozen; the others
 * move on, and pass through it. Setting its state ends the fault. If joints turn by more than
 * 0.1 rad in the step, energy beyond the work of the forces is removed. The articulated stepper
 * allocates nothing. */
tr_status tr_world_step(tr_world *world) TR_NODISCARD;

/* The frozen entities: at most `capacity` ids; returns the number of all of them. */
int tr_world_faults(const tr_world *world, tr_entity_id *out_ids, int capacity);

const tr_contact *tr_world_contacts(const tr_world *world, int *out_count);

tr_solver_report tr_world_solver_report(const tr_world *world);

/* The first invariant that did not hold: a fault of this program, after which the world should end. */
const tr_invariant *tr_world_invariant(const tr_world *world);

/* --- snapshots --- */

/* Bytes that a snapshot of this world takes now. */
size_t tr_world_snapshot_size(const tr_world *world);

/* Writes everything that determines the future to `buffer`. TR_OUT_OF_RANGE: capacity is too
 * small. */
tr_status tr_world_snapshot(const tr_world *world, void *buffer, size_t capacity,
                            size_t *out_size) TR_NODISCARD;

/* Restores the world to the bit, entities, ids and the report of the last step included. Models are
 * found by hash among `models` [model_count] and those in the world.
 * TR_INVALID_ARGUMENT: not a snapshot of the version that this build reads, or it asks for more work
 * than allowed: another stepper, or more than 200 sweeps of the solver, if the replaced world
 * does not use them; TR_NOT_FOUND: a model is missing. On failure the world does not change. A
 * snapshot is versioned and checksummed; a hostile one is an error, never a crash. */
tr_status tr_world_restore(tr_world *world, const void *buffer, size_t size,
                           const tr_model *const *models, int model_count) TR_NODISCARD;

/* Hash of the complete dynamic state: equal hashes mean equal bits. */
uint64_t tr_world_hash(const tr_world *world);

/* Hash without the report of the last step and the local ground, for what is compared for years:
 * results of matches, and the fingerprint of recordings. */
uint64_t tr_world_state_hash(const tr_world *world);
