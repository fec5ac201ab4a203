/* A stage: a world with its performers. It owns a physics world and one runner per character,
 * applies requests to them, and reports events. trouped holds one per world; learners and matches
 * use it headless.
 *
 * Threading as tr_world: one thread at a time. Deterministic: the same calls in the same order
 * between the same steps give the same bits. Models and controllers are borrowed and must outlive
 * the stage. Calls with the id of no performer return TR_NOT_FOUND. */
#pragma once

#include "control/driver/runner.h"
#include "control/stage/intent.h"
#include "physics/world/world.h"

typedef struct tr_stage tr_stage;

enum { TR_STAGE_EVENT_MAX = 256 };

/* These can happen in a step.
 *   FELL, ROSE        the character fell (falls.h), and has been up again for 0.2 s; if its
 *                     driver recovers from falls: its recovery began, and ended
 *   CONTROLLER_BEGAN  a requested controller took over
 *   CONTROLLER_ENDED  the controller reached its end
 *   TOUCHED           two entities, neither static, came into contact; reported again only after
 *                     they have been apart for 20 steps
 *   ARRIVED           the character has come to the place that its intent names, and stands there
 *                     if it can stand; reported again after it has left the place
 *   BLOCKED           the character stops before a wall or an edge, where the stage looks ahead; reported
 *                     again after it has set off
 *   HOLD_BROKEN       a pin of `entity` to `other` ended, because the force on it was too great
 *   FAULT             an entity became non-finite and was frozen, or its driver's result was not
 *                     finite; a character then has no controller until one is set */
typedef enum tr_stage_event_kind {
    TR_STAGE_FELL,
    TR_STAGE_ROSE,
    TR_STAGE_CONTROLLER_ENDED,
    TR_STAGE_CONTROLLER_BEGAN,
    TR_STAGE_TOUCHED,
    TR_STAGE_FAULT,
    TR_STAGE_ARRIVED,
    TR_STAGE_BLOCKED,
    TR_STAGE_HOLD_BROKEN
} tr_stage_event_kind;

typedef struct tr_stage_event {
    tr_stage_event_kind kind;
    int64_t tick;               /* of the world after the step in which it happened */
    tr_entity_id entity, other; /* touched: entity < other; hold broken; else other is 0 */
    int body, other_body;       /* touched: of the strongest contact; of a broken hold; else 0 */
    double magnitude; /* touched: impulse of the step, N s; hold broken: its force, N; else 0 */
} tr_stage_event;

tr_status tr_stage_create(const tr_world_def *def, tr_stage **out) TR_NODISCARD;
void tr_stage_destroy(tr_stage *stage); /* NULL is fine */

/* Do steered characters look ahead: stop before walls and edges, and pass each other (ahead.h)? A new
 * stage does not. */
void tr_stage_set_look_ahead(tr_stage *stage, bool look_ahead);
bool tr_stage_looks_ahead(const tr_stage *stage);

/* For objects, scenery, pins, pushes and queries. The pointer lives as long as the stage. Step it,
 * and spawn and despawn characters, through the stage. */
tr_world *tr_stage_world(tr_stage *stage);
const tr_world *tr_stage_world_const(const tr_stage *stage);

typedef struct tr_spawn_def {
    const tr_model *model;
    const tr_controller *controller; /* NULL: servos hold the rest pose */
    tr_vec3 pos; /* of the root on the ground plane; z is added to the spawn height */
    double heading_rad;
    int entry; /* to start with; its start state is used when not 0 */
} tr_spawn_def;

/* The controller's rig is spawned with the character, and despawned with it. TR_RESOURCE_EXHAUSTED
 * past TR_CHARACTER_MAX or the world's objects and pins; TR_OUT_OF_RANGE: no such entry;
 * TR_INVALID_ARGUMENT: a place that is not finite; and as tr_stage_set_controller. */
tr_status tr_stage_spawn(tr_stage *stage, const tr_spawn_def *def,
                         tr_entity_id *out_id) TR_NODISCARD;
tr_status tr_stage_despawn(tr_stage *stage, tr_entity_id id) TR_NODISCARD;

/* The character to whose rig an object belongs; 0: none. Such objects leave with their character;
 * do not remove them alone. */
tr_entity_id tr_stage_rig_owner(const tr_stage *stage, tr_entity_id object);

/* Puts the rig where it is at spawn, relative to the present place of the character, with pins that
 * broke made again. Does nothing
 * if `controller` is NULL or has no rig. TR_FAILED_PRECONDITION: the rig is not the
 * controller's. */
tr_status tr_stage_put_rig(tr_stage *stage, tr_entity_id id,
                           const tr_controller *controller) TR_NODISCARD;

/* As soon as no entry is in progress, `controller` drives the character. It enters at its entry
 * nearest to the state, with parameters at their initial values. NULL: from now on nothing drives
 * it, and the servos hold the last targets. TR_FAILED_PRECONDITION: learned on another model or at
 * another step than the world's, or with a rig that the character was not spawned with;
 * TR_INVALID_ARGUMENT: malformed (tr_controller_check explains). */
tr_status tr_stage_set_controller(tr_stage *stage, tr_entity_id id,
                                  const tr_controller *controller) TR_NODISCARD;

/* Switches the servos off (limp) or on; while limp the runner pauses, and a requested controller
 * waits. */
tr_status tr_stage_set_limp(tr_stage *stage, tr_entity_id id, bool limp) TR_NODISCARD;

/* A character's runner, and its condition. */
typedef struct tr_performer {
    tr_runner runner;
    const tr_controller *next; /* requested, not yet begun */
    int up_steps;              /* since it last was down, while `fallen` */
    bool fallen, limp;
    bool faulted; /* reported as TR_STAGE_FAULT; cleared when a controller is set */
    tr_intent_state intent;
} tr_performer;

/* NULL: no such character. Lives until the next call that changes the stage. */
const tr_performer *tr_stage_performer(const tr_stage *stage, tr_entity_id id);

/* Sets a parameter of what drives the character (tr_runner_set_parameter, with its statuses). */
tr_status tr_stage_set_parameter(tr_stage *stage, tr_entity_id id, const char *name,
                                 const double *values, int count, tr_error *error) TR_NODISCARD;

/* Its controller continues at this entry as soon as nothing is in progress, once; one that has
 * ended begins there in the next step. mirrored: in the mirrored half. tr_stage_set_controller
 * takes it back. TR_FAILED_PRECONDITION: no controller runs, or it has no mirrored half;
 * TR_OUT_OF_RANGE: it has no such entry. */
tr_status tr_stage_set_entry(tr_stage *stage, tr_entity_id id, int entry,
                             bool mirrored) TR_NODISCARD;

/* Sets what a player wants of the character; it holds until the next call, also when the controller
 * changes. An intent of zeros: stop, and stand. TR_INVALID_ARGUMENT: tr_intent_is_valid refuses it, or
 * the character aims at itself; TR_FAILED_PRECONDITION: the character has no controller, or one that
 * cannot turn, change its speed or perform the skill as asked, or the ground is too steep for the skill;
 * the message says what it can. The skill is a name or a tag (tr_driver_find_skill). */
tr_status tr_stage_steer(tr_stage *stage, tr_entity_id id, const tr_intent *intent,
                         tr_error *error) TR_NODISCARD;

/* Sets the steering target itself, which the driver follows from its next decision on; no intent
 * stands above it. A target of zeros asks for nothing. Statuses as tr_stage_steer. */
tr_status tr_stage_set_target(tr_stage *stage, tr_entity_id id,
                              const tr_steering_target *target) TR_NODISCARD;

/* Runners, then one world step, then events. What breaks in one entity stays there: it is reported
 * as TR_STAGE_FAULT, the others continue, and the step is TR_OK. */
tr_status tr_stage_step(tr_stage *stage) TR_NODISCARD;

/* Events of the last step: those of controllers, arrivals and stops, faults, falls, touches, each kind in order of
 * spawning or of contact. What exceeds TR_STAGE_EVENT_MAX is dropped and counted. */
const tr_stage_event *tr_stage_events(const tr_stage *stage, int *out_count, int *out_dropped);

/* --- snapshots: the world, the performers, touches and faults --- */

size_t tr_stage_snapshot_size(const tr_stage *stage);

/* TR_OUT_OF_RANGE: capacity too small. */
tr_status tr_stage_snapshot(const tr_stage *stage, void *buffer, size_t capacity,
                            size_t *out_size) TR_NODISCARD;

typedef struct tr_stage_library {
    const tr_model *const *models; /* identified by their hash */
    int model_count;
    const tr_controller *const *controllers; /* identified by tr_controller_hash */
    int controller_count;
} tr_stage_library;

/* Restores the stage to the bit; events are cleared. Models and controllers are taken from the
 * library (may be NULL) and from the stage. TR_UNIMPLEMENTED: a snapshot of another version;
 * TR_INVALID_ARGUMENT: an incomplete snapshot, or one that contradicts itself; TR_NOT_FOUND: a
 * model or a controller is missing. On failure the stage does not change. A snapshot is versioned
 * and checksummed; a hostile one is an error, never a crash. */
tr_status tr_stage_restore(tr_stage *stage, const void *buffer, size_t size,
                           const tr_stage_library *library) TR_NODISCARD;

/* Hash of all that a snapshot holds: equal hashes mean equal bits. */
uint64_t tr_stage_hash(const tr_stage *stage);

/* The same with tr_world_state_hash. */
uint64_t tr_stage_state_hash(const tr_stage *stage);
