#include "learn/rehearsal/trial_ground.h"

#include "physics/terrain/terrain.h"

#include <string.h>

static const double CELL_M = 0.4; /* between the samples of height fields */
static const double WIDE_M = 200, WIDE_CELL_M = 1;
static const double HILL_M = 1;
static const double BUMP_M = 0.1, ICE_M = 2;
static const double RAISED_M = 20;

const tr_trial_ground_row tr_trial_ground_rows[TR_TRIAL_GROUND_KINDS] = {
    [TR_TRIAL_GROUND_PLATFORM] = {"platform", "m", 0, 0},
    [TR_TRIAL_GROUND_UP] = {"slope up", "deg", 1, 15},
    [TR_TRIAL_GROUND_DOWN] = {"slope down", "deg", 1, 15},
    [TR_TRIAL_GROUND_ACROSS] = {"slope across", "deg", 1, 15},
    [TR_TRIAL_GROUND_KERB_UP] = {"kerb up", "m", 0.01, 0.2},
    [TR_TRIAL_GROUND_KERB_DOWN] = {"kerb down", "m", 0.01, 0.2},
    [TR_TRIAL_GROUND_UNEVEN] = {"uneven", "m", 0.01, 0.2},
    [TR_TRIAL_GROUND_HILLS] = {"hills", "deg", 0, 0},
    [TR_TRIAL_GROUND_BUMP] = {"bump", "m", 0, 0},
    [TR_TRIAL_GROUND_ICE] = {"ice", "", 0, 0}};

tr_trial_ground_kind tr_trial_ground_find(const char *name, size_t length) {
    int kind = 0;
    while (kind < TR_TRIAL_GROUND_KINDS &&
           (strlen(tr_trial_ground_rows[kind].name) != length ||
            strncmp(tr_trial_ground_rows[kind].name, name, length) != 0))
        kind++;
    return (tr_trial_ground_kind)kind;
}

double tr_trial_ground_height(const tr_trial_ground *ground) {
    return ground->level_m + (ground->kind == TR_TRIAL_GROUND_PLATFORM ? ground->amount : 0);
}

/* Lays a plane: a box, 2 m thick, the centre of its top at x = `at` and `above` the level; turned
 * about the origin. */
static tr_status lay_box(const tr_trial_ground *ground, tr_world *world, double at, double above,
                         tr_quat rot) {
    tr_vec3 half = {ground->side_m, ground->side_m, 1};
    tr_scenery_def box = {.kind = TR_SCENERY_BOX,
                          .size = half,
                          .pos = tr_quat_rotate(rot, (tr_vec3){at, 0, above - half.z}),
                          .rot = rot,
                          .friction = 1};
    box.pos.z += ground->level_m;
    return tr_world_add_scenery(world, &box, NULL);
}

/* Returns how a slope is turned about the origin: about -y it rises along x, about x along y. */
static tr_quat turn_of(const tr_trial_ground *ground) {
    static const tr_vec3 rises = {0, -1, 0}, across = {1, 0, 0};
    double degrees = ground->kind == TR_TRIAL_GROUND_DOWN ? -ground->amount : ground->amount;
    return tr_quat_from_axis_angle(ground->kind == TR_TRIAL_GROUND_ACROSS ? across : rises,
                                   degrees * TR_PI / 180);
}

tr_state tr_trial_slope_tilt(const tr_trial_ground *slope, const tr_state *state) {
    return tr_state_turn(state, turn_of(slope), (tr_vec3){0, 0, 0});
}

/* Lays the lower level everywhere, the higher one from the kerb on, forwards or backwards. */
static tr_status lay_kerb(const tr_trial_ground *ground, tr_world *world, bool up) {
    /* Two boxes: the higher one ends or begins at the kerb and hides the lower one there. */
    double at = ground->kerb_m + (up ? ground->side_m : -ground->side_m);
    tr_status status =
        lay_box(ground, world, ground->kerb_m, up ? 0 : -ground->amount, tr_quat_identity());
    return status ? status
                  : lay_box(ground, world, at, up ? ground->amount : 0, tr_quat_identity());
}

static tr_status lay_bump(const tr_trial_ground *ground, tr_world *world) {
    /* Half of the beam is below the ground: `amount` of it shows. */
    tr_scenery_def beam = {.kind = TR_SCENERY_BOX,
                           .size = {BUMP_M / 2, ground->side_m, ground->amount},
                           .pos = {ground->kerb_m + BUMP_M / 2, 0, ground->level_m},
                           .rot = tr_quat_identity(),
                           .friction = 1};
    tr_status status = lay_box(ground, world, 0, 0, tr_quat_identity());
    return status ? status : tr_world_add_scenery(world, &beam, NULL);
}

static tr_status lay_ice(const tr_trial_ground *ground, tr_world *world) {
    tr_scenery_def ice = {.kind = TR_SCENERY_BOX,
                          .size = {ICE_M / 2, ground->side_m, 1},
                          .pos = {ground->kerb_m + ICE_M / 2, 0, ground->level_m - 1},
                          .rot = tr_quat_identity(),
                          .friction = ground->amount};
    /* The ice is level with the ground, so that the ground must leave a gap for it. */
    double before = ground->kerb_m - ground->side_m,
           after = ground->kerb_m + ICE_M + ground->side_m;
    tr_status status = lay_box(ground, world, before, 0, tr_quat_identity());
    if (!status)
        status = lay_box(ground, world, after, 0, tr_quat_identity());
    return status ? status : tr_world_add_scenery(world, &ice, NULL);
}

static tr_status lay_field(const tr_trial_ground *ground, tr_world *world) {
    bool hills = ground->kind == TR_TRIAL_GROUND_HILLS;
    tr_terrain_def def = tr_terrain_def_default(hills ? TR_TERRAIN_HILLS : TR_TERRAIN_RUBBLE);
    tr_surface *surface = NULL;
    def.seed = ground->seed;
    def.size_m = ground->side_m;
    /* Hills are smooth: wide ones need no fine samples. */
    def.cell_m = hills && ground->side_m > WIDE_M ? WIDE_CELL_M : CELL_M;
    def.slope_rad = hills ? ground->amount * TR_PI / 180 : 0;
    def.height_m = hills ? HILL_M : ground->amount;
    tr_status status = tr_terrain_create(&def, &surface);
    if (status)
        return status;
    tr_scenery_def field = {.kind = TR_SCENERY_SURFACE,
                            .pos = {0, 0, ground->level_m},
                            .rot = tr_quat_identity(),
                            .friction = 1,
                            .surface = surface};
    status = tr_world_add_scenery(world, &field, NULL);
    tr_surface_release(surface);
    return status;
}

tr_status tr_trial_ground_lay(const tr_trial_ground *ground, tr_world *world) {
    switch (ground->kind) {
    case TR_TRIAL_GROUND_PLATFORM:
        return lay_box(ground, world, 0, ground->amount, tr_quat_identity());
    case TR_TRIAL_GROUND_UP:
    case TR_TRIAL_GROUND_DOWN:
    case TR_TRIAL_GROUND_ACROSS:
        return lay_box(ground, world, 0, 0, turn_of(ground));
    case TR_TRIAL_GROUND_KERB_UP:
    case TR_TRIAL_GROUND_KERB_DOWN:
        return lay_kerb(ground, world, ground->kind == TR_TRIAL_GROUND_KERB_UP);
    case TR_TRIAL_GROUND_BUMP:
        return lay_bump(ground, world);
    case TR_TRIAL_GROUND_ICE:
        return lay_ice(ground, world);
    default:
        return lay_field(ground, world);
    }
}

void tr_trial_ground_lift(tr_world *world) {
    uint32_t id;
    while (tr_world_scenery(world, &id, 1) > 0 && !tr_world_remove_scenery(world, id))
        continue;
}

tr_status tr_trial_ground_raise(const tr_trial_ground *ground, tr_world *world, tr_state *start) {
    tr_trial_ground raised = *ground;
    raised.level_m = RAISED_M;
    tr_trial_ground_lift(world);
    if (ground->amount == 0)
        return TR_OK;
    start->pose.root_pos.z += raised.level_m;
    return tr_trial_ground_lay(&raised, world);
}

tr_status tr_trial_hills_lay(double most_deg, double side_m, uint64_t seed, tr_world *world,
                             tr_state *start) {
    const tr_trial_ground hills = {
        .kind = TR_TRIAL_GROUND_HILLS, .amount = most_deg, .side_m = side_m, .seed = seed};
    return tr_trial_ground_raise(&hills, world, start);
}
