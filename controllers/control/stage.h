/* A stage: a world with its performers. It owns a physics world and one runner per character,
 * applies what is asked of them, and tells what happened. trouped holds one per world; learners and
 * matches use it headless.
 *
 * Threading as tr_world: one thread at a time. Deterministic: the same calls in the same order
 * between the same steps give the same bits. Models and controllers are borrowed and must outlive
 * the stage. */
#ifndef TROUPE_CONTROL_STAGE_H
#define TROUPE_CONTROL_STAGE_H

#include "control/controller.h"
#include "control/runner.h"
#include "physics/world.h"

typedef struct tr_stage tr_stage;

enum { TR_STAGE_EVENT_MAX = 256 };

typedef enum tr_stage_event_kind {
    TR_STAGE_FELL,             /* the character fell (falls.h) */
    TR_STAGE_ROSE,             /* ... and is up again */
    TR_STAGE_CONTROLLER_ENDED, /* a chain that is not cyclic came to its end */
    TR_STAGE_CONTROLLER_BEGAN, /* a controller asked for took over */
    TR_STAGE_TOUCHED, /* two entities, neither the ground, came into contact (once until they part)
                       */
    TR_STAGE_FAULT    /* an entity became non-finite and was frozen */
} tr_stage_event_kind;

typedef struct tr_stage_event {
    tr_stage_event_kind kind;
    int64_t tick;
    tr_entity_id entity, other; /* other: 0 unless touched */
    int body, other_body;
    double magnitude; /* touched: impulse, N s; else 0 */
} tr_stage_event;

tr_status tr_stage_create(const tr_world_def *def, tr_stage **out) TR_NODISCARD;
void tr_stage_destroy(tr_stage *stage);
tr_world *tr_stage_world(tr_stage *stage); /* for objects, scenery, pins, pushes and queries */
const tr_world *tr_stage_world_const(const tr_stage *stage);

typedef struct tr_spawn_def {
    const tr_model *model;
    const tr_controller *controller; /* NULL: stands in its rest pose held by servos */
    tr_vec3 pos; /* of the root on the ground plane; z is added to the spawn height */
    double heading_rad;
    int fragment; /* to start with; its reference start state is used when not 0 */
} tr_spawn_def;

tr_status tr_stage_spawn(tr_stage *stage, const tr_spawn_def *def,
                         tr_entity_id *out_id) TR_NODISCARD;
tr_status tr_stage_despawn(tr_stage *stage, tr_entity_id id) TR_NODISCARD;

/* From the end of the fragment in progress on, `controller` drives the character, entering at its
 * fragment nearest to the state. NULL: at once none does, and the servos hold the last targets. */
tr_status tr_stage_set_controller(tr_stage *stage, tr_entity_id id,
                                  const tr_controller *controller) TR_NODISCARD;

/* Servos off (limp) or back on; the runner pauses while limp. */
tr_status tr_stage_set_limp(tr_stage *stage, tr_entity_id id, bool limp) TR_NODISCARD;

/* What drives a character, and whether it is down; NULL: no such character. */
typedef struct tr_performer {
    tr_runner runner;
    const tr_controller *next; /* asked for, not yet begun */
    bool fallen, limp;
} tr_performer;
const tr_performer *tr_stage_performer(const tr_stage *stage, tr_entity_id id);

/* Offsets added to each policy action, [controller's action size], rad; see tr_runner.offset. */
tr_status tr_stage_set_offset(tr_stage *stage, tr_entity_id id, const double *offset,
                              int size) TR_NODISCARD;

/* Runners, then one world step, then events. TR_DATA_LOSS as tr_world_step: contained, the stage
 * goes on. */
tr_status tr_stage_step(tr_stage *stage) TR_NODISCARD;

/* Events of the last step; what exceeds TR_STAGE_EVENT_MAX is dropped and counted. */
const tr_stage_event *tr_stage_events(const tr_stage *stage, int *out_count, int *out_dropped);

/* World, runners and all. Models and controllers are found by hash in the given lists on restore.
 */
size_t tr_stage_snapshot_size(const tr_stage *stage);
tr_status tr_stage_snapshot(const tr_stage *stage, void *buffer, size_t capacity,
                            size_t *out_size) TR_NODISCARD;
typedef struct tr_stage_library {
    const tr_model *const *models;
    int model_count;
    const tr_controller *const *controllers; /* identified by tr_controller_hash */
    int controller_count;
} tr_stage_library;
tr_status tr_stage_restore(tr_stage *stage, const void *buffer, size_t size,
                           const tr_stage_library *library) TR_NODISCARD;
uint64_t tr_stage_hash(const tr_stage *stage);

#endif
