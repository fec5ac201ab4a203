/* The driver kind "scheduler": how it decides, and its row. */
#include "control/scheduler/scheduler.h"

#include "control/parts/above_ground.h"
#include "control/parts/driver_holder.h"
#include "control/scheduler/scheduler_content.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

static const float INPUT_MAX = 20;
static const double MOVES_MPS = 0.5; /* slower motion has no direction: the heading counts */

/* Indices of the features (features.h). */
enum { CENTROID = 3, CENTROID_HEIGHT = 5, CENTROID_VEL = 6, ROOT_HEIGHT = 2 };

enum { ENTRY_LAST = TR_DRIVER_ENTRY_MAX - 1, ACTION_LAST = TR_SCHEDULER_ACTION_MAX - 1 };

static const tr_state_field fields[] = {
    TR_STATE_INT_FIELD(tr_scheduler_state, entry, 0, ENTRY_LAST),
    TR_STATE_BOOL_FIELD(tr_scheduler_state, mirrored),
    TR_STATE_BOOL_FIELD(tr_scheduler_state, decides),
    TR_STATE_BOOL_FIELD(tr_scheduler_state, decision.made),
    TR_STATE_BOOL_FIELD(tr_scheduler_state, decision.out_of_sequence),
    TR_STATE_INT_FIELD(tr_scheduler_state, decision.action, -1, ACTION_LAST),
    TR_STATE_DOUBLE_FIELD(tr_scheduler_state, decision.value, -TR_STATE_ANY, TR_STATE_ANY),
};

static void *inner_state(const tr_scheduler *scheduler, const void *state) {
    const tr_driver driver = {&tr_scheduler_kind, (void *)scheduler};
    return tr_driver_held_state(driver, state, 0);
}

/* --- what may come next --- */

static int find_entry(const tr_scheduler *scheduler, int entry) {
    for (int i = 0; i < scheduler->entry_count; i++)
        if (scheduler->entry[i] == entry)
            return i;
    return -1;
}

tr_scheduler_place tr_scheduler_place_of(const tr_scheduler *scheduler,
                                         const tr_scheduler_state *state, int action) {
    bool flips = action >= scheduler->entry_count;
    int entry = scheduler->entry[flips ? action - scheduler->entry_count : action];
    return (tr_scheduler_place){entry, state->mirrored != flips};
}

/* Appends the action that goes there, if there is one and it is not listed yet. */
static int add_action(const tr_scheduler *scheduler, int entry, bool flips, int count, int *out) {
    int at = find_entry(scheduler, entry);
    if (at < 0)
        return count;
    int action = flips ? at + scheduler->entry_count : at;
    for (int i = 0; i < count; i++)
        if (out[i] == action)
            return count;
    out[count] = action;
    return count + 1;
}

int tr_scheduler_sequence(const tr_scheduler *scheduler, const tr_scheduler_state *state,
                          int *out) {
    const tr_driver_sheet *sheet = &scheduler->sheet;
    const tr_driver_skill *skill = &sheet->skill[sheet->entry[state->entry].skill];
    int count = 0;
    /* The skill's own successor comes first, then the edges out of the entry. */
    if (state->entry + 1 < skill->first + skill->count)
        count = add_action(scheduler, state->entry + 1, false, count, out);
    else if (skill->cyclic)
        count = add_action(scheduler, skill->first, skill->mirrored, count, out);
    for (int e = 0; e < sheet->edge_count; e++)
        if (sheet->edge[e].from == state->entry)
            count = add_action(scheduler, sheet->edge[e].to, sheet->edge[e].flips, count, out);
    return count;
}

bool tr_scheduler_is_in_sequence(const tr_scheduler *scheduler, const tr_scheduler_state *state,
                                 int action) {
    int sequence[TR_SCHEDULER_ACTION_MAX];
    int count = tr_scheduler_sequence(scheduler, state, sequence);
    bool found = count == 0; /* what leads nowhere may lead anywhere */
    for (int i = 0; i < count; i++)
        found |= sequence[i] == action;
    return found;
}

/* --- deciding --- */

static int find_request(const tr_scheduler *scheduler, const char *skill) {
    for (int i = 0; i < scheduler->request_count; i++)
        if (strcmp(scheduler->sheet.skill[scheduler->request[i]].name, skill) == 0)
            return i;
    return -1;
}

static int request_of(const tr_scheduler *scheduler, const tr_steering_target *target) {
    int request = find_request(scheduler, target->skill);
    return request < 0 && scheduler->request_count > 0 ? 0 : request;
}

/* Puts velocity and place of the first object, from the centre of mass. */
static void look_at_object(const tr_sight *sight, const tr_features *features, double *out) {
    const double heading = tr_quat_heading(sight->state->pose.root_rot);
    const tr_object_state *object = &sight->object[0];
    const tr_vec3 vel = tr_vec3_to_heading(object->vel, heading);
    const tr_vec3 from_root = tr_vec3_sub(object->pos, sight->state->pose.root_pos);
    const tr_vec3 place = tr_vec3_to_heading(from_root, heading);
    out[0] = vel.x;
    out[1] = vel.y;
    out[2] = vel.z;
    out[3] = place.x - features->s[CENTROID];
    out[4] = place.y - features->s[CENTROID + 1];
    /* Both heights are above the ground, so their difference is the centroid above the root. */
    out[5] = place.z - (features->s[CENTROID_HEIGHT] - features->s[ROOT_HEIGHT]);
}

/* The heading stands in for the direction of a motion that is slow. */
static double aim_off_motion(const tr_sight *sight, const tr_features *features) {
    const double x = features->s[CENTROID_VEL], y = features->s[CENTROID_VEL + 1];
    const double off = sqrt(x * x + y * y) < MOVES_MPS ? 0 : tr_atan2(y, x);
    if (sight->target->aim == TR_AIM_NONE)
        return 0;
    return tr_angle_wrap(tr_steering_bearing(sight->target, sight->world, sight->state).turn_rad -
                         off);
}

tr_scheduler_view tr_scheduler_view_of(const tr_scheduler *scheduler, const tr_sight *sight,
                                       const tr_features *features) {
    tr_scheduler_view view = {.features = *features,
                              .request = request_of(scheduler, sight->target)};
    if (scheduler->sees_object)
        look_at_object(sight, features, view.object);
    if (scheduler->steers)
        view.aim_rad = aim_off_motion(sight, features);
    return view;
}

static tr_scheduler_view mirror_view(const tr_scheduler_view *view) {
    tr_scheduler_view image = *view;
    image.features = tr_features_mirror(&view->features);
    image.object[1] = -view->object[1];
    image.object[4] = -view->object[4];
    image.aim_rad = -view->aim_rad;
    return image;
}

void tr_scheduler_observe(const tr_scheduler *scheduler, const tr_scheduler_state *state,
                          const tr_scheduler_view *view, float *out) {
    /* One half is learned: the other one is seen as its mirror image. */
    bool mirrors = state->mirrored != scheduler->reflected;
    const tr_scheduler_view seen = mirrors ? mirror_view(view) : *view;
    const int previous = find_entry(scheduler, state->entry);
    const int scaled = tr_scheduler_scaled_count(scheduler);
    /* The inputs, in the order of the header. */
    for (int i = 0; i < scaled; i++) {
        double number =
            i < TR_FEATURE_COUNT ? seen.features.s[i] : seen.object[i - TR_FEATURE_COUNT];
        float value = (float)((number - scheduler->mean[i]) / scheduler->spread[i]);
        out[i] = fminf(fmaxf(value, -INPUT_MAX), INPUT_MAX);
    }
    float *next = out + scaled;
    if (scheduler->steers) {
        *next++ = (float)tr_sin(seen.aim_rad);
        *next++ = (float)tr_cos(seen.aim_rad);
    }
    for (int i = 0; i < scheduler->entry_count && !scheduler->forgets; i++)
        *next++ = i == previous;
    for (int i = 0; i < scheduler->request_count; i++)
        *next++ = i == view->request;
}

/* Keeps the largest values; those taken are overwritten. */
static void keep_best(float *value, int count, tr_scheduler_decision *out) {
    for (int i = 0; i < TR_SCHEDULER_SHOWN; i++) {
        bool any = i < count;
        out->action[i] = any ? tr_network_largest(value, count) : -1;
        out->value[i] = any ? (double)value[out->action[i]] : 0;
        if (any)
            value[out->action[i]] = -INFINITY;
    }
}

static tr_status decide(const tr_scheduler *scheduler, tr_scheduler_state *state,
                        const tr_sight *sight) {
    float input[TR_SCHEDULER_INPUT_MAX], value[TR_SCHEDULER_ACTION_MAX];
    int count = tr_scheduler_action_count(scheduler);
    tr_features features = tr_features_above_ground(sight);
    tr_scheduler_view view = tr_scheduler_view_of(scheduler, sight, &features);
    tr_scheduler_observe(scheduler, state, &view, input);
    tr_network_forward(&scheduler->network, input, value);
    for (int i = 0; i < count; i++)
        if (!isfinite(value[i]))
            return TR_DATA_LOSS;
    tr_scheduler_decision *decision = &state->decision;
    /* Outside of learning the choice is greedy: the action of the largest value. */
    keep_best(value, count, decision);
    decision->made = true;
    decision->out_of_sequence = !tr_scheduler_is_in_sequence(scheduler, state, decision->action[0]);
    tr_scheduler_place next = tr_scheduler_place_of(scheduler, state, decision->action[0]);
    scheduler->inner.kind->enter(scheduler->inner.content, inner_state(scheduler, state),
                                 next.entry, next.mirrored);
    return TR_OK;
}

/* An entry that is not listed is followed by the next one of its skill. */
static bool continues(const tr_scheduler *scheduler, const tr_scheduler_state *state) {
    const tr_driver_sheet *sheet = &scheduler->sheet;
    const tr_driver_skill *skill = &sheet->skill[sheet->entry[state->entry].skill];
    return find_entry(scheduler, state->entry) < 0 &&
           state->entry + 1 < skill->first + skill->count;
}

static tr_status begin_next(const tr_scheduler *scheduler, tr_scheduler_state *state,
                            const tr_sight *sight) {
    if (!continues(scheduler, state))
        return decide(scheduler, state, sight);
    scheduler->inner.kind->enter(scheduler->inner.content, inner_state(scheduler, state),
                                 state->entry + 1, state->mirrored);
    state->decision = (tr_scheduler_decision){0};
    return TR_OK;
}

static tr_status drive(const void *content, void *state, const tr_sight *sight, tr_drive *out) {
    const tr_scheduler *scheduler = content;
    const tr_driver *inner = &scheduler->inner;
    tr_scheduler_state *s = state;
    tr_status status = s->decides ? begin_next(scheduler, s, sight) : TR_OK;
    if (!status)
        status = inner->kind->drive(inner->content, inner_state(scheduler, state), sight, out);
    if (status)
        return status;
    s->entry = out->entry;
    s->mirrored = out->mirrored;
    /* The inner driver has chosen its own next entry; a decision replaces that. */
    s->decides = out->completes;
    return TR_OK;
}

/* --- state --- */

static bool fits(const void *content, const void *state) {
    const tr_scheduler *scheduler = content;
    const tr_scheduler_state *s = state;
    const tr_driver *inner = &scheduler->inner;
    tr_doing doing;
    inner->kind->look(inner->content, inner_state(scheduler, state), &doing);
    bool fit = s->entry < scheduler->sheet.outline.entry_count && (!s->decides || doing.between) &&
               (scheduler->sheet.outline.mirrored || !s->mirrored);
    for (int i = 0; i < TR_SCHEDULER_SHOWN; i++)
        fit &= s->decision.action[i] < tr_scheduler_action_count(scheduler);
    return fit;
}

static void enter(const void *content, void *state, int entry_index, bool mirrored) {
    const tr_scheduler *scheduler = content;
    const tr_driver *inner = &scheduler->inner;
    *(tr_scheduler_state *)state = (tr_scheduler_state){.entry = entry_index, .mirrored = mirrored};
    inner->kind->enter(inner->content, inner_state(scheduler, state), entry_index, mirrored);
}

/* The decision began the entry in progress: the half that it was made in follows from that of the
 * entry. */
static void look_at_decision(const tr_scheduler *scheduler, const tr_scheduler_state *state,
                             tr_doing *out) {
    const tr_scheduler_decision *decision = &state->decision;
    bool flipped = decision->action[0] >= scheduler->entry_count;
    const tr_scheduler_state before = {.mirrored = state->mirrored != flipped};
    out->out_of_sequence = decision->out_of_sequence;
    for (int i = 0; i < TR_SCHEDULER_SHOWN && decision->action[i] >= 0; i++) {
        tr_scheduler_place place = tr_scheduler_place_of(scheduler, &before, decision->action[i]);
        out->choice[out->choice_count++] =
            (tr_driver_choice){place.entry, place.mirrored, decision->value[i]};
    }
}

static void look(const void *content, const void *state, tr_doing *out) {
    const tr_scheduler *scheduler = content;
    const tr_scheduler_state *s = state;
    const tr_driver *inner = &scheduler->inner;
    inner->kind->look(inner->content, inner_state(scheduler, state), out);
    if (s->decision.made)
        look_at_decision(scheduler, s, out);
}

static bool performs(const void *content, const char *skill) {
    return find_request(content, skill) >= 0;
}

/* The network chooses skills, and may see headings. Otherwise the inner driver is steered within its
 * skills, as far as the one that the network returns to can be. */
static void reach(const void *content, tr_driver_reach *out) {
    const tr_scheduler *scheduler = content;
    const tr_driver_skill *home = &scheduler->sheet.skill[0];
    tr_driver_holder_reach(content, out);
    if (home->faster_mps == 0 && home->slower_mps == 0)
        out->slowest_mps = out->fastest_mps = 0;
    if (scheduler->steers || home->turn_rad_s == 0)
        out->heading = out->place = scheduler->steers;
}

/* --- what the inner driver can do --- */

static void outline(const void *content, double step_s, tr_driver_outline *out) {
    tr_driver_holder_outline(content, step_s, out);
    out->cyclic = true;
}

const tr_driver_kind tr_scheduler_kind = {.name = "scheduler",
                                          .check = tr_scheduler_check,
                                          .hash = tr_scheduler_hash,
                                          .mirror = tr_scheduler_mirror,
                                          .destroy = tr_scheduler_destroy,
                                          .save = tr_scheduler_save,
                                          .load = tr_scheduler_load,
                                          .outline = outline,
                                          TR_DRIVER_HOLDER_ROW,
                                          .state_size = sizeof(tr_scheduler_state),
                                          .field = fields,
                                          .field_count = sizeof fields / sizeof *fields,
                                          .fits = fits,
                                          .enter = enter,
                                          .look = look,
                                          .reach = reach,
                                          .performs = performs,
                                          .drive = drive};
