#include "control/recovery/recovery.h"

#include "control/parts/above_ground.h"
#include "control/parts/driver_holder.h"
#include "control/parts/falling.h"
#include "control/parts/falls.h"
#include "math/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A character is falling when its root is this far off the reference, or its feedback is this
 * large. */
static const double LOST_HEIGHT_M = 0.3;
static const double LOST_LEAN_RAD = 1.0;
static const double LOST_ACTION_RAD = 6;

/* Servos get targets at most this far off their joints, which bounds torque and speed alike. */
static const double LIMP_RAD = 0.2;
static const double GATHER_RAD = 0.8;

/* A character lies spread when it is this slow, and this near the spread pose: all joints on
 * average, and each. Chosen with the durations below on 150 falls of `hero`, for getting up soon. */
static const double SPREAD_MPS = 1;
static const double SPREAD_RAD_S = 3;
static const double SPREAD_MEAN_RAD = 0.2;
static const double SPREAD_MOST_RAD = 1;

static const double GATHERED_LEAN_RAD = 0.5;

/* When a joint is further off while it gathers, a limb is caught. */
static const double CAUGHT_RAD = 0.6;

/* An arm further off lies under the body, where its shoulder may be too weak to pull it out. */
static const double UNDER_RAD = 1.2;

/* A character that leans further off the nearest start than this lies on the other side, and turns
 * over, until it leans less than that: then it is past its side. */
static const double OTHER_SIDE_RAD = 2;
static const double OVER_RAD = 1.3;

/* A falling character slower than this has landed. */
static const double LANDED_MPS = 0.8;

/* Poses of turning and freeing are mirrored in turn, each for this number of steps, which divides
 * no other period. */
enum { SIDE_TICKS = 37 };

/* Durations of the phases, s (recovery.h). */
static const double FALL_LEAST_S = 0.3;
static const double FALL_MOST_S = 1.2;
static const double LIMP_S = 0.2;
static const double GATHER_LEAST_S = 0.2;
static const double GATHER_MOST_S = 1;
static const double TURN_MOST_S = 1;

/* Caught legs and arms are freed between these times of gathering. */
static const double FREE_FROM_S = 0.3;
static const double FREE_TO_S = 0.6;

/* The gain set of LIMP: the model's first. */
enum { LIMP_GAIN_SET = 0 };

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_recovery_state, phase, TR_RECOVERY_NONE, TR_RECOVERY_FALL),
    TR_STATE_INT_FIELD(tr_recovery_state, rising, 0, TR_DRIVER_SKILL_MAX - 1),
    TR_STATE_INT_FIELD(tr_recovery_state, steps, 0, 1 << 30),
};

/* --- lying --- */

/* --- turning over ---
 *
 * Poses that bring a lying character onto its front. Servos pull a character that lies on its back,
 * arms and legs spread, or on a side, into the first pose: a leg and an arm swing across, the other
 * arm makes way, and it rolls over. The second pose unhooks crossed legs. Both were found by random
 * search over poses of the humanoid. */

typedef struct bend {
    const char *body;
    tr_vec3 turn; /* rotation vector in front of the spread pose, rad */
} bend;

static const bend over[] = {
    {"ltorso", {0.1, 0.1, 0.3}}, {"utorso", {0.0, -0.3, 0.3}}, {"luarm", {1.1, 0.3, 2.5}},
    {"ruarm", {1.9, 1.7, -0.2}}, {"lthigh", {-2.5, 1.0, 0.6}}, {"rthigh", {-0.5, -0.4, -0.1}},
    {"lshank", {0.0, 0.9, 0.0}},
};

/* Legs apart, knees bent and toes pointed: so the feet unhook. */
static const bend free_legs[] = {
    {"lthigh", {0.89, 0.33, 0.62}}, {"rthigh", {-0.71, -0.19, -0.08}}, {"lshank", {0, 2.15, 0}},
    {"rshank", {0, 1.57, 0}},       {"lfoot", {0, 1.09, 0}},           {"rfoot", {0, 0.87, 0}},
};

/* out: [body_count] joint rotations; joints whose name the model does not have stay as in `spread`,
 * the pose to be reached on the front. */
static void bend_all(const tr_model *model, const bend *bends, size_t count, const tr_quat *spread,
                     tr_quat *out) {
    memcpy(out, spread, (size_t)model->body_count * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        int body = tr_model_find_body(model, bends[i].body);
        if (body > 0)
            out[body] = tr_quat_mul(tr_quat_exp(bends[i].turn), spread[body]);
    }
}

static void turning_pose(const tr_model *model, const tr_quat *spread, tr_quat *out) {
    bend_all(model, over, sizeof over / sizeof *over, spread, out);
}

static void freeing_pose(const tr_model *model, const tr_quat *spread, tr_quat *out) {
    bend_all(model, free_legs, sizeof free_legs / sizeof *free_legs, spread, out);
}

/* --- where it lies --- */

static tr_vec3 up_in_root(const tr_state *state) {
    return tr_quat_rotate_inverse(state->pose.root_rot, (tr_vec3){0, 0, 1});
}

double tr_recovery_lean(const tr_state *state, const tr_state *other) {
    tr_vec3 a = up_in_root(state), b = up_in_root(other);
    return tr_atan2(tr_vec3_length(tr_vec3_cross(a, b)), tr_vec3_dot(a, b));
}

static tr_driver_entry rising_entry(const tr_recovery *recovery, int rising) {
    tr_driver_entry entry;
    recovery->inner.kind->entry(recovery->inner.content, recovery->rising[rising], &entry);
    return entry;
}

int tr_recovery_choose(const tr_recovery *recovery, const tr_state *state) {
    int best = 0;
    double least = INFINITY;
    for (int r = 0; r < recovery->rising_count; r++) {
        double lean = tr_recovery_lean(state, rising_entry(recovery, r).start);
        if (lean < least) {
            least = lean;
            best = r;
        }
    }
    return best;
}

static double joints_off(const tr_model *model, const tr_state *a, const tr_state *b) {
    double sum = 0;
    for (int i = 1; i < model->body_count; i++)
        sum += tr_quat_angle(a->pose.joint[i], b->pose.joint[i]);
    return sum / (model->body_count - 1);
}

/* Returns the body whose joint is furthest off; out_rad: how far. */
static int furthest_off(const tr_model *model, const tr_state *a, const tr_state *b,
                        double *out_rad) {
    int furthest = 0;
    *out_rad = 0;
    for (int i = 1; i < model->body_count; i++) {
        double off = tr_quat_angle(a->pose.joint[i], b->pose.joint[i]);
        if (off > *out_rad) {
            *out_rad = off;
            furthest = i;
        }
    }
    return furthest;
}

static bool lies_spread(const tr_model *model, const tr_state *state, const tr_state *start) {
    double most_rad;
    (void)furthest_off(model, state, start, &most_rad);
    return tr_vec3_length(state->root_vel) < SPREAD_MPS &&
           tr_vec3_length(state->root_omega) < SPREAD_RAD_S &&
           joints_off(model, state, start) < SPREAD_MEAN_RAD && most_rad < SPREAD_MOST_RAD;
}

bool tr_recovery_is_gathered(const tr_model *model, const tr_state *state, const tr_state *start) {
    return lies_spread(model, state, start) && tr_recovery_lean(state, start) < GATHERED_LEAN_RAD;
}

/* Does it lie spread, but on the other side, so that it has to turn over? */
static bool lies_over(const tr_model *model, const tr_state *state, const tr_state *start) {
    return lies_spread(model, state, start) && tr_recovery_lean(state, start) > OTHER_SIDE_RAD;
}

/* --- pulling --- */

static tr_quat towards(tr_quat from, tr_quat to, double most_rad) {
    double angle = tr_quat_angle(from, to);
    return angle <= most_rad ? to : tr_quat_slerp(from, to, most_rad / angle);
}

static void pull(const tr_model *model, const tr_state *state, const tr_quat *joint,
                 double most_rad, tr_quat *out_target) {
    out_target[0] = tr_quat_identity();
    for (int b = 1; b < model->body_count; b++)
        out_target[b] = towards(state->pose.joint[b], joint[b], most_rad);
}

/* --- phases --- */

/* A recovery at work on one step. */
typedef struct work {
    const tr_recovery *recovery;
    tr_recovery_state *state;
    void *inner_state;
    const tr_sight *sight;
    tr_drive *out;
} work;

/* Returns where the inner driver's state begins in that of the recovery. */
static size_t inner_offset(void) {
    return tr_driver_held_offset((tr_driver){&tr_recovery_kind, NULL}, 0);
}

static void set_phase(work *w, tr_recovery_phase phase, int rising) {
    *w->state = (tr_recovery_state){.phase = phase, .rising = rising};
}

static void pull_towards(work *w, const tr_quat *joint, int gain_set, double most_rad) {
    w->out->mode = TR_DRIVE_TARGETS;
    w->out->gain_set = gain_set;
    w->out->entry = w->recovery->rising[w->state->rising];
    pull(w->sight->model, w->sight->state, joint, most_rad, w->out->target);
}

/* Is it lost at the end of an entry, before the next one is chosen: is the root far off the height
 * and the lean of the reference? */
static bool has_lost(const tr_doing *doing, const tr_sight *sight) {
    if (!doing->reached)
        return false;
    const tr_state end =
        doing->mirrored ? tr_state_mirror(sight->model, doing->reached) : *doing->reached;
    tr_state state = tr_state_above_ground(sight->state, &sight->ground);
    double height = fabs(state.pose.root_pos.z - end.pose.root_pos.z);
    /* Written so that numbers that are not finite count as lost. */
    return !(height < LOST_HEIGHT_M) || !(tr_recovery_lean(sight->state, &end) < LOST_LEAN_RAD);
}

/* Has a character that has been falling for `falls_s` landed, or fallen for long enough? */
static bool has_landed(const tr_state *state, double falls_s) {
    const bool slow = tr_vec3_length(state->root_vel) < LANDED_MPS;
    return falls_s >= FALL_MOST_S || (falls_s >= FALL_LEAST_S && slow);
}

/* Looks for a fall, and for the end of rising. */
static void watch(work *w) {
    const tr_driver *inner = &w->recovery->inner;
    tr_doing doing;
    inner->kind->look(inner->content, w->inner_state, &doing);
    /* A character that rises touches the ground with its core, and is not down for that. */
    bool rises = w->state->phase == TR_RECOVERY_RISE;
    bool down = !rises && tr_falls_is_down(w->sight->world, w->sight->character, false);
    /* The size of the feedback is the sign of Liu 2015 guided, section 6.2. */
    if (down || has_lost(&doing, w->sight) || doing.feedback_rad > LOST_ACTION_RAD)
        set_phase(w, TR_RECOVERY_FALL, 0);
    else if (rises && doing.skill != rising_entry(w->recovery, w->state->rising).skill)
        set_phase(w, TR_RECOVERY_NONE, 0);
}

static void fall(work *w) {
    double time_s = ++w->state->steps * w->sight->step_s;
    w->out->entry = w->recovery->rising[w->state->rising];
    tr_falling_drive(w->sight->model, w->sight->state, time_s, w->out);
    if (has_landed(w->sight->state, time_s))
        set_phase(w, TR_RECOVERY_LIMP, 0);
}

static void lie(work *w) {
    int rising = tr_recovery_choose(w->recovery, w->sight->state);
    const tr_state *start = rising_entry(w->recovery, rising).start;
    pull_towards(w, start->pose.joint, LIMP_GAIN_SET, LIMP_RAD);
    if (++w->state->steps * w->sight->step_s >= LIMP_S)
        set_phase(w, TR_RECOVERY_GATHER, rising);
}

/* Returns the pose or its mirror image, by the time at which the phase began, because limbs may be caught
 * on one side. */
static tr_pose either_way(const work *w, const tr_pose *pose) {
    return ((w->sight->tick - w->state->steps) / SIDE_TICKS) % 2
               ? tr_pose_mirror(w->sight->model, pose)
               : *pose;
}

/* Returns the body of a caught limb, and how far its joint is off, when it is time to free it; else
 * 0. */
static int caught_body(const work *w, const tr_state *start, double time_s, double *out_rad) {
    int body = furthest_off(w->sight->model, w->sight->state, start, out_rad);
    bool now = time_s >= FREE_FROM_S && time_s < FREE_TO_S;
    return now && *out_rad > CAUGHT_RAD ? body : 0;
}

/* Trunk, neck and head are no arm, although the trunk bears them too. */
static bool is_of_arm(const tr_model *model, int body) {
    for (int b = model->head < 0 ? model->trunk : model->head; b > 0; b = model->body[b].parent)
        if (b == body)
            return false;
    while (body > 0 && body != model->trunk)
        body = model->body[body].parent;
    return body == model->trunk;
}

/* Is a limb on the left, by where it is joined to the trunk? */
static bool is_left(const tr_model *model, int body) {
    while (model->body[body].parent > 0 && model->body[body].parent != model->trunk)
        body = model->body[body].parent;
    return model->body[body].pos.y > 0;
}

/* Pulls the legs apart, or rolls the body off an arm under it, to the other side. */
static tr_pose freeing(const work *w, int caught, double off_rad, const tr_state *start) {
    const tr_model *model = w->sight->model;
    tr_pose out = start->pose;
    if (is_of_arm(model, caught) && off_rad > UNDER_RAD) {
        turning_pose(model, start->pose.joint, out.joint);
        return is_left(model, caught) ? tr_pose_mirror(model, &out) : out;
    }
    freeing_pose(model, start->pose.joint, out.joint);
    return either_way(w, &out);
}

static void begin_rising(work *w) {
    const tr_driver *inner = &w->recovery->inner;
    memset(w->inner_state, 0, tr_driver_state_size(*inner));
    inner->kind->enter(inner->content, w->inner_state, w->recovery->rising[w->state->rising],
                       false);
    set_phase(w, TR_RECOVERY_RISE, w->state->rising);
}

/* A character that rolls over on the way gathers for the other side. */
static void gather(work *w) {
    const tr_model *model = w->sight->model;
    const tr_state *state = w->sight->state;
    int rising = w->state->rising = tr_recovery_choose(w->recovery, state);
    tr_driver_entry entry = rising_entry(w->recovery, rising);
    tr_pose aim = entry.start->pose;
    double time_s = w->state->steps * w->sight->step_s, off_rad;
    if (time_s >= GATHER_LEAST_S && tr_recovery_is_gathered(model, state, entry.start)) {
        begin_rising(w);
        return;
    }
    /* Pull into the pose, or free a limb first. */
    int caught = caught_body(w, entry.start, time_s, &off_rad);
    if (caught)
        aim = freeing(w, caught, off_rad, entry.start);
    pull_towards(w, aim.joint, tr_model_find_gain_set(model, entry.gain_set), GATHER_RAD);
    w->state->steps++;
    /* Gathering ends on the other side, or when it takes too long. */
    if (lies_over(model, state, entry.start))
        set_phase(w, TR_RECOVERY_TURN, rising);
    else if (time_s >= GATHER_MOST_S)
        set_phase(w, TR_RECOVERY_GATHER, rising);
}

static void turn_over(work *w) {
    const tr_model *model = w->sight->model;
    tr_driver_entry entry = rising_entry(w->recovery, w->state->rising);
    tr_pose turning = entry.start->pose;
    turning_pose(model, entry.start->pose.joint, turning.joint);
    turning = either_way(w, &turning);
    pull_towards(w, turning.joint, tr_model_find_gain_set(model, entry.gain_set), GATHER_RAD);
    if (++w->state->steps * w->sight->step_s >= TURN_MOST_S ||
        tr_recovery_lean(w->sight->state, entry.start) < OVER_RAD)
        set_phase(w, TR_RECOVERY_GATHER, w->state->rising);
}

static bool is_lying(tr_recovery_phase phase) {
    return phase == TR_RECOVERY_LIMP || phase == TR_RECOVERY_GATHER || phase == TR_RECOVERY_TURN ||
           phase == TR_RECOVERY_FALL;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    static void (*const lying[])(work * w) = {[TR_RECOVERY_LIMP] = lie,
                                              [TR_RECOVERY_GATHER] = gather,
                                              [TR_RECOVERY_TURN] = turn_over,
                                              [TR_RECOVERY_FALL] = fall};
    const tr_recovery *recovery = content;
    const tr_driver *inner = &recovery->inner;
    tr_recovery_state *now = state;
    work w = {recovery, now, (char *)state + inner_offset(), sight, out};
    /* A fall that is found now is answered in this step. */
    if (!is_lying(now->phase))
        watch(&w);
    if (is_lying(now->phase))
        lying[now->phase](&w);
    if (is_lying(now->phase)) /* gathering may have begun to rise */
        return TR_OK;
    if (now->phase == TR_RECOVERY_RISE)
        now->steps++;
    return inner->kind->drive(inner->content, w.inner_state, sight, out);
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_recovery *recovery = content;
    const tr_recovery_state *s = state;
    /* Phases between LIMP and FALL name a rising entry; in the others it is 0. */
    bool names = s->phase > TR_RECOVERY_LIMP && s->phase < TR_RECOVERY_FALL;
    return s->rising < (names ? recovery->rising_count : 1) &&
           (s->phase != TR_RECOVERY_NONE || s->steps == 0);
}

/* A lying character gets up first. */
static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_recovery *recovery = content;
    const tr_driver *inner = &recovery->inner;
    if (!is_lying(((tr_recovery_state *)state)->phase))
        inner->kind->enter(inner->content, (char *)state + inner_offset(), entry_index, mirrored);
}

static void look(const void *content, const void *state, tr_doing *out) {
    static const char *const text[] = {[TR_RECOVERY_LIMP] = "falling",
                                       [TR_RECOVERY_GATHER] = "gathering to get up",
                                       [TR_RECOVERY_TURN] = "turning over",
                                       [TR_RECOVERY_FALL] = "falling"};
    const tr_recovery *recovery = content;
    const tr_recovery_state *s = state;
    recovery->inner.kind->look(recovery->inner.content, (const char *)state + inner_offset(), out);
    out->down |= s->phase != TR_RECOVERY_NONE;
    if (!is_lying(s->phase))
        return;
    out->between = true;
    out->reached = NULL;
    out->text = text[s->phase];
}

/* Foresees nothing while it lies: how long that takes is not known. */
static bool foresee(const void *content, const void *state, const tr_driver_prospect *prospect,
                    tr_driver_way *out) {
    const tr_driver *inner = &((const tr_recovery *)content)->inner;
    return !is_lying(((const tr_recovery_state *)state)->phase) && inner->kind->foresee &&
           inner->kind->foresee(inner->content, (const char *)state + inner_offset(), prospect,
                                out);
}

/* --- content: the inner driver's --- */

static tr_status check(const void *content, const tr_driver_setting *setting, tr_error *error) {
    const tr_driver *inner = &((const tr_recovery *)content)->inner;
    return inner->kind->check(inner->content, setting, error);
}

/* Returns the hash of the inner driver: recovery adds no learned content. */
static uint64_t hash(const void *content, const tr_driver_setting *setting) {
    const tr_driver *inner = &((const tr_recovery *)content)->inner;
    return inner->kind->hash(inner->content, setting);
}

static void find_rising(tr_recovery *recovery, int entry_count) {
    tr_driver_entry entry;
    for (int i = 0; i < entry_count && recovery->rising_count < TR_DRIVER_SKILL_MAX; i++) {
        recovery->inner.kind->entry(recovery->inner.content, i, &entry);
        if (entry.rises)
            recovery->rising[recovery->rising_count++] = i;
    }
}

static int entry_count(const tr_driver *driver) {
    tr_driver_outline outline;
    driver->kind->outline(driver->content, 1, &outline);
    return outline.entry_count;
}

/* Returns a recovery around the inner driver; NULL: no memory. */
static tr_recovery *create(tr_driver inner) {
    tr_recovery *recovery = calloc(1, sizeof *recovery);
    if (!recovery)
        return NULL;
    recovery->inner = inner;
    find_rising(recovery, entry_count(&inner));
    return recovery;
}

/* Destroys the inner driver's content on failure. */
static tr_status wrap(tr_driver take_inner, void **out) {
    tr_recovery *recovery = create(take_inner);
    if (!recovery) {
        take_inner.kind->destroy(take_inner.content);
        return TR_RESOURCE_EXHAUSTED;
    }
    *out = recovery;
    return TR_OK;
}

static tr_status mirror(const void *content, const tr_driver_setting *setting, void **out) {
    tr_driver inner = ((const tr_recovery *)content)->inner;
    tr_status status = inner.kind->mirror(inner.content, setting, &inner.content);
    return status ? status : wrap(inner, out);
}

static tr_status save(const void *content, tr_sections *out, tr_error *error) {
    const tr_driver *inner = &((const tr_recovery *)content)->inner;
    tr_section_writer writer = tr_section_begin(out, "recovery");
    tr_section_put_text(&writer, tr_driver_kind_name(*inner));
    tr_status status = tr_section_end(&writer, error);
    return status ? status : inner->kind->save(inner->content, out, error);
}

static tr_status load(const tr_sections *in, const tr_driver_setting *setting, void **out,
                      tr_error *error) {
    char name[TR_NAME_MAX];
    tr_section_reader reader = tr_section_open(in, "recovery");
    tr_section_get_text(&reader, name, sizeof name);
    tr_status status = tr_section_close(&reader, error);
    if (status)
        return status;
    tr_driver inner = {.kind = tr_driver_find_kind(name)};
    if (!inner.kind || inner.kind == &tr_recovery_kind)
        return tr_fail(error, TR_DATA_LOSS, "recovery: no driver kind '%s' to recover", name);
    status = inner.kind->load(in, setting, &inner.content, error);
    return status ? status : wrap(inner, out);
}

const tr_driver_kind tr_recovery_kind = {.name = "recovery",
                                         .check = check,
                                         .hash = hash,
                                         .mirror = mirror,
                                         .destroy = tr_driver_holder_destroy,
                                         .save = save,
                                         .load = load,
                                         TR_DRIVER_HOLDER_WHOLE_ROW,
                                         .state_size = sizeof(tr_recovery_state),
                                         .field = fields,
                                         .field_count = sizeof fields / sizeof *fields,
                                         .fits = fits,
                                         .enter = enter,
                                         .look = look,
                                         .foresee = foresee,
                                         .drive = drive};

/* --- controllers that recover --- */

const tr_recovery *tr_recovery_of(const tr_controller *controller) {
    return tr_driver_content(controller->driver, &tr_recovery_kind);
}

static bool has_rising(const tr_driver *driver) {
    tr_driver_entry found = {0};
    int count = entry_count(driver);
    for (int i = 0; i < count && !found.rises; i++)
        driver->kind->entry(driver->content, i, &found);
    return found.rises;
}

tr_status tr_recovery_add(tr_controller *controller) {
    if (tr_recovery_of(controller) || !has_rising(&controller->driver))
        return TR_OK;
    tr_recovery *recovery = create(controller->driver);
    if (!recovery)
        return TR_RESOURCE_EXHAUSTED;
    controller->driver = (tr_driver){&tr_recovery_kind, recovery};
    return TR_OK;
}

void tr_recovery_remove(tr_controller *controller) {
    if (controller->driver.kind != &tr_recovery_kind)
        return;
    tr_recovery *recovery = controller->driver.content;
    controller->driver = recovery->inner;
    free(recovery);
}

const tr_recovery_state *tr_recovery_state_of(const tr_runner *runner) {
    const tr_controller *controller = runner->controller;
    bool recovers = controller && controller->driver.kind == &tr_recovery_kind;
    return recovers ? (const tr_recovery_state *)runner->state : NULL;
}
