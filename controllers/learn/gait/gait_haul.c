#include "learn/gait/gait_haul.h"

#include <math.h>
#include <stdio.h>

static const double DEPTH_M = 1.0, HEIGHT_M = 1.5, FOOT_M = 0.1, MARGIN_M = 0.6;
static const double GRIP = 0.6;                         /* friction of hands on its face */
static const double DAMPING = 0.8, TURNING_DAMPING = 5; /* 1/s */
static const double SPACING_M = 0.9;                    /* of the walkers */
static const double LOOK_M = 1;                         /* ahead, in its lane: each heads there */
/* Lanes move to the side that lags by so much for each rad that the box will have turned. */
static const double ASIDE_M = 8, LEAD_S = 0.3;
static const double APART_M = 0.35; /* half a step: each starts up to this nearer or farther */

typedef struct haul {
    const tr_gait_haul_def *def;
    tr_world *world;
    tr_entity_id box;
    tr_gait_walker walker[TR_GAIT_HAUL_WALKERS_MAX];
    int64_t step;
} haul;

tr_gait_haul_def tr_gait_haul_default(void) {
    return (tr_gait_haul_def){.walkers = 4,
                              .gap_m = 1.2,
                              .mass_kg = 400,
                              .duration_s = 60,
                              .noise = tr_gait_noise_default()};
}

/* Adds the box: a slab on the ground, below the body that the hands push. */
static tr_status add_box(haul *h) {
    const tr_gait_haul_def *def = h->def;
    double half_width = 0.5 * SPACING_M * (def->walkers - 1) + MARGIN_M;
    double body_m = HEIGHT_M - FOOT_M;
    tr_object_def box = {.geom_count = 2,
                         .mass = def->mass_kg,
                         .linear_damping = DAMPING,
                         .angular_damping = TURNING_DAMPING};
    snprintf(box.name, sizeof box.name, "box");
    box.geom[0] = (tr_geom){.kind = TR_GEOM_BOX,
                            .size = {DEPTH_M / 2, half_width, FOOT_M / 2},
                            .pos = {0, 0, (FOOT_M - HEIGHT_M) / 2},
                            .rot = tr_quat_identity()};
    box.geom[1] = (tr_geom){.kind = TR_GEOM_BOX,
                            .size = {DEPTH_M / 2, half_width, body_m / 2},
                            .pos = {0, 0, FOOT_M / 2},
                            .rot = tr_quat_identity(),
                            .friction = GRIP};
    const tr_object_state at = {.pos = {def->gap_m + DEPTH_M / 2, 0, HEIGHT_M / 2},
                                .rot = tr_quat_identity()};
    return tr_world_add_object(h->world, &box, &at, &h->box);
}

static double lane_of(const haul *h, int walker) {
    return (walker - 0.5 * (h->def->walkers - 1)) * SPACING_M;
}

static tr_status add_walkers(haul *h, const tr_gait *gait, const tr_model *model) {
    const tr_gait_haul_def *def = h->def;
    tr_status status = TR_OK;
    for (int i = 0; i < def->walkers && !status; i++) {
        uint64_t seed = tr_random_split(def->seed, 7, (uint64_t)i).state;
        tr_entity_id id;
        tr_state start = tr_gait_walker_start(model, &def->noise, seed);
        /* Steps that meet the box in turn are irregular forces (section 4). */
        tr_random gap = tr_random_split(def->seed, 8, (uint64_t)i);
        start.pose.root_pos.x += APART_M * (2 * tr_random_uniform(&gap) - 1);
        start.pose.root_pos.y += lane_of(h, i);
        status = tr_world_add_character(h->world, model, &start, &id);
        if (!status)
            h->walker[i] = tr_gait_walker_make(gait, h->world, id, &def->noise, seed);
    }
    return status;
}

/* Returns the turn towards x, within the walker's lane of the box. Where the box has turned, all
 * move over to the side that lags, which turns it back. */
static double turn_of(const haul *h, int walker) {
    const tr_gait_walker *w = &h->walker[walker];
    const tr_body_state *bodies = tr_world_bodies(h->world, w->character);
    tr_object_state box;
    double heading_rad = 0;
    if (!tr_world_get_object(h->world, h->box, &box)) {
        double yaw_rad = tr_quat_heading(box.rot) + LEAD_S * box.omega.z;
        double lane_m = box.pos.y + lane_of(h, walker) + ASIDE_M * yaw_rad;
        double off_m = tr_body_origin(w->model, 0, &bodies[0]).y - lane_m;
        /* The walker heads for the point of its lane that is LOOK_M ahead. */
        heading_rad = -tr_atan2(off_m, LOOK_M);
    }
    return tr_angle_wrap(heading_rad - tr_quat_heading(bodies[0].rot));
}

static bool has_fallen(const haul *h) {
    for (int i = 0; i < h->def->walkers; i++)
        if (tr_gait_walker_has_fallen(&h->walker[i]))
            return true;
    return false;
}

static void measure(const haul *h, double time_s, tr_gait_haul_outcome *out) {
    tr_object_state box;
    if (tr_world_get_object(h->world, h->box, &box))
        return;
    out->survived_s = time_s;
    out->way_m = box.pos.x - h->def->gap_m - DEPTH_M / 2;
    out->yaw_rad = fmax(out->yaw_rad, fabs(tr_quat_heading(box.rot)));
}

tr_status tr_gait_haul(const tr_gait *gait, const tr_model *model, const tr_gait_haul_def *def,
                       tr_gait_haul_outcome *out) {
    if (def->walkers < 1 || def->walkers > TR_GAIT_HAUL_WALKERS_MAX)
        return TR_INVALID_ARGUMENT;
    haul h = {.def = def};
    tr_world_def world = tr_world_def_default();
    tr_status status = tr_world_create(&world, &h.world);
    if (!status)
        status = add_box(&h);
    if (!status)
        status = add_walkers(&h, gait, model);
    tr_gait_haul_outcome outcome = {0};
    double step_s = h.world ? tr_world_definition(h.world)->step_s : 1;
    int64_t steps = llround(def->duration_s / step_s);
    while (!status && !outcome.fell && h.step < steps) {
        tr_gait_sight wanted[TR_GAIT_HAUL_WALKERS_MAX];
        for (int i = 0; i < h.def->walkers; i++)
            wanted[i] =
                (tr_gait_sight){.has_target = true, .turn_rad = turn_of(&h, i), .stiffness = 1};
        h.step++;
        status = tr_gait_walkers_step(h.walker, wanted, h.def->walkers);
        outcome.fell = status || has_fallen(&h);
        measure(&h, (double)h.step * step_s, &outcome);
    }
    tr_world_destroy(h.world);
    /* A world that broke counts as a fall. */
    if (status && status != TR_DATA_LOSS)
        return status;
    *out = outcome;
    return TR_OK;
}
