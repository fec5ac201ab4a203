/* A world of a client's own: the simulation that trouped runs, in the client's process, with the same bits.
 *
 * For prediction and rollback (save, step, load, step again), for tools, and for pages that run a
 * world in the browser. Models and controllers come from a bundle (troupe-train bundle export).
 *
 *     tr_simulation *world;
 *     uint32_t ada;
 *     tr_simulation_spawn_def def = {.controller = "hero"};
 *     if (tr_simulation_open("hero.troupe", 0.005, &world, &error) ||
 *         tr_simulation_spawn(world, &def, &ada, &error) ||
 *         tr_simulation_steer(world, ada, &(tr_simulation_intent){.aim = TR_SIMULATION_HEADING}, &error))
 *         return fail(error.message);
 *     for (int tick = 0; tick < 200; tick++)
 *         tr_simulation_step(world, 1);
 *
 * Deterministic: the same calls between the same steps give the same bits on every processor that
 * the library is built for (deploy/cross). Calls of one simulation belong to one thread at a time.
 * Units are SI, z is up, quaternions are (w, x, y, z). Statuses as in status.h; on failure `error`
 * (may be NULL) says what was found and expected, and the world does not change. */
#ifndef TROUPE_SIMULATION_H
#define TROUPE_SIMULATION_H

#include "troupe/request.h"
#include "troupe/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct tr_simulation tr_simulation;

enum {
    TR_SIMULATION_CONTROLLER_MAX = 64, /* models and controllers that were loaded */
    TR_SIMULATION_POSE_SIZE = 7        /* numbers of a body: position, quaternion */
};

/* A world with flat ground. TR_NOT_FOUND, TR_DATA_LOSS: the file is not there, or not a bundle;
 * TR_INVALID_ARGUMENT: step_s is not 0.0005 to 0.02. Close it with tr_simulation_close. */
TR_API tr_status tr_simulation_open(const char *bundle, double step_s, tr_simulation **out,
                                    tr_error *error) TR_NODISCARD;
TR_API void tr_simulation_close(tr_simulation *simulation); /* NULL is allowed */

typedef struct tr_simulation_spawn_def {
    const char *controller; /* its name in the bundle, present or former */
    double x, y, heading_rad;
} tr_simulation_spawn_def;

/* TR_NOT_FOUND: no such controller; TR_FAILED_PRECONDITION: it was learned at another step;
 * TR_RESOURCE_EXHAUSTED: the world is full. */
TR_API tr_status tr_simulation_spawn(tr_simulation *simulation, const tr_simulation_spawn_def *def,
                                     uint32_t *out_entity, tr_error *error) TR_NODISCARD;

/* Loads a controller as spawning it does, for a state of a world that has it; "": the model alone.
 * Statuses as above. */
TR_API tr_status tr_simulation_prepare(tr_simulation *simulation, const char *model,
                                       const char *controller, tr_error *error) TR_NODISCARD;

/* Takes a character or an object out of the world. */
TR_API tr_status tr_simulation_despawn(tr_simulation *simulation, uint32_t entity) TR_NODISCARD;

/* What a player wants; all zero: stop, and stand. */
typedef enum tr_simulation_aim {
    TR_SIMULATION_NOWHERE,
    TR_SIMULATION_HEADING,  /* heading_rad */
    TR_SIMULATION_PLACE,    /* x, y */
    TR_SIMULATION_CHARACTER /* toward: its entity, also while it moves */
} tr_simulation_aim;

typedef struct tr_simulation_intent {
    tr_simulation_aim aim;
    double heading_rad, x, y;
    double speed_mps;  /* 0: fits the skill */
    const char *skill; /* NULL: as now */
    uint32_t toward;
    bool faces; /* it stands there in the heading facing_rad */
    double facing_rad;
    double radius_m; /* how near is there; 0: 0.3 */
} tr_simulation_intent;

/* TR_NOT_FOUND: no such character; TR_FAILED_PRECONDITION: its controller cannot do that. */
TR_API tr_status tr_simulation_steer(tr_simulation *simulation, uint32_t entity,
                                     const tr_simulation_intent *intent,
                                     tr_error *error) TR_NODISCARD;

/* Applies a force to the centre of mass of a body (index; -1: the trunk) for a time from the next step on. */
TR_API tr_status tr_simulation_push(tr_simulation *simulation, uint32_t entity, int body,
                                    const double force[3], double duration_s) TR_NODISCARD;

/* Switches the servos off, or on again. */
TR_API tr_status tr_simulation_set_limp(tr_simulation *simulation, uint32_t entity,
                                        bool limp) TR_NODISCARD;

/* Applies a command of a daemon's world: the bytes of a `Command` (Event.command, PROTOCOL.md, "Inputs
 * instead of states"), before the step of its tick. out_entity: what it spawned, or 0.
 * TR_UNIMPLEMENTED: one that changes no simulation; else as the daemon answers. */
TR_API tr_status tr_simulation_apply(tr_simulation *simulation, const void *command, size_t size,
                                     uint32_t *out_entity, tr_error *error) TR_NODISCARD;

TR_API tr_status tr_simulation_step(tr_simulation *simulation, int ticks) TR_NODISCARD;
TR_API int64_t tr_simulation_tick(const tr_simulation *simulation);

/* --- what is there --- */

/* Characters in the order of spawning, at most `capacity`; returns how many there are. An object has one body. */
TR_API int tr_simulation_entities(const tr_simulation *simulation, uint32_t *out, int capacity);
TR_API int tr_simulation_body_count(const tr_simulation *simulation,
                                    uint32_t entity); /* 0: no such one */

/* out: [body_count][TR_SIMULATION_POSE_SIZE], the origins of the bodies' frames in the world. */
TR_API tr_status tr_simulation_poses(const tr_simulation *simulation, uint32_t entity,
                                     double *out) TR_NODISCARD;

/* The character's body as MJCF, for drawing; lives as long as the simulation. NULL: no such one. */
TR_API const char *tr_simulation_model(const tr_simulation *simulation, uint32_t entity);

/* What a character is doing.
 *   phase:    of the fragment in progress, from 0 to 1
 *   doing:    as the viewer shows it; lives until the next call. "": nothing
 *   fragment: in progress, counted from 0 through its controller */
typedef struct tr_simulation_condition {
    double phase;
    const char *doing;
    int fragment;
    bool fallen, limp, frozen, ended;
} tr_simulation_condition;

/* TR_NOT_FOUND: no such character. */
TR_API tr_status tr_simulation_look(tr_simulation *simulation, uint32_t entity,
                                    tr_simulation_condition *out) TR_NODISCARD;

/* --- rollback: a state is all of the future --- */

TR_API uint64_t tr_simulation_hash(const tr_simulation *simulation); /* equal hashes: equal bits */
/* Of the present state; another may need more. */
TR_API size_t tr_simulation_saved_size(const tr_simulation *simulation);
/* TR_OUT_OF_RANGE: capacity is too small. */
TR_API tr_status tr_simulation_save(const tr_simulation *simulation, void *out, size_t capacity,
                                    size_t *out_size) TR_NODISCARD;
/* Also what a daemon sends with STATE_FIELD_SNAPSHOT (PROTOCOL.md, "Inputs instead of states").
 * TR_INVALID_ARGUMENT: not a state of a world with these characters' controllers, or damaged. */
TR_API tr_status tr_simulation_load(tr_simulation *simulation, const void *saved, size_t size,
                                    tr_error *error) TR_NODISCARD;

#if defined(__cplusplus)
}
#endif

#endif
