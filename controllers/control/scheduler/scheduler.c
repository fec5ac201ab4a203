/* The driver kind "scheduler": how it decides, its content, and its row. */
#include "control/scheduler/scheduler.h"

#include "control/parts/above_ground.h"
#include "control/parts/driver_holder.h"
#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>
#include <stdlib.h>
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
    for (int i = 0; i < scheduler->entry_count; i++)
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

static const char INPUTS[] = "scheduler-inputs", SIGHT[] = "scheduler-sight";

const double tr_scheduler_object_spread[TR_SCHEDULER_OBJECT_COUNT] = {0.3, 0.3, 0.1,
                                                                      0.1, 0.1, 0.05};

int tr_scheduler_scaled_count(const tr_scheduler *scheduler) {
    return TR_FEATURE_COUNT + (scheduler->sees_object ? TR_SCHEDULER_OBJECT_COUNT : 0);
}

int tr_scheduler_number_count(const tr_scheduler *scheduler) {
    return tr_scheduler_scaled_count(scheduler) + (scheduler->steers ? TR_SCHEDULER_AIM_COUNT : 0);
}

int tr_scheduler_input_count(const tr_scheduler *scheduler) {
    return tr_scheduler_number_count(scheduler) + scheduler->entry_count + scheduler->request_count;
}

int tr_scheduler_action_count(const tr_scheduler *scheduler) {
    return scheduler->entry_count * (scheduler->sheet.outline.mirrored ? 2 : 1);
}

/* --- checking --- */

static tr_status check_entries(const tr_scheduler *scheduler, tr_error *error) {
    const int *entry = scheduler->entry;
    int count = scheduler->entry_count, known = scheduler->sheet.outline.entry_count;
    if (count < 1 || count > TR_SCHEDULER_ENTRY_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "scheduler: %d entries to choose from; expected 1 to %d", count,
                       TR_SCHEDULER_ENTRY_MAX);
    for (int i = 0; i < count; i++)
        if (entry[i] < 0 || entry[i] >= known || (i > 0 && entry[i] <= entry[i - 1]))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "scheduler: entry %d is %d; expected ascending numbers below %d", i,
                           entry[i], known);
    return TR_OK;
}

static tr_status check_requests(const tr_scheduler *scheduler, tr_error *error) {
    int count = scheduler->request_count;
    bool sound = count >= 0 && count <= TR_SCHEDULER_REQUEST_MAX;
    for (int i = 0; sound && i < count; i++) {
        sound = scheduler->request[i] >= 0 && scheduler->request[i] < scheduler->sheet.skill_count;
        for (int j = 0; j < i; j++)
            sound &= scheduler->request[j] != scheduler->request[i];
    }
    return sound ? TR_OK
                 : tr_fail(error, TR_INVALID_ARGUMENT,
                           "scheduler: requests: expected at most %d different skills below %d",
                           TR_SCHEDULER_REQUEST_MAX, scheduler->sheet.skill_count);
}

static tr_status check_network(const tr_scheduler *scheduler, tr_error *error) {
    const tr_network *network = &scheduler->network;
    int inputs = tr_scheduler_input_count(scheduler),
        actions = tr_scheduler_action_count(scheduler);
    if (!tr_network_shape_is_valid(network) || network->width[0] != inputs ||
        network->width[network->layers] != actions || !network->weight)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "scheduler: expected a network of %d inputs and %d outputs", inputs,
                       actions);
    const int64_t broken = tr_network_find_broken(network);
    if (broken >= 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "scheduler: weight %lld is not finite",
                       (long long)broken);
    return TR_OK;
}

static tr_status check_content(const void *content, const tr_driver_setting *setting,
                               tr_error *error) {
    const tr_scheduler *scheduler = content;
    const tr_driver *inner = &scheduler->inner;
    tr_status status = inner->kind->check(inner->content, setting, error);
    if (!status)
        status = check_entries(scheduler, error);
    if (!status)
        status = check_requests(scheduler, error);
    if (!status && scheduler->sees_object && (!setting->rig || setting->rig->object_count < 1))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "scheduler: sees an object, but the controller has no rig");
    for (int i = 0; !status && i < tr_scheduler_scaled_count(scheduler); i++)
        if (!isfinite(scheduler->mean[i]) || !(scheduler->spread[i] > 0) ||
            !isfinite(scheduler->spread[i]))
            status =
                tr_fail(error, TR_INVALID_ARGUMENT,
                        "scheduler: feature %d: expected a finite mean and a spread above 0", i);
    return status ? status : check_network(scheduler, error);
}

static bool sees_more(const tr_scheduler *scheduler) {
    return scheduler->sees_object || scheduler->steers;
}

static uint64_t hash_sight(const tr_scheduler *scheduler, uint64_t hash) {
    unsigned char sees[] = {scheduler->sees_object, scheduler->steers};
    size_t size = sizeof scheduler->mean - TR_FEATURE_COUNT * sizeof *scheduler->mean;
    hash = tr_hash_add(hash, sees, sizeof sees);
    hash = tr_hash_add(hash, scheduler->mean + TR_FEATURE_COUNT, size);
    return tr_hash_add(hash, scheduler->spread + TR_FEATURE_COUNT, size);
}

/* Stored and hashed where networks could once be blind to the entry just done. None of them shipped. */
static const unsigned char FORGETS = 0;

static uint64_t hash_inputs(const tr_scheduler *scheduler, uint64_t hash) {
    hash = tr_hash_add(hash, &FORGETS, sizeof FORGETS);
    return tr_hash_add(hash, scheduler->request, (size_t)scheduler->request_count * sizeof(int));
}

static uint64_t hash_content(const void *content, const tr_driver_setting *setting) {
    const tr_scheduler *scheduler = content;
    unsigned char reflected = scheduler->reflected;
    uint64_t hash = scheduler->inner.kind->hash(scheduler->inner.content, setting);
    hash = tr_hash_add(hash, scheduler->entry, (size_t)scheduler->entry_count * sizeof(int));
    hash = tr_hash_add(hash, &reflected, sizeof reflected);
    if (scheduler->request_count > 0) /* others keep their hash */
        hash = hash_inputs(scheduler, hash);
    if (sees_more(scheduler))
        hash = hash_sight(scheduler, hash);
    hash = tr_hash_add(hash, scheduler->mean, TR_FEATURE_COUNT * sizeof *scheduler->mean);
    hash = tr_hash_add(hash, scheduler->spread, TR_FEATURE_COUNT * sizeof *scheduler->spread);
    return tr_network_hash(&scheduler->network, hash);
}

/* --- making --- */

/* A driver whose entries are all another driver's leaves the choice of entries to that driver. */
static bool can_be_scheduled(const tr_driver_kind *kind) {
    return !kind->held || kind->entry != tr_driver_holder_entry;
}

static void destroy_content(void *content) {
    tr_scheduler *scheduler = content;
    if (!scheduler)
        return;
    if (scheduler->inner.kind)
        scheduler->inner.kind->destroy(scheduler->inner.content);
    tr_driver_sheet_deinit(&scheduler->sheet);
    tr_network_deinit(&scheduler->network);
    free(scheduler);
}

static tr_status mirror_content(const void *content, const tr_driver_setting *setting, void **out) {
    const tr_scheduler *scheduler = content;
    const tr_driver *inner = &scheduler->inner;
    tr_scheduler *image = malloc(sizeof *image);
    if (!image)
        return TR_RESOURCE_EXHAUSTED;
    *image = *scheduler;
    image->inner = (tr_driver){0};
    image->sheet = (tr_driver_sheet){0};
    image->network = (tr_network){0};
    /* The weights stay as they were learned; what the network sees is mirrored instead. */
    image->reflected = !scheduler->reflected;
    tr_status status = tr_network_copy(&image->network, &scheduler->network);
    if (!status) {
        void *mirrored = NULL;
        status = inner->kind->mirror(inner->content, setting, &mirrored);
        if (!status)
            image->inner = (tr_driver){inner->kind, mirrored};
    }
    if (!status)
        status = tr_driver_describe(image->inner, setting->step_s, &image->sheet);
    return TR_GIVE(status, image, destroy_content, out);
}

static tr_status fill(tr_scheduler *scheduler, const tr_driver *inner, const tr_scheduler_def *def,
                      tr_error *error) {
    tr_status status = tr_driver_describe(*inner, def->step_s, &scheduler->sheet);
    if (status)
        return tr_fail_if(error, status, "scheduler");
    scheduler->entry_count = def->entry_count;
    for (int i = 0; i < def->entry_count && i < TR_SCHEDULER_ENTRY_MAX; i++)
        scheduler->entry[i] = def->entry[i];
    scheduler->request_count = def->request_count;
    for (int i = 0; i < def->request_count && i < TR_SCHEDULER_REQUEST_MAX; i++)
        scheduler->request[i] = def->request[i];
    scheduler->sees_object = def->sees_object;
    scheduler->steers = def->steers;
    memcpy(scheduler->spread, tr_feature_spread, sizeof tr_feature_spread);
    memcpy(scheduler->spread + TR_FEATURE_COUNT, tr_scheduler_object_spread,
           sizeof tr_scheduler_object_spread);
    /* Counts must be sound before they give the network its shape. */
    status = check_entries(scheduler, error);
    if (!status)
        status = check_requests(scheduler, error);
    if (status)
        return status;
    tr_network shape = {.layers = def->hidden_count + 1};
    if (def->hidden_count < 0 || shape.layers > TR_NETWORK_LAYER_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "scheduler: %d hidden layers; expected 0 to %d",
                       def->hidden_count, TR_NETWORK_LAYER_MAX - 1);
    shape.width[0] = tr_scheduler_input_count(scheduler);
    for (int l = 0; l < def->hidden_count; l++)
        shape.width[l + 1] = def->hidden[l];
    shape.width[shape.layers] = tr_scheduler_action_count(scheduler);
    status = tr_network_init(&scheduler->network, &shape);
    return tr_fail_if(error, status, "scheduler: widths of hidden layers");
}

tr_status tr_scheduler_add(tr_controller *controller, const tr_scheduler_def *def,
                           tr_scheduler **out, tr_error *error) {
    if (!can_be_scheduled(controller->driver.kind))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "scheduler: '%s' cannot be scheduled: it holds another driver",
                       tr_driver_kind_name(controller->driver));
    tr_scheduler *scheduler = calloc(1, sizeof *scheduler);
    tr_status status = scheduler ? fill(scheduler, &controller->driver, def, error)
                                 : tr_fail(error, TR_RESOURCE_EXHAUSTED, "scheduler: no memory");
    if (status) {
        destroy_content(scheduler);
        return status;
    }
    scheduler->inner = controller->driver;
    controller->driver = (tr_driver){&tr_scheduler_kind, scheduler};
    *out = scheduler;
    return TR_OK;
}

tr_scheduler *tr_scheduler_of(const tr_controller *controller) {
    return tr_driver_content(controller->driver, &tr_scheduler_kind);
}

tr_scheduler_state *tr_scheduler_state_of(tr_runner *runner) {
    const tr_controller *controller = runner->controller;
    bool schedules = controller && controller->driver.kind == &tr_scheduler_kind;
    return schedules ? (tr_scheduler_state *)runner->state : NULL;
}

/* --- sections: "scheduler", "scheduler-inputs" where there are other inputs, "scheduler-sight"
 * where it sees more, and those of the inner driver --- */

static tr_status put_sight(const tr_scheduler *scheduler, tr_sections *out, tr_error *error) {
    if (!sees_more(scheduler))
        return TR_OK;
    tr_section_writer writer = tr_section_begin(out, SIGHT);
    tr_section_put_int(&writer, scheduler->sees_object);
    tr_section_put_int(&writer, scheduler->steers);
    tr_section_put_doubles(&writer, scheduler->mean + TR_FEATURE_COUNT, TR_SCHEDULER_OBJECT_COUNT);
    tr_section_put_doubles(&writer, scheduler->spread + TR_FEATURE_COUNT,
                           TR_SCHEDULER_OBJECT_COUNT);
    return tr_section_end(&writer, error);
}

static tr_status get_sight(const tr_sections *in, tr_scheduler *out, tr_error *error) {
    if (!tr_sections_find(in, SIGHT))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, SIGHT);
    out->sees_object = tr_section_get_bool(&reader);
    out->steers = tr_section_get_bool(&reader);
    tr_section_get_doubles(&reader, out->mean + TR_FEATURE_COUNT, TR_SCHEDULER_OBJECT_COUNT);
    tr_section_get_doubles(&reader, out->spread + TR_FEATURE_COUNT, TR_SCHEDULER_OBJECT_COUNT);
    return tr_section_close(&reader, error);
}

static tr_status put_inputs(const tr_scheduler *scheduler, tr_sections *out, tr_error *error) {
    if (scheduler->request_count == 0)
        return TR_OK;
    tr_section_writer writer = tr_section_begin(out, INPUTS);
    tr_section_put_int(&writer, FORGETS);
    tr_section_put_int(&writer, scheduler->request_count);
    for (int i = 0; i < scheduler->request_count; i++)
        tr_section_put_int(&writer, scheduler->request[i]);
    return tr_section_end(&writer, error);
}

static tr_status save_content(const void *content, tr_sections *out, tr_error *error) {
    const tr_scheduler *scheduler = content;
    const tr_driver *inner = &scheduler->inner;
    tr_section_writer writer = tr_section_begin(out, "scheduler");
    tr_section_put_text(&writer, tr_driver_kind_name(*inner));
    tr_section_put_int(&writer, scheduler->reflected);
    tr_section_put_int(&writer, scheduler->entry_count);
    for (int i = 0; i < scheduler->entry_count; i++)
        tr_section_put_int(&writer, scheduler->entry[i]);
    tr_section_put_doubles(&writer, scheduler->mean, TR_FEATURE_COUNT);
    tr_section_put_doubles(&writer, scheduler->spread, TR_FEATURE_COUNT);
    tr_network_put(&scheduler->network, &writer);
    tr_status status = tr_section_end(&writer, error);
    if (!status)
        status = put_inputs(scheduler, out, error);
    if (!status)
        status = put_sight(scheduler, out, error);
    return status ? status : inner->kind->save(inner->content, out, error);
}

static tr_status get_scheduler(tr_section_reader *reader, tr_scheduler *out, char *inner) {
    tr_section_get_text(reader, inner, TR_NAME_MAX);
    out->reflected = tr_section_get_bool(reader);
    out->entry_count = (int)tr_section_get_int(reader, 1, TR_SCHEDULER_ENTRY_MAX);
    for (int i = 0; i < out->entry_count; i++)
        out->entry[i] = (int)tr_section_get_int(reader, 0, TR_DRIVER_ENTRY_MAX - 1);
    tr_section_get_doubles(reader, out->mean, TR_FEATURE_COUNT);
    tr_section_get_doubles(reader, out->spread, TR_FEATURE_COUNT);
    return tr_network_get(reader, &out->network);
}

static tr_status get_inputs(const tr_sections *in, tr_scheduler *out, tr_error *error) {
    if (!tr_sections_find(in, INPUTS))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, INPUTS);
    tr_section_get_int(&reader, FORGETS, FORGETS);
    out->request_count = (int)tr_section_get_int(&reader, 0, TR_SCHEDULER_REQUEST_MAX);
    for (int i = 0; i < out->request_count; i++)
        out->request[i] = (int)tr_section_get_int(&reader, 0, TR_DRIVER_SKILL_MAX - 1);
    return tr_section_close(&reader, error);
}

static tr_status load_inner(const tr_sections *in, const tr_driver_setting *setting,
                            const char *name, tr_scheduler *out, tr_error *error) {
    const tr_driver_kind *kind = tr_driver_find_kind(name);
    void *content = NULL;
    if (!kind || !can_be_scheduled(kind))
        return tr_fail(error, TR_DATA_LOSS, "scheduler: no driver kind '%s' to schedule", name);
    tr_status status = kind->load(in, setting, &content, error);
    if (status)
        return status;
    out->inner = (tr_driver){kind, content};
    status = kind->check(content, setting, error); /* only what is whole can be described */
    return status ? status : tr_driver_describe(out->inner, setting->step_s, &out->sheet);
}

static tr_status load_content(const tr_sections *in, const tr_driver_setting *setting, void **out,
                              tr_error *error) {
    char inner[TR_NAME_MAX];
    tr_scheduler *scheduler = calloc(1, sizeof *scheduler);
    if (!scheduler)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "scheduler: no memory");
    tr_section_reader reader = tr_section_open(in, "scheduler");
    tr_status status = get_scheduler(&reader, scheduler, inner);
    if (!status)
        status = tr_section_close(&reader, error);
    if (!status)
        status = get_inputs(in, scheduler, error);
    if (!status)
        status = get_sight(in, scheduler, error);
    if (!status)
        status = load_inner(in, setting, inner, scheduler, error);
    return TR_GIVE(status, scheduler, destroy_content, out);
}

/* --- the row --- */

const tr_driver_kind tr_scheduler_kind = {.name = "scheduler",
                                          .check = check_content,
                                          .hash = hash_content,
                                          .mirror = mirror_content,
                                          .destroy = destroy_content,
                                          .save = save_content,
                                          .load = load_content,
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
